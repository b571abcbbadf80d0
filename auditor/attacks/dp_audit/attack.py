"""How much ε a method can be shown to spend: lower bounds by telling neighbouring logs apart.

The auditor runs the method on small invented logs that differ by one user, and sees outputs alone.
What they tell apart, by `auditor.privacy.audit_bounds`, refutes any smaller ε; the scenarios are
those in which these methods may leak (`neighbouring_logs`). An output that holds a random string
which only that user had is impossible without them: if its chance is above δ, no ε holds at all. So
is one that holds a transition only they made, if the method says that it releases none but those
that occurred; where noise reaches all pairs, it is not, and counting alone tells.

In the terms of every attack: `rate` is how often the best event tells rightly whether they are in
the log, on trials that the event was not chosen on; the baseline is a coin, 1/2; the control is
the same event where who was in is shuffled.

The guesses of one run are bounded twice, by a binomial tail and by the trade-off curve of all
(ε, δ) methods; both stand in a table with the most that either could show. The larger one counts.

Sources: Ding, Wang, Wang, Zhang & Kifer, CCS 2018 (choose an event, then count it); Jagielski,
Ullman & Oprea 2020 (Clopper and Pearson's bounds); Steinke, Nasr & Jagielski 2023 (one run);
Mahloujifar, Melis & Chaudhuri, ICML 2025 (one run by trade-off curves).
Cost: `runs` runs on each of three logs of some hundred to some thousand rows, 1 to 5 ms each, and
one run each on a few logs of up to 100,000 rows.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from auditor.attacks.base import Attack, AttackResult, Evidence
from auditor.attacks.dp_audit import neighbouring_logs as logs
from auditor.attacks.dp_audit import summary
from auditor.attacks.dp_audit import trials as trying
from auditor.attacks.dp_audit.neighbouring_logs import ScenarioConfig
from auditor.attacks.dp_audit.trials import (
    DemonstratedEpsilon,
    EpsilonBound,
    EventCounts,
    JudgedClaim,
    TrialBench,
    Trials,
    is_refuted,
)
from auditor.attacks.intervals import clopper_pearson_interval
from auditor.attacks.planted_strings import plant_words
from auditor.errors import MissingInput
from auditor.figures import Figure, MetricValue, PlotMark, PlotZone, Series, Table, format_delta
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.messages import NumberText, as_phrase, join_phrases, phrase
from auditor.params import Params
from auditor.privacy.release import Anonymized
from auditor.privacy.statement import Statement, encode_number
from auditor.progress import Progress, split_progress

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


def build_tables(
    results: Sequence[JudgedClaim], statement: Statement, confidence: float
) -> Iterator[Table]:
    """Every claim with its verdict, the evidence, and what fails by the statement itself."""
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
    yield catalogue.table("claims", rows)
    bounds = results[0].bounds
    if bounds:
        yield bounds_table(bounds, confidence)
    if any(bound.one_run is not None for bound in bounds):
        yield one_run_table(bounds, confidence)
    if statement.failing:
        rows = [[a.name, a.text, a.evidence] for a in statement.failing]
        yield catalogue.table("failing", rows)


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
        "claims": [
            {
                "claim": result.claim.name,
                "epsilon": encode_number(result.claim.epsilon),
                "delta": result.claim.delta,
                "verdict": result.verdict,
            }
            | (
                {"audited_epsilon": encode_number(result.find_largest("epsilon"))}
                if result.bounds
                else {}
            )
            for result in results
        ],
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


def _serialize_bound(bound: EpsilonBound) -> dict[str, Any]:
    plain: dict[str, Any] = {"epsilon": encode_number(bound.epsilon), "limit": bound.limit}
    optional = {"runs": bound.runs, "one_run": bound.single, "impossible": bound.impossible}
    if bound.one_run is not None:
        optional |= {f"one_run_{name}": value for name, value in vars(bound.one_run).items()}
    return plain | {key: value for key, value in optional.items() if value is not None}


def _format_epsilon(number: float, infinite: str = "infinite") -> str:
    return as_phrase(infinite) if math.isinf(number) else NumberText(f"{number:.4g}")


def one_run_table(bounds: Sequence[EpsilonBound], confidence: float) -> Table:
    """Both bounds of each look's guesses and the most of each."""
    tried = [(bound, bound.one_run) for bound in bounds if bound.one_run is not None]
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


@dataclass(frozen=True, kw_only=True)
class DpAuditParams(Params, owner="dp-audit"):
    """How long to try, and how sure to be."""

    runs: int = 2_000
    copies: int = 20_000
    sampler: str = "preview"
    confidence: float = 0.95


