"""kΘ-affinity against its page, on random logs and on Excite's."""

import random
from collections import Counter
from pathlib import Path

import pytest

from tests.reference import logs, product
from tests.reference.logs import EPOCH, Row
from tests.reference.methods import k_theta_affinity

SEEDS = range(12)
REAL = 99
"""Stands for Excite's log among the seeds."""


def a_log(seed: int) -> list[Row]:
    """Queries of one word to five out of seven words, frequent ones first, in two spellings."""
    if seed == REAL:
        return logs.excite()
    dice = random.Random(seed)
    words = ["red", "car", "Red", "hire", "of", "rome", "zq7"]
    rows = []
    for number in range(dice.randint(40, 200)):
        length = dice.choices((1, 2, 3, 4, 5), (4, 6, 4, 2, 1))[0]
        query = dice.choice((" ", "  ", "\u3000")).join(
            dice.choices(words, (9, 8, 4, 3, 3, 2, 1), k=length)
        )
        rows.append(Row(f"u{dice.randrange(14)}", query, EPOCH + number))
    return rows


def setting(seed: int) -> tuple[int, float, int, bool]:
    dice = random.Random(seed)
    most = 4 if seed == REAL else 9
    theta = dice.choice([0.2, 0.4, 0.5, 0.6, 2 / 3, 0.75, 1.0])
    return dice.randint(2, most), theta, dice.choice([1, 1, 2, 4]), dice.random() < 0.5


def released(rows: list[Row], place: Path, *, information: bool, **values: float) -> Counter[Row]:
    similarity = "information" if information else "words"
    name = "k-theta-affinity"
    release = product.anonymize(rows, place, name, similarity=similarity, ids="keep", **values)
    return Counter(release.rows)


@pytest.mark.parametrize("seed", [*SEEDS, REAL, *range(20, 40)])
def test_that_affinity_keeps_the_rows_of_its_page(seed: int, tmp_path: Path) -> None:
    k, theta, w, information = setting(seed)
    rows = a_log(seed)
    page = k_theta_affinity.release(rows, k=k, theta=theta, w=w, information=information)
    result = released(rows, tmp_path, information=information, k=k, theta=theta, w=w)
    assert result == Counter(product.read(product.write(page, tmp_path / "kept.tsv")))
