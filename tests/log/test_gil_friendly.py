"""What stands in for NumPy's steps gives what NumPy gives, and lets others have their turn."""

import threading
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.log import gil_friendly
from auditor.log.model import Vocabulary

LARGE = 3 * gil_friendly.PART


@pytest.mark.parametrize("size", [0, 1, 5, 1_000, LARGE])
def test_that_steps_over_a_log_give_what_numpy_gives(size: int) -> None:
    rng = np.random.default_rng(1)
    codes, lengths = rng.integers(0, 500, size).astype(np.int32), rng.integers(0, 8, size)
    lengths[1:2] = LARGE  # more than is taken at once
    counts, flags = np.ones(500, dtype=np.int64), codes % 2 == 0
    gil_friendly.count_into(codes, counts)
    offsets = np.concatenate(([4], 4 + np.cumsum(lengths))).astype(np.int64)
    tokens, weights = rng.integers(0, 90, offsets[-1] - 4).astype(np.int32), codes % 7
    pieces = [b"x" * length for length in lengths.tolist()]
    data, ends = gil_friendly.concatenate_bytes(iter(pieces))
    assert data.tobytes() == b"".join(pieces)
    expected = {
        "counts": (counts, 1 + np.bincount(codes, minlength=500)),
        "weighted counts": (
            gil_friendly.count_weighted(tokens, offsets - 4, weights, 90),
            np.bincount(tokens, np.repeat(weights, lengths), minlength=90).astype(np.int64),
        ),
        "a mask": (gil_friendly.select_where(codes, flags), codes[flags]),
        "distinct values": (gil_friendly.sorted_distinct(codes), np.unique(codes)),
        "of a table": (gil_friendly.sorted_distinct(codes.reshape(-1, 1)), np.unique(codes)),
        "running counts": (gil_friendly.running_count(flags), np.cumsum(flags)),
        "small ones": (
            gil_friendly.running_count(flags, np.int32), np.cumsum(flags, dtype=np.int32)
        ),
        "owners": (gil_friendly.expand_owners(offsets), np.repeat(np.arange(size), lengths)),
        "ends of pieces": (ends, offsets - 4),
    }  # fmt: skip
    for name, (result, plain) in expected.items():
        np.testing.assert_array_equal(result, plain, name, strict=True)


@given(st.lists(st.integers(-4, 9), max_size=20), st.lists(st.integers(-4, 9), max_size=20))
def test_that_what_is_among_others_is_what_numpy_says(some: list[int], wanted: list[int]) -> None:
    values, others = np.array(some, dtype=np.int64), np.array(wanted, dtype=np.int64)
    expected = np.isin(values, others)
    np.testing.assert_array_equal(gil_friendly.is_among(values, others), expected, strict=True)


@given(
    strings=st.lists(st.text(max_size=5), max_size=20, unique=True),
    data=st.data(),
    part=st.integers(1, 9),
)
@settings(max_examples=60)
def test_that_strings_are_decoded_as_each_by_itself(
    strings: list[str], data: st.DataObject, part: int
) -> None:
    words = Vocabulary.of(strings)
    codes = data.draw(st.lists(st.integers(0, len(strings) - 1))) if strings else []
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(gil_friendly, "PART", part)
        assert words.list_strings() == [words[code] for code in range(len(strings))]
        assert words.list_strings(codes) == [words[code] for code in codes]


def test_that_another_thread_gets_its_turn_while_a_large_log_is_counted() -> None:
    counts = np.zeros(1_000_000, dtype=np.int64)
    codes = np.random.default_rng(3).integers(0, len(counts), 12_000_000).astype(np.int32)
    ticks, ended = 0, threading.Event()

    def count() -> None:
        gil_friendly.count_into(codes, counts)
        ended.set()

    worker = threading.Thread(target=count)
    worker.start()
    while not ended.is_set():
        ticks += 1
        time.sleep(0.001)
    worker.join()
    assert ticks > 3  # np.bincount lets none through before its end
