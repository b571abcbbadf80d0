from __future__ import annotations

import pytest

import auditor
from auditor.api.run import preview
from auditor.errors import MissingInput, ParameterError
from auditor.log.model import QueryLog
from auditor.privacy.release import Preview, Release

LOG = QueryLog.from_columns(user=["a", "b", "c"], query=["x", "x", "y"], time=[1, 2, 3])


def test_that_one_call_makes_a_release() -> None:
    made = auditor.anonymize(LOG, "frequency-threshold", n=2)
    assert isinstance(made, Release)
    assert made.log is not None
    assert made.log.queries.list_strings() == ["x"]


def test_that_a_seed_makes_a_preview_only() -> None:
    made = preview(LOG, "safelog", seed=1)
    assert isinstance(made, Preview)
    assert not isinstance(made, Release)


def test_that_wrong_calls_say_what_is_wrong() -> None:
    with pytest.raises(ParameterError, match="There is no method"):
        auditor.anonymize(LOG, "nothing")
    with pytest.raises(ParameterError, match="'n' parameter"):
        auditor.anonymize(LOG, "frequency-threshold", n=0)
    empty = QueryLog.from_columns(user=[], query=[], time=[])
    with pytest.raises(MissingInput):
        auditor.anonymize(empty, "frequency-threshold")
    with pytest.raises(AttributeError, match="nothing"):
        auditor.nothing  # noqa: B018
