"""Searches methods without ε along what makes them stricter, by bisection on a sample of users."""

from __future__ import annotations

from collections.abc import Iterable

from auditor.log.model import QueryLog
from auditor.messages import as_phrase, phrase
from auditor.methods.registry import METHODS
from auditor.release.gates import is_utility
from auditor.release.kept_content import KeptContent
from auditor.suggestions.candidates import COUNTED, CandidateFamily, list_families
from auditor.suggestions.context import SearchContext
from auditor.suggestions.limits import PolicyLimits
from auditor.suggestions.runs.evaluation import expect_verdict
from auditor.suggestions.runs.full_runs import FullRuns

STRICT_USERS = 1_500
"""Users of the sample on which settings are tried."""
_SEED = 1


def search_strict(context: SearchContext, runs: FullRuns, limits: PolicyLimits) -> None:
    """What no setting could mend is left out; of the rest, the least strict that passes is run."""
    names = [name for name in context.request.searched if name not in COUNTED]
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
) -> str | None:
    """The check of the statement that the strictest setting fails, if there is one."""
    candidate = family.make_candidate(family.numbers[-1])
    look = METHODS[family.method].outlook
    if candidate is None or look is None:
        return None
    context.count_settings(lambda: 1)
    found = look(sample, candidate.params, scale=1.0, progress=context.progress)
    policy = context.request.policy
    verdict = expect_verdict(found.statement, KeptContent(), policy, len(sample.users))
    failed = [one for one in verdict.failed if one.gate.figure.startswith("statement.")]
    if not failed:
        return None
    return phrase(
        "{title} ({evidence})",
        title=as_phrase(failed[0].gate.title),
        evidence=as_phrase(failed[0].evidence),
    )


def _list_passing(
    context: SearchContext, family: CandidateFamily, sample: QueryLog
) -> Iterable[int]:
    """The numbers from the least strict on that passes on a sample, to be tried on the log."""
    whole = family.direction == "single" or len(sample.users) == len(context.log.users)
    trial = context.runner if whole else context.runner_on(sample)
    low, high = 0, len(family.numbers) - 1
    while low < high:
        middle = (low + high) // 2
        candidate = family.make_candidate(family.numbers[middle])
        judged = None if candidate is None else trial.judge(candidate.method, candidate.params)
        risky = judged is None or any(not is_utility(one.gate) for one in judged.verdict.failed)
        low, high = (middle + 1, high) if risky else (low, middle)
    if not whole:
        context.runner.runs += trial.runs
        context.runner.reused += trial.reused
    return family.numbers[low:]
