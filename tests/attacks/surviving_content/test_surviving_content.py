"""Known answers on small logs of invented people, and what holds for any log."""

import math
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from auditor.attacks.base import AttackResult
from auditor.attacks.detection.kinds import PII, EntityKind
from auditor.attacks.intervals import wilson_interval
from auditor.attacks.risk import reasons as why
from auditor.attacks.risk import session_scoring
from auditor.attacks.surviving_content import attack as surviving_content_attack
from auditor.attacks.surviving_content.attack import ATTACK
from auditor.errors import MissingInput
from auditor.log.model import QueryLog
from auditor.log.reading.reader import read_log
from auditor.log.sessions import find_sessions
from auditor.privacy.release import Tables
from tests.attacks.attacked import (
    Event,
    check_result,
    findings,
    judge,
    log_of,
    run_attack,
    searches,
    tables_of,
    value,
    whose,
)
from tests.measures import fakes
from tests.narrowing import present
from tests.reference.logs import EXCITE

attack = partial(run_attack, ATTACK)


def line(result: AttackResult, table: int, entity: str) -> tuple[int, ...]:
    return next(tuple(row[:-1]) for row in result.tables[table].rows if row[-1] == entity)


BASIC = log_of(
    *searches(
        ann="0 albert zzyzxon; 10 breast cancer; 20 weather; 100 maps",
        bob="5 bob@example.org",
        cid="6 weather",
    ),
    *((f"u{i}", "weather", i) for i in range(20)),
)


def test_that_an_identifier_flags_the_session_and_names_the_reason() -> None:
    sessions = findings(attack(BASIC, rules="source"))
    assert len(sessions) == 1
    assert (sessions.start[0], sessions.stop[0]) == (4, 5)
    assert sessions.list_reasons(0) == ["e-mail address", why.LABELS[why.UNIQUE]]
    assert sessions.list_marks(BASIC.queries.find(["bob@example.org"])[0]) == [
        (0, 15, "e-mail address")
    ]
    assert sessions.risk[0] == pytest.approx(1 - 0.4 * 0.8)
    assert sessions.flagged.tolist() == [1]
    assert sessions.surviving.tolist() == [0]


BOTH = "private person's name and a revealing term"
LOOKED_UP = "private person's name that is looked up"
NAMES = log_of(
    *((f"f{i}", "albert einstein", i) for i in range(12)),
    *searches(
        ann="0 wilhelmina smith; 10 breast cancer; 20 Springfield Illinois; 60 weather",
        eve="0 albert einstein; 29 breast cancer",
    ),
)


def test_that_a_name_in_few_queries_with_a_secret_is_worse_than_a_famous_one() -> None:
    users = judge(NAMES, attack(NAMES, min_risk=0.0, rules="source").findings)
    assert next(iter(users)) == "ann"
    assert set(users["ann"][1]) == {
        "private person's name", "place", "revealing term", "private person's name and a place",
        BOTH, why.LABELS[why.UNIQUE],
    }  # fmt: skip
    assert set(users["eve"][1]) == {"person name", "revealing term"}
    assert users["f3"][1] == ["person name"]


@pytest.mark.parametrize("rules", ["default", "source"])
def test_that_the_non_star_limit_is_exclusive(rules: str) -> None:
    events = [(f"u{i}", "wilhelmina smith", i) for i in range(10)]
    for count, star in ((9, False), (10, True)):
        result = attack(log_of(*events[:count]), min_risk=0.0, rules=rules)
        assert (value(result, "non_star.strings") == 0) == star
    assert value(attack(log_of(*events), non_star=11, rules=rules), "non_star.strings") == 1


def test_that_one_users_obsession_makes_nobody_famous() -> None:
    events = [("ann", f"wilhelmina smith {word}", i) for i, word in enumerate(["", "ohio"] * 20)]
    log = log_of(*events, *((f"u{i}", "wilhelmina smith", i) for i in range(3)))
    assert value(attack(log, min_risk=0.0), "non_star.strings") > 0
    assert value(attack(log, min_risk=0.0, rules="source"), "non_star.strings") == 0


def test_that_a_name_beside_a_secret_outweighs_a_star_beside_it_and_says_what_decided() -> None:
    users = judge(NAMES, attack(NAMES, min_risk=0.0).findings)
    risk, reasons = users["ann"]
    assert next(iter(users)) == "ann"
    assert reasons[0] == "health"  # a name alone may be anybody's
    assert {BOTH, "private person's name", "place"} < set(reasons)
    assert users["eve"][0] < risk / 2
    assert set(users["eve"][1]) >= {"person name", "health"}


