"""Print the manual page, made from the program's own parser: ``python packaging/man_page.py``.

Options: a date as YYYY-MM-DD, which the page carries.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NAME = "auditor"

END = """.SH EXIT STATUS
.TP
.B 0
fine
.TP
.B 1
a gate or a verification failed
.TP
.B 2
bad input or usage
.TP
.B 130
cancelled
.SH FILES
.TP
.I ~/.cache/query\\-log\\-privacy\\-auditor/
Compiled kernels, copied from the installation; may be deleted.
.SH NOTES
A release draws its noise from a secure sampler, and its randomness is stored nowhere. Query text
reaches no log line, error message or title. The window's help shows the whole manual offline.
"""


def page(parser: argparse.ArgumentParser, version: str, date: str) -> str:
    """The page in the language of man(7)."""
    verbs = _verbs(parser)
    lines = [
        f'.TH {NAME.upper()} 1 "{date}" "{NAME} {version}" "User Commands"',
        ".SH NAME",
        f"{NAME} \\- {_text(_lower(parser.description or '')).rstrip('.')}",
        ".SH SYNOPSIS",
        f".B {NAME}",
        ".RI [ VERB ]",
        ".RI [ OPTION ]...",
        ".SH DESCRIPTION",
        _text(parser.description or ""),
        _text(parser.epilog or ""),
        ".SH VERBS",
    ]
    for name, help_text in verbs.items():
        lines += [".TP", f".B {_text(name)}", _text(help_text)]
    lines.append(".SH OPTIONS")
    lines += _options(parser)
    for name, verb in _subparsers(parser).choices.items():
        usage = re.sub(r"\s+", " ", verb.format_usage()).removeprefix("usage: ")
        lines += [f'.SH "{NAME.upper()} {name.upper()}"', f".B {_text(usage.strip())}", ".PP"]
        lines.append(_text(_sentence(verbs.get(name, ""))))
        lines += _options(verb)
    return "\n".join(line for line in lines if line) + "\n" + END


def _subparsers(
    parser: argparse.ArgumentParser,
) -> argparse._SubParsersAction[argparse.ArgumentParser]:
    matches = (item for item in parser._actions if isinstance(item, argparse._SubParsersAction))
    return next(matches)


def _verbs(parser: argparse.ArgumentParser) -> dict[str, str]:
    return {item.dest: item.help or "" for item in _subparsers(parser)._choices_actions}


def _options(parser: argparse.ArgumentParser) -> Iterator[str]:
    for group in parser._action_groups:
        actions = [item for item in group._group_actions if item.help is not argparse.SUPPRESS]
        actions = [item for item in actions if not isinstance(item, argparse._SubParsersAction)]
        if actions and group.title not in ("positional arguments", "options"):
            yield f".SS {_text(_sentence(group.title or ''))}"
        for action in actions:
            yield ".TP"
            yield f".B {_text(_called(parser, action))}"
            yield _text(_help(parser, action))


def _called(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    formatter = parser._get_formatter()
    return formatter._format_action_invocation(action)


def _help(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    return parser._get_formatter()._expand_help(action) if action.help else "\\&"


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def _text(text: str) -> str:
    if text == "\\&":
        return text
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("\n", " ")
    return "\\&" + escaped if escaped.startswith((".", "'")) else escaped


def main() -> None:
    """Print the page."""
    sys.path.insert(0, str(ROOT))
    from auditor.cli import parser as cli_parser
    from auditor.version import __version__

    date = sys.argv[1] if len(sys.argv) > 1 else ""
    sys.stdout.write(page(cli_parser.make_parser(), __version__, date))


if __name__ == "__main__":
    main()
