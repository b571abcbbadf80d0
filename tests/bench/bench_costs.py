"""What everything costs by size: ``python -m tests.bench.bench_costs [--write] [SIZE …]``.

Every method, attack and measure is run in a process of its own, on synthetic logs of growing size:
attacks and measures from the command line, methods alone, with what writes their releases. Printed
are processor seconds and the peak memory of the whole process; on the page the seconds are those
beyond starting (of the same on a hundred users, size "start") and reading the log. Sizes: 10k,
100k and 1m users, and 36m rows. Cells are kept in ``--folder``, so that a run which was stopped
goes on where it was. ``--write`` puts all that were measured into ``resources/costs.json`` and the
page of costs.

An attack or measure is run on a release of a method to which it applies (`RELEASES`). What takes
longer than ``--limit`` processor seconds (600) or more than 16 GiB is stopped and shown as such. A
larger limit takes such cells up again, ``--only NAME`` those of one name alone.
"""

import argparse
import functools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import psutil

from auditor.attacks.registry import ATTACKS
from auditor.measures.registry import MEASURES
from auditor.methods.registry import METHODS

START = "start"
FIXED = frozenset({"dp-audit"})
"""What takes the same on every log: none of that is starting the program."""
SIZES = {
    START: (100, 3),
    "10k": (10_000, 30),
    "100k": (100_000, 30),
    "1m": (1_000_000, 7),
    "36m": (657_426, 53),
}
"""Users and days. The first is what starting the program and loading its parts takes."""
READING = "reading", "inspect"
RELEASES = {
    "hash-inversion": "token-hashing",
    "entity-exposure": "token-hashing",
    "structural": "bundling",
    "unbundling": "bundling",
    "vanity": "bundling",
    "geo-vanity": "bundling",
    "bundles": "bundling",
    "surviving-content": "frequency-threshold",
    "record-linkage": "k-delta",
    "near-linkage": "frequency-threshold",
    "semantic-linkage": "frequency-threshold",
    "differencing": "frequency-threshold",
    "unicity": "frequency-threshold",
    "composition-exposure": "entity-allowlist",
    "masked-completion": "entity-allowlist",
    "mini-session-linkage": "day-pseudonyms",
    "attribute-inference": "microaggregation",
    "planted-strings": "frequency-threshold",
    "planted-stems": "k-theta-affinity",
    "n-gram-coverage": "n-grams",
    "profile-exposure": "k-delta",
    "information-loss": "k-delta",
    "similarity": "k-delta",
    "user-clustering": "k-delta",
    "trends": "k-delta",
}
"""What each is run on; all else on a release of SafeLog."""
MOST_MEMORY = 16 * 2**30
NEEDS_REFERENCE = {"hash-inversion", "unbundling"}
OTHERS = {"differencing": "k-delta"}
NEEDS_TRUTH = {"masked-completion", "mini-session-linkage"}
PARAMS = {"entity-allowlist": {"forbidden": "mask"}}
"""Of methods whose releases would else leave an attack nothing to do."""
NEEDS_PROFILES = {"vanity", "geo-vanity"}
ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Cell:
    """One command on one log: processor seconds, the clock's, peak bytes, and how it ended."""

    kind: str
    name: str
    size: str
    cpu: float
    wall: float
    peak: int
    ended: str


def run(
    command: list[str], limit: float, memory: int = MOST_MEMORY
) -> tuple[float, float, int, str]:
    """Run a command; stop it beyond `limit` processor seconds or `memory` bytes."""
    began = time.perf_counter()
    with Path(os.devnull).open("wb") as nowhere, tempfile.TemporaryFile() as output:
        process = subprocess.Popen([sys.executable, "-m", *command], stdout=nowhere, stderr=output)
        watched = psutil.Process(process.pid)
        ended, status, usage = "", 0, None
        while usage is None:
            time.sleep(0.1)
            pid, status, used = os.wait4(process.pid, os.WNOHANG)
            if pid:
                usage = used
                break
            times, resident = watched.cpu_times(), watched.memory_info().rss
            if times.user + times.system > limit or resident > memory:
                ended = "memory" if resident > memory else "time"
                process.kill()
        process.returncode = os.waitstatus_to_exitcode(status)
        if not ended and process.returncode != 0:
            output.seek(0)
            ended = output.read().decode(errors="replace").strip().splitlines()[-1][:200]
    spent = usage.ru_utime + usage.ru_stime
    return spent, time.perf_counter() - began, usage.ru_maxrss * 1024, ended


