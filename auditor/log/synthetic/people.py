"""The people of a synthetic log: names, homes, habits, addresses, profiles, attributes of rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from auditor.arrays import Bools, Floats, Int32s, Int64s, UInt32s
from auditor.log import gazetteers
from auditor.log.model import NONE, Attribute, Vocabulary
from auditor.log.synthetic.world import Rng, SyntheticWorld, draw_indices

if TYPE_CHECKING:
    import pandas as pd

INTERESTS = 6
"""Topics that a person comes back to."""
FAVOURITES = 3
"""Sites that a person reaches by typing their names."""
OWN_NAME_SHARE = 0.30
"""Of users, those who ask for their own name (Jones et al. 2008, section 1)."""
HOME_SHARE = 0.50
"""Of users, those who ask for a place that shares three digits of ZIP with their home (same)."""
OWN_DATA_SHARE = 0.04
"""Of users, those who type a number or an address of their own."""
SUBNETS = 1 << 16
"""Class C networks within 10.0.0.0/8, which belongs to nobody."""
PEOPLE_PER_SUBNET = 14
NEIGHBOURS = 5
"""Networks that four more masked bits join, as far as there is room."""


@dataclass(frozen=True, eq=False)
class SyntheticPeople:
    """n people; every array has one row for each.

    `first`, `last` are word codes; `city` and `zip_code` say where home is; `activity` is the
    mean number of sessions a day; `interests` are topics, `leaning` is where in a topic's
    companions each person's taste lies; `ip` is the usual address.
    """

    world: SyntheticWorld
    number: Int64s
    first: Int32s
    last: Int32s
    city: Int64s
    zip_code: Int64s
    activity: Floats
    interests: Int64s
    leaning: Floats
    favourites: Int64s
    adult: Floats
    asks_name: Bools
    asks_home: Bools
    types_data: Bools
    ip: UInt32s
    roams: Bools
    cookies: Int64s

    def __len__(self) -> int:
        return len(self.number)

    def format_name(self, person: int) -> str:
        """First and last name, in lower case."""
        words = self.world.lexicon.words
        return f"{words[int(self.first[person])]} {words[int(self.last[person])]}"

    def zip_text(self, person: int) -> str:
        """The home's five-digit postal code."""
        return f"{self.zip_code[person]:05d}"


def make_people(n: int, world: SyntheticWorld, rng: Rng) -> SyntheticPeople:
    """Draw n people; O(n · log n)."""
    city = draw_indices(world.cities.weights, n, rng)
    codes = [gazetteers.city_zips()[key] for key in world.city_keys]
    sizes = np.array([len(person_codes) for person_codes in codes])
    starts = np.concatenate(([0], np.cumsum(sizes)))
    flat = np.array([int(code) for person_codes in codes for code in person_codes])
    zip_code = flat[starts[city] + (rng.random(n) * sizes[city]).astype(np.int64)]
    # A person who came back to a topic would be rare if interests were as skewed as fashions.
    interests = draw_indices(world.topics**0.7, n * INTERESTS, rng).reshape(n, INTERESTS)
    return SyntheticPeople(
        world,
        number=np.sort(rng.choice(40 * n + 100_000, n, replace=False)) + 1,
        first=world.first.draw(n, rng),
        last=world.last.draw(n, rng),
        city=city,
        zip_code=zip_code,
        activity=0.37 * rng.lognormal(-0.72, 1.2, n),
        interests=interests,
        leaning=rng.random((n, INTERESTS)),
        favourites=draw_indices(world.sites.weights, n * FAVOURITES, rng).reshape(n, FAVOURITES),
        adult=np.where(rng.random(n) < 0.12, 0.22, 0.008),
        asks_name=rng.random(n) < OWN_NAME_SHARE,
        asks_home=rng.random(n) < HOME_SHARE,
        types_data=rng.random(n) < OWN_DATA_SHARE,
        ip=_draw_addresses(zip_code, rng),
        roams=rng.random(n) < 0.35,
        cookies=1 + rng.poisson(0.35, n),
    )


