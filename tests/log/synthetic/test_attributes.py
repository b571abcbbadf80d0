"""Columns beside a synthetic log."""

from __future__ import annotations

import numpy as np
import pytest

from auditor.log.model import NONE, QueryLog
from auditor.log.synthetic.generator import synthesize_log
from auditor.log.synthetic.people import DEVICES


@pytest.fixture(scope="module")
def log() -> QueryLog:
    return synthesize_log(400, days=10, seed=4, attributes=True).log


def test_that_the_rows_are_those_of_the_log_without_columns(log: QueryLog) -> None:
    plain = synthesize_log(400, days=10, seed=4).log
    assert not plain.attributes
    assert log.without_attributes.digest == plain.digest


@pytest.mark.parametrize(
    ("holder", "names"),
    [("user", ("country", "region", "language", "signed_in")), ("cookie", ("device",))],
)
def test_that_a_column_is_of_a_person_or_of_a_browser(
    log: QueryLog, holder: str, names: tuple[str, ...]
) -> None:
    of_row = log.columns[holder]
    for name in names:
        pairs = np.unique(np.stack([of_row, log.attributes[name].codes]), axis=1)
        assert len(np.unique(pairs[0])) == pairs.shape[1]


def test_that_places_and_dwell_times_stand_where_they_mean_something(log: QueryLog) -> None:
    code = {name: column.codes for name, column in log.attributes.items()}
    american = code["country"] == log.attributes["country"].texts.list_strings().index("US")
    assert ((code["region"] != NONE) == american).all()
    assert ((code["dwell_ms"] != NONE) == (log.url != NONE)).all()
    assert set(log.attributes["device"].texts.list_strings()) == set(DEVICES)
    shares = np.bincount(code["country"]) / len(log)
    assert shares.max() > 0.2
    assert (shares[shares > 0] < 0.05).sum() > 5  # small countries, whose groups are small
