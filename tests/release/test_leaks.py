"""No byte of a release tells what nobody may know: planted secrets, in every file of every method.

A user with queries and pages of her own, the seed, a key and its file's place are planted; then
every file is read as it stands, and PDF streams unpacked as well.
"""

import base64
import contextlib
import re
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import auditor
from auditor.engine.run import Run
from auditor.errors import ExportRefused
from auditor.log.model import LogOrigin, QueryLog
from auditor.log.synthetic.generator import synthesize_log
from auditor.methods.registry import METHODS
from auditor.progress import silent_progress
from auditor.release.evidence import build_manifest, public_facts
from auditor.release.export import write_release
from auditor.release.manifest import read_manifest, verify_folder
from auditor.release.report.blocks import (
    Block,
    Edition,
    HeadingBlock,
    ReportDocument,
    TableBlock,
    TextBlock,
)
from auditor.release.report.document import public_report
from auditor.release.report.html import document_of, page_of, write_internal, write_report
from auditor.release.report.pdf import pdf_of
from tests.release.fakes import HOSTILE, leave_out_pictures, raw_log, run_result
from tests.release.judging import all_checks_but

ALONE = {
    "quintessa vanderbroek divorce": "quintessa",
    "4539 1488 0343 6467": "4539 1488",
    "wilhelmscher clinic appointment": "wilhelmscher",
}
"""Queries that one user asked, and a word of each that stands nowhere else."""

PAGE_WORD = "brunhilde-only"
PAGE = f"http://{PAGE_WORD}.example/secret"
USER = "user-8841977"
FORMULA = "=HYPERLINK(evil)"

SETTINGS: dict[str, dict[str, Any]] = {
    "safelog": {"q_f": 5},
    "frequency-threshold": {"n": 5},
    "k-theta-affinity": {"k": 5, "theta": 0.4},
    "set-union": {"q_f": 5, "epsilon": 5.0},
    "n-grams": {"q_f": 5, "epsilon": 8.0},
    "partition-selection": {"q_f": 5, "epsilon": 5.0},
    "dated-counts": {"q_f": 2, "epsilon": 8.0, "protected_unit": "day"},
    "k-delta": {"k": 3, "mode": "suppress"},
    "m-k-delta-epsilon": {"k": 3, "m": 2, "mode": "suppress"},
    "microaggregation": {"k": 3},
}
READABLE = {"bundling", "k-delta", "m-k-delta-epsilon", "microaggregation"}
"""Methods that release queries of single users as they were typed."""


def planted(folder: Path) -> QueryLog:
    folder.mkdir()
    source = folder / "raw-log.tsv"
    source.write_text("not read again")
    rng = np.random.default_rng(5)
    common = ["weather", "web mail", "maps", "news today", FORMULA, HOSTILE]
    rows = [
        (f"u{user}", str(rng.choice(common)), 1000 * user + 7 * i, "http://a.example/")
        for user in range(40)
        for i in range(6)
    ]
    rows += [(USER, text, 90_000 + i, PAGE) for i, text in enumerate(ALONE)]
    users, queries, times, urls = zip(*rows, strict=True)
    origin = LogOrigin(files=(source,), format="aol", rows_read=len(rows))
    return QueryLog.from_columns(user=users, query=queries, time=times, url=urls, origin=origin)


def unpacked(data: bytes) -> bytes:
    """The bytes of a file, and every stream of a PDF unpacked."""
    pieces = [data]
    for match in re.finditer(rb"stream\r?\n(.*?)endstream", data, re.DOTALL):
        stream = match[1].strip()
        with contextlib.suppress(ValueError, zlib.error):
            packed = base64.a85decode(stream[:-2]) if stream.endswith(b"~>") else match[1]
            pieces.append(zlib.decompressobj().decompress(packed))
    return b"\n".join(pieces)


def everything(folder: Path) -> bytes:
    return b"\n".join(unpacked(path.read_bytes()) for path in sorted(folder.iterdir()))


