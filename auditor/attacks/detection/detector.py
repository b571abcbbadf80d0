"""Marks sensitive content in distinct queries: people, places, identifiers and topics.

One pass of a kernel over the bytes finds names, companies, large places and terms of topics;
validators look only at queries whose digits and signs make an identifier possible; places in
the United States come from `auditor.attacks.detection.places`. Every mark says which rule made
it, which term, and how sure it is. Works on a vocabulary, not on rows: a query that a thousand
people sent is read once, in blocks, on as many threads as are asked for.

Cost O(bytes): about 10 µs a query on one core; memory is the marks and 60 MB of lists. What it
finds and how well, measured: ``resources/docs/detection.md``.
"""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from auditor.arrays import Bools, Float32s, Int64s, UInt8s, expand_ranges
from auditor.attacks.detection.entity_detection import (
    BLOCK_BYTES,
    THREADS,
    EntityMarks,
    scan_blocks,
)
from auditor.attacks.detection.evidence_index import evidence_index
from auditor.attacks.detection.identifiers import IdentifierSearch
from auditor.attacks.detection.kinds import EntityKind
from auditor.attacks.detection.lexicon import shipped_lexicon
from auditor.attacks.detection.normalization import read_bare
from auditor.attacks.detection.rules import ADDRESS_RULE, HOME_RULE, LISTED_RULE, NO_PLACE, RULE
from auditor.attacks.detection.tables import ScanOptions
from auditor.errors import ParameterError
from auditor.log.model import Vocabulary
from auditor.messages import phrase
from auditor.progress import Progress, silent_progress

if TYPE_CHECKING:
    import pandas as pd

LEAST = 0.5
"""A mark less likely right than this is no mark."""
PLACE_LEAST = 0.45
"""The same for places in the United States: their confidence says which place, too."""


@dataclass(frozen=True, kw_only=True)
class DetectorOptions:
    """What is looked for, and how rules count."""

    kinds: frozenset[EntityKind] = frozenset(EntityKind)  # kinds of content
    least: float = LEAST  # how sure a mark must be
    # ISO 3166 codes of the countries whose national numbers, telephone numbers and addresses are
    # looked for without a word beside them that names them; the first is the region of telephone
    # numbers without a +.
    countries: tuple[str, ...] = ("US",)
    # Rule → factor on how sure its marks are, 0 to switch it off; others count fully.
    rule_weights: tuple[tuple[str, float], ...] = ()


def options_of(
    kinds: Iterable[str], countries: Iterable[str], least: float, rule_weights: Mapping[str, float]
) -> DetectorOptions:
    """Options from what people type: names of kinds in any case (none for all of them).

    Raises `ParameterError`: a name is none of a kind, a country has no such code, a number is out
    of bounds.
    """
    by_name = {kind.name.lower(): kind for kind in EntityKind if kind != EntityKind.REVEALING}
    names = [name.strip().lower() for name in kinds]
    known = ", ".join(by_name)
    for name in names:
        if name not in by_name:
            message = phrase("No kind is called '{name}'. Use: {known}.", name=name, known=known)
            raise ParameterError("kinds", message)
    import phonenumbers

    codes = tuple(code.strip().upper() for code in countries)
    if not phonenumbers.SUPPORTED_REGIONS.issuperset(codes):
        raise ParameterError("countries", "A country is two letters of ISO 3166, such as US or DE.")
    if not 0.0 <= least <= 1.0:
        raise ParameterError("least", "The least confidence must lie between 0 and 1.")
    if any(not 0.0 <= factor <= 10.0 for factor in rule_weights.values()):
        raise ParameterError("rule_weights", "A rule's factor must lie between 0 and 10.")
    return DetectorOptions(
        kinds=frozenset(by_name[name] for name in names) or frozenset(EntityKind),
        least=least,
        countries=codes,
        rule_weights=tuple(sorted(rule_weights.items())),
    )


