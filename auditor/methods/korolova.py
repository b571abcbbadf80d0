"""Korolova et al. 2009: noisy query counts above a threshold, without pool and without τ.

Source: Korolova, Kenthapadi, Mishra & Ntoulas, "Releasing search queries and clicks privately",
WWW 2009; the baseline of SafeLog. Limit every user to q_f queries and c_f clicks; keep a query if
M(q) + X ≥ K, X of scale b; release M(q) + X', X' of scale b_q; for the pages that a *public*
result list shows for a released query, release clicks plus noise of scale b_c, zeros included.

ε = q_f·ln α + q_f/b_q + c_f/b_c with p_g = 1, and δ = (q_f/2)·e^((q_f − K)/b) as printed for
continuous noise. The noise here is the discrete Laplace; its exact δ (`accounting.threshold_delta`)
is stated, the printed one stands beside it.

Which pages a search engine showed can't be seen in a log of clicks. So clicks go out only for a
list of results from elsewhere; releasing the pages that were clicked is offered for comparison,
and the statement says that it voids the guarantee. Cost: O(rows) for two passes.
"""

import functools
import io
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from auditor.bounded_files import UnfitFile, read_text
from auditor.errors import LogFormatError, MissingInput
from auditor.figures import Figure
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import QueryLog, Vocabulary
from auditor.messages import NumberText, as_phrase, phrase
from auditor.methods import statements as words
from auditor.methods.base import Method, ParameterSolver
from auditor.methods.faults import list_faults
from auditor.methods.noisy_counts import counting, counting_plan, outlook
from auditor.methods.noisy_counts.counting_plan import (
    CountingMethod,
    CountingPlan,
    NoiseRule,
    ReleaseFigures,
)
from auditor.methods.noisy_counts.grouped_queries import NO_GROUPS, check_queries_alone
from auditor.methods.noisy_counts.histograms import (
    ContributionLimits,
    CountingUnit,
    PairCounts,
    ReleasedQueries,
)
from auditor.methods.setting_families import PassingLaw, SettingFamily, limit_scale
from auditor.params import Params
from auditor.privacy import accounting
from auditor.privacy.statement import Assumption, Statement, Term, assume
from auditor.progress import Progress


@dataclass(frozen=True, kw_only=True)
class KorolovaParams(Params, owner="korolova"):
    """The source's parameters; names as in SafeLog."""

    q_f: int = 10
    c_f: int = 10
    b: float = 5.0
    K: int | None = None
    delta: float = 1e-6
    b_q: float = 5.0
    clicks: str = "none"
    results: Path | None = None
    b_c: float = 5.0
    counting_unit: str = "events"
    protected_unit: str = "history"
    periods: int | None = None
    group_by: str = NO_GROUPS
    suppress: str = "nothing"

    def check(self) -> None:
        """Refuse clicks, which have no group, beside queries by group."""
        check_queries_alone(self, releases_queries_alone=self.clicks == "none")

    @property
    def once(self) -> bool:
        """Whether a user counts at most once a query."""
        return self.counting_unit == "users"


def least_count(params: KorolovaParams) -> int:
    """K as set, or the least with the wanted δ under integer noise."""
    if params.K is not None:
        return params.K
    return accounting.threshold_for_delta(params.q_f, params.delta, params.b, once=params.once)


def epsilon_terms(params: KorolovaParams) -> tuple[Term, ...]:
    """The summands of ε with α as printed, and the exact δ of the selection's integer noise.

    α = max(e^(1/b), 1 + 1/(2e^((K − 1)/b) − 1)) is the source's, for continuous noise. With integer
    noise ε holds as well: counts that both logs have differ by q_f in all, which costs q_f/b and
    no more (`privacy.accounting`), q_f·ln α is at least that, and δ covers both directions for
    queries of one user alone.
    """
    least = least_count(params)
    delta = accounting.threshold_delta(params.q_f, least, params.b, once=params.once)
    log_alpha = accounting.log_alpha(least, params.b)
    terms = [
        Term.of_budget(
            "selection", params.q_f * log_alpha, delta, "q_f·ln α; exact δ of the threshold"
        ),
        Term.of_budget("query counts", params.q_f / params.b_q, 0.0, "q_f/b_q"),
    ]
    if params.clicks != "none":
        terms.append(Term.of_budget("clicks", params.c_f / params.b_c, 0.0, "c_f/b_c"))
    return tuple(terms)


