"""Microaggregation: its groups, its lists, its verifier, and the k slider's pictures of it.

The source's figures are of 1,000 users of AOL's log with 55,666 rows; here stand synthetic users
of that number and that many rows.
"""

import threading
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.arrays import Int64s
from auditor.errors import Cancelled, MissingInput, ParameterError
from auditor.figures import Figure
from auditor.log.model import NONE, QueryLog
from auditor.log.synthetic.generator import synthesize_log
from auditor.log.user_distance.centroid import (
    GroupQueries,
    apportion_total,
    choose_strings,
    compute_centroids,
)
from auditor.log.user_distance.distance import all_distances
from auditor.log.user_distance.features import ClickedDomains, DistanceWeights, space_of
from auditor.measures.frequencies import MEASURE as FREQUENCIES
from auditor.measures.information_loss import MEASURE as LOSS
from auditor.measures.profile_exposure import MEASURE as EXPOSURE
from auditor.methods.base import ExpectedRelease
from auditor.methods.k_curves import KS
from auditor.methods.microaggregation.groups import (
    MOST_COMPARED,
    MicroaggregationParams,
    blocks_of,
    estimate_cost,
    find_groups,
    group_by_mdav,
)
from auditor.methods.microaggregation.method import METHOD
from auditor.privacy.verification.user_k import verify_user_k
from auditor.progress import Progress
from tests.measures.fakes import made_by, take
from tests.methods.logs import (
    QUIET,
    expect,
    expect_whole,
    expected_values,
    line_of,
    log_in,
    log_of,
    random_rows,
    run_method,
    statuses,
)

LOG = synthesize_log(60, days=10, seed=2).log


run = partial(run_method, "microaggregation")


def release(log: QueryLog, **values: Any) -> QueryLog:
    return log_in(run(log, **values).content)


@given(seed=st.integers(0, 999), groups=st.integers(1, 7))
def test_that_strings_chosen_quickly_are_those_of_the_lists(seed: int, groups: int) -> None:
    log = log_of(random_rows(users=20, rows=150, seed=seed))
    of = np.random.default_rng(seed).integers(0, groups, len(log.users))
    parts = [np.flatnonzero(of == group) for group in range(groups) if (of == group).any()]
    lists = compute_centroids(log, parts, ClickedDomains.of(log.urls, QUIET), QUIET)
    quick = choose_strings(GroupQueries.of(log), parts)
    assert quick.query.tolist() == lists.query.tolist()
    assert quick.copies.tolist() == lists.copies.tolist()
    assert np.bincount(quick.owner).tolist() == np.diff(lists.starts).tolist()


@pytest.mark.parametrize(("n", "k"), [(1, 1), (7, 3), (8, 3), (9, 3), (40, 2), (41, 4), (5, 7)])
def test_that_mdav_groups_everybody_by_k_or_more(n: int, k: int) -> None:
    points = np.random.default_rng(n + k).random((n, 2))
    apart = np.sqrt(((points[:, None] - points[None]) ** 2).sum(axis=2)).astype(np.float32)
    groups = group_by_mdav(apart, k, QUIET)
    assert sorted(np.concatenate(groups).tolist()) == list(range(n))
    assert all(min(k, n) <= len(group) <= max(2 * k - 1, n if n < 2 * k else 0) for group in groups)


@given(
    st.lists(
        st.tuples(st.lists(st.integers(1, 9), min_size=1, max_size=7), st.integers(0, 30)),
        min_size=1,
        max_size=5,
    )
)
def test_that_apportioning_is_largest_remainder(segments: list[tuple[list[int], int]]) -> None:
    starts = np.cumsum([0, *(len(weights) for weights, _ in segments)])
    weight = np.concatenate([weights for weights, _ in segments])
    total = np.array([total for _, total in segments])
    shares = apportion_total(total, weight, starts)
    for i, (weights, quantity) in enumerate(segments):
        part = shares[starts[i] : starts[i + 1]].tolist()
        quota = [Fraction(quantity * w, sum(weights)) for w in weights]
        assert sum(part) == quantity
        assert all(int(q) <= p <= int(q) + 1 for p, q in zip(part, quota, strict=True))
        up = [q - int(q) for p, q in zip(part, quota, strict=True) if p > int(q)]
        down = [q - int(q) for p, q in zip(part, quota, strict=True) if p == int(q)]
        assert not up or not down or min(up) >= max(down) or set(down) <= {0}


