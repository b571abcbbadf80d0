"""What the ledger knows of one log: its releases, those of overlapping logs, and the totals.

Recognises a log in another form: a part of it, with other user ids, columns, order of rows or time
zone.

The digest of a log knows only the very same log. Beside it the ledger keeps samples: of a log's
events (what was asked in which second, whoever asked it), and of its user ids. All logs are sampled
alike, the smallest of hashes with one key, so that two logs which share events share samples.

* Events shared: one log holds a part of the other, and their releases add up. A share of 1 % of the
  larger log's events is found with a chance above 99.99 %, one of 0.1 % with 64 %.
* Only ids shared: perhaps the same people at another time, whose budgets then add up; or nothing,
  where ids are mere numbers. People have to say which.
* Not recognised: times that were shifted or rounded, queries that were rewritten, a later part of
  the log under new ids, and logs that were sampled with another person's key. Of two logs that were
  sampled before moments were, the same one read in two zones shares its ids alone.

Hashes are keyed with a secret that lies beside the audit key, not in the ledger: who has the ledger
alone can't try out whether somebody searched something.
"""

import hashlib
import heapq
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from auditor.arrays import Int64s, UInt64s
from auditor.bit_mixing import mix_bits
from auditor.errors import AuditorError, Cancelled
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.model import LogTotals, QueryLog, Vocabulary
from auditor.log.sentences import sentence
from auditor.messages import error_message
from auditor.progress import Progress
from auditor.release.ledger import store
from auditor.release.ledger.store import CHOICE, LOG, LedgerEntry, LedgerState
from auditor.release.ledger.totals import (
    LedgerTotal,
    from_plain,
    spent_of,
    total_of,
    write_sentences,
)
from auditor.release.manifest import keyed_digest
from auditor.release.record import ReleaseRecord

SIZE = 1024
CHANCE = 0.05
"""A share of user ids that two logs of numbered users have in common by chance."""
_BLOCK = 1 << 22
_FAR = 50_000_000_000
"""Seconds from 1970 beyond which no time is turned from a clock to UTC: Python's calendar ends."""


@dataclass(frozen=True)
class RelatedLog:
    """Another log of the ledger: the share of the smaller one's events in the larger, or of ids."""

    digest: str
    share: float
    by: str
    """"events" or "users"."""

    def to_dict(self) -> dict[str, Any]:
        return {"digest": self.digest, "share": self.share}


def sketch_log(log: QueryLog, secret: bytes, progress: Progress) -> dict[str, Any]:
    """Samples of a log as plain values; O(rows + users).

    Those of its parts hold them: of each name the `SIZE` smallest of all. Where times are the clock
    of a zone, "moments" are the events at their times of UTC.
    """
    users = (
        hashlib.blake2b(
            name.encode("utf-8", "replace"), key=secret, digest_size=8, person=b"user"
        ).hexdigest()
        for start, stop in progress.blocks("recognising the log", len(log.users), 1 << 16)
        for name in log.users.list_strings(np.arange(start, stop))
    )
    zone = log.origin.time_zone
    moments = {} if zone == "UTC" else {"moments": _sample_events(log, secret, progress, zone)}
    return {
        "key": hashlib.blake2b(b"name", key=secret, digest_size=8).hexdigest(),
        "events": _sample_events(log, secret, progress),
        **moments,
        "users": _keep_smallest(users),
    }


def list_sketches(state: LedgerState, digest: str) -> list[Mapping[str, Any]]:
    """The samples of a log: several under different keys, or where it was read in another zone."""
    return [
        entry.body.get("sketch") or {}
        for entry in state.entries
        if entry.kind == LOG and log_of(entry) == digest
    ]


def find_related(
    state: LedgerState, digest: str, sketch: Mapping[str, Any] | None = None
) -> list[RelatedLog]:
    """Other logs of the ledger that share events or user ids with this one, most shared first.

    `sketch` are its samples, for a log that the ledger doesn't hold yet.
    """
    samples = [*([sketch] if sketch else []), *list_sketches(state, digest)]
    names = {log_of(entry) for entry in state.entries if entry.kind == LOG} - {"", digest}
    links = [
        _compare_sketches(name, sample, other_sketch)
        for name in sorted(names)
        for other_sketch in list_sketches(state, name)
        for sample in samples
    ]
    best: dict[str, RelatedLog] = {}
    for link in sorted(filter(None, links), key=lambda link: (link.by, -link.share)):
        best.setdefault(link.digest, link)
    return list(best.values())


