"""The command line: reads arguments, calls a verb of `auditor.cli.verbs`, turns errors to codes.

Exit code 0 fine · 1 a gate or verification failed · 2 bad input or usage · 130 cancelled.
Results go to standard output, everything else to standard error; with ``--json`` standard
output holds JSON alone.
"""

import argparse
import os
import re
import signal
import sys
import threading
import tomllib
from collections.abc import Callable, Mapping, Sequence
from types import FrameType, MappingProxyType
from typing import Any, NoReturn

from auditor.cli import terminal
from auditor.engine.presets import preset_files, read_preset
from auditor.errors import AuditorError, OutputFailed
from auditor.log.reading.column_mapping import FORMATS
from auditor.resource_files import resource_text
from auditor.version import __version__


class CommandParser(argparse.ArgumentParser):
    """A parser whose complaints are safe to print, whatever was typed or pasted.

    Its answers are results: one that can't be written to standard output is a failure.
    """

    commands: Mapping[str, argparse.ArgumentParser] = MappingProxyType({})
    """The parser of each verb."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, on standard error alone, and end with the exit code 2."""
        if wrong := re.fullmatch(
            r"argument VERB: invalid choice: '(.*)' \(choose from .*", message
        ):
            from auditor.fuzzy_search import did_you_mean

            hint = did_you_mean(wrong[1][:80], list(self.commands))
            message = f"there is no verb '{wrong[1][:80]}'.{hint} `auditor --help` lists them"
        terminal.print_message(
            f"{self.format_usage().rstrip()}\n{self.prog}: error: "
            f"{terminal.escape_controls(message)}"
        )
        sys.exit(2)

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print the help or the version; ends with the exit code 2 if that can't be done."""
        del file
        try:
            terminal.print_result(message.rstrip())
        except OutputFailed as error:
            terminal.print_message(f"auditor: {error}")
            sys.exit(error.exit_code)


def _make_number_parser(low: int, high: int, bounds: str) -> Callable[[str], int]:
    """What reads a whole number in [low, high]."""

    def parse(text: str) -> int:
        digits = text.isascii() and text.isdecimal() and len(text) <= len(str(high))
        if not digits or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(f"takes a whole number from {bounds}")
        return int(text)

    return parse


_PLACES = (
    *("log", "release", "truth", "write_truth", "reference", "profiles", "policy", "clicks"),
    *("query_file", "key", "plan", "only_users", "suggestion", "audit_key", "public_key", "ledger"),
    *("attest", "feedback", "other"),
    *("spill", "out", "dir", "plots", "csv"),
)
"""Arguments that name a file or a folder; an empty one would mean the current folder."""


def parse_arguments(argv: Sequence[str]) -> argparse.Namespace:
    """The arguments as a namespace whose `verb` says what to do; "gui" when nothing is said."""
    terminal.prepare_streams()
    parser = make_parser()
    words = _expand_plan(parser, list(argv or ["gui"]))
    if any("\0" in word for word in words):
        parser.error("an argument holds a NUL character: no value and no file's name has that")
    arguments = parser.parse_args(words, argparse.Namespace(parser=parser))
    for name in _PLACES:
        value = getattr(arguments, name, None)
        if value == "" or (isinstance(value, list) and "" in value):
            parser.error(f"{name.upper()} is empty: name a file or a folder")
    return arguments


def _expand_plan(parser: CommandParser, words: list[str]) -> list[str]:
    """The words with what a plan's file stands for; ends with the exit code 2 if it can't be."""
    command = parser.commands.get(words[0])
    if command is None or not any(word.partition("=")[0] == "--plan" for word in words):
        return words
    from auditor.cli.plan_file import expand_plan

    try:
        return [words[0], *expand_plan(command, words[1:])]
    except AuditorError as error:
        command.error(str(error))


