"""Synthetic query logs that behave as real ones do, with the truth about them.

People of heavy-tailed activity ask about their few lasting interests and about what is in
fashion; sessions reformulate; equal queries have equal results; some ask for their own name,
many for places near home (the rates of Jones et al. 2008), a few type personal data. An earlier
period of the same world, with part of the same people and other fashions, is the attacker's
reference. Nothing in it is anybody's.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from auditor.arrays import Int32s, Int64s, UInt32s
from auditor.bit_mixing import splitmix64
from auditor.errors import ParameterError
from auditor.log.model import NONE, LogOrigin, QueryLog, Vocabulary
from auditor.log.synthetic import events as ev
from auditor.log.synthetic.events import SyntheticEvents, SyntheticQueries
from auditor.log.synthetic.world import (
    ADULT,
    DOMAIN_FORMS,
    PLACE,
    Rng,
    SyntheticPeople,
    SyntheticWorld,
    build_world,
    make_attributes,
    make_people,
    make_profiles,
)
from auditor.log.writing import write_log
from auditor.progress import Progress

if TYPE_CHECKING:
    import pandas as pd

START = 1_143_849_600
"""1 April 2006, when the log's period begins; the reference's ends then."""
NEWCOMERS = 0.45
"""Of the reference's people, those who are not in the log."""


@dataclass(frozen=True, eq=False)
class SyntheticLog:
    """A log, an earlier period, what an attacker may know of its users, and what is true.

    `truth` has: `users` (user → `name`, `zip`), the rows of `log` by kind (`own_name_rows`,
    `home_rows`, `own_data_rows`, from 0), `topics` (names) and `query_topics` (a topic for each
    query code of `log`), `seed` and `days`.
    """

    log: QueryLog
    reference: QueryLog
    profiles: pd.DataFrame
    truth: dict[str, Any]


def synthesize_log(
    users: int,
    *,
    days: int = 30,
    seed: int = 0,
    attributes: bool = False,
    progress: Progress | None = None,
) -> SyntheticLog:
    """Make a log of exactly `users` users, and all that belongs to it; O(users · days).

    The same arguments give the same log; about 37 rows a user in 30 days. With `attributes`
    the log has country, region, language, device, signed_in and dwell_ms beside the same rows.

    Raises `ParameterError`: `users` or `days` is less than 1, or `seed` is negative; `Cancelled`:
    `progress` was cancelled.
    """
    for name, value, least in (("users", users, 1), ("days", days, 1), ("seed", seed, 0)):
        if value < least:
            raise ParameterError(
                name, f"The '{name}' of a synthetic log must be at least {least}. Got {value}."
            )
    progress = progress or Progress()
    progress.stage("generating a synthetic log")
    streams = np.random.default_rng(seed).spawn(7)
    world = build_world(streams[0], progress)
    new = round(users * NEWCOMERS)
    everyone = make_people(users + new, world, streams[1])
    rank = streams[2].permutation(users + new)
    current, before = np.sort(rank[:users]), np.sort(rank[new:])
    drift = world.topics * streams[2].lognormal(0.0, 0.5, len(world.topics))
    drift[streams[2].random(len(drift)) < 0.04] *= 0.02
    period = ev.SyntheticPeriod(world.topics, current, START, days)
    attribute_rng = streams[6] if attributes else None
    log, truth = _make_period_log(everyone, period, streams[3], progress, attribute_rng)
    earlier = ev.SyntheticPeriod(drift, before, START - days * 86_400, days)
    reference, _ = _make_period_log(everyone, earlier, streams[4], progress)
    table = make_profiles(everyone, streams[5]).iloc[current].reset_index(drop=True)
    truth["users"] = {
        str(everyone.number[person]): {
            "name": everyone.format_name(person), "zip": everyone.zip_text(person)
        }
        for person in current.tolist()
    }  # fmt: skip
    return SyntheticLog(log, reference, table, {"seed": seed, "days": days, **truth})