def commands(folder: Path, releases: Path) -> list[tuple[str, str, list[str]]]:
    """(kind, name, command) of every cell, methods first since the others need their releases."""
    log = str(folder / "log.tsv")
    cells = [("reading", "inspect", ["auditor", "inspect", log])]
    for name in METHODS:
        alone = ["tests.bench.bench_costs", "--alone", name, log, str(releases / name)]
        cells.append(("method", name, alone))
    for name in ATTACKS:
        more = ["--reference", str(folder / "reference.tsv")] if name in NEEDS_REFERENCE else []
        more += ["--profiles", str(folder / "profiles.csv")] if name in NEEDS_PROFILES else []
        more += ["--other", str(releases / OTHERS[name])] if name in OTHERS else []
        base = RELEASES.get(name, "safelog")
        more += ["--truth", str(releases / f"{base}.truth")] if name in NEEDS_TRUTH else []
        release = str(releases / base)
        cells.append(("attack", name, ["auditor", "attack", name, log, release, *more, "--json"]))
    for name in MEASURES:
        release = str(releases / RELEASES.get(name, "safelog"))
        cells.append(("measure", name, ["auditor", "measure", name, log, release, "--json"]))
    return cells


def alone(name: str, log: Path, out: Path) -> None:
    """Make a release with a method's defaults but for `PARAMS`, and measure nothing of it."""
    from auditor.attacks.base import Evidence
    from auditor.engine.plan import Intent, resolve_intent
    from auditor.engine.runner import RunHandle, execute_plan
    from auditor.log.reading.reader import read_log
    from auditor.privacy.noise import SecureRandomness
    from auditor.progress import silent_progress
    from auditor.release.export import write_release

    read = read_log(log)
    values = ((name, METHODS[name].params(**PARAMS.get(name, {}))),)
    plan = resolve_intent(Intent(method=name, values=values, attacks=(), measures=()), read)
    result = execute_plan(
        plan, Evidence(log=read), SecureRandomness(), RunHandle(1), lambda _event: None
    )
    write_release(result, read, out, progress=silent_progress())
    if result.release.truth is not None and name in RELEASES.values():
        truth = out.with_suffix(".truth")
        truth.unlink(missing_ok=True)
        result.release.truth.save(truth)


def measured(size: str, folder: Path, limit: float, only: str | None) -> None:
    """All cells of one size; those that were measured before are kept in the folder."""
    users, days = SIZES[size]
    logs, file = folder / size, folder / f"{size}.json"
    if not (logs / "truth.json").exists():
        words = ["synth", str(logs), "--users", str(users), "--days", str(days), "--seed", "1"]
        subprocess.run(
            [sys.executable, "-m", "auditor", *words], check=True, stdout=subprocess.DEVNULL
        )
    have = cells_of(folder, size)
    for kind, name, command in commands(logs, folder / f"{size}-releases"):
        cell = have.get((kind, name))
        if only not in (None, name) or (cell and not worth_another(cell, limit)):
            continue
        if kind == "method":
            for part in (name, f"{name}.internal"):  # the release, and its evidence beside it
                shutil.rmtree(folder / f"{size}-releases" / part, ignore_errors=True)
        cell = Cell(kind, name, size, *run(command, limit))
        print(
            f"{size:>5} {kind:8} {name:20} {cell.cpu:8.1f} CPU-s {cell.wall:8.1f} s "
            f"{cell.peak / 2**30:6.2f} GiB  {cell.ended}",
            flush=True,
        )
        have[kind, name] = cell
        file.write_text(json.dumps([asdict(cell) for cell in have.values()]))


def worth_another(cell: Cell, limit: float) -> bool:
    """Whether a cell that wasn't measured to its end may be with this limit."""
    if cell.ended == "time":
        return limit > cell.cpu + 1
    return cell.ended not in ("", "memory")


