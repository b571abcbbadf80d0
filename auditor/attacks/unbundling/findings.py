"""Recovered fibers to be opened and read: as sessions at risk, and beside the true ones.

A session of a heavy user is at risk as far as the fiber that its queries were put into is theirs
and holds what is theirs: the risk is the harmonic mean of both, averaged over its queries.
"""

from collections.abc import Iterable

import numpy as np

from auditor.arrays import Bools, Float64s, Int32s, Int64s, expand_ranges, mark_run_starts
from auditor.attacks.base import Evidence, FlaggedFindings
from auditor.attacks.risk.exposed_sessions import count_marked_queries, rank_sessions
from auditor.attacks.risk.session_scoring import standing_verbatim
from auditor.attacks.unbundling.fibers import group_pairs
from auditor.attacks.unbundling.report import FiberResult, catalogue
from auditor.attacks.unbundling.scores import count_agreement
from auditor.figures import Table, UserReference
from auditor.log import gazetteers
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.model import QueryLog
from auditor.log.sessions import find_sessions, session_of_rows
from auditor.log.text import stem_words
from auditor.progress import Progress

MOST_FINDINGS = 50_000
"""Sessions kept for the flagged-sessions table, the riskiest first."""
MOST_MARKED = 100_000
"""Distinct queries whose words are marked, those of the riskiest sessions first."""
LISTED = 1_000
"""Recovered fibers in the table of fibers."""
OPENED = 25
"""Fibers whose queries are listed beside the true ones."""
LISTED_QUERIES = 200
"""Queries listed of each."""
REASONS = (
    "most of the user's queries in the bundle, recovered as one fiber",
    "linked with another session of the same user, in a fiber that is mostly theirs",
    "word that links it with other queries of the user",
)
"""What each bit of a finding says; marks are of the last."""


def collect_findings(
    evidence: Evidence, result: FiberResult, progress: Progress
) -> FlaggedFindings:
    """Sessions of heavy users whose queries were put together again; O(n log n)."""
    log = evidence.log
    progress.stage("sessions that are recovered")
    event, bundled = np.flatnonzero(result.truth.counts), result.bundled
    label, fiber = result.labels[event], bundled.fiber[event]
    joint, fiber_sizes, label_sizes = count_agreement(
        bundled.fiber, result.labels, len(bundled), progress
    )
    recall, precision = joint[event] / fiber_sizes[fiber], joint[event] / label_sizes[label]
    starts = find_sessions(log)
    session = session_of_rows(starts)[bundled.row[event]]
    # What is both one recovered fiber and one user's has one number.
    group = group_pairs(label, fiber, progress)[2]
    is_precise = precision >= 0.5
    bits = (is_precise & (recall >= 0.5)).astype(np.uint64)
    # Whether the group of each event has events in another session, too.
    size = int(group.max(initial=-1)) + 1
    last = np.zeros(size, dtype=np.int64)
    last[group] = session
    spans_sessions: Bools = np.bincount(group[session != last[group]], minlength=size)[group] > 0
    bits |= (is_precise & spans_sessions).astype(np.uint64) << np.uint64(1)
    f_score = 2 * recall * precision / (recall + precision)
    reason, risk, ranked, everybody = rank_sessions(starts, session, bits, f_score, MOST_FINDINGS)
    progress.check()
    is_taken = np.zeros(len(reason), dtype=np.bool_)
    is_taken[ranked] = True
    marks = _find_marks(log, result, (event, group, session), risk, is_taken, progress)
    survives = standing_verbatim(log.queries, evidence.release)
    start, stop = starts[ranked], starts[ranked + 1]
    flagged, surviving = count_marked_queries(log, start, stop, marks[0], survives)
    return FlaggedFindings(
        start=start,
        stop=stop,
        reason=reason[ranked],
        risk=np.clip(risk[ranked], 0.0, 1.0),
        surviving=surviving,
        flagged=flagged,
        reasons=REASONS,
        mark_query=marks[0],
        mark_start=marks[1],
        mark_stop=marks[2],
        mark_reason=np.full(len(marks[0]), 2, dtype=np.uint8),
        survives=survives,
        everybody=everybody,
    )


def _find_marks(
    log: QueryLog,
    result: FiberResult,
    placed: tuple[Int64s, Int64s, Int64s],
    risk: Float64s,
    is_taken: Bools,
    progress: Progress,
) -> tuple[Int32s, Int32s, Int32s]:
    """Words of queries in the sessions taken that another query of the same group has, too.

    `placed` are events of heavy users, with the number of their group and of their session.
    """
    event, group, session = placed
    query = result.bundled.query[event].astype(np.int64)
    in_session = is_taken[session]
    taken_groups = sorted_distinct(group[in_session])
    is_in_group = np.isin(group, taken_groups)
    pair = sorted_distinct(group[is_in_group] * len(log.queries) + query[is_in_group])
    progress.check()
    groups, queries = pair // len(log.queries), pair % len(log.queries)
    lengths = result.words.compute_lengths()[queries]
    place = expand_ranges(result.words.offsets[queries], lengths)
    word = result.words.codes[place].astype(np.int64)
    size = max(len(result.words.vocabulary), 1)
    # A word twice in one query links it with nothing.
    owner = np.repeat(np.arange(len(pair)), lengths)
    once = sorted_distinct(owner * size + word)
    owner, word = once // size, once % size
    _, key_number, key_counts = np.unique(
        groups[owner] * size + word, return_inverse=True, return_counts=True
    )
    shared = key_counts[key_number] > 1
    progress.check()
    first = np.full(len(log.queries), -1.0)
    np.maximum.at(first, query[in_session], risk[session[in_session]])
    telling = sorted_distinct(queries[owner[shared]] * size + word[shared])
    code, word = telling // size, telling % size
    marked_codes = sorted_distinct(code[first[code] >= 0])
    marked_codes = np.sort(
        marked_codes[np.argsort(-first[marked_codes], kind="stable")[:MOST_MARKED]]
    )
    keep = np.isin(code, marked_codes)
    return _find_word_spans(log, result, code[keep], word[keep], progress)


