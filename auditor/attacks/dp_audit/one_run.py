"""The two bounds of one run beside each other: a table, and the largest of each as metrics."""

from __future__ import annotations

from collections.abc import Sequence

from auditor.attacks.dp_audit.verdict import EpsilonBound, OneRunBounds
from auditor.figures import MetricValue, Table
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.messages import phrase

catalogue = MetricCatalogue("attacks", "dp_audit")

_CURVE_HELP = (
    "From the same guesses and as sure, by the trade-off curve of all (ε, δ) methods (Mahloujifar, "
    "Melis and Chaudhuri, Theorem 3.2). Larger where δ times the number of users counts."
)


def one_run_table(judged: Sequence[EpsilonBound], confidence: float) -> Table | None:
    """Both bounds of each look's guesses and the most of each; None if nothing was guessed."""
    tried = [(bound, bound.one_run) for bound in judged if bound.one_run is not None]
    if not tried:
        return None
    known = any(shown.gaussian is not None for _, shown in tried)
    rows = [[bound.shown.look.title, *_format_row(bound, shown, known)] for bound, shown in tried]
    columns = [
        "Where to look",
        "Right guesses of one run",
        "Users in or out by a coin",
        "ε is at least (binomial)",
        "Most that could be shown (binomial)",
        "ε is at least (trade-off curve)",
        "Most that could be shown (trade-off curve)",
    ]
    note = catalogue.say("one_run_table", confidence=100 * confidence)
    if known:
        columns += ["ε if the noise is Gaussian", "Most of it"]
        note += catalogue.say("gaussian_columns")
    else:
        note += catalogue.say("laplace_columns")
    return catalogue.table("one-run", rows, columns=tuple(columns), note=note, own_words=True)


def _format_row(bound: EpsilonBound, shown: OneRunBounds, known: bool) -> list[str | float | int]:
    guessed = bound.shown.guessed
    assert guessed is not None
    cells: list[str | float | int] = [
        phrase("{right:,} of {guesses:,}", right=guessed.right, guesses=guessed.guesses),
        guessed.canaries,
        round(shown.binomial, 4),
        round(shown.binomial_limit, 4),
        round(shown.curve, 4),
        round(shown.curve_limit, 4),
    ]
    if known:
        noise = shown.gaussian, shown.gaussian_limit
        cells += ["" if value is None else round(value, 4) for value in noise]
    return cells


def build_metrics(judged: Sequence[EpsilonBound]) -> tuple[MetricValue, ...]:
    """The largest of each bound over all looks, and the most of each; empty if not tried."""
    tried = [bound.one_run for bound in judged if bound.one_run is not None]
    if not tried:
        return ()
    return (
        catalogue("one_run_epsilon", max(shown.binomial for shown in tried)),
        catalogue("one_run_limit", max(shown.binomial_limit for shown in tried)),
        MetricValue(
            "one_run_curve_epsilon",
            "ε is at least, by one run (trade-off curve)",
            max(shown.curve for shown in tried),
            help=_CURVE_HELP,
            better="lower",
        ),
        catalogue("one_run_curve_limit", max(shown.curve_limit for shown in tried)),
    )
