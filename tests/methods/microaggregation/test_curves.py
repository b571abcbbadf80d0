"""The source's curves over k (Figs. 3 and 4), on a log of its size and of its shape."""

from __future__ import annotations

import numpy as np
import pytest

from auditor.log.model import QueryLog
from auditor.measures.information_loss import MEASURE as LOSS
from auditor.measures.profile_exposure import MEASURE as EXPOSURE
from auditor.methods.microaggregation.groups import group_by_mdav
from auditor.methods.microaggregation.method import merge_groups
from auditor.privacy.release import Preview
from auditor.privacy.statement import Statement
from auditor.privacy.verification.user_k import verify_user_k
from auditor.progress import silent_progress

NONE = Statement(model="none", claim="nothing", unit="nobody")


@pytest.fixture(scope="module")
def curves() -> dict[int, dict[str, float]]:
    """PEL and ILR over k of 1,000 users with 56 events each, nearly all of them different.

    Groups are those of users at random places: the curves don't depend on who is with whom, and
    comparing the queries themselves would take longer than a test may.
    """
    rng = np.random.default_rng(3)
    user = np.repeat(np.arange(1_000), 56)
    own = user * 400 + rng.integers(0, 400, len(user))
    text = np.where(rng.random(len(user)) < 0.05, -1 - rng.integers(0, 40, len(user)), own)
    log = QueryLog.from_columns(
        user=[f"u{i}" for i in user],
        query=[f"q{i}" for i in text],
        time=rng.integers(0, 10**6, len(user)),
    )
    places = rng.random((1_000, 2))
    apart = np.linalg.norm(places[:, None] - places[None], axis=2).astype(np.float32)
    found = {}
    for k in (2, 3, 4, 5, 7, 10, 20, 35):
        released, _ = merge_groups(
            log, group_by_mdav(apart, k, silent_progress()), silent_progress()
        )
        assert verify_user_k(released, k).holds
        release = Preview(
            method="by hand", params={"k": k}, content=released, statement=NONE, changes={}
        )
        rng = np.random.default_rng(0)
        values: dict[str, float] = {}
        for measure in (EXPOSURE, LOSS):
            result = measure.run(
                log, release, measure.params(), rng=rng, progress=silent_progress()
            )
            values |= {value.name: value.value for value in result.values}
        found[k] = values
    return found


def test_that_exposure_falls_with_k_and_stays_near_one_in_k(
    curves: dict[int, dict[str, float]],
) -> None:
    level = {k: values["exposure.pel"] for k, values in curves.items()}
    assert list(level.values()) == sorted(level.values(), reverse=True)
    for k in (2, 3, 4, 5, 7, 10):
        # Strings asked again come first, so exposure lies above 100/k and never below.
        assert 100 / k - 1 <= level[k] <= 100 / k + 8, (k, level[k])


def test_that_the_whole_logs_information_loss_grows_with_k(
    curves: dict[int, dict[str, float]],
) -> None:
    lost = [values["loss.log"] for values in curves.values()]
    assert lost == sorted(lost)
    assert lost[-1] > 5 * lost[0]


def test_that_sensitive_aware_privacy_grows_with_k(curves: dict[int, dict[str, float]]) -> None:
    index = [values["exposure.spi"] for values in curves.values()]
    assert index == sorted(index)
