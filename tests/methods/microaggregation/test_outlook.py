"""The k slider's pictures of microaggregation: equal to what a run gives, and shaped as its curves.

The source's figures are of 1,000 users of AOL's log with 55,666 rows; here stand synthetic users
of that number and that many rows.
"""

import threading
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.errors import Cancelled
from auditor.figures import Figure
from auditor.log.model import QueryLog
from auditor.log.synthetic.generator import synthesize_log
from auditor.measures.frequencies import MEASURE as FREQUENCIES
from auditor.measures.information_loss import MEASURE as LOSS
from auditor.measures.profile_exposure import MEASURE as EXPOSURE
from auditor.methods.base import ExpectedRelease
from auditor.methods.k_curves import KS
from auditor.methods.microaggregation.method import METHOD
from auditor.progress import Progress
from tests.measures.fakes import made_by, take
from tests.methods.logs import expect, expect_whole, expected_values, line_of, log_of, random_rows

look = partial(expect, METHOD.name)


def figure(outlook: ExpectedRelease, name: str) -> Figure:
    return next(plot for plot in outlook.figures if plot.name == name)


def measured(log: QueryLog, k: int) -> dict[str, float]:
    release = made_by(METHOD.name, log, k=k)
    values = {"alone": release.statement.measured["queries_of_one_user"]}
    for measure in (EXPOSURE, LOSS, FREQUENCIES):
        chosen: dict[str, Any] = {"counting_unit": "rows"} if measure is FREQUENCIES else {}
        result = take(measure, log, release, **chosen)
        values |= {value.name: value.value for value in result.values}
        values |= result.details
    return values


@given(seed=st.integers(0, 99), k=st.integers(2, 9))
@settings(max_examples=8, deadline=None)
def test_that_after_a_run_the_slider_shows_what_the_measures_find(seed: int, k: int) -> None:
    log = log_of(random_rows(users=25, rows=200, seed=seed))
    values = measured(log, k)
    outlook = look(log, k=k)
    expected = expected_values(outlook)
    for name, metric in (
        ("exposure", "exposure.pel"),
        ("exposure_occurrences", "exposure.pel_occurrences"),
        ("exposure_p95", "exposure.pel_p95"),
        ("loss", "loss.users"),
        ("loss_log", "loss.log"),
        ("alone", "alone"),
    ):
        assert expected[name] == pytest.approx(values[metric]), name
    assert outlook.note == ""


def test_that_before_a_run_it_says_how_the_groups_were_made() -> None:
    log = synthesize_log(40, days=5, seed=31).log
    assert "until a run" in look(log, k=3).note
    measured(log, 3)
    assert look(log, k=3).note == ""
    assert "fewer" not in look(log, k=3).note


@pytest.fixture(scope="module")
def source() -> ExpectedRelease:
    """1,000 users of 52 days have some 55,900 rows; the source's 1,000 users had 55,666."""
    log = synthesize_log(1_000, days=52, seed=1).log
    assert 50_000 < len(log) < 62_000
    return expect_whole(METHOD.name, log, k=3)


def test_that_exposure_by_occurrences_is_near_one_in_k(source: ExpectedRelease) -> None:
    """Fig. 3: 50 % at k = 2, 10 % at k = 10; by strings it stands above and falls as well."""
    level = line_of(source, "expected-exposure", "PEL by occurrences")
    for k, share in zip(KS, level, strict=True):
        if k <= 10:
            assert 100 / k - 3 <= share <= 100 / k + 10, (k, share)
    strings = line_of(source, "expected-exposure", "PEL")
    assert (np.diff(strings) <= 0).all()
    assert all(above > below for above, below in zip(strings, level, strict=True))


def test_that_information_loss_grows_with_k(source: ExpectedRelease) -> None:
    """Fig. 4; per user it grows with small turns, as the source's does, over the log without."""
    over_log = line_of(source, "expected-loss", "whole log")
    assert (np.diff(over_log) >= 0).all()
    users = line_of(source, "expected-loss", "mean over users")
    assert users[-1] > users[0]
    assert max(users) - users[-1] < 0.15 * users[-1]


def test_that_the_most_frequent_queries_and_words_stay_so_over_k(source: ExpectedRelease) -> None:
    """Figs. 7 and 8: variations are low for small k; k = 1 is the log itself."""
    for name in ("expected-queries", "expected-words"):
        drawn = figure(source, name)
        assert len(drawn.series) == 10
        assert drawn.private
        for line in drawn.series:
            assert line.x[0] == 1
            small = line.y[line.x <= 5]
            assert np.abs(small - line.y[0]).max() < 0.35 * line.y[0]
            assert line.y[line.x <= 10].min() > 0.5 * line.y[0]
        together = np.sum([line.y for line in drawn.series], axis=0)
        assert together.min() > 0.6 * together[0]


def test_that_frequencies_are_those_of_the_measure() -> None:
    log = log_of(random_rows(users=30, rows=300, seed=5))
    values = measured(log, 4)
    drawn = figure(look(log, k=4), "expected-queries")
    heights = [float(line.y[list(line.x).index(4)]) for line in drawn.series]
    released: Any = values["top_queries_released"]
    assert heights == pytest.approx([rows * heights[0] / released[0] for rows in released])


def test_that_points_are_kept_and_a_cancel_is_heard() -> None:
    log = synthesize_log(80, days=8, seed=32).log
    first = expect_whole(METHOD.name, log, k=5)
    assert figure(first, "expected-loss").x.label.endswith("(k)")
    assert look(log, k=7).delayed is None  # 7 stands on the curve already
    stop = threading.Event()
    stop.set()
    with pytest.raises(Cancelled):
        look(synthesize_log(80, days=8, seed=33).log, progress=Progress(cancelled=stop), k=5)
