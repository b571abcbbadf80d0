"""How fast a log is loaded: ``python -m tests.bench.bench_load [rows | FILE] [runs]``.

Loads an AOL-shaped file (see `aol_shape`), each run in a process of its own: the reader, the
reader on the same file in gzip if it is small, and as baselines a bare read of the same columns
as text by DuckDB and by pyarrow, and pyarrow with the three text columns numbered, which is the
least that must be done to have the same. Prints rows, bytes, seconds, peak memory, and the ratio
to the faster bare read.
"""

import gzip
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from tests.bench import aol_shape

GZIP_BELOW = 400 * 2**20

_COMMON = """
import json, resource, sys, time
path = sys.argv[1]
def done(rows, seconds, **more):
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    if sys.platform == "linux":  # where the figure above is the parent's, if that was larger
        with open("/proc/self/status") as status:
            peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) * 1024
    print(json.dumps({"rows": rows, "seconds": seconds, "peak": peak, **more}))
"""
_READER = """
from auditor.log.reading import reader
reader.warm_reader()
began = time.perf_counter()
log = reader.read_log(path)
spent = time.perf_counter() - began
done(len(log), spent, resident=log.nbytes, queries=len(log.queries), urls=len(log.urls),
     users=len(log.users), clicks=log.clicks, rejected=sum(log.origin.rejected.values()))
"""
_DUCKDB = """
import duckdb
began = time.perf_counter()
duckdb.sql(f"create table log as select * from read_csv('{path}', delim='\\t', quote='', "
           "escape='', header=true, types={'AnonID': 'VARCHAR', 'Query': 'VARCHAR', "
           "'QueryTime': 'TIMESTAMP', 'ItemRank': 'SMALLINT', 'ClickURL': 'VARCHAR'})")
spent = time.perf_counter() - began
done(duckdb.sql("select count(*) from log").fetchall()[0][0], spent)
"""
_ARROW = """
import pyarrow as pa
import pyarrow.csv as csv
began = time.perf_counter()
texts = {name: pa.string() for name in ("AnonID", "Query", "ClickURL")}
table = csv.read_csv(path, parse_options=csv.ParseOptions(delimiter="\\t", quote_char=False),
    convert_options=csv.ConvertOptions(column_types=texts | {"QueryTime": pa.timestamp("s")}))
"""
_ARROW_READ = _ARROW + "done(len(table), time.perf_counter() - began)"
_ARROW_CODES = (
    _ARROW
    + """
rows = len(table)
codes = [table[name].combine_chunks().cast(pa.large_string()).dictionary_encode()
         for name in texts]
done(rows, time.perf_counter() - began)
"""
)


def measured(script: str, path: Path) -> dict[str, float]:
    """What one run in a process of its own says."""
    command = [sys.executable, "-c", _COMMON + script, str(path)]
    process = subprocess.run(command, capture_output=True, text=True, check=True)
    result: dict[str, float] = json.loads(process.stdout.splitlines()[-1])
    return result


def compare(path: Path, runs: int) -> None:
    """Print a line for each way to read `path`."""
    size = path.stat().st_size
    packed = path.with_suffix(".gz")
    readers = {
        "pyarrow, bare read": (_ARROW_READ, path),
        "DuckDB, bare read": (_DUCKDB, path),
        "pyarrow, read and number": (_ARROW_CODES, path),
        "read_log": (_READER, path),
    }
    if size < GZIP_BELOW:
        with path.open("rb") as source, gzip.open(packed, "wb", 4) as target:
            shutil.copyfileobj(source, target)
        readers["read_log, gzip"] = (_READER, packed)
    results = {name: [measured(*reader) for _ in range(runs)] for name, reader in readers.items()}
    packed.unlink(missing_ok=True)
    seconds = {name: median(run["seconds"] for run in trials) for name, trials in results.items()}
    bare = min(seconds["pyarrow, bare read"], seconds["DuckDB, bare read"])
    rows = results["read_log"][0]["rows"]
    print(f"{rows:,} rows, {size:,} bytes, median of {runs}")
    for name, trials in results.items():
        peak = max(run["peak"] for run in trials)
        print(
            f"{name:25} {seconds[name]:8.2f} s  peak {peak / 2**30:5.2f} GiB  "
            f"{seconds[name] / bare:5.2f} × the faster bare read"
        )
    log = results["read_log"][0]
    print(
        f"{log['users']:,} users, {log['queries']:,} queries, {log['urls']:,} URLs, "
        f"{log['clicks']:,} clicks, {log['rejected']:,} rejected; "
        f"{log['resident'] / 2**30:.2f} GiB resident after the load"
    )


def main() -> None:
    """Compare on a file, or on one made of so many rows."""
    what = sys.argv[1] if len(sys.argv) > 1 else "3000000"
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    if not what.isdecimal():
        compare(Path(what), runs)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "aol.tsv")
        aol_shape.write(path, int(what))
        compare(path, runs)


if __name__ == "__main__":
    main()
