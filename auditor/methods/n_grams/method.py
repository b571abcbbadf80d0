"""n-grams: runs of words that many users' queries share, found length by length under (ε, δ).

Source: Kim, Gopi, Kulkarni and Yekhanin: Differentially private n-gram extraction, NeurIPS 2021.
Theirs is that n-grams are found length by length, that candidates of a length are those whose two
parts of one word less were released, and that the noise of all lengths is composed. Of its formulas
this is a reading of our own, on whole numbers: see below for what is drawn and for the proof,
which any fault is ours in. One thing differs by choice: the paper lets candidates that nobody
issued pass by their noise, too, and lowers the threshold in return; here every length has a
threshold for what one user alone has, and every released n-gram stands in a query of the log.

Released n-grams are no queries. With each stands its noisy weight, which is no number of users.

Cost: O(rows · words of a query) a length, O(words of distinct queries) memory, and one draw of
noise for every candidate that somebody gives weight, about 10 µs each from the secure sampler.

How likely each n-gram is released, without a run.

The sums of length 1 follow from the log. An n-gram of n + 1 words is a candidate if both of its
parts of n words were released; these share their middle, so that the chance is that of the first
times that of the second given the middle. Noise is taken as independent beyond that, and what users
give to candidates as its mean over which others there are. So lengths from 2 on are estimates.

The candidates of each length: where they stand in queries, and what users give them.

Everything is done on the codes of words of distinct queries; rows are read to weigh alone.

What is wanted of n-grams, and how (ε, δ) is spent on the lengths; the proof.

**The method.** The candidates of length 1 are all words; those of length n + 1 are the runs of
n + 1 words both of whose runs of n words were released. A user with t ≥ 1 candidates of a length
among the first q_f of their history gives ⌊G/√t⌋ to each, G = 2²⁰. Every n-gram that was given
weight gets a discrete Gaussian of scale σ_n, and is released with the sum if that reaches the whole
number T_n, which `gaussian.union_threshold` finds so that a user whose t ≤ q_f n-grams nobody else
gives weight shows any of them with a chance of δ_n at most.

**Claim.** With ρ_n = G²/2σ_n², ρ = Σ ρ_n and δ₀ = `gaussian.delta_of(ρ, ε)`, all lengths together
are (ε, δ₀ + Σ δ_n) between a log D and D', which is D and one user v more, both ways round.

**Proof.** Let U be the n-grams of D (of all lengths), and Z = (Z_1, …, Z_L) the noisy sums of
*every* n-gram of D', those without weight included. Which are candidates of length n + 1 shall be
decided by f(Z_1), …, f(Z_n), where f takes what is in U and reaches the threshold. Given Z_1, …,
Z_{n−1}, the candidates are the same in D and D', each user's part depends on their own history
and the candidates alone, and v adds ⌊G/√t⌋ to t sums: an ℓ2 of G at most. So Z_n costs ρ_n of
concentrated differential privacy, and Z costs ρ (composition where each part depends on earlier
ones: Bun and Steinke 2016); Z of D and of D' are (ε, δ₀) from each other, both ways round.

With D the method's output is f(Z): an n-gram outside U gets no weight there. Let A be that no
n-gram outside U reaches its threshold. On A the output with D' is f(Z), too. With D' an n-gram
outside U has weight of v alone, ⌊G/√t⌋ where v has t candidates, and there are t of these at most:
given all before, one passes with a chance of δ_n. With D its weight is 0, and the chance no larger.
So P[not A] ≤ Σ δ_n in both, and for every set S of outputs

    P'(S) ≤ P'(f ∈ S, A) + Σ δ_n ≤ e^ε P(f ∈ S) + δ₀ + Σ δ_n = e^ε P(S) + δ₀ + Σ δ_n,
    P(S) ≤ P(f ∈ S, A) + Σ δ_n ≤ e^ε P'(f ∈ S, A) + δ₀ + Σ δ_n ≤ e^ε P'(S) + δ₀ + Σ δ_n. ∎

The sums are part of f, so that releasing them costs nothing more. They are no numbers of users: a
user gives 1 to a single n-gram, and 1/√t to each of t.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from auditor.arrays import Bools, Float64s, Int32s, Int64s
from auditor.figures import MetricValue
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import NONE, QueryLog, Vocabulary
from auditor.log.sentences import sentence
from auditor.log.text import TokenizedQueries, tokenize_strings
from auditor.messages import as_phrase, phrase
from auditor.methods import statements as words
from auditor.methods.base import ExpectedRelease, Method, SparkSupport
from auditor.methods.explanation.explanation import Explanation, ExplanationRequest
from auditor.methods.faults import Fault, scale_budget, weaken_noise
from auditor.methods.k_theta_affinity.affinity import lengthen_runs
from auditor.methods.k_theta_affinity.kernels import QueryRuns
from auditor.methods.n_grams import kernels
from auditor.methods.noisy_counts import outlook
from auditor.methods.noisy_counts.counting import in_words
from auditor.methods.noisy_counts.expectations import extrapolate_users
from auditor.methods.noisy_counts.histograms import order_by_text
from auditor.params import Params
from auditor.privacy import count_error, gaussian
from auditor.privacy.randomness import Randomness
from auditor.privacy.release import NGRAMS, Product, Tables
from auditor.privacy.statement import Statement
from auditor.progress import Progress


@dataclass(frozen=True, kw_only=True)
class NGramsParams(Params, owner="n-grams"):
    """What is wanted, how long n-grams become, and how much of each user counts."""

    epsilon: float = 2.0
    delta: float = 1e-06
    longest: int = 3
    q_f: int = 50
    protected_unit: str = "history"
    periods: int | None = None
    suppress: str = "nothing"


@dataclass(frozen=True)
class NgramNoise:
    """Noise and threshold of every length in steps of 1/`gaussian.GRID`, and what all cost."""

    sigma: float
    threshold: int
    rho: float
    delta: float


@functools.lru_cache(maxsize=256)
def derive_noise(params: NGramsParams) -> NgramNoise:
    """Spend (ε, δ/2) on noise and δ/2 on thresholds, the same for each length; O(q_f).

    Lengths share alike: with half of it for the first, and half of the rest for the next, and so
    on, more words are found and fewer pairs, and with the reverse fewer of both.
    """
    rho = gaussian.rho_for(params.epsilon, params.delta / 2)
    sigma = float(gaussian.GRID / math.sqrt(2 * rho / params.longest))
    threshold = gaussian.union_threshold(sigma, params.delta / 2 / params.longest, params.q_f)
    delta = gaussian.delta_of(rho, params.epsilon) + params.delta / 2
    return NgramNoise(sigma, threshold, rho, min(1.0, delta))


BLOCK_ROWS = 1 << 20


@dataclass(frozen=True, eq=False)
class Candidates:
    """The candidates of one length in the distinct queries of a log."""

    length: int  # words of each
    # Where each occurrence begins among the words of all queries, ascending; shape (m,).
    positions: Int64s
    # The number of the n-gram there, by first appearance, −1 where it is none (any more).
    codes: Int32s
    total: int  # how many n-grams there are

    def find_first(self) -> Int64s:
        """The place in `positions` at which each n-gram stands first; shape (total,)."""
        first = np.full(self.total, -1, dtype=np.int64)
        candidate_positions = np.flatnonzero(self.codes >= 0)[::-1]
        first[self.codes[candidate_positions]] = candidate_positions
        return first

    def keep(self, is_kept: Bools) -> Candidates:
        """The same, with no code where an n-gram isn't kept."""
        keep = self.codes >= 0
        keep[keep] = is_kept[self.codes[keep]]
        codes = np.where(keep, self.codes, np.int32(-1))
        return Candidates(self.length, self.positions, codes, self.total)


