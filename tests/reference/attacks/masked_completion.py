"""Masked completion: a hidden word is the one that is likeliest in its frame, by Witten and Bell.

A query counts once for each of its users. What can be read in the release is never guessed.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

END = "<end>"
NOWHERE = ("nowhere",)


class Guesser:
    """Counts of words by context, of rows of a user and a query."""

    def __init__(self, rows: list[tuple[str, str]], readable: set[str]) -> None:
        self.counts: dict[Any, Counter[str]] = {}
        for _, query in dict.fromkeys(rows):
            words = query.split()
            for place, word in enumerate(words):
                if word in readable:
                    continue
                for context in (None, *contexts(words, place)):
                    self.counts.setdefault(context, Counter())[word] += 1

    def mix(self, context: Any, prior: Callable[[str], float], word: str) -> float:
        """The chance of a word in a context, the prior's share growing with the context's words."""
        counts = self.counts.get(context)
        if not counts:
            return prior(word)
        return (prior(word) * len(counts) + counts[word]) / (len(counts) + counts.total())

    def chance(self, words: Sequence[str | None], place: int, word: str) -> float:
        """The chance of a word at a place of a query whose hidden words are None."""
        left, right, both, frame = contexts(words, place)
        unigrams = self.counts[None]

        def base(token: str) -> float:
            return unigrams[token] / unigrams.total()

        def beside(token: str) -> float:
            return (self.mix(left, base, token) + self.mix(right, base, token)) / 2

        return self.mix(frame, lambda token: self.mix(both, beside, token), word)


def contexts(words: Sequence[str | None], place: int) -> tuple[Any, Any, Any, Any]:
    """What is to the left, to the right, both of it, and the whole frame, as far as it is known."""
    left = words[place - 1] if place else END
    right = words[place + 1] if place + 1 < len(words) else END
    others = (*words[:place], "gap", *words[place + 1 :])
    both = None if left is None or right is None else ("both", left, right)
    return (
        ("left", left) if left else NOWHERE,
        ("right", right) if right else NOWHERE,
        both or NOWHERE,
        NOWHERE if None in others else ("frame", others),
    )
