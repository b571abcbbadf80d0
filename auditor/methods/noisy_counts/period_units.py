"""Protects what one user did in one day, week or month instead of their whole history.

**Steps.** Each user's history is cut into one history per period, and each of these is counted
like a user by a method M that is (ε, δ) between logs of which one has one user more.

**Claim.** Between logs D and D' of which D' has one period of one user more (all that the user did
in it; the user may stand in D with other periods, or not at all), M on the cut log is (ε, δ). A
whole history of n periods is protected by

    (nε, δ·(e^(nε) − 1)/(e^ε − 1)).

**Proof.** The cut looks at each row alone, so cut(D') is cut(D) with one user more: (ε, δ) of M is
the claim. A history of n periods is n such steps; with P₀ … Pₙ the laws along them, P₀ ≤ e^ε P₁ + δ
≤ e^(2ε) P₂ + e^ε δ + δ ≤ … ≤ e^(nε) Pₙ + δ·Σᵢ e^(iε), i < n. ∎

**With a limit.** If only the first m active periods of each user are counted, a period more may
displace the last one that was counted: cut(D') then lacks one user of cut(D) and has another one.
These are two steps, (2ε, (1 + e^ε)δ), and that is stated. No smaller number holds: where the two
periods hold different queries, one count rises and another falls. In return nobody has more than m
periods, so *every* whole history is protected by (mε, …) as above. Between logs in which a period
is *exchanged* (ZEALOUS), the limit displaces nothing, and ε stays; there one period more is half a
step, and an exchange of whole histories is 2m of them at most.

**Sampling.** One coin a user takes or leaves all of their periods. See `privacy.subsampling`.
"""

import dataclasses
import datetime
import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from auditor.arrays import Array, Bools, Int32s, Int64s, mark_run_starts
from auditor.errors import ParameterError
from auditor.log.gil_friendly import encode_keys
from auditor.log.model import QueryLog, Vocabulary, iterate_slices
from auditor.log.sentences import sentence
from auditor.messages import DisplayText, Message, NumberText, as_phrase, phrase
from auditor.methods import statements as words
from auditor.methods.statements import format_number
from auditor.params import Params
from auditor.privacy.composition import NoiseLaw
from auditor.privacy.selection import SELECTION_EPSILON
from auditor.privacy.statement import Statement, Term, find_unit_period

HISTORY = "history"
DAY, WEEK, MONTH = "day", "week", "month"
USUAL = {DAY: 31, WEEK: 53, MONTH: 12}
"""Periods of a busy user, for whom the claim says what is left: a month of days, a year of others.
"""
WHOLE_EPSILON, WHOLE_DELTA = "epsilon_of_whole_history", "delta_of_whole_history"
"""Names, under `measured`, of what holds for everybody's whole history where periods are limited.
"""
USUAL_EPSILON, USUAL_DELTA = "epsilon_of_usual_history", "delta_of_usual_history"
"""The same for a history of `USUAL` periods, where they are not."""
_PERIOD_CLAIMS = {
    words.HISTORY_CLAIM: (
        "Whatever one user did in one {unit} changes the probability of any release by a factor of "
        "at most e^{epsilon}, except with a probability of {delta}."
    ),
    words.PURE_CLAIM: (
        "Whatever one user did in one {unit} changes the probability of any release by a factor of "
        "at most e^{epsilon}."
    ),
    words.EXCHANGED_CLAIM: (
        "Exchanging what one user did in one {unit} for anything else in the same {unit} changes "
        "the chance of any release by a factor of at most e^{epsilon}, except with a chance of "
        "{delta}; one {unit} of one user more or less, by which other methods count, by "
        "e^{half}."
    ),
    words.PRINTED_CLAIM: (
        "One {unit} of one user more or less changes the chance of any release by a factor of at "
        "most e^{epsilon}, except with a chance of {delta} (printed for continuous noise, without "
        "a limit of periods: {printed})."
    ),
}
"""What a claim about whole histories says of one period."""
_SPANS = {(DAY, WEEK): 7, (DAY, MONTH): 31, (WEEK, MONTH): 6}
"""How many periods of the first kind one of the second touches at most."""
_NOTHING = 7.0
"""From this ε on a 50 % guess may become certain to three digits."""
_THURSDAY = 3
"""1 January 1970 was the third day after a Monday."""
_LARGEST = 700.0


