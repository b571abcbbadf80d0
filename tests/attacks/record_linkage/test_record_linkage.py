"""Record linkage on small logs of invented people, against chances counted by hand."""

import dataclasses
import math
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import auditor
from auditor.attacks.base import AttackResult, Evidence
from auditor.attacks.record_linkage import targets as li
from auditor.attacks.record_linkage.attack import ATTACK, RecordLinkageParams, link_targets
from auditor.attacks.record_linkage.targets import NEEDS_TRUTH, why_not
from auditor.attacks.registry import ATTACKS
from auditor.errors import MissingInput
from auditor.log.model import QueryLog, Vocabulary
from auditor.log.synthetic.generator import synthesize_log
from auditor.methods.registry import METHODS
from auditor.privacy.identity import FEW, kept_ids
from auditor.privacy.records import is_readable, records_of
from auditor.privacy.release import Preview
from auditor.privacy.truth_table import TruthTable
from tests.attacks.attacked import QUIET, check_result, explain, run_attack, value, whose
from tests.measures.fakes import log_of, made_by, release_of, searches
from tests.methods.logs import Row
from tests.narrowing import present
from tests.reference.attacks import record_linkage as naive

SYNTHETIC = synthesize_log(150, seed=3).log

attack = partial(run_attack, ATTACK, seed=0)

LOG = log_of(
    searches(
        ann="10 rose; 20 my own name",
        bob="11 rose; 21 tulip",
        cid="12 rose; 22 tulip",
        dot="13 fern",
    )
)


def renamed(log: QueryLog, name: Callable[[str], str]) -> QueryLog:
    """The log under other ids."""
    return QueryLog.from_columns(
        user=[name(log.users[code]) for code in log.user],
        query=log.queries.list_strings(log.query),
        time=log.time,
    )


def backwards(name: str) -> str:
    return name[::-1]


@pytest.fixture(scope="module")
def whole() -> AttackResult:
    return attack(LOG, LOG, share=1.0)


def test_that_users_known_wholly_are_found_or_share_the_chance(whole: AttackResult) -> None:
    """Ann and Dot are found, Bob and Cid are one of two: 1 + 1 + 1/2 + 1/2 of 4."""
    assert whole.rate == whole.details["rank1"] == pytest.approx(3 / 4)
    assert whole.baseline == 1 / 4
    assert value(whole, "rank5") == value(whole, "sure_right") == 1


def test_that_the_riskiest_sessions_open_first_with_their_reasons(whole: AttackResult) -> None:
    findings = present(whole.findings)
    users = whose(LOG, findings)
    assert sorted(users[:2]) == ["ann", "dot"]
    assert sorted(users[2:]) == ["bob", "cid"]
    assert findings.risk.tolist() == [1, 1, 0.5, 0.5]
    ann = users.index("ann")
    assert findings.list_reasons(ann) == ["record singled out", "search that identified the record"]
    assert findings.list_reasons(2)[0] == "record among a few equally close"
    assert (findings.start[ann], findings.stop[ann]) == (0, 2)
    assert (findings.flagged[ann], findings.surviving[ann]) == (2, 2)
    name = int(LOG.queries.find(["my own name"])[0])
    assert findings.list_marks(name) == [(0, 11, "search that identified the record")]
    assert whole.tables[1].private
    assert {row[0] for row in whole.tables[1].rows} == {"ann", "bob", "cid", "dot"}


events = st.lists(
    st.tuples(st.sampled_from("abcdef"), st.sampled_from(["p", "q", "r", "s", "t"])),
    min_size=4,
    max_size=40,
)


