"""The profiles of a module's `PROFILES`, and what its `attack` tells of its `LOG`."""

from pathlib import Path

import pytest

from auditor.attacks.base import AttackResult


@pytest.fixture(scope="module")
def profiles(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("profiles") / "profiles.csv"
    path.write_text(request.module.PROFILES, "utf-8")
    return path


@pytest.fixture(scope="module")
def result(request: pytest.FixtureRequest, profiles: Path) -> AttackResult:
    result: AttackResult = request.module.attack(request.module.LOG, profiles)
    return result