def run_verb(arguments: argparse.Namespace) -> int:
    """Do what the arguments say; returns the exit code."""
    from auditor.cli import verbs as cli_verbs
    from auditor.cli.arguments import sort_pairs
    from auditor.cli.console import Console

    cancelled = threading.Event()
    _stop_on_signals(cancelled)
    console = Console(
        as_json=getattr(arguments, "json", False),
        cancelled=cancelled,
        detail=getattr(arguments, "detail", "normal"),
        flags=getattr(arguments, "flags", {}),
    )
    sort_pairs(arguments)
    if getattr(arguments, "plan", None):
        from auditor.cli.plan_file import find_preset

        if find_preset(arguments.plan):
            for line in read_preset(arguments.plan).notes:
                console.print_note(line)
    try:
        return cli_verbs.VERBS[arguments.verb](arguments, console)
    except OutputFailed as error:
        console.print_error(f"auditor: {error} What the command writes elsewhere is in place.")
        return error.exit_code
    except AuditorError as error:
        console.print_error("\n".join((f"auditor: {error}", *error.details)))
        return error.exit_code
    except SystemExit:  # no verb ends this way by itself
        console.print_error(
            "auditor: code of another package ended the program before there was a result. "
            "`auditor methods`, `attacks` and `measures` name what packages add: remove that one."
        )
        return 2
    except OSError as error:  # a full disk, or a place where nothing can be made
        if error.errno is None:
            raise
        place = f"{error.filename}: " if error.filename else ""
        console.print_error(
            f"auditor: {place}{error.strerror}. The command ended there: what it was writing is "
            "not whole."
        )
        return 2
    except (MemoryError, RuntimeError) as error:
        # A thread that finds no memory for its stack says so in its own way.
        if isinstance(error, RuntimeError) and "start new thread" not in str(error):
            raise
        console.print_error(
            "auditor: not enough memory. Nothing was left half done. Take more (--memory), or a "
            "sample of the users (anonymize --sample-users 0.2)."
        )
        return 2


def _stop_on_signals(cancelled: threading.Event) -> None:
    """The first interrupt asks politely; a second one ends the process."""

    def stop(number: int, frame: FrameType | None) -> None:
        del frame
        if cancelled.is_set():
            os._exit(128 + number)
        cancelled.set()

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, stop)
        signal.signal(signal.SIGTERM, stop)
        hangup = getattr(signal, "SIGHUP", None)
        if hangup is not None and signal.getsignal(hangup) is not signal.SIG_IGN:
            signal.signal(hangup, stop)


def make_parser() -> CommandParser:
    """The parser of all verbs, from their table in ``resources/command_line.toml``."""
    table = tomllib.loads(resource_text("command_line.toml"))
    parser = CommandParser(
        prog="auditor",
        description="Decide whether a web-search query log may be released.",
        epilog="Without a verb the window opens.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"auditor {__version__}")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    for name, verb in table["verbs"].items():
        texts = {key: verb[key] for key in ("help", "description") if key in verb}
        _add_options(verbs.add_parser(name, allow_abbrev=False, **texts), verb["options"], table)
        command = verbs.choices[name]
        flags = ((a.dest, a.option_strings) for a in command._actions if a.option_strings)
        command.set_defaults(flags={name: max(spelled, key=len) for name, spelled in flags})
    parser.commands = verbs.choices
    # The demonstration reads the bundled log as it is, and has no setting of its own.
    reading = table["sets"]["format"]["options"]
    unset = {table["options"][key]["flags"][-1].lstrip("-").replace("-", "_") for key in reading}
    verbs.choices["demo"].set_defaults(
        **dict.fromkeys(unset), method=None, suggestion=None, dry_run=False, write_truth=None
    )
    return parser


def _add_options(parser: Any, options: Sequence[Any], table: Mapping[str, Any]) -> None:
    """Add options to a parser or to a group of one, as the table's first lines explain."""
    for entry in options:
        if isinstance(entry, str):
            entry = {"set": entry[1:]} if entry.startswith("+") else {"option": entry}
        if "set" in entry:
            shared = table["sets"][entry["set"]]
            title = entry.get("title", shared.get("title"))
            changes = {change["option"]: change for change in entry.get("changes", ())}
            exclusive = shared.get("exclusive", ())
            listed = [changes.get(key, key) for key in shared["options"] if key not in exclusive]
            _add_options(parser.add_argument_group(title) if title else parser, listed, table)
            if exclusive:
                _add_options(parser.add_mutually_exclusive_group(), exclusive, table)
            continue
        option = table["options"][entry["option"]] | entry
        flags = option.pop("flags")
        empty = [name for name in ("help", "metavar") if option.get(name) == ""]
        for name in ("option", *empty):
            option.pop(name)
        for name, choices in (("type", _TYPES), ("action", _ACTIONS)):
            if option.get(name) in choices:
                option[name] = choices[option[name]]
        if option.get("action") == "append" and not option.get("required"):
            option["default"] = []
        if "help" in option:
            hidden = option["help"] == "hidden"
            text = option["help"].replace("{formats}", ", ".join(FORMATS))
            text = text.replace("{plans}", ", ".join(preset_files()))
            option["help"] = argparse.SUPPRESS if hidden else text
        parser.add_argument(*flags, **option)


_TYPES = {
    "float": float,
    "whole": _make_number_parser(0, 10**38 - 1, "0 of at most 38 digits"),
    "positive": _make_number_parser(1, 10**9, "1 to 1,000,000,000"),
}
_ACTIONS = {"yes-or-no": argparse.BooleanOptionalAction}
