"""What the audit of ε tells: verdict, picture, table and figures."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from auditor.attacks.dp_audit.verdict import EpsilonBound, JudgedClaim, is_refuted
from auditor.figures import Figure, MetricValue, PlotMark, PlotZone, Series, Table, format_delta
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.messages import NumberText, as_phrase, join_phrases, phrase
from auditor.params import Params
from auditor.privacy.statement import Statement, encode_number

catalogue = MetricCatalogue("attacks", "dp_audit")


def verdict_note(result: JudgedClaim, confidence: float) -> str:
    """The verdict on one claim, in one or two sentences that can be read aloud."""
    claim = result.claim
    stated = as_phrase(
        catalogue.say(
            "claim",
            title=as_phrase(claim.title),
            epsilon=as_phrase(_format_epsilon(claim.epsilon)),
            delta=as_phrase(format_delta(claim.delta)),
        )
    )
    if result.verdict == "not audited":
        return catalogue.say("claim_not_audited", stated=stated)
    reach, of_runs = result.find_largest("limit"), result.find_largest("limit_of_runs")
    largest = result.find_largest("sampled")
    if result.verdict == "refuted":
        best = max(result.bounds, key=lambda bound: (bound.epsilon, bound.impossible or 0.0))
        title = as_phrase(best.evidence.look.title)
        if math.isinf(best.epsilon):
            return catalogue.say(
                "claim_refuted_outright",
                stated=stated,
                impossible=best.impossible,
                title=title,
                most=largest,
            )
        return catalogue.say(
            "claim_refuted", stated=stated, confidence=100 * confidence, most=largest, title=title
        )
    text = catalogue.say("claim_not_refuted", stated=stated, most=largest)
    if claim.epsilon > reach:
        return text + catalogue.say("claim_above_reach", reach=reach)
    text += catalogue.say("reach", reach=reach)
    if claim.epsilon > of_runs:
        text += catalogue.say("reach_of_runs", of_runs=of_runs)
    return text


def write_notes(
    results: Sequence[JudgedClaim],
    statement: Statement,
    confidence: float,
    left_out: Sequence[str],
    *,
    secure: bool,
) -> tuple[str, ...]:
    notes = [verdict_note(result, confidence) for result in results]
    if statement.failing:
        names = join_phrases("; ", (assumption.name for assumption in statement.failing))
        notes.append(
            phrase("By the statement itself these assumptions fail: {names}.", names=names)
        )
    if results[0].bounds:
        notes.append(catalogue.say("limits_secure") if secure else catalogue.say("limits_seeded"))
    if sharper := [b for b in results[0].bounds if (b.single or 0.0) > (b.runs or 0.0)]:
        best = max(sharper, key=lambda bound: bound.single or 0.0)
        notes.append(
            catalogue.say(
                "sharper_single_run",
                title=as_phrase(best.evidence.look.title),
                single=best.single,
                runs=best.runs or 0.0,
            )
        )
    return (*notes, *left_out)


def draw_scale(result: JudgedClaim, statement: Statement, confidence: float) -> Figure:
    """Claim, bounds and the resolution of the trials on one scale of ε."""
    claim, bounds, reach = result.claim, result.bounds, result.find_largest("limit")
    # The scale ends beyond what can be shown, and beyond the claim unless it is far off.
    end = 1.2 * (reach if claim.epsilon > 3 * reach else max(reach, claim.epsilon))
    rows = np.arange(len(bounds), dtype=np.float64)
    # No interval, and so no number at their ends: bars of no finite ε go on for ever.
    none = np.full(len(rows), np.nan)
    ends = np.array([min(bound.epsilon, end) for bound in bounds])
    above = np.array([bound.epsilon > claim.epsilon for bound in bounds])
    inner_ends, outer_ends = np.where(above, np.nan, ends), np.where(above, ends, np.nan)
    name, bad_name = "ε is at least (within the claim)", "✗ ε is at least (above the claim)"
    bars = (
        Series(name, rows, inner_ends, "bars", none, none),
        Series(bad_name, rows, outer_ends, "bars", none, none, role="bad"),
    )
    marks = [
        PlotMark("y", reach, phrase("nothing above {reach:.3g} can be shown", reach=reach), "note")
    ]
    note = verdict_note(result, confidence)
    if claim.epsilon <= end:
        label = phrase("claimed ε = {epsilon:.4g}", epsilon=claim.epsilon)
        marks.insert(0, PlotMark("y", claim.epsilon, label, "current"))
    else:
        note += " The claim lies beyond the right end of the scale."
    if statement.failing:
        names = join_phrases("; ", (assumption.name for assumption in statement.failing))
        note += phrase(" Assumptions that fail by the statement itself: {names}.", names=names)
    titles = [(as_phrase(bound.evidence.look.title), math.isinf(bound.epsilon)) for bound in bounds]
    return catalogue.figure(
        "dp-audit",
        (series for series in bars if np.isfinite(series.y).any()),
        categories=tuple(
            phrase("{title} (no ε holds)", title=title) if endless else title
            for title, endless in titles
        ),
        note=note,
        marks=tuple(marks),
        zones=(PlotZone("y", reach, end, "", "note"),),
    )


def bounds_table(bounds: Sequence[EpsilonBound], confidence: float) -> Table:
    """Every look with its evidence."""
    rows = [
        [
            bound.evidence.look.title,
            bound.evidence.scenario.description,
            "none holds" if math.isinf(bound.epsilon) else round(bound.sampled, 4),
            _round_known(bound.runs),
            _round_known(bound.single),
            round(bound.limit, 4),
            "" if bound.impossible is None else float(f"{bound.impossible:.4g}"),
            *_format_counts(bound),
            _format_guesses(bound),
        ]
        for bound in bounds
    ]
    return catalogue.table("bounds", rows, confidence=100 * confidence)


def _round_known(number: float | None) -> float | str:
    return "" if number is None else round(number, 4)


def _format_counts(bound: EpsilonBound) -> list[str]:
    """The event that was counted, and how often with the user in the log and without."""
    events = bound.evidence.events
    if events is None:
        return ["", "", ""]
    sides = events.likely, events.other
    dull = all(hits == trials for hits, trials in sides)
    return [
        "none stood out" if dull else events.words,
        *(
            phrase("{hits:,} of {trials:,}", hits=hits, trials=trials)
            for hits, trials in (sides if events.event.forward else sides[::-1])
        ),
    ]


def _format_guesses(bound: EpsilonBound) -> str:
    guessed = bound.evidence.guessed
    if guessed is None:
        return ""
    return phrase("{right:,} of {guesses:,}", right=guessed.right, guesses=guessed.guesses)


def claims_table(results: Sequence[JudgedClaim]) -> Table:
    """Every claim with its verdict."""
    rows = [
        [
            result.claim.title,
            _format_epsilon(result.claim.epsilon),
            format_delta(result.claim.delta),
            *(
                [
                    _format_epsilon(result.find_largest("epsilon"), "no finite ε"),
                    round(result.find_largest("limit"), 4),
                ]
                if result.bounds
                else ["", ""]
            ),
            result.verdict,
        ]
        for result in results
    ]
    return catalogue.table("claims", rows)


def assumptions_table(statement: Statement) -> Table | None:
    """The assumptions that fail by the statement itself."""
    if not statement.failing:
        return None
    rows = [[a.name, a.text, a.evidence] for a in statement.failing]
    return catalogue.table("failing", rows)


def build_metrics(result: JudgedClaim) -> tuple[MetricValue, ...]:
    """The largest bounds and limits over all looks; those of one run where it was tried."""
    if not result.bounds:
        return ()
    tried = [bound.one_run for bound in result.bounds if bound.one_run is not None]
    of_one_run = {
        "one_run_epsilon": [run.binomial for run in tried],
        "one_run_limit": [run.binomial_limit for run in tried],
        "one_run_curve_epsilon": [run.curve for run in tried],
        "one_run_curve_limit": [run.curve_limit for run in tried],
    }
    return (
        catalogue("audited_epsilon", result.find_largest("sampled")),
        catalogue("audit_limit", result.find_largest("limit")),
        catalogue("impossible_share", result.find_largest("impossible")),
        *(catalogue(name, max(values)) for name, values in of_one_run.items() if values),
    )


def build_details(results: Sequence[JudgedClaim], params: Params) -> dict[str, Any]:
    """Plain keys for scripts; what doesn't apply, or was not audited, stays out."""
    stated, refuted = results[0], is_refuted(results)
    details: dict[str, Any] = {
        "verdict": "refuted" if refuted else stated.verdict,
        "claimed_epsilon": encode_number(stated.claim.epsilon),
        "claimed_delta": stated.claim.delta,
        **{name: params.to_dict()[name] for name in ("runs", "confidence", "sampler")},
        "claims": [_serialize_claim(result) for result in results],
        "bounds": {bound.evidence.look.name: _serialize_bound(bound) for bound in stated.bounds},
    }
    if not stated.bounds:
        return details
    return details | {
        "refuted": refuted,
        "audited_epsilon": encode_number(stated.find_largest("epsilon")),
        "sampled_epsilon": stated.find_largest("sampled"),
        "limit": stated.find_largest("limit"),
        "limit_of_runs": stated.find_largest("limit_of_runs"),
    }


