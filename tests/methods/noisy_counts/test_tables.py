"""The order of a release, which follows from what is released."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from auditor.methods.noisy_counts.tables import choose_queries
from tests.methods.logs import log_of

TEXTS = st.dictionaries(st.text(min_size=1, max_size=4), st.integers(1, 4), max_size=12)


@given(counts=TEXTS, decoys=st.sets(st.text(min_size=5, max_size=6), max_size=3))
def test_that_queries_stand_by_falling_count_and_then_by_their_bytes(
    counts: dict[str, int], decoys: set[str]
) -> None:
    log = log_of([("u", text, n, None) for n, text in enumerate(counts)])
    index = log.queries.find(list(counts)).astype(np.int64)
    every = counts | dict.fromkeys(decoys, 2)
    expected = sorted(every, key=lambda text: (-every[text], text.encode()))
    decoy_count = np.full(len(decoys), 2, np.int64)
    values = np.array(list(counts.values()), np.int64)
    chosen = choose_queries(log, index, values, list(decoys), decoy_count)
    assert chosen.queries.list_strings() == expected
    assert chosen.count.tolist() == [every[text] for text in expected]
    assert [expected[place] for place in chosen.place[index]] == list(counts)
    assert chosen.decoys == len(decoys)
