"""How likely two or three words of a query are somebody's name: a small, readable model.

A logistic regression over `FEATURES`, each of which says in words what it looks at. The
coefficients are trained by ``packaging/train_person_names.py`` on names drawn from the census and
set into typical queries, on phrases that are none, and on the development part of labelled real
queries; they stand, readable, in ``resources/detection/person-model.tsv``.
"""

from __future__ import annotations

import functools

import numpy as np

from auditor.arrays import Float64s
from auditor.log import gazetteers

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
