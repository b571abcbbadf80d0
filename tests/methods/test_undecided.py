"""Which assumptions a statement may leave undecided, and why the program can't decide them."""

from typing import Any

import pytest

from auditor.methods.registry import METHODS
from auditor.params import ParamKind
from auditor.privacy.randomness import SecureRandomness
from tests.methods.logs import QUIET, log_of, random_rows, run_method, statuses

LOG = log_of(random_rows())

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
        (assumption,) = (
            entry
            for entry in statement.assumptions
            if entry.name == "clusters are those of the whole log"
        )
        assert assumption.status in ("holds", "fails")
        assert "computed again" in assumption.evidence