def _find_word_spans(
    log: QueryLog, result: FiberResult, query: Int64s, word: Int64s, progress: Progress
) -> tuple[Int32s, Int32s, Int32s]:
    """Query and characters of every place where a query, ascending, has a word."""
    stop_words = gazetteers.stop_words()
    stems: dict[str, str] = {}
    rows: list[tuple[int, int, int]] = []
    codes, begins = np.unique(query, return_index=True)
    ends = np.searchsorted(query, codes, side="right")
    columns = (codes.tolist(), begins.tolist(), ends.tolist())
    for number, (code, low, high) in enumerate(zip(*columns, strict=True)):
        if number % 1_000 == 0:
            progress.check()
        targets = {result.words.vocabulary[int(w)] for w in word[low:high]}
        text = log.queries[code]
        offset = 0
        for token in text.split():
            offset = text.index(token, offset)
            typed = token.lower()
            if typed not in stop_words:
                if typed not in stems:
                    stems[typed] = stem_words([typed])[0]
                if stems[typed] in targets:
                    rows.append((code, offset, offset + len(token)))
            offset += len(token)
    table = np.asarray(rows, dtype=np.int32).reshape(-1, 3)
    return table[:, 0].copy(), table[:, 1].copy(), table[:, 2].copy()


def list_fibers(log: QueryLog, result: FiberResult, progress: Progress) -> tuple[Table, Table]:
    """The recovered fibers that come nearest to a heavy user's, and the queries of the first."""
    event = np.flatnonzero(result.truth.counts)
    bundled = result.bundled
    fiber, label, number = group_pairs(bundled.fiber[event], result.labels[event], progress)
    joint = np.bincount(number, minlength=len(fiber))
    label_size = np.bincount(result.labels, minlength=len(bundled))[label]
    fiber_size = bundled.fiber_queries[fiber]
    progress.check()
    f_score = 2 * joint / (fiber_size + label_size)
    order = np.lexsort((label, -f_score, fiber))
    best = order[mark_run_starts(fiber[order])]
    best = best[np.argsort(-f_score[best] * np.log2(1 + joint[best]), kind="stable")][:LISTED]
    rows = [
        [
            number,
            log.users[int(bundled.fiber_user[fiber[index]])],
            int(bundled.fiber_bundle[fiber[index]]),
            int(fiber_size[index]),
            int(label_size[index]),
            int(joint[index]),
            round(float(joint[index] / fiber_size[index]), 4),
            round(float(joint[index] / label_size[index]), 4),
        ]
        for number, index in enumerate(best.tolist(), start=1)
    ]
    users = bundled.fiber_user[fiber[best]].astype(np.int32)
    references = {-1: UserReference.from_list("users", users)}
    table = catalogue.table("fibers", rows, who=references)
    opened = list(_iterate_lines(log, result, fiber[best[:OPENED]], label[best[:OPENED]]))
    events = np.asarray([row for row, _ in opened], dtype=np.int64)
    references = {-1: UserReference.from_list("rows", events)}
    lines = [line for _, line in opened]
    return table, catalogue.table("fiber-queries", lines, who=references, shown=LISTED_QUERIES)


def _iterate_lines(
    log: QueryLog, result: FiberResult, fibers: Int64s, labels: Int64s
) -> Iterable[tuple[int, list[object]]]:
    """Lines of the table of queries, each with the row of the log that it is about."""
    bundled = result.bundled
    pairs = zip(fibers.tolist(), labels.tolist(), strict=True)
    for number, (fiber, label) in enumerate(pairs, start=1):
        part = bundled.slice_events(int(bundled.fiber_bundle[fiber]))
        own, labelled = bundled.fiber[part] == fiber, result.labels[part] == label
        for row in np.flatnonzero(own | labelled)[:LISTED_QUERIES].tolist():
            event = part.start + row
            source = "the user's, recovered" if own[row] and labelled[row] else "the user's, missed"
            line: list[object] = [
                number,
                str(np.datetime64(int(bundled.time[event]), "s")).replace("T", " "),
                log.queries[int(bundled.query[event])],
                source if own[row] else "somebody else's, attributed to the user",
            ]
            yield int(bundled.row[event]), line
