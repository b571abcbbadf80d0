"""What holds for every attack: it stops when cancelled, repeats itself, and publishes no text."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import auditor
from auditor.attacks.base import AttackResult, Evidence
from auditor.attacks.registry import ATTACKS
from auditor.cli.console import attack_facts
from auditor.engine.backends import local
from auditor.errors import Cancelled
from auditor.log.synthetic.generator import SyntheticLog, synthesize_log
from tests.measures.fakes import cancelled, made_by, run_attack

METHODS_OF: dict[str, tuple[str, dict[str, Any]]] = {
    "composition-exposure": ("frequency-threshold", {"n": 1}),
    "masked-completion": ("entity-allowlist", {"k_entity": 2, "forbidden": "mask"}),
    "mini-session-linkage": ("day-pseudonyms", {"suppress": "nothing"}),
    "attribute-inference": ("microaggregation", {"k": 3}),
    "hash-inversion": ("token-hashing", {}),
    "entity-exposure": ("token-hashing", {}),
    "structural": ("bundling", {"by": "random-users", "group": 12}),
    "unbundling": ("bundling", {"by": "random-users", "group": 12}),
    "dp-audit": ("zealous", {}),
}
"""The method against whose release an attack runs, if not a threshold that keeps the ids."""
PARAMS: dict[str, dict[str, Any]] = {
    "dp-audit": {"runs": 100, "copies": 0},
    "hash-inversion": {"n": 50, "initial": "random"},
    "entity-exposure": {"assume": "inversion", "n": 50, "n_queries": 100},
    "unbundling": {"min_queries": 10, "variant": "w", "compare": False, "table": "none"},
    "vanity": {"min_queries": 10},
}


@cache
def world() -> SyntheticLog:
    return synthesize_log(120, days=10, seed=3)


@pytest.fixture(scope="module")
def profiles(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("profiles") / "profiles.csv"
    world().profiles.to_csv(path, index=False)
    return path


def evidence_of(name: str, profiles: Path) -> Evidence:
    log = world().log
    method, values = METHODS_OF.get(name, ("frequency-threshold", {"n": 2, "ids": "keep"}))
    release = auditor.preview(log, method, seed=1, **values)
    return Evidence(
        log=log,
        release=release,
        reference=world().reference,
        profiles=profiles,
        others=(made_by("frequency-threshold", log, n=3, ids="keep"),),
        rerun=local.repeating_release(release, 0),
    )


@pytest.mark.parametrize("name", ATTACKS)
def test_that_an_attack_repeats_itself_publishes_no_text_and_can_be_cancelled(
    name: str, profiles: Path
) -> None:
    evidence, params = evidence_of(name, profiles), PARAMS.get(name, {})
    assert ATTACKS[name].why_not(evidence) == ""
    first, second = (run_attack(ATTACKS[name], evidence, **params) for _ in range(2))
    assert first.details == second.details
    assert [value.value for value in first.values] == [value.value for value in second.values]
    assert first.control == second.control
    assert find_published(first) == []
    with pytest.raises(Cancelled):
        run_attack(ATTACKS[name], evidence, progress=cancelled(), **params)


def find_published(result: AttackResult) -> list[str]:
    """Users and queries of several words that stand in what is not private."""
    log = world().log
    tables = [
        [table.title, table.note, *table.columns, *map(list, table.rows)]
        for table in result.tables
        if not table.private
    ]
    figures = [[plot.title, plot.note, plot.x.categories] for plot in result.figures]
    metrics = [[value.label, value.help] for value in result.values]
    facts = attack_facts(result)
    text = json.dumps([facts, result.notes, tables, figures, metrics], default=str)
    secrets = [f'"{user}"' for user in log.users.list_strings()]
    secrets += [query for query in log.queries.list_strings() if len(query.split()) > 2]
    return [secret for secret in secrets if secret in text]


def test_that_masked_queries_are_read_and_are_no_hashes() -> None:
    log = world().log
    release = auditor.preview(log, "entity-allowlist", seed=1, k_entity=2, forbidden="mask")
    evidence = Evidence(log=log, release=release)
    assert not ATTACKS["unicity"].why_not(evidence)
    assert not ATTACKS["composition-exposure"].why_not(evidence)
    assert "can be read" in ATTACKS["hash-inversion"].why_not(evidence)
