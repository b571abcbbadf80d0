"""SafeLog's parameters, for both modes, and what follows from them alone."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from auditor.methods.noisy_counts.histograms import ContributionLimits, CountingUnit
from auditor.methods.noisy_counts.period_units import periods_field, unit_field
from auditor.methods.suppression import suppress_field
from auditor.params import ParamInterval, ParamOption, Params, choice, flag, integer, path, real

ENDS = ("more private", "more useful")
USUAL_EPSILON = ParamInterval(0.001, 100.0, "both")
USUAL_DELTA = ParamInterval(0.0, 0.1, "right")


def epsilon_field(
    help: str, *, label: str = "Wanted ε", bounds: ParamInterval = USUAL_EPSILON
) -> Any:
    """The ε of a release, by default 2."""
    return real(
        2.0,
        bounds.low,
        bounds.high,
        closed=bounds.closed,
        label=label,
        help=help,
        slider=(0.1, 20.0),
        scale="log",
        ends=ENDS,
    )


def delta_field(
    help: str, *, label: str = "Failure probability (δ)", bounds: ParamInterval = USUAL_DELTA
) -> Any:
    """The δ of a release, by default a millionth."""
    return real(
        1e-6,
        bounds.low,
        bounds.high,
        closed=bounds.closed,
        label=label,
        help=help,
        slider=(1e-12, 1e-2),
        scale="log",
        ends=ENDS,
    )


PUBLISHED = {"mode": ("published",)}
STRICT = {"mode": ("strict",)}

UNITS = (
    ParamOption("rows", "rows", "Every row counts: a query with three clicks counts three times."),
    ParamOption("events", "events", "Every distinct (user, query, time) counts once."),
    ParamOption(
        "users", "users", ("Every user counts once per query, however often they issued it.")
    ),
)

MORE_PRIVATE, MORE_USEFUL = "more private", "more useful"


def noise_scale(default: float, *, label: str, help: str, **more: Any) -> Any:
    """A scale of Laplace noise; the wider the noise, the less is known of one user."""
    return real(
        default,
        0.01,
        1_000_000.0,
        label=label,
        help=help,
        unit="counts",
        slider=(0.5, 500.0),
        scale="log",
        ends=(MORE_USEFUL, MORE_PRIVATE),
        **more,
    )


def user_limit(default: int, *, label: str, help: str, unit: str, **more: Any) -> Any:
    """How much of one user counts; the less, the less a release can say of them."""
    return integer(
        default,
        1,
        100_000,
        label=label,
        help=help,
        unit=unit,
        slider=(1, 500),
        scale="log",
        ends=(MORE_PRIVATE, MORE_USEFUL),
        **more,
    )


def threshold_parameter(
    *, label: str, help: str, optional: str, slider: tuple[int, int], **more: Any
) -> Any:
    """A noisy count that must be reached, or none where it is solved for."""
    return integer(
        None,
        1,
        1_000_000_000,
        label=label,
        help=help,
        unit="counts",
        slider=slider,
        scale="log",
        ends=(MORE_USEFUL, MORE_PRIVATE),
        optional=optional,
        **more,
    )


@dataclass(frozen=True, kw_only=True)
class SafeLogParams(Params, owner="safelog"):
    """What Algorithm 1 takes, and what the strict variant takes in its place."""

    mode: str = choice(
        "strict",
        (
            ParamOption(
                "strict",
                "strict",
                "Limits users independently of each other, thresholds everything that can leak, "
                "and states an (ε, δ) that holds.",
            ),
            ParamOption(
                "published",
                "as published",
                "Algorithm 1 as printed, with everything its theorem leaves out shown.",
            ),
        ),
        label="Mode",
        help="Strict gives every user a guarantee that holds; published reproduces the "
        "source, whose printed ε does not hold for the users of a real log.",
    )
    tau: int = integer(
        5,
        1,
        100_000,
        label="Minimum frequency (τ)",
        help="Drops queries that are rarer than this before contributions are limited. This "
        "hides rare queries, but one user can raise a query to τ and so change what "
        "other users contribute.",
        unit="counts",
        slider=(1, 1_000),
        scale="log",
        ends=(MORE_USEFUL, "fewer rare queries"),
        when=PUBLISHED,
    )
    q_f: int = user_limit(
        10,
        label="Queries counted per user (q_f)",
        help="Counts at most this many queries of every user, the first ones. ε grows in "
        "proportion.",
        unit="queries",
    )
    c_f: int = user_limit(
        10,
        label="Clicks counted per user (c_f)",
        help="Counts at most this many clicks of every user, the first ones. ε grows in "
        "proportion.",
        unit="clicks",
        when={"clicks": (True,)},
    )
    b: float = noise_scale(
        5.0,
        label="Noise scale of the selection (b)",
        help="Scale of the noise on a query's count when it is decided whether to release "
        "it. More noise hides each user better, needs a higher K, and releases fewer "
        "queries.",
    )
    K: int | None = threshold_parameter(
        label="Release threshold for queries (K)",
        help="A query is released if its noisy count reaches K. A higher K withholds queries "
        "that few users issued; with a low K a single user's query can be released.",
        optional="solved from δ",
        slider=(2, 5_000),
    )
    delta: float = real(
        1e-6,
        0.0,
        1.0,
        closed="neither",
        label="Failure probability (δ)",
        help="The probability that a query or click of a single user is released. Thresholds "
        "that are not set are computed from it. Keep it far below one divided by the "
        "number of users.",
        slider=(1e-12, 1e-2),
        scale="log",
        ends=(MORE_PRIVATE, MORE_USEFUL),
    )
    b_q: float = noise_scale(
        5.0,
        label="Noise scale of query counts (b_q)",
        help="Scale of the second noise, on the counts of the released queries. Strict mode "
        "uses one draw for both, which costs less.",
        when=PUBLISHED,
    )
    clicks: bool = flag(
        True,
        label="Release clicks",
        help="Whether to release how often which page was clicked for a released query. "
        "Without the clicks, nothing of ε and δ is spent on them.",
    )
    b_c: float = noise_scale(
        5.0,
        label="Noise scale of click counts (b_c)",
        help="Scale of the noise on every click count. More noise hides better whether a user "
        "clicked a page.",
        when={"clicks": (True,)},
    )
    K_c: int | None = threshold_parameter(
        label="Release threshold for clicks (K_c)",
        help="A page is released with a query if its noisy click count reaches K_c, so that "
        "a page that only one user clicked stays hidden except with probability δ.",
        optional="solved from δ",
        slider=(2, 5_000),
        when={"mode": ("strict",), "clicks": (True,)},
    )
    transitions: bool = flag(
        True,
        label="Release transitions",
        help="Whether to release how often one released query followed another in a user's "
        "history. Without them, nothing of ε is spent on them.",
    )
    b_t: float = noise_scale(
        5.0,
        label="Noise scale of transition counts (b_t)",
        help="Scale of the noise on every transition count. More noise hides better whether "
        "a user issued one query after another.",
        when={"transitions": (True,)},
    )
    K_t: int | None = threshold_parameter(
        label="Release threshold for transitions (K_t)",
        help="Noise is added to every pair of released queries, including pairs that never "
        "occurred; a pair is released if its noisy count reaches K_t. This costs no "
        "privacy.",
        optional="so that about one released pair never happened",
        slider=(2, 5_000),
        when={"mode": ("strict",), "transitions": (True,)},
    )
    unit: str = choice(
        "events",
        UNITS,
        label="Counting unit",
        help="What is counted for a query. Strict mode always counts distinct users, so that "
        "no user can raise a query to K alone.",
        when=PUBLISHED,
    )
    pool: str = choice(
        "none",
        (
            ParamOption("none", "none", "Only queries of this log can be released."),
            ParamOption("file", "list from a file", "Queries from any list, one a line."),
            ParamOption("reference", "another period's log", "The queries of another log file."),
            ParamOption(
                "n-grams",
                "English n-grams",
                "Two frequent English n-grams that end in a noun, drawn independently and joined.",
            ),
        ),
        label="Query pool",
        help="Queries from another source, added with a count of 0; those that pass K by "
        "noise are released as decoys, so a released query need not be anybody's.",
    )
    pool_file: Path | None = path(
        label="Pool file",
        help="The list, or the log of another period, that the pool is read from. Never take "
        "it from the log that is being released.",
        when={"pool": ("file", "reference")},
    )
    pool_size: int = integer(
        1_000_000,
        1,
        1_000_000_000_000,
        label="Pool size",
        help="How many random pairs of n-grams the pool holds. More of them give more decoys "
        "among the released queries; they take neither memory nor time.",
        unit="queries",
        slider=(1_000, 1_000_000_000),
        scale="log",
        when={"pool": ("n-grams",)},
    )
    p_g: float = real(
        1.0,
        0.0,
        1.0,
        label="Declared pool probability (p_g)",
        help="The probability, in the source's theorem, that any possible query is in the "
        "pool. It is declared, not measured: no finite pool gives every query a "
        "probability above 0.",
        slider=(1e-6, 1.0),
        scale="log",
        ends=("honest", "as in the source"),
        when=PUBLISHED,
    )
    protected_unit: str = unit_field()
    periods: int | None = periods_field("protected_unit")
    suppress: str = suppress_field()

    @property
    def limits(self) -> ContributionLimits:
        """How users are limited, and what counts, in the chosen mode."""
        if self.mode == "strict":
            return ContributionLimits(CountingUnit.USERS, self.q_f, self.c_f)
        return ContributionLimits(CountingUnit(self.unit), self.q_f, self.c_f, self.tau)
