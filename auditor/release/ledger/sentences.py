"""What a log's ledger adds up to, in sentences."""

from __future__ import annotations

from auditor.figures import format_delta
from auditor.messages import as_phrase, phrase
from auditor.release.ledger.totals import LedgerTotal, format_budget


def write_sentences(total: LedgerTotal) -> list[str]:
    """What a steward reads, the total first."""
    count = len(total.releases)
    if not count:
        return ["Nothing of this log was approved for release so far."]
    many = "1 release" if count == 1 else phrase("{count:,} releases", count=count)
    found = []
    if total.bounded is not None:
        one = total.bounded
        found.append(
            phrase(
                (
                    "{many}: ε = {epsilon} and δ = {delta}. Protected: {unit}; neighbouring "
                    "logs: {neighbours}."
                )
                if count == 1
                else (
                    "{many}, together ε = {epsilon} and δ = {delta}. Protected: {unit}; "
                    "neighbouring logs: {neighbours}."
                ),
                many=as_phrase(many),
                epsilon=format_budget(one.epsilon),
                delta=format_delta(one.delta),
                unit=as_phrase(one.unit or "not said"),
                neighbours=as_phrase(one.neighbours or "not said"),
            )
        )
    elif total.without:
        lacking = len(total.without)
        found.append(
            phrase(
                (
                    "{many}, and no total: {lacking:,} has no guarantee that adds up, so no ε "
                    "bounds what all of them tell together."
                )
                if lacking == 1
                else (
                    "{many}, and no total: {lacking:,} have no guarantee that adds up, so no "
                    "ε bounds what all of them tell together."
                ),
                many=as_phrase(many),
                lacking=lacking,
            )
        )
    else:
        found.append(
            phrase(
                "{many}, and no total: their units differ, and can't be added.",
                many=as_phrase(many),
            )
        )
    for one in total.sums:
        if total.bounded is not one:
            which = (
                "1 release"
                if one.releases == 1
                else phrase("{releases:,} releases", releases=one.releases)
            )
            found.append(
                phrase(
                    "Of these, {which} with a guarantee: ε = {epsilon}, δ = {delta} for "
                    "{unit}; neighbours: {neighbours}.",
                    which=which,
                    epsilon=format_budget(one.epsilon),
                    delta=format_delta(one.delta),
                    unit=as_phrase(one.unit),
                    neighbours=as_phrase(one.neighbours),
                )
            )
        if one.tight_epsilon is not None:
            found.append(
                phrase(
                    "Composed more tightly: ε = {tight_epsilon} at δ = {tight_delta}, if "
                    "parameters were fixed before the first release.",
                    tight_epsilon=format_budget(one.tight_epsilon),
                    tight_delta=format_delta(one.tight_delta or 0.0),
                )
            )
    return [*found, *total.notes]
