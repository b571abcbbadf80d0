"""Methods that count, with noise too small to be felt, against their pages."""

import itertools
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.reference import logs, product
from tests.reference.logs import Row
from tests.reference.methods import frequency_threshold, korolova, safelog, zealous

QUIET = 0.01
"""A noise scale with which a count is changed once in 10^43."""
SEEDS = range(12)
UNITS = ("rows", "events", "users")
REAL = 99
"""Stands for Excite's log among the seeds."""


def a_log(seed: int) -> list[Row]:
    return logs.excite() if seed == REAL else logs.random_log(seed)


def limits(seed: int) -> dict[str, Any]:
    dice = random.Random(seed)
    return {"q_f": dice.randint(1, 9), "c_f": dice.randint(1, 9), "K": dice.randint(1, 6)}


def test_that_the_program_reads_excite_s_own_file() -> None:
    read = [row for row in product.read(logs.EXCITE) if row.query.strip()]
    assert Counter(read) == Counter(logs.excite())


@pytest.mark.parametrize("seed", [*SEEDS, REAL])
def test_that_strict_safelog_counts_as_its_page(seed: int, tmp_path: Path) -> None:
    rows, dice = a_log(seed), random.Random(seed)
    params = {**limits(seed), "K_c": dice.randint(1, 3), "K_t": dice.randint(1, 3)}
    released = product.anonymize(
        rows, tmp_path, "safelog", mode="strict", b=QUIET, b_c=QUIET, b_t=QUIET, **params
    )
    assert released[1:4] == safelog.strict(rows, **params)


@pytest.mark.parametrize(("unit", "seed"), list(itertools.product(UNITS, [*SEEDS[:6], REAL])))
def test_that_published_safelog_counts_as_its_page(unit: str, seed: int, tmp_path: Path) -> None:
    rows, params = a_log(seed), {**limits(seed), "tau": random.Random(seed).randint(1, 12)}
    noise = dict.fromkeys(("b", "b_q", "b_c", "b_t"), QUIET)
    released = product.anonymize(
        rows, tmp_path, "safelog", mode="published", counting_unit=unit, **noise, **params
    )
    assert released[1:4] == safelog.published(rows, unit=unit, **params)


@pytest.mark.parametrize(("unit", "seed"), list(itertools.product(UNITS, [*SEEDS[:4], REAL])))
def test_that_korolova_counts_as_its_page(unit: str, seed: int, tmp_path: Path) -> None:
    rows, params = a_log(seed), limits(seed)
    noise = dict.fromkeys(("b", "b_q", "b_c"), QUIET)
    released = product.anonymize(
        rows, tmp_path, "korolova", clicks="observed", counting_unit=unit, **noise, **params
    )
    assert released[1:3] == korolova.release(rows, unit=unit, **params)


@pytest.mark.parametrize("seed", SEEDS[:4])
def test_that_korolova_counts_clicks_on_public_results(seed: int, tmp_path: Path) -> None:
    rows, params = a_log(seed), limits(seed)
    texts = sorted({row.query for row in rows})
    results = [(text, logs.page(text, place)) for text in texts for place in (1, 3, 5)]
    listed = tmp_path / "results.tsv"
    lines = [f"{query}\t{url}\n" for query, url in [*results, results[0]]]
    listed.write_text("".join(lines), encoding="utf-8")
    noise = dict.fromkeys(("b", "b_q", "b_c"), QUIET)
    released = product.anonymize(
        rows, tmp_path, "korolova", clicks="results", results=listed, **noise, **params
    )
    assert released[1:3] == korolova.release(rows, unit="events", results=results, **params)


@pytest.mark.parametrize("printed", [True, False])
@pytest.mark.parametrize("seed", [*SEEDS[:6], REAL])
def test_that_zealous_counts_as_its_page(seed: int, printed: bool, tmp_path: Path) -> None:
    rows, dice = a_log(seed), random.Random(seed)
    m, tau, delta = dice.randint(1, 5), dice.randint(1, 4), 1e-6
    released = product.anonymize(
        rows,
        tmp_path,
        "zealous",
        m=m,
        tau=tau,
        epsilon=1000.0,
        delta=delta,
        threshold="printed" if printed else "sound",
    )
    # Noise of 2m/1000 is not felt: sound is anything above the τ that a query comes into being at.
    above = zealous.printed_threshold(m, 1000.0, delta) if printed else tau + 1
    assert released.queries == zealous.release(rows, m=m, tau=tau, above=above)


@pytest.mark.parametrize("seed", [*SEEDS[:6], REAL])
def test_that_the_frequency_threshold_keeps_the_rows_of_its_page(seed: int, tmp_path: Path) -> None:
    rows, n = a_log(seed), random.Random(seed).randint(1, 6)
    expected = frequency_threshold.release(rows, n=n)
    same = product.anonymize(rows, tmp_path, "frequency-threshold", n=n, ids="keep").rows
    assert Counter(same) == Counter(expected)
    renamed = product.anonymize(rows, tmp_path, "frequency-threshold", n=n, ids="random").rows
    assert sorted(anonymous(renamed)) == sorted(anonymous(expected))


def anonymous(rows: list[Row]) -> list[list[str]]:
    """The histories without whose they are."""
    return [sorted(str(row[1:]) for row in history) for history in logs.histories(rows).values()]
