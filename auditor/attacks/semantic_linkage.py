"""Record linkage by meaning: what the attacker knows is mapped to released queries that mean it.

The near attack (`near-linkage`) misses other words: "physician" for "doctor", and the other queries
of somebody's topic where the known one was suppressed. Here each known query q is translated into
those released queries w whose static word embeddings are closest to its own by cosine, with weights
t(q, w), as a translation model of retrieval does it. A record's gain from one occurrence of q is
c(q) · ln(1 + share of q in the record ÷ share of q in the release), where a share is the sum of
t(q, w) · occurrences of w, divided by all events, and c(q) the greatest of q's weights. With one w
for each q that is what the exact and the near attack do. All three attacks are run on the same
targets with the same knowledge.

Embeddings: `wordllama` (D. Lee Miller, 2024; MIT licence), an optional package, the extra
``semantic``. Its wheel holds 32,000 vectors of 256 numbers, one for each piece of a word, and the
mean of a text's pieces is the text's vector. Nothing is downloaded: it is told to look in its own
folder only.

Source: beyond the five sources. Translation model: Berger and Lafferty, SIGIR 1999; with
embeddings: Ganguly, Roy, Mitra and Jones, SIGIR 2015.
Cost: O(rows + known queries · released queries · 256), with at most `MOST_KNOWN` known queries, and
for each target the records that hold what its queries stand for. Memory: one block of comparisons.
"""

from __future__ import annotations

import importlib.util
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from auditor.arrays import Bools, Float32s, Float64s, Int64s, mark_run_starts
from auditor.attacks.base import Attack, AttackResult, Evidence
from auditor.attacks.near_linkage.attack import (
    STEEPNESS,
    KnownQueryMapping,
    LinkageByWay,
    link_in_ways,
    matches_table,
    paraphrase_strings,
    replace_keys,
)
from auditor.attacks.near_linkage.attack import explain_unfit as explain_unfit_nearly
from auditor.attacks.near_linkage.matching import NearKind
from auditor.attacks.record_linkage.targets import (
    QUERY,
    AttackerKnowledge,
    LinkageIndex,
    LinkageScores,
    build_index,
    build_side,
    draw_users,
    released_log,
    score_records,
)
from auditor.errors import MissingInput
from auditor.fuzzy_search import fold_text
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import QueryLog, Vocabulary
from auditor.log.sentences import sentence
from auditor.messages import phrase
from auditor.params import Params
from auditor.progress import Progress, split_ranges

TextEncoder = Callable[[Sequence[str]], Float32s]
"""Unit vectors of texts, zero for a text that says nothing; shape (texts, dimensions)."""

PACKAGE = "wordllama"
INSTALL = "pip install query-log-privacy-auditor[semantic]"
LONGEST = 200
"""Letters of a query that are read: a batch is as wide as its longest text."""

BLOCK = 2_048
RELEASED_BLOCK = 2_048
KNOWN_BLOCK = 1_024
"""Two blocks are compared in some 40 ms, with 8 MB for their cosines."""

DECIMALS = 5
"""Of a cosine, so that the same words in another order tie: the product is only about so exact."""


def explain_missing() -> str:
    """Why meanings can't be compared here, in words; empty if they can."""
    if importlib.util.find_spec(PACKAGE) is not None:
        return ""
    return phrase("needs word embeddings, which are not installed: {install}", install=INSTALL)


def load_encoder() -> TextEncoder:
    """The encoder that the optional package holds, read from the disk in about a second.

    Raises `MissingInput` where the package isn't installed, or not with all its files.
    """
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    try:
        import wordllama

        # Its own look-up misses the tokenizer in its folder, and would fetch one: so tell it where.
        model = wordllama.WordLlama.load(
            cache_dir=Path(wordllama.__file__).parent, disable_download=True
        )
    except (ImportError, OSError, AttributeError) as error:
        raise MissingInput(
            sentence(
                "semantic_linkage.word_embeddings_loaded_install",
                error=type(error).__name__,
                install=INSTALL,
            )
        ) from None
    finally:  # importing it configures the logging of the whole process
        root.handlers[:] = handlers
        root.setLevel(level)

    def encode_texts(texts: Sequence[str]) -> Float32s:
        folded = [fold_text(text[:LONGEST]) for text in texts]
        if not folded:
            return np.zeros((0, model.embedding.shape[1]), dtype=np.float32)
        return normalize_vectors(model.embed(folded))

    return encode_texts


