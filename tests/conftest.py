"""What every test has in common."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# A cold import or a first compilation inside an example is no failure.
settings.register_profile(
    "suite",
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("suite")

_places = itertools.count()


@pytest.fixture(autouse=True)
def _ledger_of_nobody(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Keep the person's own ledger and audit key out of the tests; each test has its own."""
    place: Path = tmp_path_factory.getbasetemp() / f"nobody-{next(_places)}"
    monkeypatch.setenv("AUDITOR_DATA", str(place))
    monkeypatch.delenv("AUDITOR_LEDGER", raising=False)