def privacy_unit(params: Params | Any) -> str:
    """The unit that parameters protect; a whole history where they name none."""
    return str(getattr(params, "protected_unit", HISTORY))


def period_of(time: Int64s, unit: str) -> Int64s:
    """The number of the period of each moment, in UTC."""
    if unit == MONTH:
        months = time.astype("datetime64[s]").astype("datetime64[M]").astype(np.int64)
        return np.asarray(months, dtype=np.int64)
    days: Int64s = time // 86_400
    return days if unit == DAY else (days + _THURSDAY) // 7


def find_first_days(number: Int64s, unit: str) -> Array:
    """The dates on which periods of such numbers begin, in the shape of `number`."""
    if unit == MONTH:
        return number.astype("datetime64[M]").astype("datetime64[D]")
    return (number if unit == DAY else 7 * number - _THURSDAY).astype("datetime64[D]")


def number_day(value: int) -> int:
    """The number since 1970 of a day such as 20060301; raises `ValueError` where it is none."""
    year, month_and_day = divmod(value, 10_000)
    return (datetime.date(year, *divmod(month_and_day, 100)) - datetime.date(1970, 1, 1)).days


def check_days(first: int | None, last: int | None) -> None:
    """Refuse ends of days released that are no dates, and a last day before the first."""
    for name, value in (("first_day", first), ("last_day", last)):
        try:
            if value is not None:
                number_day(value)
        except ValueError:
            raise ParameterError(
                name, phrase("{value} is no date: give year, month and day.", value=value)
            ) from None
    if first is not None and last is not None and last < first:
        raise ParameterError("last_day", "The last day released is before the first.")


def encode_periods(time: Int64s, unit: str) -> tuple[Int32s, Vocabulary]:
    """The code of the period of each moment, and the dates on which these begin; shape (n,)."""
    numbers, codes = encode_keys(len(time), lambda part: period_of(time[part], unit))
    return codes, Vocabulary.of(find_first_days(numbers, unit).astype(str).tolist())


def split_by_period(log: QueryLog, unit: str, most_periods: int | None = None) -> QueryLog:
    """The log with one user for each of the (first `most_periods`) active periods of each user.

    O(rows); 4 bytes a row more than the log.
    """
    if unit == HISTORY or not len(log):
        return log
    number = number_periods(log, unit)
    if most_periods is not None:
        first = number[log.user_starts[:-1]]
        keep = np.empty(len(log), dtype=np.bool_)
        for part in iterate_slices(len(log)):
            keep[part] = number[part] - first[log.user[part]] < most_periods
        return take_as_users(log, number, keep)
    return take_as_users(log, number)


def take_as_users(log: QueryLog, number: Int32s, keep: Bools | None = None) -> QueryLog:
    """The log, or the rows to `keep`, with one user for each number of a row; these ascend from 0.

    The first row is kept.
    """
    if keep is not None and not keep.all():
        log, number = log.rows(keep), number[keep]
        number = np.cumsum(np.diff(number, prepend=number[0]) != 0, dtype=np.int32)
    users = name_units(int(number.max(initial=-1)) + 1)
    plain_log = log.without_attributes
    return dataclasses.replace(
        plain_log, user=number, users=users, ip=None, cookie=None, cookies=None
    )


def number_periods(log: QueryLog, *units: str) -> Int32s:
    """The number of each row's (user, period of each of `units`), from 0, ascending; shape (n,).

    The whole history is one period.
    """
    number = np.empty(len(log), dtype=np.int32)
    kinds = [unit for unit in units if unit != HISTORY]
    last, before = -1, [-1, *(0 for _ in kinds)]
    for part in iterate_slices(len(log)):
        periods = (period_of(log.time[part], unit) for unit in kinds)
        columns: list[Array] = [log.user[part], *periods]
        new = mark_run_starts(*columns)
        new[0] = [int(column[0]) for column in columns] != before
        number[part] = last + np.cumsum(new, dtype=np.int32)
        last, before = int(number[part][-1]), [int(column[-1]) for column in columns]
    return number


def name_units(size: int) -> Vocabulary:
    """A name for each of so many units, in whose place nobody's id stands."""
    import pyarrow as pa

    return Vocabulary.of_arrow(pa.array(np.arange(1, size + 1)).cast(pa.string()))