def run(
    evidence: Evidence, params: DpAuditParams, *, rng: np.random.Generator, progress: Progress
) -> AttackResult:
    """Audit the method that made the release."""
    assert evidence.release is not None
    assert evidence.rerun is not None
    statement = evidence.release.statement
    secure = params.sampler == "secure"
    rerun = evidence.secure_rerun if secure else evidence.rerun
    if rerun is None:
        raise MissingInput("dp-audit can't have the secure sampler here. Choose sampler=preview.")
    phases = iter(split_progress(progress, _expected_seconds(params)))
    bench = TrialBench(plant_words(rerun, evidence.release), rng, next(phases))
    bench.public = statement.has_public_keys
    bench.by = str(evidence.release.params.get("group_by", bench.by))
    token = f"{int(rng.integers(1 << 62)):016x}"
    config = _make_config(evidence.release, bench, token)
    runs, single, left_out = _try_scenarios(bench, config, token, params, phases)
    next(phases).stage("bounding ε")
    claims = trying.list_claims(statement)
    gaussian = trying.has_gaussian_noise(statement)
    cases: list[DemonstratedEpsilon] = []
    if bench.had_output:
        cases = trying.gather_counts(runs, single, claims[0].delta, rng, gaussian=gaussian)
    sure = params.confidence
    results = [trying.judge_claim(cases, claim, sure, gaussian=gaussian) for claim in claims]
    counts, interval, control = count_told_apart(cases, runs, sure, rng)
    details = build_details(results, params)
    return AttackResult(
        attack=ATTACK.name,
        params=params.to_dict(),
        rate=0.5 if counts is None else counts[0] / counts[1],
        baseline=0.5,
        counts=counts,
        interval=interval,
        control=control,
        rate_label=catalogue.say(
            "rate_of_period" if statement.period else "rate", period=as_phrase(statement.period)
        ),
        values=build_metrics(results[0]),
        figures=(
            summary.draw_summary(summary.summarize_details(statement, details)),
            draw_scale(results[0], statement, sure),
        )
        if results[0].bounds
        else (),
        tables=tuple(build_tables(results, statement, sure)),
        notes=write_notes(results, statement, sure, left_out, secure=secure),
        details=details,
        own_details=True,
    )


def _try_scenarios(
    bench: TrialBench,
    config: ScenarioConfig,
    token: str,
    params: DpAuditParams,
    phases: Iterator[Progress],
) -> tuple[list[Trials], list[Trials], list[str]]:
    """Trials of independent runs and of single ones, and what was left out, in words."""
    # Groups don't share a log: one's many queries, or coins, would hide what another shows.
    runs: list[Trials] = []
    for list_group in (logs.list_scenarios, logs.list_excessive, logs.list_lone_users):
        bench.progress = next(phases)
        if group := list_group(config, token):
            runs += trying.independent_runs(bench, group, params.runs)
    bench.progress = next(phases)
    single: list[Trials] = []
    left_out: list[str] = []
    for looks, reason in (
        trying.one_run(bench, config, token, params.copies) if params.copies else ()
    ):
        single += looks
        if reason:
            left_out.append(
                phrase("One of the single runs was left out: {why}", why=as_phrase(reason))
            )
    left_out += logs.left_out(config)
    if config.popular is None:
        left_out.append(catalogue.say("no_common_query", ladder=1 << trying.LADDER))
    return runs, single, left_out


def _expected_seconds(params: DpAuditParams) -> tuple[float, ...]:
    """About what each phase takes: the calibration, three groups, the single runs, the bounds.

    Measured with SafeLog's defaults; no phase depends on the size of the audited log.
    """
    groups = (1.5e-3, 1.6e-3, 0.8e-3)
    return 0.3, *(cost * params.runs for cost in groups), 1e-4 * params.copies, 0.35


def _make_config(release: Anonymized, bench: TrialBench, token: str) -> ScenarioConfig:
    """What to try, from the parameters' names and from what comes out."""
    statement, tables, limits = release.statement, release.tables, trying.limits_of(release.params)
    popular, edge = trying.calibrate_crowds(bench, token, limits["tau"])
    ngrams = tables is not None and tables.ngrams
    return ScenarioConfig(
        **limits,
        exchange="exchange" in statement.neighbours,
        popular=popular,
        edge=edge,
        has_clicks=tables is None or tables.has_clicks,
        has_transitions=tables is not None and tables.has_transitions,
        occurred=any(a.name == "transitions known beforehand" for a in statement.failing),
        share=statement.sample_share,
        words=int(release.params.get("longest", 1)) if ngrams else 1,
    )


def count_told_apart(
    cases: Sequence[DemonstratedEpsilon],
    runs: Sequence[Trials],
    confidence: float,
    rng: np.random.Generator,
) -> tuple[tuple[int, int] | None, tuple[float, float], float | None]:
    """Hits and trials, interval and control of the event that tells most; None where there is none.

    It is the largest of as many rates as there are events: each has its interval at such a
    confidence that all hold together.
    """
    by_name = {trials.look.name: trials for trials in runs}
    events = [(s.events, by_name[s.look.name]) for s in cases if s.events is not None]
    if not events:
        return None, (0.0, 1.0), None

    def count_right(counts: EventCounts) -> tuple[int, int]:
        (k, n), (j, m) = counts.likely, counts.other
        return k + m - j, n + m

    counts, trials = max(events, key=lambda event: np.divide(*count_right(event[0])))
    right, tried = count_right(counts)
    second = trials.take_half(True)
    happened = counts.event.has_occurred(second.statistics[counts.statistic])
    shuffled = rng.permutation(second.is_inside)
    control = float(np.mean(happened == (shuffled == counts.event.forward)))
    level = 1 - (1 - confidence) / len(events)
    return (right, tried), clopper_pearson_interval(right, tried, level), control


def _explain_unfit(evidence: Evidence) -> str:
    """Why it doesn't apply, in words; empty if it does."""
    assert evidence.release is not None
    statement = evidence.release.statement
    if statement.model != "differential privacy" or statement.epsilon is None:
        return "has nothing to test: this release claims no ε, and without noise there is none"
    if evidence.rerun is None:
        return "needs the method and its parameters, which this release does not name"
    return ""


ATTACK = Attack(
    **catalogue.card,
    criterion="inference",
    params=DpAuditParams,
    run=run,
    sampled="whole",
    applies=("tables", "n-grams"),
    unfit=_explain_unfit,
    effort=lambda params: sum(_expected_seconds(params)) / sum(_expected_seconds(DpAuditParams())),
    needs=("release",),
    told_by_epsilon=True,
    quick={"runs": 100, "copies": 100},
)