class WordSequences:
    """The words of a log's distinct queries, from which candidates are cut; O(bytes)."""

    def __init__(self, log: QueryLog, progress: Progress) -> None:
        self.log = log
        self.words: TokenizedQueries = tokenize_strings(log.queries, progress)
        owners = self.words.find_owners().astype(np.int32)
        zero = np.zeros(1, dtype=np.int64)
        self._runs = QueryRuns(self.words.codes, owners, zero, self.words.offsets)

    def list_words(self) -> Candidates:
        """The candidates of length 1: all words."""
        positions = np.arange(len(self.words.codes), dtype=np.int64)
        return Candidates(1, positions, self.words.codes, len(self.words.vocabulary))

    def lengthen(self, shorter: Candidates, progress: Progress) -> Candidates:
        """Runs of one word more, both of whose shorter runs have a code; O(occurrences)."""
        length = shorter.length + 1
        positions, codes, total = lengthen_runs(
            self._runs, shorter.positions, shorter.codes, length, progress
        )
        return Candidates(length, positions, codes, total)

    def write_texts(self, candidates: Candidates, ngrams: Int64s) -> list[str]:
        """The n-grams as text, words with one blank between them."""
        starts = candidates.positions[candidates.find_first()[ngrams]]
        spans = starts[:, None] + np.arange(candidates.length)
        codes, place = np.unique(self.words.codes[spans], return_inverse=True)
        words = self.words.vocabulary.list_strings(codes.astype(np.int64))
        rows = place.reshape(spans.shape)
        return [" ".join(words[int(index)] for index in row) for row in rows]

    def find_ngram(self, candidates: Candidates, codes: Int32s) -> int:
        """The number of the n-gram of these words' codes, −1 if it is no candidate; O(m)."""
        matches = np.flatnonzero(candidates.codes >= 0)
        for place, word in enumerate(codes.tolist()):
            matches = matches[self.words.codes[candidates.positions[matches] + place] == word]
        return int(candidates.codes[matches[0]]) if len(matches) and len(codes) else NONE

    def weigh(self, candidates: Candidates, size_limit: int, progress: Progress) -> Int64s:
        """What users give each n-gram, in steps of 1/`gaussian.GRID`; shape (total,).

        O(rows · words of a query); 12 bytes an n-gram and 8 a distinct query.
        """
        total = np.zeros(candidates.total, dtype=np.int64)
        weight = gaussian.item_weights(size_limit)
        mark, own_codes = (
            np.full(candidates.total, -1, dtype=np.int32),
            np.empty(size_limit, dtype=np.int32),
        )
        histories = self._gather_histories(candidates)
        for first, last in self._blocks(progress):
            kernels.weigh_ngrams(histories, first, last, weight, mark, own_codes, total)
        return total

    def expect_weights(
        self, candidates: Candidates, chances: Float64s, size_limit: int, progress: Progress
    ) -> tuple[Float64s, Int64s]:
        """What users are expected to give each n-gram that is a candidate, and how many do.

        `chances` are those to be a candidate; all of shape (total,). A single n-gram gets 1.
        """
        total = np.zeros(candidates.total)
        users = np.zeros(candidates.total, dtype=np.int64)
        mark = np.full(candidates.total, -1, dtype=np.int32)
        histories = self._gather_histories(candidates)
        for first, last in self._blocks(progress):
            kernels.expect_weights(histories, first, last, chances, size_limit, total, users, mark)
        return total, users

    def _blocks(self, progress: Progress) -> Iterator[tuple[int, int]]:
        return progress.whole_blocks("weighing n-grams", self.log.user_starts, BLOCK_ROWS)

    def _gather_histories(self, candidates: Candidates) -> kernels.NgramHistories:
        places = np.searchsorted(candidates.positions, self.words.offsets).astype(np.int64)
        codes = candidates.codes.view()
        codes.flags.writeable = False  # as those of words are: the kernel is compiled once
        return kernels.NgramHistories(self.log.query, self.log.user_starts, places, codes)