RISING = {
    "a name, a topic, a name looked up, a name beside a topic": {
        "ann": "0 wilhelmina smith",
        "bob": "0 ovarian cancer",
        "cid": "0 wilhelmina schmidt home address",
        "dan": "0 wilhelmina schulz phone number; 1 breast cancer",
    },
    "a topic, several names": {
        "bob": "0 ovarian cancer",
        "eve": "0 thusnelda smith; 1 thusnelda schmidt; 2 otto grabowski; 3 wilhelmina schulz",
    },
    "one unsure term, several, many": {
        "ann": "0 supreme court",
        "bob": "0 lemon law; 1 law; 2 criminal justice; 3 estate planning; 4 public records;"
        "5 forensics",
        "dan": "0 law firm; 1 stolen cars; 2 jury duty",
    },
    "a name beside an unsure topic, beside a sure one": {
        "ann": "0 wilhelmina smith; 1 supreme court",
        "bob": "0 wilhelmina schmidt; 1 arrest warrant",
    },
}
"""Users of one session each, from the least at risk to the one most at risk."""


@pytest.mark.parametrize("case", RISING)
def test_that_what_tells_more_of_a_user_weighs_more(case: str) -> None:
    log = log_of(*searches(**RISING[case]))
    users = judge(log, attack(log, min_risk=0.0).findings)
    assert list(users)[::-1] == list(RISING[case])


def test_that_a_session_says_what_decided_and_what_nobody_else_asked_never_does() -> None:
    log = log_of(
        *searches(
            ann="0 the black women of ohio",
            cid="0 wilhelmina schmidt home address",
            dan="0 wilhelmina schulz phone number; 1 breast cancer",
        )
    )
    users = judge(log, attack(log, min_risk=0.0).findings)
    assert users["cid"][1][0] == LOOKED_UP
    assert users["dan"][1][0] == BOTH
    assert why.LABELS[why.UNIQUE] in users["ann"][1][1:]


def test_that_a_topic_asked_once_is_no_risk_and_unsure_terms_are_no_more_than_a_sure_one() -> None:
    often = "0 breast cancer; 1 chemotherapy side effects; 2 mastectomy; 3 cancer hospice"
    once, more = (
        findings(attack(log_of(*searches(ann=text)), min_risk=0.0)).risk[0]
        for text in ("0 breast cancer", often)
    )
    assert once < 0.3 < more
    log = log_of(*searches(**RISING["one unsure term, several, many"], cid="0 arrest warrant"))
    sessions = findings(attack(log, min_risk=0.0, unique=False))
    users = judge(log, sessions)
    assert users["ann"][0] < 0.6 * users["cid"][0]
    assert users["bob"][0] <= users["cid"][0] < users["dan"][0]
    assert users["ann"][1] == ["crime or courts"]
    bits = np.bitwise_or.reduce(np.asarray(sessions.reason, dtype=np.uint64))
    assert int(bits) >> len(why.REASONS) == 0  # what is unsure is no reason of a session
    jobs = log_of(*searches(ann="0 jobs; 1 nursing jobs in dallas texas; 2 job"))
    assert len(findings(attack(jobs))) == 0


DAY = 24 * 60
TEN_DAYS = log_of(
    *(("ann", "anxiety disorder", day * DAY) for day in range(10)),
    ("bob", "anxiety disorder", 0),
    ("cid", "wilhelmina smith", 0),
    ("cid", "springfield illinois", DAY),
    ("dan", "wilhelmina schmidt", 0),
    ("dan", "springfield illinois", 1),
)


def test_that_a_worry_in_ten_sessions_makes_a_user_at_risk() -> None:
    result = attack(TEN_DAYS)
    by_user = judge(TEN_DAYS, findings(result).people)
    assert "ann" not in whose(TEN_DAYS, findings(result))
    assert by_user["ann"][0] > by_user["bob"][0]
    health = (1 - 0.7 ** math.sqrt(10)) * (1 - 0.4**10) * 0.5 * (1 + 1 / 2)
    assert by_user["ann"][0] == pytest.approx(health)
    assert [name for name, (risk, _) in by_user.items() if risk >= 0.3] == ["ann"]
    assert value(result, "users_at_risk") == 1
    both = "private person's name and a place"
    assert both in by_user["dan"][1]
    assert both not in by_user["cid"][1]
    assert by_user["cid"][0] < by_user["dan"][0]


