"""How likely two or three words of a query are somebody's name: a small, readable model.

A logistic regression over `FEATURES`, each of which says in words what it looks at. The
coefficients are trained by ``packaging/train_person_names.py`` on names drawn from the census and
set into typical queries, on phrases that are none, and on the development part of labelled real
queries; they stand, readable, in ``resources/detection/person-model.tsv``.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator

import numpy as np

from auditor.arrays import Float64s
from auditor.log import gazetteers

GLUED_LETTERS = 9
"""Letters from which a word may be the name of somebody known, run together."""
FEW_BEARERS, US_PEOPLE = 20, 2.5e8
"""Bearers in the US below which a name turned round is taken for that of somebody known."""
PARTICLES = frozenset(
    ["st", "saint", "de", "la", "del", "van", "von", "der", "den", "du", "al", "el", "ibn", "abu"]
)
FEATURES = (
    "constant",
    "first word more often a first name than a word",
    "last word more often a last name than a word",
    "the lesser of both",
    "first word is an initial",
    "first word is on no list of first names",
    "last word is on no list of last names",
    "a second first name between",
    "the name is the whole query",
    "number of other words",
    "a cue for people stands in the query",
    "a title stands before",
    "a cue for fame stands in the query",
    "one of the words is a place's name",
    "a word for places follows, or ends the name",
    "a word for organisations follows, or ends the name",
    "function word among the two",
    "both are common words of the dictionary",
    "one of the words is very frequent",
    "a preposition of place stands before",
    "month, season or nationality among the two",
    "a state or city follows",
    "stands between quotation marks",
    "how many bear the name",
    "first word is an adjective or noun of the dictionary",
    "last word is in the dictionary",
    "last word is also a first name more often than a last name",
    "an initial or a particle between",
)
"""What the model looks at, in the order of its coefficients."""
CALIBRATION = ("nobody known, slope", "nobody known, constant")
"""How the log odds that words are a name become those that they are a private person's name, where
no list knows them: most names that no list has are famous ones all the same."""


@functools.cache
def name_coefficients() -> Float64s:
    """The coefficients, by feature, then the calibration; shape (len(FEATURES) + 2,)."""
    known = gazetteers.person_model()
    return np.array([known[name] for name in (*FEATURES, *CALIBRATION)], dtype=np.float64)


def list_turned_names(people: Iterable[str]) -> Iterator[str]:
    """Names of two words with the last name first, where hardly anybody is called that."""
    first, last = gazetteers.first_names(), gazetteers.last_names()
    given = first.keys() | gazetteers.world_first_names().keys()
    for name in people:
        words = name.split()
        turned = len(words) == 2 and first.get(words[1], 0.0) <= first.get(words[0], 0.0)
        turned = turned and words[0] in given  # "crime mob" is a band
        bearers = last.get(words[0], 0.0) * first.get(words[1], 0.0) if turned else 1.0
        if bearers * 1e-4 * US_PEOPLE < FEW_BEARERS and words[0] not in PARTICLES:
            yield f"{words[1]} {words[0]}"


def list_glued_names(people: Iterable[str]) -> Iterator[str]:
    """Names of two words run together, as in addresses of sites: "nicolekidman"."""
    zipf, plain = gazetteers.word_frequencies(), gazetteers.dictionary_words()
    for name in people:
        glued = name.replace(" ", "")
        written = glued in zipf or glued in plain
        if name.count(" ") == 1 and len(glued) >= GLUED_LETTERS and not written:
            yield glued
