"""Errors of usage: words that no verb takes, values out of bounds, places that can't be written."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from auditor.attacks.registry import ATTACKS
from auditor.measures.registry import MEASURES
from auditor.methods.registry import METHODS
from auditor.params import ParamKind, ParamSpec
from tests.tables.cases import FAILED, PLANTED, REFUSED, Case

HEADER = "AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n"
DIGITS = "1" + "0" * 400


def log(folder: Path) -> Path:
    path = folder / "log.tsv"
    rows = [
        f"u{n % 12}\t{PLANTED if n % 3 else 'other words'}\t2006-03-01 10:{n:02}:00\t1\thttp://a.example/\n"
        for n in range(48)
    ]
    path.write_text(HEADER + "".join(rows), encoding="utf-8")
    return path


def words(*arguments: object) -> Callable[[Path], list[object]]:
    """A call whose LOG and OUT stand for files of the folder."""

    def make(folder: Path) -> list[object]:
        places: dict[object, object] = {"LOG": log(folder), "OUT": folder / "out"}
        return [places.get(word, word) if isinstance(word, str) else word for word in arguments]

    return make


SWEEP = ("sweep", "LOG", "--method", "safelog", "--out", "OUT.parquet")
MANY = "q_f=" + ",".join(map(str, range(1, 3001)))
"""Values of an axis; two of them make a grid of nine million settings."""
ANONYMIZE = ("anonymize", "LOG", "--method", "safelog", "--out", "OUT")
WORDS: tuple[tuple[object, ...], ...] = (
    ("frobnicate",),
    ("--frobnicate",),
    ("inspect",),
    ("inspect", "LOG", "LOG", "LOG", "--frobnicate"),
    ("anonymize", "LOG"),
    ("anonymize", "LOG", "--method", "safelog"),
    ("anonymize", "LOG", "--method", "nonsense", "--out", "OUT"),
    ("anonymize", "LOG", "--method", "", "--out", "OUT"),
    ("anonymize", "LOG", "--method", "SafeLog", "--out", "OUT"),
    (*ANONYMIZE, "--engine", "abacus"),
    (*ANONYMIZE, "-p", "nonsense=1"),
    (*ANONYMIZE, "-p", "q_f"),
    (*ANONYMIZE, "-p", "=1"),
    (*ANONYMIZE, "-p", ""),
    (*ANONYMIZE, "--memory", "much"),
    (*ANONYMIZE, "--memory", "0"),
    (*ANONYMIZE, "--memory", "-1GiB"),
    (*ANONYMIZE, "--sample-users", "0"),
    (*ANONYMIZE, "--sample-users", "2"),
    (*ANONYMIZE, "--sample-users", "nan"),
    (*ANONYMIZE, "--preview-seed", "x"),
    (*ANONYMIZE, "--edition", "limited"),
    ("attack", "nonsense", "LOG"),
    ("attack", "record-linkage", "LOG"),
    ("attack", "hash-inversion", "LOG", "-p", "n=x"),
    ("attack", "record-linkage", "LOG", "nowhere"),
    ("measure", "nonsense", "LOG", "LOG"),
    ("measure", "volume", "LOG"),
    ("measure", "volume", "LOG", "nowhere"),
    ("methods", "nonsense"),
    ("attacks", "nonsense"),
    ("measures", "nonsense"),
    ("methods", ""),
    ("verify", "--model", "nonsense", "LOG"),
    ("verify", "--model", "user-k", "LOG", "-p", "k=0"),
    ("verify", "--model", "user-k", "LOG", "-p", "k=x"),
    ("verify", "--model", "user-k", "LOG", "-p", "m=2"),
    ("verify", "--model", "k-delta", "LOG", "-p", "delta=2"),
    ("verify", "--model", "k-delta", "LOG", "-p", "k=2", "-p", "m=3"),
    ("audit", "LOG", "--method", "safelog"),
    ("audit", "LOG", "--method", "safelog", "--out", "OUT", "--policy", "nowhere.toml"),
    ("audit", "LOG", "--method", "safelog", "--out", "OUT", "--reference", "nowhere.tsv"),
    ("approve", "LOG"),
    ("explain", "LOG"),
    ("explain", "LOG", "nowhere", "a query"),
    ("sweep", "LOG", "--method", "safelog", "--out", "OUT"),
    ("sweep", "LOG", "--method", "safelog", "--grid", "q_f", "--out", "OUT.parquet"),
    ("sweep", "LOG", "--method", "safelog", "--grid", "q_f=", "--out", "OUT.parquet"),
    ("sweep", "LOG", "--method", "safelog", "--grid", "q_f=1,x", "--out", "OUT.parquet"),
    ("sweep", "LOG", "--method", "safelog", "--grid", "nonsense=1", "--out", "OUT.parquet"),
    (*SWEEP, "--grid", MANY, "--grid", MANY.replace("q_f", "c_f")),
    (*SWEEP, "--grid", "K=1", "--grid", "K=2"),
    ("synth", "OUT", "--users", "0"),
    ("synth", "OUT", "--users", "x"),
    ("synth", "OUT", "--users", "-5"),
    ("synth", "OUT", "--users", "10", "--days", "0"),
    ("ledger", "nowhere"),
)  # fmt: skip
NO_RELEASE: tuple[tuple[object, ...], ...] = (
    ("verify", "nowhere"),
    ("verify", "LOG"),
    ("approve", "nowhere", "--reviewer", "A. Person", "--key", "nowhere.pem"),
    ("approve", "LOG", "--reviewer", "A. Person", "--key", "nowhere.pem"),
    ("ledger", "--release", "nowhere"),
)
READING: tuple[tuple[str, ...], ...] = (
    ("--format", "nonsense"),
    ("--columns", "user"),
    ("--columns", "user=who,query=Query,time=QueryTime"),
    ("--columns", "user=0,query=1,time=99"),
    ("--columns", "user=0,query=0,time=2"),
    ("--columns", "nobody=0"),
    ("--columns", "user=-1,query=1,time=2"),
    ("--columns", ""),
    ("--delimiter", "ab"),
    ("--delimiter", ""),
    ("--encoding", "nonsense"),
    ("--time-format", "%Q"),
    ("--time-format", "epoch_s"),
    ("--max-rejected", "2"),
    ("--max-rejected", "-1"),
    ("--max-rejected", "nan"),
    ("--max-rejected", "x"),
)


def cases() -> Iterator[Case]:
    for call in WORDS:
        yield Case("verbs and flags", call_text(call), words(*call))
    for call in NO_RELEASE:
        yield Case("what is no release", call_text(call), words(*call), (FAILED,))
    for options in READING:
        yield Case("how a log is read", call_text(options), words("inspect", "LOG", *options))
    for kind, registry in (("method", METHODS), ("attack", ATTACKS), ("measure", MEASURES)):
        for name in registry:
            for spec in registry[name].params.specs():
                for value in outside(spec):
                    flag = ("-p", f"{spec.name}={value}")
                    name_of = f"{kind} {name} {spec.name}={value[:20]}"
                    yield Case(
                        f"parameters of {kind}s", name_of, words(*call_of(kind, name), *flag)
                    )
    yield from places()


def call_text(call: tuple[object, ...]) -> str:
    """The words of a call, quoted where they are empty."""
    return " ".join(str(word) or "''" for word in call)


def call_of(kind: str, name: str) -> tuple[str, ...]:
    if kind == "method":
        return ("anonymize", "LOG", "--method", name, "--out", "OUT")
    return (kind, name, "LOG", *(("LOG",) if kind == "measure" else ()))


def outside(spec: ParamSpec) -> list[str]:
    match spec.kind:
        case ParamKind.FLAG:
            return ["maybe", "2"]
        case ParamKind.CHOICE:
            return ["nonsense", ""]
        case ParamKind.INTEGER | ParamKind.REAL:
            bounds: Any = spec.bounds
            return [str(bounds.low - 1), str(bounds.high * 2 + 1), "x", "nan", "1e999", "1,2"]
        case _:
            return []


def places() -> Iterator[Case]:
    def case(name: str, make: Callable[[Path], list[object]]) -> Case:
        return Case("places to write to", name, make, (FAILED, REFUSED))

    def onto(target: Callable[[Path], Path]) -> Callable[[Path], list[object]]:
        def make(folder: Path) -> list[object]:
            return ["anonymize", log(folder), "--method", "korolova", "--out", target(folder)]

        return make

    def full(folder: Path) -> Path:
        (folder / "out").mkdir()
        (folder / "out" / "mine.txt").write_text("mine")
        return folder / "out"

    def a_file(folder: Path) -> Path:
        (folder / "out").write_text("mine")
        return folder / "out"

    yield case("a release onto a folder that holds something", onto(full))
    yield case("a release onto a file", onto(a_file))
    yield case("a release onto its own log", onto(lambda folder: folder / "log.tsv"))
    yield case("a release below a file", onto(lambda folder: a_file(folder) / "below"))
    yield case("a release at a name with NUL", onto(lambda folder: folder / "a\0b"))
    yield case("a release at a name of 300 letters", onto(lambda folder: folder / ("a" * 300)))
    yield case("a release onto a device", onto(lambda _: Path("/dev/null")))
    yield case("a release at no name", lambda f: [*onto(lambda x: x)(f)[:-1], ""])
