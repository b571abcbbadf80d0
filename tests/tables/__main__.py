"""Run a table: ``python -m tests.tables hostile``; ``--write`` brings the page up to date.

``mutation``, ``belief`` and ``formats`` are only run, or written, when they are named.
"""

from __future__ import annotations

import argparse
import sys

from tests.tables import belief, formats, mutation, table


def main() -> int:
    """Run what is asked for; exits with 1 if any case ended wrongly."""
    parser = argparse.ArgumentParser(prog="python -m tests.tables", description=__doc__)
    parser.add_argument(
        "names",
        nargs="*",
        choices=[[], *table.TITLES, mutation.NAME, belief.NAME, formats.NAME],
        metavar="TABLE",
    )
    parser.add_argument("--write", action="store_true", help="write the counts into the page")
    asked = parser.parse_args()
    if mutation.NAME in asked.names:
        return _mutate(write=asked.write)
    if belief.NAME in asked.names:
        print(belief.section())
        if asked.write:
            text = belief.PAGE.read_text(encoding="utf-8")
            belief.PAGE.write_text(belief.page_with(text), encoding="utf-8")
        return 0
    if formats.NAME in asked.names:
        return _open_formats(write=asked.write)
    if asked.write:
        text = table.PAGE.read_text(encoding="utf-8")
        table.PAGE.write_text(table.page_with(text), encoding="utf-8")
        return 0
    total = 0
    for name in asked.names or table.TITLES:
        wrong = table.failures(table.cases_of(name))
        for case, why in wrong.items():
            print(f"WRONG  {case.kind}: {case.name}: {why}")
        print("\n".join(table.lines(name, wrong)), end="\n\n")
        total += len(wrong)
    return 1 if total else 0


def _mutate(*, write: bool) -> int:
    """The mutation table; exits with 1 if a whole method is refuted."""
    audited = []
    for row in mutation.audits():
        audited.append(row)
        print(f"{'WRONG  ' if row.wrong else ''}{row.line()}", flush=True)
    if write:
        text = mutation.PAGE.read_text(encoding="utf-8")
        mutation.PAGE.write_text(mutation.page_with(text, audited), encoding="utf-8")
    return 1 if any(row.wrong for row in audited) else 0


def _open_formats(*, write: bool) -> int:
    """The table of formats; exits with 1 if one isn't opened as it should be."""
    opened = list(formats.open_cases())
    print(formats.format_table(opened))
    if write:
        text = formats.PAGE.read_text(encoding="utf-8")
        formats.PAGE.write_text(formats.page_with(text, opened), encoding="utf-8")
    return 0 if all(one.right for one in opened) else 1


if __name__ == "__main__":
    sys.exit(main())