@given(events, events, st.sampled_from(["likelihood", "overlap"]), st.integers(1, 3))
def test_that_chances_are_those_of_all_scores_counted_one_by_one(
    mine: list[tuple[str, str]], theirs: list[tuple[str, str]], closeness: str, parts: int
) -> None:
    """With several records of a user any of them counts."""
    log = log_of([(user, query, n, None) for n, (user, query) in enumerate(mine)])
    cut = [(f"{user}-{n % parts}", query) for n, (user, query) in enumerate(theirs)]
    released = log_of([(user, query, n, None) for n, (user, query) in enumerate(cut)])
    truth = TruthTable.of({name: name.partition("-")[0] for name, _ in cut})
    if len(released.users) < 2 or not is_readable(released, log):
        return
    release = dataclasses.replace(release_of(released, ids="random"), truth=truth)
    evidence = Evidence(log=log, release=release)
    if why_not(evidence):
        return
    params = RecordLinkageParams(share=1.0, closeness=closeness)
    linkage = link_targets(evidence, params, np.random.default_rng(0), QUIET)
    records = {u: Counter(q for v, q in cut if v == u) for u, _ in cut}
    sizes = []
    for place, code in enumerate(linkage.users.tolist()):
        user = log.users[code]
        counts = Counter(q for v, q in mine if v == user)
        scores = naive.score_records(counts, records, closeness)
        user_records = [u for u in records if u.partition("-")[0] == user]
        sizes.append(len(user_records))
        best = max(scores[u] for u in user_records)
        before = sum(s > best + 1e-9 for s in scores.values())
        level = sum(abs(s - best) <= 1e-9 for s in scores.values())
        true = sum(abs(scores[u] - best) <= 1e-9 for u in user_records)
        for rank in (1, 5):
            drawn = min(max(rank - before, 0), level)
            chance = 1 - math.comb(level - true, drawn) / math.comb(level, drawn)
            assert linkage.scores.compute_chance(rank)[place] == pytest.approx(chance)
        assert linkage.scores.top[place] == pytest.approx(sorted(scores.values())[:-3:-1])
        who = int(linkage.scores.closest[place])
        own = who >= 0 and released.users[who].partition("-")[0] == user
        assert linkage.is_own(linkage.scores.closest)[place] == own
    if sizes:
        guess = sum(sizes) / len(sizes) / len(records)
        assert linkage.truth.guess_rate(len(records)) == pytest.approx(guess)


@given(st.integers(0, 9), st.sampled_from([0.1, 0.3, 0.5, 0.9]))
def test_that_a_share_of_each_users_events_is_known(seed: int, share: float) -> None:
    log = SYNTHETIC
    side = li.build_side(log, log, True, (li.QUERY,), QUIET)
    users = np.arange(0, 150, 7)
    less, more = (li.draw_knowledge(side, users, part, seed) for part in (share / 2, share))
    events = np.bincount(log.user[log.event_starts])[users]
    assert more.events.tolist() == [max(1, math.ceil(n * share - 1e-9)) for n in events]
    assert set(less.rows) <= set(more.rows)
    assert set(log.user[more.rows]) == set(users)
    assert log.event_starts[more.rows].all()
    assert more.counts.sum() == more.events.sum()


def test_that_pages_and_times_add_to_what_is_known() -> None:
    rows = [("ann", 600, "http://a"), ("bob", 6_000, "http://b"), ("cid", 60_000, "http://b")]
    log = log_of([(user, "rose", time, url) for user, time, url in rows])
    rates = {knows: attack(log, log, share=1.0, knows=knows).rate for knows in li.KNOWS}
    assert rates == pytest.approx({"queries": 1 / 3, "pages": 2 / 3, "times": 1})


def test_that_random_numbers_are_not_taken_for_ids_and_rows_tell_instead() -> None:
    """Both logs number their users from 1, in another order each."""
    log = renamed(SYNTHETIC, lambda user: str(1 + SYNTHETIC.users.find([user])[0]))
    release = made_by("frequency-threshold", log, n=1, ids="random")
    released = present(release.log)
    truth = records_of(log, release, np.arange(150), QUIET)
    assert "rows" in truth.evidence
    assert (truth.record >= 0).all()
    for user in range(0, 150, 10):
        mine = sorted(log.time[log.user == user].tolist())
        assert mine == sorted(released.time[released.user == truth.record[user]].tolist())
    assert kept_ids(log, release_of(released), QUIET) is None
    assert kept_ids(log, release_of(log), QUIET) is not None
    few = log.rows(log.user < FEW - 1)  # the same numbers may be equal by accident
    assert kept_ids(few, release_of(few), QUIET) is None
    assert kept_ids(few, release_of(few, ids="keep"), QUIET) is not None
    records = records_of(few, release_of(few), np.arange(FEW - 1), QUIET)
    assert records.record.tolist() == list(range(FEW - 1))
    assert "rows tell" in records.evidence


