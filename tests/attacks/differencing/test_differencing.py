"""Comparing releases of invented logs, against groups and differences counted by hand."""

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest

from auditor.__main__ import main
from auditor.arrays import Bools
from auditor.attacks import differencing
from auditor.attacks.base import AttackResult
from auditor.attacks.differencing import ATTACK
from auditor.attacks.record_linkage.targets import NEEDS_TRUTH
from auditor.errors import MissingInput
from auditor.log.model import QueryLog, Vocabulary
from auditor.log.synthetic.generator import synthesize_log
from auditor.methods.noisy_counts.period_units import HISTORY
from auditor.privacy.release import CellFigure, CellKey, CellTable, Preview, Tables
from auditor.privacy.truth_table import TruthTable
from auditor.release.ledger.totals import SpentBudget, total_of
from tests.attacks.attacked import QUIET, explain, run_attack, value
from tests.measures.fakes import log_of, made_by, release_of, tables_of
from tests.narrowing import present


@pytest.fixture(scope="module")
def synthetic() -> QueryLog:
    return synthesize_log(120, seed=5).log


def log_of_all(users: str) -> QueryLog:
    """Each of these users has issued every query."""
    return log_of([(user, query, 1) for user in users for query in "xypqz"])


def grouped(groups: str) -> Preview:
    """A release in which each user, from a on, has the one query of their group."""
    rows = [(user, group, 1) for user, group in zip("abcdefgh", groups, strict=True)]
    return release_of(log_of(rows), ids="keep")


LOG = log_of_all("abcdefgh")
FIRST, SECOND = grouped("xxxxyyyy"), grouped("pqqqpppq")


def names(flags: Bools, log: QueryLog = LOG) -> list[str]:
    return log.users.list_strings(np.flatnonzero(flags))


def pair_compared(log: QueryLog, base: Preview, other: Preview) -> differencing.ReleaseComparison:
    first, second = (differencing.KnownRelease.of(log, each, QUIET) for each in (base, other))
    return differencing.compare_releases(first, second, 3, QUIET)


def compared(base: Preview, *others: Preview, log: QueryLog = LOG, k: int = 3) -> AttackResult:
    return run_attack(ATTACK, log, base, others=others, k=k)


def test_that_groups_of_four_intersect_to_one_user() -> None:
    comparison = pair_compared(LOG, FIRST, SECOND)
    # x∩p = {a}, x∩q = {b, c, d}, y∩p = {e, f, g}, y∩q = {h}
    assert names(comparison.intersected) == ["a", "h"]
    assert not comparison.is_alone.any()
    assert comparison.smallest == 1


def test_that_any_record_that_singles_a_user_out_counts_where_ids_last_a_day() -> None:
    rows = [(f"{user}{day}", "x", 86_400 * day) for user in "abcdefgh" for day in (1, 2)]
    rows[1] = ("a2", "z", 86_400 * 2)
    truth = TruthTable.of({row[0]: row[0][0] for row in rows})
    daily = dataclasses.replace(release_of(log_of(rows), ids="random"), truth=truth)
    comparison = pair_compared(LOG, daily, SECOND)
    # z is a's alone; of the others, x∩p = {a, e, f, g} and x∩q = {b, c, d, h}.
    assert names(comparison.is_alone) == ["a"]
    assert names(comparison.intersected) == ["a"]
    blind = dataclasses.replace(daily, truth=None)
    for base, other in ((blind, SECOND), (SECOND, blind)):
        assert explain(ATTACK, LOG, base, others=(other,)).startswith(NEEDS_TRUTH)


@pytest.mark.parametrize("users", ["abcdefgh", "abcdefghijklmnop"])
def test_that_the_rate_counts_whom_only_the_comparison_exposes(users: str) -> None:
    """Users who are in neither release do not count."""
    log = log_of_all(users)
    result = compared(FIRST, SECOND, log=log)
    assert (result.counts, result.baseline, result.control) == ((2, 8), 0.0, 0.0)
    assert value(result, "newly_exposed") == 2
    assert compared(FIRST, FIRST, log=log).rate == 0.0
    assert compared(grouped("xxxxxxxz"), FIRST, log=log).baseline == pytest.approx(1 / 8)


def test_that_a_query_of_one_user_more_names_them_and_of_k_more_nobody() -> None:
    rows = [(user, "rose", 1) for user in "abcdefg"]
    more = [*rows, ("h", "rose", 2)]
    few, before, after = (release_of(log_of(part), ids="keep") for part in (rows[:4], rows, more))
    log = log_of(more)
    comparison = pair_compared(log, before, after)
    assert names(comparison.differenced, log) == ["h"]
    assert (comparison.only_here, comparison.only_there, comparison.queries) == (0, 1, 1)
    result = compared(before, after, log=log)
    assert result.rate == pytest.approx(1 / 8)
    assert value(result, "differenced_queries") == 1
    assert not pair_compared(log, few, before).differenced.any()


def test_that_queries_of_those_who_left_differ_where_several_users_share_a_record() -> None:
    queries = ("rose", "fern", "moss")
    rows = [
        (user, query, 60 * place + 600 * hour)
        for place, user in enumerate("abcdefgh")
        for hour, query in enumerate(queries)
    ]
    log = log_of(rows)
    merged = [log_of([("1", *row[1:]) for row in rows if row[0] not in gone]) for gone in ("", "c")]
    before, after = (release_of(part, ids="drop", times="exact") for part in merged)
    comparison = pair_compared(log, before, after)
    assert names(comparison.differenced, log) == ["c"]
    assert comparison.queries == len(queries)
    assert compared(before, after, log=log).counts == (1, 8)