def normalize_vectors(vectors: Float32s) -> Float32s:
    """The same directions with length 1; zero stays zero."""
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.where(length > 0, length, 1)).astype(np.float32)


class SemanticNeighbours(NamedTuple):
    """Released queries close to each of k known ones; shapes (pairs,).

    Pairs of the number of a known query, ascending, and the code (`place`) of a released one, the
    closest first by the cosine of their vectors.
    """

    known_query: Int64s
    place: Int64s
    cosine: Float32s


def find_neighbours(
    queries: Float32s,
    released: Vocabulary,
    encode: TextEncoder,
    *,
    least: float,
    neighbour_limit: int,
    progress: Progress,
) -> SemanticNeighbours:
    """At most `neighbour_limit` released queries of a cosine ≥ `least`, for each known one.

    `queries` are unit vectors, or zero; shape (k, dimensions).
    """
    best = SemanticNeighbours(
        np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float32)
    )
    floor = np.full(len(queries), np.nextafter(np.float32(least), np.float32(-1)), dtype=np.float32)
    arrow = released.as_arrow()
    for first, last in progress.blocks(
        "comparing meanings", len(released) if len(queries) else 0, RELEASED_BLOCK
    ):
        vectors = encode(arrow[first:last].to_pylist())
        parts = [best]
        for begin in range(0, len(queries), KNOWN_BLOCK):
            progress.check()
            cosine = queries[begin : begin + KNOWN_BLOCK] @ vectors.T
            row, column = np.nonzero(cosine > floor[begin : begin + KNOWN_BLOCK, None])
            similarity = cosine[row, column].round(DECIMALS)
            parts.append(SemanticNeighbours(row + begin, column + first, similarity))
        if any(len(part.known_query) for part in parts[1:]):
            # The closest of each known query among all parts; of equals the first.
            query, place, similarity = map(np.concatenate, zip(*parts, strict=True))
            order = np.lexsort((place, -similarity, query))
            ordered = query[order]
            rank = np.arange(len(order)) - np.searchsorted(ordered, ordered)
            order = order[rank < neighbour_limit]
            best = SemanticNeighbours(query[order], place[order], similarity[order])
            full = np.bincount(best.known_query, minlength=len(queries)) == neighbour_limit
            last_of = np.searchsorted(best.known_query, np.arange(len(queries)), side="right") - 1
            floor[full] = best.cosine[last_of[full]]
    return best


MOST_ENTRIES = 2_000_000
"""Pairs of a known query and a record that are held at once."""
SPELLING = 0.85
"""Least likeness of a spelling variant, as `near-linkage` has it by itself."""
SHARPNESS = 6
"""Power of its cosine with which a query of like meaning counts."""
MOST_KNOWN = 20_000
"""Distinct known queries whose meaning is looked up; of more, so many are drawn."""


@dataclass(frozen=True, eq=False)
class TranslatedRecords:
    """Released records, ready to be asked how likely they make k known strings."""

    table: Any  # weights of (strings, queries that some string stands for)
    records: Any  # occurrences of (the same queries, records)
    share: Float64s  # weighted share of each string in the whole release; shape (k,)
    confidence: Float64s  # its greatest weight, 0 without one; shape (k,)
    events: Int64s  # of each record

    @classmethod
    def of(
        cls,
        release: QueryLog,
        strings: int,
        string: Int64s,
        place: Int64s,
        weight: Float64s,
        progress: Progress,
    ) -> TranslatedRecords:
        """Look for what k `strings` stand for in the release; O(rows + pairs).

        ``string[i]`` may be the released query with code ``place[i]`` (−1 for none), and that with
        ``weight[i]``; of the same pair twice the greater weight counts.
        """
        is_translated = (weight > 0) & (place >= 0)
        string, place, weight = string[is_translated], place[is_translated], weight[is_translated]
        order = np.lexsort((-weight, place, string))
        string, place, weight = string[order], place[order], weight[order]
        new = mark_run_starts(string, place)
        string, place, weight = string[new], place[new], weight[new]
        confidence = np.zeros(strings)
        np.maximum.at(confidence, string, weight)
        codes, column = np.unique(place, return_inverse=True)
        side = build_side(release, release, True, (QUERY,), progress)
        index = build_index(side, codes, "overlap", progress)
        size = (len(codes), len(release.users))
        records = csr_array((index.gains, index.records.astype(np.int64), index.begins), shape=size)
        begins = release.event_starts
        events = np.bincount(release.user[begins], minlength=len(release.users)).astype(np.int64)
        weights = csr_array((weight, (string, column)), shape=(strings, len(codes)))
        share = weights @ records.sum(axis=1) / max(int(events.sum()), 1)
        return cls(weights, records, share, confidence, events)

    def build_index(self, strings: Int64s) -> LinkageIndex:
        """What each record gains from each of some strings (ascending)."""
        mass = (self.table[strings] @ self.records).tocsr()
        row = np.repeat(np.arange(len(strings)), np.diff(mass.indptr))
        string = strings[row]
        ratio = mass.data / (np.maximum(self.events[mass.indices], 1) * self.share[string])
        return LinkageIndex(
            strings,
            mass.indptr.astype(np.int64),
            mass.indices.astype(np.uint32),
            self.confidence[string] * np.log1p(ratio),
            np.zeros(len(strings)),
            len(self.events),
        )