def _compare_sketches(
    digest: str, own_sketch: Mapping[str, Any], other_sketch: Mapping[str, Any]
) -> RelatedLog | None:
    """How two logs are related: by any shared event, else by more user ids than chance shares."""
    if own_sketch.get("key") != other_sketch.get("key"):
        return None
    events, other_events = own_sketch.get("events", ()), other_sketch.get("events", ())
    moments, other = own_sketch.get("moments", events), other_sketch.get("moments", other_events)
    share = max(_estimate_share(events, other_events), _estimate_share(moments, other))
    if share > 0:
        return RelatedLog(digest, share, "events")
    share = _estimate_share(own_sketch.get("users", ()), other_sketch.get("users", ()))
    return RelatedLog(digest, share, "users") if share > CHANCE else None


def _estimate_share(hashes: Iterable[str], other: Iterable[str]) -> float:
    """Of the smaller set that two samples come from, about the share that is in the other."""
    a, b = sorted(hashes), sorted(other)
    if not a or not b:
        return 0.0
    # Below this hash both samples hold all that their sets have.
    ends = [sample[-1] for sample in (a, b) if len(sample) >= SIZE]
    end = min(ends, default=max(a[-1], b[-1]))
    first, second = ({text for text in sample if text <= end} for sample in (a, b))
    return len(first & second) / max(1, min(len(first), len(second)))


def _sample_events(
    log: QueryLog, secret: bytes, progress: Progress, zone: str = "UTC"
) -> list[str]:
    """Of the events with the smallest hashes: the hash that orders them, then a keyed one.

    Times are hashed as what UTC shows where they are the clock of `zone`.
    """
    rows, times = np.zeros((2, 0), dtype=np.int64)
    order, limit = np.zeros(0, dtype=np.uint64), np.uint64(2**64 - 1)
    salts = np.frombuffer(hashlib.blake2b(b"order", key=secret, digest_size=16).digest(), np.uint64)
    texts = _text_hashes(log.queries, salts[0], progress)
    for start, stop in progress.blocks("recognising the log", len(log), _BLOCK):
        place = np.flatnonzero(log.event_starts[start:stop]) + start
        moments = log.time[place] if zone == "UTC" else _turn_to_utc(log.time[place], zone)
        part = mix_bits(mix_bits(moments.view(np.uint64) ^ salts[1]) ^ texts[log.query[place]])
        small = part <= limit
        rows, order = np.append(rows, place[small]), np.append(order, part[small])
        times = np.append(times, moments[small])
        different = sorted_distinct(order)
        if len(different) >= SIZE:
            # The same event of two users has one hash; all of those at the limit are kept.
            limit = different[SIZE - 1]
            small = order <= limit
            rows, order, times = rows[small], order[small], times[small]
    sample = []
    for row, first, moment in zip(rows, order, times, strict=True):
        event = b"%d\0" % int(moment) + log.queries[int(log.query[row])].encode()
        both = hashlib.blake2b(event, key=secret, digest_size=8).hexdigest()
        sample.append(f"{int(first) >> 32:08x}{both}")
    return _keep_smallest(sample)


def _turn_to_utc(times: Int64s, zone: str) -> Int64s:
    """The moments at which the clock of a zone shows these times; of two, the first."""
    import pandas as pd

    summer = np.ones(len(times), dtype=np.bool_)
    dated = np.abs(times) < _FAR
    clock = pd.DatetimeIndex(np.where(dated, times, 0).astype("datetime64[s]"))
    local = clock.tz_localize(zone, ambiguous=summer, nonexistent="shift_forward")
    utc = local.tz_convert("UTC").tz_localize(None).to_numpy()
    return np.where(dated, utc.astype("datetime64[s]").astype(np.int64), times)


def _text_hashes(vocabulary: Vocabulary, salt: np.uint64, progress: Progress) -> UInt64s:
    """A 64-bit hash of each string, the sum over its bytes and their places; O(bytes)."""
    hashes = np.zeros(len(vocabulary), dtype=np.uint64)
    for start, stop in progress.blocks("recognising the log", len(vocabulary), 1 << 16):
        first, last = int(vocabulary.offsets[start]), int(vocabulary.offsets[stop])
        size = vocabulary.compute_lengths()[start:stop]
        place = np.arange(last - first) - np.repeat(vocabulary.offsets[start:stop] - first, size)
        letters = vocabulary.data[first:last].astype(np.uint64)
        letters |= place.astype(np.uint64) << np.uint64(8)
        total = np.zeros(last - first + 1, dtype=np.uint64)
        np.cumsum(mix_bits(letters ^ salt), out=total[1:])
        ends = vocabulary.offsets[start : stop + 1] - first
        hashes[start:stop] = np.diff(total[ends])
    return hashes


