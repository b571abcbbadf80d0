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

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from auditor.attacks.base import Attack, AttackResult, Evidence
from auditor.attacks.dp_audit import neighbouring_logs as logs
from auditor.attacks.dp_audit import report, summary
from auditor.attacks.dp_audit import trials as trying
from auditor.attacks.dp_audit import verdict as judging
from auditor.attacks.dp_audit.neighbouring_logs import ScenarioConfig
from auditor.attacks.dp_audit.trials import TrialBench, Trials
from auditor.attacks.dp_audit.verdict import DemonstratedEpsilon, EventCounts
from auditor.attacks.intervals import clopper_pearson_interval
from auditor.attacks.planted_strings.canaries import plant_words
from auditor.errors import MissingInput
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.messages import as_phrase, phrase
from auditor.params import Params
from auditor.privacy.release import Anonymized
from auditor.progress import Progress, split_progress

catalogue = MetricCatalogue("attacks", "dp_audit")


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
    claims = judging.list_claims(statement)
    gaussian = judging.has_gaussian_noise(statement)
    cases: list[DemonstratedEpsilon] = []
    if bench.had_output:
        cases = judging.gather_counts(runs, single, claims[0].delta, rng, gaussian=gaussian)
    sure = params.confidence
    results = [judging.judge_claim(cases, claim, sure, gaussian=gaussian) for claim in claims]
    counts, interval, control = count_told_apart(cases, runs, sure, rng)
    bounds = results[0].bounds
    tables = (
        report.claims_table(results),
        report.bounds_table(bounds, sure) if bounds else None,
        report.one_run_table(bounds, sure),
        report.assumptions_table(statement),
    )
    details = report.build_details(results, params)
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
        values=report.build_metrics(results[0]),
        figures=(
            summary.draw_summary(summary.summarize_details(statement, details)),
            report.draw_scale(results[0], statement, sure),
        )
        if bounds
        else (),
        tables=tuple(table for table in tables if table is not None),
        notes=report.write_notes(results, statement, sure, left_out, secure=secure),
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


def _compare_effort(params: DpAuditParams) -> float:
    """How many times as long an audit takes as with the defaults."""
    return sum(_expected_seconds(params)) / sum(_expected_seconds(DpAuditParams()))


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
    effort=_compare_effort,
    needs=("release",),
    told_by_epsilon=True,
    quick={"runs": 100, "copies": 100},
)
