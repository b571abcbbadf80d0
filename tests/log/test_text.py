"""Tokens, stems and spellings."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.log import text
from auditor.log.model import Vocabulary

WHITE = " \t\n\x0b\x0c\r\x1c\x1f\x85\xa0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000"
NOT_WHITE = "ab\x00\xe9\u0142\u2010\u2080\u3001\u1681\U0001f600"
queries = st.lists(st.text(st.sampled_from(WHITE + NOT_WHITE), max_size=40), max_size=30)


def spelled(tokens: text.TokenizedQueries) -> list[list[str]]:
    return [tokens.vocabulary.list_strings(tokens[i]) for i in range(len(tokens))]


@given(queries)
def test_that_tokens_are_those_of_str_split_numbered_by_first_appearance(
    strings: list[str],
) -> None:
    tokens = text.tokenize_strings(Vocabulary.of(strings))
    assert spelled(tokens) == [string.split() for string in strings]
    in_order = dict.fromkeys(token for string in strings for token in string.split())
    assert tokens.vocabulary.list_strings() == list(in_order)


def test_that_every_character_is_white_space_exactly_where_python_says_so() -> None:
    letters = [chr(code) for code in range(1, 0x3100)]
    tokens = text.tokenize_strings(Vocabulary.of(f"a{letter}b" for letter in letters))
    assert tokens.compute_lengths().tolist() == [len(f"a{letter}b".split()) for letter in letters]


def test_that_the_result_does_not_depend_on_blocks_or_on_the_table_growing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(1)
    strings = [
        " ".join("x" * int(n % 13) + str(n) for n in rng.integers(0, 9000, size))
        for size in rng.integers(0, 7, 5000)
    ]
    vocabulary = Vocabulary.of(dict.fromkeys(strings))
    tokens = text.tokenize_strings(vocabulary)
    assert len(tokens.vocabulary) > 5000  # several times the table's first size
    monkeypatch.setattr(text, "BLOCK_BYTES", 200)
    pieces = text.tokenize_strings(vocabulary)
    assert np.array_equal(tokens.codes, pieces.codes)
    assert np.array_equal(tokens.offsets, pieces.offsets)
    assert tokens.vocabulary.list_strings() == pieces.vocabulary.list_strings()


def test_that_one_very_long_string_among_short_ones_is_split() -> None:
    long = " ".join(f"word{n}" for n in range(20_000))
    tokens = text.tokenize_strings(Vocabulary.of(["a b", long, "b c"]))
    assert tokens.compute_lengths().tolist() == [2, 20_000, 2]
    assert tokens.vocabulary.list_strings(tokens[2]) == ["b", "c"]


def test_that_counts_weigh_each_query_by_its_events() -> None:
    tokens = text.tokenize_strings(Vocabulary.of(["new york", "york york", ""]))
    assert tokens.count_occurrences().tolist() == [1, 3]
    assert tokens.count_occurrences(np.array([10, 1, 5])).tolist() == [10, 12]
    assert tokens.find_owners().tolist() == [0, 0, 1, 1]


def test_that_canonical_tokens_are_stemmed_and_without_stop_words_or_as_typed() -> None:
    strings = ["the Mortgages", "mortgage of a", "the", "Running runs"]
    tokens = text.tokenize_strings(Vocabulary.of(strings))
    assert spelled(text.canonical_tokens(tokens)) == [["mortgag"], ["mortgag"], [], ["run", "run"]]
    typed = text.canonical_tokens(tokens, stems=False, drop=())
    assert spelled(typed)[1:3] == [["mortgage", "of", "a"], ["the"]]