def score_translated(
    facts: AttackerKnowledge,
    records: TranslatedRecords,
    truth: Int64s | None,
    progress: Progress,
    person: Int64s | None = None,
) -> LinkageScores:
    """Rank all records for each target; the keys of `facts` are strings of the table.

    Targets are taken by so many that their entries fit into bounded memory; for `truth` and
    `person` see `score_records`. O(for each target the records that hold what its strings
    stand for).
    """
    parts = []
    # At most so many records hold a query that each string stands for.
    entries = (records.table > 0).astype(int) @ np.diff(records.records.indptr)
    work = np.concatenate(([0], np.cumsum(entries[facts.keys]))).astype(np.int64)[facts.starts]
    for first, last in list(split_ranges(work, MOST_ENTRIES)) or [(0, 0)]:
        progress.check()
        span = slice(int(facts.starts[first]), int(facts.starts[last]))
        block = replace(
            facts,
            starts=facts.starts[first : last + 1] - facts.starts[first],
            events=facts.events[first:last],
            keys=facts.keys[span],
            counts=facts.counts[span],
        )
        index = records.build_index(sorted_distinct(block.keys))
        block_truth = None if truth is None else truth[first:last]
        parts.append(score_records(block, index, block_truth, progress, person))
    columns = zip(*(vars(part).values() for part in parts), strict=True)
    return LinkageScores(*map(np.concatenate, columns))


@dataclass(frozen=True, eq=False)
class KnownMeanings(KnownQueryMapping):
    """q known queries, what each is taken for, and which released queries are close in meaning.

    `records` are their 2 q strings, those issued and then those paraphrased, in the release. For
    each string, `first` is the first one that is equal, and `is_close` says whether released
    queries are close to it in meaning; shapes (2 q,). `left_out` strings were too many to be looked
    up.
    """

    records: TranslatedRecords
    first: Int64s
    is_close: Bools
    left_out: int

    @classmethod
    def look_up(
        cls,
        log: QueryLog,
        knowledge: AttackerKnowledge,
        *,
        released: QueryLog,
        encode: TextEncoder,
        least: float,
        limit: int,
        seed: int,
        progress: Progress,
    ) -> KnownMeanings:
        """Map known queries nearly, and look for what is close in meaning to those not released."""
        mapping = KnownQueryMapping.of(
            log,
            knowledge,
            released=released,
            alter=paraphrase_strings,
            least=SPELLING,
            seed=seed,
            progress=progress,
        )
        strings = [*mapping.strings, *mapping.altered]
        matches = mapping.true.join(mapping.vague)
        place: dict[str, int] = {}
        places = (place.setdefault(text, index) for index, text in enumerate(strings))
        first = np.fromiter(places, np.int64, len(strings))
        absent = np.flatnonzero(
            (first == np.arange(len(strings))) & (matches.kind != NearKind.SAME)
        )
        encoded = absent[draw_users(len(absent), MOST_KNOWN, np.random.default_rng(len(absent)))]
        texts = [strings[place] for place in encoded.tolist()]
        blocks = progress.blocks("reading meanings", len(texts), BLOCK)
        vectors = [encode([]), *(encode(texts[start:stop]) for start, stop in blocks)]
        close = find_neighbours(
            np.concatenate(vectors),
            released.queries,
            encode,
            least=least,
            neighbour_limit=limit,
            progress=progress,
        )
        records = TranslatedRecords.of(
            released,
            len(strings),
            np.concatenate([np.arange(len(strings)), encoded[close.known_query]]),
            np.concatenate([matches.place, close.place]),
            np.concatenate([matches.likeness**STEEPNESS, close.cosine.astype(float) ** SHARPNESS]),
            progress,
        )
        is_close = np.zeros(len(strings), dtype=np.bool_)
        is_close[encoded[close.known_query]] = True
        return cls(
            **vars(mapping),
            records=records,
            first=first,
            is_close=is_close[first],
            left_out=len(absent) - len(encoded),
        )

    @property
    def share_altered(self) -> float:
        """Share of the known queries of which there is a paraphrase."""
        pairs = zip(self.strings, self.altered, strict=True)
        return sum(text != other for text, other in pairs) / max(1, len(self.strings))

    def choose_strings(self, share: float) -> Int64s:
        """The string of each known query if such a share of them is paraphrased; shape (q,)."""
        return self.first[self.choose_places(share)]

    def rank_records(
        self,
        share: float,
        index: LinkageIndex,
        truth: Int64s | None,
        progress: Progress,
        person: Int64s | None = None,
    ) -> tuple[LinkageScores, ...]:
        """Rank all records for each target, by meaning as the third way."""
        strings = self.choose_strings(share)[np.searchsorted(self.codes, self.knowledge.keys)]
        meanings = replace_keys(self.knowledge, strings, self.knowledge.counts)
        return (
            *super().rank_records(share, index, truth, progress, person),
            score_translated(meanings, self.records, truth, progress, person),
        )

    def count_matches(self, share: float) -> tuple[int, int, int, int]:
        """Known queries that are found verbatim, nearly, only by their meaning, and not at all."""
        kind, by_meaning = self.choose_matches(share).kind, self.is_close[self.choose_places(share)]
        verbatim, none = kind == NearKind.SAME, kind == NearKind.NONE
        nearly = ~verbatim & ~none
        return (
            int(verbatim.sum()),
            int(nearly.sum()),
            int((none & by_meaning).sum()),
            int((none & ~by_meaning).sum()),
        )


