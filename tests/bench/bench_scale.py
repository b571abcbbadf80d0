"""Everything on a log of AOL's size: ``python -m tests.bench.bench_scale --folder F [NAME …]``.

Makes an AOL-shaped log (`aol_shape`) in the folder, and a tenth as large one from another seed as
the attacker's reference. Then every method, attack and measure is run by itself, one after the
other, each in a process of its own that reads the log from the file: methods with what writes
their releases, attacks and measures on a release of a method to which they apply
(`bench_costs.RELEASES`), and the marks for sensitive content. Printed are seconds of processor and
clock and the peak memory of the process, reading included, with defaults. NAMEs take only those,
in the order of the table.

What takes more than ``--limit`` processor seconds or ``--memory`` GiB is stopped and said to be;
what refuses shows how it does. Results stay in the folder, so that a stopped run goes on where it
was; names that are given are measured anew. ``--write`` puts the table into the page of large logs,
``--rows`` makes the log smaller. Attacks that need profiles are left out: made-up users have none.
"""

from __future__ import annotations

import argparse
import json
import shutil
from dataclasses import asdict
from pathlib import Path

from tests.bench import aol_shape
from tests.bench.bench_costs import NEEDS_PROFILES, ROOT, Cell, commands, run

REFERENCE_SHARE, REFERENCE_SEED = 10, 8
DETECT = "marks", "sensitive content"
LATE = "microaggregation", "unbundling"
"""Measured last, since they take longest."""
PAGE = ROOT / "resources" / "docs" / "large-logs.md"
BEGIN, END = "<!-- table of all -->\n", "<!-- end of table of all -->\n"


def list_parts(folder: Path) -> list[tuple[str, str, list[str]]]:
    """(kind, name, command) of every part, releases before what is run on them."""
    found = [one for one in commands(folder, folder / "releases") if one[1] not in NEEDS_PROFILES]
    found.append((*DETECT, ["auditor", "detect", str(folder / "log.tsv"), "--json"]))
    return sorted(found, key=lambda part: part[1] in LATE)


def make_logs(folder: Path, rows: int) -> None:
    """The log and the reference, unless the folder has them."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, size, seed in (
        ("log.tsv", rows, 7),
        ("reference.tsv", rows // REFERENCE_SHARE, REFERENCE_SEED),
    ):
        if not (folder / name).exists():
            unfinished = folder / f"{name}.part"
            print(f"{name}: {size:,} rows, {aol_shape.write(unfinished, size, seed):,} bytes")
            unfinished.rename(folder / name)


def measure(folder: Path, names: list[str], limit: float, memory: int) -> None:
    """Run the parts that are named, or all that the folder has no result of."""
    have = load_cells(folder)
    for kind, name, command in list_parts(folder):
        if name not in names if names else (kind, name) in have:
            continue
        if kind == "method":
            for part in (name, f"{name}.internal"):  # the release, and its evidence beside it
                shutil.rmtree(folder / "releases" / part, ignore_errors=True)
        cell = Cell(kind, name, "aol", *run(command, limit, memory))
        print(
            f"{kind:8} {name:20} {cell.cpu:8.1f} CPU-s {cell.wall:8.1f} s "
            f"{cell.peak / 2**30:6.2f} GiB  {cell.ended}",
            flush=True,
        )
        have = load_cells(folder) | {(kind, name): cell}
        (folder / "cells.json").write_text(json.dumps([asdict(one) for one in have.values()]))


def load_cells(folder: Path) -> dict[tuple[str, str], Cell]:
    """What the folder keeps, by kind and name."""
    kept = folder / "cells.json"
    cells = [Cell(**cell) for cell in json.loads(kept.read_text())] if kept.exists() else []
    return {(cell.kind, cell.name): cell for cell in cells}


def describe_end(cell: Cell, memory: int) -> str:
    """How a part ended, in the words of the page."""
    if cell.ended == "time":
        return "stopped there"
    if cell.ended == "memory":
        return f"stopped at {memory / 2**30:.0f} GiB"
    return f"refuses: {cell.ended}" if cell.ended else ""


def write_page(folder: Path, memory: int) -> None:
    """Put the table into the page of large logs."""
    have = load_cells(folder)
    lines = ["| | | processor | clock | peak memory | |", "|---|---|---|---|---|---|"]
    for kind, name, _ in list_parts(folder):
        cell = have.get((kind, name))
        if cell is not None:
            lines.append(
                f"| {kind} | `{name}` | {cell.cpu:,.0f} s | {cell.wall:,.0f} s "
                f"| {cell.peak / 2**30:.1f} GiB | {describe_end(cell, memory)} |"
            )
    head, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    tail = rest.partition(END)[2]
    table = "\n".join(lines)
    PAGE.write_text(f"{head}{BEGIN}{table}\n{END}{tail}", encoding="utf-8")


def main() -> None:
    """Measure, and write the page if asked."""
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--rows", type=int, default=aol_shape.ROWS)
    parser.add_argument("--limit", type=float, default=1800.0, help="processor seconds of a part")
    parser.add_argument("--memory", type=float, default=13.0, help="GiB of a part")
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    make_logs(asked.folder, asked.rows)
    memory = round(asked.memory * 2**30)
    measure(asked.folder, asked.names, asked.limit, memory)
    if asked.write:
        write_page(asked.folder, memory)


if __name__ == "__main__":
    main()