@pytest.mark.parametrize("k", [1, 2, 7, 60])
@pytest.mark.parametrize("centre", ["distance", "aggregate"])
def test_that_every_record_stands_k_times(k: int, centre: str) -> None:
    product = run(LOG, k=k, centre=centre)
    assert isinstance(product.content, QueryLog)
    assert verify_user_k(product.content, k).holds
    assert product.statement.measured["k"] >= k
    assert product.content.users.list_strings() == LOG.users.list_strings()


@given(st.data())
def test_that_the_verifier_accepts_every_release_and_no_broken_one(data: st.DataObject) -> None:
    n = data.draw(st.integers(4, 40))
    seed = data.draw(st.integers(0, 2**32 - 1))
    k = data.draw(st.integers(2, 4))
    rng = np.random.default_rng(seed)
    log = QueryLog.from_columns(
        user=[*"abcd", *(f"u{i}" for i in rng.integers(0, 9, n))],
        query=["red"] * 4  # so that four users have searched at all
        + [("red", "red car", "old dog", "", "zoo")[i] for i in rng.integers(0, 5, n)],
        time=rng.integers(0, 50, n + 4),
        url=[("http://a.b.c", "http://x.b.c", None)[i] for i in rng.integers(0, 3, n + 4)],
        rank=rng.integers(1, 4, n + 4).astype(np.int16),
    )
    out = release(log, k=k)
    assert verify_user_k(out, k).holds
    sizes = np.bincount(out.user)
    assert sizes.sum() == len(out)
    row = data.draw(st.integers(0, len(out) - 1))
    time = out.time.copy()
    time[row] += 1_000
    assert out.users[int(out.user[row])] in verify_user_k(with_time(out, time), k).names


def with_time(log: QueryLog, time: Int64s) -> QueryLog:
    columns = {name: getattr(log, name) for name in ("user", "query", "url", "rank")}
    texts = {name: getattr(log, name) for name in ("users", "queries", "urls")}
    return QueryLog.from_codes(**columns, **texts, time=time)


def test_that_weights_and_formula_change_the_groups() -> None:
    def names(**values: Any) -> list[list[int]]:
        groups = find_groups(LOG, MicroaggregationParams(k=3, **values), QUIET).groups
        return sorted(group.tolist() for group in groups)

    assert names() != names(w_text=0, w_count=0)
    assert names(formula="printed") == names(w_length=2, w_words=1)
    with pytest.raises(ParameterError, match="w_queries"):
        MicroaggregationParams(w_count=0, w_queries=0)


def test_that_the_blocked_search_keeps_groups_of_k_and_most_of_the_quality() -> None:
    log = synthesize_log(200, days=10, seed=3).log
    exact = MicroaggregationParams(k=3, search="exact")
    quick = exact.replace(search="blocked", block=60)
    total = find_groups(log, exact, QUIET).distance
    fewer, loose, _ = find_groups(log, quick, QUIET)
    assert min(len(group) for group in fewer) >= 3
    assert sorted(np.concatenate(fewer).tolist()) == list(range(200))
    assert total <= loose * 1.02
    assert loose < 2 * total
    assert verify_user_k(release(log, k=3, search="blocked", block=60), 3).holds


def test_that_what_the_blocked_search_lost_is_bounded_by_the_nearest_of_all() -> None:
    log = synthesize_log(16, days=10, seed=3).log  # few enough for all of them to be probed
    apart = all_distances(log, DistanceWeights(), QUIET)
    params = MicroaggregationParams(k=3, search="blocked", block=12)
    groups, _, excess = find_groups(log, params, QUIET)
    spread = sum(apart[np.ix_(group, group)].sum() for group in groups)
    least = np.sort(apart, axis=1)[:, :3].sum()  # oneself and the two nearest
    assert excess is not None
    assert excess == pytest.approx(spread / least - 1, abs=1e-4)
    best = find_groups(log, params.replace(search="exact"), QUIET)
    assert best.excess is None
    assert spread / (2 * best.distance) - 1 <= excess
    name = "blocked_search.percent_lost_at_most"
    measured = run(log, k=3, search="blocked", block=12).statement.measured
    assert measured[name] == pytest.approx(100 * excess)
    assert name not in run(log, k=3, search="exact").statement.measured


