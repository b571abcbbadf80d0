"""The command line, called as a function."""

import json
from typing import Any

import pytest

from auditor.__main__ import main
from tests.release import fakes


@pytest.fixture
def quick_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short pages in place of the drawn ones."""
    fakes.quick_report(monkeypatch)


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Any:
    """``call(*words)`` → the exit code, and the JSON that is printed, or else the errors."""

    def run(*words: object) -> tuple[int, Any]:
        capsys.readouterr()
        code = main([*map(str, words), "--json"])
        captured = capsys.readouterr()
        return code, json.loads(captured.out) if captured.out else captured.err

    return run


@pytest.fixture
def answer(call: Any) -> Any:
    """``answer(*words)`` → the JSON of a command, which succeeds."""

    def run(*words: object) -> Any:
        code, output = call(*words)
        assert code == 0, output
        return output

    return run


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str]) -> Any:
    """``printed(*words)`` → what a command that ends with `code` prints for people."""

    def run(*words: object, code: int = 0) -> str:
        capsys.readouterr()
        ended = main([*map(str, words)])
        captured = capsys.readouterr()
        assert ended == code, captured.err
        return captured.out

    return run


@pytest.fixture
def refused(capsys: pytest.CaptureFixture[str]) -> Any:
    """``refused(*words)`` → the errors of a command that ends with 2 and without an answer."""

    def run(*words: object) -> str:
        capsys.readouterr()
        ended = main([*map(str, words)])
        captured = capsys.readouterr()
        assert (ended, captured.out) == (2, "")
        assert "Traceback" not in captured.err
        return captured.err

    return run
