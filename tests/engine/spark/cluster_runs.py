"""Releases on a cluster: how a run is started, waited for, and what its release must be."""

import contextlib
import subprocess
from pathlib import Path
from typing import Any

import psutil
import pyarrow.parquet as pq

from auditor.api.run import anonymize
from auditor.log.escaping import escape_text
from auditor.log.model import QueryLog
from auditor.release.manifest import verify_folder
from tests.engine.spark.spark_logs import HARDLY_ANY_NOISE, same_tables
from tests.engine.spark.standalone import Cluster, until

NOISY = {"K": 3, "K_c": 1, "K_t": 3, "q_f": 6, "c_f": 4, "b": 2, "b_c": 2, "b_t": 2}
EXACT = NOISY | {"b": HARDLY_ANY_NOISE, "b_c": HARDLY_ANY_NOISE, "b_t": HARDLY_ANY_NOISE}
PATIENCE = 900


def ended(run: subprocess.Popen[str], code: int) -> str:
    """What a run said that had to end with this code."""
    out, err = run.communicate(timeout=PATIENCE)
    assert run.returncode == code, err
    assert "Traceback" not in err, err
    return out + err


def same(folder: Path, log: QueryLog, **params: Any) -> None:
    """All files of tables are those of the local engine."""
    assert verify_folder(folder) == []
    same_tables(folder, anonymize(log, "safelog", **params))


def drawing(folder: Path, table: str, run: subprocess.Popen[str]) -> Path:
    """Wait until a table was drawn; where it was written."""

    def there() -> list[Path]:
        assert run.poll() is None, run.communicate()
        return list(folder.glob(f".auditor-export-*/new/.work/{table}/_SUCCESS"))

    until(there, PATIENCE, f"{table} drawn")
    return there()[0].parent


def working(cluster: Cluster) -> list[psutil.Process]:
    """Executors that have begun to work in Python."""
    processes = []
    for process in cluster.executors():
        with contextlib.suppress(psutil.Error):  # it has just ended
            if any("pyspark.daemon" in child.cmdline() for child in process.children()):
                processes.append(process)
    return processes


def drawn_in(place: Path) -> dict[str, int]:
    """The queries that were drawn, with their noisy counts, as executors wrote them, escaped."""
    rows = pq.read_table(place, columns=["kind", "a", "n"]).to_pylist()
    return {escape_text(row["a"]): row["n"] for row in rows if row["kind"] == 0}


def of_one_draw(folder: Path, drawn: dict[str, int]) -> None:
    """The release has exactly these queries, and clicks and transitions between them."""
    assert verify_folder(folder) == []
    released = {row["a"]: row["n"] for row in lines_of(folder / "queries.tsv", "query")}
    assert released == drawn, "drawn twice"
    clicks = lines_of(folder / "clicks.tsv", "query", "url")
    steps = lines_of(folder / "transitions.tsv", "from", "to")
    assert len(clicks) > 9
    assert len(steps) > 9
    assert {row["a"] for row in clicks + steps} | {row["b"] for row in steps} <= released.keys()


def lines_of(file: Path, *keys: str) -> list[dict[str, Any]]:
    """The lines of a released table: a, b and n."""
    lines = [line.split("\t") for line in file.read_text(encoding="utf-8").splitlines()]
    assert lines[0] == [*keys, "count"]
    return [
        {"a": texts[0], "b": texts[-1] if len(keys) > 1 else None, "n": int(n)}
        for *texts, n in lines[1:]
    ]