@pytest.mark.parametrize("readable", [True, False])
@pytest.mark.parametrize("numbers", [True, False])
@pytest.mark.parametrize("share", [0.3, 0.9, 1])
def test_that_exchanged_ids_are_not_taken_for_kept_ones(
    share: float, numbers: bool, readable: bool
) -> None:
    """Whoever was given another one's id is found by their rows; numbers fill their range."""
    log = SYNTHETIC
    if numbers:
        log = renamed(log, lambda user: str(1 + SYNTHETIC.users.find([user])[0]))
    names = log.users.list_strings()
    others = names[: int(share * len(names))]
    new_names = [*others[1:], *others[:1], *names[len(others) :]]
    exchanged = renamed(log, dict(zip(names, new_names, strict=True)).__getitem__)
    if not readable:
        texts = [f"x{n} " * len(q.split()) for n, q in enumerate(log.queries.list_strings())]
        exchanged = dataclasses.replace(exchanged, queries=Vocabulary.of(texts))
    release = release_of(exchanged)
    assert kept_ids(log, release, QUIET) is None
    if readable:
        assert attack(log, release).rate > 0.9


@pytest.mark.parametrize("k", [2, 3, 10])
def test_that_records_of_a_group_dont_say_that_ids_were_exchanged(k: int) -> None:
    assert kept_ids(SYNTHETIC, made_by("microaggregation", SYNTHETIC, k=k), QUIET) is not None


def test_that_queries_cut_short_dont_say_that_ids_were_exchanged() -> None:
    """Eight of forty users each issued what is left of another one's query, and nobody else did."""
    texts = {n: f"rose {n}" for n in range(40)} | {n: f"rose {n - 10} bush" for n in range(20, 28)}
    log = log_of([(f"u{n}", text, n, None) for n, text in texts.items()])
    short = log_of([(f"u{n}", text.removesuffix(" bush"), n, None) for n, text in texts.items()])
    assert kept_ids(log, release_of(short), QUIET) is not None


@pytest.mark.parametrize("clock", ["kept", "scaled", "order"])
def test_that_somebody_who_knows_times_knows_days_where_the_clock_is_hidden(clock: str) -> None:
    rows = [(f"u{day}", f"fern{day}", 86_400 * (100 + day) + 3_600 * 9, None) for day in range(6)]
    log = log_of(rows)
    release = auditor.preview(log, "numbered-sessions", clock=clock, seed=1)
    rates = {knows: attack(log, release, knows=knows).rate for knows in li.KNOWS}
    assert rates == pytest.approx({"queries": 1 / 6, "pages": 1 / 6, "times": 1})


DAYS = [86_400 * day for day in range(1, 10)]
ANN = [("ann", f"fern {day}", day, None) for day in DAYS]


@pytest.mark.parametrize(
    "strangers",
    [
        [
            ("bob", "fern 86400", DAYS[0], None),
            *(("bob", f"moss {day}", day, None) for day in DAYS),
        ],
        [(f"u{day}", f"fern {day}", day, None) for day in DAYS],
    ],
    ids=["who did some of what she did", "who did all of it together"],
)
@pytest.mark.parametrize("times", ["exact", "day"])
def test_that_users_outside_a_release_are_given_no_record(strangers: list[Row], times: str) -> None:
    """Ann alone is released."""
    log = log_of([*ANN, *strangers])
    release = release_of(log_of([("1", *row[1:]) for row in ANN]), ids="random", times=times)
    assert find_records(log, release) == dict.fromkeys(log.users.list_strings(), -2) | {"ann": 0}