@pytest.mark.parametrize("rules", ["default", "source"])
def test_that_a_user_is_as_much_at_risk_as_their_worst_session_at_least(rules: str) -> None:
    log = read_log(EXCITE)
    result = attack(log, min_risk=0.0, rules=rules)
    sessions = findings(result)
    users = present(sessions.people)
    worst = np.zeros(len(log.users))
    np.maximum.at(worst, log.user[sessions.start], sessions.risk)
    count = np.bincount(log.user[sessions.start], minlength=len(log.users))
    user_risk, telling = np.zeros(len(log.users)), np.zeros(len(log.users), dtype=np.bool_)
    user_risk[log.user[users.start]] = users.risk
    telling[log.user[users.start]] = True
    sensitive = sessions.reason & np.uint64(why.SENSITIVE | why.IDENTIFYING) != 0
    assert telling[log.user[sessions.start[sensitive]]].all()
    assert (user_risk >= worst - 1e-9)[telling].all()
    all_sessions = np.bincount(log.user[find_sessions(log)[:-1]], minlength=len(log.users))
    alone = telling & (count == 1) & (all_sessions == 1)
    assert user_risk[alone] == pytest.approx(worst[alone])
    missing = log.queries.find_blank()[log.query]
    rows = np.concatenate(([0], np.cumsum(~missing)))
    ends = log.user_starts[log.user[users.start]], log.user_starts[log.user[users.start] + 1]
    assert (rows[users.stop] - rows[users.start] == rows[ends[1]] - rows[ends[0]]).all()


def test_that_clicks_and_spellings_do_not_make_a_name_famous_or_private() -> None:
    clicks = fakes.log_of(
        [("a", "wilhelmina smith", 0, f"http://{place}.example") for place in range(12)]
    )
    assert value(attack(clicks), "non_star.strings") == 1
    spelt = log_of(*((f"u{i}", f"wilhelmina smith {i}", i) for i in range(12)))
    assert value(attack(spelt), "non_star.strings") == 0
    assert value(attack(spelt), "person.strings") == 12


def test_that_a_pause_parts_a_name_from_a_secret() -> None:
    log = log_of(("ann", "wilhelmina smith", 0), ("ann", "breast cancer", 31))
    assert line(attack(log), 0, BOTH) == (0, 0)
    assert line(attack(log, gap=31), 0, BOTH) == (1, 0)


SURVIVING = log_of(
    *searches(
        ann="0 wilhelmina smith obituary; 1 wilhelmina smith obituary; 2 weather",
        bob="5 bob@example.org; 200 212-45-6789",
        cid="6 weather; 7 garden chairs",
        dan="7 weather",
    )
)


def test_that_a_release_of_everything_leaves_everybody_exposed() -> None:
    result = attack(SURVIVING, SURVIVING)
    assert (result.rate, result.baseline) == (1.0, 1.0)
    assert result.interval == pytest.approx(wilson_interval(2, 2))
    sessions = findings(result)
    assert sessions.surviving.tolist() == sessions.flagged.tolist() == [1, 1, 1]
    assert value(result, "strings_surviving") == value(result, "strings_flagged") == 3
    assert value(result, "single_user_strings_surviving") == 4
    assert value(result, "users_with_single_user_strings_surviving") == 3


@pytest.mark.parametrize(
    ("released", "rate", "surviving"),
    [
        (("weather",), 0.0, {}),
        (("212-45-6789", "never asked"), 0.5, {"social security number": 1}),
        *(((text,), 0.0, {}) for text in ("Bob@example.org", "bob@example.org ", "bob@example.or",
                                          "mail bob@example.org")),
    ],
)  # fmt: skip
def test_that_only_strings_that_match_byte_for_byte_expose_their_users(
    released: tuple[str, ...], rate: float, surviving: dict[str, int]
) -> None:
    result = attack(SURVIVING, tables_of(*released))
    sessions = findings(result)
    exposed = np.flatnonzero(sessions.surviving).tolist()
    assert result.rate == rate
    assert result.baseline == 0.0  # no unmarked string of one user survives
    assert {sessions.list_reasons(i)[0]: sessions.surviving[i] for i in exposed} == surviving
    for name in ("strings_surviving", "ssn.surviving", "single_user_strings_surviving"):
        assert value(result, name) == len(surviving)
    assert value(result, "email.surviving") == 0
    assert sessions.survives.tolist() == [
        text in released for text in SURVIVING.queries.list_strings()
    ]