def chain_steps(epsilon: float, delta: float, steps: int) -> tuple[float, float]:
    """(ε, δ) so many times in a row, by group privacy: (nε, δ·(e^(nε) − 1)/(e^ε − 1))."""
    total = steps * epsilon
    if delta == 0 or steps == 1:
        return total, delta
    if epsilon == 0:
        return total, min(1.0, steps * delta)
    if total > _LARGEST:
        return total, 1.0
    return total, min(1.0, delta * math.expm1(total) / math.expm1(epsilon))


def state_period(
    statement: Statement,
    unit: str,
    most_periods: int | None,
    units: int,
    compose: Callable[[int], tuple[float, float]] | None = None,
) -> Statement:
    """The statement of a release that was made of `split_by_period`, which gave so many `units`.

    ``compose(n)`` gives the (ε, δ) of n periods of one user, or of one in the place of another for
    n = 2, where more is known of them than group privacy.
    """
    if unit == HISTORY or statement.epsilon is None:
        return statement
    exchanged = statement.neighbours == words.EXCHANGED
    epsilon, delta = statement.epsilon, statement.delta or 0.0
    periods = USUAL[unit] if most_periods is None else most_periods
    whole_cost = (
        _whole_history(epsilon, delta, periods, exchanged=exchanged)
        if compose is None
        else compose(periods)
    )
    period_note = _describe_history(unit, periods, whole_cost, limited=most_periods is not None)
    terms = statement.terms
    stated, stated_delta, tight = epsilon, delta, statement.tight_epsilon
    if most_periods is not None and not exchanged:
        stated, stated_delta = compose(2) if compose else chain_steps(epsilon, delta, 2)
        tight = None
        if math.isfinite(epsilon):
            law = NoiseLaw("approximate", epsilon=stated, delta=stated_delta)
            formula = phrase(
                "one {unit} more may displace another: twice the ρ"
                if compose
                else "one {unit} more may displace another: (2ε, (1 + e^ε)δ)",
                unit=as_phrase(unit),
            )
            limit_cost = stated - epsilon, stated_delta - delta
            limit = Term("limit of periods", *limit_cost, formula, law)
            terms = (*(term.include() for term in terms), limit)
        period_note = sentence(
            "noisy_counts.since_user_counted_may",
            most=most_periods,
            unit=as_phrase(unit),
            stated=format_number(stated),
            stated_delta=format_number(stated_delta),
            more=as_phrase(period_note),
        )
    claim = _claim_of_period(statement.claim, unit, stated, stated_delta)
    claim = phrase(
        "{claim} A user who issues a query in many {unit}s counts as often. {more}"
        if claim is not None
        else "{claim} One user here is what one user did in one {unit}, so a user who "
        "issues a query in many {unit}s counts as often. {more}",
        claim=as_phrase(statement.claim if claim is None else claim),
        unit=as_phrase(unit),
        more=as_phrase(period_note),
    )
    names = (USUAL_EPSILON, USUAL_DELTA) if most_periods is None else (WHOLE_EPSILON, WHOLE_DELTA)
    whom = phrase("{unit}s of users", unit=as_phrase(unit))
    updates = words.small_delta(stated_delta, units, whom), words.public_size(unit)
    by_name = {entry.name: entry for entry in updates}
    return dataclasses.replace(
        statement,
        claim=claim,
        unit=describe_unit(unit),
        neighbours=describe_neighbours(unit, exchanged=exchanged),
        epsilon=stated,
        delta=statement.delta if statement.delta is None else stated_delta,
        tight_epsilon=tight,
        tight_note=statement.tight_note if tight is not None else "",
        terms=terms,
        assumptions=tuple(by_name.get(entry.name, entry) for entry in statement.assumptions),
        measured={**statement.measured, **dict(zip(names, whole_cost, strict=True))},
    )


def _describe_history(
    unit: str, periods: int, cost: tuple[float, float], *, limited: bool
) -> DisplayText:
    """What protects a history of so many periods, at most if they are `limited`."""
    holder = phrase(
        "of at most {many:,} {unit}s" if limited else "of {many:,} {unit}s",
        many=periods,
        unit=as_phrase(unit),
    )
    return phrase(
        "A whole history {whose} is not protected: its {unit}s add up to ε = {whole} and δ = "
        "{whole_delta}, which bounds nothing."
        if protects_nothing(*cost)
        else "A whole history {whose} is protected by ε = {whole} and δ = {whole_delta}.",
        whose=as_phrase(holder),
        unit=as_phrase(unit),
        whole=format_number(cost[0]),
        whole_delta=format_number(cost[1]),
    )


