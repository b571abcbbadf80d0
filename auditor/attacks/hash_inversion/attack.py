"""Which words are recovered from their hashes, by the words they co-occur with.

Hashing renames words; how often each stands beside which others stays. With any other query log
as a reference, hashes are matched to words whose company looks alike, under the matching so far,
until it settles. Source: Kumar, Novak, Pang and Tomkins, WWW 2007, sections 3 and 4. Cost of
one update at vocabulary size n: the neighbours' neighbours of each hash, plus one matching of
O(n²); memory: one float32 matrix of n².
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from auditor.arrays import Float64s
from auditor.attacks.base import Attack, AttackResult, Evidence
from auditor.attacks.hash_inversion import confidence, report, tables
from auditor.attacks.hash_inversion import ground_truth as truth
from auditor.attacks.hash_inversion.ground_truth import InversionProblem
from auditor.attacks.hash_inversion.inversion import (
    InversionOutcome,
    count_oracle_hits,
    from_truth,
    invert_hashes,
)
from auditor.attacks.hash_inversion.mapping_update import frequency_start
from auditor.attacks.hash_inversion.params import HashInversionParams
from auditor.attacks.hash_inversion.scores import (
    iterations_figure,
    safe_ratio,
    score_mapping,
    size_note,
)
from auditor.attacks.intervals import wilson_interval
from auditor.errors import MissingInput
from auditor.figures import Figure, Table
from auditor.log.model import QueryLog
from auditor.log.sentences import sentence
from auditor.messages import phrase
from auditor.progress import Progress


@dataclass(frozen=True, eq=False)
class RecoveredMapping:
    """An inversion with both sides: what other attacks read the recovered words from."""

    game: InversionProblem
    outcome: InversionOutcome


def recover_mapping(
    evidence: Evidence, params: HashInversionParams, *, rng: np.random.Generator, progress: Progress
) -> RecoveredMapping:
    """Set the game up and invert; raises `MissingInput` or `Cancelled`."""
    game = truth.set_up(evidence, params.reference, params.n, rng, progress)
    if game.largest < 2:
        raise MissingInput("The inversion needs at least two tokens on each side.")
    n = min(params.n, game.largest)
    return RecoveredMapping(game, invert_hashes(game, n, params.make_config(), rng, progress))


def run(
    evidence: Evidence, params: HashInversionParams, *, rng: np.random.Generator, progress: Progress
) -> AttackResult:
    """Invert the hashes and say how many words came back.

    The rate is the accuracy on the matchable set; the baseline, what matching by frequency alone
    gives, or one guess in n if that is more. Where the true words are not known, the rate is the
    share of hashes whose word is nearest to them and they to it: confidence, not accuracy.

    Raises
    ------
    MissingInput
        A reference is wanted and missing, or the release can't be split.
    Cancelled
        Somebody asked to stop.
    """
    found = recover_mapping(evidence, params, rng=rng, progress=progress)
    game, n = found.game, found.outcome.scores[-1].n
    chance = _estimate_chances(evidence, found, params, rng, progress)
    more = _source_table(evidence, game, n, params, rng, progress)
    return build_result(found, params, chance, more, log=evidence.log, progress=progress)


def build_result(
    found: RecoveredMapping,
    params: HashInversionParams,
    chance: Float64s | None,
    more: tables.Shown,
    *,
    log: QueryLog | None,
    progress: Progress,
) -> AttackResult:
    """What an inversion comes to; with a log its tables know whose queries hold the words."""
    game, outcome = found.game, found.outcome
    n = outcome.scores[-1].n
    last = outcome.scores[-1]
    by_rank = score_mapping(game, frequency_start(*outcome.pair.shape), "frequency").accuracy
    bound, perfect = (0, 0), None
    if game.known:
        bound = count_oracle_hits(
            game, outcome.pair, outcome.measure, progress, weight=outcome.weight
        )
        perfect = from_truth(game, outcome, params.make_config(), progress)
    sure = int(np.count_nonzero(report.mutual_nearest(outcome)))
    hits, trials = (last.correct, last.matchable) if game.known else (sure, n)
    shown_tables, figures = _build_tables(log, game, outcome, params, chance)
    more_tables, more_figures = more
    return AttackResult(
        attack=ATTACK.name,
        params=params.to_dict(),
        rate=safe_ratio(hits, trials),
        baseline=max(by_rank, 1.0 / n) if game.known else 1.0 / n,
        interval=wilson_interval(hits, trials),
        counts=(hits, trials),
        rate_label=phrase("tokens recovered, of {trials:,} matchable ones", trials=trials)
        if game.known
        else "hashes and tokens that are each other's nearest",
        values=tuple(report.build_metrics(game, outcome, bound, perfect, by_rank, chance)),
        figures=figures + more_figures,
        tables=shown_tables + more_tables,
        notes=_write_notes(game, outcome, params),
        details=_build_details(game, outcome, bound),
    )


def wants_chances(params: HashInversionParams, game: InversionProblem) -> bool:
    """Whether each pair gets a chance."""
    return params.confidence == "always" or (params.confidence == "unknown" and not game.known)


def _estimate_chances(
    evidence: Evidence,
    found: RecoveredMapping,
    params: HashInversionParams,
    rng: np.random.Generator,
    progress: Progress,
) -> Float64s | None:
    """The chance of each pair, where it is wanted; shape (hashes,)."""
    game, outcome = found.game, found.outcome
    if not wants_chances(params, game):
        return None
    reference = evidence.reference
    if game.split is not None:
        reference = evidence.log.rows(game.split)
    if reference is None:
        return None
    curve = confidence.learn_from_reference(
        reference, outcome.scores[-1].n, params.make_config(), rng, progress
    )
    return curve.estimate_chances(outcome.margin)


def _build_tables(
    log: QueryLog | None,
    game: InversionProblem,
    outcome: InversionOutcome,
    params: HashInversionParams,
    chance: Float64s | None,
) -> tuple[tuple[Table, ...], tuple[Figure, ...]]:
    n = outcome.scores[-1].n
    shown = [report.statistics_table(game, tables.list_sizes(n, min(params.start, n)))]
    figures = [iterations_figure(outcome.scores, game)]
    if game.known:
        shown.append(report.iterations_table(outcome.scores, game))
        figures.append(report.migration_figure(game, n))
        if calibrated := report.draw_confidence(game, outcome):
            shown.append(calibrated[0])
            figures.append(calibrated[1])
        if chance is not None:
            checked = confidence.check_reliability(game, outcome, chance)
            shown.append(checked[0])
            figures.append(checked[1])
        shown.append(report.mismatches_table(log, game, outcome))
    shown.append(report.pairs_table(log, game, outcome, chance))
    return tuple(shown), tuple(figures)


def _source_table(
    evidence: Evidence,
    game: InversionProblem,
    n: int,
    params: HashInversionParams,
    rng: np.random.Generator,
    progress: Progress,
) -> tables.Shown:
    how = dataclasses.replace(params.make_config(), order=False)  # the source's tables know none
    if params.table == "gap":
        return tables.tabulate_gaps(evidence.log, n, how, rng, progress)
    if params.table == "interval":
        return tables.tabulate_intervals(evidence.log, n, how, rng, progress)
    if params.table == "none" or not game.known:
        return (), ()
    return tables.MAKERS[params.table](tables.TableInputs(game, n, how, rng, progress))


def _build_details(
    game: InversionProblem, outcome: InversionOutcome, bound: tuple[int, int]
) -> Mapping[str, Any]:
    """The keys that scripts read."""
    if not game.known:
        return {}
    last = outcome.scores[-1]
    return {
        "accuracy": last.accuracy,
        "matchable": last.matchable,
        "oracle": safe_ratio(*bound),
        "iterations": report.iteration_facts(outcome.scores),
    }


def _write_notes(
    game: InversionProblem, outcome: InversionOutcome, params: HashInversionParams
) -> tuple[str, ...]:
    notes = [f"{size_note(game)[0].upper()}{size_note(game)[1:]}."]
    n = outcome.scores[-1].n
    if n < params.n:
        notes.append(
            phrase("The smaller log has {n:,} distinct tokens, so n was reduced to that.", n=n)
        )
    if outcome.ordered:
        notes.append("The hashes are in a meaningful order, which was used.")
    elif params.scheme == "confident" and params.order == "auto":
        notes.append(
            "The order of the hashes carries no information, so only co-occurrences were used."
        )
    if params.scheme == "continuous" and game.known:
        notes.append(
            sentence("hash_inversion.known_pairs_count_neither", bootstrap=params.bootstrap)
        )
    if params.scheme in ("confident", "iterate") and params.iterations and not outcome.settled:
        notes.append("The mapping was still changing when the updates were used up.")
    if not game.known and params.table not in ("none", "gap", "interval"):
        notes.append("The tables of the source need the true tokens, which are unknown here.")
    return tuple(notes)


ATTACK = Attack(
    name="hash-inversion",
    cost="O(rows) to count and O(n² · neighbours) an update; 4 n² bytes for n words",
    title="Hash inversion",
    criterion="linkability",
    summary=(
        "Recovers tokens from their hashes by comparing co-occurrences with those of a "
        "reference log."
    ),
    source="Kumar, Novak, Pang and Tomkins: On anonymizing query logs via token-based hashing, "
    "WWW 2007",
    params=HashInversionParams,
    run=run,
    applies=("hashes",),
    unfit=truth.why_not,
    without_users=True,
)
