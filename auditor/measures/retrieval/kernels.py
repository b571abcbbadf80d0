"""A walk of two moves from one query after the other, of which only the best pages are kept."""

from __future__ import annotations

from typing import NamedTuple

from numba import njit

from auditor.arrays import Array


class SparseMoves(NamedTuple):
    """The moves of a random walk, a sparse matrix by rows as SciPy has it."""

    starts: Array
    columns: Array
    values: Array


class WalkScratch(NamedTuple):
    """Of each page the probability after one move and what the second adds, 0 between rows; the
    pages that were met; and the place of each page among equals.
    """

    direct: Array
    added: Array
    met: Array
    place: Array


class BestPages(NamedTuple):
    """Places of each row's best pages, best first, ``pages[row, :lengths[row]]``; their scores."""

    pages: Array
    scores: Array
    lengths: Array


@njit(cache=True, nogil=True)
def _is_worse(score: float, page: int, other: float, other_page: int) -> bool:
    return bool(score < other or (score == other and page > other_page))


@njit(cache=True, nogil=True)
def _sift_down(pages: Array, scores: Array, index: int, size: int) -> None:
    """Put the entry `index` of a heap whose root is the worst where it belongs."""
    page, score = pages[index], scores[index]
    while True:
        child = 2 * index + 1
        if child >= size:
            break
        if child + 1 < size and _is_worse(
            scores[child + 1], pages[child + 1], scores[child], pages[child]
        ):
            child += 1
        if not _is_worse(scores[child], pages[child], score, page):
            break
        pages[index], scores[index] = pages[child], scores[child]
        index = child
    pages[index], scores[index] = page, score


@njit(cache=True, nogil=True)
def _keep_best(met: Array, count: int, scratch: WalkScratch, pages: Array, scores: Array) -> int:
    """Write the places of the best of the pages met, best first, and say how many; clear the
    scratch.
    """
    direct, added, _, place = scratch
    room, size = len(pages), 0
    for i in range(count):
        score = direct[met[i]] + added[met[i]]
        direct[met[i]] = added[met[i]] = 0.0
        if score == 0.0 or (size == room and score < scores[0]):
            continue
        page = place[met[i]]
        if size < room:
            pages[size], scores[size] = page, score
            size += 1
            if size == room:
                for index in range(room // 2 - 1, -1, -1):
                    _sift_down(pages, scores, index, room)
        elif _is_worse(scores[0], pages[0], score, page):
            pages[0], scores[0] = page, score
            _sift_down(pages, scores, 0, room)
    if size < room:
        for index in range(size // 2 - 1, -1, -1):
            _sift_down(pages, scores, index, size)
    for last in range(size - 1, 0, -1):  # the worst goes to the end
        page, score = pages[0], scores[0]
        pages[0], scores[0] = pages[last], scores[last]
        pages[last], scores[last] = page, score
        _sift_down(pages, scores, 0, last)
    return size


@njit(cache=True, nogil=True)
def walk_twice(
    queries: SparseMoves,
    pages: SparseMoves,
    start: Array,
    work: int,
    scratch: WalkScratch,
    best: BestPages,
) -> int:
    """Best pages two moves after each query of `start`, to the rows of `best`.

    A page's probability is that after one move plus the second move's, each sum in the order of
    the rows' entries, as a product of sparse matrices has it. Returns how many queries were
    done: all, or fewer where that took more than `work` additions.
    """
    direct, added, met, _ = scratch
    spent = 0
    for number in range(len(start)):
        if spent > work:
            return number
        query = start[number]
        count = 0
        for entry in range(pages.starts[query], pages.starts[query + 1]):
            page = pages.columns[entry]
            if pages.values[entry] != 0.0:
                met[count] = page
                count += 1
            direct[page] = pages.values[entry]
        for step in range(queries.starts[query], queries.starts[query + 1]):
            weight, between = queries.values[step], queries.columns[step]
            begin, end = pages.starts[between], pages.starts[between + 1]
            for entry in range(begin, end):
                page = pages.columns[entry]
                before = added[page]
                after = before + weight * pages.values[entry]
                if before == 0.0 and direct[page] == 0.0 and after != 0.0:
                    met[count] = page
                    count += 1
                added[page] = after
            spent += end - begin
        best.lengths[number] = _keep_best(
            met, count, scratch, best.pages[number], best.scores[number]
        )
        spent += count
    return len(start)