def _keep_smallest(hashes: Iterable[str]) -> list[str]:
    return heapq.nsmallest(SIZE, set(hashes))


@dataclass(frozen=True)
class LedgerHistory:
    """Approved releases of a log, and of logs that share events with it: all of these add up.

    Each is there once, by its first approval; `approvals` are all of them, whose terms may differ.
    `written` are all releases of these logs that were written; those that were not approved cost
    nothing here. `perhaps` are logs that share user ids alone, whose releases are not added.
    `sampled` says whether parts and other forms of the log would have been recognised at all.
    `choices` are private choices of parameters, which cost ε whether or not a release states it.
    """

    digest: str
    releases: tuple[LedgerEntry, ...]
    overlapping: tuple[RelatedLog, ...] = ()
    perhaps: tuple[RelatedLog, ...] = ()
    sampled: bool = False
    written: tuple[LedgerEntry, ...] = ()
    choices: tuple[LedgerEntry, ...] = ()
    approvals: tuple[LedgerEntry, ...] = ()

    @property
    def choices_epsilon(self) -> float:
        """What all private choices of parameters cost, for one user more or less."""
        return math.fsum(float(entry.body["epsilon"]) for entry in self.choices)

    @property
    def unapproved(self) -> tuple[LedgerEntry, ...]:
        approved = {entry.body.get("release") for entry in self.releases}
        return tuple(item for item in self.written if item.body.get("release") not in approved)

    @property
    def before(self) -> LedgerTotal:
        return total_of(from_plain(entry.body) for entry in self.releases)

    def add_release(self, record: ReleaseRecord) -> LedgerTotal:
        """The same with one release more."""
        return total_of([*(from_plain(entry.body) for entry in self.releases), spent_of(record)])

    def describe_links(self) -> list[str]:
        """Which logs were taken together, and what could not be recognised."""
        lines = []
        if count := len(self.choices):
            key = "ledger.choices_many" if count > 1 else "ledger.choices_one"
            lines.append(sentence(key, count=count, epsilon=self.choices_epsilon))
        lines += [
            sentence("ledger.shares_events", share=100 * link.share) for link in self.overlapping
        ]
        lines += [sentence("ledger.shares_users", share=100 * link.share) for link in self.perhaps]
        if count := len(self.unapproved):
            key = "ledger.pending_many" if count > 1 else "ledger.pending_one"
            lines.append(sentence(key, count=count))
        if not self.sampled:
            lines.append(sentence("ledger.not_sampled"))
        return lines

    def to_dict(self, total: LedgerTotal | None = None) -> dict[str, Any]:
        return {
            "digest": self.digest,
            "total": (total or self.before).to_dict(),
            "entries": [entry.number for entry in self.releases],
            "unapproved": [entry.number for entry in self.unapproved],
            "private_choices": {"count": len(self.choices), "epsilon": self.choices_epsilon},
            "overlapping": [link.to_dict() for link in self.overlapping],
            "perhaps_the_same_users": [link.to_dict() for link in self.perhaps],
            "parts_recognised": self.sampled,
        }


def ledger_history(
    state: LedgerState,
    digest: str,
    *,
    excluded: str = "",
    sketch: Mapping[str, Any] | None = None,
    keyed: str = "",
) -> LedgerHistory:
    """The history of the log with this digest; `sketch` are its samples where they were taken.

    `excluded` leaves out a release, by the digest of its manifest. `keyed` is another name of the
    log, its digest under somebody's key: entries under either name are of one log.
    """
    links = find_related(state, digest, sketch)
    overlapping = [link for link in links if link.by == "events"]
    together = find_joined_names(state, digest, keyed, links)

    def select_releases(entries: Iterable[LedgerEntry]) -> tuple[LedgerEntry, ...]:
        other_entries = (entry for entry in entries if entry.body.get("release") != excluded)
        return tuple(entry for entry in other_entries if names_of(entry) & together)

    released = _find_names(state, {name for entry in state.approved for name in names_of(entry)})
    return LedgerHistory(
        digest,
        select_releases(state.approved),
        tuple(link for link in overlapping if link.digest in released),
        tuple(link for link in links if link.by == "users" and link.digest in released),
        sketch is not None or bool(list_sketches(state, digest)),
        select_releases(state.written),
        list_choices(state, together),
        select_releases(state.approvals),
    )


def list_choices(state: LedgerState, names: set[str]) -> tuple[LedgerEntry, ...]:
    """The private choices of parameters on logs of these names."""
    return tuple(e for e in state.entries if e.kind == CHOICE and names_of(e) & names)


