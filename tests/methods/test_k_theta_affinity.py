"""kΘ-affinity: what is kept, what is lost, what it admits, and who can bring queries out."""

from typing import Any

import numpy as np
import pytest

from auditor.engine.backends import local
from auditor.engine.explanation import explain_query
from auditor.log.model import QueryLog
from auditor.log.synthetic.generator import synthesize_log
from auditor.methods.k_theta_affinity.affinity import MOST_WORDS
from auditor.methods.registry import METHODS
from auditor.privacy.randomness import PreviewRandomness
from auditor.privacy.release import Product
from auditor.progress import Progress
from tests.methods.logs import Row, expect, expected_values, log_in, log_of, run_method

METHOD = METHODS["k-theta-affinity"]
LOG = synthesize_log(300, days=10, seed=5).log


def run(log: QueryLog, name: str = "k-theta-affinity", **values: Any) -> Product:
    return run_method(name, log, **{"ids": "keep", **values})


def queries_in(product: Product) -> set[str]:
    return set(log_in(product.content).queries.list_strings())


# A stem of four users, a refinement of one, and a name.
STEM: list[Row] = [(f"u{n}", "car hire", n, None) for n in range(3)]
STEM += [("u3", "car hire rome", 9, None), ("u4", "rome", 9, None), ("u5", "smith rome", 9, None)]


def test_that_the_longest_queries_stand_for_themselves() -> None:
    long = " ".join(f"w{n}" for n in range(MOST_WORDS))
    rows: list[Row] = [("a", long, 1, None), ("b", long + " x", 1, None)]
    values: dict[str, Any] = {"k": 2, "theta": 0.5, "w": 1}
    assert not queries_in(run(log_of(rows), **values))
    shorter: list[Row] = [("a", long[:-4], 1, None), ("b", long, 1, None)]
    assert len(queries_in(run(log_of(shorter), **values))) == 2
    rows.append(("c", long + " x", 1, None))
    assert queries_in(run(log_of(rows), **values)) == {long + " x"}


def test_that_accounts_that_issue_a_stem_bring_out_what_others_added() -> None:
    """Unlike a frequency threshold: the attacker need not guess the refinement."""
    rows: list[Row] = [("victim", "john doe divorce lawyer", 1, None)]
    rows += [(f"fake{n}", "john doe divorce", 2, None) for n in range(4)]
    values: dict[str, Any] = {"theta": 0.6, "similarity": "words", "w": 1}
    assert "john doe divorce lawyer" in queries_in(run(log_of(rows), k=5, **values))
    assert not queries_in(run(log_of(rows), "frequency-threshold", n=5))
    # Where each word needs its users, too, the word that nobody else issued stays back.
    assert not queries_in(run(log_of(rows), k=5, **values | {"w": 2}))


def test_that_the_statement_counts_what_is_one_users() -> None:
    product = run(log_of(STEM), k=4, theta=0.6, similarity="words", w=1)
    statement = product.statement
    assert (statement.model, statement.epsilon) == ("none", None)
    assert statement.measured["refinements"] == 2
    assert statement.measured["lone_queries"] == 1
    assert statement.measured["rare_word_queries"] == 1  # two users issued "rome"
    failing = {entry.name: entry.evidence for entry in statement.failing}
    assert "nobody can be told by a refinement" in failing
    assert "2 of 2 released queries" in failing["nobody can be told by a refinement"]
    assert "every word has k users" in failing
    other = run(log_of(STEM[:3]), k=3, theta=0.6, w=3).statement
    assert {"nobody can be told by a refinement", "every word has k users"}.isdisjoint(
        entry.name for entry in other.failing
    )


@pytest.mark.parametrize("theta", [0.4, 0.7, 1.0])
@pytest.mark.parametrize("w", [1, 5])
def test_that_the_outlook_on_the_whole_log_is_what_a_run_gives(theta: float, w: int) -> None:
    values: dict[str, Any] = {"k": 5, "theta": theta, "w": w}
    outlook = expect(METHOD.name, LOG, **values)
    expected = expected_values(outlook)
    product = run(LOG, **values, ids="random")
    content: Any = product.content
    assert expected["queries"] == len(content.queries)
    assert expected["refinements"] == product.changes["queries_of_fewer_than_k"]
    assert expected["volume"] == pytest.approx(len(content) / len(LOG))
    assert outlook.statement.measured == product.statement.measured
    (figure,) = outlook.figures
    with_affine, without = (line.y for line in figure.series)
    assert np.all(with_affine >= without if w == 1 else np.diff(with_affine) <= 0)


def test_that_an_outlook_says_when_nothing_will_be_left() -> None:
    for k, w, word in ((9, 1, "Lower k"), (2, 99, "Lower w")):
        assert word in expect(METHOD.name, log_of(STEM), k=k, w=w).note


def test_that_an_explanation_says_who_supports_a_query_and_what_turns_it() -> None:
    log = log_of(STEM)
    values: dict[str, Any] = {"theta": 0.6, "similarity": "words", "ids": "keep"}

    def explain(text: str, **more: Any) -> Any:
        params = METHOD.params(**values | more)
        release = local.apply_method(log, METHOD.name, params, PreviewRandomness(1), Progress())
        answer = explain_query(log, release, text, Progress())
        assert answer.explanation is not None
        assert answer.released == (answer.explanation.chance == 1.0)
        return answer.explanation

    accepted = explain("car hire rome", k=4, w=1)
    assert "4 issued it or refinements" in accepted.outcome
    (turn,) = accepted.turns
    assert (turn.parameter, turn.value) == ("k", 5)
    dropped = explain("car hire rome", k=5, w=1)
    assert dropped.turns[0].value == 4
    rare = explain("smith rome", k=1, w=2)
    assert (rare.turns[0].parameter, rare.turns[0].value) == ("w", 1)
    assert explain("smith rome", k=3, w=2).turns[0].value is None
    assert explain("never issued", k=4, w=1).chance == 0.0


@pytest.mark.parametrize(
    ("name", "least"),
    [("k-theta-affinity", "k"), ("frequency-threshold", "n"), ("click-pairs", "k")],
)
@pytest.mark.parametrize(("users", "text"), [(2, "one user id of one's own is"), (4, "3 user ids")])
def test_that_the_statement_says_how_many_ids_an_attacker_needs(
    name: str, least: str, users: int, text: str
) -> None:
    statement = run_method(name, log_of(STEM[:3]), **{least: users}).statement
    assert any(str(entry.evidence).startswith(text) for entry in statement.assumptions)
