"""Costs without a log, and the ledger, from Python."""

from pathlib import Path

import pytest

import auditor
from auditor.log.model import QueryLog
from auditor.log.synthetic.generator import synthesize_log
from auditor.methods.registry import METHODS
from auditor.params import Params
from tests.policies import policy_text


@pytest.fixture(scope="module")
def log() -> QueryLog:
    return synthesize_log(60, days=8, seed=3).log


@pytest.mark.parametrize("name", [name for name in METHODS if METHODS[name].families])
def test_that_the_cost_of_parameters_is_what_a_release_states(name: str, log: QueryLog) -> None:
    params = METHODS[name].params()
    report = auditor.account(params)
    stated = auditor.preview(log, params, seed=1).statement
    assert (report.epsilon, report.delta) == (stated.epsilon, stated.delta)
    assert list(report.to_pandas()["mechanism"]) == [term.name for term in stated.terms]


def test_that_releases_add_up_as_the_ledger_adds_them() -> None:
    first, second = auditor.SafeLog(b=20.0, clicks=False, transitions=False), auditor.SafeLog(q_f=5)
    alone = [auditor.account(each) for each in (first, second)]
    both = auditor.account(first, second)
    assert both.epsilon == pytest.approx(sum(each.epsilon or 0 for each in alone))
    assert both.delta == pytest.approx(sum(each.delta or 0 for each in alone))
    assert both.tight_epsilon is None or both.tight_epsilon < (both.epsilon or 0)
    assert auditor.account(first, auditor.TokenHashing()).epsilon is None


@pytest.mark.parametrize("settings", [(), (auditor.Volume(),)])
def test_that_what_is_no_setting_of_a_method_is_refused(settings: tuple[Params, ...]) -> None:
    with pytest.raises(auditor.ParameterError):
        auditor.account(*settings)


def test_that_the_ledger_lists_what_was_approved(log: QueryLog, tmp_path: Path) -> None:
    place, key, policy = tmp_path / "ledger.sqlite", tmp_path / "key.pem", tmp_path / "policy.toml"
    assert auditor.ledger(place).to_pandas().empty
    policy.write_text(policy_text("some release.queries least=1"))
    release = auditor.anonymize(log, auditor.FrequencyThreshold(n=2))
    folder = auditor.save(release, log, tmp_path / "out", policy=policy)
    auditor.new_key(key)
    auditor.approve(folder, reviewer="A. Steward", key=key, ledger=place)
    report = auditor.ledger(place)
    assert not report.problems
    table = report.to_pandas()
    assert list(table["method"]) == ["frequency-threshold"]
    assert list(table["reviewer"]) == ["A. Steward"]
    assert len(report.histories) == 1