def _claim_of_period(
    claim: DisplayText, unit: str, epsilon: float, delta: float
) -> DisplayText | None:
    """A claim about whole histories as one about periods; None if it is of another kind."""
    if not isinstance(claim, Message):
        return None
    arguments = dict(claim.arguments)
    if claim.template in _PERIOD_CLAIMS:
        if claim.template != words.EXCHANGED_CLAIM:
            arguments |= {
                "epsilon": NumberText(f"{epsilon:.4g}"),
                "delta": as_phrase(format_number(delta)),
            }
        return phrase(_PERIOD_CLAIMS[claim.template], unit=as_phrase(unit), **arguments)
    for name, part in arguments.items():  # the first of several sentences
        if (inner := _claim_of_period(part, unit, epsilon, delta)) is not None:
            return Message(claim.template, arguments | {name: inner})
    return None


def describe_unit(unit: str) -> str:
    """What is protected, as statements and the ledger have it."""
    return (
        words.UNIT
        if unit == HISTORY
        else phrase("what one user did in one {unit}", unit=as_phrase(unit))
    )


def find_period(statement: Mapping[str, Any]) -> tuple[str, bool]:
    """The day, week or month that a statement protects (or ""), and whether one is exchanged."""
    period = find_unit_period(str(statement.get("unit", "")))
    exchanged = describe_neighbours(period or HISTORY, exchanged=True)
    return period, statement.get("neighbours") == exchanged


def describe_neighbours(unit: str, *, exchanged: bool = False) -> str:
    """Which two logs may not be told apart."""
    if unit == HISTORY:
        return words.EXCHANGED if exchanged else words.NEIGHBOURS
    if exchanged:
        return sentence("noisy_counts.two_logs_user_did", unit=as_phrase(unit))
    return sentence("noisy_counts.two_logs_user_user", unit=as_phrase(unit))


def protects_nothing(epsilon: float, delta: float) -> bool:
    """Whether (ε, δ) lets anything pass: a belief may reach 99.9 % or the failure is not small."""
    return not epsilon < _NOTHING or delta >= 0.5


def count_units(log: QueryLog, unit: str, most_periods: int | None = None) -> int:
    """How many histories, or (first `most_periods`) active periods of users, a log has; O(rows)."""
    return (
        len(log.users) if unit == HISTORY else len(split_by_period(log, unit, most_periods).users)
    )


def cost_at_unit(statement: Statement, unit: str) -> tuple[float, float] | None:
    """The (ε, δ) of a statement for another unit of protection; None where it has no ε.

    Group privacy: a longer unit is as many of the statement's as it spans at most, and a whole
    history as many as are counted of a user; without a limit nothing bounds it. A shorter unit is
    exchanged within a protected one: at most one of these less and one more. A private choice of
    parameters looked at whole histories: its ε is added once to whatever the units add up to, and
    is that of one history less and one more for every unit within a history.
    """
    if statement.epsilon is None:
        return None
    epsilon, delta = statement.epsilon, statement.delta or 0.0
    stated_unit, exchanged = find_period(statement.to_dict())
    stated_unit = stated_unit or HISTORY
    if unit == stated_unit:
        return epsilon, delta
    if unit == HISTORY:
        limited = statement.measured
        if WHOLE_EPSILON not in limited:
            return math.inf, 1.0
        return limited[WHOLE_EPSILON], limited[WHOLE_DELTA]
    if exchanged and (stated_unit, unit) not in _SPANS:
        return epsilon, delta
    choice = statement.measured.get(SELECTION_EPSILON, 0.0)
    release = max(epsilon - choice, 0.0)
    if spans := _SPANS.get((stated_unit, unit), 0):
        total, delta = _whole_history(release, delta, spans, exchanged=exchanged)
    else:
        total, delta = chain_steps(release, delta, 2)
    return total + choice * (2 if stated_unit == HISTORY else 1), delta


def _whole_history(
    epsilon: float, delta: float, periods: int, *, exchanged: bool
) -> tuple[float, float]:
    if exchanged:  # (ε/2, δ) for one more or less; 2m of these from any history to any other
        return chain_steps(epsilon / 2, delta, 2 * periods)
    return chain_steps(epsilon, delta, periods)