def test_that_a_robot_is_compared_in_part_and_counted_whole() -> None:
    log = synthesize_log(100, days=10, seed=3).log
    robot = QueryLog.from_columns(
        user=["robot"] * 5_000 + [log.users[code] for code in log.user],
        query=[f"page {row % 700}" for row in range(5_000)] + [log.queries[q] for q in log.query],
        time=[*range(5_000), *log.time.tolist()],
    )
    space = space_of(robot, QUIET)
    thin = space.thin_events(MOST_COMPARED)
    assert np.diff(thin.starts).max() == MOST_COMPARED
    assert thin.count.tolist() == space.count.tolist()
    user = int(np.argmax(np.diff(space.starts)))
    first, last = thin.starts[user], thin.starts[user + 1]
    assert len(np.unique(thin.query[first:last])) > 490, "evenly taken of 700 queries"
    others = np.flatnonzero(np.arange(len(robot.users)) != user)
    assert thin.select_users(others).query.tolist() == space.select_users(others).query.tolist()
    params = MicroaggregationParams(k=3, search="blocked", block=60)
    groups = find_groups(robot, params, QUIET).groups
    assert sorted(np.concatenate(groups).tolist()) == list(range(101))
    more = estimate_cost(robot, params).seconds - estimate_cost(log, params).seconds
    assert more < 3, "a robot may not hold up everybody"
    product = run(robot, k=3, search="blocked", block=60)
    assert verify_user_k(log_in(product.content), 3).holds


def test_that_users_who_are_all_busy_are_grouped() -> None:
    log = log_of([
        (f"u{user}", f"q{(user * row) % 7}", row, None) for user in range(13) for row in range(201)
    ])  # fmt: skip
    params = MicroaggregationParams(k=3, search="blocked", block=12)
    groups = find_groups(log, params, QUIET).groups
    assert sorted(int(user) for group in groups for user in group) == list(range(13))


@pytest.mark.parametrize(
    ("users", "size", "k"), [(1_000, 60, 10), (977, 40, 10), (81, 40, 10), (500, 20, 3)]
)
def test_that_blocks_leave_no_group_a_remainder(users: int, size: int, k: int) -> None:
    far = np.random.default_rng(users).random((users, 4)).astype(np.float32)
    busy = np.random.default_rng(1).integers(1, 400, users)
    for blocks in (blocks_of(far, size, k), blocks_of(far, size, k, busy)):
        assert sorted(np.concatenate(blocks).tolist()) == list(range(users))
        assert all(k <= len(block) <= size for block in blocks)
        assert sum(len(block) % k > 0 for block in blocks) <= 1


def test_that_too_many_users_for_the_exact_search_are_told_of_the_blocked_one() -> None:
    many = QueryLog.from_columns(
        user=[str(i) for i in range(30_001)], query=["x"] * 30_001, time=[0] * 30_001
    )
    with pytest.raises(MissingInput, match="blocked"):
        run(many, search="exact")


def test_that_the_estimate_grows_with_the_log_and_shrinks_by_blocks() -> None:
    exact, blocked = (MicroaggregationParams(search=s) for s in ("exact", "blocked"))
    assert estimate_cost(LOG, exact, 200).seconds > 50 * estimate_cost(LOG, exact, 20).seconds
    assert estimate_cost(LOG, blocked, 200).seconds < estimate_cost(LOG, exact, 200).seconds / 10
    assert estimate_cost(LOG, exact, 1).pairs == pytest.approx(60 * 60 / 2)


def test_that_the_statement_says_which_strings_are_one_users() -> None:
    product = run(LOG, k=5)
    askers = {q: set(LOG.user[LOG.query == q]) for q in range(len(LOG.queries))}
    codes = log_in(product.content).queries.match(LOG.queries)
    assert NONE not in codes
    lonely = sum(len(askers[int(q)]) == 1 for q in codes)
    assert product.statement.measured["queries_of_one_user"] == lonely
    assert [a.name for a in product.statement.failing] == [
        "the strings give nobody away",
        "members of a group differ",
        "ids are unknown",
        "times are not recognised",
    ]


def test_that_strings_of_several_users_leave_open_whether_they_name_somebody() -> None:
    users, times = 12, 5
    log = QueryLog.from_columns(
        user=[f"u{n}" for n in range(users) for _ in range(times)],
        query=["jane doe springfield", "weather", "news", "maps", "mail"] * users,
        time=list(range(users * times)),
    )
    statement = run(log, k=3).statement
    assert statement.measured["queries_of_one_user"] == 0
    assert statuses(statement)["the strings give nobody away"] == "unknown"


# the k slider

look = partial(expect, METHOD.name)


def figure(outlook: ExpectedRelease, name: str) -> Figure:
    return next(plot for plot in outlook.figures if plot.name == name)


