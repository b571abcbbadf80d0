"""The parts of which queries are made, and how many users used each.

Every word is a part; a name of a person, an address or a number that the detector marks is one part
as a whole, so that "anna müller" is not "anna" and "müller". Case plays no part. What the detector
misses falls into words. Cost: O(bytes) once a log, O(rows log rows) to count users.
"""

import re
from collections.abc import Iterator

import numpy as np

from auditor.arrays import Bools, Int64s, expand_ranges
from auditor.attacks.detection.kinds import PII, EntityKind
from auditor.attacks.detection.marked_strings import mark_everything
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.lifetime_cache import LifetimeCache
from auditor.log.model import NONE, QueryLog, Vocabulary
from auditor.log.text import TokenizedQueries, canonical_tokens, tokenize_strings
from auditor.progress import Progress

_JOINED = np.array([EntityKind.PERSON, *PII], dtype=np.uint8)
MASK = "*"
"""What stands in the place of a part that a release doesn't show."""
MASKED = r"(^|\s)\*(\s|$)"
"""A query with a star for a word, as a regular expression of Arrow and Spark."""
_WORD = re.compile(r"\S+")
_USERS = 1 << 16

_ENTITIES = LifetimeCache[Vocabulary, TokenizedQueries]()


def find_masked(queries: Vocabulary) -> Bools:
    """Queries with a star for a word; shape (queries,)."""
    import pyarrow.compute as pc

    stars = pc.match_substring_regex(queries.as_arrow(), MASKED)
    masked: Bools = stars.to_numpy(zero_copy_only=False)
    return masked


def split_entities(queries: Vocabulary, progress: Progress) -> TokenizedQueries:
    """The entities of each query, in order; a marked one is its words with a blank between.

    Remembered for as long as the vocabulary lives.

    Raises
    ------
    Cancelled
        Somebody asked to stop.
    """
    return _ENTITIES.get(queries, None, lambda: _split_entities(queries, progress))


def _split_entities(queries: Vocabulary, progress: Progress) -> TokenizedQueries:
    words = canonical_tokens(
        tokenize_strings(queries, progress), stems=False, drop=(), progress=progress
    )
    rewritten = dict(_join_marked(queries, progress))
    if not rewritten:
        return words
    texts = words.vocabulary.list_strings()
    code = {text: number for number, text in enumerate(texts)}
    lengths = words.compute_lengths()
    parts = {
        query: [code.setdefault(entity, len(code)) for entity in entities]
        for query, entities in rewritten.items()
    }
    touched = np.fromiter(parts, np.int64, len(parts))
    unchanged = np.ones(len(queries), dtype=np.bool_)
    unchanged[touched] = False
    lengths[touched] = [len(part) for part in parts.values()]
    offsets = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
    codes = np.empty(int(offsets[-1]), dtype=np.int32)
    owner = np.repeat(unchanged, lengths)
    codes[owner] = words.codes[unchanged[words.find_owners()]]
    codes[~owner] = [item for query in sorted(parts) for item in parts[query]]
    return TokenizedQueries(codes, offsets, Vocabulary.of(code))


def _join_marked(queries: Vocabulary, progress: Progress) -> Iterator[tuple[int, list[str]]]:
    """The entities of the queries with a mark that takes several words."""
    marks = mark_everything(queries, progress)
    indices = np.flatnonzero(np.isin(marks.kind, _JOINED))
    starts, stops = marks.start[indices].tolist(), marks.stop[indices].tolist()
    codes, first = np.unique(marks.query[indices], return_index=True)
    ends = np.append(first[1:], len(indices))
    texts = queries.list_strings(codes)
    progress.stage("splitting queries", len(codes))
    for place, (query, text) in enumerate(zip(codes.tolist(), texts, strict=True)):
        spans = range(int(first[place]), int(ends[place]))
        entities: list[str] = []
        reach = -1  # where the last mark that takes this word ends
        for word in _WORD.finditer(text):
            begin, end = word.span()
            inner_stops = [
                stops[mark] for mark in spans if starts[mark] < end and stops[mark] > begin
            ]
            if begin < reach:
                entities[-1] += f" {word[0].lower()}"
            else:
                entities.append(word[0].lower())
            reach = max([reach, *inner_stops])
        if place % 4096 == 0:
            progress.update(place)
        yield query, entities


def list_masked(log: QueryLog, released: QueryLog) -> Int64s:
    """Released queries with a star for a word that are no query of the log."""
    starred = np.flatnonzero(find_masked(released.queries))
    masked: Int64s = starred[released.queries.take(starred).match(log.queries) == NONE]
    return masked


def count_entity_users(
    log: QueryLog, entities: TokenizedQueries, progress: Progress, is_counted: Bools | None = None
) -> Int64s:
    """How many users used each entity, in the rows `is_counted` or in all; shape (entities,)."""
    counts = np.zeros(len(entities.vocabulary), dtype=np.int64)
    for entity_pairs in iterate_entity_users(log, entities, progress, is_counted):
        counts += np.bincount(entity_pairs & 0xFFFFFFFF, minlength=len(counts))
    return counts


def iterate_entity_users(
    log: QueryLog, entities: TokenizedQueries, progress: Progress, is_counted: Bools | None = None
) -> Iterator[Int64s]:
    """Who used what, a block of users at a time: distinct, user << 32 | entity; shape (pairs,)."""
    lengths = entities.compute_lengths()
    for first, last in progress.blocks("counting users of words", len(log.users), _USERS):
        rows = slice(int(log.user_starts[first]), int(log.user_starts[last]))
        user, query = log.user[rows], log.query[rows]
        if is_counted is not None:
            user, query = user[is_counted[rows]], query[is_counted[rows]]
        pairs = sorted_distinct((user.astype(np.int64) << 32) | query)
        query, size = pairs & 0xFFFFFFFF, lengths[pairs & 0xFFFFFFFF]
        place = expand_ranges(entities.offsets[query], size)
        entity_pairs = np.repeat(pairs >> 32, size) << 32 | entities.codes[place]
        yield sorted_distinct(entity_pairs)
