"""Totals of a log by hand, the terms they are composed of, and which logs are taken for one."""

import dataclasses
import functools
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.engine.backends import local
from auditor.log.model import QueryLog
from auditor.log.reading.column_mapping import ReadOptions
from auditor.log.reading.reader import read_log
from auditor.methods.noisy_counts.period_units import (
    DAY,
    HISTORY,
    describe_neighbours,
    describe_unit,
)
from auditor.methods.registry import METHODS
from auditor.methods.selected_statement import selected_statement
from auditor.methods.statements import EXCHANGED, NEIGHBOURS, NO_OTHER_RELEASE, UNIT
from auditor.privacy import gaussian
from auditor.privacy.composition import NoiseLaw, combine_laws
from auditor.privacy.noise import SecureRandomness
from auditor.privacy.selection import ParameterSelection
from auditor.privacy.statement import Statement
from auditor.progress import silent_progress
from auditor.release.ledger import history as ledger_history
from auditor.release.ledger import store
from auditor.release.ledger.other_releases import decide_assumptions
from auditor.release.ledger.store import LedgerEntry, LedgerState
from auditor.release.ledger.totals import (
    SpentBudget,
    from_plain,
    spent_of,
    to_plain,
    total_of,
    write_sentences,
)
from auditor.release.loading import statement_of
from auditor.release.record import MISSING, ReleaseRecord
from tests.methods.logs import log_of, random_rows
from tests.narrowing import present

SECRET = b"s" * 32


def formal(epsilon: float, delta: float = 0.0, **more: Any) -> SpentBudget:
    fields = {"method": "korolova", "unit": UNIT, "neighbours": NEIGHBOURS} | more
    return SpentBudget(epsilon=epsilon, delta=delta, **fields)


VAGUE = SpentBudget("microaggregation", "a record", "", why="none", noise=False)


def bounded(*spent: SpentBudget) -> Any:
    return present(total_of(spent).bounded)


OF_DAY = {"unit": describe_unit(DAY), "neighbours": describe_neighbours(DAY, exchanged=False)}


# Adding up


def test_that_a_sum_is_what_the_hand_adds() -> None:
    total = total_of([formal(1.0, 1e-6), formal(0.5, 2e-6), formal(0.25)])
    part = present(total.bounded)
    assert part.epsilon == pytest.approx(1.75)
    assert part.delta == pytest.approx(3e-6)
    assert total.format_headline() == "ε 1.75, δ 3 × 10⁻⁶"
    assert total.formal == 3
    assert "Rogers" in " ".join(total.notes)


def test_that_delta_is_multiplied_by_the_units_that_are_protected() -> None:
    total = total_of([formal(1.0, 1e-6, **OF_DAY)] * 2)
    assert total.find_figure("delta_users", {HISTORY: 5, DAY: 300})[0] == pytest.approx(600e-6)
    value, why = total.find_figure("delta_users", {HISTORY: 5})
    assert value is None
    assert why.startswith(MISSING)
    users = total_of([formal(1.0, 1e-6)]).find_figure("delta_users", {HISTORY: 5, DAY: 300})
    assert users[0] == pytest.approx(5e-6)


def test_that_a_sum_is_compared_at_the_unit_of_the_policy() -> None:
    units = {HISTORY: 40, DAY: 300}
    total = total_of([formal(1.0, 1e-6), formal(2.0, 1e-6, **OF_DAY)])
    assert total.find_figure("epsilon", units, HISTORY)[0] == math.inf
    assert total.find_figure("delta_users", units, HISTORY)[0] == 40
    assert total.find_figure("epsilon", units, DAY)[0] == 2 * 1.0 + 2.0
    limited = formal(2.0, 1e-6, longer=((HISTORY, 9.0, 1e-5),), **OF_DAY)
    bounded = total_of([formal(1.0, 1e-6), from_plain(to_plain(limited))])
    assert bounded.find_figure("epsilon", units, HISTORY)[0] == 1.0 + 9.0
    assert bounded.find_figure("delta_users", units, HISTORY)[0] == pytest.approx(40 * 1.1e-5)
    assert total_of([formal(1.0)]).find_figure("epsilon", units, DAY)[0] == 2.0


