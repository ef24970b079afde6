"""The settings of config.yaml that concern memory, each with its type, default and meaning (facts 7).

Every key is described once, in `SPECS`, with the default of the class that holds it (a test compares them).
Everything that reads, changes or lists settings goes by that table.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class RecallSettings(NamedTuple):
    """`memory.recall.*`: note search, which only a Digit home has. Limits are code points."""

    enabled: bool = True
    memory_char_limit: int = 120_000
    user_char_limit: int = 24_000
    top_k: int = 6
    max_chars: int = 2000
    hops: int = 1


class MemorySettings(NamedTuple):
    """`memory.*`. Limits are code points; None is not set, so the kind of the home decides (facts 1.3)."""

    memory_enabled: bool = True
    user_profile_enabled: bool = True
    memory_char_limit: int | None = None
    user_char_limit: int | None = None
    write_approval: bool = False
    provider: str = ""
    nudge_interval: int = 10
    recall: RecallSettings = RecallSettings()


class SkillsSettings(NamedTuple):
    """`skills.*`. `inline_shell_timeout` is seconds."""

    write_approval: bool = False
    creation_nudge_interval: int = 10
    external_dirs: tuple[str, ...] = ()
    template_vars: bool = True
    inline_shell: bool = False
    inline_shell_timeout: float = 10
    guard_agent_created: bool = False


class DisplaySettings(NamedTuple):
    """`display.*`. Notifications are `off`, `on` or `verbose`; `platforms` overrides them by platform."""

    memory_notifications: str = "on"
    platforms: Mapping[str, str] = {}


class ReviewSettings(NamedTuple):
    """`auxiliary.background_review.*`. `max_input_tokens` None: derived by the agent. Times are seconds."""

    provider: str = "auto"
    model: str = ""
    base_url: str = ""
    api_key: str = ""
    timeout: float = 120
    extra_body: Mapping[str, object] = {}
    reasoning_effort: str = ""
    enabled: bool = True
    max_input_tokens: int | None = None
    extra_tools: tuple[str, ...] = ()
    defer: str = "auto"
    defer_max_age_s: float = 1800


class CuratorSettings(NamedTuple):
    """`curator.*`: when unused skills go stale and are archived (days)."""

    stale_after_days: int = 30
    archive_after_days: int = 90
    prune_builtins: bool = True
    consolidate: bool = False


class HolographicSettings(NamedTuple):
    """`plugins.hermes-memory-store.*`. `db_path` "": `memory_store.db` in the home."""

    db_path: str = ""
    auto_extract: bool = False
    default_trust: float = 0.5
    hrr_dim: int = 1024


class Settings(NamedTuple):
    """All settings; `Settings()` is what an agent without a config.yaml runs on."""

    memory: MemorySettings = MemorySettings()
    skills: SkillsSettings = SkillsSettings()
    display: DisplaySettings = DisplaySettings()
    review: ReviewSettings = ReviewSettings()
    curator: CuratorSettings = CuratorSettings()
    holographic: HolographicSettings = HolographicSettings()
    disabled_toolsets: tuple[str, ...] = ()


def gated(settings: Settings) -> Settings:
    """The same settings with both write gates on: what counts when nobody can say what the gates are."""
    return settings._replace(
        memory=settings.memory._replace(write_approval=True),
        skills=settings.skills._replace(write_approval=True),
    )


BOOL = "bool"
GATE = "gate"
"""A boolean that counts as on when its value cannot be read."""
INT = "int"
NUMBER = "number"
TEXT = "text"
CHOICE = "choice"
LIST = "list"
MAPPING = "mapping"


class KeySpec(NamedTuple):
    """One key of config.yaml: what it takes, what it is without being set, what it does."""

    key: str
    """Dotted, as the sections nest."""
    kind: str
    type: str
    """What it takes, in words."""
    default: object
    """None: nothing fixed; `doc` says what decides."""
    doc: str
    minimum: float = 0
    maximum: float | None = None
    choices: tuple[str, ...] = ()


NOTIFICATIONS = ("off", "on", "verbose")
PLATFORMS = "display.platforms"
"""`display.platforms.<platform>.memory_notifications` overrides `display.memory_notifications`."""


def _bool(key: str, default: bool, doc: str) -> KeySpec:
    return KeySpec(key, BOOL, "true or false", default, doc)


def _gate(key: str, doc: str) -> KeySpec:
    return KeySpec(key, GATE, "true or false", False, doc)


def _int(key: str, default: int | None, doc: str, minimum: int = 0) -> KeySpec:
    return KeySpec(key, INT, f"a whole number, {minimum} or more", default, doc, minimum)


def _number(key: str, default: float, doc: str, maximum: float | None = None) -> KeySpec:
    words = f"a number from 0 to {maximum:g}" if maximum is not None else "a number, 0 or more"
    return KeySpec(key, NUMBER, words, default, doc, 0, maximum)


def _text(key: str, default: str, doc: str) -> KeySpec:
    return KeySpec(key, TEXT, "text on one line", default, doc)


def _choice(key: str, default: str, choices: tuple[str, ...], doc: str) -> KeySpec:
    words = f"{', '.join(choices[:-1])} or {choices[-1]}"
    return KeySpec(key, CHOICE, words, default, doc, choices=choices)


def _list(key: str, doc: str) -> KeySpec:
    return KeySpec(key, LIST, "a list of texts", (), doc)


_REVIEW = "auxiliary.background_review"
_STORE = "plugins.hermes-memory-store"

SPECS: tuple[KeySpec, ...] = (
    _bool("memory.memory_enabled", True, "The agent keeps notes in MEMORY.md."),
    _bool("memory.user_profile_enabled", True, "The agent keeps what it knows about the person in USER.md."),
    _int(
        "memory.memory_char_limit",
        None,
        "Limit of MEMORY.md (2,200 when not set); with note search on, how much of it is sent verbatim.",
    ),
    _int(
        "memory.user_char_limit",
        None,
        "Limit of USER.md (1,375 when not set); with note search on, how much of it is sent verbatim.",
    ),
    _gate("memory.write_approval", "The agent asks before it saves a note."),
    _text("memory.provider", "", "One external memory provider beside the files."),
    _int("memory.nudge_interval", 10, "Turns between two memory reviews; 0 for none."),
    _bool("memory.recall.enabled", True, "Notes over the verbatim limit are searched each turn."),
    _int("memory.recall.memory_char_limit", 120_000, "Limit of MEMORY.md while note search is on."),
    _int("memory.recall.user_char_limit", 24_000, "Limit of USER.md while note search is on."),
    _int("memory.recall.top_k", 6, "Notes found for a turn.", 1),
    _int("memory.recall.max_chars", 2000, "How much found text goes into a turn.", 1),
    _int("memory.recall.hops", 1, "Links followed from a note that was found."),
    _gate("skills.write_approval", "The agent's skill changes wait for the person."),
    _int("skills.creation_nudge_interval", 10, "Turns between two looks for a new skill; 0 for none."),
    _list("skills.external_dirs", "More folders with skills."),
    _bool("skills.template_vars", True, "Variables in skills are filled in."),
    _bool("skills.inline_shell", False, "Skills may run shell lines while they load."),
    _number("skills.inline_shell_timeout", 10, "Seconds a shell line of a skill may take."),
    _bool("skills.guard_agent_created", False, "Skills made by the agent are scanned too."),
    _choice("display.memory_notifications", "on", NOTIFICATIONS, "The line in chat after a background save."),
    _text(f"{_REVIEW}.provider", "auto", "Who runs the background review; auto: as the chat."),
    _text(f"{_REVIEW}.model", "", "Model of the background review."),
    _text(f"{_REVIEW}.base_url", "", "Address of the model's server."),
    _text(f"{_REVIEW}.api_key", "", "Key for the model's server."),
    _number(f"{_REVIEW}.timeout", 120, "Seconds the review may take."),
    KeySpec(f"{_REVIEW}.extra_body", MAPPING, "a mapping", {}, "More fields for each request."),
    _text(f"{_REVIEW}.reasoning_effort", "", "How much the review's model thinks."),
    _bool(f"{_REVIEW}.enabled", True, "The background review runs at all."),
    _int(f"{_REVIEW}.max_input_tokens", None, "Most tokens the review reads; derived when not set.", 1),
    _list(f"{_REVIEW}.extra_tools", "More tools for the review."),
    _choice(f"{_REVIEW}.defer", "auto", ("auto", "on", "off"), "The review waits for a quiet moment."),
    _number(f"{_REVIEW}.defer_max_age_s", 1800, "Seconds a review waits at most."),
    _int("curator.stale_after_days", 30, "Days after which an unused skill counts as stale."),
    _int("curator.archive_after_days", 90, "Days after which an unused skill is archived."),
    _bool("curator.prune_builtins", True, "Built-in skills that are not used are archived too."),
    _bool("curator.consolidate", False, "Skills that are alike are joined."),
    _list("agent.disabled_toolsets", "Toolsets the agent does not get; memory hides the memory tools."),
    _text(f"{_STORE}.db_path", "", "File of the holographic store; empty: memory_store.db in the home."),
    _bool(f"{_STORE}.auto_extract", False, "The holographic store takes facts from chats by itself."),
    _number(f"{_STORE}.default_trust", 0.5, "Trust of a new fact.", 1),
    _int(f"{_STORE}.hrr_dim", 1024, "Width of the store's vectors.", 1),
)

_BY_KEY = {spec.key: spec for spec in SPECS}


def platform_spec(platform: str) -> KeySpec:
    """The description of one platform's own notification key; unset, the general one counts."""
    general = _BY_KEY["display.memory_notifications"]
    return general._replace(
        key=f"{PLATFORMS}.{platform}.memory_notifications", doc=f"{general.doc} On {platform} only."
    )