def test_that_the_baseline_is_what_ordinary_strings_as_rare_would_give() -> None:
    log = log_of(
        *searches(ann="0 a@example.org", bob="0 b@example.org; 1 c@example.org"),
        *((f"u{i}", f"garden chair {i}", i) for i in range(4)),
        *((f"v{i}", "weather", i) for i in range(4)),
    )
    result = attack(log, tables_of("garden chair 1", "weather"))
    assert result.rate == 0.0
    assert result.baseline == pytest.approx((0.25 + (1 - 0.75**2)) / 2)


def test_that_the_control_is_the_rate_of_people_outside_the_log() -> None:
    reference = log_of(("zoe", "bob@example.org", 0), ("yan", "yan@example.org", 0))
    result = attack(SURVIVING, SURVIVING, reference=reference)
    assert result.control == 0.5
    assert attack(SURVIVING, SURVIVING).control is None
    assert attack(SURVIVING, reference=reference).control is None
    shared = attack(SURVIVING, SURVIVING, reference=SURVIVING)
    assert any("shares users" in note for note in shared.notes)


def test_that_without_a_release_the_rate_is_the_share_of_users_at_risk() -> None:
    result = attack(SURVIVING)
    assert (result.rate, result.baseline) == (0.5, 0.0)
    assert result.interval == pytest.approx(wilson_interval(2, 4))
    assert result.rate_label == "users at risk by all that they issued"
    assert not [value for value in result.values if "surviving" in value.name]


def test_that_the_rate_counts_the_people_who_are_listed() -> None:
    log = read_log(EXCITE)
    released = log.rows(log.user % 3 == 0)
    result = attack(log, released)
    people = present(findings(result).people)
    at_risk = people.risk >= people.least
    exposed = np.count_nonzero(people.surviving[at_risk])
    assert result.counts == pytest.approx((exposed, at_risk.sum()))
    assert value(result, "users_at_risk") == at_risk.sum() > value(result, "users_flagged")
    near = attack(log, released, nearly=True)
    assert value(near, "rate_verbatim") == near.rate


def test_that_what_the_release_still_shows_of_a_session_is_counted_by_its_own_strings() -> None:
    log = log_of(("ann", "wilhelmina smith", 0), ("ann", "breast cancer", 10))
    name = attack(log, tables_of("wilhelmina smith"))
    assert line(name, 0, BOTH) == (1, 0)
    assert line(name, 0, "unique person name") == (1, 1)
    assert line(attack(log, tables_of("wilhelmina smith", "breast cancer")), 0, BOTH) == (1, 1)


def test_that_single_queries_are_counted_as_table_7_counts_them() -> None:
    log = log_of(
        *searches(
            ann="0 wilhelmina smith springfield illinois; 9 wilhelmina smith springfield illinois",
            bob="0 springfield illinois",
            cid="0 springfield illinois",
        )
    )
    result = attack(log, tables_of("springfield illinois"))
    assert line(result, 1, "private person's name and place") == (2, 1, 1, 0, 0)
    assert line(result, 1, "place") == (4, 2, 1, 1, 0)


def test_that_a_kind_that_is_off_is_neither_counted_nor_flagged() -> None:
    result = attack(SURVIVING, email=False, unique=False)
    assert value(result, "email.strings") == value(result, "unique.strings") == 0
    assert "e-mail address" not in findings(result).find_reasons()
    off: dict[str, Any] = {kind.name.lower(): False for kind in EntityKind}
    nothing = attack(SURVIVING, **off)
    assert (len(findings(nothing)), nothing.rate) == (0, 0.0)


def test_that_a_user_who_asks_her_own_name_is_flagged_and_others_are_not(tmp_path: Path) -> None:
    log = log_of(
        *searches(
            ann="0 Ann Qwzzyx recipes; 1 weather",
            bob="0 ann qwzzyx",
            cid="0 cid o'grmbl and ann qwzzyx",
        )
    )
    profiles = tmp_path / "profiles.csv"
    profiles.write_text("user,name\nann,Ann Qwzzyx\nbob,Bob Mmpf\ncid,Cid O'Grmbl\n", "utf-8")
    sessions = findings(attack(log, profiles=profiles, person=False))
    assert set(whose(log, sessions)) == {"ann", "cid"}
    assert all("user's own name" in sessions.list_reasons(i) for i in range(len(sessions)))
    assert (0, 10, "user's own name") in sessions.list_marks(0)
    assert (0, 11, "user's own name") in sessions.list_marks(3)
    assert len(findings(attack(log, profiles=profiles, person=False, own_name=False))) == 0


