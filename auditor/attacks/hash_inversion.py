"""Which words come back from their hashes, by the company they keep.

Hashing renames words; how often each stands beside which others stays. With any other query log
as a reference, hashes are matched to words whose company looks alike, under the matching so far,
until it settles. Source: Kumar, Novak, Pang and Tomkins, WWW 2007, sections 3 and 4. Cost of
one update at vocabulary size n: the neighbours' neighbours of each hash, plus one matching of
O(n²); memory: one float32 matrix of n².
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from auditor.attacks import inversion_report as report
from auditor.attacks import inversion_tables as tables
from auditor.attacks import inversion_truth as truth
from auditor.attacks.base import Attack, AttackResult, Evidence
from auditor.attacks.intervals import wilson
from auditor.attacks.inversion_run import Outcome, Settings, from_truth, invert, oracle
from auditor.attacks.inversion_scores import iterations_figure, ratio, score, size_note
from auditor.attacks.inversion_truth import Game
from auditor.attacks.inversion_update import frequency_start
from auditor.errors import MissingInput
from auditor.figures import Figure, Table
from auditor.params import Option, Params, choice, integer, real
from auditor.progress import Progress

_UPDATING = {"scheme": ("confident", "iterate", "expand")}
_SOURCE = {"scheme": ("iterate", "expand")}


@dataclass(frozen=True, kw_only=True)
class HashInversionParams(Params, owner="hash-inversion"):
    """How the attacker proceeds, and which of the source's tables is made besides."""

    n: int = integer(
        1000,
        2,
        65_536,
        label="Vocabulary size (n)",
        unit="words",
        slider=(100, 16_384),
        scale="log",
        ends=("frequent words", "rare words, too"),
        help="How many of the most frequent words are attacked. Rarer words keep less company and "
        "are harder to find. Memory grows with the square: 1 GiB at 16,384.",
    )
    reference: str = choice(
        "auto",
        (
            Option("auto", "the reference log, or other users", "A given file, if there is one."),
            Option("file", "the reference log", "The attacker has another log."),
            Option("earlier", "an earlier period", "The first half of this log's time."),
            Option("users", "other users", "Half of this log's users, drawn at random."),
        ),
        label="Reference",
        help="What the attacker compares with. Where this log is split, the other part alone "
        "counts as hashed.",
    )
    scheme: str = choice(
        "confident",
        (
            Option("confident", "surest first", "Trust the surest pairs first. Finds the most."),
            Option("iterate", "iterate", "The source's own: update all until nothing changes."),
            Option("expand", "expand", "The source's for many words: double with one update each."),
            Option("continuous", "continuous", "The source's from known pairs, one by one."),
        ),
        label="Scheme",
        help="How the mapping grows. Expanding takes less time for many words; the continuous "
        "update begins with pairs that the attacker knows already.",
    )
    initial: str = choice(
        "node-start",
        (
            Option("node-start", "fingerprint", "Five features of frequency and company."),
            Option("frequency", "frequency", "The i-th most frequent to the i-th."),
            Option("random", "random", "Any to any."),
        ),
        label="First mapping",
        help="Where the attacker begins. The fingerprint gets there in the fewest updates.",
        when=_SOURCE,
    )
    distance: str = choice(
        "l1",
        (
            Option("l1", "L1", "The source's own."),
            Option("l2", "L2", "Dominated by frequent neighbours."),
            Option("cosine", "cosine", "Compares directions alone."),
            Option("hellinger", "Hellinger", "Cosine of square roots: rare neighbours weigh more."),
        ),
        label="Distance",
        help="How the company of a hash is compared with that of a word. All but Hellinger are "
        "the source's. Trusting the surest first compares by cosines of cube roots always.",
        when={"scheme": ("iterate", "expand", "continuous")},
    )
    order: str = choice(
        "auto",
        (
            Option("auto", "where it is kept", "Found out from the hashes themselves."),
            Option("ignored", "ignored", "As the source does: company alone."),
        ),
        label="Word order",
        help="Whether the attacker looks at which hash follows which. Hashes that were sorted or "
        "shuffled are seen to be so, and their order is ignored.",
        when={"scheme": ("confident",)},
    )
    update: str = choice(
        "score-greedy",
        (
            Option("score-greedy", "nearest first", "The nearest pair is matched first."),
            Option("min-cost", "least total distance", "The best matching as a whole; slower."),
            Option("rank-greedy", "best ranks first", "By the ranks that both give each other."),
            Option("stable-marriage", "stable marriage", "No two would rather have each other."),
        ),
        label="Update",
        help="How distances become a one-to-one mapping. Stable marriage gives the same as "
        "nearest first, since both sides rank by one distance.",
        when=_UPDATING,
    )
    iterations: int = integer(
        20,
        0,
        200,
        label="Updates at most",
        slider=(0, 30),
        ends=("quick", "thorough"),
        help="Updating stops earlier when the mapping stays as it is. Each update may find more "
        "words, since more of their company is known.",
        when=_UPDATING,
    )
    start: int = integer(
        1000,
        2,
        65_536,
        label="Expansion begins at",
        unit="words",
        slider=(100, 4096),
        scale="log",
        help="The vocabulary that is settled before it is doubled again and again up to n, and "
        "the smallest size in the tables.",
        when={"scheme": ("expand",)},
    )
    alpha: float = real(
        1.0,
        0.0,
        1.0,
        closed="right",
        label="Candidates kept (α)",
        slider=(0.01, 1.0),
        help="Share of the words that each hash considers: those nearest by fingerprint. Less "
        "saves work and loses words whose use differs between the logs.",
        when=_UPDATING,
    )
    beta: float = real(
        1.0,
        0.0,
        1.0,
        closed="right",
        label="Company kept (β)",
        slider=(0.1, 1.0),
        help="Share of each word's co-occurrences that is compared: its most frequent neighbours. "
        "Less saves work and loses telling details.",
    )
    bootstrap: int = integer(
        100,
        0,
        10_000,
        label="Known pairs",
        unit="words",
        slider=(0, 1000),
        help="With the continuous update, how many pairs the attacker knows to begin with: true "
        "ones of frequent words where the auditor knows them, else the best by fingerprint.",
        when={"scheme": ("continuous",)},
    )
    table: str = choice(
        "none",
        (
            Option("none", "none", "The attack alone."),
            Option("fig1", "first mappings", "Figure 1: accuracy by update for each."),
            Option("table1", "updates", "Table 1: the four updates at each vocabulary size."),
            Option("distances", "distances", "How often the nearest word is right."),
            Option("table3", "expansion", "Table 3 and figure 4."),
            Option("experiments", "pruning", "The four experiments on expansion and pruning."),
            Option("gap", "gap", "Table 4: time between the two logs."),
            Option("interval", "interval", "Table 5: length of the two logs."),
        ),
        label="Source's table",
        help="Makes one of the source's tables on this log besides. Gap and interval cut both "
        "logs out of the raw one by time.",
    )

    def settings(self) -> Settings:
        """The parameters that say how to invert."""
        return Settings(
            initial=self.initial,  # type: ignore[arg-type]
            distance=self.distance,  # type: ignore[arg-type]
            update=self.update,
            scheme=self.scheme,  # type: ignore[arg-type]
            iterations=self.iterations,
            start=self.start,
            alpha=self.alpha,
            beta=self.beta,
            bootstrap=self.bootstrap,
            order=self.scheme == "confident" and self.order == "auto",
        )


