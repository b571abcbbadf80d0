"""Un-bundling as a whole: what it reports, what it needs, and fibers to be opened."""

from functools import partial
from typing import Any

import numpy as np
import pytest

from auditor.attacks.base import AttackResult, Evidence
from auditor.attacks.bundle_view import BundleParams, find_bundles
from auditor.attacks.unbundling.attack import ATTACK, BASELINES, VARIANTS
from auditor.attacks.unbundling.candidate_pairs import place_keys
from auditor.attacks.unbundling.fibers import cut_to, first_days
from auditor.errors import MissingInput
from auditor.log.model import QueryLog, Vocabulary
from auditor.log.synthetic.generator import SyntheticLog, synthesize_log
from auditor.release.record import AttackRecord
from tests.attacks.attacked import QUIET, findings, run_attack, table_of
from tests.measures import fakes
from tests.measures.fakes import made_by
from tests.narrowing import present


@pytest.fixture(scope="module")
def world() -> SyntheticLog:
    return synthesize_log(500, days=3, seed=4)


attacked = partial(
    run_attack, ATTACK, seed=0, variant="w", compare=False, table="none", min_queries=40
)


def rows_of(result: AttackResult, name: str) -> list[list[Any]]:
    return [list(row) for row in table_of(result, name).rows]


@pytest.fixture(scope="module")
def compared(world: SyntheticLog) -> AttackResult:
    """Every variant, beside other masks."""
    return attacked(world.log, reference=world.reference, compare=True, table="masks")


SMALL = fakes.log_of(
    [
        ("ann", "Blue  widgets", 0),
        ("ann", "widget prices", 60),
        ("ann", "unrelated thing", 120),
        ("ann", "cheap widgets", 90_000),
        ("bob", "the weather of today", 30),  # stop words join nothing
        ("cat", "price of gold", 50),
    ]
)
"""One bundle: a heavy user of two sessions whose queries share words, two light ones."""


@pytest.fixture(scope="module")
def by_hand() -> AttackResult:
    return attacked(SMALL, by="random-users", group=10, min_queries=4)


def test_that_a_heavy_users_fiber_is_found_as_by_hand(by_hand: AttackResult) -> None:
    result = by_hand
    # Ann has 4 of 6; widget and price join three of hers with Cat's one.
    recall, precision = (3 * 3 / 4 + 1 / 4) / 4, (3 * 3 / 4 + 1) / 4
    assert result.rate == pytest.approx(2 * recall * precision / (recall + precision))
    apart = 2 * (1 / 4) / (1 + 1 / 4)
    together = 2 * (4 / 6) / (1 + 4 / 6)
    assert result.baseline == pytest.approx(max(apart, together))
    assert result.details["f"] == {
        "bl1": pytest.approx(apart),
        "bl2": pytest.approx(together),
        "w": pytest.approx(result.rate),
    }
    assert set(result.details["meila"]) == set(result.details["rand"]) == {"bl1", "bl2", "w"}
    assert rows_of(result, "fibers") == [[1, "ann", 0, 4, 4, 3, 0.75, 0.75]]
    assert {row[2]: row[3] for row in rows_of(result, "fiber-queries")} == {
        "Blue  widgets": "the user's, recovered",
        "widget prices": "the user's, recovered",
        "cheap widgets": "the user's, recovered",
        "unrelated thing": "the user's, missed",
        "price of gold": "somebody else's, attributed to the user",
    }
    assert all(t.private for t in result.tables if t.name.startswith("fiber"))


def test_that_f_of_the_bundles_of_few_users_bounds_nothing() -> None:
    log, rows = SMALL, 24
    crowd = QueryLog.from_columns(
        user=[*log.users.list_strings(log.user.tolist())] * 2 + [f"u{n}" for n in range(rows)],
        query=[*log.queries.list_strings(log.query.tolist())] * 2 + ["weather"] * rows,
        time=[*log.time.tolist()] * 2 + [0] * rows,
        ip=[1 << 8] * len(log) + [2 << 8] * len(log) + [n + 3 << 8 for n in range(rows)],
    )
    result = attacked(crowd, by="ip-mask", min_queries=4)
    assert result.details["f"]
    assert not AttackRecord.of_result(result).had_trials
    assert any("24 of 27 users" in note for note in result.notes)


def test_that_recovered_sessions_open_with_the_linking_words(by_hand: AttackResult) -> None:
    sessions = findings(by_hand)
    rows = zip(sessions.start.tolist(), sessions.stop.tolist(), strict=True)
    assert sorted(rows) == [(0, 3), (3, 4)]
    assert all(sessions.list_reasons(i) == list(sessions.reasons[:2]) for i in range(2))
    assert sessions.risk[0] == pytest.approx(3 / 4)  # the one query recovered in her fiber
    marked = {
        text: [text[start:stop] for start, stop, _ in sessions.list_marks(code)]
        for code, text in enumerate(SMALL.queries.list_strings())
    }
    assert {text: words for text, words in marked.items() if words} == {
        "Blue  widgets": ["widgets"],
        "widget prices": ["widget"],
        "cheap widgets": ["widgets"],
    }
    assert sessions.flagged.tolist() == [1, 2]
    assert sessions.surviving.tolist() == [0, 0]