def stands(word: str, data: bytes) -> bool:
    """Whether a word stands there as it is, in hexadecimal, in base 64, or in two-byte letters."""
    plain = word.encode()
    forms = [plain, plain.hex().encode(), plain.hex().upper().encode(), word.encode("utf-16-be")]
    forms += [base64.b64encode(b"x" * shift + plain)[4:-4] for shift in range(3)]
    return any(form in data for form in forms if len(form) > 3)


def hidden(result: Run) -> list[str]:
    """A telling word of each planted text that the release does not hold."""
    content = result.release.local_content
    queries = set(content.queries.list_strings())
    words = [word for text, word in ALONE.items() if text not in queries]
    released = result.release.log
    if PAGE_WORD not in " ".join(content.urls.list_strings()):
        words.append(PAGE_WORD)
    if released is None or USER not in released.users.list_strings():
        words.append(USER)
    return words


EVERY = [
    method
    if method in ("safelog", "token-hashing")
    else pytest.param(method, marks=pytest.mark.slow)
    for method in METHODS
]


@pytest.mark.parametrize("method", EVERY)
def test_that_no_byte_of_a_release_tells_a_secret(method: str, tmp_path: Path) -> None:
    log = planted(tmp_path / "in")
    values = SETTINGS.get(method, {})
    if method == "token-hashing":
        values = {"key_file": tmp_path / "key.txt"}
    skip = all_checks_but("surviving-content", "volume")
    result = auditor.audit(log, method, skip=skip, **values)
    record, quiet = result.verdict.record, silent_progress()
    folder = write_release(result, log, tmp_path / "out", progress=quiet, record=record, pdf=True)
    assert not verify_folder(folder)
    assert {"report.html", "report.pdf", "manifest.json"} <= {p.name for p in folder.iterdir()}
    data = everything(folder)
    words = hidden(result)
    assert words or method in READABLE
    for word in [*words, str(tmp_path)]:
        assert not stands(word, data), word
    if method == "token-hashing":
        key = (tmp_path / "key.txt").read_text().strip()
        assert len(key) == 64
        assert not stands(key, data)
        assert bytes.fromhex(key) not in data
    paths = write_internal(result, log, folder, pdf=True, progress=quiet)
    assert not {path.parent for path in paths} & {folder}
    assert [path.stat().st_mode & 0o777 for path in paths] == [0o600, 0o600]
    assert not verify_folder(folder)


def test_that_no_unreleased_query_of_a_real_run_stands_in_its_release(tmp_path: Path) -> None:
    log = synthesize_log(120, days=10, seed=3).log
    values: dict[str, Any] = {"q_f": 20, "c_f": 20, "b": 0.3, "delta": 0.01}
    checks = {"dp-audit": {"runs": 100, "copies": 100}}
    result = auditor.audit(log, "safelog", checks=checks, transitions=False, **values)
    folder = write_release(result, log, tmp_path / "out", progress=silent_progress())
    assert not verify_folder(folder)
    released = set(result.release.local_content.queries.list_strings())
    assert released, "an empty release proves nothing"
    # Shorter queries can be words of the report itself.
    telling = [q for q in log.queries.list_strings() if len(q) >= 16 and len(q.split()) >= 3]
    unreleased = [query for query in telling if query not in released]
    assert len(unreleased) > 200
    text = "\n".join(path.read_text() for path in folder.iterdir())
    assert [query for query in unreleased if query in text] == []
    measures = {measured.measure for measured in result.measures}
    assert set(read_manifest(folder)["measures"]) == measures
    inside = page_of(document_of(result, log, edition="internal"))
    assert any(query in inside for query in unreleased), "it shows flagged sessions"


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> dict[Edition, ReportDocument]:
    """By edition the report of a run on ``raw_log``."""
    log = raw_log(tmp_path_factory.mktemp("raw"))
    editions: tuple[Edition, ...] = ("internal", "full")
    return {name: document_of(run_result(log), log, edition=name) for name in editions}


