from __future__ import annotations

import pytest

import auditor
from auditor.api.run import preview
from auditor.errors import MissingInput, ParameterError
from auditor.log.model import QueryLog
from auditor.log.synthetic.generator import synthesize_log
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


def test_that_a_printed_result_is_its_answer_and_no_private_table() -> None:
    log = synthesize_log(60, days=3, seed=1).log
    result = auditor.anonymize(log, "frequency-threshold", n=2)
    lines = str(result).splitlines()
    assert lines[0] == "Release: frequency-threshold"
    assert 3 < len(lines) < 20
    audited = str(auditor.audit(log, "frequency-threshold", n=2)).splitlines()
    assert audited[1].startswith(("Nothing", "Cannot"))
    assert audited[-1].endswith("more in to_pandas()")
    measured = auditor.attack("record-linkage", log, result)
    assert len(str(measured).splitlines()) < 20
    users = {str(row[0]) for table in measured.tables if table.private for row in table.rows}
    assert users
    assert not users & set(str(measured).split())


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