def detect_marks(
    queries: Vocabulary,
    options: DetectorOptions | None = None,
    *,
    progress: Progress | None = None,
    block_bytes: int = BLOCK_BYTES,
    threads: int = THREADS,
) -> EntityMarks:
    """Mark what `options` ask for in every query; the marks depend on nothing else.

    `threads` blocks of `block_bytes` query bytes are handled at once; the kernel holds no lock.

    Raises `Cancelled`.
    """
    detector_options = options or DetectorOptions()
    watch = progress or silent_progress()
    marks = _mark_as_written(queries, detector_options, watch, block_bytes, threads)
    stripped = read_bare(queries)
    if not len(stripped.codes):
        return marks
    extra = _mark_as_written(stripped.queries, detector_options, watch, block_bytes, threads)
    extra = dataclasses.replace(
        extra,
        query=stripped.codes[extra.query],
        start=stripped.locate(extra.query, extra.start),
        stop=(stripped.locate(extra.query, extra.stop - 1) + 1).astype(np.int32),
    )
    # What overlaps a mark of its kind is that mark again.
    spans: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for query, kind, start, stop in _list_spans(marks.take(np.isin(marks.query, extra.query))):
        spans.setdefault((query, kind), []).append((start, stop))
    new = [
        not any(start < end and stop > begin for begin, end in spans.get((query, kind), ()))
        for query, kind, start, stop in _list_spans(extra)
    ]
    extra = extra.take(np.asarray(new, dtype=np.bool_))
    return EntityMarks.concatenate_marks([marks, extra]).sort()


def _list_spans(marks: EntityMarks) -> Iterable[tuple[int, int, int, int]]:
    columns = (marks.query, marks.kind, marks.start, marks.stop)
    return zip(*(column.tolist() for column in columns), strict=True)


def _mark_as_written(
    queries: Vocabulary, detection: DetectorOptions, watch: Progress, block_bytes: int, threads: int
) -> EntityMarks:
    """`detect_marks` of queries as they stand."""
    from auditor.attacks.detection.evidence_kernels import scan_queries

    load_lists()
    index, weights = evidence_index(), rule_factors(detection)
    kinds = sum(1 << int(kind) for kind in detection.kinds)
    options = ScanOptions(kinds, detection.least, index.person, weights)
    words = shipped_lexicon().street_words
    search = IdentifierSearch(detection.kinds, detection.countries, words)

    def scan(data: UInt8s, offsets: Int64s) -> EntityMarks:
        likely = np.zeros(len(offsets) - 1, dtype=np.uint8)
        inputs = data, offsets, index.lists, options, likely
        marks = EntityMarks.of_kernel(2 * len(likely) + 1024, scan_queries, *inputs)
        rows = []
        for *span, kind, rule, chance in search.find_in_block(data, offsets, likely, watch.check):
            code = RULE[f"identifier:{rule}"]
            sure = chance * float(weights[code])
            if kind in detection.kinds and sure >= detection.least:
                rows.append((*span, kind, code, sure))
        *spans, codes, chances = np.array(rows, dtype=np.float64).reshape(-1, 6).T
        identifiers = EntityMarks.from_spans(*spans, rule=codes, confidence=chances)
        return EntityMarks.concatenate_marks([marks, identifiers])

    stage = "looking for sensitive content"
    marks = scan_blocks(scan, stage, queries, watch, block_bytes, threads)
    return _with_places(queries, marks, detection, watch)


_loading = threading.Lock()


def load_lists() -> None:
    """Read and lay out what detection looks words up in: once, however many threads ask for it."""
    from auditor.attacks.detection.places import shipped_gazetteer

    with _loading:
        shipped_lexicon()
        evidence_index()
        shipped_gazetteer()


def rule_names() -> tuple[str, ...]:
    """What the numbers in `EntityMarks.rule` mean, by number: "health:disease", …"""
    return evidence_index().rules


def term_names() -> tuple[str, ...]:
    """What the numbers in `EntityMarks.term` mean, by number."""
    return evidence_index().terms


def rule_factors(options: DetectorOptions) -> Float32s:
    """The factor of each rule, by number; rules that nobody named have 1."""
    names = rule_names()
    factors = np.ones(len(names), dtype=np.float32)
    for name, factor in options.rule_weights:
        if name in names:
            factors[names.index(name)] = factor
    return factors


