"""Why a suggestion stops where it does: the limits that bind, each in a sentence."""

from __future__ import annotations

import math

from auditor.log.sentences import sentence
from auditor.messages import DisplayText, as_phrase, phrase
from auditor.methods.noisy_counts.period_units import HISTORY
from auditor.privacy.statement import Statement
from auditor.release.policy.policy import Policy
from auditor.release.record import GateVerdict, ReleaseRecord
from auditor.release.verdict import ReleaseVerdict
from auditor.suggestions.candidates import SearchCandidate
from auditor.suggestions.earlier_releases import EarlierReleases
from auditor.suggestions.estimates import law_of, weight_law_of

_CLOSE = 0.98
"""Share of a limit from which on it binds."""
NOT_ATTACKED = (
    "No gate of this policy asks for an attack, so none was tried: the policies that come with "
    "the program ask for several."
)


def explain_limits(
    candidate: SearchCandidate,
    statement: Statement,
    verdict: ReleaseVerdict,
    policy: Policy,
    users: int,
    earlier: EarlierReleases | None = None,
    *,
    searched: bool = True,
) -> tuple[str, ...]:
    """The binding limits of the policy, and what follows from them for the method.

    Without `searched`, other numbers of queries per user were not looked at one by one, so that
    nothing is said of them.
    """
    found = [
        *_explain_binding(candidate, statement, policy, users, earlier),
        *_explain_threshold(candidate, users, searched=searched),
    ]
    if not found and statement.epsilon is not None:
        found.append(sentence("reasons.below_policy", epsilon=statement.epsilon))
    if verdict.releasable and not verdict.expected and verdict.worst is None:
        found.append(NOT_ATTACKED)
    found += [_explain_failure(one, verdict) for one in verdict.failed]
    return tuple(found)


def _explain_binding(
    candidate: SearchCandidate,
    statement: Statement,
    policy: Policy,
    users: int,
    earlier: EarlierReleases | None,
) -> list[str]:
    values = {
        "statement.epsilon": statement.epsilon,
        "ledger.epsilon": statement.epsilon,
        "statement.delta": statement.delta,
        "statement.delta_users": None
        if statement.delta is None or statement.period
        else statement.delta * users,
    }
    symbols: dict[str, DisplayText] = {
        "statement.delta": "δ",
        "statement.delta_users": "δ times users",
    }
    if earlier is not None:
        params = candidate.params.to_public()
        total = earlier.add_release(
            ReleaseRecord(statement, method=candidate.method, params=params)
        )
        if not isinstance(total, str):
            values |= {
                f"ledger.{name}": total.find_figure(name, {HISTORY: users})[0]
                for name in ("epsilon", "delta", "delta_users")
            }
        symbols |= {
            "ledger.epsilon": "ε of all releases together",
            "ledger.delta": "δ of all releases together",
            "ledger.delta_users": "δ times users of all releases together",
        }
    found: dict[str, str] = {}
    for gate in policy.checks:
        value = values.get(gate.figure)
        if value is not None and gate.most is not None and value >= _CLOSE * gate.most:
            said = sentence(
                "reasons.binds", symbols=as_phrase(symbols.get(gate.figure, "ε")), most=gate.most
            )
            found.setdefault(said, said)
        if gate.figure == "statement.measured.k" and gate.least is not None:
            k = statement.measured.get("k", statement.measured.get("smallest_class", math.nan))
            if k <= gate.least / _CLOSE:
                found.setdefault(
                    "k", phrase("Groups of at least {least:g} users bind.", least=gate.least)
                )
    return list(found)


def _explain_threshold(candidate: SearchCandidate, users: int, *, searched: bool) -> list[str]:
    """How many users a query needs, and why no more of each user's queries count."""
    params = candidate.params
    if (shared := weight_law_of(params)) is not None:
        (fewest, most), limit = shared.needed_users, shared.limit
        said = sentence(
            "reasons.needs_users_range" if most > fewest else "reasons.needs_users",
            least=fewest,
            most=most,
            users=users,
        )
    elif (law := law_of(params)) is not None and law.least is not None:
        limit = law.limit
        said = sentence("reasons.threshold", name=law.symbol, least=law.least, users=users)
    else:
        return []
    if not searched:
        return [said]
    more = sentence("reasons.more_of_each_user", limit=limit)
    return [said, more]


def _explain_failure(one: GateVerdict, verdict: ReleaseVerdict) -> str:
    """Which check fails, or is calculated to be failed too often."""
    title, evidence = as_phrase(one.gate.title), as_phrase(one.evidence)
    if verdict.expected and one.value is None:
        return sentence("reasons.not_sure", title=title, evidence=evidence)
    return phrase("Fails: {title} ({evidence}).", title=title, evidence=evidence)
