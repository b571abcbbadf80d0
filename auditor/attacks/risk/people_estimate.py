"""How many users are at risk, from a random sample of them: known long before all are searched.

Users are drawn whole, every set of them as likely as any other, and judged as `score_log` judges
everybody: what a user's risk takes from others is counted on the whole log, that is, how many users
issued a query, clicked an address or searched for a name. So the sample makes nobody's queries look
rarer than they are. The strings of the users drawn are searched for marks, and besides them those
that hold one of their names; a name that others write in another way counts as another name.
"""

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np

from auditor.arrays import Bools
from auditor.attacks.detection.kinds import EntityKind
from auditor.attacks.detection.lexicon import split_words
from auditor.attacks.intervals import hypergeometric_interval
from auditor.attacks.risk.session_scoring import ScoringRules, marks_of_rules, score_log
from auditor.log.model import QueryLog, Vocabulary
from auditor.privacy.blank_queries import drop_blank_rows
from auditor.progress import Progress

ROWS, FEWEST = 30_000, 100
"""About as many rows are drawn, and at least as many users."""
SEED = 20_060_801
CHECKED = 1 << 15
"""Strings that are compared before somebody can cancel."""


@dataclass(frozen=True, kw_only=True)
class PeopleEstimate:
    """Between how many and how many users are at risk, with 95 % confidence."""

    low: int
    high: int
    sample_size: int

    def round_outwards(self) -> tuple[int, int]:
        """Bounds with as many digits as their distance is known to; they enclose the exact ones."""
        step = 10 ** max(0, len(str(self.high - self.low)) - 2)
        return self.low // step * step, -(-self.high // step) * step


def estimate_people(
    log: QueryLog, profiles: Any, rules: ScoringRules, progress: Progress, rows: int = ROWS
) -> PeopleEstimate:
    """Judge users drawn at random, of about so many rows; O(rows of the log + bytes of theirs).

    The interval is exact: every number of users at risk under which so many, or so few, of those
    drawn would have been with a probability of 2.5 % at least.
    """
    log = drop_blank_rows(log, progress)
    users = len(log.users)
    size = min(users, max(FEWEST, round(users * rows / max(1, len(log)))))
    is_sampled_row = log.of_sample(size, SEED)
    at_risk = find_people_at_risk(log, is_sampled_row, profiles, rules, progress)
    low, high = hypergeometric_interval(int(at_risk.sum()), size, users)
    return PeopleEstimate(low=low, high=high, sample_size=size)


def find_people_at_risk(
    log: QueryLog, is_sampled_row: Bools, profiles: Any, rules: ScoringRules, progress: Progress
) -> Bools:
    """Which of the users whose rows are `is_sampled_row` are at risk; shape (users,)."""
    searched, clicked = (np.zeros(len(words), dtype=np.bool_) for words in (log.queries, log.urls))
    searched[log.query[is_sampled_row]] = True
    clicked[log.url[is_sampled_row & (log.url >= 0)]] = True
    searched |= _find_namesakes(log.queries, searched, rules, progress)
    sample = dataclasses.replace(
        log, queries=_blank_others(log.queries, searched), urls=_blank_others(log.urls, clicked)
    )
    scores = score_log(sample, None, profiles, rules, progress)
    at_risk, is_sampled_user = np.zeros((2, len(log.users)), dtype=np.bool_)
    at_risk[log.user[scores.people.start[scores.at_risk]]] = True
    is_sampled_user[log.user[is_sampled_row]] = True
    return at_risk & is_sampled_user


def _find_namesakes(
    queries: Vocabulary, searched: Bools, rules: ScoringRules, progress: Progress
) -> Bools:
    """Queries with the first and the last word of a private name in those `searched`; O(bytes)."""
    marks = marks_of_rules(_blank_others(queries, searched), rules, progress)
    private = np.flatnonzero(marks.is_of_kind(EntityKind.PERSON) & ~marks.is_public)
    texts = queries.list_strings(marks.query[private].tolist())
    firsts: dict[str, set[str]] = {}
    for text, start, stop in zip(texts, marks.start[private], marks.stop[private], strict=True):
        if words := split_words(text[start:stop]):
            firsts.setdefault(words[-1], set()).add(words[0])
    matches = np.zeros(len(queries), dtype=np.bool_)
    for first, last in progress.blocks("looking for names of the sample", len(queries), CHECKED):
        for code, text in enumerate(queries.list_strings(range(first, last)), first):
            words = text.lower().split()
            matches[code] = any(not firsts[w].isdisjoint(words) for w in firsts.keys() & set(words))
    return matches


def _blank_others(words: Vocabulary, visible: Bools) -> Vocabulary:
    """The same codes, with nothing to read at those that aren't `visible`."""
    sizes = words.compute_lengths()
    offsets = np.append(0, np.cumsum(np.where(visible, sizes, 0)))
    return Vocabulary(words.data[np.repeat(visible, sizes)], offsets)