@pytest.fixture(scope="module")
def reports(documents: dict[Edition, ReportDocument]) -> dict[Edition, tuple[bytes, bytes]]:
    """The same as a PDF, its streams unpacked, and as a page."""
    return {
        name: (unpacked(pdf_of(page)), page_of(page).encode()) for name, page in documents.items()
    }


def test_that_the_search_would_find_what_it_looks_for_and_no_seed_stands_in_either_report(
    reports: dict[Edition, tuple[bytes, bytes]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    for word in ("quarkmeister", "77215", "Commonest queries", "Top queries"):
        assert all(stands(word, data) for data in reports["internal"]), word
        assert not any(stands(word, data) for data in reports["full"])
    assert stands("abcd", b"..61626364..")
    assert stands("secret words", base64.b64encode(b"some secret words here"))
    for data in (*reports["internal"], *reports["full"]):
        assert b"4711" not in data
        assert str(tmp_path_factory.getbasetemp()).encode() not in data


def test_that_an_internal_report_never_stands_in_a_release(tmp_path: Path) -> None:
    log = raw_log(tmp_path / "in")
    folder = write_release(run_result(log), log, tmp_path / "out", progress=silent_progress())
    inside = document_of(run_result(log), log, edition="internal")
    for name in ("inside.html", "inside.pdf"):
        with pytest.raises(ExportRefused):
            write_report(inside, log, folder / name)
    assert not verify_folder(folder)


# --- the PDF ----------------------------------------------------------------------------------


def test_that_hostile_text_is_only_text_in_the_pdf(
    documents: dict[Edition, ReportDocument], reports: dict[Edition, tuple[bytes, bytes]]
) -> None:
    data = reports["internal"][0]
    for word in (b"/JavaScript", b"/JS", b"/Launch", b"/URI", b"/OpenAction", b"/EmbeddedFile"):
        assert word not in data
    assert b"alert" in data
    assert unpacked(pdf_of(documents["internal"])) == data, "the same report gives the same bytes"


def test_that_markup_in_a_cell_is_set_as_it_is() -> None:
    evil = '<font color="[[[getattr(pow,Word)]]]">x</font><img src="/etc/passwd"/></para><b>& &lt;'
    sheet = TableBlock("Evil", ("<b>head</b>", "=1+1"), [[evil, "@SUM(A1)"]], (False, False), evil)
    blocks: list[Block] = [HeadingBlock(1, evil), TextBlock(evil, "banner"), sheet]
    document = ReportDocument(evil, "full", blocks)
    data = unpacked(pdf_of(document))
    assert b"passwd" in data
    assert b"/XObject" not in data
    page = page_of(document)
    assert "<img" not in page
    assert "<font" not in page


def test_that_endless_and_unknown_text_is_set() -> None:
    rows = [["x" * 30_000, "\u4e2d\U0001f600 \ud800"], ["a b " * 9_000, ""]]
    sheet = TableBlock("Long", ("text", "more"), rows, (False, False))
    empty = TableBlock("None", ("a", "b"), [], (False, True))
    blocks: list[Block] = [TextBlock("y" * 20_000), TextBlock("\u4e2d"), sheet, empty]
    assert b"U+4E2D" in unpacked(pdf_of(ReportDocument("T", "full", blocks)))


# --- what is shown to whom --------------------------------------------------------------------


def test_that_figures_without_a_guarantee_stay_inside_with_all_their_digits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leave_out_pictures(monkeypatch)
    log = raw_log(tmp_path / "in")
    result = run_result(log, epsilon_value=0.123456)
    for document in (document_of(result, log), document_of(result, log, edition="internal")):
        assert "0.1235" in page_of(document)
    public = public_report(result, public_facts(build_manifest(result, log, {}), None))
    assert "0.12" not in page_of(public)
