"""Which single change of a configuration helps most: a search of one step, judged by the policy.

Each candidate is looked at through the method's own outlook, which draws no noise, and judged by
the policy as the configuration itself is. Candidates are every yes-or-no parameter turned off, all
of them together, and the main numbers one step up and down. O(candidates) outlooks of the sample.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from auditor.engine.plan import Intent, Plan
from auditor.engine.suppressed_content import expect_suppression
from auditor.errors import AuditorError
from auditor.log.model import QueryLog
from auditor.messages import DisplayText, error_message
from auditor.methods.base import Method
from auditor.methods.registry import METHODS
from auditor.methods.selected_statement import selected_statement
from auditor.params import ParamKind, Params
from auditor.progress import Progress
from auditor.release.gates import judge_record
from auditor.release.policy.policy import Policy
from auditor.release.record import ReleaseRecord
from auditor.release.verdict import ReleaseVerdict, expected_verdict

if TYPE_CHECKING:
    from auditor.suggestions.limits import EarlierReleases


Kind = Literal["passes", "cheaper", "richer", "trade"]
KINDS: tuple[Kind, ...] = ("passes", "cheaper", "richer", "trade")

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

    `kind` is "passes" (no check is expected to fail any more), "cheaper" (as much at a smaller ε),
    "richer" (more at the same ε), or "trade" (more, and ε grows within the policy). `epsilon` and
    `kept`, distinct queries or n-grams, are before and after.
    """

    values: Mapping[str, Any]
    kind: Kind
    epsilon: tuple[float, float]
    kept: tuple[int, int]


@dataclass(frozen=True)
class ExpectedSetting:
    """What a configuration is expected to cost and to keep, and how the policy judges that."""

    epsilon: float
    delta: float
    kept: int
    share: float
    verdict: ReleaseVerdict


def find_improvements(
    plan: Plan,
    log: QueryLog,
    sample: QueryLog,
    scale: float,
    policy: Policy,
    progress: Progress,
    earlier: EarlierReleases | None = None,
) -> tuple[Improvement, ...]:
    """At most one improvement of each kind, the best; none where the outlook says too little.

    None is offered of which a check is expected to fail, together with `earlier` releases of the
    log. `sample` stands for `log`, `scale` users for each of its own.
    """

    method = plan.what

    def expect(params: Params) -> ExpectedSetting | None:
        """None where the method doesn't say how much is kept."""
        if method.outlook is None:
            return None
        outlook = method.outlook(sample, params, scale=scale, progress=progress)
        outlook = expect_suppression(outlook, sample, params, progress)
        statement = selected_statement(outlook.statement, plan.selection, plan.method, params)
        outlook = dataclasses.replace(outlook, statement=statement)
        record = ReleaseRecord.of_outlook(outlook, log, method)
        record = dataclasses.replace(record, method=plan.method, params=params.to_public())
        total = None if earlier is None else earlier.add_release(record)
        verdict = expected_verdict(judge_record(record, policy, total))
        content = verdict.kept
        amount, share = content.queries, content.share
        if content.ngrams is not None:
            amount, share = content.ngrams, content.words_share
        if amount is None:
            return None
        epsilon = math.nan if statement.epsilon is None else statement.epsilon
        return ExpectedSetting(epsilon, statement.delta or 0.0, amount, share or 0.0, verdict)

    before = expect(plan.params)
    if before is None:
        return ()
    best: dict[Kind, tuple[float, Improvement]] = {}
    for values in _list_changes(method, plan.params):
        progress.check()
        try:
            after = expect(plan.params.replace(**values))
        except AuditorError:  # a value that the others don't allow
            continue
        if after is None:
            continue
        kind, gain = _compare_settings(before, after)
        if kind is not None and (kind not in best or gain > best[kind][0]):
            epsilon, amounts = (before.epsilon, after.epsilon), (before.kept, after.kept)
            best[kind] = gain, Improvement(values, kind, epsilon, amounts)
    return tuple(best[kind][1] for kind in KINDS if kind in best)


def _compare_settings(before: ExpectedSetting, after: ExpectedSetting) -> tuple[Kind | None, float]:
    """What kind of improvement it is, if any, and how large."""
    if after.verdict.failed or after.verdict.kept.empty:
        return None, 0.0
    if before.verdict.failed:
        return "passes", after.kept
    formal = math.isfinite(before.epsilon) and math.isfinite(after.epsilon)
    if not formal or after.delta > LIKE * before.delta:
        return None, 0.0
    if after.epsilon <= CHEAPER * before.epsilon and after.kept >= SAME * before.kept:
        return "cheaper", before.epsilon / max(after.epsilon, 1e-9)
    grown = (after.kept + 1.0) / (before.kept + 1.0)
    if grown < RICHER or after.share < before.share:
        return None, 0.0
    if after.epsilon > 1.001 * before.epsilon:
        return "trade", grown / (after.epsilon / max(before.epsilon, 1e-9))
    return "richer", grown


def _list_changes(method: Method, params: Params) -> list[dict[str, Any]]:
    specs = method.params.specs()
    flags = [s.name for s in specs if s.kind is ParamKind.FLAG and getattr(params, s.name) is True]
    changes: list[dict[str, Any]] = [{name: False} for name in flags]
    changes += [dict.fromkeys(flags, False)] if len(flags) > 1 else []
    main = method.main or tuple(spec.name for spec in specs)
    for spec in specs:
        value = getattr(params, spec.name)
        numeric = spec.kind in (ParamKind.INTEGER, ParamKind.REAL)
        if spec.name not in main or not numeric or not value or not params.matters(spec.name):
            continue
        around = [value * STEP, value / STEP]
        is_integer = spec.kind is ParamKind.INTEGER
        changes += [{spec.name: round(number) if is_integer else number} for number in around]
    return changes


AFTER_RUN = "known only after a run"
NOTHING = "nothing is kept"


def expect_methods(
    log: QueryLog,
    sample: QueryLog,
    scale: float,
    intent: Intent,
    tell: Callable[[tuple[str, DisplayText]], object],
    progress: Progress,
) -> None:
    """Tell by method what is expected to be kept, from a sample that is `scale` times smaller."""
    from auditor.release.record import ReleaseRecord

    for name in METHODS:
        method, params = METHODS[name], intent.choose(name).params
        if method.outlook is None:
            continue
        progress.check()
        try:
            outlook = method.outlook(sample, params, scale=scale, progress=progress)
        except AuditorError as error:  # what the method needs, this log may not have
            tell((name, error_message(error)))
        else:
            kept_facts = ReleaseRecord.of_outlook(outlook, log, method).kept
            tell((name, NOTHING if kept_facts.empty else kept_facts.short or AFTER_RUN))