def test_that_many_equal_releases_compose_more_tightly() -> None:
    # Randomised response of ε = 0.1, 100 times, at δ = 10⁻⁶: 10 by the sum. By hand, advanced
    # composition (Dwork, Rothblum and Vadhan) gives ε√(2k·ln(1/δ')) + kε(e^ε − 1) = 6.31; what is
    # exact is smaller.
    total = bounded(*[formal(0.1, 1e-8)] * 100)
    assert (total.epsilon, total.delta) == (pytest.approx(10), pytest.approx(1e-6))
    tight = present(total.tight_epsilon)
    assert total.tight_delta == pytest.approx(2e-6)
    advanced = 0.1 * math.sqrt(200 * math.log(1e6)) + 10 * (math.exp(0.1) - 1)
    assert advanced == pytest.approx(6.308, abs=1e-3)
    assert 3 < tight < advanced


def test_that_two_releases_of_known_noise_are_composed_by_that_noise() -> None:
    # 50 counts of scale 10 in each of two releases are 100 of scale 10: 10 by the sum, and the
    # golden 4.7 at δ = 10⁻⁶ of the sources' own accounting.
    release = formal(5.0, 5e-7, laws=(NoiseLaw("laplace", 10.0, 50, delta=5e-7),))
    total = bounded(release, release)
    assert total.epsilon == 10
    assert total.tight_epsilon == pytest.approx(4.7, abs=0.1)
    assert total.tight_delta == pytest.approx(2e-6)


@given(
    st.lists(
        st.tuples(st.floats(0.0, 8.0), st.floats(0.0, 1e-3)).map(lambda pair: formal(*pair)),
        min_size=1,
        max_size=4,
    )
)
@settings(max_examples=25)
def test_that_no_total_is_below_a_part_and_the_tight_one_not_above_the_sum(
    listed: list[SpentBudget],
) -> None:
    total = bounded(*listed)
    assert total.epsilon == pytest.approx(math.fsum(item.epsilon for item in listed))
    assert total.delta == pytest.approx(sum(item.delta for item in listed))
    if total.tight_epsilon is not None:
        least = max(item.epsilon for item in listed) - 1e-3
        assert least <= total.tight_epsilon + math.log1p(total.tight_delta * 50)
        assert total.tight_epsilon < total.epsilon


def test_that_a_release_without_a_guarantee_leaves_no_total() -> None:
    total = total_of([formal(1.0), VAGUE])
    assert total.bounded is None
    assert total.format_headline() == "no total"
    assert (total.formal, len(total.unbounded), total.noiseless) == (1, 1, 1)
    value, note = total.find_figure("epsilon", {HISTORY: 10})
    assert value == 1.0
    assert "1 more without a guarantee" in note
    assert total.find_figure("without_guarantee", {HISTORY: 10})[0] == 1
    assert "no total" in write_sentences(total)[0]
    assert "epsilon" not in total.to_dict()
    assert total_of([VAGUE]).find_figure("epsilon", {HISTORY: 10})[0] is None


def test_that_releases_without_noise_are_told_to_intersect() -> None:
    assert not any("intersected" in line for line in write_sentences(total_of([VAGUE])))
    both = total_of([VAGUE, VAGUE])
    (note,) = (line for line in write_sentences(both) if "intersected" in line)
    assert "2 releases without noise" in note
    assert both.find_figure("noiseless", {HISTORY: 10})[0] == 2


def test_that_exchanged_users_cost_twice_what_users_that_come_or_go_cost() -> None:
    total = total_of([formal(0.5, 1e-6), formal(2.0, 3e-6, neighbours=EXCHANGED)])
    part = present(total.bounded)
    assert part.epsilon == pytest.approx(2 * 0.5 + 2.0)
    assert part.delta == pytest.approx((1 + math.exp(0.5)) * 1e-6 + 3e-6)
    assert part.neighbours == EXCHANGED
    assert "counted twice" in " ".join(total.notes)


def test_that_units_which_differ_are_never_added() -> None:
    total = total_of([formal(0.5), formal(0.5, unit="one event")])
    assert total.bounded is None
    assert [part.epsilon for part in total.sums] == [0.5, 0.5]
    assert total.find_figure("epsilon", {HISTORY: 10})[0] == math.inf
    assert "not to be added" in " ".join(total.notes)
    assert "units differ" in write_sentences(total)[0]


