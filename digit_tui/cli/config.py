"""`digit config`: look at the settings, change one."""

from __future__ import annotations

from argparse import Namespace

from digit_core.formats.config_edit import setting_keys
from digit_core.library import Library, Setting
from digit_core.text.visible import one_line
from digit_tui.cli import exits
from digit_tui.cli.output import Output, table

_SECRET = "api_key"
_MASK = "(set; `config get` prints it)"


def _set(arguments: Namespace, library: Library, output: Output) -> int:
    library.change_setting(arguments.key, arguments.value)
    value = library.setting(arguments.key).value
    if output.json:
        path = str(library.home.config_path)
        output.data({"ok": True, "key": arguments.key, "value": value, "path": path})
    else:
        output.line(f"{one_line(arguments.key)} = {_words(value)}")
        output.say(f"Saved in {library.home.config_path}. The agent reads its settings when it starts.")
    return exits.DONE


def _get(arguments: Namespace, library: Library, output: Output) -> int:
    setting = library.setting(arguments.key)
    _say_problems(library, output)
    if output.json:
        output.data({"key": arguments.key, **setting._asdict()})
    else:
        output.line(_words(setting.value))
    return exits.DONE


def _list(arguments: Namespace, library: Library, output: Output) -> int:
    _say_problems(library, output)
    found = [(spec, _masked(spec.key, library.setting(spec.key))) for spec in setting_keys()]
    if output.json:
        output.data([{"key": spec.key, **setting._asdict(), "doc": spec.doc} for spec, setting in found])
        return exits.DONE
    output.lines(table([(spec.key, setting.origin, _words(setting.value)) for spec, setting in found]))
    return exits.DONE


def _say_problems(library: Library, output: Output) -> None:
    """What is wrong with the file: then the values are not what stands in it."""
    for problem in library.snapshot.problems:
        if problem.path == library.home.config_path:
            output.say(f"{problem.message} {problem.way_out}")


def _masked(key: str, setting: Setting) -> Setting:
    """A listing is for looking around and for showing to others, so it holds no key to anything."""
    return setting._replace(value=_MASK) if key.endswith(_SECRET) and setting.value else setting


def _words(value: object) -> str:
    """A value as it would stand in config.yaml, visible."""
    if value is None:
        return "(not set)"
    if isinstance(value, bool):
        return "true" if value else "false"
    if value in ("", (), {}):
        return "(empty)"
    if isinstance(value, tuple):
        return ", ".join(one_line(str(item)) for item in value)
    return one_line(str(value))


VERBS = {"get": _get, "set": _set, "list": _list}