def spec_for(key: str) -> KeySpec | None:
    """The description of a dotted key, one platform's notification key included; None for an unknown one."""
    if key in _BY_KEY:
        return _BY_KEY[key]
    platform = key.removeprefix(f"{PLATFORMS}.").removesuffix(".memory_notifications")
    spec = platform_spec(platform)
    return spec if platform and spec.key == key else None


def path_of(key: str) -> tuple[str, ...]:
    """The sections that a known key lies in, and its own name; a platform's name may hold dots itself."""
    if key.startswith(f"{PLATFORMS}."):
        platform = key.removeprefix(f"{PLATFORMS}.").removesuffix(".memory_notifications")
        return (*PLATFORMS.split("."), platform, "memory_notifications")
    return tuple(key.split("."))


def settings_from(values: Mapping[str, Any], platforms: Mapping[str, str]) -> Settings:
    """The typed settings of values by dotted key, each of the type its `KeySpec` says."""

    def fields(section: str) -> dict[str, Any]:
        names = (key.rpartition(".") for key in values)
        return {name: values[f"{section}.{name}"] for above, _, name in names if above == section}

    return Settings(
        MemorySettings(**fields("memory"), recall=RecallSettings(**fields("memory.recall"))),
        SkillsSettings(**fields("skills")),
        DisplaySettings(**fields("display"), platforms=platforms),
        ReviewSettings(**fields(_REVIEW)),
        CuratorSettings(**fields("curator")),
        HolographicSettings(**fields(_STORE)),
        values.get("agent.disabled_toolsets", ()),
    )
