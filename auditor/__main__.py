"""Composition root: `auditor` opens the window, `auditor VERB` runs a command.

Nothing heavy is imported before it is known what is wanted: `auditor --help` answers at once.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program; returns its exit code."""
    from auditor.cli import terminal

    try:
        return _run_program(list(sys.argv[1:] if argv is None else argv))
    except KeyboardInterrupt:  # while modules load: a verb that runs is cancelled in its own way
        terminal.print_message("auditor: cancelled")
        return 130


def _run_program(arguments: list[str]) -> int:
    from auditor.cli import terminal

    if reason := terminal.too_little_memory():  # before anything is loaded that needs it
        terminal.print_message(f"auditor: {reason}")
        return 2
    from auditor.cli import parser

    parsed = parser.parse_arguments(arguments)
    if parsed.verb == "gui":
        if reason := terminal.missing_display():
            terminal.print_message(f"auditor: {reason}")
            return 2
        from auditor.gui.app.application import run as open_window

        return open_window([Path(path) for path in parsed.log], sample=parsed.sample)
    return parser.run_verb(parsed)


if __name__ == "__main__":
    sys.exit(main())
