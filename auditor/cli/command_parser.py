"""The parser of the command line: what it prints, and how it ends when that can't be printed."""

from __future__ import annotations

import argparse
import sys
from typing import Any, NoReturn

from auditor.cli import terminal
from auditor.errors import OutputFailed
from auditor.version import __version__


class CommandParser(argparse.ArgumentParser):
    """A parser whose complaints are safe to print, whatever was typed or pasted.

    Its answers are results: one that can't be written to standard output is a failure.
    """

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, on standard error alone, and end with the exit code 2."""
        terminal.print_message(
            f"{self.format_usage().rstrip()}\n{self.prog}: error: "
            f"{terminal.escape_controls(message)}"
        )
        sys.exit(2)

    def print_help(self, file: Any = None) -> None:
        """Print the help as the result that it is."""
        del file
        self.print_answer(self.format_help().rstrip())

    def print_answer(self, text: str) -> None:
        """Print to standard output; ends with the exit code 2 if that can't be done."""
        try:
            terminal.print_result(text)
        except OutputFailed as error:
            terminal.print_message(f"auditor: {error}")
            sys.exit(error.exit_code)


class VersionAction(argparse.Action):
    """Prints the version and ends."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any, **__: Any) -> NoReturn:
        """Print it; ends with the exit code 2 if that can't be done."""
        assert isinstance(parser, CommandParser)
        parser.print_answer(f"auditor {__version__}")
        sys.exit(0)


def parse_whole(text: str) -> int:
    """A whole number from 0."""
    number = int(text) if text.isascii() and text.isdecimal() and len(text) <= 38 else -1
    if number < 0:
        raise argparse.ArgumentTypeError("takes a whole number from 0 of at most 38 digits")
    return number


def parse_positive(text: str) -> int:
    """A whole number from 1 to a billion."""
    number = int(text) if text.isascii() and text.isdecimal() and len(text) <= 10 else 0
    if not 1 <= number <= 10**9:
        raise argparse.ArgumentTypeError("takes a whole number from 1 to 1,000,000,000")
    return number