def measured(log: QueryLog, k: int) -> dict[str, float]:
    release = made_by(METHOD.name, log, k=k)
    values = {"alone": release.statement.measured["queries_of_one_user"]}
    for measure in (EXPOSURE, LOSS, FREQUENCIES):
        chosen: dict[str, Any] = {"counting_unit": "rows"} if measure is FREQUENCIES else {}
        result = take(measure, log, release, **chosen)
        values |= {value.name: value.value for value in result.values}
        values |= result.details
    return values


@given(seed=st.integers(0, 99), k=st.integers(2, 9))
@settings(max_examples=8, deadline=None)
def test_that_after_a_run_the_slider_shows_what_the_measures_find(seed: int, k: int) -> None:
    log = log_of(random_rows(users=25, rows=200, seed=seed))
    values = measured(log, k)
    outlook = look(log, k=k)
    expected = expected_values(outlook)
    for name, metric in (
        ("exposure", "exposure.pel"),
        ("exposure_occurrences", "exposure.pel_occurrences"),
        ("exposure_p95", "exposure.pel_p95"),
        ("loss", "loss.users"),
        ("loss_log", "loss.log"),
        ("alone", "alone"),
    ):
        assert expected[name] == pytest.approx(values[metric]), name
    assert outlook.note == ""


def test_that_before_a_run_it_says_how_the_groups_were_made() -> None:
    log = synthesize_log(40, days=5, seed=31).log
    assert "until a run" in look(log, k=3).note
    measured(log, 3)
    assert look(log, k=3).note == ""
    assert "fewer" not in look(log, k=3).note


@pytest.fixture(scope="module")
def source() -> ExpectedRelease:
    """1,000 users of 52 days have some 55,900 rows; the source's 1,000 users had 55,666."""
    log = synthesize_log(1_000, days=52, seed=1).log
    assert 50_000 < len(log) < 62_000
    return expect_whole(METHOD.name, log, k=3)


def test_that_exposure_by_occurrences_is_near_one_in_k(source: ExpectedRelease) -> None:
    """Fig. 3: 50 % at k = 2, 10 % at k = 10; by strings it stands above and falls as well."""
    level = line_of(source, "expected-exposure", "PEL by occurrences")
    for k, share in zip(KS, level, strict=True):
        if k <= 10:
            assert 100 / k - 3 <= share <= 100 / k + 10, (k, share)
    strings = line_of(source, "expected-exposure", "PEL")
    assert (np.diff(strings) <= 0).all()
    assert all(above > below for above, below in zip(strings, level, strict=True))


def test_that_information_loss_grows_with_k(source: ExpectedRelease) -> None:
    """Fig. 4; per user it grows with small turns, as the source's does, over the log without."""
    over_log = line_of(source, "expected-loss", "whole log")
    assert (np.diff(over_log) >= 0).all()
    users = line_of(source, "expected-loss", "mean over users")
    assert users[-1] > users[0]
    assert max(users) - users[-1] < 0.15 * users[-1]


def test_that_the_most_frequent_queries_and_words_stay_so_over_k(source: ExpectedRelease) -> None:
    """Figs. 7 and 8: variations are low for small k; k = 1 is the log itself."""
    for name in ("expected-queries", "expected-words"):
        drawn = figure(source, name)
        assert len(drawn.series) == 10
        assert drawn.private
        for line in drawn.series:
            assert line.x[0] == 1
            small = line.y[line.x <= 5]
            assert np.abs(small - line.y[0]).max() < 0.35 * line.y[0]
            assert line.y[line.x <= 10].min() > 0.5 * line.y[0]
        together = np.sum([line.y for line in drawn.series], axis=0)
        assert together.min() > 0.6 * together[0]


def test_that_frequencies_are_those_of_the_measure() -> None:
    log = log_of(random_rows(users=30, rows=300, seed=5))
    values = measured(log, 4)
    drawn = figure(look(log, k=4), "expected-queries")
    heights = [float(line.y[list(line.x).index(4)]) for line in drawn.series]
    released: Any = values["top_queries_released"]
    assert heights == pytest.approx([rows * heights[0] / released[0] for rows in released])


def test_that_points_are_kept_and_a_cancel_is_heard() -> None:
    log = synthesize_log(80, days=8, seed=32).log
    first = expect_whole(METHOD.name, log, k=5)
    assert figure(first, "expected-loss").x.label.endswith("(k)")
    assert look(log, k=7).delayed is None  # 7 stands on the curve already
    stop = threading.Event()
    stop.set()
    with pytest.raises(Cancelled):
        look(synthesize_log(80, days=8, seed=33).log, progress=Progress(cancelled=stop), k=5)