catalogue = MetricCatalogue("attacks", "semantic_linkage")


@dataclass(frozen=True, kw_only=True)
class SemanticLinkageParams(Params, owner="semantic-linkage"):
    """What the attacker knows, in whose words, and what they take for the same meaning."""

    share: float = 0.5
    paraphrased: float = 0.0
    cosine: float = 0.5
    neighbours: int = 4
    targets: int = 500
    lead: float = 1.5


def run(
    evidence: Evidence,
    params: SemanticLinkageParams,
    *,
    rng: np.random.Generator,
    progress: Progress,
) -> AttackResult:
    """Link users to records by meaning, by near matches, and exactly, on the same targets."""
    linkage = link_by_meaning(evidence, params, load_encoder(), rng, progress)
    exact, near_outcome, _ = linkage.outcomes
    matches = linkage.mapping.count_matches(params.paraphrased)
    labels = ("verbatim", "nearly", "by meaning only", "no match")
    notes = [
        catalogue.say(
            "weaker_rates",
            exact=100 * exact.scores.compute_rate(),
            near=100 * near_outcome.scores.compute_rate(),
        ),
        catalogue.say("share_altered", share=100 * linkage.mapping.share_altered),
    ]
    if linkage.mapping.left_out:
        notes.append(catalogue.say("left_out", left_out=linkage.mapping.left_out, most=MOST_KNOWN))
    return linkage.build_result(
        ATTACK,
        evidence,
        params,
        catalogue,
        only="found_only_by_meaning",
        mapped=("mapped_by_meaning", matches[2]),
        figure="linkage-by-wording",
        table=matches_table("matches", list(zip(labels, matches, strict=True))),
        notes=notes,
    )


def link_by_meaning(
    evidence: Evidence,
    params: SemanticLinkageParams,
    encode: TextEncoder,
    rng: np.random.Generator,
    progress: Progress,
) -> LinkageByWay[KnownMeanings]:
    """Draw targets and what is known of them, and rank all records in each of the three ways."""
    map_queries = partial(
        KnownMeanings.look_up,
        released=released_log(evidence)[1],
        encode=encode,
        least=params.cosine,
        limit=params.neighbours,
        progress=progress,
    )
    return link_in_ways(evidence, params, map_queries, params.paraphrased, rng, progress)


def explain_unfit(evidence: Evidence) -> str:
    """Why nothing can be linked by meaning, in words; empty if it can."""
    return explain_unfit_nearly(evidence) or explain_missing()


ATTACK = Attack(
    **catalogue.card,
    criterion="linkability",
    intruder=True,
    params=SemanticLinkageParams,
    run=run,
    sampled="measured",
    applies=("log", "hashes", "bundles"),
    unfit=explain_unfit,
)
