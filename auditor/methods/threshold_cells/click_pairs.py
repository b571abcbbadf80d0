"""Click pairs: the distinct pairs of a query and a clicked page that enough users share.

As ORCAS (Craswell and others, CIKM 2020): k-anonymity of pairs, pages of a corpus alone, no query
with a blocked word, and no counts. The k of ORCAS is not published: without one nothing is
released. Cost: O(rows log rows).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from auditor.arrays import Bools
from auditor.bounded_files import UnfitFile, read_text
from auditor.errors import LogFormatError
from auditor.log.model import NONE, QueryLog, Vocabulary
from auditor.log.sentences import sentence
from auditor.log.text import tokenize_strings
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
        inside = log.urls.match(Vocabulary.of(_read_list(params.corpus))) != NONE
        rows &= np.append(inside, False)[log.url]
    if params.blocked is not None:
        words = tokenize_strings(query.texts, progress)
        listed = Vocabulary.of(dict.fromkeys(map(str.lower, _read_list(params.blocked))))
        bad = words.vocabulary.match(listed) != NONE
        owners = words.find_owners()[bad[words.codes]]
        rows &= np.bincount(owners, minlength=len(query.texts))[query.codes] == 0
    return rows


def _read_list(file: Path) -> list[str]:
    """The distinct lines of a list that aren't blank."""
    try:
        lines = read_text(file, LARGEST).splitlines()
    except UnfitFile as error:
        raise LogFormatError(
            phrase("The list can't be read: it is {error}.", error=error.reason), path=file
        ) from None
    return list(dict.fromkeys(line.strip() for line in lines if line.strip()))


_RULE = CellRule(
    name="click-pairs",
    params=ClickPairsParams,
    keys=("query", "url"),
    least="k",
    choose=choose_rows,
    claim=lambda keys, k: sentence("click_pairs.claim", keys=keys, k=k),
    main=("k", "corpus", "blocked", "suppress"),
    unset=("k",),
)
METHOD = build_method(_RULE)