# What a statement costs


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({}, ""),
        ({"epsilon": "infinite"}, "no finite ε"),
        ({"epsilon": None}, "no finite ε"),
        ({"epsilon": -1.0}, "no finite ε"),
        ({"delta": 1.0}, "a δ that says nothing"),
        ({"delta": None}, "a δ that says nothing"),
        ({"model": "none"}, "no formal guarantee"),
        ({"model": "k-anonymity"}, "no formal guarantee that adds up: k-anonymity"),
        ({"assumptions": [{"name": "τ", "status": "fails"}]}, "an assumption of its ε fails: τ"),
        ({"assumptions": [{"name": "τ", "status": "unknown"}]}, ""),
    ],
)
def test_that_only_a_guarantee_that_holds_is_added(changes: dict[str, Any], why: str) -> None:
    plain: dict[str, Any] = {"model": "differential privacy", "assumptions": []}
    plain |= {"unit": UNIT, "neighbours": NEIGHBOURS, "epsilon": 1.0, "delta": 1e-6} | changes
    spent = spent_of(ReleaseRecord(statement_of(plain), method="korolova"))
    assert spent.why == why
    assert (spent.epsilon == 1.0) == (not why)
    assert from_plain(to_plain(spent)) == spent


@pytest.mark.parametrize(
    "plain",
    [
        {},
        {"method": 1},
        {"holds": True, "epsilon": -1.0},
        {"holds": True, "epsilon": "x"},
        {"holds": True, "laws": [{"kind": "laplace", "count": 1}]},
        {"holds": True, "laws": 3},
    ],
)
def test_that_an_entry_that_can_not_be_read_has_no_guarantee(plain: dict[str, Any]) -> None:
    entry = to_plain(formal(1.0)) if plain else {}
    assert from_plain(entry | plain).why or "method" in plain


# Which logs are one


def logged(*logs: QueryLog, key: bytes = SECRET) -> LedgerState:
    """A ledger in which each log was sampled and has one release of ε = 1."""
    bodies: list[dict[str, Any]] = []
    for log in logs:
        about = {"digest": log.digest, "users": len(log.users), "rows": len(log)}
        release = {"kind": store.APPROVED, "release": log.digest} | to_plain(formal(1.0))
        bodies += [{"kind": store.LOG, "log": about, "sketch": sketch_log(log, key)}]
        bodies += [release | {"log": about}]
    entries = (LedgerEntry(number, "", "", body) for number, body in enumerate(bodies, start=1))
    return LedgerState("id", tuple(entries))


def sketch_log(log: QueryLog, key: bytes = SECRET) -> dict[str, Any]:
    return dict(ledger_history.sketch_log(log, key, silent_progress()))


def history_of(state: LedgerState, log: QueryLog) -> ledger_history.LedgerHistory:
    return ledger_history.ledger_history(state, log.digest, sketch=sketch_log(log))


def people(seed: int) -> QueryLog:
    """3,000 searches of 150 users with ids of their own, within ten days."""
    chance = np.random.default_rng(seed)
    return QueryLog.from_columns(
        user=[f"{seed}-{code}" for code in chance.integers(0, 150, 3000)],
        query=[f"query {code}" for code in chance.integers(0, 500, 3000)],
        time=chance.integers(0, 864_000, 3000),
    )


@pytest.fixture(scope="module")
def whole() -> QueryLog:
    return people(3)


def test_that_a_part_of_a_log_and_the_whole_add_up(whole: QueryLog) -> None:
    half = whole.rows(whole.time < np.median(whole.time))
    some = whole.sample_users(30, 1)
    state = logged(whole)
    for part in (half, some):
        history = history_of(state, part)
        assert len(history.releases) == 1
        assert history.overlapping[0].share == pytest.approx(1.0)
        assert history.before.bounded is not None
        assert "holds a part of the other" in history.describe_links()[0]
    assert len(history_of(logged(half, some), whole).releases) == 2


