"""Settings of a home, also when its config.yaml is broken: the last good one is kept in our folder and used.

Without a last good one the defaults count, with both write gates on (design, "A broken config").
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from digit_core.disk.reading import read_file
from digit_core.errors import ConfigBroken, FileError
from digit_core.formats.config import DEFAULTS, Config, ConfigProblem, read_config
from digit_core.formats.settings import Settings, gated

LAST_GOOD = "config.last-good.yaml"
"""The bytes of the config.yaml that was read last without an error; the file may hold keys, so it is 0600."""


class LoadedSettings(NamedTuple):
    """The settings that count now, and where they come from."""

    settings: Settings
    problems: tuple[ConfigProblem, ...]
    """Of the file that was used, so of the last good one when that is used."""
    broken: ConfigBroken | None
    """Why config.yaml itself could not be used; line and column are 1 when it could not even be read."""
    from_last_good: bool
    present: frozenset[str]
    recall_key: bool
    data: bytes | None
    """The bytes of config.yaml as they are, broken or not; None when there is none or it cannot be read."""
    config: Config
    """The same with every value and its line, for `get_setting`."""


def remember(folder: Path, data: bytes) -> None:
    """Keep the bytes of a good config; writes only when they are new. Raises WriteFailed, ReadFailed."""
    if recall(folder) != data:
        # The writer is only needed when the config has changed since the last start.
        from digit_core.disk.writing import write_atomically

        write_atomically(folder / LAST_GOOD, data)


def recall(folder: Path) -> bytes | None:
    """The bytes of the last good config, or None."""
    return read_file(folder / LAST_GOOD).data


def load_settings(
    home_path: Path, own_folder: Path, *, may_write: bool, before: LoadedSettings | None = None
) -> LoadedSettings:
    """Read `config.yaml` of a home; never raises for what is in the file or in its way.

    With `may_write` a config that parses is remembered, once our own folder is there (it is not made here).
    `before` is what counted until now: it goes on counting where no copy could be kept.
    """
    path = home_path / "config.yaml"
    image = read_file(path)
    try:
        if image.problem is not None:
            raise ConfigBroken(path, 1, 1, image.problem)
        config = read_config(image.data, path)
    except ConfigBroken as error:
        return _instead(error, image.data, recall(own_folder), before)
    if may_write and image.data is not None and own_folder.is_dir():
        config = _remembered(config, own_folder, image.data)
    return _loaded(config, image.data)


def _remembered(config: Config, own_folder: Path, data: bytes) -> Config:
    """Keep the good config. That this failed is no reason not to use it, but it is said."""
    try:
        remember(own_folder, data)
    except FileError as error:
        message = f"config.yaml is good, but its copy for the day it is not could not be kept: {error}"
        problem = ConfigProblem("", 1, 1, message, "config.yaml", by_hand=True)
        return config._replace(problems=(*config.problems, problem))
    return config


def _instead(
    broken: ConfigBroken, data: bytes | None, kept: bytes | None, before: LoadedSettings | None
) -> LoadedSettings:
    if kept is not None:
        try:
            return _loaded(read_config(kept), data, broken, from_last_good=True)
        except ConfigBroken:
            pass  # the copy is damaged too, so it is as good as none
    if before is not None and (before.broken is None or before.from_last_good):
        return _loaded(before.config, data, broken, from_last_good=True)
    return _loaded(DEFAULTS._replace(settings=gated(DEFAULTS.settings)), data, broken)


def _loaded(
    config: Config, data: bytes | None, broken: ConfigBroken | None = None, *, from_last_good: bool = False
) -> LoadedSettings:
    return LoadedSettings(
        config.settings,
        config.problems,
        broken,
        from_last_good,
        config.present,
        config.recall_key,
        data,
        config,
    )