def _plan(params: KorolovaParams) -> CountingPlan:
    listed = params.clicks == "results"
    return CountingPlan(
        limits=ContributionLimits(CountingUnit(params.counting_unit), params.q_f, params.c_f),
        queries=NoiseRule(params.b, least_count(params), second_scale=params.b_q),
        clicks=NoiseRule(params.b_c) if params.clicks != "none" else None,
        list_pages=functools.partial(list_pages, params.results) if listed else None,
        local_parameters=("clicks",) if listed else (),
    )


LARGEST = 1 << 28
"""Bytes of a file of public results, once unpacked."""


def read_results(
    file: Path | None, queries: Vocabulary, progress: Progress
) -> tuple[list[tuple[int, int]], Vocabulary]:
    """Pairs (place of a released query, page) of the public list, without repetitions."""
    if file is None:
        raise MissingInput("Clicks on public results need the file of these: give results.")
    place = {text: index for index, text in enumerate(queries.list_strings())}
    pages: dict[str, int] = {}
    pairs: dict[tuple[int, int], None] = {}
    progress.stage("reading public results")
    try:
        lines = io.StringIO(read_text(file, LARGEST))
    except UnfitFile as error:
        raise LogFormatError(
            phrase("The public results can't be read: it is {error}.", error=error.reason),
            path=file,
        ) from None
    for number, line in enumerate(lines, 1):
        if number % 10_000 == 0:
            progress.check()
        query, tab, page = line.rstrip("\r\n").partition("\t")
        page = page.strip()  # an address has no blanks around it
        if not tab or not page:
            raise LogFormatError(
                "Public results need a query, a tab and a page on every line.",
                path=file,
                line=number,
            )
        if query in place:
            pairs[place[query], pages.setdefault(page, len(pages))] = None
    return list(pairs), Vocabulary.of(pages)


def list_pages(
    file: Path | None,
    log: QueryLog,
    pairs: PairCounts,
    queries: ReleasedQueries,
    progress: Progress,
) -> tuple[PairCounts, Vocabulary]:
    """The counts of the pairs of the public list, 0 where nobody clicked, and its pages."""
    listed, pages = read_results(file, queries.queries, progress)
    cells = np.array(listed, dtype=np.int64).reshape(-1, 2)
    code = log.urls.match(pages)[pairs.second] if len(pairs) else np.zeros(0, np.int32)
    known = np.flatnonzero(code >= 0)
    _, clicked, place = np.intersect1d(
        pairs.first[known] * len(pages) + code[known],
        cells[:, 0] * len(pages) + cells[:, 1],
        assume_unique=True,
        return_indices=True,
    )
    count = np.zeros(len(cells), dtype=np.int64)
    count[place] = pairs.count[known[clicked]]
    return PairCounts(cells[:, 0], cells[:, 1], count, pairs.total), pages


def statement_of(params: KorolovaParams, figures: ReleaseFigures) -> Statement:
    """The (ε, δ) of a release, and what it rests on."""
    least = least_count(params)
    parts = epsilon_terms(params)
    epsilon = math.fsum(term.epsilon for term in parts)
    delta = min(1.0, parts[0].delta)
    printed = accounting.printed_delta(params.q_f, least, params.b, once=params.once)
    claim = phrase(
        words.PRINTED_CLAIM,
        epsilon=NumberText(f"{epsilon:.4g}"),
        delta=words.format_number(delta),
        printed=words.format_number(printed),
    )
    if params.clicks == "observed":
        claim += " The click table voids this: no noise hides that a released pair was clicked."
    unit_phrase = "different queries" if params.once else "queries, repeated ones too,"
    return words.state_history(
        epsilon,
        delta,
        terms=parts,
        limits=phrase(
            "the first {q_f:,} {what} and {c_f:,} clicks of each user",
            q_f=params.q_f,
            what=as_phrase(unit_phrase),
            c_f=params.c_f,
        ),
        once=params.once,
        users=figures.users,
        noise=words.secure_noise(figures.secure),
        measured={"K": float(least), "printed_delta": printed},
        first=() if params.clicks == "none" else (_public_pages(params, figures.changes),),
        claim=claim,
    )


