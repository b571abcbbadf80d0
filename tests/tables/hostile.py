"""Hostile input: files made to hang, fill, crash or mislead whatever reads them."""

import atexit
import functools
import io
import json
import shutil
import tempfile
import warnings
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from tests.log.reading.test_hostile import COUNTED, UNREACHABLE, ZSTD, holds
from tests.log.reading.test_hostile import REFUSED as FILES_REFUSED
from tests.tables.cases import FAILED, FINE, PLANTED, REFUSED, Case, call
from tests.tables.usage import HEADER, log

LOG = (HEADER + f"7\t{PLANTED}\t2006-03-01 10:00:00\t1\thttp://a.example\n" * 3).encode()
DEEP = 200_000
ACTING = {
    "escape sequences": "\x1b[2J\x1b]0;owned\x07",
    "a carriage return and a bell": "a\rb\x07",
    "direction overrides": "a\u202egnp.exe\u2066",
    "C1 controls": "a\x9b31m\x85b",
}


def bytes_of(data: bytes) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(data)


SHAPES: dict[str, Callable[[Path], object]] = {
    "no file": lambda path: None,
    "an empty file": bytes_of(b""),
    "a folder": lambda path: path.mkdir(),
    "links in a circle": lambda path: path.symlink_to(path.name),
    "random bytes": bytes_of(bytes((i * 7919 + i // 3) % 256 for i in range(9000))),
    "NUL bytes": bytes_of(bytes(5000)),
    "UTF-16": bytes_of("name = 1\n".encode("utf-16")),
    "half a surrogate pair": bytes_of(b'{"name": "\xed\xa0\x80"}'),
    "an escaped half pair": bytes_of(b'{"format": "\\ud800", "method": "\\ud800"}'),
    "200,000 open brackets": bytes_of(b"[" * DEEP),
    "200,000 open objects": bytes_of(b'{"a":' * DEEP),
    "a number beyond all": bytes_of(b'{"format": 1e999, "rows": 1e400}'),
    "not a number": bytes_of(b'{"format": NaN, "epsilon": -Infinity}'),
    "null": bytes_of(b"null"),
    "a list": bytes_of(b"[1, 2]"),
    "a string": bytes_of(b'"text"'),
    "an empty object": bytes_of(b"{}"),
    "a key twice": bytes_of(b'{"format": 1, "format": 2}'),
    "one line of 5 MB": bytes_of(b"x" * 5_000_000),
    "a query in the wrong place": bytes_of(PLANTED.encode()),
}
"""What may stand where a policy, a manifest, a key, a list or a table is expected."""


def cases() -> Iterator[Case]:
    yield from logs()
    yield from packed()
    yield from other_files()
    yield from manifests()
    yield from acting()


def logs() -> Iterator[Case]:
    """The reader's own table, through the command line."""
    for name, (content, _, *options) in FILES_REFUSED.items():
        if not options:  # which no flag sets
            yield Case("logs that are no log", name, inspected(holds(content)))
    for name, (make, _) in UNREACHABLE.items():
        if "two files" not in name and "NUL" not in name:
            yield Case("logs that are no log", name, inspected(make))
    for name, (data, _, _, _) in COUNTED.items():
        call_of = inspected(plain(data), "--max-rejected", "0.5")
        yield Case("logs with bad rows", name, call_of, (FINE,), '"rejected": {')


def inspected(make: Callable[[Path], object], *more: object) -> Callable[[Path], list[object]]:
    return lambda folder: ["inspect", make(folder), *more, "--json"]


def plain(data: bytes) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        path = folder / "log.txt"
        path.write_bytes(data)
        return path

    return make


def packed() -> Iterator[Case]:
    """Archives with names and sizes that lie."""

    def case(name: str, data: bytes, codes: tuple[int, ...], says: str = "") -> Case:
        return Case("archives", name, inspected(plain(data)), codes, says)

    three = '"rows": 3'
    for name in ("../../escaped.tsv", "/escaped.tsv", "a/../../b.tsv", "C:\\escaped.tsv"):
        yield case(f"a member named {name}", zipped((name, LOG)), (FINE,), three)
    yield case("a member named ..", zipped(("..", LOG)), (FINE, REFUSED))
    yield case("a member that is a link", linked(), (FINE, REFUSED))
    yield case("one name twice", zipped(("a.tsv", LOG), ("a.tsv", LOG)), (FINE, REFUSED))
    yield case("a bomb in a bomb", zipped(("a.zip", zipped(("b.tsv", LOG)))), (REFUSED,))
    frame = ZSTD.compress(LOG)
    skipped = b"\x50\x2a\x4d\x18" + (5).to_bytes(4, "little") + b"12345"
    yield case("a zstd frame to be skipped first", skipped + frame, (FINE,), three)
    yield case("a zstd frame to be skipped last", frame + skipped, (FINE,), three)
    half = skipped[:4] + (2**31).to_bytes(4, "little")
    yield case("a zstd frame that claims 2 GiB to skip", half + frame, (REFUSED,))


def zipped(*members: tuple[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        warnings.simplefilter("ignore")  # a name twice is what is meant
        for name, data in members:
            archive.writestr(name, data)
    return buffer.getvalue()


def linked() -> bytes:
    """A zip archive of a symbolic link to a file of the system."""
    buffer = io.BytesIO()
    info = zipfile.ZipInfo("log.tsv")
    info.external_attr = 0o120777 << 16
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(info, "/etc/passwd")
    return buffer.getvalue()


def other_files() -> Iterator[Case]:
    audit = ("audit", "LOG", "--method", "korolova", "--out", "OUT")
    safelog = ("anonymize", "LOG", "--method", "safelog", "--out", "OUT", "-p", "pool=file", "-p")
    korolova = ("anonymize", "LOG", "--method", "korolova", "--out", "OUT", "-p", "clicks=results")
    either = (FINE, REFUSED)
    roles: dict[str, tuple[tuple[object, ...], tuple[int, ...]]] = {
        "a policy": ((*audit, "--policy", "FILE"), (REFUSED,)),
        "profiles": (("attack", "vanity", "LOG", "--profiles", "FILE"), (REFUSED,)),
        "a reference log": (
            ("attack", "entity-exposure", "LOG", "--reference", "FILE"),
            (REFUSED,),
        ),
        "a release": (("measure", "volume", "LOG", "FILE"), (REFUSED,)),
        "a pool": ((*safelog, "pool_file=FILE"), either),
        "public results": ((*korolova, "-p", "results=FILE"), either),
        "a manifest": (("verify", "FOLDER"), (FAILED, REFUSED)),
        "a manifest to measure": (("measure", "volume", "LOG", "FOLDER"), either),
        "a ledger": (("ledger", "--ledger", "FILE"), (FINE, FAILED, REFUSED)),
    }
    for role, (words, codes) in roles.items():
        for shape, put in SHAPES.items():
            if (role, shape) == ("a manifest to measure", "no file"):
                continue  # a folder without a manifest is somebody's log, whose users are asked for
            yield Case(f"in place of {role}", shape, partial(placed, words, put), codes)


def placed(words: tuple[object, ...], put: Callable[[Path], object], folder: Path) -> list[object]:
    """A call in which FILE is of a shape, and FOLDER a release whose manifest is."""
    (folder / "given").mkdir()
    where = folder / "given" / "manifest.json"
    (folder / "given" / "queries.tsv").write_text("query\tcount\na\t3\n")
    put(where)
    places = {
        "LOG": str(log(folder)),
        "OUT": str(folder / "out"),
        "FILE": str(where),
        "FOLDER": str(folder / "given"),
    }
    result: list[object] = []
    for word in words:
        text = str(word)
        for name, value in places.items():
            text = value if text == name else text.replace(f"={name}", f"={value}")
        result.append(text)
    return result


WRONG: dict[str, object] = {
    "null": None,
    "a list": [[[]]],
    "an object": {"a": {}},
    "a string": "\u202etext\x1b[2J",
    "a negative number": -1,
    "a number of 400 digits": 10**400,
    "true": True,
}
KEYS = (
    *("method", "params", "statement", "changes", "measures", "files", "versions"),
    *("format", "attacks", "gates", "digest", "log"),
)


def manifests() -> Iterator[Case]:
    for key in KEYS:
        for name, value in WRONG.items():
            make = partial(with_part, key, value)
            yield Case("parts of a manifest", f"{key} is {name}", make, (FINE, FAILED, REFUSED))


def with_part(key: str, value: object, folder: Path) -> list[object]:
    """A release whose manifest has this part changed."""
    release = folder / "release"
    shutil.copytree(make_release(), release)
    path = release / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    manifest[key] = value
    path.write_text(json.dumps(manifest), encoding="utf-8")
    return ["verify", release]


@functools.cache
def make_release() -> Path:
    """A release that nobody approved, made once."""
    folder = Path(tempfile.mkdtemp(prefix="tables-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    call(["anonymize", str(log(folder)), "--method", "korolova", "--out", "release"], folder)
    return folder / "release"


def acting() -> Iterator[Case]:
    for what, text in ACTING.items():
        places: dict[str, tuple[Callable[[str, Path], list[object]], tuple[int, ...]]] = {
            "a column's name": (named_column, (FINE, REFUSED)),
            "a parameter": (named_parameter, (REFUSED,)),
            "a release's place": (named_release, (FAILED,)),
        }
        for where, (make, codes) in places.items():
            yield Case("characters that act", f"{what} in {where}", partial(make, text), codes)


def named_parameter(text: str, folder: Path) -> list[object]:
    return ["anonymize", log(folder), "--method", "korolova", "--out", "out", "-p", f"{text}=1"]


def named_release(text: str, folder: Path) -> list[object]:
    return ["verify", text]


def named_column(text: str, folder: Path) -> list[object]:
    path = folder / "log.csv"
    path.write_text(f"user,query,time,{text}\na,b,2006-03-01 10:00:00,\n", newline="")
    return ["inspect", path]
