"""What the audit of ε tells: verdict, picture, table and figures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from auditor.attacks.dp_audit import verdict as judging
from auditor.attacks.dp_audit.verdict import EpsilonBound, EpsilonClaim, OneRunBounds
from auditor.figures import Figure, MetricValue, PlotMark, PlotZone, Series, Table, format_delta
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.messages import as_phrase, join_phrases, phrase
from auditor.privacy.statement import Statement

catalogue = MetricCatalogue("attacks", "dp_audit")


def format_parameter(number: float) -> str:
    """An ε or δ in a sentence."""
    return "no finite ε" if math.isinf(number) else f"{number:.4g}"


def verdict_note(claim: EpsilonClaim, judged: Sequence[EpsilonBound], confidence: float) -> str:
    """The verdict on one claim, in one or two sentences that can be read aloud."""
    stated = catalogue.say(
        "claim",
        title=as_phrase(claim.title),
        epsilon=as_phrase(_format_epsilon(claim.epsilon)),
        delta=as_phrase(format_delta(claim.delta)),
    )
    reach = judging.detection_limit(judged)
    most = judging.largest_sampled_bound(judged)
    if judging.exceeds_claim(claim, judged) == "refuted":
        found = max(judged, key=lambda bound: (bound.epsilon, bound.impossible or 0.0))
        if math.isinf(found.epsilon):
            return catalogue.say(
                "claim_refuted_outright",
                stated=as_phrase(stated),
                impossible=found.impossible,
                title=as_phrase(found.shown.look.title),
                most=most,
            )
        return catalogue.say(
            "claim_refuted",
            stated=as_phrase(stated),
            confidence=100 * confidence,
            most=most,
            title=as_phrase(found.shown.look.title),
        )
    text = catalogue.say("claim_not_refuted", stated=as_phrase(stated), most=most)
    if claim.epsilon > reach:
        return text + (catalogue.say("claim_above_reach", reach=reach))
    text += catalogue.say("reach", reach=reach)
    of_runs = judging.limit_of_runs(judged)
    if claim.epsilon > of_runs:
        text += catalogue.say("reach_of_runs", of_runs=of_runs)
    return text


def write_notes(
    all_claims: Sequence[tuple[EpsilonClaim, Sequence[EpsilonBound]]],
    statement: Statement,
    confidence: float,
    left_out: Sequence[str],
    *,
    secure: bool,
) -> tuple[str, ...]:
    told = [verdict_note(claim, judged, confidence) for claim, judged in all_claims]
    if statement.failing:
        names = join_phrases("; ", (one.name for one in statement.failing))
        told.append(phrase("By the statement itself these assumptions fail: {names}.", names=names))
    told.append(catalogue.say("limits_secure") if secure else catalogue.say("limits_seeded"))
    first = all_claims[0][1]
    if sharper := [b for b in first if (b.single or 0.0) > (b.runs or 0.0)]:
        best = max(sharper, key=lambda bound: bound.single or 0.0)
        told.append(
            catalogue.say(
                "sharper_single_run",
                title=as_phrase(best.shown.look.title),
                single=best.single,
                runs=best.runs or 0.0,
            )
        )
    told += left_out
    return tuple(told)


def draw_scale(
    claim: EpsilonClaim, judged: Sequence[EpsilonBound], statement: Statement, confidence: float
) -> Figure:
    """Claim, bounds, and how far so many trials can see, on one scale of ε."""
    reach = judging.detection_limit(judged)
    end = _compute_scale_end(claim, judged)
    rows = np.arange(len(judged), dtype=np.float64)
    # No interval, and so no number at their ends: bars of no finite ε go on for ever.
    none = np.full(len(rows), np.nan)
    ends = np.array([min(bound.epsilon, end) for bound in judged])
    above = np.array([bound.epsilon > claim.epsilon for bound in judged])
    within = Series(
        "ε is at least (within the claim)", rows, np.where(above, np.nan, ends), "bars", none, none
    )
    beyond = Series(
        "✗ ε is at least (above the claim)",
        rows,
        np.where(above, ends, np.nan),
        "bars",
        none,
        none,
        role="bad",
    )
    bars = [series for series in (within, beyond) if np.isfinite(series.y).any()]
    marks = [
        PlotMark("y", reach, phrase("nothing above {reach:.3g} can be shown", reach=reach), "note")
    ]
    if claim.epsilon <= end:
        label = phrase("claimed ε = {epsilon:.4g}", epsilon=claim.epsilon)
        marks.insert(0, PlotMark("y", claim.epsilon, label, "current"))
    note = verdict_note(claim, judged, confidence)
    if claim.epsilon > end:
        note += " The claim lies beyond the right end of the scale."
    if statement.failing:
        names = join_phrases("; ", (one.name for one in statement.failing))
        note += phrase(" Assumptions that fail by the statement itself: {names}.", names=names)
    return catalogue.figure(
        "dp-audit",
        bars,
        categories=tuple(map(_format_place, judged)),
        note=note,
        marks=tuple(marks),
        zones=(PlotZone("y", reach, end, "", "note"),),
        own_words=True,
    )


def _format_place(bound: EpsilonBound) -> str:
    title = bound.shown.look.title
    if math.isinf(bound.epsilon):
        return phrase("{title} (no ε holds)", title=as_phrase(title))
    return title


def _compute_scale_end(claim: EpsilonClaim, judged: Sequence[EpsilonBound]) -> float:
    """Where the scale ends: beyond what can be shown, and beyond the claim unless it is far off."""
    reach = judging.detection_limit(judged)
    far = claim.epsilon > 3 * reach
    return 1.2 * (reach if far else max(reach, claim.epsilon))


def bounds_table(judged: Sequence[EpsilonBound], confidence: float) -> Table:
    """Every look with its evidence."""
    rows = [
        [
            bound.shown.look.title,
            bound.shown.scenario.about,
            "none holds" if math.isinf(bound.epsilon) else round(bound.sampled, 4),
            "" if bound.runs is None else round(bound.runs, 4),
            "" if bound.single is None else round(bound.single, 4),
            round(bound.limit, 4),
            "" if bound.impossible is None else float(f"{bound.impossible:.4g}"),
            *_format_counts(bound),
        ]
        for bound in judged
    ]
    return catalogue.table("bounds", rows, own_words=True, confidence=100 * confidence)


def _format_counts(bound: EpsilonBound) -> list[str]:
    counted, guessed = bound.shown.counted, bound.shown.guessed
    cells = ["", "", ""]
    if counted is not None:
        sides = counted.likely, counted.other
        there, away = sides if counted.event.forward else sides[::-1]
        dull = all(hits == trials for hits, trials in sides)
        words = "none stood out" if dull else counted.words
        cells = [
            words,
            *(
                phrase("{hits:,} of {trials:,}", hits=hits, trials=trials)
                for hits, trials in (there, away)
            ),
        ]
    guesses = (
        ""
        if guessed is None
        else phrase("{right:,} of {guesses:,}", right=guessed.right, guesses=guessed.guesses)
    )
    return [*cells, guesses]


def claims_table(all_claims: Sequence[tuple[EpsilonClaim, Sequence[EpsilonBound]]]) -> Table:
    """Every claim with its verdict."""
    rows = [
        [
            claim.title,
            _format_epsilon(claim.epsilon),
            format_delta(claim.delta),
            format_parameter(judging.largest_bound(judged)),
            round(judging.detection_limit(judged), 4),
            judging.exceeds_claim(claim, judged),
        ]
        for claim, judged in all_claims
    ]
    return catalogue.table("claims", rows, own_words=True)


def assumptions_table(statement: Statement) -> Table | None:
    """The assumptions that fail by the statement itself."""
    if not statement.failing:
        return None
    rows = [[a.name, a.text, a.evidence] for a in statement.failing]
    return catalogue.table("failing", rows, own_words=True)


def build_metrics(judged: Sequence[EpsilonBound]) -> tuple[MetricValue, ...]:
    least = max((bound.impossible or 0.0 for bound in judged), default=0.0)
    return (
        catalogue("audited_epsilon", judging.largest_sampled_bound(judged)),
        catalogue("audit_limit", judging.detection_limit(judged)),
        catalogue("impossible_share", least),
    )


def build_details(
    all_claims: Sequence[tuple[EpsilonClaim, Sequence[EpsilonBound]]],
    runs: int,
    confidence: float,
    sampler: str,
) -> dict[str, Any]:
    """Plain keys for scripts; what doesn't apply stays out."""
    stated, judged = all_claims[0]
    return {
        "verdict": "refuted" if judging.is_refuted(all_claims) else "not refuted",
        "refuted": judging.is_refuted(all_claims),
        "claimed_epsilon": _encode_number(stated.epsilon),
        "claimed_delta": stated.delta,
        "audited_epsilon": _encode_number(judging.largest_bound(judged)),
        "sampled_epsilon": judging.largest_sampled_bound(judged),
        "limit": judging.detection_limit(judged),
        "limit_of_runs": judging.limit_of_runs(judged),
        "runs": runs,
        "confidence": confidence,
        "sampler": sampler,
        "claims": [
            {
                "claim": claim.name,
                "epsilon": _encode_number(claim.epsilon),
                "delta": claim.delta,
                "audited_epsilon": _encode_number(judging.largest_bound(found)),
                "verdict": judging.exceeds_claim(claim, found),
            }
            for claim, found in all_claims
        ],
        "bounds": {bound.shown.look.name: _serialize_bound(bound) for bound in judged},
    }