def _make_period_log(
    people: SyntheticPeople,
    period: ev.SyntheticPeriod,
    rng: Rng,
    progress: Progress,
    attribute_rng: Rng | None = None,
) -> tuple[QueryLog, dict[str, Any]]:
    """One period's log, and what is true of its rows; `attribute_rng` draws its attributes."""
    present, world = period.present, people.world
    events, clicks = ev.make_period(people, period, rng, progress)
    query, queries, first = _query_strings(world, events.queries, progress)
    url, urls = _url_strings(world, clicks.url, progress)
    cookie, cookies, ip = _assign_machines(people, events, period.start, period.days, rng)
    user = np.searchsorted(present, events.who)
    rows = clicks.event
    attributes = {}
    if attribute_rng is not None:
        clicked = np.flatnonzero(url != NONE)
        attributes = make_attributes(people, events.who[rows], cookie[rows], clicked, attribute_rng)
    log = QueryLog.from_codes(
        user=user[rows].astype(np.int32),
        query=query[rows],
        time=events.time[rows],
        url=url,
        rank=clicks.rank,
        users=Vocabulary.of(str(number) for number in people.number[present]),
        queries=queries,
        urls=urls,
        ip=ip[rows],
        cookie=cookie[rows],
        cookies=cookies,
        attributes=attributes,
        origin=LogOrigin(format="synthetic", rows_read=len(rows)),
    )
    used_topics, topics = np.unique(events.queries.topic[first], return_inverse=True)
    kinds = {"own_name_rows": ev.OWN_NAME, "home_rows": ev.HOME, "own_data_rows": ev.OWN_DATA}
    truth: dict[str, Any] = {
        name: np.flatnonzero(events.kind[rows] == code).tolist() for name, code in kinds.items()
    }
    truth["topics"] = [world.topic_name(int(topic)) for topic in used_topics]
    return log, truth | {"query_topics": topics.tolist()}


def _query_strings(
    world: SyntheticWorld, queries: SyntheticQueries, progress: Progress
) -> tuple[Int32s, Vocabulary, Int64s]:
    """Codes by first appearance, the vocabulary, and an event that issued each query."""
    import pyarrow as pa
    import pyarrow.compute as pc

    weights = splitmix64(np.arange(queries.words.shape[1], dtype=np.uint64)) | np.uint64(1)
    keys = (splitmix64(queries.words.astype(np.int64).astype(np.uint64)) * weights).sum(axis=1)
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    words = queries.words[first]
    used_words, places = np.unique(words[words != NONE], return_inverse=True)
    texts: list[str] = []
    for low, high in progress.blocks("generating queries", len(used_words), 20_000):
        texts += [world.lexicon.spell(code) for code in used_words[low:high].tolist()]
    spelled = pa.array(texts, pa.string())
    offsets = np.concatenate(([0], np.cumsum(queries.length[first]))).astype(np.int32)
    lists = pa.ListArray.from_arrays(pa.array(offsets), spelled.take(pa.array(places)))
    return _number_texts(pc.binary_join(lists, " "), inverse)


