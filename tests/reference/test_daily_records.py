"""Methods that give a new id each day, against their pages."""

import random
from pathlib import Path

import pytest

from tests.reference import logs, product
from tests.reference.logs import Row
from tests.reference.methods import day_pseudonyms, entity_allowlist
from tests.reference.methods.day_pseudonyms import DAY, Record

SEEDS = range(12)


def a_log(seed: int) -> list[Row]:
    """A random log of five days, with an address among its queries."""
    rows = logs.random_log(seed, seconds=5 * DAY)
    return [*rows, Row("u1", "jo.smith@example.org", rows[0].time)]


def records_of(rows: list[Row]) -> list[Record]:
    """What stands under each id."""
    by_user = logs.histories(rows).values()
    return sorted(
        sorted((row.query, row.time // DAY, row.url or "") for row in record) for record in by_user
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_that_day_pseudonyms_release_the_records_of_their_page(seed: int, tmp_path: Path) -> None:
    rows = a_log(seed)
    result = product.anonymize(rows, tmp_path, "day-pseudonyms").rows
    assert records_of(result) == day_pseudonyms.release(rows, lambda query: "@" in query)
    full = product.anonymize(rows, tmp_path, "day-pseudonyms", suppress="nothing").rows
    assert records_of(full) == day_pseudonyms.release(rows, lambda _: False)


@pytest.mark.parametrize("seed", SEEDS)
def test_that_the_entity_allowlist_releases_the_rows_of_its_page(seed: int, tmp_path: Path) -> None:
    rows, dice = a_log(seed), random.Random(seed)
    k, most = dice.randint(1, 12), dice.choice([None, 1, 2])
    result = product.anonymize(rows, tmp_path, "entity-allowlist", k_entity=k, max_words=most).rows
    expected = entity_allowlist.release(rows, k=k, most_words=most)
    assert sorted((row.query, row.time // DAY) for row in result) == sorted(
        (query, day) for (_, query, day), often in expected.items() for _ in range(often)
    )
    assert len({row.user for row in result}) == len({(user, day) for user, _, day in expected})
