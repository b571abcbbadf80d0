"""Token hashing: what it keeps, what it hides, and that its key gets nowhere."""

import hmac
import json
import logging
import pickle
import secrets
import stat
import threading
import traceback
from pathlib import Path

import pytest

from auditor.engine.backends import local
from auditor.engine.plan import Intent, resolve_intent
from auditor.engine.run import Run
from auditor.errors import AuditorError, Cancelled, ParameterError
from auditor.log.model import QueryLog
from auditor.methods.token_hashing import method
from auditor.methods.token_hashing.method import METHOD, TokenHashingParams
from auditor.privacy.noise import PreviewRandomness, SecureRandomness
from auditor.privacy.release import Product
from auditor.progress import Progress
from auditor.release import export
from auditor.release.report.html import demo_report
from tests.methods.logs import QUIET, log_in, log_of, random_rows, statuses

PLANTED = bytes(range(7, 39))
LOG = log_of(random_rows())


def run_hashing(log: QueryLog = LOG, **params: object) -> Product:
    return METHOD.run(
        log,
        TokenHashingParams(**params),  # type: ignore[arg-type]
        rng=SecureRandomness(),
        progress=QUIET,
    )


def content(product: Product) -> QueryLog:
    return log_in(product.content)


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> bytes:
    real = secrets.token_bytes

    def plant(size: int | None = None) -> bytes:
        """The key alone is planted: names of folders that are drawn beside it stay different."""
        return PLANTED[:size] if size == len(PLANTED) else real(size)

    monkeypatch.setattr(secrets, "token_bytes", plant)
    return PLANTED


def assert_no_key(text: bytes) -> None:
    for form in (PLANTED, PLANTED.hex().encode(), repr(PLANTED).encode()):
        assert form not in text
        assert form.upper() not in text


def test_that_a_token_becomes_64_bits_of_its_hmac(planted: bytes) -> None:
    log = log_of([("u", "new  york", 1, None), ("u", "york", 2, None)])
    released = content(run_hashing(log))
    want = {w: hmac.digest(planted, w.encode(), "sha256")[:8].hex() for w in ("new", "york")}
    assert [released.queries[q] for q in released.query] == [
        f"{want['new']} {want['york']}",
        want["york"],
    ]


def test_that_words_ids_and_pages_are_hexadecimal_and_ids_in_their_order() -> None:
    released = content(run_hashing(users="hashed", urls="hashed"))
    texts = [*released.queries.list_strings(), *released.users.list_strings()]
    texts += released.urls.list_strings()
    assert set("".join(texts)) <= set("0123456789abcdef ")
    assert released.users.list_strings() == sorted(released.users.list_strings())


def test_that_the_statement_says_what_fails() -> None:
    statement = run_hashing(urls="kept").statement
    assert statement.model == "pseudonymity"
    assert {a.name for a in statement.failing} >= {
        "hashes can't be turned back",
        "users can't be told apart",
        "clicked pages tell nothing",
        "word order tells nothing",
    }
    hidden = run_hashing(urls="dropped", order="hidden", users="dropped").statement
    assert {a.name for a in hidden.failing} == {
        "hashes can't be turned back",
        "times are not recognised",
    }


def result_of(params: TokenHashingParams) -> Run:
    release = local.apply_method(LOG, METHOD.name, params, SecureRandomness(), QUIET)
    intent = Intent(method=METHOD.name, values=((METHOD.name, params),), attacks=(), measures=())
    return Run(resolve_intent(intent, LOG), release, (), (), {}, {})


def test_that_the_key_is_in_no_byte_that_is_written(
    planted: bytes, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    result = result_of(TokenHashingParams(urls="hashed"))
    folder = tmp_path / "release"
    export.write_release(result, LOG, folder, progress=QUIET)
    report = tmp_path / "report"
    demo_report([result], LOG, report)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) >= 4
    for path in files:
        assert_no_key(path.read_bytes())
    assert_no_key(caplog.text.encode())
    assert_no_key(repr(result).encode())
    assert_no_key(json.dumps(result.plan.to_dict()).encode())
    assert_no_key(pickle.dumps(result.release.statement))
    assert_no_key(pickle.dumps((result.release.changes, dict(result.release.params))))


@pytest.mark.usefixtures("planted")
def test_that_a_traceback_with_locals_hides_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object, **more: object) -> None:
        raise ValueError("stop")

    monkeypatch.setattr(method, "_build_released_log", fail)
    with pytest.raises(ValueError, match="stop") as caught:
        run_hashing()
    trace = traceback.TracebackException.from_exception(caught.value, capture_locals=True)
    text = "".join(trace.format())
    assert "Key(…)" in text
    assert_no_key(text.encode())


def test_that_a_key_can_be_neither_pickled_nor_shown() -> None:
    key = method.HashKey(PLANTED)
    with pytest.raises(TypeError, match="never stored"):
        pickle.dumps(key)
    assert_no_key(repr(key).encode())
    assert_no_key(str(key).encode())


def test_that_the_key_is_saved_only_when_asked_and_for_its_owner_alone(
    planted: bytes, tmp_path: Path
) -> None:
    target = tmp_path / "key"
    run_hashing()
    assert list(tmp_path.iterdir()) == []
    product = run_hashing(key_file=target)
    assert bytes.fromhex(target.read_text()) == planted
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert statuses(product.statement)["the key stays secret"] == "unknown"
    with pytest.raises(ParameterError, match="new file"):
        run_hashing(key_file=target)
    assert bytes.fromhex(target.read_text()) == planted
    with pytest.raises(AuditorError, match="can't be saved"):
        run_hashing(key_file=tmp_path / "no" / "such" / "folder")


def test_that_a_previews_key_is_repeatable_and_never_saved(tmp_path: Path) -> None:
    params = TokenHashingParams(key_file=tmp_path / "key")
    runs = [METHOD.run(LOG, params, rng=PreviewRandomness(3), progress=QUIET) for _ in range(2)]
    assert content(runs[0]).digest == content(runs[1]).digest
    assert list(tmp_path.iterdir()) == []
    assert {a.name for a in runs[0].statement.failing} >= {"the key stays secret"}


@pytest.mark.parametrize("target", ["hashing tokens", "writing queries"])
def test_that_a_cancelled_run_leaves_no_key(tmp_path: Path, target: str) -> None:
    stop = threading.Event()

    def report(stage: str, *_: int) -> None:
        if stage == target:
            stop.set()

    params = TokenHashingParams(key_file=tmp_path / "key")
    with pytest.raises(Cancelled):
        METHOD.run(LOG, params, rng=SecureRandomness(), progress=Progress(report, stop, interval=0))
    assert list(tmp_path.iterdir()) == []
