"""What a release of a sample of users states: the method's statement, amplified and still told.

The mathematics and its proof are in `privacy.subsampling`. Both guarantees stand in the statement:
ε and δ of the whole log's users, and, under `measured` and in the claim, those without the sample,
which hold for whoever is known to be in it. Where the unit is a period of a user, ε stays as it is.
"""

import dataclasses
import math
from collections.abc import Iterable

from auditor.log.model import UserSample
from auditor.log.sentences import sentence
from auditor.messages import as_phrase
from auditor.methods import statements as words
from auditor.privacy import subsampling
from auditor.privacy.composition import NoiseLaw
from auditor.privacy.statement import SAMPLE_SHARE, Assumption, Statement, Term, assume

_EPSILONS = ("epsilon_integer_noise", "korolova_epsilon", "epsilon_of_one_user_more")
_HISTORY_EPSILONS = ("epsilon_of_whole_history", "epsilon_of_usual_history")
_HISTORY_DELTAS = ("delta_of_whole_history", "delta_of_usual_history")
_DELTAS = ("printed_delta", "korolova_delta", "korolova_delta_integer_noise")


def sampled_statement(statement: Statement, sample: UserSample, *, secure: bool) -> Statement:
    """The statement of a method's release of a sample; `secure` as of its randomness."""
    share = sample.share
    if statement.model != "differential privacy" or statement.epsilon is None:
        return dataclasses.replace(
            statement,
            claim=sentence(
                "sampling.follows_about_users_sample",
                share=_describe_sample(share),
                claim=statement.claim,
            ),
            assumptions=(
                *statement.assumptions,
                _own_coins(secure),
                assume(
                    "sampling.counts_are_those_of_the_sample",
                    "holds",
                    "that somebody may have been left out is no protection for those who were "
                    "not: a record in the release is of somebody in the sample",
                ),
            ),
            measured={**statement.measured, SAMPLE_SHARE: share},
        )
    if statement.unit not in (words.UNIT, ""):
        return _sampled_periods(statement, share, secure=secure)
    epsilon = subsampling.amplified_epsilon(statement.epsilon, share)
    delta = subsampling.amplified_delta(statement.delta or 0.0, share)
    text = "ε' = ln(1 + p·(e^ε − 1)), δ' = p·δ: what sampling takes off the sum"
    tight = statement.tight_epsilon
    note = statement.tight_note
    measured = _sampled_metrics(statement, share, _EPSILONS, _DELTAS)
    if tight is not None:
        measured["tight_epsilon_without_sample"] = tight
        tight = subsampling.amplified_epsilon(tight, share)
        note = sentence("sampling.before_sampling_times_after", note=note, share=share)
    return dataclasses.replace(
        statement,
        claim=sentence(
            "sampling.nobody_learns_coins_chose",
            share=_describe_sample(share),
            epsilon=words.format_number(epsilon),
            delta=words.format_number(delta),
            claim=statement.claim,
        ),
        epsilon=epsilon,
        delta=delta,
        tight_epsilon=tight,
        tight_note=note,
        terms=_sample_terms(statement, epsilon, delta, text),
        assumptions=(
            # δ is compared with all users that the log has.
            *(
                words.small_delta(delta, sample.of) if entry.name == "delta" else entry
                for entry in statement.assumptions
            ),
            _own_coins(secure),
            _build_secrecy_assumption(secure),
        ),
        measured=measured,
    )


def _sampled_periods(statement: Statement, share: float, *, secure: bool) -> Statement:
    """Of a unit that is a period: one coin takes all periods of a user, so only δ gets smaller."""
    assert statement.epsilon is not None
    delta = subsampling.amplified_delta(statement.delta or 0.0, share)
    measured = _sampled_metrics(statement, share, _HISTORY_EPSILONS, _HISTORY_DELTAS)
    costs = [measured[name] for name in (*_HISTORY_EPSILONS, *_HISTORY_DELTAS) if name in measured]
    text = "δ' = p·δ: the coin takes all periods of a user together, so ε stays"
    return dataclasses.replace(
        statement,
        claim=sentence(
            "sampling.coin_takes_periods_user",
            share=as_phrase(_describe_sample(share)),
            delta=words.format_number(delta),
            told=words.format_number(costs[0]),
            told_2=words.format_number(costs[1]),
            claim=as_phrase(statement.claim),
        ),
        delta=delta,
        tight_epsilon=None,
        tight_note="",
        terms=_sample_terms(statement, statement.epsilon, delta, text),
        assumptions=(*statement.assumptions, _own_coins(secure), _build_secrecy_assumption(secure)),
        measured=measured,
    )


def _describe_sample(share: float) -> str:
    return sentence("sampling.user_taken_chance_coin", share=100 * share)


def _sample_terms(
    statement: Statement, epsilon: float, delta: float, formula: str
) -> tuple[Term, ...]:
    """The terms, and what sampling takes off their sum: of all of them (ε, δ) is what composes."""
    assert statement.epsilon is not None
    if not math.isfinite(statement.epsilon):
        return statement.terms
    law = NoiseLaw("approximate", epsilon=epsilon, delta=delta)
    saved_cost = epsilon - statement.epsilon, delta - (statement.delta or 0.0)
    return (*(t.include() for t in statement.terms), Term("sampling", *saved_cost, formula, law))


def _own_coins(secure: bool) -> Assumption:
    return assume(
        "sampling.users_sampled_independently",
        "holds" if secure else "fails",
        "one coin a user, from the operating system's randomness"
        if secure
        else "preview: seeded coins, which whoever has the seed can repeat",
    )


def _build_secrecy_assumption(secure: bool) -> Assumption:
    return assume(
        "sampling.the_sample_stays_secret",
        "holds" if secure else "fails",
        "the coins were not kept, and no id stands in the released tables; how many users were "
        "taken, out of how many, is an exact number that stays inside"
        if secure
        else "preview: whoever has the seed knows the sample",
    )


def _sampled_metrics(
    statement: Statement, share: float, epsilons: Iterable[str], deltas: Iterable[str]
) -> dict[str, float]:
    """What was measured, of which these names are ε and δ that the sample lessens."""
    measured = statement.measured
    return {
        **measured,
        **{n: subsampling.amplified_epsilon(measured[n], share) for n in epsilons if n in measured},
        **{n: subsampling.amplified_delta(measured[n], share) for n in deltas if n in measured},
        SAMPLE_SHARE: share,
        "epsilon_without_sample": statement.epsilon or 0.0,
        "delta_without_sample": statement.delta or 0.0,
    }
