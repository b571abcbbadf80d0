"""What a log's ledger adds up to, in sentences."""

from __future__ import annotations

from auditor.figures import format_delta
from auditor.log.sentences import sentence
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
            sentence(
                "ledger.total_of_one" if count == 1 else "ledger.total_of_many",
                many=many,
                epsilon=format_budget(one.epsilon),
                delta=format_delta(one.delta),
                unit=as_phrase(one.unit or "not said"),
                neighbours=as_phrase(one.neighbours or "not said"),
            )
        )
    elif total.without:
        lacking = len(total.without)
        found.append(
            sentence(
                "ledger.no_total_one" if lacking == 1 else "ledger.no_total_many",
                many=many,
                lacking=lacking,
            )
        )
    else:
        found.append(sentence("ledger.units_differ", many=many))
    for one in total.sums:
        if total.bounded is not one:
            which = (
                "1 release"
                if one.releases == 1
                else phrase("{releases:,} releases", releases=one.releases)
            )
            found.append(
                sentence(
                    "ledger.of_these",
                    which=which,
                    epsilon=format_budget(one.epsilon),
                    delta=format_delta(one.delta),
                    unit=one.unit,
                    neighbours=one.neighbours,
                )
            )
        if one.tight_epsilon is not None:
            found.append(
                sentence(
                    "ledger.composed_tightly",
                    tight_epsilon=format_budget(one.tight_epsilon),
                    tight_delta=format_delta(one.tight_delta or 0.0),
                )
            )
    return [*found, *total.notes]
