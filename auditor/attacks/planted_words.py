"""Strings that attacks plant, as one word each, which a release of n-grams shows soonest.

A planted string of several words may be longer than any released n-gram, and shares its user's
weight among all of its words. So an attacker plants words, and so do these attacks.
"""

from __future__ import annotations

import dataclasses

from auditor.attacks.base import MethodRerun
from auditor.log.model import QueryLog, Vocabulary
from auditor.privacy.release import Anonymized
from auditor.progress import Progress

JOINT = "\N{MIDDLE DOT}"
"""What stands between the parts of a planted word; in no planted string."""
GAP = "\N{OPEN BOX}"
"""What stands between the words of a planted phrase."""


def plant_words(rerun: MethodRerun, release: Anonymized) -> MethodRerun:
    """`rerun`, or, where `release` holds n-grams, a method that sees every query as one word.

    A planted phrase has `GAP` between its words, and is seen as several. Released words come back
    as the strings that were planted. O(distinct queries) a run.
    """
    if release.tables is None or not release.tables.ngrams:
        return rerun

    def rerun_on_words(log: QueryLog, number: int, progress: Progress) -> Anonymized:
        joined = Vocabulary.of(
            JOINT.join(text.split()).replace(GAP, " ") for text in log.queries.list_strings()
        )
        made = rerun(dataclasses.replace(log, queries=joined), number, progress)
        assert made.tables is not None
        texts = [
            text.replace(" ", GAP).replace(JOINT, " ")
            for text in made.tables.queries.list_strings()
        ]
        tables = dataclasses.replace(made.tables, queries=Vocabulary.of(texts))
        return dataclasses.replace(made, content=tables)

    return rerun_on_words
