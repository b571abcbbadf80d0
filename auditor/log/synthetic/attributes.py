"""Columns beside a synthetic log: where, in which language and on what device people search."""

from __future__ import annotations

import numpy as np

from auditor.arrays import Int32s, Int64s
from auditor.log.model import NONE, Attribute, Vocabulary
from auditor.log.synthetic.people import SyntheticPeople
from auditor.log.synthetic.world import SyntheticWorld, draw_indices

COUNTRIES = ("US", "DE", "FR", "IT", "ES", "PL", "NL", "RO", "BE", "CZ", "SE", "PT", "AT", "DK",
             "FI", "IE", "SI", "EE", "LU", "MT")  # fmt: skip
LANGUAGES = ("en", "de", "fr", "it", "es", "pl", "nl", "ro", "nl", "cs", "sv", "pt", "de", "da",
             "fi", "en", "sl", "et", "fr", "mt")  # fmt: skip
"""The language of most people of each country."""
DEVICES = ("mobile", "desktop", "tablet")
_COUNTRY_WEIGHTS = np.arange(1, len(COUNTRIES) + 1) ** -1.5
_DEVICE_WEIGHTS = np.array([0.58, 0.37, 0.05])
_FOREIGN = 0.06
"""People whose language is not that of their country."""
_SIGNED_IN = 0.6


def make_attributes(
    world: SyntheticWorld,
    people: SyntheticPeople,
    who: Int64s,
    machine: Int32s,
    clicked: Int64s,
    rng: np.random.Generator,
) -> dict[str, Attribute]:
    """`country`, `region`, `language`, `device`, `signed_in` and `dwell_ms` of every row.

    `who` and `machine` are the person and the browser of each row, `clicked` the rows with a click;
    shape (rows,). Country, region (the home's state, in the US), language and signing in are a
    person's, a device is a browser's, a dwell time is a click's. O(people + rows).
    """
    n = len(people)
    country = draw_indices(_COUNTRY_WEIGHTS, n, rng)
    tongues = sorted(set(LANGUAGES))
    language = np.array([tongues.index(each) for each in LANGUAGES])[country]
    foreign = rng.random(n) < _FOREIGN
    language[foreign] = rng.integers(0, len(tongues), int(foreign.sum()))
    states = sorted({state for _, state in world.city_keys})
    place = {state: number for number, state in enumerate(states)}
    home = np.array([place[state] for _, state in world.city_keys])[people.city]
    region = np.where(country == COUNTRIES.index("US"), home, NONE)
    signed_in = (rng.random(n) < _SIGNED_IN).astype(np.int64)
    device = draw_indices(_DEVICE_WEIGHTS, int(machine.max(initial=-1)) + 1, rng)
    dwell = np.full(len(who), NONE)
    dwell[clicked] = np.minimum(rng.lognormal(10.0, 1.2, len(clicked)), 1.8e6).astype(np.int64)
    spent, dwell_codes = np.unique(dwell[clicked], return_inverse=True)
    dwell[clicked] = dwell_codes
    columns = {
        "country": (country[who], COUNTRIES),
        "region": (region[who], [f"US-{state.upper()}" for state in states]),
        "language": (language[who], tongues),
        "device": (device[machine], DEVICES),
        "signed_in": (signed_in[who], ("no", "yes")),
        "dwell_ms": (dwell, map(str, spent.tolist())),
    }
    return {
        name: Attribute(codes.astype(np.int32), Vocabulary.of(texts))
        for name, (codes, texts) in columns.items()
    }
