"""Which query strings are sensitive by the shipped lists: adult and revealing terms.

A stand-in for the trained classifier of Carpineto & Romano (2018). A term of several words must
stand word for word. O(tokens), and O(words of a query) for those with a longer term's first word.
"""

from __future__ import annotations

import numpy as np

from auditor.arrays import Bools
from auditor.log import gazetteers
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.model import Vocabulary
from auditor.log.text import tokenize_strings
from auditor.progress import Progress


def find_sensitive(queries: Vocabulary, progress: Progress) -> Bools:
    """Whether each query holds a term of the lists; shape (len(queries),)."""
    terms = [term.split() for term in gazetteers.adult_terms() | gazetteers.revealing_terms()]
    single = {term[0] for term in terms if len(term) == 1}
    longer: dict[str, list[list[str]]] = {}
    for term in terms:
        if len(term) > 1:
            longer.setdefault(term[0], []).append(term)
    found = tokenize_strings(queries, progress)
    words = [word.lower() for word in found.vocabulary.list_strings()]
    progress.check()
    alone = np.array([word in single for word in words], dtype=np.bool_)
    begins = np.array([word in longer for word in words], dtype=np.bool_)
    strings = found.find_owners()
    result = np.zeros(len(queries), dtype=np.bool_)
    result[strings[alone[found.codes]]] = True
    open_ = sorted_distinct(strings[begins[found.codes]]).tolist()
    for number, query in enumerate(open_):
        if number % 1024 == 0:
            progress.check()
        if not result[query]:
            mine = [words[code] for code in found[query]]
            result[query] = any(
                mine[i : i + len(term)] == term
                for i, word in enumerate(mine)
                for term in longer.get(word, ())
            )
    return result
