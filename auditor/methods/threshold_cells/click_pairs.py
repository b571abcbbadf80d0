"""Click pairs: the distinct pairs of a query and a clicked page that enough users share.

As ORCAS (Craswell and others, CIKM 2020): k-anonymity of pairs, pages of a corpus alone, no query
with a blocked word, and no counts. The k of ORCAS is not published: without one nothing is
released. Cost: O(rows log rows).
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from auditor.arrays import Bools
from auditor.bounded_files import UnfitFile, read_text
from auditor.errors import LogFormatError
from auditor.log.model import NONE, QueryLog, Vocabulary
from auditor.log.sentences import sentence
from auditor.log.text import TokenizedQueries, list_lines, tokenize_strings
from auditor.messages import phrase
from auditor.methods.threshold_cells.cells import build_method
from auditor.methods.threshold_cells.rule import CellRule
from auditor.params import Params
from auditor.privacy.release import CellKey
from auditor.progress import Progress

LARGEST = 1 << 28
"""Bytes of a list of pages or words, once unpacked."""


@dataclass(frozen=True, kw_only=True)
class ClickPairsParams(Params, owner="click-pairs"):
    """How many users a pair needs, and which pages and words are allowed."""

    k: int | None = None
    corpus: Path | None = None
    blocked: Path | None = None
    suppress: str = "nothing"


def choose_rows(
    log: QueryLog, query: CellKey, params: ClickPairsParams, progress: Progress
) -> Bools:
    """Clicks on pages of the corpus, of queries without a blocked word."""
    rows: Bools = log.url != NONE
    if params.corpus is not None:
        is_in_corpus = log.urls.match(Vocabulary.of(_read_list(params.corpus))) != NONE
        rows &= np.append(is_in_corpus, False)[log.url]
    if params.blocked is not None:
        blocked = _find_blocked(query.texts, _read_list(params.blocked), progress)
        rows &= ~blocked[query.codes]
    return rows


_OF_WORDS = "+#"
"""Signs at the end that make another word of a blocked one: "c++" and "c#" are not "c"."""


def _find_blocked(queries: Vocabulary, lines: list[str], progress: Progress) -> Bools:
    """Queries in which the words of a line follow each other, in any case and punctuation.

    Signs of `_OF_WORDS` count in those lines alone that have them: "c++" blocks no "c", and "c"
    blocks "c++", too. Shape (queries,).
    """
    words = tokenize_strings(queries, progress)
    signed = [
        any(
            _strip_punctuation(word) != _strip_punctuation(word, _OF_WORDS) for word in line.split()
        )
        for line in lines
    ]
    blocked = np.zeros(len(queries), dtype=np.bool_)
    for kept_signs in ("", _OF_WORDS):
        sought = [line for line, has in zip(lines, signed, strict=True) if has == bool(kept_signs)]
        if sought:
            blocked |= _find_lines(words, sought, kept_signs, progress)
    return blocked


def _find_lines(
    words: TokenizedQueries, lines: list[str], kept_signs: str, progress: Progress
) -> Bools:
    """Which queries hold a line's words in a row, of whose last signs only some are kept.

    All lines are sought together, word by word: a state stands for the first words of some lines.
    O(bytes + tokens log words of lines) for each word of the longest match.
    """
    codes: dict[str, int] = {}
    plain = [
        codes.setdefault(_strip_punctuation(word, kept_signs), len(codes))
        for word in words.vocabulary.list_strings()
    ]
    size = len(codes)
    steps: dict[int, int] = {}  # the next state, by state × size + code of a word
    ends: list[int] = []
    for line in lines:
        run = [codes.get(_strip_punctuation(word, kept_signs), NONE) for word in line.split()]
        if NONE not in run:
            state = 0
            for code in run:
                state = steps.setdefault(state * size + code, len(steps) + 1)
            ends.append(state)
    blocked = np.zeros(len(words), dtype=np.bool_)
    if not steps:
        return blocked
    is_end = np.isin(np.arange(len(steps) + 1), ends)
    keys = np.array(sorted(steps), dtype=np.int64)
    next_states = np.array([steps[key] for key in sorted(steps)], dtype=np.int64)
    tokens = np.array(plain, dtype=np.int64)[words.codes]
    owners = words.find_owners()
    place = np.arange(len(tokens))
    states = np.zeros(len(tokens), dtype=np.int64)
    while len(place):
        progress.check()
        sought = states * size + tokens[place]
        index = np.minimum(np.searchsorted(keys, sought), len(keys) - 1)
        fits = keys[index] == sought
        place, states = place[fits], next_states[index[fits]]
        blocked[owners[place[is_end[states]]]] = True
        goes_on = place + 1 < words.offsets[owners[place] + 1]
        place, states = place[goes_on] + 1, states[goes_on]
    return blocked


def _strip_punctuation(word: str, kept_signs: str = "") -> str:
    """A word in lower case without punctuation and symbols at its ends, unless it has no others.

    Of those behind the word the `kept_signs` stay, and what is before one of them.
    """
    lower = word.lower()
    if lower.isalnum():
        return lower
    signs = {letter for letter in lower if unicodedata.category(letter)[0] in "PSC"}
    stripped = lower.lstrip("".join(signs)).rstrip("".join(signs - {*kept_signs}))
    return stripped or lower


def _read_list(file: Path) -> list[str]:
    """The distinct lines of a list that aren't blank."""
    try:
        return list_lines(read_text(file, LARGEST))
    except UnfitFile as error:
        raise LogFormatError(
            phrase("The list can't be read: it is {error}.", error=error.reason), path=file
        ) from None


_RULE = CellRule(
    params=ClickPairsParams,
    keys=("query", "url"),
    least="k",
    choose=choose_rows,
    claim=lambda keys, k: sentence("click_pairs.claim", keys=keys, k=k),
    main=("k", "corpus", "blocked", "suppress"),
    unset=("k",),
)
METHOD = build_method(_RULE)
