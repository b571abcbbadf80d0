"""Which words are recovered from their hashes, by the words they co-occur with.

Hashing renames words; how often each stands beside which others stays. With any other query log
as a reference, hashes are matched to words whose company looks alike, under the matching so far,
until it settles. Source: Kumar, Novak, Pang and Tomkins, WWW 2007, sections 3 and 4. Cost of
one update at vocabulary size n: the neighbours' neighbours of each hash, plus one matching of
O(n²); memory: one float32 matrix of n².
"""

import dataclasses
from dataclasses import dataclass, fields

import numpy as np

from auditor.arrays import share_of
from auditor.attacks.base import Attack, AttackResult, Evidence
from auditor.attacks.hash_inversion import ground_truth as truth
from auditor.attacks.hash_inversion import report, tables
from auditor.attacks.hash_inversion.ground_truth import InversionProblem
from auditor.attacks.hash_inversion.inversion import (
    Inversion,
    InversionConfig,
    InversionOutcome,
    catalogue,
    count_oracle_hits,
    frequency_start,
    iterations_figure,
    learn_from_reference,
    score_mapping,
    size_note,
)
from auditor.errors import MissingInput
from auditor.log.sentences import sentence
from auditor.messages import phrase
from auditor.params import Params
from auditor.progress import Progress


@dataclass(frozen=True, kw_only=True)
class HashInversionParams(Params, owner="hash-inversion"):
    """How the attacker proceeds, and which of the source's tables is made besides."""

    n: int = 1000
    reference: str = "auto"
    scheme: str = "confident"
    initial: str = "node-start"
    distance: str = "l1"
    order: str = "auto"
    update: str = "score-greedy"
    iterations: int = 20
    start: int = 1000
    alpha: float = 1.0
    beta: float = 1.0
    bootstrap: int = 100
    confidence: str = "unknown"
    table: str = "none"

    def make_config(self) -> InversionConfig:
        """The parameters that say how to invert."""
        shared = {field.name: getattr(self, field.name) for field in fields(InversionConfig)}
        shared["order"] = self.scheme == "confident" and self.order == "auto"
        return InversionConfig(**shared)


def recover_mapping(
    evidence: Evidence, params: HashInversionParams, *, rng: np.random.Generator, progress: Progress
) -> tuple[InversionProblem, InversionOutcome]:
    """Set the game up and invert; raises `MissingInput` or `Cancelled`."""
    game = truth.set_up(evidence, params.reference, params.n, rng, progress)
    if game.largest < 2:
        raise MissingInput("The inversion needs at least two tokens on each side.")
    n = min(params.n, game.largest)
    return game, Inversion(game, params.make_config(), rng, progress).invert(n)


def run(
    evidence: Evidence, params: HashInversionParams, *, rng: np.random.Generator, progress: Progress
) -> AttackResult:
    """Invert the hashes and say how many words came back.

    The rate is the accuracy on the matchable set; the baseline, what matching by frequency alone
    gives, or one guess in n if that is more. Where the true words are not known, the rate is the
    share of hashes whose word is nearest to them and they to it: confidence, not accuracy.

    Raises `MissingInput` if a reference is wanted and missing, or the release can't be split.
    """
    game, outcome = recover_mapping(evidence, params, rng=rng, progress=progress)
    last, config = outcome.scores[-1], params.make_config()
    n = last.n
    chance = None
    # Where the truth is known, the chances of pairs are worked out on demand alone.
    if params.confidence == "always" or (params.confidence == "unknown" and not game.has_truth):
        reference = evidence.reference if game.split is None else evidence.log.rows(game.split)
        if reference is not None:
            curve = learn_from_reference(reference, n, config, rng, progress)
            chance = curve.estimate_chances(outcome.margin)
    source: list[tables.TableOutput] = []
    if params.table != "none" and (game.has_truth or params.table in tables.BY_WINDOW):
        source_config = dataclasses.replace(config, order=False)  # the source knows none
        inputs = tables.TableInputs(game, source_config, rng, progress, n, evidence.log)
        source = [tables.MAKERS[params.table](inputs)]
    by_rank = score_mapping(game, frequency_start(*outcome.pair.shape), "frequency").accuracy
    bound, perfect = (0, 0), None
    if game.has_truth:
        bound = count_oracle_hits(
            game, outcome.pair, outcome.measure, progress, weight=outcome.weight
        )
        perfect = Inversion(game, config, rng, progress).update_truth(outcome)
    mutual = int(np.count_nonzero(outcome.margin > 0))  # each other's nearest, nothing as near
    hits, trials = (last.correct, last.matchable) if game.has_truth else (mutual, n)
    statistics = report.statistics_table(game, report.list_sizes(n, min(params.start, n)))
    output: list[tables.TableOutput] = [(statistics, iterations_figure(outcome.scores, game))]
    if game.has_truth:
        course = report.iterations_table(outcome.scores, game)
        output += [(course, report.migration_figure(game, n))]
        output += report.draw_confidence(game, outcome)
        if chance is not None:
            output.append(report.check_reliability(game, outcome, chance))
        output.append((report.mismatches_table(evidence.log, game, outcome), None))
    output += [(report.pairs_table(evidence.log, game, outcome, chance), None), *source]
    details = {
        "accuracy": last.accuracy,
        "matchable": last.matchable,
        "oracle": share_of(*bound),
        "iterations": [{key: getattr(score, key) for key in _SCORED} for score in outcome.scores],
    }
    return ATTACK.build_result(
        params,
        hits,
        trials,
        baseline=max(by_rank, 1.0 / n) if game.has_truth else 1.0 / n,
        rate_label=phrase("tokens recovered, of {trials:,} matchable ones", trials=trials)
        if game.has_truth
        else "hashes and tokens that are each other's nearest",
        values=tuple(report.build_metrics(game, outcome, bound, perfect, by_rank, chance)),
        figures=tuple(figure for _, figure in output if figure is not None),
        tables=tuple(table for table, _ in output),
        notes=_write_notes(game, outcome, params),
        details=details if game.has_truth else {},
    )


_SCORED = ("stage", "n", "accuracy", "matchable", "top", "bottom", "changed")


def _write_notes(
    game: InversionProblem, outcome: InversionOutcome, params: HashInversionParams
) -> tuple[str, ...]:
    n, sizes = outcome.scores[-1].n, size_note(game)
    notes = [f"{sizes[0].upper()}{sizes[1:]}."]
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
    if params.scheme == "continuous" and game.has_truth:
        notes.append(
            sentence("hash_inversion.known_pairs_count_neither", bootstrap=params.bootstrap)
        )
    if params.scheme in ("confident", "iterate") and params.iterations and not outcome.settled:
        notes.append("The mapping was still changing when the updates were used up.")
    if not game.has_truth and params.table not in ("none", *tables.BY_WINDOW):
        notes.append("The tables of the source need the true tokens, which are unknown here.")
    return tuple(notes)


ATTACK = Attack(
    **catalogue.card,
    criterion="linkability",
    params=HashInversionParams,
    run=run,
    applies=("hashes",),
    unfit=truth.why_not,
    without_users=True,
)