def cells_of(folder: Path, size: str) -> dict[tuple[str, str], Cell]:
    """What the folder keeps of a size, by kind and name."""
    file = folder / f"{size}.json"
    cells = [Cell(**cell) for cell in json.loads(file.read_text())] if file.exists() else []
    return {(cell.kind, cell.name): cell for cell in cells}


def spent(folder: Path, size: str) -> dict[tuple[str, str], float]:
    """Processor seconds of each cell beyond starting the program and reading the log."""
    starts = cells_of(folder, START)
    times = {}
    for which, cell in cells_of(folder, size).items():
        start = starts.get(READING if which[1] in FIXED else which)
        times[which] = cell.cpu - (start.cpu if start and not start.ended else 0.0)
    reading = times.get(READING, 0.0)
    return {
        which: max(seconds - (reading if which != READING else 0.0), 0.01)
        for which, seconds in times.items()
    }


def write(folder: Path) -> None:
    """Put what was measured into the resources: data for estimates, and a page."""
    sizes = [size for size in SIZES if size != START and cells_of(folder, size)]
    cells = {size: cells_of(folder, size) for size in (START, *sizes)}
    seconds = {size: spent(folder, size) for size in cells}
    points: dict[str, list[dict[str, Any]]] = {}
    for size, cells_of_size in cells.items():
        for part, cell in cells_of_size.items():
            if size == START and part[1] not in FIXED:
                continue
            if cell.ended not in ("", "time"):
                continue
            point = {
                "rows": rows_of(folder / size),
                "seconds": round(seconds[size][part], 2),
                "bytes": cell.peak,
            }
            more = {"over": True} if cell.ended else {}
            points.setdefault("/".join(part), []).append(point | more)
    (ROOT / "resources" / "costs.json").write_text(json.dumps(points, indent=1) + "\n")
    heads = [f"{SIZES[size][0]:,} users, {rows_of(folder / size):,} rows" for size in sizes]
    lines = ["| | " + " | ".join(heads) + " |", "|---" * (len(sizes) + 1) + "|"]
    for *which, _ in commands(folder, folder):
        key = which[0], which[1]
        texts = [format_cell(cells[size].get(key), seconds[size].get(key, 0.0)) for size in sizes]
        lines.append(f"| {which[1] if key != READING else 'reading alone'} | {' | '.join(texts)} |")
    page = ROOT / "resources" / "docs" / "measurements.md"
    text = page.read_text()
    head, _, rest = text.partition("<!-- table -->\n")
    tail = rest.partition("<!-- end of table -->\n")[2]
    table = "\n".join(lines)
    page.write_text(f"{head}<!-- table -->\n{table}\n<!-- end of table -->\n{tail}")


@functools.cache
def rows_of(logs: Path) -> int:
    """Rows of a synthetic log, whose file has a line each and one of names."""
    with (logs / "log.tsv").open("rb") as lines:
        return sum(block.count(b"\n") for block in iter(lambda: lines.read(1 << 24), b"")) - 1


def format_cell(cell: Cell | None, seconds: float) -> str:
    """A cell of the page."""
    if cell is None:
        return ""
    if cell.ended in ("time", "memory"):
        return f"over {seconds:,.0f} s" if cell.ended == "time" else "over 16 GiB"
    if cell.ended:
        return "–"
    return f"{seconds:,.1f}; {cell.peak / 2**30:.1f}"


def main() -> None:
    """Measure the sizes that are asked for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("sizes", nargs="*", metavar="SIZE", help=", ".join(SIZES))
    parser.add_argument("--alone", nargs=3, metavar=("METHOD", "LOG", "OUT"), help="one method")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--limit", type=float, default=600.0)
    parser.add_argument("--only", metavar="NAME")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    if options.alone:
        alone(options.alone[0], *map(Path, options.alone[1:]))
        return
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.folder or Path(scratch)
        for size in dict.fromkeys([START, *options.sizes]):
            measured(size, folder, options.limit, options.only if size != START else None)
        if options.write:
            write(folder)


if __name__ == "__main__":
    main()