def find_records(log: QueryLog, release: Preview, users: Sequence[str] = ()) -> dict[str, int]:
    """The record that each of these users is held to have, or all users."""
    names = users or log.users.list_strings()
    codes = log.users.find(list(names)).astype(np.int64)
    record = records_of(log, release, codes, QUIET).record
    return dict(zip(names, record.tolist(), strict=True))


def test_that_a_record_may_be_of_a_user_whom_nobody_looks_for() -> None:
    """Amy did what Ann did, and the release is of one of them."""
    rows = [("ann", "fern", 0, None), ("amy", "fern", 0, None), ("bob", "moss", 0, None)]
    log = log_of([*rows, ("cid", "rose", 0, None)])
    release = release_of(log_of([("1", "fern", 0, None)]), ids="random", times="day")
    assert find_records(log, release, ["ann"]) == {"ann": -2}


def test_that_records_of_several_users_are_still_those_of_each() -> None:
    rows = [(f"u{user}", f"fern {user}", 86_400 * day, None) for user in range(6) for day in (1, 2)]
    log = log_of(rows)
    bundles = renamed(log, lambda user: f"b{int(user[1:]) // 3}")
    release = release_of(bundles, ids="random", times="day")
    assert find_records(log, release) == {f"u{user}": user // 3 for user in range(6)}


def find_hashed(rows: Sequence[Row], left: Sequence[Row]) -> dict[str, str]:
    """Users whose rows are `left` where words are hashed, by the ids that they are found under."""
    hashed = log_of([(backwards(row[0]), backwards(row[1]), *row[2:]) for row in left])
    records = find_records(log_of(rows), release_of(hashed, users="hashed"))
    return {user: hashed.users[place] for user, place in records.items()}


@pytest.mark.parametrize("clock", [0, 3_661])
def test_that_busy_records_are_not_taken_for_everybodys_where_words_are_hashed(clock: int) -> None:
    """Each has one row more than the last at the same time: the busiest record holds them all."""
    rows = [
        (user, f"fern{row}", 86_400 + clock, None)
        for size, user in enumerate(("a3", "b2", "c1"))
        for row in range(size + 1)
    ]
    assert find_hashed(rows, rows) == {user: backwards(user) for user, *_ in rows}


def test_that_hashed_records_are_found_though_some_lost_a_row() -> None:
    """Four of ten are whole: what these have is nobody's else, and the rest is still found."""
    rows = [
        (f"{user}u", f"fern{user}{row}", 1_000 * user + 60 * row * row, None)
        for user in range(10)
        for row in range(5)
    ]
    left = [row for place, row in enumerate(rows) if place < 20 or place % 5]
    assert find_hashed(rows, left) == {user: backwards(user) for user, *_ in rows}


def test_that_ids_only_the_raw_log_has_made_are_kept_ones_whatever_their_rows() -> None:
    """One list for all users, as after microaggregation with k = n: no row tells whose it is."""
    log = SYNTHETIC
    shared = log.rows(log.user == 0)
    release = QueryLog.from_columns(
        user=[name for name in log.users.list_strings() for _ in range(len(shared))],
        query=shared.queries.list_strings(shared.query) * len(log.users),
        time=np.tile(shared.time, len(log.users)),
    )
    place = present(kept_ids(log, release_of(release), QUIET))
    assert log.users.list_strings() == release.users.list_strings(place)


def test_that_hashed_words_are_linked_by_their_profile_in_any_order() -> None:
    log = SYNTHETIC
    for order in ("kept", "hidden"):
        release = made_by("token-hashing", log, order=order)
        result = attack(log, release)
        assert result.rate > 20 * result.baseline
        assert any("can't be read" in note for note in result.notes)
        assert attack(log, release, knows="times").rate == 1


def test_that_bundles_are_what_their_users_are_linked_to() -> None:
    """Five bundles of thirty users: most rows of each user stand in hers."""
    log = SYNTHETIC
    bundles = renamed(log, lambda user: f"b{log.users.find([user])[0] % 5}")
    release = release_of(bundles, ids="random")
    result = attack(log, release)
    assert result.baseline == 1 / 5
    assert result.rate > 0.8


def test_that_users_without_rows_in_the_release_are_left_out_and_counted() -> None:
    log = SYNTHETIC
    release = made_by("frequency-threshold", log, n=5, ids="random")
    result = attack(log, release)
    share = len(present(release.log).users) / 150
    assert value(result, "known_records") == pytest.approx(share)
    assert value(result, "rank1_of_all") == pytest.approx(result.rate * share)


def test_that_microaggregation_leaves_about_one_in_k_and_thresholds_leave_more() -> None:
    log = SYNTHETIC
    grouped = attack(log, made_by("microaggregation", log, k=5))
    assert 0.1 < grouped.rate <= 0.21
    assert value(grouped, "sure") < 0.05
    assert attack(log, made_by("frequency-threshold", log, n=2)).rate > 2 * grouped.rate


def test_that_the_control_is_of_people_who_are_not_in_the_log() -> None:
    release = release_of(LOG)
    strangers = log_of(
        [("eve", "fern", 1, None), ("fay", "moss", 1, None), ("ann", "my own name", 1, None)]
    )
    result = attack(LOG, release, reference=strangers, share=1.0)
    assert result.control == 1 / 2  # Eve asked what Dot alone asked; of Fay nothing is released
    assert any("reference log" in note for note in result.notes)
    held_out = attack(LOG, release, share=1.0, lead=1.0)
    # Without Bob and Cid, Ann alone has their rose; without Ann they are level, Dot's fern is gone.
    assert held_out.control == 1 / 2


def test_that_some_users_are_attacked_where_there_are_many() -> None:
    log = SYNTHETIC
    few = attack(log, release_of(log), share=0.1, targets=20)
    assert any("20 of 150 users" in note for note in few.notes)
    assert few.details["targets"] == 20


@pytest.mark.parametrize("method", [name for name in METHODS if METHODS[name].yields == "log"])
def test_that_it_runs_against_every_method_that_yields_a_log(method: str) -> None:
    log = SYNTHETIC
    fewer: dict[str, dict[str, Any]] = {
        "frequency-threshold": {"n": 2},
        "entity-allowlist": {"k_entity": 2},
        "numbered-sessions": {"clock": "kept"},
    }
    release = auditor.preview(log, method, seed=1, **fewer.get(method, {}))
    assert explain(ATTACK, log, release) == ""
    result = attack(log, release)
    check_result(log, result)
    assert result.rate >= result.baseline
    assert result.control is not None


def test_that_it_says_when_nobody_can_tell_whose_a_record_is() -> None:
    moved = renamed(LOG, backwards)
    later = release_of(dataclasses.replace(moved, time=moved.time + 1000))
    assert "whose record" in explain(ATTACK, LOG, later)
    several = dataclasses.replace(
        moved,
        user=np.arange(len(LOG), dtype=np.int32),
        users=Vocabulary.of([f"r{number}" for number in range(len(LOG))]),
    )
    assert explain(ATTACK, LOG, several).startswith(NEEDS_TRUTH)
    assert "nothing to link" in explain(ATTACK, log_of([]), LOG)


def test_that_a_truth_table_of_some_ids_says_nothing_of_other_users() -> None:
    release = release_of(renamed(LOG, backwards))
    release = dataclasses.replace(release, truth=TruthTable.of({"nna": "ann"}))
    records = find_records(LOG, release, ["ann", "bob"])
    assert records["ann"] >= 0
    assert records["bob"] == -2
    result = attack(LOG, release)
    assert any("rates may be too low" in note for note in result.notes)


@pytest.mark.parametrize("name", ["record-linkage", "near-linkage", "unicity"])
def test_that_nobody_is_attacked_where_no_record_has_an_owner(name: str) -> None:
    """Two users with the same rows: each of the two records may be either's."""
    log = log_of(searches(ann="0 rose; 86400 tulip", bob="0 rose; 86400 tulip"))
    release = release_of(renamed(log, backwards), ids="random", times="day")
    with pytest.raises(MissingInput, match="whose record is whose"):
        run_attack(ATTACKS[name], log, release)
