"""Click pairs: the distinct pairs of a query and a clicked page that enough users share.

As ORCAS (Craswell and others, CIKM 2020): k-anonymity of pairs, pages of a corpus alone, no query
with a blocked word, and no counts. The k of ORCAS is not published: without one nothing is
released. Cost: O(rows log rows).
"""

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


_CHECKED = 4096
"""Words between two looks at whether somebody cancelled."""
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

    O(tokens), and for each token that begins a line a look for each number of words that lines
    have.
    """
    plain = [_strip_punctuation(word, kept_signs) for word in words.vocabulary.list_strings()]
    sought = {
        tuple(_strip_punctuation(word, kept_signs) for word in text.split()) for text in lines
    }
    first_words, lengths = {run[0] for run in sought}, sorted({len(run) for run in sought})
    begins_line = np.array([word in first_words for word in plain], dtype=np.bool_)
    owners, blocked = words.find_owners(), np.zeros(len(words), dtype=np.bool_)
    for number, place in enumerate(np.flatnonzero(begins_line[words.codes]).tolist()):
        if number % _CHECKED == 0:
            progress.check()
        end = min(place + lengths[-1], int(words.offsets[owners[place] + 1]))
        following = tuple(plain[code] for code in words.codes[place:end].tolist())
        if any(following[:length] in sought for length in lengths):
            blocked[owners[place]] = True
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