LEAST = 1e-6
"""N-grams less likely than this are taken for never released."""


@dataclass(frozen=True, eq=False)
class ExpectedLength:
    """What is expected of the n-grams of one length; arrays of shape (total,)."""

    candidates: Candidates  # where they stand
    chance: Float64s  # that of being released
    total: Float64s  # what its users are expected to give it if it is a candidate, in users
    users: Int64s  # users who count for it, as many as there are in the log at hand


def iterate_lengths(
    source: WordSequences, params: NGramsParams, scale: float, progress: Progress
) -> Iterator[ExpectedLength]:
    """What is expected of each length in a log of `scale` times the users; the costs of a run.

    An n-gram of c sampled users is taken for one of 1 + `scale`·(c − 1) users.
    """
    from scipy.special import ndtr

    derived = derive_noise(params)
    candidates, may = source.list_words(), np.ones(len(source.words.vocabulary))
    parts: ExpectedLength | None = None
    middles: ExpectedLength | None = None
    for _ in range(params.longest):
        if parts is not None:
            candidates = source.lengthen(parts.candidates.keep(parts.chance >= LEAST), progress)
            may = _chance_to_be_candidate(candidates, parts, middles)
        total, users = source.expect_weights(candidates, may, params.q_f, progress)
        full_users, _ = extrapolate_users(users, scale)
        total *= np.divide(full_users, users, out=np.zeros(len(total)), where=users > 0)
        steps = (total * gaussian.GRID - (derived.threshold - 0.5)) / derived.sigma
        chance: Float64s = np.where(users > 0, may * ndtr(steps), 0.0)
        middles, parts = parts, ExpectedLength(candidates, chance, total, users)
        yield parts


