"""Queries that miss the release only because their searches are spread over several spellings.

"red shoes", "Red Shoes!" and "shoes red" are three queries to a method that counts strings. Each
may stay under the count that it releases while together they would reach it. The queries that were
left out are grouped with their near-duplicates, and the groups that would pass as one query are
counted. Joining is something to do to the log *before* a method runs; the guarantee then counts the
users of the joined query.

Near-duplicates are equal without case, accents, punctuation, spaces and the order of their words,
or differ by one letter left out, added, changed or swapped with its neighbour in six or more.
Digits have to agree. The first kind is found by a key, the second by the keys of all strings with
one letter left out (as in SymSpell) and confirmed by rapidfuzz. O(q · length) for the q most
frequent queries that were left out.
"""

from collections import defaultdict
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from auditor.arrays import Bools, Int64s
from auditor.fuzzy_search import extract_digits, fold_text
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import NONE, QueryLog
from auditor.measures import query_counts
from auditor.measures.base import Measure, MeasureContext, MeasureResult
from auditor.params import Params
from auditor.privacy.release import Anonymized
from auditor.progress import Progress

catalogue = MetricCatalogue("measures", "spelling_variants")

MOST_WRONG = 0.1
"""Of the released queries, how many may lie on the wrong side of the count that decides."""
SHORTEST = 6
"""Letters from which on one of them may differ."""
_BLOCK = 4_096
_KINDS = ("case, punctuation, spaces or order of words", "one letter")


@dataclass(frozen=True, kw_only=True)
class SpellingVariantsParams(Params, owner="spelling-variants"):
    """How many queries are compared."""

    most: int = 100_000


def run(
    log: QueryLog, release: Anonymized, params: SpellingVariantsParams, context: MeasureContext
) -> MeasureResult:
    """Count the groups of spellings that would be released as one query."""
    progress = context.progress
    released = query_counts.released_codes(log, release, progress) != NONE
    units = dict.fromkeys((query_counts.unit_of(release), "users"))  # some count users unasked
    by_unit = {unit: query_counts.query_counts(log, unit, progress) for unit in units}
    divisions = {unit: find_division(counts, released) for unit, counts in by_unit.items()}
    unit = min(units, key=lambda option: divisions[option].wrong)
    counts, least = by_unit[unit], divisions[unit].least
    if least is None:
        values = [catalogue(f"spellings.{name}", 0.0) for name in ("would_pass", "searches")]
        return MEASURE.build_result(params, values, notes=(catalogue.say("no_threshold"),))
    missing = np.flatnonzero(~released & (counts > 0) & (counts < least))
    missing = missing[np.argsort(-counts[missing], kind="stable")][: params.most]
    group, kind = group_variants(log.queries.list_strings(missing), progress)
    if unit == "users" and len(missing):
        # Distinct users of each group's queries together.
        of_query = np.full(len(log.queries), -1, dtype=np.int64)
        of_query[missing] = group
        of_row = of_query[log.query]
        index = np.flatnonzero(of_row >= 0)
        pairs = sorted_distinct(of_row[index] * len(log.users) + log.user[index])
        joined_counts = np.bincount(pairs // len(log.users), minlength=len(missing)).astype(
            np.int64
        )
    else:
        joined_counts = np.bincount(group, weights=counts[missing], minlength=1).astype(np.int64)
    passing = joined_counts >= least
    events = query_counts.query_counts(log, "events", progress)[missing]
    member = passing[group] if len(missing) else np.zeros(0, dtype=np.bool_)
    groups, searches, total = int(passing.sum()), int(events[member].sum()), int(events.sum())
    values = [
        catalogue("spellings.would_pass", float(groups)),
        catalogue("spellings.searches", float(searches)),
    ]
    if total:
        values.append(catalogue("spellings.searches_share", searches / total))
    # Spellings that join another one in a group that would pass, by what joins them.
    joins = member & (group != np.arange(len(group)))
    rows = [
        [label, int(is_joined.sum()), int(events[is_joined].sum())]
        for label, is_joined in zip(_KINDS, (joins & (kind == 0), joins & (kind == 1)), strict=True)
    ]
    unit_words = {"rows": "rows", "events": "searches", "users": "users"}[unit]
    notes = [
        catalogue.say("joined_query", least=least, what=unit_words)
        if groups == 1
        else catalogue.say("joined_queries", groups=groups, least=least, what=unit_words)
    ]
    if len(missing) == params.most:
        notes.append(catalogue.say("most_frequent", most=params.most))
    table = catalogue.table("spellings", rows)
    return MEASURE.build_result(params, values, tables=(table,), notes=notes)


class CountDivision(NamedTuple):
    """The count that best divides released queries from others, and how many it has wrong."""

    least: int | None
    wrong: float


def find_division(counts: Int64s, released: Bools) -> CountDivision:
    """From which count on queries are released; None if no count decides.

    With noise there is no sharp one: this has the fewest queries on the wrong side, a tenth of the
    released ones at most, and of several it is the largest.
    """
    is_issued = counts > 0
    total = int((is_issued & released).sum())
    if not total:
        return CountDivision(None, np.inf)
    sizes, place = np.unique(counts[is_issued], return_inverse=True)
    through = np.bincount(place, weights=released[is_issued])
    unreleased = np.bincount(place) - through
    wrong = np.cumsum(through) - through + np.cumsum(unreleased[::-1])[::-1]
    best = len(wrong) - 1 - int(np.argmin(wrong[::-1]))
    if best == 0 or wrong[best] > MOST_WRONG * total:
        return CountDivision(None, np.inf)
    return CountDivision(int(sizes[best]), float(wrong[best]))


def group_variants(texts: list[str], progress: Progress) -> tuple[Int64s, Int64s]:
    """The group of each text, and which of `_KINDS` joins it to the group.

    `texts` stand with the most frequent first, and each joins the first near-duplicate that is a
    centre, never one that joined: no chain leads from one query to another that has nothing to do
    with it.
    """
    from rapidfuzz.distance import OSA

    centre_of_key: dict[str, int] = {}
    places_by_digest: defaultdict[int, list[int]] = defaultdict(list)
    plain: list[str] = []
    group = np.arange(len(texts), dtype=np.int64)
    kind = np.zeros(len(texts), dtype=np.int64)
    for first, last in progress.blocks("comparing spellings", len(texts), _BLOCK):
        for place in range(first, last):
            words = fold_text(texts[place]).split()
            text = "".join(words)
            plain.append(text)
            key = "".join(sorted(words)) if len(words) > 1 else text
            centre = centre_of_key.get(text, centre_of_key.get(key, -1)) if text else -1
            if centre < 0 and len(text) >= SHORTEST:
                # Hashes of the text and of all texts with one letter less: neighbours share one.
                shorter = (text[:index] + text[index + 1 :] for index in range(len(text)))
                keys = {hash(text), *map(hash, shorter)}
                for digest in keys:
                    for other in places_by_digest.get(digest, ()):
                        close = OSA.distance(text, plain[other], score_cutoff=1) <= 1
                        if close and extract_digits(text) == extract_digits(plain[other]):
                            centre, kind[place] = other, 1
                            break
                    if centre >= 0:
                        break
                else:
                    for digest in keys:
                        places_by_digest[digest].append(place)
            if centre >= 0:
                group[place] = centre
            elif text:
                centre_of_key.setdefault(text, place)
                centre_of_key.setdefault(key, place)
    return group, kind


MEASURE = Measure(**catalogue.card, params=SpellingVariantsParams, run=run, unasked=20_000_000)