@pytest.mark.parametrize("text", ["", "name,zip\nx,1\n", "\udcff"])
def test_that_profiles_that_cannot_be_read_are_one_clear_error(tmp_path: Path, text: str) -> None:
    path = tmp_path / "profiles.csv"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(MissingInput, match="profiles"):
        attack(BASIC, profiles=path)
    with pytest.raises(MissingInput, match="gone"):
        attack(BASIC, profiles=tmp_path / "gone.csv")


def test_that_the_riskiest_sessions_are_listed_and_all_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(surviving_content_attack, "MOST_FINDINGS", 1)
    result = attack(SURVIVING)
    assert findings(result).list_reasons(0)[0] == "social security number"
    assert len(findings(result)) == 1
    assert value(result, "sessions_flagged") == 3
    assert any("3 sessions are flagged; the 1" in note for note in result.notes)


def test_that_every_reason_is_explained_and_every_kind_has_its_bit() -> None:
    assert list(why.LABELS[: len(EntityKind)]) == [kind.label for kind in EntityKind]
    assert len(set(why.LABELS)) == len(why.LABELS) <= 64
    for reason in why.REASONS:
        assert 0 < reason.weight < 1
        assert why.explain_reason(reason.label).endswith(".")
    assert why.explain_reason("unheard of") == ""
    assert all(why.IDENTIFYING >> kind & 1 for kind in PII)


STRINGS = [
    "weather", "maps", "garden chairs", "wilhelmina smith", "albert einstein", "breast cancer",
    "springfield illinois", "qwzzyx inc", "jo@example.org", "212-45-6789",
]  # fmt: skip
EVENTS = st.lists(
    st.tuples(st.sampled_from("abcde"), st.sampled_from(STRINGS), st.integers(0, 300)),
    min_size=1,
    max_size=40,
)
RELEASES = st.sets(st.sampled_from(STRINGS), min_size=1).map(lambda kept: tables_of(*sorted(kept)))


@example([], tables_of("weather"))
@given(EVENTS, RELEASES)
def test_that_counts_agree_with_each_other(events: list[Event], release: Tables) -> None:
    log = log_of(*events)
    result = attack(log, release, min_risk=0.0)
    check_result(log, result)
    sessions = findings(result)
    assert value(result, "sessions_flagged") == len(sessions) <= value(result, "sessions")
    assert (sessions.flagged >= 1).all()
    assert ((sessions.risk > 0) & (sessions.risk < 1)).all()
    for table in result.tables:
        for row in table.rows:
            assert all(0 <= count <= row[0] for count in row[:-1])


@given(EVENTS, RELEASES, st.sampled_from(STRINGS))
def test_that_more_strings_expose_no_fewer(events: list[Event], release: Tables, more: str) -> None:
    log = log_of(*events)
    wider = tables_of(*sorted({*release.queries.list_strings(), more}))
    assert attack(log, wider).rate >= attack(log, release).rate


@given(EVENTS, st.sampled_from(STRINGS[5:]))
def test_that_a_further_reason_never_lowers_a_risk(events: list[Event], more: str) -> None:
    # A string that others asked loses rarity by being asked once more: not what is meant.
    assume(more not in {query for _, query, _ in events})
    user, _, minute = events[0]
    log, both = log_of(*events), log_of(*events, (user, more, minute))

    def worst(which: QueryLog) -> float:
        sessions = findings(attack(which, min_risk=0.0))
        code = which.users.find([user])[0]
        return float(sessions.risk[which.user[sessions.start] == code].max(initial=0.0))

    assert worst(both) >= worst(log)


