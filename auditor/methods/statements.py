"""Assumptions and sentences that the statements of several methods share."""

import math
from typing import Any

from auditor.figures import format_power
from auditor.log.sentences import sentence
from auditor.messages import DisplayText, NumberText, as_phrase, phrase
from auditor.privacy.composition import NoiseLaw
from auditor.privacy.public_size import round_up_users
from auditor.privacy.statement import Assumption, Statement, Term, assume

UNIT = "one user's whole history"
NEIGHBOURS = "two logs of which one has one user more, with all that the user did"
EXCHANGED = "two logs in which one user's history is exchanged for any other"
"""What ZEALOUS hides, which says less than `NEIGHBOURS`: the number of users is known."""


HISTORY_CLAIM = (
    "Whatever one user did, and whether they are in the log at all, changes the probability of "
    "any release by a factor of at most e^{epsilon}, except with a probability of {delta}."
)
PURE_CLAIM = (
    "Whatever one user did, and whether they are in the log at all, changes the probability of "
    "any release by a factor of at most e^{epsilon}."
)
EXCHANGED_CLAIM = (
    "Exchanging one user's whole history for another changes the chance of any release by a "
    "factor of at most e^{epsilon}, except with a chance of {delta}; one user more or less, by "
    "which other methods count, by e^{half}."
)
PRINTED_CLAIM = (
    "One user more or less changes the chance of any release by a factor of at most e^{epsilon}, "
    "except with a chance of {delta} (printed for continuous noise: {printed})."
)
"""Korolova et al.; `noisy_counts.period_units` knows what each of these says of a period."""


NO_OTHER_RELEASE = "no other release"
"""The assumption that the ledger decides when a release is written."""
ONE_DRAW = "not picked among several draws"
"""The assumption that the ledger decides by how many other draws of the log were written."""
DECIDED_LATER = "the ledger tells when the release is written"


def is_meaningless_delta(delta: float, users: int) -> bool:
    """Whether a δ says nothing: a mechanism that shows one whole user at random has 1/users.

    The answer is published, so it is that of the public size, at which δ is no smaller.
    """
    return users > 0 and delta >= 1 / round_up_users(users)


def format_number(value: float) -> str:
    """A number as a sentence has it."""
    if math.isinf(value):
        return phrase("infinite")
    return format_power(value) if 0 < abs(value) < 1e-3 else NumberText(f"{value:.4g}")


def small_delta(delta: float, users: int, whom: str = "users") -> Assumption:
    """δ must be far below one in the number of users, or of `whom` it is that are protected."""
    bad = is_meaningless_delta(delta, users)
    size = round_up_users(users)
    return assume(
        "statements.delta",
        "fails" if bad else "holds",
        phrase(
            "δ = {delta} ≥ 1/{size:,} = {least}, with the number of {whom} rounded up to one digit"
            if bad
            else "δ = {delta} < 1/{size:,} = {least}, with the number of {whom} rounded up to one "
            "digit",
            delta=format_number(delta),
            size=size,
            least=format_number(1 / size),
            whom=as_phrase(whom),
        ),
        whom=as_phrase(whom),
    )


def public_size(period: str = "") -> Assumption:
    """The sizes on which public values rest: of the users, and of the period that is protected."""
    return Assumption(
        "size is public",
        phrase(
            "The order of magnitude of the log, its numbers of users and of {period}s of users "
            "rounded up to one digit, is public: δ, and the settings that Suggest compares, are "
            "derived from nothing finer."
            if period
            else "The order of magnitude of the log, its number of users rounded up to one digit, "
            "is public: δ, and the settings that Suggest compares, are derived from nothing finer.",
            period=as_phrase(period),
        ),
        "unknown",
        sentence(
            "statements.logs_differ_same_order",
            unit=as_phrase(
                phrase("{period} of one user", period=as_phrase(period)) if period else "user"
            ),
        ),
    )


def secure_noise(
    secure: bool, law: str = "discrete Laplace (Canonne, Kamath and Steinke)"
) -> Assumption:
    """Floating point and seeds, spec caveat 5; `law` is that of the sampler's draws."""
    return assume(
        "statements.noise",
        "holds" if secure else "fails",
        law if secure else "preview: seeded noise, which whoever has the seed can take away",
    )