def test_that_every_variant_is_compared_on_the_same_bundles(compared: AttackResult) -> None:
    result = compared
    assert set(result.details["f"]) == set(VARIANTS)
    assert set(result.details["masks"]) == {"8", "12", "16"}
    assert result.details["masks"]["8"]["f"] == result.details["f"]
    rows = rows_of(result, "masks")
    listed = {row[1]: row[2] for row in rows if row[0] == "F"}
    for name, variant in VARIANTS.items():
        assert listed[variant.label] == pytest.approx(result.details["f"][name], abs=1e-6)
    assert result.baseline == max(result.details["f"][name] for name in BASELINES)
    # The source's order: words beat both baselines and places, which beat nothing much.
    f = result.details["f"]
    assert f["w"] > max(f["bl1"], f["bl2"], f["g"])
    assert f["g"] > f["bl1"]
    assert result.rate > present(result.control)


def test_that_what_learns_learns_for_each_mask_only_if_asked(
    world: SyntheticLog, compared: AttackResult
) -> None:
    trained = {name for name, variant in VARIANTS.items() if variant.trained}
    asked = attacked(
        world.log, reference=world.reference, variant="classifier", table="masks-learned"
    )
    for result, expected in ((compared, set()), (asked, {"classifier"})):
        masks = result.details["masks"]
        assert set(masks["12"]["f"]) & trained == expected
        assert set(masks["8"]["f"]) & trained >= {"classifier"}


def test_that_topics_make_both_tables_of_the_source(world: SyntheticLog) -> None:
    result = attacked(
        world.log, reference=world.reference, table="topics", variant="w+t", chi2=30.0
    )
    rows = rows_of(result, "thresholds")
    assert [row[0] for row in rows] == ["cliques"] * 3 + ["components"] * 3
    assert [row[1] for row in rows] == [7.5, 30.0, 120.0] * 2
    for kind in (rows[:3], rows[3:]):
        coverage = [row[2] for row in kind]
        assert coverage == sorted(coverage, reverse=True)
        assert coverage[0] > 0
    # With the chosen threshold and components this is the attack itself.
    assert rows[4][4] == pytest.approx(result.rate, abs=1e-6)
    periods = rows_of(result, "topics")
    assert [row[0] for row in periods] == ["1 day", "7 days", "all"]
    assert periods[2][5:] == [max(row[4] for row in part) for part in (rows[:3], rows[3:])]
    assert len(result.details["topics"]) == 6


def test_that_topics_need_a_reference_and_masks_addresses(world: SyntheticLog) -> None:
    with pytest.raises(MissingInput, match="reference"):
        attacked(world.log, variant="g+w+t")
    with pytest.raises(MissingInput, match="addresses"):
        attacked(SMALL, by="ip-mask")
    result = attacked(world.log, compare=True, table="topics")
    assert not any("t" in VARIANTS[name].edges for name in result.details["f"])
    assert not {t.name for t in result.tables} & {"topics", "thresholds", "masks"}


def test_that_a_release_decides_the_bundles_and_what_survives(world: SyntheticLog) -> None:
    release = made_by("bundling", world.log, by="random-users", group=12)
    result = attacked(world.log, release, by="ip-mask", bits=8)
    assert "random users" in table_of(result, "variants").note
    sessions = findings(result)
    assert np.array_equal(sessions.surviving, sessions.flagged)  # bundling keeps every query
    assert sessions.survives.all()


def test_that_first_days_are_cut_out_of_every_bundle(world: SyntheticLog) -> None:
    bundled = find_bundles(Evidence(log=world.log), BundleParams(min_queries=40), QUIET)
    day = first_days(bundled, 1)
    assert 0 < len(day) < len(bundled)
    assert day.time.max() < bundled.time.min() + 86_400
    assert np.array_equal(np.bincount(day.bundle, minlength=day.count), day.queries)
    assert np.array_equal(day.fiber_user[day.fiber], day.user)
    assert np.array_equal(day.fiber_bundle[day.fiber], day.bundle)
    assert np.array_equal(np.bincount(day.fiber), day.fiber_queries)
    assert first_days(bundled, None) is bundled
    everything = cut_to(bundled, np.ones(len(bundled), dtype=bool))
    assert np.array_equal(everything.fiber, bundled.fiber)


def test_that_bundles_without_heavy_users_are_said_to_be_missing() -> None:
    result = attacked(SMALL, by="random-users", group=10, min_queries=100)
    assert (result.rate, result.interval, result.control) == (0.0, (0.0, 1.0), None)
    assert any("nothing is scored" in note for note in result.notes)
    assert len(result.findings or ()) == 0


def test_that_places_join_what_shares_no_word_if_they_are_sure() -> None:
    queries = Vocabulary.of(["pizza 77002", "houston texas weather", "austin texas", "mobile"])
    keys = place_keys(queries, 0.5, QUIET)
    assert keys.lengths.tolist() == [1, 1, 1, 0]
    codes = keys.codes.tolist()
    assert codes[0] == codes[1] != codes[2]
    assert place_keys(queries, 1.0, QUIET).lengths.tolist() == [0, 0, 0, 0]
