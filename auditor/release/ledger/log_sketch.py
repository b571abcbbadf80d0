"""Recognises a log in another form: a part of it, with other user ids, columns or order of rows.

The digest of a log knows only the very same log. Beside it the ledger keeps samples: of a log's
events (what was asked in which second, whoever asked it), and of its user ids. All logs are sampled
alike, the smallest of hashes with one key, so that two logs which share events share samples.

* Events shared: one log holds a part of the other, and their releases add up. A share of 1 % of the
  larger log's events is found with a chance above 99.99 %, one of 0.1 % with 64 %.
* Only ids shared: perhaps the same people at another time, whose budgets then add up; or nothing,
  where ids are mere numbers. People have to say which.
* Not recognised: times that were shifted or rounded, queries that were rewritten, a later part of
  the log under new ids, and logs that were sampled with another person's key.

Hashes are keyed with a secret that lies beside the audit key, not in the ledger: who has the ledger
alone can't try out whether somebody searched something.
"""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from auditor.arrays import UInt64s
from auditor.bit_mixing import mix_bits
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.model import QueryLog, Vocabulary
from auditor.progress import Progress
from auditor.release.ledger.store import LOG, LedgerEntry, LedgerState

SIZE = 1024
CHANCE = 0.05
"""A share of user ids that two logs of numbered users have in common by chance."""
_BLOCK = 1 << 22


@dataclass(frozen=True)
class RelatedLog:
    """Another log of the ledger: the share of the smaller one's events in the larger, or of ids."""

    digest: str
    share: float
    by: str
    """"events" or "users"."""


def sketch_log(log: QueryLog, secret: bytes, progress: Progress) -> dict[str, Any]:
    """Samples of a log as plain values; O(rows + users)."""
    return {
        "key": hashlib.blake2b(b"name", key=secret, digest_size=8).hexdigest(),
        "events": _sample_events(log, secret, progress),
        "users": _keep_smallest(_user_hashes(log, secret, progress)),
    }


def sketch_entry(log: QueryLog, found: Mapping[str, Any], at: str) -> dict[str, Any]:
    """The ledger's entry of a log that was audited."""
    return {"kind": LOG, "at": at, "log": sketch_facts(log), "sketch": dict(found)}


def sketch_facts(log: QueryLog) -> dict[str, Any]:
    """What the ledger says of a log besides its samples."""
    return {"digest": log.digest, "users": len(log.users), "rows": len(log)}


def find_sketch(state: LedgerState, digest: str, key: str = "") -> LedgerEntry | None:
    """The entry of a log, sampled with this key if one is named."""
    for entry in state.entries:
        same = entry.kind == LOG and entry.body.get("log", {}).get("digest") == digest
        if same and key in ("", entry.body.get("sketch", {}).get("key")):
            return entry
    return None


def find_related(
    state: LedgerState, digest: str, own: Mapping[str, Any] | None = None
) -> list[RelatedLog]:
    """Other logs of the ledger that share events or user ids with this one, most shared first.

    `own` are its samples, for a log that the ledger doesn't hold yet.
    """
    entry = find_sketch(state, digest)
    samples = [dict(own)] if own else []
    samples += [dict(entry.body.get("sketch", {}))] if entry is not None else []
    found: dict[str, RelatedLog] = {}
    for other in state.entries:
        theirs = other.body.get("log", {}).get("digest") if other.kind == LOG else None
        if theirs is None or theirs == digest or theirs in found:
            continue
        for mine in samples:
            link = _find_link(theirs, mine, other.body.get("sketch", {}))
            if link is not None:
                found[theirs] = link
    return sorted(found.values(), key=lambda one: (one.by, -one.share))


def _find_link(
    digest: str, mine: Mapping[str, Any], theirs: Mapping[str, Any]
) -> RelatedLog | None:
    if mine.get("key") != theirs.get("key"):
        return None
    for by in ("events", "users"):
        share = _estimate_share(mine.get(by, ()), theirs.get(by, ()))
        if share > (CHANCE if by == "users" else 0.0):
            return RelatedLog(digest, share, by)
    return None


