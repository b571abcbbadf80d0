"""What stands in for NumPy's steps gives what NumPy gives, and lets others have their turn."""

import threading
import time
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.log import gil_friendly
from auditor.log.model import Vocabulary

LARGE = 3 * gil_friendly.PART


@pytest.mark.parametrize("size", [0, 1, 1_000, LARGE])
def test_that_counts_are_those_of_numpy(size: int) -> None:
    codes = np.random.default_rng(1).integers(0, 500, size).astype(np.int32)
    counts = np.ones(500, dtype=np.int64)
    gil_friendly.count_into(codes, counts)
    np.testing.assert_array_equal(counts, 1 + np.bincount(codes, minlength=500))


@pytest.mark.parametrize("strings", [0, 100, LARGE // 3])
def test_that_weighted_counts_are_those_of_numpy(strings: int) -> None:
    rng = np.random.default_rng(2)
    lengths = rng.integers(0, 8, strings)
    offsets = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
    codes = rng.integers(0, 90, offsets[-1]).astype(np.int32)
    weights = rng.integers(0, 1_000, strings)
    result = gil_friendly.count_weighted(codes, offsets, weights, 90)
    expected = np.bincount(codes, np.repeat(weights, lengths), minlength=90).astype(np.int64)
    np.testing.assert_array_equal(result, expected)


@settings(max_examples=20)
@given(st.lists(st.booleans(), max_size=50))
def test_that_a_mask_keeps_what_it_says(mask: list[bool]) -> None:
    flags = np.array(mask, dtype=np.bool_)
    values = np.arange(len(flags))
    np.testing.assert_array_equal(gil_friendly.select_where(values, flags), values[flags])


@pytest.mark.parametrize("times", [1, 40_000])
def test_that_strings_are_taken_in_their_order(times: int) -> None:
    words = Vocabulary.of(["", "weather", "grüße", "a" * 30])
    codes = np.tile(np.array([3, 0, 2, 2, 1]), times)
    taken = words.take(codes)
    assert len(taken) == 5 * times
    assert taken.list_strings(range(5)) == ["a" * 30, "", "grüße", "grüße", "weather"]
    assert taken.list_strings(range(len(taken) - 5, len(taken))) == taken.list_strings(range(5))


@pytest.mark.parametrize("shape", [0, 5, LARGE, (2, 2)])
def test_that_distinct_values_and_running_counts_are_those_of_numpy(shape: Any) -> None:
    values = np.random.default_rng(4).integers(-9, 500, shape).astype(np.int32)
    result = gil_friendly.sorted_distinct(values)
    assert result.dtype == values.dtype
    np.testing.assert_array_equal(result, np.unique(values))
    even = values.ravel() % 2 == 0
    np.testing.assert_array_equal(gil_friendly.running_count(even), np.cumsum(even))
    assert gil_friendly.running_count(even, np.int32).dtype == np.int32


@given(st.lists(st.integers(-4, 9), max_size=20), st.lists(st.integers(-4, 9), max_size=20))
def test_that_what_is_among_others_is_what_numpy_says(some: list[int], wanted: list[int]) -> None:
    values, others = np.array(some, dtype=np.int64), np.array(wanted, dtype=np.int64)
    result = gil_friendly.is_among(values, others)
    assert result.dtype == np.bool_
    np.testing.assert_array_equal(result, np.isin(values, others))


@pytest.mark.parametrize("lengths", [[], [0], [3, 0, 2], [0, LARGE, 0, 7], [1] * LARGE])
def test_that_every_place_is_told_its_owner(lengths: list[int]) -> None:
    starts = np.concatenate(([4], 4 + np.cumsum(lengths, dtype=np.int64))).astype(np.int64)
    expected = np.repeat(np.arange(len(lengths)), lengths)
    np.testing.assert_array_equal(gil_friendly.expand_owners(starts), expected)


@pytest.mark.parametrize("count", [0, 3, gil_friendly.PART + 1])
def test_that_pieces_are_joined_whole(count: int) -> None:
    pieces = [b"x" * (i % 3) for i in range(count)]
    data, offsets = gil_friendly.concatenate_bytes(iter(pieces))
    assert data.tobytes() == b"".join(pieces)
    assert np.diff(offsets).tolist() == [len(piece) for piece in pieces]
    assert offsets[0] == 0


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