def state_history(
    epsilon: float,
    delta: float,
    *,
    terms: tuple[Term, ...],
    limits: str,
    users: int,
    noise: Assumption,
    measured: dict[str, float],
    once: bool = True,
    first: tuple[Assumption, ...] = (),
    other_assumptions: tuple[Assumption, ...] = (),
    after: tuple[Assumption, ...] = (),
    claim: str = "",
    claim_note: str = "",
    neighbours: str = NEIGHBOURS,
    **fields: Any,
) -> Statement:
    """The (ε, δ) of whoever is in the log or not, with all that they did.

    `limits` says what of each user counts, and `once` that it counts once a query; `claim_note`
    follows the `claim`, which is `PURE_CLAIM` or `HISTORY_CLAIM` unless it is given. `first`,
    `other_assumptions` and `after` are assumptions that other methods don't have: before the
    limits, after them, and after the noise. `fields` are further ones of the statement.
    """
    limited = (
        "Each user's part is limited by looking at that user alone, before anything is counted, "
        "and counts once a query."
        if once
        else "Each user's part is limited by looking at that user alone, before anything is "
        "counted."
    )
    if not claim:
        value = NumberText(f"{epsilon:.4g}")
        claim = (
            phrase(HISTORY_CLAIM, epsilon=value, delta=format_number(delta))
            if delta
            else phrase(PURE_CLAIM, epsilon=value)
        )
    return Statement(
        model="differential privacy",
        claim=claim + claim_note,
        unit=UNIT,
        neighbours=neighbours,
        epsilon=epsilon,
        delta=delta,
        terms=terms,
        assumptions=(
            *first,
            Assumption("users limited independently", limited, "holds", limits),
            *other_assumptions,
            small_delta(delta, users),
            noise,
            *after,
            *common_assumptions(),
        ),
        measured=measured,
        **fields,
    )


def gaussian_terms(
    epsilon: float, delta: float, spent: float, rho: float, noise: str, thresholds: str
) -> tuple[Term, Term]:
    """What Gaussian noise costs, and the half of the wanted `delta` that thresholds have.

    `spent` is δ in all; `noise` and `thresholds` are the formulas.
    """
    law = NoiseLaw("gaussian", rho=rho)
    return (
        Term("noise", epsilon, spent - delta / 2, noise, law),
        Term.of_budget("thresholds", 0.0, delta / 2, thresholds),
    )


def outsiders_evidence(least: int) -> DisplayText:
    """Whoever has `least` − 1 accounts needs one user more for what `least` users need."""
    if least == 2:
        return phrase("one user id of one's own is enough")
    return phrase("{n:,} user ids of one's own are enough", n=least - 1)


def one_id() -> Assumption:
    """The unit of protection is an id, not a person."""
    return assume("statements.one_person_one_user_id", "unknown")


def ids_kept() -> Assumption:
    """User ids are no part of what is made equal."""
    return assume(
        "statements.ids_are_unknown",
        "fails",
        "ids, and addresses and cookies if there are any, were kept as they are in the original "
        "log: anybody who knows one can read that user's record",
    )


def homogeneity_assumption(groups: int | None, released_kind: str) -> Assumption:
    """Groups of k hide who somebody is, but not what everybody in the group did."""
    return assume(
        "statements.members_of_a_group_differ",
        "fails",
        phrase(
            "in every group all members have the same {what}, by construction"
            if groups is None
            else "in each of {groups:,} groups all members have the same {what}, by construction",
            groups=groups,
            what=as_phrase(released_kind),
        ),
    )


def overlap_assumption() -> Assumption:
    """Groups of k don't add up: two releases may tell apart whom each hides."""
    return Assumption(
        NO_OTHER_RELEASE,
        "Nothing else of the same log is released. Groups of two releases that overlap in fewer "
        "than k users tell those apart, and no sum bounds it.",
        "unknown",
        DECIDED_LATER,
    )


def common_assumptions() -> tuple[Assumption, ...]:
    """What no program can check, and every guarantee here rests on."""
    return (
        one_id(),
        public_size(),
        assume(
            "statements.parameters_chosen_blindly",
            "unknown",
            "expected metrics and runs here are computed from the log without noise: whoever "
            "picks the best of several settings by them spends more than ε, and nobody knows how "
            "much; settings found on an older log or on a synthetic one cost nothing",
        ),
        assume(
            "statements.exact_numbers_stay_inside",
            "holds",
            "no file of a release folder holds such a number: they stand in the folder beside it "
            "whose name ends in .internal, which is not for handing out",
        ),
        assume(
            "statements.nobody_watches_the_clock",
            "unknown",
            "no table of the release holds a time; a service that lets others start runs shows "
            "how long they take",
        ),
        Assumption(
            NO_OTHER_RELEASE,
            "Nothing else of the same log is released, or it stands in the ledger, where the ε and "
            "δ of several releases add up.",
            "unknown",
            DECIDED_LATER,
        ),
        Assumption(
            ONE_DRAW,
            "This draw was not picked among several of this log, neither by what they show nor by "
            "checks that are computed without noise.",
            "unknown",
            DECIDED_LATER,
        ),
    )


def pool_independent(pool: str, share: float | None) -> Assumption | None:
    """The pool must come from elsewhere; `share` of this log's queries is in it, if known."""
    if not pool:
        return None
    suspicious = share is not None and share > 0.95
    evidence = pool
    if share is not None:
        evidence += phrase(
            "; it holds {share:.1f} % of this log's distinct queries", share=100 * share
        )
    generated = "n-grams" in pool
    return assume(
        "statements.pool_from_elsewhere",
        "fails" if suspicious else "holds" if generated else "unknown",
        evidence,
    )
