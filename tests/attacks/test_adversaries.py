"""Adversaries: what they set, how they are recognized, and that verdicts say whose attacks ran."""

import json
from pathlib import Path
from typing import Any

import pytest

import auditor
from auditor.__main__ import main
from auditor.attacks.adversaries import ADVERSARIES, CUSTOM, USUAL, find_adversary
from auditor.attacks.registry import ATTACKS
from auditor.engine.plan import Intent
from auditor.errors import ParameterError
from auditor.log.model import QueryLog
from auditor.measures.registry import MEASURES
from auditor.resource_files import resource_path
from tests.measures.fakes import log_of


@pytest.fixture(scope="module")
def log() -> QueryLog:
    """Users with a few searches of their own and some that all share."""
    rows = [
        (str(user), query, 1_141_000_000 + 60 * number + 3_600 * user, f"http://{user}.example/")
        for user in range(40)
        for number, query in enumerate(["weather", "news", "maps", f"own {user}", f"else {user}"])
    ]
    return log_of(rows)


@pytest.mark.parametrize("who", ADVERSARIES, ids=lambda one: one.name)
def test_that_an_adversary_sets_parameters_that_exist_and_is_recognized(who) -> None:  # type: ignore[no-untyped-def]
    for attack, values in who.settings.items():
        params = who.make_params(attack)
        assert {name: getattr(params, name) for name in values} == dict(values)
        assert params != ATTACKS[attack].params(), "a setting that changes nothing says nothing"
    intent = Intent(method="microaggregation").assume_adversary(who.name)
    assert intent.adversary == who.name
    assert all(intent.find_check_params(name) == who.make_params(name) for name in ATTACKS)


def test_that_an_adversary_replaces_another_and_leaves_measures_alone() -> None:
    intent = (
        Intent(method="microaggregation")
        .tune_check("retrieval", moves=3)
        .assume_adversary("provider")
    )
    other = intent.assume_adversary("colleague")
    assert other.find_check_params("record-linkage").to_dict()["knows"] == "queries"
    assert other.find_check_params("retrieval") == intent.find_check_params("retrieval")
    assert other.assume_adversary(USUAL).checks == intent.assume_adversary(USUAL).checks
    assert other.tune_check("record-linkage", share=0.9).adversary == CUSTOM
    with pytest.raises(ParameterError, match="Did you mean 'family'"):
        intent.assume_adversary("famly")


def test_that_an_attack_is_as_good_as_what_its_adversary_knows(log: QueryLog) -> None:
    release = auditor.anonymize(log, "frequency-threshold", n=1)

    def rate(**values: Any) -> float:
        return auditor.attack("record-linkage", log, release, **values).rate

    assert rate(adversary="provider") == 1.0
    assert rate(adversary="colleague") < 0.7
    usual = ATTACKS["record-linkage"].params().to_dict()
    assert rate() == rate(adversary="provider", share=usual["share"], knows=usual["knows"])


def test_that_the_verdict_says_who_attacked(log: QueryLog) -> None:
    skip = [name for name in (*ATTACKS, *MEASURES) if name != "record-linkage"]
    result = auditor.audit(log, "frequency-threshold", n=1, adversary="family", skip=skip)
    assert result.verdict.record.adversary == result.verdict.to_dict()["adversary"] == "family"
    assert find_adversary("family").knows in result.verdict.text()
    plain = auditor.audit(log, "frequency-threshold", n=1, skip=skip).verdict
    assert plain.record.adversary == USUAL
    assert "adversary" not in plain.to_dict()
    assert not any(adversary.knows in plain.text() for adversary in ADVERSARIES)


def test_that_the_command_line_takes_an_adversary_and_single_parameters(
    log: QueryLog, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "log.csv"
    log.to_pandas()[["user", "query", "time", "url"]].to_csv(table, index=False)
    others = [name for name in (*ATTACKS, *MEASURES) if name != "record-linkage"]
    call = ["audit", str(table), "--method", "frequency-threshold", "-p", "n=1", "--json"]
    call += [*(word for name in others for word in ("--skip", name)), "--out", str(tmp_path / "a")]
    setting = ["--adversary", "family", "-p", "record-linkage.share=0.75"]
    assert main([*call, *setting]) == 1
    assert json.loads(capsys.readouterr().out)["verdict"]["adversary"] == CUSTOM
    for wrong, part in (
        (["--adversary", "nobody"], "There is no adversary"),
        (["-p", "record-linkage.shore=1"], "Did you mean 'share'"),
        (["--set", "share=1"], "CHECK.NAME=VALUE"),
    ):
        assert main([*call, "--overwrite", *wrong]) == 2
        assert part in capsys.readouterr().err


def test_that_the_guide_describes_every_adversary() -> None:
    page = resource_path("docs/attacks.md").read_text("utf-8")
    for adversary in ADVERSARIES:
        assert f"| `{adversary.name}` | {adversary.title} | {adversary.knows} |" in page