def _estimate_share(one: Iterable[str], other: Iterable[str]) -> float:
    """Of the smaller set that two samples come from, about the share that is in the other."""
    a, b = sorted(one), sorted(other)
    if not a or not b:
        return 0.0
    # Below this hash both samples hold all that their sets have.
    ends = [sample[-1] for sample in (a, b) if len(sample) >= SIZE]
    end = min(ends, default=max(a[-1], b[-1]))
    first, second = ({text for text in sample if text <= end} for sample in (a, b))
    return len(first & second) / max(1, min(len(first), len(second)))


def _sample_events(log: QueryLog, secret: bytes, progress: Progress) -> list[str]:
    """Of the events with the smallest hashes: the hash that orders them, then a keyed one."""
    rows = np.zeros(0, dtype=np.int64)
    order = np.zeros(0, dtype=np.uint64)
    limit = np.uint64(2**64 - 1)
    salts = np.frombuffer(hashlib.blake2b(b"order", key=secret, digest_size=16).digest(), np.uint64)
    texts = _text_hashes(log.queries, salts[0], progress)
    for start, stop in progress.blocks("recognising the log", len(log), _BLOCK):
        place = np.flatnonzero(log.event_starts[start:stop]) + start
        part = mix_bits(
            mix_bits(log.time[place].view(np.uint64) ^ salts[1]) ^ texts[log.query[place]]
        )
        small = part <= limit
        rows, order = np.append(rows, place[small]), np.append(order, part[small])
        if len(order) > SIZE:
            # The same event of two users has one hash; all of those at the limit are kept.
            limit = _find_limit(order)
            small = order <= limit
            rows, order = rows[small], order[small]
    found = []
    for row, first in zip(rows, order, strict=True):
        told = b"%d\0" % int(log.time[row]) + log.queries[int(log.query[row])].encode()
        both = hashlib.blake2b(told, key=secret, digest_size=8).hexdigest()
        found.append(f"{int(first) >> 32:08x}{both}")
    return _keep_smallest(found)


def _find_limit(order: UInt64s) -> np.uint64:
    """The SIZE-th smallest of the different hashes, or the largest; O(n)."""
    few = order
    if len(order) > 16 * SIZE:
        few = order[order <= np.partition(order, 16 * SIZE)[16 * SIZE]]
    different = sorted_distinct(few)
    if len(different) < SIZE:
        different = sorted_distinct(order)
    return np.uint64(different[min(SIZE, len(different)) - 1])


def _text_hashes(vocabulary: Vocabulary, salt: np.uint64, progress: Progress) -> UInt64s:
    """A 64-bit hash of each string, the sum over its bytes and their places; O(bytes)."""
    found = np.zeros(len(vocabulary), dtype=np.uint64)
    for start, stop in progress.blocks("recognising the log", len(vocabulary), 1 << 16):
        first, last = int(vocabulary.offsets[start]), int(vocabulary.offsets[stop])
        size = vocabulary.compute_lengths()[start:stop]
        place = np.arange(last - first) - np.repeat(vocabulary.offsets[start:stop] - first, size)
        letters = vocabulary.data[first:last].astype(np.uint64)
        letters |= place.astype(np.uint64) << np.uint64(8)
        total = np.zeros(last - first + 1, dtype=np.uint64)
        np.cumsum(mix_bits(letters ^ salt), out=total[1:])
        ends = vocabulary.offsets[start : stop + 1] - first
        found[start:stop] = np.diff(total[ends])
    return found


def _user_hashes(log: QueryLog, secret: bytes, progress: Progress) -> Iterator[str]:
    for start, stop in progress.blocks("recognising the log", len(log.users), 1 << 16):
        for name in log.users.list_strings(np.arange(start, stop)):
            data = name.encode("utf-8", "replace")
            yield hashlib.blake2b(data, key=secret, digest_size=8, person=b"user").hexdigest()


def _keep_smallest(found: Iterable[str]) -> list[str]:
    return heapq.nsmallest(SIZE, set(found))
