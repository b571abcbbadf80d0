"""Personal data that people of a synthetic log type: well formed, and nobody's.

Telephone numbers are of the 555-01xx range kept for fiction, card numbers those that payment
networks set aside for testing, e-mail addresses under ``example``, and social security numbers
of areas from which none had been issued in the years the log claims.
"""

from __future__ import annotations

import numpy as np

from auditor.arrays import Int64s
from auditor.log.synthetic import world as w
from auditor.log.synthetic.people import SyntheticPeople
from auditor.log.synthetic.queries import SyntheticQueries
from auditor.log.synthetic.world import SyntheticWorld

CARDS = (
    *("4111111111111111", "4012888888881881", "5555555555554444", "5105105105105100"),
    *("378282246310005", "371449635398431", "6011111111111117", "6011000990139424"),
    "3530111333300000",
)
AREA_CODES = ("205", "212", "303", "312", "404", "503", "541", "602", "617", "713", "808", "916")
STREETS = ("maple", "oak", "cedar", "main", "washington", "park", "lake", "hill", "elm", "walnut")
STREET_TYPES = ("street", "st", "avenue", "ave", "road", "rd", "drive", "lane", "court")
KINDS = ("e-mail", "telephone", "social security", "street address", "payment card")
SHARES = (0.3, 0.25, 0.1, 0.25, 0.1)


def own_data(
    world: SyntheticWorld, people: SyntheticPeople, who: Int64s, rng: np.random.Generator
) -> SyntheticQueries:
    """A query holding personal data for each of `who`; the kind is drawn of KINDS."""
    made = SyntheticQueries.make_blank(len(who))
    made.topic[:] = len(world.heads) + w.OWN_DATA
    kinds = rng.choice(len(KINDS), len(who), p=SHARES).astype(np.int64)
    numbers = rng.integers(0, 1 << 30, (len(who), 3))
    for row, person in enumerate(who):
        tokens = _make_tokens(KINDS[kinds[row]], world, people, int(person), numbers[row].tolist())
        for token in tokens:
            known = world.lexicon.code.get(token)
            code = world.lexicon.add(token) if known is None else known
            made.append(np.array([row]), np.array([code]))
    return made


def _make_tokens(
    kind: str, world: SyntheticWorld, people: SyntheticPeople, person: int, numbers: list[int]
) -> list[str]:
    first, last = people.format_name(world, person).split()
    a, b, c = numbers
    if kind == "e-mail":
        return [f"{first}.{last}{a % 100 if b % 2 else ''}@example.{'com' if c % 3 else 'org'}"]
    if kind == "telephone":
        number = f"{AREA_CODES[a % len(AREA_CODES)]}-555-01{b % 100:02d}"
        return [number] if c % 2 else [first, last, number]
    if kind == "social security":
        number = f"{773 + a % 127}-{1 + b % 99:02d}-{1 + c % 9999:04d}"
        return [number] if a % 2 else ["social", "security", "number", number]
    if kind == "payment card":
        return [CARDS[a % len(CARDS)]]
    city, state = world.city_keys[int(people.city[person])]
    street = [STREETS[a % len(STREETS)], STREET_TYPES[b % len(STREET_TYPES)]]
    return [str(100 + c % 9_800), *street, *city.split(), state]