@dataclass(frozen=True, eq=False)
class Recovered:
    """An inversion with both sides: what other attacks read the recovered words from."""

    game: Game
    outcome: Outcome


def recover(
    evidence: Evidence,
    params: HashInversionParams,
    *,
    rng: np.random.Generator,
    progress: Progress,
) -> Recovered:
    """Set the game up and invert; raises `MissingInput` or `Cancelled`."""
    game = truth.set_up(evidence, params.reference, params.n, rng, progress)
    if game.largest < 2:
        raise MissingInput("The inversion needs two words at least on either side.")
    n = min(params.n, game.largest)
    return Recovered(game, invert(game, n, params.settings(), rng, progress))


def run(
    evidence: Evidence,
    params: HashInversionParams,
    *,
    rng: np.random.Generator,
    progress: Progress,
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
    found = recover(evidence, params, rng=rng, progress=progress)
    game, outcome = found.game, found.outcome
    n = outcome.scores[-1].n
    last = outcome.scores[-1]
    by_rank = score(game, frequency_start(*outcome.pair.shape), "frequency").accuracy
    bound, perfect = (0, 0), None
    if game.known:
        bound = oracle(game, outcome.pair, outcome.measure, progress, weight=outcome.weight)
        perfect = from_truth(game, outcome, params.settings(), progress)
    sure = int(np.count_nonzero(report.agreement(outcome)))
    hits, trials = (last.correct, last.matchable) if game.known else (sure, n)
    shown_tables, figures = _shown(game, outcome, params)
    more_tables, more_figures = _source_table(evidence, game, n, params, rng, progress)
    return AttackResult(
        attack=ATTACK.name,
        params=params.to_dict(),
        rate=ratio(hits, trials),
        baseline=max(by_rank, 1.0 / n) if game.known else 1.0 / n,
        interval=wilson(hits, trials),
        rate_label=f"words of {trials:,} matchable found again"
        if game.known
        else "hashes and words that are each other's nearest",
        values=tuple(report.values(game, outcome, bound, perfect, by_rank)),
        figures=figures + more_figures,
        tables=shown_tables + more_tables,
        notes=_notes(game, outcome, params),
        details=_details(game, outcome, bound),
    )


def _shown(
    game: Game, outcome: Outcome, params: HashInversionParams
) -> tuple[tuple[Table, ...], tuple[Figure, ...]]:
    n = outcome.scores[-1].n
    shown = [report.statistics_table(game, tables.sizes(n, min(params.start, n)))]
    figures = []
    if game.known:
        shown.append(report.iterations_table(outcome.scores, game))
        figures.append(iterations_figure(outcome.scores, game))
        figures.append(report.migration_figure(game, n))
        if calibrated := report.confidence(game, outcome):
            shown.append(calibrated[0])
            figures.append(calibrated[1])
        shown.append(report.mismatches_table(game, outcome))
    shown.append(report.pairs_table(game, outcome))
    return tuple(shown), tuple(figures)


def _source_table(
    evidence: Evidence,
    game: Game,
    n: int,
    params: HashInversionParams,
    rng: np.random.Generator,
    progress: Progress,
) -> tables.Shown:
    if params.table == "gap":
        return tables.gaps(evidence.log, n, params.settings(), rng, progress)
    if params.table == "interval":
        return tables.intervals(evidence.log, n, params.settings(), rng, progress)
    if params.table == "none" or not game.known:
        return (), ()
    return tables.MAKERS[params.table](game, n, params.settings(), rng, progress)


def _details(game: Game, outcome: Outcome, bound: tuple[int, int]) -> Mapping[str, Any]:
    """The keys that scripts read."""
    if not game.known:
        return {}
    last = outcome.scores[-1]
    return {
        "accuracy": last.accuracy,
        "matchable": last.matchable,
        "oracle": ratio(*bound),
        "iterations": report.iteration_facts(outcome.scores),
    }


def _notes(game: Game, outcome: Outcome, params: HashInversionParams) -> tuple[str, ...]:
    notes = [f"{size_note(game)[0].upper()}{size_note(game)[1:]}."]
    n = outcome.scores[-1].n
    if n < params.n:
        notes.append(f"The smaller log has {n:,} different words, so n was cut to that.")
    if outcome.ordered:
        notes.append("The hashes stand in an order that means something, and it was used.")
    elif params.scheme == "confident" and params.order == "auto":
        notes.append("The order of the hashes means nothing, so company alone was used.")
    if params.scheme == "continuous" and game.known:
        notes.append(
            f"The {params.bootstrap:,} known pairs count neither as found nor as matchable."
        )
    if params.scheme in ("confident", "iterate") and params.iterations and not outcome.settled:
        notes.append("The mapping was still changing when the updates were used up.")
    if not game.known and params.table not in ("none", "gap", "interval"):
        notes.append("The source's tables need the true words, which nobody knows here.")
    return tuple(notes)


class _HashInversion(Attack):
    """Says why there is nothing to invert."""

    def why_not(self, evidence: Evidence) -> str:
        return truth.why_not(evidence)


ATTACK = _HashInversion(
    name="hash-inversion",
    title="Hash inversion",
    summary="Finds the words behind hashes again by how often each stands beside which others.",
    source="Kumar, Novak, Pang and Tomkins: On anonymizing query logs via token-based hashing, "
    "WWW 2007",
    params=HashInversionParams,
    run=run,
)
