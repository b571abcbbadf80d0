"""A table: what is tried of each kind, how much of it ended wrongly; and the page for it."""

import importlib
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.tables.cases import Case, run

TITLES = {
    "hostile": ("Hostile input", "a call ends with a result or with one line of error"),
    "tampering": (
        "Tampering",
        "`verify` or `ledger --verify` finds it, and finds nothing in what is untouched",
    ),
    "usage": (
        "Errors of usage",
        "a call ends with one line of error, and leaves every file as it was",
    ),
    "interference": (
        "Interference",
        "the old or the new one stands there, whole; no update is lost, no sum is false",
    ),
}
INTRODUCTION = """\
Each case is one call of the command line, in its own folder. `python -m tests.tables usage`
(`hostile`, `tampering`, `interference`) in the source's folder makes all calls of a table and says
which ended otherwise; the suite accepts none.
"""
DOCS = Path(__file__).parents[2] / "resources" / "docs"
PAGE, HEADING = "security.md", "## What was tried\n"


def cases_of(name: str) -> list[Case]:
    cases: Iterator[Case] = importlib.import_module(f"tests.tables.{name}").cases()
    return list(cases)


def failures(cases: list[Case]) -> dict[Case, str]:
    """Run cases, each in a folder of its own; says of those that ended wrongly what was wrong."""
    reasons = {}
    for case in cases:
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place) / "case"
            folder.mkdir()
            if why := run(case, folder):
                reasons[case] = why
    return reasons


def lines(name: str, wrong: dict[Case, str] | None = None) -> list[str]:
    """The table as text: kinds, cases and, where they were run, how many ended wrongly."""
    title, summary = TITLES[name]
    tried = Counter(case.kind for case in cases_of(name))
    failed = Counter(case.kind for case in wrong or ())
    ran = wrong is not None
    output = [
        f"**{title}**: {summary}.",
        "",
        f"| what is tried | cases |{' failed |' if ran else ''}",
        f"|---|---|{'---|' if ran else ''}",
    ]
    for kind, count in [*tried.items(), ("all", tried.total())]:
        bad = f" {failed.total() if kind == 'all' else failed[kind]} |" if ran else ""
        output.append(f"| {kind} | {count:,} |{bad}")
    return output


def section() -> str:
    parts = ["\n".join(lines(name)) for name in TITLES]
    return "\n".join([HEADING, INTRODUCTION, "\n\n".join(parts), ""])


def write_page(name: str, heading: str, section: str) -> None:
    """Put a section into a page of the guide."""
    text = (DOCS / name).read_text(encoding="utf-8")
    (DOCS / name).write_text(page_with(text, heading, section), encoding="utf-8")


def is_current(name: str, heading: str, section: str) -> bool:
    """Whether a page of the guide has a section as it should be."""
    text = (DOCS / name).read_text(encoding="utf-8")
    return page_with(text, heading, section) == text


def page_with(text: str, heading: str, section: str) -> str:
    """The page with the section of a heading, or of a comment, as it should be."""
    following = "\n## " if heading.startswith("## ") else "<!-- end of "
    before, _, rest = text.partition(heading)
    return before + section + "".join(rest.partition(following)[1:])