def test_that_other_ids_order_and_columns_are_seen_through(whole: QueryLog) -> None:
    order = np.random.default_rng(1).permutation(len(whole))
    other = QueryLog.from_columns(
        user=[f"x{code}" for code in whole.user[order]],
        query=whole.queries.list_strings(whole.query[order]),
        time=whole.time[order],
    )
    assert other.digest != whole.digest
    assert history_of(logged(whole), other).overlapping[0].share == 1.0


def test_that_the_same_people_at_another_time_are_named_and_not_added(whole: QueryLog) -> None:
    middle = np.median(whole.time)
    before, after = whole.rows(whole.time < middle), whole.rows(whole.time >= middle)
    history = history_of(logged(before), after)
    assert (len(history.releases), len(history.before.releases)) == (0, 0)
    assert history.perhaps[0].share > 0.5
    assert "same people" in history.describe_links()[0]


@pytest.mark.parametrize("zones", [("UTC", "Asia/Tokyo"), ("Asia/Tokyo", "Europe/Berlin")])
def test_that_a_log_read_by_the_clock_of_another_zone_is_the_same_log(
    tmp_path: Path, zones: tuple[str, str]
) -> None:
    path = tmp_path / "log.tsv"
    rows = (f"u{n % 40}\tquery {n}\t2024-03-{1 + n % 28:02}T2{n % 4}:00:00Z\n" for n in range(400))
    path.write_text("user\tquery\ttime\n" + "".join(rows))
    first, second = (read_log(path, ReadOptions(time_zone=zone)) for zone in zones)
    assert first.digest != second.digest
    history = history_of(logged(first), second)
    assert [link.share for link in history.overlapping] == [pytest.approx(1.0)]
    assert (len(history.before.releases), history.perhaps) == (1, ())


def test_that_nobody_knows_what_a_log_of_the_same_ids_is(whole: QueryLog) -> None:
    later = dataclasses.replace(whole, time=whole.time + 9 * 3600)
    history = history_of(logged(whole), later)
    assert "no event" not in history.describe_links()[0]
    status, _ = decide_assumptions("differential privacy", history)[NO_OTHER_RELEASE]
    assert status == "unknown"


def test_that_moments_are_added_to_the_samples_of_an_older_version(tmp_path: Path) -> None:
    log = people(5)
    log = dataclasses.replace(log, origin=dataclasses.replace(log.origin, time_zone="Asia/Tokyo"))
    sketch = sketch_log(log)
    older = {name: sample for name, sample in sketch.items() if name != "moments"}
    for samples in (older, sketch, sketch):
        state = ledger_history.remember_sketch(log, samples, tmp_path / "ledger.sqlite", SECRET)
    assert len(state.entries) == 2
    assert ledger_history.find_related(state, log.digest, sketch) == []


def test_that_another_log_is_another(whole: QueryLog) -> None:
    history = history_of(logged(people(4)), whole)
    assert (history.releases, history.overlapping) == ((), ())


def test_that_without_samples_or_with_another_key_only_the_same_log_is_known(
    whole: QueryLog,
) -> None:
    part = whole.sample_users(50, 1)
    assert history_of(logged(whole, key=b"t" * 32), part).releases == ()
    plain = ledger_history.ledger_history(logged(whole), part.digest)
    assert (plain.releases, plain.sampled) == ((), False)
    assert "Only the very same log" in plain.describe_links()[-1]
    same = ledger_history.ledger_history(logged(whole, key=b"t" * 32), whole.digest)
    assert len(same.releases) == 1


