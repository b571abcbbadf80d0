"""Which single change of a configuration helps most: as much at a smaller ε, or more content.

Each candidate is looked at through the method's own outlook, which draws no noise. Candidates are
every yes-or-no parameter turned off, all of them together, and the main numbers one step up and
down. O(candidates) outlooks of the sample.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from auditor.engine.suppressed_content import expect_suppression
from auditor.errors import AuditorError
from auditor.log.model import QueryLog
from auditor.methods.base import Method
from auditor.params import ParamKind, Params
from auditor.progress import Progress

Kind = Literal["cheaper", "richer", "trade"]
KINDS: tuple[Kind, ...] = ("cheaper", "richer", "trade")

KEPT = ("expected.queries", "expected.ngrams")
"""Expected metrics that say how much is left; a method has one of them."""
STEP = 2.0
"""Factor by which a number is changed."""
CHEAPER, RICHER, SAME = 0.9, 1.2, 0.98
"""ε at most this share of before; content at least this multiple; content that counts as equal."""
LIKE = 1.5
"""Multiple of δ up to which another δ counts as the same: a threshold that is solved for a wanted
δ stays below it by more or less."""


@dataclass(frozen=True)
class Improvement:
    """A change of some parameters, and what is expected of it.

    `kind` is "cheaper" (as much is kept at a smaller ε), "richer" (more is kept at the same ε),
    or "trade" (more is kept, and ε grows). `epsilon` and `queries` are before and after.
    """

    values: Mapping[str, Any]
    kind: Kind
    epsilon: tuple[float, float]
    queries: tuple[float, float]


def find_improvements(
    method: Method, params: Params, sample: QueryLog, scale: float, progress: Progress
) -> tuple[Improvement, ...]:
    """At most one improvement of each kind, the best; none where the outlook says too little."""
    before = _expect_outcome(method, params, sample, scale, progress)
    if before is None:
        return ()
    best: dict[Kind, tuple[float, Improvement]] = {}
    for values in _iterate_changes(method, params):
        progress.check()
        try:
            after = _expect_outcome(method, params.replace(**values), sample, scale, progress)
        except AuditorError:  # a value that the others don't allow
            continue
        if after is None:
            continue
        kind, gain = _compare_outcomes(before, after)
        if kind is not None and (kind not in best or gain > best[kind][0]):
            found = Improvement(
                values,
                kind,
                (before[0], after[0]),
                (before[1], after[1]),
            )
            best[kind] = gain, found
    return tuple(best[kind][1] for kind in KINDS if kind in best)


def _expect_outcome(
    method: Method, params: Params, sample: QueryLog, scale: float, progress: Progress
) -> tuple[float, float, float] | None:
    """ε, queries kept and δ that are expected; None where the method doesn't say."""
    if method.outlook is None:
        return None
    found = method.outlook(sample, params, scale=scale, progress=progress)
    found = expect_suppression(found, sample, params, progress)
    kept = next((value.value for value in found.values if value.name in KEPT), None)
    if kept is None or not math.isfinite(kept):
        return None
    statement = found.statement
    epsilon = statement.epsilon if statement.epsilon is not None else math.nan
    return epsilon, kept, statement.delta or 0.0


def _compare_outcomes(
    before: tuple[float, float, float], after: tuple[float, float, float]
) -> tuple[Kind | None, float]:
    """What kind of improvement it is, if any, and how large."""
    (epsilon, kept, delta), (new_epsilon, new_kept, new_delta) = before, after
    if new_delta > LIKE * delta:
        return None, 0.0
    formal = math.isfinite(epsilon) and math.isfinite(new_epsilon)
    if formal and new_epsilon <= CHEAPER * epsilon and new_kept >= SAME * kept:
        return "cheaper", epsilon / max(new_epsilon, 1e-9)
    grown = (new_kept + 1.0) / (kept + 1.0)
    if grown >= RICHER:
        if formal and new_epsilon > 1.001 * epsilon:
            return "trade", grown / (new_epsilon / max(epsilon, 1e-9))
        if formal:
            return "richer", grown
    return None, 0.0


def _iterate_changes(method: Method, params: Params) -> Iterator[dict[str, Any]]:
    specs = method.params.specs()
    flags = [s.name for s in specs if s.kind is ParamKind.FLAG and getattr(params, s.name) is True]
    for name in flags:
        yield {name: False}
    if len(flags) > 1:
        yield dict.fromkeys(flags, False)
    main = method.main or tuple(spec.name for spec in specs)
    for spec in specs:
        value = getattr(params, spec.name)
        numeric = spec.kind in (ParamKind.INTEGER, ParamKind.REAL)
        if spec.name not in main or not numeric or not value or not params.matters(spec.name):
            continue
        for factor in (STEP, 1.0 / STEP):
            wanted = value * factor
            yield {spec.name: round(wanted) if spec.kind is ParamKind.INTEGER else wanted}
