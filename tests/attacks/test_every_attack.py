"""What holds for every attack: its result, that it can be cancelled, and when it doesn't apply."""

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
from auditor.errors import Cancelled, MissingInput
from auditor.log.synthetic.generator import SyntheticLog, synthesize_log
from auditor.privacy.release import Preview
from tests.attacks.attacked import check_result, release_of, tables_of
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


def complete_evidence(name: str, profiles: Path) -> Evidence:
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
    evidence, params = complete_evidence(name, profiles), PARAMS.get(name, {})
    assert ATTACKS[name].why_not(evidence) == ""
    first, second = (run_attack(ATTACKS[name], evidence, **params) for _ in range(2))
    assert first.details == second.details
    assert [value.value for value in first.values] == [value.value for value in second.values]
    assert first.control == second.control
    assert find_published(first) == []
    check_result(evidence.log, first)
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


RELEASES: dict[str, tuple[str, dict[str, Any]]] = {
    "hashes": ("token-hashing", {}),
    "n-grams": ("n-grams", {"epsilon": 40.0}),
    "one id": ("frequency-threshold", {"n": 1, "ids": "drop"}),
    "users' ids": ("frequency-threshold", {"n": 2, "ids": "keep"}),
    "new ids": ("frequency-threshold", {"n": 2, "ids": "random"}),
    "masks": ("entity-allowlist", {"k_entity": 2, "forbidden": "mask"}),
    "no rows": ("frequency-threshold", {"n": 1_000}),
}
READABLE = ("one id", "users' ids", "new ids")
LOGS = ("hashes", *READABLE, "masks")
FORMS = ("nothing", "tables", "n-grams", *LOGS, "no rows")

NEEDS_LOG = {"nothing": "needs a release"} | dict.fromkeys(("tables", "n-grams"), "tables")
NEEDS_RECORDS = NEEDS_LOG | {"one id": "one id"}
NEEDS_WORDS = {"hashes": "can be read"}
NEEDS_HASHES = NEEDS_LOG | {"nothing": ""} | dict.fromkeys((*READABLE, "masks"), "can be read")
NEEDS_BUNDLES = dict.fromkeys(("tables", "n-grams", *LOGS), "holds no bundles")

REFUSALS: dict[str, dict[str, str]] = {
    "entity-exposure": NEEDS_HASHES,
    "hash-inversion": NEEDS_HASHES,
    "record-linkage": NEEDS_RECORDS,
    "near-linkage": NEEDS_RECORDS | NEEDS_WORDS,
    "semantic-linkage": NEEDS_RECORDS | NEEDS_WORDS,
    "unicity": NEEDS_RECORDS | NEEDS_WORDS,
    "composition-exposure": {"nothing": "needs a release", "n-grams": "n-grams"} | NEEDS_WORDS,
    "masked-completion": NEEDS_LOG | dict.fromkeys(("hashes", *READABLE), "has a star"),
    "mini-session-linkage": NEEDS_RECORDS
    | {"users' ids": "no more records than users"}
    | dict.fromkeys(("hashes", "new ids"), "on several days"),
    "attribute-inference": NEEDS_LOG | dict.fromkeys(LOGS, "form groups"),
    "planted-strings": {"nothing": "needs a release"} | NEEDS_WORDS,
    "planted-stems": {"nothing": "needs release", "tables": "does not name"}
    | dict.fromkeys(("hashes", "n-grams"), "guarantee")
    | dict.fromkeys((*READABLE, "masks"), "does not name"),
    "differencing": {"nothing": "needs a release"}
    | dict.fromkeys(("tables", "n-grams", *LOGS), "needs another release"),
    "structural": NEEDS_BUNDLES,
    "unbundling": NEEDS_BUNDLES,
    "dp-audit": {"nothing": "needs release", "n-grams": "does not name"}
    | dict.fromkeys(("tables", *LOGS, "no rows"), "claims no ε"),
}
"""Why an attack does not apply to a form of release, in part; it applies to all others."""


@cache
def released(form: str) -> Preview | None:
    if form == "nothing":
        return None
    if form == "tables":
        return release_of(tables_of(*world().log.queries.list_strings()))
    method, values = RELEASES[form]
    return auditor.preview(world().log, method, seed=1, **values)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ATTACKS)
def test_that_an_attack_says_why_it_does_not_apply(name: str, form: str, profiles: Path) -> None:
    refusal = REFUSALS.get(name, {}).get(form, "is empty" if form == "no rows" else "")
    evidence = Evidence(log=world().log, release=released(form), profiles=profiles)
    why = ATTACKS[name].why_not(evidence)
    assert refusal in why
    assert bool(refusal) == bool(why)
    if refusal:
        with pytest.raises(MissingInput, match=refusal):
            run_attack(ATTACKS[name], evidence)
