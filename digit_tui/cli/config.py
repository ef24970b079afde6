"""`digit config`: look at the settings, change one."""

from __future__ import annotations

from argparse import Namespace

from digit_core.formats.config_edit import setting_keys
from digit_core.library import Library
from digit_core.text.visible import one_line
from digit_tui.cli import exits
from digit_tui.cli.output import Output, table


def run(arguments: Namespace, library: Library, output: Output) -> int:
    """Do what `digit config VERB` asks for; the answer is the exit code."""
    if arguments.verb == "set":
        return _set(arguments, library, output)
    if arguments.verb == "get":
        return _get(arguments, library, output)
    return _list(library, output)


def _set(arguments: Namespace, library: Library, output: Output) -> int:
    library.change_setting(arguments.key, arguments.value)
    value = library.setting(arguments.key).value
    if output.json:
        output.data({"key": arguments.key, "value": value, "path": str(library.home.config_path)})
    else:
        output.line(f"{arguments.key} = {_words(value)}")
        output.say("The agent reads its settings when it starts.")
    return exits.DONE


def _get(arguments: Namespace, library: Library, output: Output) -> int:
    setting = library.setting(arguments.key)
    if output.json:
        output.data({"key": arguments.key, **setting._asdict()})
    else:
        output.line(_words(setting.value))
    return exits.DONE


def _list(library: Library, output: Output) -> int:
    found = [(spec, library.setting(spec.key)) for spec in setting_keys()]
    if output.json:
        output.data([{"key": spec.key, "doc": spec.doc, **setting._asdict()} for spec, setting in found])
        return exits.DONE
    rows = [(spec.key, _words(setting.value), setting.origin) for spec, setting in found]
    output.lines(table(rows))
    return exits.DONE


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