def test_that_samples_are_the_same_however_a_log_is_cut_into_blocks(
    whole: QueryLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    sketch = sketch_log(whole)
    monkeypatch.setattr(ledger_history, "_BLOCK", 777)
    assert sketch_log(whole) == sketch
    assert sketch_log(whole, b"t" * 32) != sketch


def test_that_an_empty_log_overlaps_with_nothing() -> None:
    nothing = QueryLog.from_columns(user=[], query=[], time=[])
    assert sketch_log(nothing)["events"] == []
    assert history_of(logged(nothing), nothing).overlapping == ()


# The terms of every method with ε: never composed to less than a release


LOG = log_of(random_rows(users=40, rows=300))
QUERIES_ALONE: dict[str, Any] = {
    "q_f": 3,
    "clicks": False,
    "transitions": False,
    "protected_unit": "day",
}
CASES: list[tuple[str, dict[str, Any]]] = [
    ("safelog", {"q_f": 4, "c_f": 2}),
    ("safelog", QUERIES_ALONE),
    ("safelog", QUERIES_ALONE | {"periods": 2}),
    ("korolova", {"q_f": 3}),
    ("korolova", {"q_f": 3, "protected_unit": "week", "periods": 2}),
    ("zealous", {"epsilon": 1.0}),
    ("zealous", {"epsilon": 1.0, "protected_unit": "day", "periods": 2}),
    ("set-union", {"epsilon": 1.0, "weighting": "even"}),
    ("set-union", {"epsilon": 1.0, "weighting": "screened"}),
    ("set-union", {"epsilon": 1.0, "protected_unit": "month", "periods": 2}),
    ("n-grams", {"epsilon": 1.0, "longest": 3}),
    ("partition-selection", {"epsilon": 1.0, "q_f": 5}),
    ("dated-counts", {"epsilon": 1.0, "q_f": 2, "days": 2}),
    ("dated-counts", {"epsilon": 1.0, "q_f": 20, "days": 60}),
    ("dated-counts", {"epsilon": 1.0, "q_f": 2, "days": 2, "protected_unit": "day"}),
]
SELECTION = ParameterSelection("private", 0.5, candidates=40, searches=2)
OPTIONS = [(share, selection) for share in (None, 0.3) for selection in (None, SELECTION)]


def release_statement(
    method: str,
    values: dict[str, Any],
    share: float | None = None,
    selection: ParameterSelection | None = None,
) -> Statement:
    rng = SecureRandomness()
    params: Any = METHODS[method].params(**values)
    sample = local.sample_log(LOG, share, rng)
    release = local.apply_method(sample, method, params, rng, silent_progress())
    return selected_statement(release.statement, selection, method, params)


def spend(method: str, statement: Statement) -> SpentBudget:
    # of so few users, δ is too large for some methods
    return spent_of(ReleaseRecord(dataclasses.replace(statement, assumptions=()), method=method))


@pytest.mark.parametrize(("share", "selection"), OPTIONS)
@pytest.mark.parametrize(("method", "values"), CASES)
def test_that_the_terms_of_a_release_make_up_its_epsilon_and_delta(
    method: str, values: dict[str, Any], share: float | None, selection: ParameterSelection | None
) -> None:
    statement = release_statement(method, values, share, selection)
    epsilon, delta = statement.epsilon, statement.delta
    assert epsilon is not None
    assert delta is not None
    assert math.fsum(term.epsilon for term in statement.terms) == pytest.approx(epsilon)
    assert math.fsum(term.delta for term in statement.terms) == pytest.approx(delta)
    assert statement_of(statement.to_dict()).terms == statement.terms
    spent = spend(method, statement)
    assert spent.laws == tuple(term.law for term in statement.terms)
    assert from_plain(to_plain(spent)) == spent
    # Composed, they give the stated ε at the stated δ, or less where the noise is known to be less.
    composed = combine_laws(spent.laws)
    least = composed.compute_epsilon(delta * (1 + 1e-9))
    assert least <= epsilon * (1 + 1e-3)
    if all(law.kind in ("approximate", "included", "gaussian") for law in spent.laws):
        assert least == pytest.approx(epsilon, rel=1e-3 if composed.rho == 0 else 0.2)
    if selection is not None:
        alone = combine_laws(law for law in spent.laws[:-1])
        assert least > alone.compute_epsilon(delta * (1 + 1e-9))


def test_that_safelogs_terms_give_its_tight_epsilon_back() -> None:
    statement = release_statement("safelog", {"q_f": 20, "c_f": 10, "delta": 1e-6})
    assert statement.tight_epsilon is not None
    composed = spend("safelog", statement).composed
    assert statement.delta is not None
    delta = statement.delta + 1e-6
    assert composed.compute_epsilon(delta) == pytest.approx(statement.tight_epsilon, rel=1e-6)


@pytest.mark.parametrize("method", ["set-union", "n-grams"])
def test_that_gaussian_terms_are_the_concentrated_cost_of_the_stated_epsilon(method: str) -> None:
    spent = spend(method, release_statement(method, {"epsilon": 1.0, "delta": 1e-6}))
    assert spent.composed.rho == pytest.approx(gaussian.rho_for(1.0, 5e-7))
    assert spent.composed.delta == pytest.approx(5e-7)


def test_that_two_releases_with_a_private_choice_are_no_less_than_one() -> None:
    """Two releases of ε 1.5, of which 0.5 chose the parameters, were once together 1.332."""
    chosen = ParameterSelection("private", 0.5, candidates=40)
    values = {"epsilon": 1.0, "delta": 1e-6}
    spent = spend(
        "partition-selection", release_statement("partition-selection", values, None, chosen)
    )
    assert spent.epsilon == pytest.approx(1.5)
    both = present(total_of([spent, spent]).bounded)
    assert both.epsilon == pytest.approx(3.0)
    assert any("counted with each" in note for note in total_of([spent, spent]).notes)
    assert not any("counted with each" in note for note in total_of([spent]).notes)
    if both.tight_epsilon is not None:
        assert both.tight_epsilon >= spent.composed.compute_epsilon(both.tight_delta)
        assert both.tight_epsilon > 1.5


@given(st.lists(st.sampled_from(range(len(CASES) * len(OPTIONS))), min_size=2, max_size=4))
@settings(max_examples=25, deadline=None)
def test_that_a_tight_sum_is_between_each_release_and_the_plain_sum(places: list[int]) -> None:
    listed = [list_spent()[place] for place in places if not list_spent()[place].why]
    for sum_ in total_of(listed).sums:
        part = [row for row in listed if (row.unit, row.neighbours) == (sum_.unit, sum_.neighbours)]
        assert sum_.epsilon == pytest.approx(math.fsum(row.epsilon for row in part))
        if sum_.tight_epsilon is None:
            continue
        assert sum_.tight_epsilon < sum_.epsilon
        for row in part:
            least = min(
                combine_laws(laws).compute_epsilon(sum_.tight_delta)
                for laws in (row.laws, (row.worst,))
            )
            assert sum_.tight_epsilon >= least * (1 - 1e-6) - 1e-8


@functools.cache
def list_spent() -> list[SpentBudget]:
    return [
        spend(method, release_statement(method, values, *option))
        for method, values in CASES
        for option in OPTIONS
    ]


def test_that_terms_that_do_not_make_up_the_epsilon_are_not_believed() -> None:
    statement = release_statement("partition-selection", {"epsilon": 1.0, "delta": 1e-6})
    plain = statement.to_dict()
    first = plain["terms"][0] | {"law": None}
    broken: list[Any] = [[], plain["terms"][1:], [{}], [first]]
    for terms in broken:
        spent = spend("partition-selection", statement_of(plain | {"terms": terms}))
        assert (spent.epsilon, spent.laws) == (1.0, ())
        assert spent.composed == combine_laws((spent.worst,))


def test_that_an_older_entry_counts_as_the_worst_mechanism_of_its_epsilon() -> None:
    plain = to_plain(SpentBudget("x", UNIT, NEIGHBOURS, 1.0, 1e-6))
    older = from_plain(plain | {"mechanisms": [[5.0, 5]], "rho": 0.01, "besides": 1e-7})
    assert older.laws == ()
    assert older.composed.compute_epsilon(1e-6) == pytest.approx(1.0)


def test_that_later_days_whose_parameters_were_chosen_by_each_log_add_up() -> None:
    """The dated tables of different days are one release; the choices of both are two."""
    days = {"epsilon": 1.0, "q_f": 2, "days": 2}
    windows = ((19_700_101, 19_700_131), (19_700_201, 19_700_228))
    params = [days | {"first_day": first, "last_day": last} for first, last in windows]
    spent = []
    for values in params:
        statement = release_statement("dated-counts", values, None, SELECTION)
        statement = dataclasses.replace(statement, assumptions=())
        spent.append(spent_of(ReleaseRecord(statement, method="dated-counts", params=values)))
    total = present(total_of(spent).bounded)
    assert total.epsilon == pytest.approx(2 * 1.5)


def test_that_a_law_is_checked() -> None:
    for plain in ({"kind": "none"}, {"kind": "laplace"}, {"kind": "gaussian", "rho": -1}, {}):
        with pytest.raises((KeyError, ValueError)):
            NoiseLaw.from_dict(plain)