@settings(deadline=None, max_examples=25)
@given(EVENTS, RELEASES, st.integers(1, 5))
def test_that_results_do_not_depend_on_blocks_or_the_order_of_rows(
    events: list[Event], release: Tables, size: int
) -> None:
    def summarize(log: QueryLog) -> Any:
        result = attack(log, release, min_risk=0.0)
        sessions = findings(result)
        return (
            result.rate,
            pytest.approx(result.baseline),
            [(value.name, value.value) for value in result.values],
            [list(table.rows) for table in result.tables],
            [round(risk, 9) for risk in sessions.risk.tolist()],
        )

    before = summarize(log_of(*events))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(session_scoring, "ROW_BLOCK", size)
        patch.setattr(session_scoring, "SESSION_BLOCK", size)
        assert summarize(log_of(*events)) == before
    assert summarize(log_of(*sorted(events, key=lambda event: (event[2], event[1])))) == before


def test_that_wilsons_interval_needs_as_many_trials_as_successes() -> None:
    assert wilson_interval(0, 0) == (0.0, 1.0)
    assert wilson_interval(0, 10)[0] == 0.0
    with pytest.raises(ValueError, match="3 successes"):
        wilson_interval(3, 2)


SHARED = log_of(
    *searches(ann="0 wilhelmina smith; 1 weather", bob="2 weather", cid="3 maps; 4 weather")
)
LISTS = log_of(
    *(
        (user, query, n)
        for user in ("ann", "bob", "cid")
        for n, query in enumerate(("weather", "wilhelmina smith"))
    ),
    ("cid", "maps", 9),
)


def test_that_nobody_is_said_to_borrow_where_words_are_hashed_and_ids_changed_or_none() -> None:
    hashed = log_of(*((user, f"x{n}", n) for user, n in (("ann", 0), ("bob", 2), ("cid", 3))))
    assert value(attack(SHARED, hashed), "borrowed_searches") == 0
    renamed = QueryLog.from_columns(
        user=[f"x{code}" for code in LISTS.user],
        query=LISTS.queries.list_strings(LISTS.query),
        time=LISTS.time,
    )
    for release in (renamed, tables_of("weather")):
        assert not any(v.name.startswith("borrow") for v in attack(SHARED, release).values)


PAIRS = st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("pqrst")))


@given(PAIRS, PAIRS)
def test_that_borrowed_searches_are_what_sets_of_pairs_say(
    issued: list[tuple[str, str]], given_out: list[tuple[str, str]]
) -> None:
    known = [(user, f"own {user}") for user in "abcd"]  # so that ids are those of the log
    pairs, given_out = {*issued, *known}, [*given_out, *known]
    log = log_of(*((user, query, n) for n, (user, query) in enumerate(sorted(pairs))))
    released = log_of(*((user, query, n) for n, (user, query) in enumerate(given_out)))
    result = attack(log, released)
    issuers = {query: {u for u, q in pairs if q == query} for _, query in pairs}
    stands = {query: {u for u, q in given_out if q == query} for _, query in given_out}
    borrowed = [pair for pair in given_out if pair[1] in issuers and pair not in pairs]
    left = [
        stands[query] for query, users in issuers.items() if len(users) == 1 and query in stands
    ]
    expected = {
        "borrowed_searches": len(borrowed),
        "borrowed_share": len(borrowed) / len(given_out),
        "borrowing_users": len({user for user, _ in borrowed}),
        "single_user_strings_surviving": len(left),
        "single_user_strings_repeated": sum(len(users) > 1 for users in left),
        "single_user_string_ids": np.mean([len(users) for users in left]),
    }
    assert {name: value(result, name) for name in expected} == pytest.approx(expected)


def test_that_of_several_pairs_the_rarest_name_counts() -> None:
    """A name beside a topic, of one user, and a name that is looked up, of nine."""
    shared = "thusnelda schulz phone number"
    users = [*(f"u{i}" for i in range(8)), "ann"]
    log = log_of(
        ("ann", "wilhelmina smith breast cancer", 0), *((user, shared, 1) for user in users)
    )
    risk, _ = judge(log, attack(log, min_risk=0.0).findings)["ann"]
    strength_and_rarity = {
        why.NON_STAR: (1 - 0.65**2, 1),
        EntityKind.HEALTH: (0.6, 1),
        why.UNIQUE: (0.9, 1),
        why.LOOKED_UP: (0.9, 1 / 9),
        why.WITH_REVEALING: (0.9 * 0.6, 1),
    }
    dangers = [
        why.REASONS[bit].weight * strength * (1 + rarity) / 2
        for bit, (strength, rarity) in strength_and_rarity.items()
    ]
    assert risk == pytest.approx(1 - math.prod(1 - danger for danger in dangers))
