"""Searches methods without ε along what makes them stricter, by bisection on a sample of users."""

from __future__ import annotations

import math
from collections.abc import Iterable

from auditor.log.model import QueryLog
from auditor.methods.registry import METHODS
from auditor.release.gates import is_utility
from auditor.release.kept_content import KeptContent
from auditor.release.record import GateVerdict
from auditor.suggestions.candidates import CandidateFamily, list_families
from auditor.suggestions.climbing import find_first
from auditor.suggestions.context import SearchContext
from auditor.suggestions.limits import PolicyLimits
from auditor.suggestions.runs.evaluation import expect_verdict
from auditor.suggestions.runs.full_runs import FullRuns

STRICT_USERS = 1_500
"""Users of the sample on which settings are tried."""
FAR = 0.5
"""Expected queries below this share of what is wanted are too few, noise and all."""
_SEED = 1


def search_strict(context: SearchContext, runs: FullRuns, limits: PolicyLimits) -> None:
    """What no setting could mend is left out; of the rest, the least strict that passes is run."""
    names = [name for name in context.request.searched if not METHODS[name].families]
    sample = context.log.sample_users(STRICT_USERS, _SEED)
    for family in list_families(limits, names):
        context.progress.check()
        if (why := _explain_hopeless(context, family, sample)) is not None:
            context.pruned.setdefault(family.method, why)
            continue
        for number in _list_passing(context, family, sample):
            candidate = family.make_candidate(number)
            made = None if candidate is None else runs.run(candidate)
            if made is not None and made.passes:
                break


def _explain_hopeless(
    context: SearchContext, family: CandidateFamily, sample: QueryLog
) -> GateVerdict | None:
    """The check that the family can't pass, if there is one.

    It is a check of the statement that the strictest setting fails, or, of a method with but one
    setting, one on how much is left that its own expectation for the whole log stays below.
    """
    candidate = family.make_candidate(family.numbers[-1])
    look = METHODS[family.method].outlook
    if candidate is None or look is None:
        return None
    context.count_settings(lambda: 1)
    single = family.direction == "single"
    log = context.log if single else sample
    found = look(log, candidate.params, scale=1.0, progress=context.progress)
    known = {value.name: value.value for value in found.values}
    queries = known.get("expected.queries") if single else None
    kept = KeptContent(queries=None if queries is None else round(queries))
    few = math.inf if queries is None else queries
    verdict = expect_verdict(found.statement, kept, context.request.policy, len(log.users))
    failed = [
        one
        for one in verdict.failed
        if one.gate.figure.startswith("statement.")
        or (one.gate.figure == "release.queries" and few < FAR * (one.gate.least or 0))
    ]
    return failed[0] if failed else None


def _list_passing(
    context: SearchContext, family: CandidateFamily, sample: QueryLog
) -> Iterable[int]:
    """The numbers from the least strict on that passes on a sample, to be tried on the log."""
    whole = family.direction == "single" or len(sample.users) == len(context.log.users)
    trial = context.runner if whole else context.runner_on(sample)

    def withstands(place: int) -> bool:
        candidate = family.make_candidate(family.numbers[place])
        judged = None if candidate is None else trial.judge(candidate.method, candidate.params)
        failed = () if judged is None else judged.verdict.failed
        return judged is not None and all(is_utility(one.gate) for one in failed)

    first = find_first(-1, len(family.numbers) - 1, withstands)
    if not whole:
        context.runner.runs += trial.runs
        context.runner.reused += trial.reused
    return family.numbers[first:]