def test_that_nothing_is_said_of_shared_records_whose_rows_tell_nobody() -> None:
    rows = [(user, f"{user} {name}", 7) for user in "abcdefgh" for name in ("rose", "fern")]
    daily = [log_of([("1", row[1], 0) for row in part]) for part in (rows, rows[2:])]
    before, after = (release_of(part, ids="drop", times="day") for part in daily)
    with pytest.raises(MissingInput, match=NEEDS_TRUTH):
        compared(before, after, log=log_of(rows))


@pytest.mark.parametrize("times", ["exact", "day"])
def test_that_hashes_under_two_keys_are_aligned_by_time(synthetic: QueryLog, times: str) -> None:
    base = made_by("token-hashing", synthetic, times=times)
    first = present(base.log)
    second = hashed_again(first)
    assert not set(first.queries.list_strings()) & set(second.queries.list_strings())
    aligned, hashes = differencing.align_hashes(first, second, 0, QUIET)
    shifted, _ = differencing.align_hashes(first, second, 86_400, QUIET)
    assert aligned > 0.2 * hashes
    assert shifted < 0.02 * hashes
    result = compared(base, release_of(second, users="hashed"), log=synthetic)
    assert result.rate == pytest.approx(aligned / hashes)
    assert result.control == pytest.approx(shifted / hashes)


def test_that_a_release_of_another_log_is_not_taken_for_hashes() -> None:
    other = log_of([(user, f"lake {user}", 9) for user in "stuvwxyz"])
    why = explain(ATTACK, LOG, FIRST, others=(release_of(other),))
    assert "another log" in why
    assert "hashed" not in why


def hashed_again(log: QueryLog) -> QueryLog:
    """The same release as another key would have made it."""
    return QueryLog.from_columns(
        user=[log.users[code][::-1] for code in log.user],
        query=[
            " ".join(token[::-1] + "z" for token in log.queries[code].split()) for code in log.query
        ],
        time=log.time.copy(),
    )


def test_that_exact_counts_that_differ_by_few_tell_what_those_few_did() -> None:
    def cells_of(**counts: int) -> Preview:
        keys = (CellKey("query", np.arange(len(counts), dtype=np.int32), Vocabulary.of(counts)),)
        figures = (CellFigure("views", np.array(list(counts.values()))),)
        return release_of(Tables.of_cells(CellTable("cells.tsv", keys, figures)))

    mine = cells_of(rose=9, fern=9, moss=9, oak=9, elm=9)
    other = cells_of(elm=14, oak=9, moss=10, fern=5, yew=8)
    result = compared(mine, other, k=5)
    # Of four cells moss differs by 1 and fern by 4, elm by 5 and oak not at all.
    assert (result.rate, result.values[0].value) == (0.5, 2)
    noisy = dataclasses.replace(other, statement=dataclasses.replace(other.statement, epsilon=1.0))
    for unlike in (noisy, FIRST, release_of(tables_of({"rose": 9}))):
        assert explain(ATTACK, LOG, mine, others=(unlike,))
        assert explain(ATTACK, LOG, unlike, others=(mine,))


def test_that_it_says_why_nothing_can_be_compared(synthetic: QueryLog) -> None:
    tables = release_of(tables_of({"rose": 5}))
    assert "tables" in explain(ATTACK, LOG, FIRST, others=(tables,))
    assert "tables" in explain(ATTACK, LOG, tables, others=(FIRST,))
    hashed = made_by("token-hashing", synthetic)
    assert "hashed" in explain(ATTACK, synthetic, hashed, others=(release_of(synthetic),))


def spent(method: str, noise: bool) -> SpentBudget:
    return SpentBudget(method, "user", "one more", 1.0, 1e-6, noise=noise)


def test_that_the_ledger_counts_what_can_be_compared_before_the_second_goes_out() -> None:
    groups, noisy = spent("k-delta", False), spent("safelog", True)
    assert total_of([groups, noisy, groups]).find_figure("comparable", {HISTORY: 10})[0] == 1.0
    assert "k-delta" in total_of([groups, groups]).find_figure("comparable", {HISTORY: 10})[1]
    assert total_of([groups, noisy]).find_figure("comparable", {HISTORY: 10}) == (0.0, "")
    assert total_of([groups]).find_figure("comparable", {HISTORY: 10}) == (0.0, "")
    hashed = spent("token-hashing", False)
    assert any("aligned" in note for note in total_of([hashed, hashed]).notes)
    assert not any("aligned" in note for note in total_of([hashed, groups]).notes)


def test_that_the_command_line_takes_other_releases(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = []
    for number, release in enumerate((LOG, FIRST.local_content, SECOND.local_content)):
        name = tmp_path / f"{number}.csv"
        release.to_pandas().to_csv(name, index=False)  # type: ignore[union-attr]
        names.append(str(name))
    code = main(
        ["attack", "differencing", names[0], names[1], "--other", names[2], "-p", "k=3", "--json"]
    )
    assert code == 0
    assert json.loads(capsys.readouterr().out)["rate"] == 0.25