def _draw_addresses(zip_code: Int64s, rng: Rng) -> UInt32s:
    """An address each: neighbours share networks, and now and then one address.

    People in order of postal code fill networks of very unequal size, which lie in order in
    10.0.0.0/8; so the longer the prefix two people share, the nearer they live. Networks lie
    close together: four more masked bits join about five of them (Jones et al. 2008, Table 2),
    more where 10.0.0.0/8 becomes too small for that.
    """
    n = len(zip_code)
    order = np.lexsort((rng.random(n), zip_code))
    networks = min(SUBNETS, max(1, n // PEOPLE_PER_SUBNET))
    shares = rng.lognormal(0.0, 0.8, networks)
    edges = np.cumsum(shares) / shares.sum() * n
    network = np.minimum(np.searchsorted(edges, np.arange(n), side="right"), networks - 1)
    places = _place_networks(networks, rng)
    host = rng.integers(1, 255, n)
    shared = np.flatnonzero(rng.random(n) < 0.1)
    shared = shared[(shared > 0) & (network[shared] == network[shared - 1])]
    host[shared] = host[shared - 1]
    address = np.empty(n, dtype=np.uint32)
    address[order] = ((10 << 24) + places[network] * 256 + host).astype(np.uint32)
    return address


def _place_networks(networks: int, rng: Rng) -> Int64s:
    """Where in 10.0.0.0/8 the networks of 256 addresses lie, in order; shape (networks,)."""
    places = np.zeros(1, dtype=np.int64)
    for children, neighbours in ((256, NEIGHBOURS**2), (16, NEIGHBOURS), (16, 1)):
        candidates = (places[:, None] * children + np.arange(children)).ravel()
        count = min(len(candidates), -(-networks // neighbours))
        places = np.sort(rng.choice(candidates, count, replace=False))
    return places


def make_profiles(people: SyntheticPeople, rng: Rng) -> pd.DataFrame:
    """What an attacker may find about users elsewhere.

    Columns: `user`, `userid` (made from a name by nine in ten, from both names by four in
    ten), `format_name` (given by a quarter; missing otherwise), `zip`. The rates are those of
    Jones et al. 2008, Table 3.
    """
    import pandas as pd

    words = people.world.lexicon.words
    nouns = [words[int(code)] for code in people.world.heads]
    draws = rng.random((len(people), 4))
    names: list[str | None] = []
    userids = []
    for person in range(len(people)):
        first, last = people.format_name(person).split()
        pick, shape, number, chance = draws[person]
        userids.append(_make_userid(first, last, nouns, pick, shape, number))
        full = f"{first.title()} {last.title()}"
        names.append(full if chance < 0.2 else first.title() if chance < 0.25 else None)
    return pd.DataFrame(
        {
            "user": [str(number) for number in people.number],
            "userid": userids,
            "name": pd.array(names, dtype="string"),
            "zip": [people.zip_text(person) for person in range(len(people))],
        }
    )


def _make_userid(
    first: str, last: str, nouns: list[str], pick: float, shape: float, number: float
) -> str:
    digits = str(int(number * 100)) if number * 10 % 1 < 0.6 else ""
    if pick < 0.42:
        forms = (f"{last}_{first}", f"{first}.{last}", f"{first}{last}", f"{first}_{last}")
    elif pick < 0.88:
        noun = nouns[int(number * len(nouns))]
        forms = (f"{first}{noun}", f"{first[0]}{last}", f"{first}_{int(number * 10_000)}", first)
    else:
        a, b = nouns[int(number * len(nouns))], nouns[int(shape * len(nouns))]
        forms = (f"{a}{b}", f"{a}_{b}", f"{b}{a}x", f"{a}4{b}")
    return forms[int(shape * len(forms))] + digits


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
    people: SyntheticPeople, person: Int64s, machine: Int32s, clicked: Int64s, rng: Rng
) -> dict[str, Attribute]:
    """`country`, `region`, `language`, `device`, `signed_in` and `dwell_ms` of every row.

    `person` and `machine` are the person and the browser of each row, `clicked` the rows with a
    click; shape (rows,). Country, region (the home's state, in the US), language and signing in are
    a person's, a device is a browser's, a dwell time is a click's. O(people + rows).
    """
    n = len(people)
    country = draw_indices(_COUNTRY_WEIGHTS, n, rng)
    tongues = sorted(set(LANGUAGES))
    language = np.array([tongues.index(tongue) for tongue in LANGUAGES])[country]
    foreign = rng.random(n) < _FOREIGN
    language[foreign] = rng.integers(0, len(tongues), int(foreign.sum()))
    states = sorted({state for _, state in people.world.city_keys})
    place = {state: number for number, state in enumerate(states)}
    home = np.array([place[state] for _, state in people.world.city_keys])[people.city]
    region = np.where(country == COUNTRIES.index("US"), home, NONE)
    signed_in = (rng.random(n) < _SIGNED_IN).astype(np.int64)
    device = draw_indices(_DEVICE_WEIGHTS, int(machine.max(initial=-1)) + 1, rng)
    dwell = np.full(len(person), NONE)
    dwell[clicked] = np.minimum(rng.lognormal(10.0, 1.2, len(clicked)), 1.8e6).astype(np.int64)
    spent, dwell_codes = np.unique(dwell[clicked], return_inverse=True)
    dwell[clicked] = dwell_codes
    columns = {
        "country": (country[person], COUNTRIES),
        "region": (region[person], [f"US-{state.upper()}" for state in states]),
        "language": (language[person], tongues),
        "device": (device[machine], DEVICES),
        "signed_in": (signed_in[person], ("no", "yes")),
        "dwell_ms": (dwell, map(str, spent.tolist())),
    }
    return {
        name: Attribute(codes.astype(np.int32), Vocabulary.of(texts))
        for name, (codes, texts) in columns.items()
    }
