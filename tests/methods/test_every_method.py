"""What holds for every method: logs of next to nothing, and what none says or leaves undecided."""

from typing import Any

import numpy as np
import pytest

from auditor.engine.plan import Intent, resolve_intent
from auditor.errors import ParameterError
from auditor.gui.state.intent_editor import IntentEditor
from auditor.log.model import QueryLog
from auditor.log.synthetic.generator import synthesize_log
from auditor.methods.registry import METHODS
from auditor.params import ParamKind
from auditor.privacy.randomness import SecureRandomness
from tests.methods.logs import (
    QUIET,
    Row,
    expect,
    find_assumption,
    log_in,
    log_of,
    names_of_failing,
    random_rows,
    run_method,
    statuses,
)

LOG = log_of(random_rows())
TINY: list[tuple[str, list[Row]]] = [(name, []) for name in METHODS]
LOGS = [name for name in METHODS if METHODS[name].yields == "log"]
TINY += [(name, [("u", "a", 1, None)]) for name in METHODS if not METHODS[name].grouped]
"""Logs of no row and of one; groups of users need users."""


@pytest.mark.parametrize("name", METHODS)
def test_that_no_query_text_reaches_a_statement(name: str) -> None:
    statement = str(run_method(name, LOG).statement.to_dict())
    assert not any(query in statement for query in LOG.queries.list_strings())


@pytest.mark.parametrize(("name", "rows"), TINY)
def test_that_a_log_of_next_to_nothing_is_expected_and_released(name: str, rows: list[Row]) -> None:
    log = log_of(rows)
    product, outlook = run_method(name, log), expect(name, log)
    assert product.statement.claim
    assert outlook.statement.claim
    assert all(np.isfinite(metric.value) for metric in outlook.values)
    assert all(count >= 0 for count in product.changes.values())


def test_that_what_is_no_date_is_refused() -> None:
    for name in METHODS:
        if any(spec.name == "first_day" for spec in METHODS[name].params.specs()):
            with pytest.raises(ParameterError, match="no date"):
                METHODS[name].params.of({"first_day": 19_700_231})


@pytest.mark.parametrize("name", LOGS)
def test_that_ids_come_through_where_it_is_said_and_addresses_and_sources_never(name: str) -> None:
    rows = random_rows()
    log = QueryLog.from_columns(
        user=[f"secret-{row[0]}" for row in rows],
        query=[row[1] for row in rows],
        time=[row[2] for row in rows],
        ip=[7] * len(rows),
        cookie=["c"] * len(rows),
    )
    product = run_method(name, log)
    content = log_in(product.content)
    assert len(content)
    assert (content.ip, content.cookie, content.cookies) == (None, None, None)
    assert content.origin.files == ()
    known = any("secret" in user for user in content.users.list_strings())
    assert known == ("ids are unknown" in names_of_failing(product.statement))


# what is left undecided

UNDECIDABLE = {
    "one person, one user id": "who stands behind an id is not in the log",
    "attackers know nothing of the others": "what attackers know is theirs",
    "attackers issue no stem": "what attackers searched for, and when, is theirs",
    "attackers are none of the n": "who attackers are is theirs",
    "size is public": "what others know of the log's size is theirs",
    "parameters chosen blindly": "how a person chose is not in the program",
    "nobody watches the clock": "who watches a run is not in the program",
    "no string gives a person away": "what a string says of a person takes a reader",
    "neighbours on the network are strangers": "who lives where is not in the log",
    "the strings give nobody away": "what a string says of a person takes a reader",
    "pages are public": "what a results page shows strangers is not in the log",
    "records of one user are not linked": "what else links them is for attacks",
    "keys are public": "where a list comes from, and who chose the days, is not in them",
    "pool from elsewhere": "where a file of queries comes from is not in it",
    "the key stays secret": "only where a key file was asked for: who copies it is not known",
    "no other release": "the ledger decides it when the release is written",
    "not picked among several draws": "the ledger decides it when the release is written",
}
"""Assumption → why no program with the log and the release alone can decide it."""


def variants(name: str) -> list[dict[str, Any]]:
    """The defaults, and each other value of each choice and flag."""
    choices: list[dict[str, Any]] = [{}]
    for spec in METHODS[name].params.specs():
        if spec.kind is ParamKind.CHOICE:
            choices += [{spec.name: option.value} for option in spec.options]
        elif spec.kind is ParamKind.FLAG:
            choices += [{spec.name: value} for value in (False, True)]
    return choices


@pytest.mark.parametrize("name", METHODS)
def test_that_only_what_no_program_can_know_is_left_undecided(name: str) -> None:
    method = METHODS[name]
    for values in variants(name):
        try:
            params = method.params().replace(**values)
            product = method.run(LOG, params, rng=SecureRandomness(), progress=QUIET)
        except Exception as error:  # a choice that needs what this log or the test doesn't have
            assert type(error).__name__ in ("ParameterError", "MissingInput"), error
            continue
        status = statuses(product.statement)
        assert {name for name in status if status[name] == "unknown"} <= set(UNDECIDABLE), values


def test_that_clusters_of_a_coarse_delta_are_decided() -> None:
    for delta in (0.3, 0.6, 0.9):
        statement = run_method("k-delta", LOG, delta=delta, k=3).statement
        assumption = find_assumption(statement, "clusters are those of the whole log")
        assert assumption.status in ("holds", "fails")
        assert "computed again" in assumption.evidence


# groups of k

TWELVE = synthesize_log(12, days=2, seed=3).log
GROUPED = [name for name in METHODS if METHODS[name].grouped]


@pytest.mark.parametrize("name", GROUPED)
def test_that_an_expectation_promises_no_groups_that_a_log_is_too_small_for(name: str) -> None:
    with pytest.raises(ParameterError, match="12 users, fewer than k = 13"):
        expect(name, TWELVE, k=13)
    assert expect(name, TWELVE, 2.0, k=13).statement.unit
    enough, too_many = (
        Intent(method=name, values=((name, METHODS[name].params.of({"k": k})),)) for k in (12, 13)
    )
    with pytest.raises(ParameterError, match="fewer than k = 13"):
        resolve_intent(too_many, TWELVE)
    assert resolve_intent(enough, TWELVE)


@pytest.mark.parametrize("name", GROUPED)
def test_that_a_slider_does_not_go_beyond_the_users_of_the_log(name: str) -> None:
    editor = IntentEditor(name)
    refusals: list[tuple[str, str]] = []
    editor.refused.connect(lambda parameter, why: refusals.append((parameter, str(why))))
    editor.set("k", 500)
    assert editor.intent.params.to_dict()["k"] == 500  # no log is open
    editor.users = 151
    editor.set("k", 499)
    editor.set_all({"k": 152})
    assert [parameter for parameter, _ in refusals] == ["k", "k"]
    assert "151" in refusals[0][1]
    editor.set("k", 151)
    assert editor.intent.params.to_dict()["k"] == 151