def _serialize_claim(result: JudgedClaim) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "claim": result.claim.name,
        "epsilon": encode_number(result.claim.epsilon),
        "delta": result.claim.delta,
        "verdict": result.verdict,
    }
    if result.bounds:
        plain["audited_epsilon"] = encode_number(result.find_largest("epsilon"))
    return plain


def _serialize_bound(bound: EpsilonBound) -> dict[str, Any]:
    plain: dict[str, Any] = {"epsilon": encode_number(bound.epsilon), "limit": bound.limit}
    optional = {"runs": bound.runs, "one_run": bound.single, "impossible": bound.impossible}
    if bound.one_run is not None:
        optional |= {f"one_run_{name}": value for name, value in vars(bound.one_run).items()}
    return plain | {key: value for key, value in optional.items() if value is not None}


def _format_epsilon(number: float, infinite: str = "infinite") -> str:
    return as_phrase(infinite) if math.isinf(number) else NumberText(f"{number:.4g}")


def one_run_table(bounds: Sequence[EpsilonBound], confidence: float) -> Table | None:
    """Both bounds of each look's guesses and the most of each; None if nothing was guessed."""
    tried = [(bound, bound.one_run) for bound in bounds if bound.one_run is not None]
    if not tried:
        return None
    has_gaussian = any(run.gaussian is not None for _, run in tried)
    rows: list[list[str | float]] = []
    for bound, run in tried:
        assert bound.evidence.guessed is not None
        numbers = [run.binomial, run.binomial_limit, run.curve, run.curve_limit]
        of_noise = [run.gaussian, run.gaussian_limit] if has_gaussian else []
        rows.append(
            [
                bound.evidence.look.title,
                _format_guesses(bound),
                bound.evidence.guessed.canaries,
                *map(_round_known, numbers + of_noise),
            ]
        )
    columns = [
        "Where to look",
        "Right guesses of one run",
        "Users in or out by a coin",
        "ε is at least (binomial)",
        "Most that could be shown (binomial)",
        "ε is at least (trade-off curve)",
        "Most that could be shown (trade-off curve)",
        *(["ε if the noise is Gaussian", "Most of it"] if has_gaussian else []),
    ]
    note = catalogue.say("one_run_table", confidence=100 * confidence)
    note += catalogue.say("gaussian_columns" if has_gaussian else "laplace_columns")
    return catalogue.table("one-run", rows, columns=tuple(columns), note=note)
