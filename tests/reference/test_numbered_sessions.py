"""Numbered sessions, against their page."""

import random
from collections.abc import Iterator

import numpy as np
import pytest

import auditor
from auditor.log.model import QueryLog
from auditor.methods.numbered_sessions import METHOD, NumberedSessionsParams, hide_clock
from auditor.privacy.noise import PreviewRandomness
from auditor.progress import silent_progress
from tests.reference import logs
from tests.reference.logs import Row
from tests.reference.methods import numbered_sessions as reference
from tests.reference.methods.token_hashing import one_to_one
from tests.reference.product import rows_of

SEEDS = range(8)
GAP = 30


def a_log(seed: int) -> list[Row]:
    """Rows of three days, eight seconds and more between any two."""
    dice = random.Random(seed)
    rows = logs.random_log(seed, users=6, rows=120, queries=20)
    times = dice.sample(range(0, 3 * reference.DAY, 8), len(rows))
    return [row._replace(time=logs.EPOCH + time) for row, time in zip(rows, times, strict=True)]


def pair(
    rows: list[Row], seed: int, top: int | None, clock: str
) -> Iterator[tuple[list[Row], list[Row]]]:
    """The kept rows of each user beside their released ones, as the truth table has it."""
    log = QueryLog.from_columns(
        user=[row.user for row in rows],
        query=[row.query for row in rows],
        time=[row.time for row in rows],
        url=[row.url for row in rows],
        rank=[-1 if row.rank is None else row.rank for row in rows],
    )
    params = NumberedSessionsParams(top_queries=top, clock=clock, session_gap=GAP)
    rng = PreviewRandomness(seed)
    run = METHOD.run(log, params, rng=rng, progress=silent_progress())
    assert isinstance(run.content, QueryLog)
    assert METHOD.recheck is not None
    check = METHOD.recheck.find_contradiction
    assert check(log, run.content, params, silent_progress()) == ""
    assert (not len(run.content)) or check(log, log.rows(np.array([0])), params, silent_progress())
    assert run.truth is not None
    ids, users = run.truth.ids.list_strings(), run.truth.users.list_strings()
    owner = {new: users[code] for new, code in zip(ids, run.truth.user.tolist(), strict=True)}
    released = logs.histories(rows_of(run.content))
    expected = logs.histories(reference.kept_rows(rows, top, GAP))
    assert {owner[new] for new in released} == set(expected)
    assert len(released) == len(expected)
    for new, history in released.items():
        yield expected[owner[new]], history


@pytest.mark.parametrize("top", [None, 1, 4])
@pytest.mark.parametrize("seed", SEEDS)
def test_that_all_that_is_kept_is_renamed_one_to_one(seed: int, top: int | None) -> None:
    rows = a_log(seed)
    words: list[tuple[str, str]] = []
    pages: list[tuple[str, str]] = []
    hosts: list[tuple[str, str]] = []
    expected = reference.order_times(reference.kept_rows(rows, top, GAP) or rows, GAP)
    for mine, theirs in pair(rows, seed, top, "order"):
        for raw, new in zip(mine, theirs, strict=True):
            words += zip(raw.query.split(), new.query.split(), strict=True)
            pages.append((raw.url or "", new.url or ""))
            if raw.url:
                hosts.append((raw.url.split("/")[2].lower(), str(new.url).split("/")[0]))
            assert raw.rank == new.rank
            assert new.time == expected[raw]
    assert one_to_one(words)
    assert one_to_one(pages)
    assert one_to_one(hosts)
    assert not {left for left, _ in words} & {right for _, right in words}


@pytest.mark.parametrize("seed", SEEDS)
def test_that_one_factor_is_in_all_seconds_of_sessions(seed: int) -> None:
    rows = a_log(seed)
    least, most = 0.25, 1.0
    for mine, theirs in pair(rows, seed, None, "scaled"):
        new = dict(zip(mine, theirs, strict=True))
        for session in reference.sessions(mine, GAP):
            for row in session[1:]:
                true, scaled = row.time - session[0].time, new[row].time - new[session[0]].time
                least, most = max(least, scaled / true), min(most, (scaled + 1) / true)
    assert least < most


def test_that_equal_queries_a_second_apart_stay_two_and_sessions_apart() -> None:
    rows = [Row("a", "ox", logs.EPOCH + second) for second in (0, 1, 2, 3, 4, 5_000, 5_001)]
    ((_, theirs),) = pair(rows, 1, None, "scaled")
    times = [row.time for row in theirs]
    assert times[:5] == [0, 1, 2, 3, 4]
    assert times[5] > times[4] + 60 * GAP
    assert times[6] == times[5] + 1


def test_that_order_numbers_of_a_busy_day_stay_within_it() -> None:
    count, day = 86_500, logs.EPOCH // 86_400 * 86_400
    log = QueryLog.from_columns(
        user=["bot"] * (count + 1),
        query=[f"q{number}" for number in range(count)] + ["ox"],
        time=[day + number // 2 for number in range(count)] + [day + 86_400],
    )
    times = hide_clock(log, NumberedSessionsParams(clock="order"), 1.0)
    assert np.bincount((times - day) // 86_400).tolist() == [count, 1]
    assert (np.diff(times) >= 0).all()


def test_that_an_inversion_reads_numbers_as_it_reads_hashes() -> None:
    sample = auditor.load_sample().sample_users(1_000, 1)
    attacks = {
        name: auditor.attack("hash-inversion", sample, release, n=100)
        for name, release in (
            ("numbers", auditor.preview(sample, "numbered-sessions", seed=1)),
            ("hashes", auditor.preview(sample, "token-hashing", seed=1)),
        )
    }
    rates = {name: result.rate for name, result in attacks.items()}
    assert rates["numbers"] == pytest.approx(rates["hashes"], abs=0.1)
    assert rates["hashes"] > 0.3
