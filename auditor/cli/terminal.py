"""The one place that prints: whatever a text holds, a terminal shows it and does nothing else.

File names, ids, members of archives and manifests are somebody else's text. Characters that would
act instead of show (controls, escapes, directions of writing) become visible signs, in JSON
escapes; what the terminal's encoding has no letter for becomes an escape. So printing never fails
for what is printed. A result that nobody can read, on a full disk or a closed stream say, is a
failure and said; a reader that went away with what it wanted (`auditor … | head`) is none.
"""

import contextlib
import json
import os
import re
import sys
from typing import Any, TextIO

from auditor import platform
from auditor.errors import OutputFailed
from auditor.log.escaping import printable_text

_ACTING = re.compile(
    "[\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2064"
    "\u2066-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)


_STANDARD_ERROR = 2
"""The number of that stream, the highest of the three."""

LEAST_ADDRESS_SPACE = 1_200_000_000
"""Bytes of address space that loading the libraries takes, with a thread's stack for each core."""


def missing_display() -> str:
    """Why no window can open here, in words; empty if one can, as far as anybody can tell."""
    qt = os.environ.get("QT_QPA_PLATFORM", "")
    if not platform.NEEDS_DISPLAY or (qt and not qt.startswith(("xcb", "wayland"))):
        return ""
    names = ("DISPLAY", "WAYLAND_DISPLAY")
    displays = [name for name in names if os.environ.get(name)]
    if any(platform.reaches_display(name, os.environ[name]) for name in displays):
        return ""
    cause = " or ".join(f"{name}={os.environ[name]}" for name in displays)
    missing = f"The display ({cause}) can't be reached" if displays else "There is no display"
    return (
        f"{missing}, so no window can open. Start it on a desktop, or use a verb: "
        "'auditor --help' lists them, 'auditor demo' writes a report of the sample log."
    )


def too_little_memory() -> str:
    """Why nothing can run in so little address space, in words; empty if it can."""
    limit = platform.address_space_limit()
    if limit is None or limit >= LEAST_ADDRESS_SPACE:
        return ""
    return (
        f"The address space of this process is limited to {limit / 1e9:.3g} GB, and at least "
        f"{LEAST_ADDRESS_SPACE / 1e9:.2g} GB are needed to load the program. Raise the limit "
        "(ulimit -v), or limit the memory with --memory instead."
    )


def prepare_streams() -> None:
    """Let no stream fail for a character that its encoding lacks, and none become a file's.

    A file opened while standard output or error is closed would take its number, and what a
    library prints would stand in that file.
    """
    with contextlib.suppress(OSError):
        while (spare := os.open(os.devnull, os.O_RDWR)) <= _STANDARD_ERROR:
            os.set_inheritable(spare, True)
        os.close(spare)
    for stream in (sys.stdout, sys.stderr):
        if reconfigure := getattr(stream, "reconfigure", None):
            with contextlib.suppress(ValueError, OSError):
                reconfigure(errors="backslashreplace")


def escape_controls(text: str) -> str:
    """The text with visible signs for characters that act; line ends stay."""
    return "\n".join(_ACTING.sub("\ufffd", printable_text(line)) for line in text.split("\n"))


def as_json(plain: Any) -> str:
    """JSON that any terminal shows and any program reads."""
    unicode = (getattr(sys.stdout, "encoding", None) or "utf-8").lower().startswith("utf")
    text = json.dumps(plain, indent=2, ensure_ascii=not unicode, allow_nan=False)
    return _ACTING.sub(_escape_match, text)


def print_result(text: str) -> None:
    """Print a result to standard output; a reader that went away before its end is no failure.

    Raises `OutputFailed`: standard output is closed or can't be written to: the result is lost.
    """
    if sys.stdout is None or sys.stdout.closed:
        raise OutputFailed("The result can't be written to standard output: it is closed.")
    try:
        _write_text(sys.stdout, text + "\n")
    except BrokenPipeError:
        abandon_output()
    except OSError as error:
        abandon_output()
        reason = error.strerror or type(error).__name__
        raise OutputFailed(f"The result can't be written to standard output: {reason}.") from None


def print_message(text: str, *, stream: TextIO | None = None) -> None:
    """Print what happens, to standard error if to no other stream; left out where it can't be."""
    with contextlib.suppress(OSError, ValueError):
        _write_text(stream or sys.stderr, text + "\n")


def abandon_output() -> None:
    """Discard what is left in standard output and write no more to it."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _write_text(stream: TextIO | None, text: str) -> None:
    if stream is None or stream.closed:  # closed by whoever started the program
        return
    stream.write(text)
    stream.flush()


def _escape_match(match: re.Match[str]) -> str:
    return json.dumps(match[0])[1:-1]