def _chance_to_be_candidate(
    longer: Candidates, parts: ExpectedLength, middles: ExpectedLength | None
) -> Float64s:
    """The chance that both parts of each n-gram were released; shape (longer.total,)."""
    starts = longer.positions[longer.find_first()]
    first = _codes_at(parts.candidates, starts)
    second = _codes_at(parts.candidates, starts + 1)
    both = parts.chance[first] * parts.chance[second]
    if middles is not None:
        middle = _codes_at(middles.candidates, starts + 1)
        both /= np.maximum(middles.chance[middle], LEAST)
    may: Float64s = np.where(first == second, parts.chance[first], both)
    return np.minimum(may, 1.0)


def _codes_at(candidates: Candidates, positions: Int64s) -> Int64s:
    place = np.searchsorted(candidates.positions, positions)
    return candidates.codes[place].astype(np.int64)


describe_metric = MetricCatalogue("methods", "n_grams")


def run(log: QueryLog, params: NGramsParams, *, rng: Randomness, progress: Progress) -> Product:
    """Release the n-grams whose noisy weight reaches the threshold of their length."""
    progress.check()
    derived = derive_noise(params)
    source = WordSequences(log, progress)
    candidates = source.list_words()
    texts: list[str] = []
    weights: list[Int64s] = []
    sizes: dict[str, int] = {}
    for length in range(1, params.longest + 1):
        if length > 1:
            candidates = source.lengthen(candidates, progress)
        total = source.weigh(candidates, params.q_f, progress)
        weighed = np.flatnonzero(total)
        progress.stage(phrase("drawing noise, length {length}", length=length), len(weighed))
        passed, noisy = draw_weights(total[weighed], derived, rng, progress)
        new = weighed[passed]
        texts += source.write_texts(candidates, new)
        weights.append(noisy)
        released = np.zeros(candidates.total, dtype=np.bool_)
        released[new] = True
        candidates = candidates.keep(released)
        sizes[f"candidates_of_length_{length}"] = len(weighed)
        sizes[f"released_of_length_{length}"] = len(new)
    # By falling weight in whole users, then by text.
    ngrams, weight = Vocabulary.of(texts), round_weights(np.concatenate(weights))
    order = order_by_text(ngrams, -weight)
    return Product(
        content=Tables(queries=ngrams.take(order), query_count=weight[order], ngrams=True),
        statement=build_statement(params, derived, len(log.users), rng.secure),
        changes={"rows": len(log), "ngrams_released": len(texts)} | sizes,
    )


def draw_weights(
    weights: Int64s, derived: NgramNoise, rng: Randomness, progress: Progress
) -> tuple[Int64s, Int64s]:
    """Which of these weights, none of them 0, are released, and their noisy values."""
    noisy = weights + rng.discrete_gaussian(derived.sigma, len(weights), progress)
    passed = np.flatnonzero(noisy >= derived.threshold)
    return passed, noisy[passed]


