"""Who of a bundle asked what: bundles taken apart into the fibers of their users.

Source: Jones, Kumar, Pang and Tomkins, CIKM 2008, section 6. Queries that share a word, a place or
a topic are joined, and what hangs together is taken for one user's; `params` has the ways.
Near linear in the events for connected components; what learned ways cost they say themselves.

The rate is F of the chosen way, its mean over bundles; the baseline is F of the better of both ways
not to look at the queries at all, all apart and all together; the control is F of the same fibers
against true ones dealt out anew within each bundle.
"""

import numpy as np

from auditor.arrays import mean_of
from auditor.attacks import bundle_view
from auditor.attacks.base import Attack, AttackResult, Evidence
from auditor.attacks.unbundling import report, trials
from auditor.attacks.unbundling.fibers import FiberClues, first_days, word_keys, words_of
from auditor.attacks.unbundling.findings import collect_findings, list_fibers
from auditor.attacks.unbundling.learning import training
from auditor.attacks.unbundling.params import BASELINES, VARIANTS, UnbundlingParams
from auditor.attacks.unbundling.query_texts import place_keys
from auditor.attacks.unbundling.report import FiberResult, TopicScore
from auditor.attacks.unbundling.scores import mean_interval, score_labels, shuffle_fibers, truth_of
from auditor.attacks.unbundling.topics.topics import find_related_tokens, topic_keys
from auditor.errors import MissingInput
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import QueryLog
from auditor.messages import as_phrase, phrase
from auditor.progress import Progress


def run(
    evidence: Evidence, params: UnbundlingParams, *, rng: np.random.Generator, progress: Progress
) -> AttackResult:
    """Take bundles apart and compare with the truth.

    Raises `MissingInput` if there are no bundles, or the variant needs a reference or known bundles
    and there are none.
    """
    if reason := bundle_view.why_not(evidence, params):
        raise MissingInput(phrase("unbundling: {why}.", why=as_phrase(reason)))
    result = take_apart(evidence, params, rng, progress)
    scores = result.main.scores
    f = scores[params.variant].f
    outside, users = result.outside
    return AttackResult(
        attack=ATTACK.name,
        params=params.to_dict(),
        rate=mean_of(f),
        baseline=max(mean_of(scores[name].f) for name in BASELINES),
        control=mean_of(result.control.f) if len(f) else None,
        interval=mean_interval(f, 0.0, 1.0) if 2 * outside <= users else (0.0, 1.0),
        rate_label=phrase("F of the recovered fibers, mean over {f:,} bundles", f=len(f)),
        values=tuple(report.build_metrics(result)),
        figures=tuple(report.draw_figures(result)),
        tables=(*report.build_tables(result), *list_fibers(evidence.log, result, progress)),
        findings=collect_findings(evidence, result, progress),
        notes=tuple(report.write_notes(result, params.min_queries)),
        details=report.build_details(result),
    )


def take_apart(
    evidence: Evidence, params: UnbundlingParams, rng: np.random.Generator, progress: Progress
) -> FiberResult:
    """Recover the fibers of the bundles, and score every way that is asked for."""
    log = evidence.log
    if "t" in VARIANTS[params.variant].edges and evidence.reference is None:
        raise MissingInput(
            "unbundling: topics are learned from a reference log, and there is none. Give one, or "
            "join by words or places."
        )
    # Scored are both baselines, the chosen variant, and any others asked for.
    variants = [
        variant
        for name, variant in VARIANTS.items()
        if name in (*BASELINES, params.variant)
        or (params.compare and (evidence.reference is not None or "t" not in variant.edges))
    ]
    kinds = {kind for variant in variants for kind in variant.edges}
    words = words_of(log.queries, progress)
    keys = {"w": word_keys(words)}
    if "g" in kinds:
        keys["g"] = place_keys(log.queries, params.confidence, progress)
    related, chi2 = None, 0.0
    if evidence.reference is not None and (params.table == "topics" or "t" in kinds):
        least = max(trials.LEAST, trials.SHARE * len(evidence.reference.users))
        chi2 = least if params.chi2 is None else params.chi2
        lowest = chi2 * (min(trials.STEPS) if params.table == "topics" else 1.0)
        related = find_related_tokens(evidence.reference, params.topic_words, lowest, progress)
        topics = trials.TOPICS[params.topics](related, chi2, progress)
        keys["t"] = topic_keys(keys["w"], words.vocabulary, related, topics)
    clues = FiberClues(
        queries=log.queries,
        words=words,
        keys=keys,
        reference=evidence.reference,
        clicks=_with_clicks(evidence),
    )
    bundled = first_days(bundle_view.find_bundles(evidence, params, progress), params.days)
    main, labels, clues = trials.run_trials(bundled, variants, clues, params, rng, progress)
    assert labels is not None
    is_within = params.cut == "within"
    truth = truth_of(bundled, is_within=is_within, training=clues.training)
    by_chance = shuffle_fibers(bundled, truth, rng, progress)
    periods: list[TopicScore] = []
    thresholds: list[TopicScore] = []
    if params.table == "topics" and related is not None:
        periods, thresholds = trials.tabulate_topics(
            bundled, clues, related, chi2, is_within, progress
        )
    return FiberResult(
        main=main,
        masks=tuple(trials.mask_bundles(log, bundled, variants, clues, params, rng, progress)),
        chosen=VARIANTS[params.variant],
        variants={variant.name: variant for variant in variants},
        bundled=bundled,
        truth=truth,
        labels=labels,
        control=score_labels(bundled, by_chance, labels, progress),
        classifier=clues.worked.get(training.QUALITY),
        unlearned=training.nothing_learned(clues),
        words=clues.words,
        related=related,
        periods=periods,
        thresholds=thresholds,
        chi2=chi2,
    )


def _with_clicks(evidence: Evidence) -> QueryLog | None:
    """The log if its bundles are released with clicks."""
    release = bundle_view.bundled_release(evidence)
    if release is not None and release.log is not None and not release.log.clicks:
        return None
    return evidence.log if evidence.log.clicks else None


ATTACK = Attack(
    **MetricCatalogue("attacks", "unbundling").card,
    criterion="linkability",
    params=UnbundlingParams,
    run=run,
    applies=("bundles",),
    unfit=bundle_view.why_not,
)
