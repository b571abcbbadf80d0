"""A file of AOL's shape and any size: ``python -m tests.bench.aol_shape FILE [rows] [seed]``.

Heavy-tailed users in ascending order, runs of one query (its clicks and next pages), half of the
queries from a Zipf-like head and half never asked before, clicks on heavy-tailed sites. At
36,389,567 rows: 657,426 users, ten million distinct queries, 1.6 million URLs, 2.6 GB.
Deterministic; takes a second and a half for a million rows.
"""

import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from auditor.arrays import Int64s

ROWS = 36_389_567
USERS = 657_426
HEADER = b"AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n"
BLOCK = 1_000_000
HEAD_QUERIES, HEAD_SHARE = 1_600_000, 0.55
EVENT_ROWS = 1.76
"""Rows of an event on average: its clicks and its next-page requests."""
SITES = 1_900_000
CLICKS = 0.534
START, SECONDS = 1_141_171_200, 92 * 86_400
SYLLABLES = 60


def words(size: int, seed: int) -> pa.Array:
    """`size` distinct pronounceable words, short ones first."""
    onsets = (*"bcdfghjklmnprstvw", "st", "tr", "ch")
    vowels = (*"aeiou", "ai")
    parts = [onset + vowel for onset in onsets for vowel in vowels][: SYLLABLES * 2]
    stems, level = list(parts), list(parts)
    while len(stems) < size:
        level = [head + tail for head in level for tail in parts[:SYLLABLES]][: size * 2]
        stems += level
    rng = np.random.default_rng(seed)
    ends = np.array(["", "n", "s", "r", "t", "l", "ng", "m"])[rng.integers(0, 8, size)]
    texts = dict.fromkeys(word + end for word, end in zip(stems[20:size], ends[20:], strict=True))
    fill = (f"x{number}" for number in range(size))
    while len(texts) < size:
        texts.setdefault(next(fill))
    return pa.array(list(texts), pa.large_string())


def _text(words: pa.Array, ids: Int64s) -> pa.Array:
    """A distinct text of two to four words for each id."""
    size = len(words)
    scrambled = (ids * 2_654_435_761) % (2**31)
    pieces = [
        words.take(pa.array(ids % size)),
        words.take(pa.array((1_000 + ids // size * 37) % size)),
        words.take(pa.array(scrambled % size)),
    ]
    blank = pa.scalar("", pa.large_string())
    more = pc.binary_join_element_wise(pa.scalar(" ", pa.large_string()), pieces[2], blank)
    pieces[2] = pc.if_else(pa.array(scrambled % 5 < 4), more, blank)
    joined = pc.binary_join_element_wise(pieces[0], pieces[1], pa.scalar(" ", pa.large_string()))
    return pc.binary_join_element_wise(joined, pieces[2], blank)


def _zipf(rng: np.random.Generator, size: int, most: int, power: float) -> Int64s:
    """Heavy-tailed numbers below `most`, the small ones often."""
    spread = rng.random(size) ** power
    return np.minimum((most**spread - 1.0).astype(np.int64), most - 1)


def write(path: Path, rows: int = ROWS, seed: int = 7) -> int:
    """Write the file; returns its bytes."""
    vocabulary = words(50_000, seed)
    users = max(1, round(USERS * rows / ROWS))
    rng = np.random.default_rng(seed)
    weights = rng.pareto(1.1, users) + 0.15
    counts = np.maximum(1, np.round(weights * (rows / weights.sum()))).astype(np.int64)
    counts[np.argmax(counts)] += rows - counts.sum()
    if counts.min() < 1:
        raise ValueError("too few rows for so many users")
    ends = np.cumsum(counts)
    fresh = HEAD_QUERIES
    with path.open("wb") as file:
        file.write(HEADER)
        start = 0
        while start < rows:
            # Whole users, so that each one's times ascend.
            stop = int(ends[min(int(np.searchsorted(ends, start + BLOCK)), users - 1)])
            fresh = _write_block(file, vocabulary, ends, start, stop, fresh, seed)
            start = stop
    return path.stat().st_size


def _write_block(
    file: object, vocabulary: pa.Array, ends: Int64s, start: int, stop: int, fresh: int, seed: int
) -> int:
    rng = np.random.default_rng((seed, start))
    size = stop - start
    user = np.searchsorted(ends, np.arange(start, stop), side="right")
    begins = np.concatenate(([True], user[1:] != user[:-1])) | (rng.random(size) < 1 / EVENT_ROWS)
    event = np.cumsum(begins) - 1
    events = int(event[-1]) + 1
    query = _zipf(rng, events, HEAD_QUERIES, 1.0)
    new = rng.random(events) >= HEAD_SHARE
    query[new] = fresh + np.arange(int(new.sum()))
    moment = rng.integers(0, SECONDS, events)
    owner = user[begins]
    order = np.lexsort((moment, owner))
    time = START + moment[order][event]
    clicked = rng.random(size) < CLICKS
    texts = pa.large_string()
    ids = (np.arange(len(ends)) * 37 + 142).astype(np.int64)
    site = _zipf(rng, size, SITES, 0.85)
    names = vocabulary.take(pa.array(site % 50_000))
    tail = pa.array(site // 50_000 + 1).cast(texts)
    url = pc.binary_join_element_wise(
        pa.scalar("http://www.the", texts), names, tail, pa.scalar(".com", texts),
        pa.scalar("", texts),
    )  # fmt: skip
    none = pa.scalar("", texts)
    rank = pa.array(1 + _zipf(rng, size, 500, 2.0)).cast(texts)
    dates = np.datetime_as_string(np.unique(time).astype("datetime64[s]"), unit="s")
    stamps = pa.array(dates, texts).take(pa.array(np.unique(time, return_inverse=True)[1]))
    lines = pc.binary_join_element_wise(
        pa.array(ids[user]).cast(texts),
        _text(vocabulary, query[event]),
        pc.replace_substring(stamps, "T", " "),
        pc.if_else(pa.array(clicked), rank, none),
        pc.if_else(pa.array(clicked), url, none),
        pa.scalar("\t", texts),
    )
    ended = pc.binary_join_element_wise(lines, pa.scalar("\n", texts), none)
    _, offsets, data = ended.buffers()
    file.write(memoryview(data)[: np.frombuffer(offsets, np.int64)[size]])  # type: ignore[attr-defined]
    return fresh + int(new.sum())


def main() -> None:
    """Make the file named on the command line."""
    path = Path(sys.argv[1])
    rows = int(sys.argv[2]) if len(sys.argv) > 2 else ROWS
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 7
    print(f"{rows:,} rows, {write(path, rows, seed):,} bytes")


if __name__ == "__main__":
    main()