def _with_places(
    queries: Vocabulary, marks: EntityMarks, options: DetectorOptions, progress: Progress
) -> EntityMarks:
    """Add places in the United States; take away those inside a name, and doubles."""
    if EntityKind.PLACE not in options.kinds:
        return marks
    from auditor.attacks.detection import places

    factor = float(rule_factors(options)[HOME_RULE])
    matches = places.classify_places(queries, progress)
    sure = np.flatnonzero((matches.place >= 0) & (matches.confidence * factor >= PLACE_LEAST))
    # How sure a place is says which one, too: that it is one at all is surer.
    chance = np.minimum(0.97, 0.5 + 0.5 * matches.confidence[sure]) * np.float32(min(1.0, factor))
    spans = sure, matches.start[sure], matches.stop[sure]
    home = EntityMarks.from_spans(*spans, EntityKind.PLACE, rule=HOME_RULE, confidence=chance)
    both = EntityMarks.concatenate_marks([marks, home]).sort()
    resolved = both.take(_resolve_overlaps(both))
    return resolved.take(resolved.name != NO_PLACE)


def _resolve_overlaps(marks: EntityMarks) -> Bools:
    """Marks to keep: of places that overlap the surer one, and none inside a sure name or brand."""
    keep = np.ones(len(marks), dtype=np.bool_)
    place = marks.is_of_kind(EntityKind.PLACE)
    kinds = EntityKind.PERSON, EntityKind.COMPANY, EntityKind.PLACE, EntityKind.STREET
    rivals = np.isin(marks.kind, kinds)
    is_unplaced = marks.name == NO_PLACE
    for step in range(1, min(4, len(marks))):  # marks of one query stand next to each other
        behind, before = slice(None, -step), slice(step, None)
        for own, peer in ((behind, before), (before, behind)):
            lost = marks.query[own] == marks.query[peer]
            lost &= (marks.start[own] < marks.stop[peer]) & (marks.stop[own] > marks.start[peer])
            lost &= place[own] & rivals[peer] & ~is_unplaced[own]
            wider = marks.stop[peer] - marks.start[peer] - (marks.stop[own] - marks.start[own])
            surer = marks.rule[peer] < marks.rule[own]
            # A longer name or brand takes the place in it, but a web address doesn't; a listed
            # brand also the same words where the place isn't sure.
            longer = (wider > 0) & (marks.rule[peer] != ADDRESS_RULE)
            listed = (marks.rule[peer] == LISTED_RULE) & (marks.confidence[own] < 0.93)
            lost &= np.where(
                place[peer], (wider > 0) | ((wider == 0) & surer), longer | ((wider == 0) & listed)
            )
            keep[own] &= ~lost
    return keep


def detect_all(
    queries: Sequence[str], options: DetectorOptions, progress: Progress | None = None
) -> pd.DataFrame:
    """The marks of queries that may repeat, as a table; see `auditor.detect`."""
    import pandas as pd

    codes, distinct = pd.factorize(np.asarray(queries, dtype=object))
    vocabulary = Vocabulary.of(str(text) for text in distinct)
    marks = detect_marks(vocabulary, options, progress=progress)
    order = np.argsort(codes, kind="stable")
    sizes = np.bincount(codes, minlength=len(vocabulary))
    times = sizes[marks.query]
    index = np.repeat(np.arange(len(marks)), times)
    positions = order[expand_ranges((np.cumsum(sizes) - sizes)[marks.query], times)]
    rules, terms = rule_names(), term_names()
    spans = zip(marks.query, marks.start, marks.stop, strict=True)
    texts = [distinct[query][start:stop] for query, start, stop in spans]
    table = pd.DataFrame(
        {
            "query": positions,
            "start": marks.start[index],
            "stop": marks.stop[index],
            "text": [texts[i] for i in index],
            "kind": [EntityKind(kind).name.lower() for kind in marks.kind[index]],
            "known": marks.is_public[index],
            "rule": [rules[rule] for rule in marks.rule[index]],
            "term": [terms[term] if term >= 0 else "" for term in marks.term[index]],
            "confidence": marks.confidence[index].astype(np.float64).round(3),
        }
    )
    return table.sort_values(["query", "start", "stop"], kind="stable", ignore_index=True)