def _number_texts(texts: Any, inverse: Int64s) -> tuple[Int32s, Vocabulary, Int64s]:
    """Number the texts at `inverse` by first appearance; equal texts get one number."""
    import pyarrow as pa

    encoded = texts.dictionary_encode()
    codes = encoded.indices.to_numpy(zero_copy_only=False)[inverse]
    distinct, first, place = np.unique(codes, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    new = np.empty(len(order), dtype=np.int32)
    new[order] = np.arange(len(order))
    vocabulary = Vocabulary.of_arrow(encoded.dictionary.take(pa.array(distinct[order])))
    return new[place], vocabulary, first[order]


HUBS = ("http://en.wikipedia.org", "http://www.amazon.com", "http://www.about.com")
PEOPLE_HUBS = ("http://www.whitepages.com", "http://www.imdb.com", "http://www.myspace.com",
               "http://www.classmates.com", "http://www.legacy.com", *HUBS)  # fmt: skip
PLACE_HUBS = ("http://www.mapquest.com", "http://www.weather.com", "http://www.city-data.com",
              "http://www.tripadvisor.com", "http://www.yellowpages.com", *HUBS)  # fmt: skip


def _url_strings(
    world: SyntheticWorld, keys: Int64s, progress: Progress
) -> tuple[Int32s, Vocabulary]:
    """Codes of the rows' URLs by first appearance, −1 for none, and their vocabulary."""
    import pyarrow as pa

    hit = np.flatnonzero(keys[:, 0] >= 0)
    codes = np.full(len(keys), NONE, dtype=np.int32)
    packed = keys[hit, 0] << 60 | keys[hit, 1] << 30 | keys[hit, 2]
    distinct, inverse = np.unique(packed, return_inverse=True)
    low_bits = (1 << 30) - 1
    texts: list[str] = []
    for low, high in progress.blocks("generating addresses", len(distinct), 20_000):
        texts += [
            _format_url(world, key >> 60, key >> 30 & low_bits, key & low_bits)
            for key in distinct[low:high].tolist()
        ]
    codes[hit], vocabulary, _ = _number_texts(pa.array(texts, pa.string()), inverse)
    return codes, vocabulary


def _format_url(world: SyntheticWorld, sort: int, a: int, b: int) -> str:
    spell = world.lexicon.spell
    if sort == ev.SITE_URL and a >= world.lexicon.glued:
        return f"http://www.{spell(a).removeprefix('www.')}"
    if sort == ev.SITE_URL:
        word = (a - world.lexicon.domains) // len(DOMAIN_FORMS)
        return f"http://www.{spell(word if a >= world.lexicon.domains else a)}.com"
    if sort == ev.PAIR_URL:
        pair = _strip_punctuation(spell(a)) + _strip_punctuation(spell(b))
        return f"http://www.{pair}.{'com' if (a + b) % 4 else 'org'}"
    if a >= len(world.heads):
        # A site for queries that have no topic of their own.
        if a - len(world.heads) == ADULT:
            return f"http://www.adults{b}.com"
        hubs = PLACE_HUBS if a - len(world.heads) == PLACE else PEOPLE_HUBS
        return hubs[b % len(hubs)] if b % 3 else f"http://www.results{b}.com"
    head = spell(int(world.heads[a]))
    if b % 9 == 4:
        return HUBS[(a + b) % len(HUBS)]
    low, high = world.neighbours.starts[a], world.neighbours.starts[a + 1]
    neighbour = spell(int(world.neighbours.items[low + b % (high - low)]) // 2)
    forms = ("http://www.{0}{1}.com", "http://{0}.{1}.com", "http://www.{1}{0}.org",
             "http://www.{0}.com", "http://www.{1}-{0}.net")  # fmt: skip
    return forms[b % len(forms)].format(head, neighbour)


def _strip_punctuation(text: str) -> str:
    return "".join(letter for letter in text if letter.isalnum() or letter == "-")


def _assign_machines(
    people: SyntheticPeople, events: SyntheticEvents, start: int, days: int, rng: Rng
) -> tuple[Int32s, Vocabulary, UInt32s]:
    """Each event's cookie (people change theirs now and then) and address (some roam nearby)."""
    day = (events.time - start) // 86_400
    turn = np.minimum(day * people.cookies[events.who] // days, people.cookies[events.who] - 1)
    key = events.who * 64 + np.minimum(turn, 63)
    used_keys, place = np.unique(key, return_inverse=True)
    numbers = rng.integers(0, 1 << 62, len(used_keys))
    cookies = Vocabulary.of(f"{number:016x}" for number in numbers)
    ip = people.ip[events.who].copy()
    is_away = people.roams[events.who] & (
        splitmix64((events.who * 4096 + day).astype(np.uint64)) % 3 == 0
    )
    host = splitmix64((events.who * 4096 + day + 1).astype(np.uint64)) % 254 + 1
    ip[is_away] = (ip[is_away] & np.uint32(0xFFFFFF00)) | host[is_away].astype(np.uint32)
    return place.astype(np.int32), cookies, ip


FILES = ("log.tsv", "reference.tsv", "profiles.csv", "truth.json")
"""What `write_synthetic` writes."""


def write_synthetic(synthetic: SyntheticLog, folder: Path) -> Mapping[str, Path]:
    """Write ``log.tsv``, ``reference.tsv``, ``profiles.csv`` and ``truth.json`` into `folder`.

    The folder is made if need be; files of these names in it are replaced.
    """
    folder.mkdir(parents=True, exist_ok=True)
    paths = {name: folder / name for name in FILES}
    write_log(synthetic.log, paths["log.tsv"])
    write_log(synthetic.reference, paths["reference.tsv"])
    synthetic.profiles.to_csv(paths["profiles.csv"], index=False, lineterminator="\n")
    paths["truth.json"].write_text(json.dumps(synthetic.truth, separators=(",", ":")), "utf-8")
    return paths
