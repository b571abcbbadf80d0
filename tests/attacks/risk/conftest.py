"""The log that comes with the program, and what the attack flags in it."""

from __future__ import annotations

import numpy as np
import pytest

from auditor.attacks.base import Evidence, FlaggedFindings
from auditor.attacks.surviving_content import attack
from auditor.log.gazetteers import sample_log
from auditor.log.model import QueryLog
from auditor.log.reading.reader import read_log
from auditor.progress import silent_progress


@pytest.fixture(scope="package")
def log() -> QueryLog:
    return read_log(sample_log())


@pytest.fixture(scope="package")
def found(log: QueryLog) -> FlaggedFindings:
    params = attack.SurvivingContentParams()
    rng = np.random.default_rng(0)
    made = attack.run(Evidence(log=log), params, rng=rng, progress=silent_progress())
    assert made.findings is not None
    return made.findings
