"""Own places on logs made by hand: Table 5, controls, sessions, and the limits."""

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from auditor.attacks import geo_vanity
from auditor.attacks.base import AttackResult, Evidence
from auditor.attacks.detection.places import classify_places
from auditor.attacks.geo_vanity import ATTACK
from auditor.errors import MissingInput
from auditor.log.model import QueryLog, Vocabulary
from auditor.log.synthetic.generator import synthesize_log
from tests.attacks.attacked import QUIET, explain, findings, run_attack, whose
from tests.measures.fakes import log_in_order
from tests.narrowing import present

PROFILES = "user,zip\n1,95014\n2,95016\n3,95070\n4,10001\n5,\n9,95014\n"
LOG = log_in_order(
    *[("1", "pizza 95014")] * 3,
    ("1", "weather"),
    ("2", "cupertino ca hotels"),
    ("3", "95014"),
    ("4", "reading glasses"),
    ("4", "chicago"),
    ("5", "95014"),
    step=3600,
)


def attack(log: QueryLog, profiles: Path | None, **params: Any) -> AttackResult:
    return run_attack(ATTACK, log, profiles=profiles, **params)


def cells(result: AttackResult) -> dict[tuple[int, float, int], int]:
    return {tuple(row[:3]): row[3] for row in result.tables[0].rows}


def test_that_table_5_and_the_rate_count_users_whose_home_is_known(
    profiles: Path, result: AttackResult
) -> None:
    table = cells(result)
    assert [table[digits, 0.5, 1] for digits in geo_vanity.DIGITS] == [3, 2, 1]
    assert [table[digits, 0.5, 2] for digits in geo_vanity.DIGITS] == [1, 1, 1]
    assert table[3, 0.5, 5] == 0
    axes = (geo_vanity.DIGITS, geo_vanity.CONFIDENCES, geo_vanity.LEASTS)
    assert set(table) == set(itertools.product(*axes))
    assert result.rate == result.baseline == pytest.approx(3 / 4)  # three of four live in 950
    assert attack(LOG, profiles, digits=5).baseline == pytest.approx(1 / 4)


def test_that_table_5_falls_along_every_axis(tmp_path: Path) -> None:
    world = synthesize_log(300, seed=2)
    path = tmp_path / "profiles.csv"
    world.profiles.to_csv(path, index=False)
    result = attack(world.log, path)
    table = cells(result)
    for (digits, sure, least), users in table.items():
        for weaker in (
            (max(3, digits - 1), sure, least),
            (digits, geo_vanity.CONFIDENCES[max(0, geo_vanity.CONFIDENCES.index(sure) - 1)], least),
            (digits, sure, geo_vanity.LEASTS[max(0, geo_vanity.LEASTS.index(least) - 1)]),
        ):
            assert users <= table[weaker]
    assert result.rate > 5 * present(result.control)
    homes_asked = {int(world.log.user[row]) for row in world.truth["home_rows"]}
    assert result.rate == pytest.approx(len(homes_asked) / 300, abs=0.1)


def test_that_the_control_deals_homes_to_users(profiles: Path, result: AttackResult) -> None:
    homes = geo_vanity.measure_homes(
        Evidence(log=LOG, profiles=profiles),
        geo_vanity.GeoVanityParams(),
        np.random.default_rng(4),
        QUIET,
    )
    shares = [len(set(homes.user[agrees >= 3].tolist())) / 4 for agrees in homes.dealt]
    assert result.control == pytest.approx(np.mean(shares))
    # Whoever gets the home in New York is not placed, so that at most three of four are.
    assert max(shares) <= 3 / 4
    assert not np.array_equal(homes.dealt[0], homes.dealt[1])


def test_that_own_places_are_flagged_and_marked(result: AttackResult) -> None:
    sessions = findings(result)
    assert set(whose(LOG, sessions)) == {"1", "2", "3"}
    query = int(LOG.queries.find(["pizza 95014"])[0])
    assert sessions.list_marks(query) == [(6, 11, "searches for a place near their home")]
    assert sessions.risk.tolist() == [1.0] * len(sessions)


def test_that_any_code_of_a_city_counts_and_no_code_agrees_with_none() -> None:
    places = classify_places(Vocabulary.of(["chicago il", "60614"]), QUIET)
    codes = np.array([0, 1], dtype=np.int32)

    def agree(any_code: bool, *home: int) -> Any:
        return geo_vanity.count_common_digits(places, codes, np.array(home), any_code).tolist()

    assert agree(True, 60614, 60615) == [5, 4]
    assert agree(False, 60614, 60615)[0] < 5
    assert agree(True, -1, -1) == [0, 0]


def test_that_postal_codes_are_read_as_people_write_them() -> None:
    texts = ["02118", "2118", "02118-1234", " 95014 ", "2118.0", "", "K1A 0B1", "12", "９５０１４"]
    homes = [2118, 2118, 2118, 95014, 2118, -1, -1, -1, -1]
    assert geo_vanity.encode_homes(texts).tolist() == homes


def test_that_it_says_what_it_lacks(tmp_path: Path) -> None:
    assert "profiles" in explain(ATTACK, LOG)
    path = tmp_path / "p.csv"
    path.write_text("user,name\n1,Ann\n", "utf-8")
    assert "zip" in explain(ATTACK, LOG, profiles=path)


def test_that_users_who_are_not_in_the_release_are_left_out(profiles: Path) -> None:
    users = np.isin(LOG.user, LOG.users.find(["2", "5"]))
    result = attack(LOG, profiles, release=LOG.rows(users))  # 5 searches for what 3 does
    assert result.counts == pytest.approx((1, 1))
    assert any("3 users" in note for note in result.notes)
    with pytest.raises(MissingInput, match="release"):
        attack(LOG, profiles, release=LOG.rows(LOG.user == LOG.users.find(["5"])[0]))