def _public_pages(params: KorolovaParams, changes: dict[str, int]) -> Assumption:
    observed = params.clicks == "observed"
    pairs = changes.get("click_pairs_released", 0)
    evidence = phrase("{pairs:,} (query, page) pairs", pairs=pairs)
    evidence += " that users clicked" if observed else " of a list, whether clicked or not"
    clicked = changes.get("listed_pairs_clicked")
    from_clicks = clicked is not None and clicked == pairs >= 20  # of many, some never are
    if clicked is not None:
        evidence += phrase("; {clicked:,} of them were clicked in this log", clicked=clicked)
        evidence += ", so the list was taken from its clicks" if from_clicks else ""
    return assume(
        "korolova.pages_are_public", "fails" if observed or from_clicks else "unknown", evidence
    )


COUNTING = CountingMethod(
    _plan,
    statement_of,
    list_turning=lambda params: (
        ("K", "delta", "b", "q_f") if params.K is None else ("K", "b", "q_f")
    ),
)


def curves(params: KorolovaParams, users: int) -> tuple[Figure, ...]:
    """ε over b with its turning point, δ over K."""
    least = least_count(params)
    other_epsilon = math.fsum(term.epsilon for term in epsilon_terms(params)[1:])
    return (
        outlook.epsilon_over_b(
            lambda b: params.q_f * accounting.log_alpha(least, b) + other_epsilon,
            params.b,
            accounting.turning_point(least),
        ),
        outlook.delta_over_threshold(
            lambda K: accounting.threshold_delta(params.q_f, K, params.b, once=params.once),
            least,
            users,
        ),
    )


def b_from_epsilon(params: KorolovaParams, epsilon: float, _users: int) -> KorolovaParams:
    """The least b with which ε is at most `epsilon`."""
    other_epsilon = math.fsum(term.epsilon for term in epsilon_terms(params)[1:])
    # A K that is solved from δ rises with b, so only α's first part can bind.
    b = accounting.b_for_epsilon(
        epsilon, q_f=params.q_f, K=params.K or 1e12, other_epsilon=other_epsilon
    )
    return params.replace(b=b)


def K_from_delta(params: KorolovaParams, delta: float, _users: int) -> KorolovaParams:
    """The least K with which δ is at most `delta`."""
    return params.replace(K=least_count(params.replace(K=None, delta=delta)))


def passing_law(params: KorolovaParams) -> PassingLaw | None:
    """The threshold, where users are counted."""
    if not params.once:
        return None
    return PassingLaw.of_threshold(params.q_f, params.b, least_count(params))


def _make_setting(q_f: int, epsilon: float, delta: float, *, part: float) -> KorolovaParams:
    """A setting that gives the selection this part of ε, and the counts the rest."""
    return KorolovaParams(
        q_f=q_f,
        c_f=1,
        b=limit_scale(q_f / (part * epsilon)),
        b_q=limit_scale(q_f / ((1 - part) * epsilon)),
        delta=delta,
        counting_unit="users",
    )


METHOD = Method(
    **MetricCatalogue("methods", "korolova").card,
    **counting.build_fields(COUNTING),
    params=KorolovaParams,
    curves=curves,
    solvers=(
        ParameterSolver("b", "epsilon", "b from a wanted ε", b_from_epsilon),
        ParameterSolver("K", "delta", "K from a wanted δ", K_from_delta),
    ),
    main=("q_f", "b", "K", "clicks", "b_q"),
    families=(  # never chosen privately: they draw twice what SafeLog draws once
        SettingFamily("most for the selection", "q_f", functools.partial(_make_setting, part=0.9)),
        SettingFamily("half for the counts", "q_f", functools.partial(_make_setting, part=0.5)),
    ),
    law=passing_law,
    faults=list_faults(
        {"q_f": 1, "b": 2.0, "b_q": 2.0, "delta": 0.01, "clicks": "none"},
        f"{__name__}:least_count",
        module=counting.__name__,
        places=tuple(f"{counting_plan.__name__}:{n}" for n in ("passing_positions", "add_noise")),
        name="K",
    ),
)
