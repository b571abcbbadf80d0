"""The small log, a believable run on it, a key, short pages and the command line, for releases."""

from pathlib import Path

import pytest

from auditor.engine.run import Run
from auditor.log.model import QueryLog
from auditor.release import signing
from tests.cli.conftest import answer as answer
from tests.cli.conftest import call as call
from tests.release import fakes


@pytest.fixture
def quick_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short pages in place of the drawn ones."""
    fakes.quick_report(monkeypatch)


@pytest.fixture
def log() -> QueryLog:
    return fakes.raw_log()


@pytest.fixture
def result(log: QueryLog) -> Run:
    return fakes.run_result(log)


@pytest.fixture
def key(tmp_path: Path) -> Path:
    """The file of a new private key."""
    signing.new_key(tmp_path / "key.pem")
    return tmp_path / "key.pem"