def round_weights(noisy: Int64s) -> Int64s:
    """Noisy weights in whole users, 1 at least."""
    return np.maximum((noisy + gaussian.GRID // 2) // gaussian.GRID, 1)


def build_statement(
    params: NGramsParams, derived: NgramNoise, users: int, secure: bool
) -> Statement:
    return words.state_history(
        params.epsilon,
        derived.delta,
        terms=words.gaussian_terms(
            params.epsilon,
            params.delta,
            derived.delta,
            derived.rho,
            phrase("ρ = {rho:.4g} of all lengths together, as an (ε, δ)", rho=derived.rho),
            sentence(
                "n_grams.gram_user_alone_passes", parts=2 * params.longest, lengths=params.longest
            ),
        ),
        limits=sentence("n_grams.first_distinct_candidates_length", q_f=params.q_f),
        users=users,
        noise=words.secure_noise(secure, "discrete Gaussian (Canonne, Kamath and Steinke)"),
        measured={
            "rho": derived.rho,
            "sigma_of_weights": derived.sigma / gaussian.GRID,
            "threshold": derived.threshold / gaussian.GRID,
        },
        claim_note=sentence("n_grams.released_runs_words_stand", longest=params.longest),
    )


def estimate_release(
    log: QueryLog, params: NGramsParams, *, scale: float, progress: Progress
) -> ExpectedRelease:
    """About how many n-grams of each length are released; costs what a run does without noise.

    An n-gram of c sampled users (one in s) is taken for one of 1 + s(c − 1) users, and stands for
    s·c ÷ that many n-grams.
    """
    derived = derive_noise(params)
    source = WordSequences(log, progress)
    lengths = list(iterate_lengths(source, params, scale, progress))
    sizes = [float(level.chance @ extrapolate_users(level.users, scale)[1]) for level in lengths]
    note = ""
    if sum(sizes) < 1:
        note = (
            "Hardly any n-gram of this log will be found: take a higher ε or a log of more users."
        )
    values = [describe_metric("expected.ngrams", math.fsum(sizes))]
    values += [
        MetricValue(
            f"expected.length_{length}",
            phrase("of {length} words", length=length) if length > 1 else "of 1 word",
            size,
            help="Of these, the n-grams of this length.",
            better="higher",
        )
        for length, size in enumerate(sizes, start=1)
    ]
    occurrences = source.words.count_occurrences(log.searches_by_query)
    share = float(occurrences @ lengths[0].chance) / max(1, int(occurrences.sum()))
    values.append(describe_metric("expected.words_share", share))
    values.append(describe_metric("expected.noise", derived.sigma / gaussian.GRID))
    return ExpectedRelease(
        statement=build_statement(params, derived, round(len(log.users) * scale), True),
        values=tuple(values),
        note=note,
    )


def explain(request: ExplanationRequest, params: NGramsParams, progress: Progress) -> Explanation:
    """What is expected of the n-grams of the text, and of all of it where it is short enough.

    Costs what a run does. A text that nobody issued as a query can be an n-gram of others.
    """
    typed = request.text.split()
    derived, source = derive_noise(params), WordSequences(request.log, progress)
    codes = source.words.vocabulary.find(typed)
    rows: list[list[str | int | float]] = []
    users, weight, chance, needed_weight = 0, 0.0, 0.0, derived.threshold / gaussian.GRID
    for level in iterate_lengths(source, params, 1.0, progress):
        length = level.candidates.length
        for start in range(min(len(typed), 20) - length + 1):
            part = source.find_ngram(level.candidates, codes[start : start + length])
            users, weight, chance = 0, 0.0, 0.0
            if part != NONE:
                users, weight = int(level.users[part]), float(level.total[part])
                chance = float(level.chance[part])
            text = " ".join(typed[start : start + length])
            rows.append([text, users, weight, needed_weight, chance])
        if length == len(typed):
            break
    if not 1 <= len(typed) <= params.longest:
        users, chance = 0, 0.0
    return Explanation(
        outcome=_explain_text(params, len(typed), users, weight, needed_weight, chance),
        chance=chance,
        values=(
            describe_metric("limited_users", float(users), q_f=params.q_f),
            describe_metric("scale", derived.sigma / gaussian.GRID),
        ),
        tables=(describe_metric.table("ngrams", rows),),
        notes=("Which shorter n-grams are released is taken as the likely case.",),
    )


def _explain_text(
    params: NGramsParams, length: int, users: int, weight: float, least: float, chance: float
) -> str:
    if not length:
        return "It has no words, so it is no n-gram."
    if length > params.longest:
        return sentence("n_grams.words_grams_released_parts", length=length, longest=params.longest)
    if not users:
        return "No user counts for it as an n-gram, so it has no weight and can't be released."
    return sentence(
        "n_grams.users_count_give_weight",
        users=users,
        weight=weight,
        needed=least,
        chance=as_phrase(in_words(chance)),
    )


_BUDGET = f"{__name__}:derive_noise"
_AUDITED = {"q_f": 2, "epsilon": 2.0, "delta": 0.01, "longest": 2}
_AUDITED_RARE = _AUDITED | {"delta": 1e-3}


METHOD = Method(
    **describe_metric.card,
    params=NGramsParams,
    yields="tables",
    randomised=True,
    run=run,
    spark=SparkSupport("sets.release_ngrams"),
    outlook=estimate_release,
    curves=lambda params, _users: (
        outlook.users_needed(
            describe_metric,
            params,
            lambda other: derive_noise(other).threshold / gaussian.GRID,
            ("who have no other candidate", phrase("who have {q_f:,} candidates", q_f=params.q_f)),
        ),
    ),
    explain=explain,
    hides="n-grams",
    main=("epsilon", "delta", "longest", "q_f", "protected_unit"),
    errors=lambda params: {
        NGRAMS: count_error.of_gaussian(derive_noise(params).sigma / gaussian.GRID)
    },
    faults=(
        weaken_noise(_AUDITED, 2),
        weaken_noise(_AUDITED, 4),
        scale_budget("threshold × 0.7", "threshold", _AUDITED_RARE, _BUDGET, 0.7, "threshold"),
        Fault(
            name="limit of n-grams × 4",
            kind="limit",
            values=_AUDITED,
            places=("auditor.methods.n_grams.method:WordSequences.weigh",),
            change=lambda weigh: (
                lambda source, candidates, most, *args: weigh(source, candidates, 4 * most, *args)
            ),
        ),
    ),
)
