"""The log that comes with the program, and what the attack flags in it."""

import pytest

from auditor.attacks.base import FlaggedFindings
from auditor.attacks.surviving_content.attack import ATTACK
from auditor.log.gazetteers import sample_log
from auditor.log.model import QueryLog
from auditor.log.reading.reader import read_log
from tests.attacks.attacked import findings, run_attack


@pytest.fixture(scope="package")
def log() -> QueryLog:
    return read_log(sample_log())


@pytest.fixture(scope="package")
def found(log: QueryLog) -> FlaggedFindings:
    return findings(run_attack(ATTACK, log))
