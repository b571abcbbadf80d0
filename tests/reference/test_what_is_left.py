"""What stays in a release: exposure, information and linkage, against their pages."""

import random
from pathlib import Path
from typing import Any

import pytest

from tests.reference import logs, product
from tests.reference.attacks import record_linkage
from tests.reference.logs import Row
from tests.reference.measures import information_loss, profile_exposure

SEEDS = range(5)


def changed(rows: list[Row], seed: int) -> list[Row]:
    """A release of the log, as a bad method would make it: rows lost, replaced and doubled."""
    dice = random.Random(seed)
    texts = sorted({row.query for row in rows})
    released = []
    for row in rows:
        fate = dice.random()
        if fate < 0.3:
            continue
        if fate < 0.5:
            row = row._replace(query=dice.choice(texts))
        released.append(row)
        if fate > 0.9:
            released.append(row._replace(time=row.time + 1))
    return released


@pytest.fixture(params=[*SEEDS, "excite"])
def pair(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[list[Row], Any, list[Row], Any]:
    """(rows, their file, changed rows, their file)."""
    real = request.param == "excite"
    seed = 9 if real else int(request.param)
    rows = logs.some_of_excite(200, seed) if real else logs.random_log(seed, users=25)
    after = changed(rows, seed)
    files = product.write(rows, tmp_path / "log.tsv"), product.write(after, tmp_path / "after.tsv")
    return rows, files[0], after, files[1]


def test_that_exposure_and_loss_are_those_of_the_pages(pair: Any) -> None:
    rows, log, after, release = pair
    exposed = product.call("measure", "profile-exposure", log, release)[1]["values"]
    assert exposed["exposure.pel"] == pytest.approx(profile_exposure.pel(rows, after), rel=1e-9)
    loss = product.call("measure", "information-loss", log, release)[1]["values"]
    users, overall = information_loss.ilr(rows, after)
    assert loss["loss.users"] == pytest.approx(users, rel=1e-9)
    assert loss["loss.log"] == pytest.approx(overall, rel=1e-9)


@pytest.mark.parametrize("closeness", ["overlap", "likelihood"])
def test_that_records_are_linked_as_on_the_page(pair: Any, closeness: str) -> None:
    rows, log, after, release = pair
    result = product.call(
        "attack", "record-linkage", log, release, "-p", "share=1", "-p", f"closeness={closeness}"
    )[1]
    for first in (1, 5):
        expected = record_linkage.rate(rows, after, closeness=closeness, first=first)
        assert result[f"rank{first}"] == pytest.approx(expected, abs=1e-9)