def find_joined_names(
    state: LedgerState, digest: str, keyed: str = "", links: Iterable[RelatedLog] | None = None
) -> set[str]:
    """All names of a log and of those that share events with it, which are taken for one."""
    related = find_related(state, digest) if links is None else links
    events = {link.digest for link in related if link.by == "events"}
    return _find_names(state, ({digest, keyed} | events) - {""})


def remember_log(log: QueryLog, path: Path, secret: bytes, progress: Progress) -> LedgerState:
    """Enter a log's samples, if they are not there yet, and read the ledger."""
    return remember_sketch(log, sketch_log(log, secret, progress), path, secret)


def remember_sketch(
    log: LogTotals, sketch: Mapping[str, Any], path: Path, secret: bytes
) -> LedgerState:
    """The same with the samples of a log that may be on other machines."""

    def is_there(state: LedgerState) -> bool:
        sketches = list_sketches(state, log.digest)
        return any(
            sketch.keys() <= entry.keys() and entry["key"] == sketch["key"] for entry in sketches
        )

    state = store.read_ledger(path)
    state.raise_problems()
    if is_there(state):
        return state
    with store.open_for_append(path) as writer:
        if not is_there(writer.state):
            facts = {"digest": log.digest, "users": len(log.users), "rows": len(log)}
            facts["keyed"] = keyed_digest(log.digest, secret)
            entry = {"kind": LOG, "at": store.current_time(), "log": facts}
            writer.append(entry | {"sketch": dict(sketch)})
        return writer.state


def releases_before(
    log: LogTotals,
    path: Path,
    secret: bytes,
    progress: Progress,
    *,
    keep: bool = True,
    excluded: str = "",
    sketch: Mapping[str, Any] | None = None,
) -> LedgerHistory | str:
    """The releases of this log so far, or why that isn't known.

    With `keep`, the log's samples are entered; else the ledger stays as it is. `excluded` leaves
    out a release, by the digest of its manifest: one that is signed already. `sketch` are the
    samples of a log that is on other machines.
    """
    keyed = keyed_digest(log.digest, secret)
    try:
        new_sketch = None
        if sketch is None:
            assert isinstance(log, QueryLog)
            sketch = sketch_log(log, secret, progress)
        if keep:
            state = remember_sketch(log, sketch, path, secret)
        else:
            state = store.read_ledger(path)
            state.raise_problems()
            new_sketch = sketch
        return ledger_history(state, log.digest, excluded=excluded, sketch=new_sketch, keyed=keyed)
    except Cancelled:
        raise
    except AuditorError as error:
        return error_message(error)


def known_logs(state: LedgerState) -> list[str]:
    """The digests of all logs of which the ledger knows what they cost, the first one first.

    Something was approved of them, or written, or chosen privately.
    """
    digests: list[str] = []
    names: set[str] = set()
    groups, choices = _group_names(state), (e for e in state.entries if e.kind == CHOICE)
    for entry in (*state.approved, *state.written, *choices):
        if not names_of(entry) & names:
            names |= names_of(entry).union(*(groups[name] for name in names_of(entry)))
            digests.append(log_of(entry))
    return digests


def log_of(entry: LedgerEntry) -> str:
    """The digest of the log that an entry tells of."""
    log = entry.body.get("log")
    return str(log.get("digest", "")) if isinstance(log, dict) else ""


def format_history(history: LedgerHistory, total: LedgerTotal | None = None) -> list[str]:
    """The total and what was taken together, in sentences."""
    return [*write_sentences(total or history.before), *history.describe_links()]


def names_of(entry: LedgerEntry) -> set[str]:
    """The digest of the log that an entry tells of, and that under the key of who audited it."""
    log = entry.body.get("log")
    names = {log.get("digest"), log.get("keyed")} if isinstance(log, dict) else set()
    return {str(name) for name in names if name}


def digest_of(state: LedgerState, keyed: str, secret: bytes) -> str:
    """The digest of a log that is known by its keyed one: from the ledger, else that itself."""
    for entry in state.entries:
        digest = log_of(entry)
        if digest and keyed_digest(digest, secret) == keyed:
            return digest
    return keyed


def _find_names(state: LedgerState, names: set[str]) -> set[str]:
    """All names under which the ledger has the logs of these names."""
    groups = _group_names(state)
    return set(names).union(*(groups.get(name, ()) for name in names))


def _group_names(state: LedgerState) -> dict[str, set[str]]:
    """Of each name all names of its log: those that entries join, directly or over others."""
    groups: dict[str, set[str]] = {}
    for entry in state.entries:
        names = names_of(entry)
        merged = names.union(*(groups.get(name, ()) for name in names))
        groups |= dict.fromkeys(merged, merged)
    return groups
