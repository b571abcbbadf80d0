"""Builds the hash tables that kernels walk: words, phrases as paths of words, columns of ids."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from auditor.arrays import Array, Int32s, Int64s
from auditor.attacks.detection.tables import PhraseTree
from auditor.log import gil_friendly


class PhraseTreeBuilder:
    """Phrases as paths of word ids from the root of one tree; both are numbered as they come."""

    def __init__(self) -> None:
        self.words: dict[str, int] = {}
        self._edges: dict[tuple[int, int], int] = {}

    def __len__(self) -> int:
        return len(self._edges)

    def intern_word(self, word: str) -> int:
        """The id of a word."""
        return self.words.setdefault(word, len(self.words))

    def intern_phrase(self, words: Iterable[str]) -> int:
        """The node at which a phrase ends; −1 without words."""
        node = -1
        for word in words:
            node = self._edges.setdefault((node, self.intern_word(word)), len(self._edges))
        return node

    def build(self) -> PhraseTree:
        """Lay the tree out."""
        from auditor.attacks.detection import kernels

        data, ends = gil_friendly.concatenate_bytes(word.encode("latin-1") for word in self.words)
        words, offsets = data.copy(), ends.copy()  # to be written to, as what a file gives back is
        size = len(self.words)
        slots = np.full(_compute_table_size(size), -1, dtype=np.int32)
        kernels.fill_slots(words, offsets, slots)
        edges = np.array(list(self._edges), dtype=np.int64).reshape(-1, 2)
        node = np.fromiter(self._edges.values(), np.int32, len(edges))
        root, first = np.full(size, -1, dtype=np.int32), edges[:, 0] < 0
        root[edges[first, 1]] = node[first]
        inner = edges[~first]
        table = build_hash_table(inner[:, 0] * size + inner[:, 1], node[~first])
        return PhraseTree(words, offsets, slots, root, *table)


def build_hash_table(keys: Int64s, values: Int32s) -> tuple[Int64s, Int32s]:
    """An open-addressed table of keys from 0 and what each stands for; one key may stand often."""
    from auditor.attacks.detection import kernels

    table_key = np.full(_compute_table_size(len(keys)), -1, dtype=np.int64)
    table_value = np.full(len(table_key), -1, dtype=np.int32)
    kernels.fill_table(keys, values, table_key, table_value)
    return table_key, table_value


def _compute_table_size(entries: int) -> int:
    """A power of two that leaves an open-addressed table at most half full."""
    return 1 << max(4, (2 * entries).bit_length())


def fill_column(values: Mapping[int, float], size: int, dtype: Any, empty: int = 0) -> Array:
    """Values by id as a column."""
    column = np.full(size, empty, dtype=dtype)
    if values:
        column[np.fromiter(values, np.int64, len(values))] = list(values.values())
    return column