def _serialize_bound(bound: EpsilonBound) -> dict[str, Any]:
    plain: dict[str, Any] = {"epsilon": _encode_number(bound.epsilon), "limit": bound.limit}
    optional = {"runs": bound.runs, "one_run": bound.single, "impossible": bound.impossible}
    if bound.one_run is not None:
        optional |= {f"one_run_{name}": value for name, value in vars(bound.one_run).items()}
    return plain | {key: value for key, value in optional.items() if value is not None}


def _encode_number(number: float) -> float | str:
    return "infinite" if math.isinf(number) else number


def _format_epsilon(number: float) -> str:
    return "infinite" if math.isinf(number) else f"{number:.4g}"


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


def build_one_run_metrics(judged: Sequence[EpsilonBound]) -> tuple[MetricValue, ...]:
    """The largest of each bound over all looks, and the most of each; empty if not tried."""
    tried = [bound.one_run for bound in judged if bound.one_run is not None]
    if not tried:
        return ()
    return (
        catalogue("one_run_epsilon", max(shown.binomial for shown in tried)),
        catalogue("one_run_limit", max(shown.binomial_limit for shown in tried)),
        catalogue("one_run_curve_epsilon", max(shown.curve for shown in tried)),
        catalogue("one_run_curve_limit", max(shown.curve_limit for shown in tried)),
    )
