"""n-grams: runs of words that many users' queries share, found length by length under (ε, δ).

Source: Kim, Gopi, Kulkarni and Yekhanin: Differentially private n-gram extraction, NeurIPS 2021.
Theirs is that n-grams are found length by length, that candidates of a length are those whose two
parts of one word less were released, and that the noise of all lengths is composed. Of its formulas
this is a reading of our own, on whole numbers: see `budget` for what is drawn and for the proof,
which any fault is ours in. One thing differs by choice: the paper lets candidates that nobody
issued pass by their noise, too, and lowers the threshold in return; here every length has a
threshold for what one user alone has, and every released n-gram stands in a query of the log.

Released n-grams are no queries. With each stands its noisy weight, which is no number of users.

Cost: O(rows · words of a query) a length, O(words of distinct queries) memory, and one draw of
noise for every candidate that somebody gives weight, about 10 µs each from the secure sampler.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from auditor.arrays import Int64s
from auditor.figures import SHARE, Axis, Figure, MetricValue, PlotMark, Series, Table
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import QueryLog, Vocabulary
from auditor.messages import as_phrase, phrase
from auditor.methods import statements as words
from auditor.methods.base import ExpectedRelease, Method
from auditor.methods.explanation.explanation import Explanation, ExplanationRequest
from auditor.methods.faults import Fault, scale_budget, weaken_noise
from auditor.methods.n_grams.chances import (
    ExpectedLength,
    NgramNoise,
    NgramParams,
    WordSequences,
    derive_noise,
    iterate_lengths,
)
from auditor.methods.noisy_counts.explain import in_words
from auditor.methods.noisy_counts.period_units import (
    expect_by_period,
    explain_by_period,
    run_by_period,
)
from auditor.privacy import gaussian
from auditor.privacy.composition import NoiseLaw
from auditor.privacy.randomness import Randomness
from auditor.privacy.release import Anonymized, Product, Tables
from auditor.privacy.statement import Statement, Term
from auditor.progress import Progress

describe_metric = MetricCatalogue("methods", "n_grams")

MOST_LISTED = 20
"""Words of a text whose n-grams are looked at one by one."""


def run(log: QueryLog, params: NgramParams, *, rng: Randomness, progress: Progress) -> Product:
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
        there = np.flatnonzero(total)
        progress.stage(phrase("drawing noise, length {length}", length=length), len(there))
        noisy = total[there] + rng.discrete_gaussian(derived.sigma, len(there), progress)
        passed = noisy >= derived.threshold
        new = there[passed]
        texts += source.write_texts(candidates, new)
        weights.append(noisy[passed])
        released = np.zeros(candidates.known, dtype=np.bool_)
        released[new] = True
        candidates = candidates.keep(released)
        sizes[f"candidates_of_length_{length}"] = len(there)
        sizes[f"released_of_length_{length}"] = len(new)
    return Product(
        content=_arrange_tables(texts, np.concatenate(weights)),
        statement=_build_statement(params, derived, len(log.users), rng.secure),
        changes={"rows": len(log), "ngrams_released": len(texts)} | sizes,
    )


def _arrange_tables(texts: list[str], noisy: Int64s) -> Tables:
    """The n-grams by falling weight in whole users, 1 at least, then by text."""
    import pyarrow as pa
    import pyarrow.compute as pc

    weight = np.maximum((noisy + gaussian.GRID // 2) // gaussian.GRID, 1)
    table = pa.table({"weight": weight, "text": pa.array(texts, pa.large_string())})
    order = pc.sort_indices(table, [("weight", "descending"), ("text", "ascending")]).to_numpy()
    order = order.astype(np.int64)
    ngrams = Vocabulary.of([texts[place] for place in order.tolist()])
    return Tables(queries=ngrams, query_count=weight[order], ngrams=True)


def _build_statement(
    params: NgramParams, derived: NgramNoise, users: int, secure: bool
) -> Statement:
    return words.state_history(
        params.epsilon,
        derived.delta,
        terms=(
            Term(
                "noise",
                params.epsilon,
                derived.delta - params.delta / 2,
                phrase("ρ = {rho:.4g} of all lengths together, as an (ε, δ)", rho=derived.rho),
                NoiseLaw("gaussian", rho=derived.rho),
            ),
            Term.of_budget(
                "thresholds",
                0.0,
                params.delta / 2,
                phrase(
                    "an n-gram of one user alone passes, δ/{parts} for each of {lengths} lengths",
                    parts=2 * params.longest,
                    lengths=params.longest,
                ),
            ),
        ),
        limits=phrase(
            "the first {q_f:,} distinct candidates of each length of each user, whose "
            "weights have an ℓ2 norm of at most 1 for each length, determined by their "
            "own queries and the n-grams released before",
            q_f=params.q_f,
        ),
        users=users,
        noise=words.secure_noise(secure, "discrete Gaussian (Canonne, Kamath and Steinke)"),
        measured={
            "rho": derived.rho,
            "sigma_of_weights": derived.sigma / gaussian.GRID,
            "threshold": derived.threshold / gaussian.GRID,
        },
        beside=phrase(
            " What is released are runs of up to {longest} words that stand in queries: no "
            "queries, and with noisy weights, which are no numbers of users.",
            longest=params.longest,
        ),
    )


def estimate_release(
    log: QueryLog, params: NgramParams, *, scale: float, progress: Progress
) -> ExpectedRelease:
    """About how many n-grams of each length are released; costs what a run does without noise.

    An n-gram of c sampled users (one in s) is taken for one of 1 + s(c − 1) users, and stands for
    s·c ÷ that many n-grams.
    """
    derived = derive_noise(params)
    source = WordSequences(log, progress)
    lengths = list(iterate_lengths(source, params, scale, progress))
    sizes = [_expect_size(found, scale) for found in lengths]
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
    values.append(
        describe_metric("expected.words_share", source.expect_words_share(lengths[0].chance))
    )
    values.append(describe_metric("expected.noise", derived.sigma / gaussian.GRID))
    return ExpectedRelease(
        statement=_build_statement(params, derived, round(len(log.users) * scale), True),
        values=tuple(values),
        note=note,
    )


def _expect_size(found: ExpectedLength, scale: float) -> float:
    users = found.users
    whole = np.where(users > 0, 1 + scale * (users - 1), 0.0)
    stands = np.divide(scale * users, whole, out=np.zeros(len(users)), where=whole > 0)
    return float(found.chance @ stands)


def curves(params: NgramParams, users: int) -> tuple[Figure, ...]:
    """How many users an n-gram needs to reach its threshold, over ε."""
    del users
    grid = np.geomspace(min(0.1, params.epsilon), max(20.0, params.epsilon), 24)
    settings = [derive_noise(params.replace(epsilon=float(epsilon))) for epsilon in grid]
    alone = np.array([found.threshold / gaussian.GRID for found in settings])
    return (
        Figure(
            name="users-needed",
            title="Users that an n-gram needs, over ε",
            x=Axis("wanted ε", scale="log"),
            y=Axis("users", scale="log"),
            series=(
                Series("who have no other candidate", grid, alone),
                Series(
                    phrase("who have {q_f:,} candidates", q_f=params.q_f),
                    grid,
                    alone * math.sqrt(params.q_f),
                ),
            ),
            marks=(PlotMark("x", params.epsilon, f"ε = {params.epsilon:.4g}", "current"),),
        ),
    )


def explain(
    log: QueryLog,
    params: NgramParams,
    asked: ExplanationRequest,
    *,
    release: Anonymized,
    progress: Progress,
) -> Explanation:
    """What is expected of the n-grams of the text, and of all of it where it is short enough.

    Costs what a run does. A text that nobody issued as a query can be an n-gram of others.
    """
    del release
    typed = asked.text.split()
    derived, source = derive_noise(params), WordSequences(log, progress)
    codes = source.words.vocabulary.find(typed)
    rows: list[list[str | int | float]] = []
    users, weight, chance, needed = 0, 0.0, 0.0, derived.threshold / gaussian.GRID
    for found in iterate_lengths(source, params, 1.0, progress):
        length = found.candidates.length
        for start in range(min(len(typed), MOST_LISTED) - length + 1):
            part = source.find_ngram(found.candidates, codes[start : start + length])
            users, weight, chance = found.describe(part)
            text = " ".join(typed[start : start + length])
            rows.append([text, users, weight, needed, chance])
        if length == len(typed):
            break
    if not 1 <= len(typed) <= params.longest:
        users, chance = 0, 0.0
    return Explanation(
        outcome=_explain_text(params, len(typed), users, weight, needed, chance),
        chance=chance,
        values=(
            describe_metric("limited_users", float(users), q_f=params.q_f),
            describe_metric("scale", derived.sigma / gaussian.GRID),
        ),
        tables=(
            Table(
                name="ngrams",
                title="Its n-grams",
                columns=("n-gram", "users", "weight", "threshold", "chance"),
                rows=rows,
                note="Of a candidate; one whose parts are hardly ever released has no weight. "
                "A user's weights have an ℓ2 norm of 1 at most for each length.",
                private=True,
                units=(*[""] * 4, SHARE),
            ),
        ),
        notes=("Which shorter n-grams are released is taken as the likely case.",),
    )


def _explain_text(
    params: NgramParams, length: int, users: int, weight: float, needed: float, chance: float
) -> str:
    if not length:
        return "It has no words, so it is no n-gram."
    if length > params.longest:
        return phrase(
            "It has {length:,} words, and n-grams of at most {longest} are released: of it, only "
            "parts can be.",
            length=length,
            longest=params.longest,
        )
    if not users:
        return "No user counts for it as an n-gram, so it has no weight and can't be released."
    return phrase(
        "{users:,} users count for it and give it a weight of {weight:.4g}, and the threshold is "
        "{needed:.4g}: it {chance}.",
        users=users,
        weight=weight,
        needed=needed,
        chance=as_phrase(in_words(chance)),
    )


_BUDGET = f"{__name__}:derive_noise"
_AUDITED = {"q_f": 2, "epsilon": 2.0, "delta": 0.01, "longest": 2}
_AUDITED_RARE = _AUDITED | {"delta": 1e-3}


def _widen_limit(weigh: Any) -> Any:
    return lambda source, candidates, most, progress: weigh(source, candidates, 4 * most, progress)


METHOD = Method(
    name="n-grams",
    cost="O(rows · words of a query) a length, and noise for every candidate",
    title="n-grams",
    summary="Releases runs of words that many users' queries share, though not the queries "
    "themselves, length by length under (ε, δ), with noisy weights.",
    source="Kim, Gopi, Kulkarni and Yekhanin: Differentially private n-gram extraction "
    "(NeurIPS 2021)",
    params=NgramParams,
    yields="tables",
    randomised=True,
    run=run_by_period(run),
    outlook=expect_by_period(estimate_release),
    curves=curves,
    explain=explain_by_period(explain),
    hides="n-grams",
    guarantee="Differential privacy for each user's whole history (ε, δ).",
    weakness="No queries come out, no clicks, and no numbers of users.",
    main=("epsilon", "delta", "longest", "q_f", "unit"),
    faults=(
        weaken_noise(_AUDITED, 2),
        weaken_noise(_AUDITED, 4),
        scale_budget("threshold × 0.7", "threshold", _AUDITED_RARE, _BUDGET, 0.7, "threshold"),
        Fault(
            name="limit of n-grams × 4",
            kind="limit",
            values=_AUDITED,
            places=("auditor.methods.n_grams.chances:WordSequences.weigh",),
            change=_widen_limit,
        ),
    ),
)
