"""What every method is: parameters, one `run`, and what can be said before it runs."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NoReturn

from auditor.errors import MissingInput, ParameterError
from auditor.figures import Figure, MetricValue
from auditor.log.columns import list_public
from auditor.log.model import QueryLog
from auditor.log.sentences import sentence
from auditor.messages import as_phrase, phrase
from auditor.methods.explanation.explanation import Explanation, ExplanationRequest
from auditor.methods.faults import Fault
from auditor.methods.noisy_counts.grouped_queries import (
    NO_GROUPS,
    group_column,
    mark_pairs,
    name_pairs,
    note_group,
    pair_queries,
    request_pair,
    split_pairs,
    state_pairs,
)
from auditor.methods.noisy_counts.period_units import (
    HISTORY,
    privacy_unit,
    split_by_period,
    state_period,
)
from auditor.methods.released_ids import DROP
from auditor.methods.setting_families import LawOf, SettingFamily, WeightLawOf
from auditor.methods.suppression import ExpectedContent, StringMarks
from auditor.methods.time_granularity import (
    BUNDLE,
    GROUP,
    RECORD,
    RELEASE,
    TimeFacts,
    expect_times,
    state_times,
    with_coarse_times,
)
from auditor.params import Params
from auditor.privacy.blank_queries import CHANGE, drop_blank_rows, drop_released_blank_rows
from auditor.privacy.noise import Randomness
from auditor.privacy.release import CELLS, UNKNOWN, Product, ReleaseForm
from auditor.privacy.release_times import EXACT
from auditor.privacy.statement import Statement
from auditor.progress import Progress

if TYPE_CHECKING:
    from auditor.methods.noisy_counts.counting_plan import CountingMethod
    from auditor.methods.threshold_cells.rule import CellRule


@dataclass(frozen=True, eq=False, kw_only=True)
class ExpectedRelease:
    """What a setting is expected to give and to cost, without noise having been drawn.

    `values` are expectations over the noise, computed from the log that is given (a sample of
    whole users when the log is large). `figures` are the method's own plots for that log. `note`
    says in words what a steward should know before running it, such as that nothing will be
    left; it holds no query text.

    ``delayed(progress)`` gives a fuller outlook of the same setting, whose plots have more points;
    None when this is all. It is called while nothing else is asked for, and cancelled when
    something is, so it answers a cancel soon and keeps what it has found for the next call.

    ``expect_without(marks)`` gives `values` and `figures` without the strings that a setting
    suppresses after the noise; None where they can't be told apart. What these hold is not left out
    yet.

    `units` is how many days, weeks or months of users the whole log has, where one is protected.
    """

    statement: Statement
    values: tuple[MetricValue, ...] = ()
    figures: tuple[Figure, ...] = ()
    note: str = ""
    delayed: Callable[[Progress], ExpectedRelease] | None = None
    expect_without: Callable[[StringMarks], ExpectedContent] | None = None
    units: int | None = None

    def state_times(self, facts: TimeFacts) -> ExpectedRelease:
        """The same, and whatever fuller one follows, with what is said of times."""
        delayed_outlook = self.delayed
        return dataclasses.replace(
            self,
            statement=state_times(self.statement, facts),
            delayed=None
            if delayed_outlook is None
            else (lambda progress: delayed_outlook(progress).state_times(facts)),
        )

    def scale_searches(self, part: float) -> ExpectedRelease:
        """The same for a log of which this part of the rows was looked at."""

        def scale_values(values: tuple[MetricValue, ...]) -> tuple[MetricValue, ...]:
            return tuple(
                dataclasses.replace(metric, value=metric.value * part)
                if metric.name == "expected.searches_share"
                else metric
                for metric in values
            )

        def scale_without(marks: StringMarks) -> ExpectedContent:
            assert self.expect_without is not None
            values, figures = self.expect_without(marks)
            return scale_values(values), figures

        scaled_alternative = None if self.expect_without is None else scale_without
        return dataclasses.replace(
            self, values=scale_values(self.values), expect_without=scaled_alternative
        )


MethodFunction = Callable[..., Product]
"""``run(log, params, rng=…, progress=…)``: the method itself, without I/O or state."""
OutlookFunction = Callable[..., ExpectedRelease]
"""``outlook(log, params, scale=…, progress=…)``: the analytic expectation.

`scale` is users of the whole log ÷ users of `log` (1.0 when `log` is the whole), so that a sample's
expectations can be stated for the whole.
"""
ExplainFunction = Callable[[ExplanationRequest, Any, Progress], Explanation]
"""``explain(request, params, progress)``: why one query is kept or dropped.

The request's release is one that was made of its log under `params`. What comes back is for those
who hold the log: see `explanation`.
"""


@dataclass(frozen=True, eq=False)
class Recheck:
    """What of a release, a log or tables, can be looked up in the log that it was made from.

    ``find_contradiction(log, released, params, progress)`` says what is wrong, empty where nothing
    is; then `holds` is what was found.
    """

    holds: str
    find_contradiction: Callable[[QueryLog, Any, Any, Progress], str]


@dataclass(frozen=True)
class SparkSupport:
    """How a method runs on Spark that has neither a counting plan nor a rule of cells."""

    # ``module.function`` within `engine.backends.spark.methods`, imported when it is asked for.
    function: str
    # Parameters that few methods follow there: see `engine.backends.spark.job.check_intent`.
    follows: tuple[str, ...] = ()
    placed: bool = False  # whether released rows keep the place of the row of the log that they are


_PREPARED = "is_given_what_a_method_may_see"
"""Attribute of a `run` that drops blank rows and columns before it calls the method's: that `run`,
since decorators hand attributes on."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Method:
    """One anonymizer as the registry, the command line and the window know it."""

    # name, title, summary: command-line name, that of its parameters; heading; one sentence saying
    # what it does to whom
    name: str = ""
    title: str
    summary: str
    source: str  # where it is published
    params: type[Params]  # its parameters' class
    yields: Literal["log", "tables"]  # whether a release is a log or tables
    randomised: bool  # whether `run` draws noise that the guarantee rests on
    run: MethodFunction
    cost: str = ""  # what a run takes, in rows, users and whatever else it grows with
    # Expectations on a log, or None where only running tells.
    outlook: OutlookFunction | None = None
    # Plots that need the parameters and the number of users alone; microseconds.
    curves: Callable[[Any, int], tuple[Figure, ...]] | None = None
    solvers: tuple[ParameterSolver, ...] = ()
    # Why a query stands in a release or doesn't, and what would change that.
    explain: ExplainFunction | None = None
    # Its plan, if it counts, draws noise and compares with a threshold: Spark carries that out.
    counting: CountingMethod | None = None
    # Its rule, if it releases cells that enough users are in: Spark follows that, too.
    cells: CellRule | None = None
    # How it runs on Spark, if neither of these two says so; None where it doesn't run there.
    spark: SparkSupport | None = None
    without_users: bool = False  # whether it says something of a set of queries without users
    # Name of the definition of anonymity (`privacy.verification`) that its releases fulfil.
    definition: str = ""
    recheck: Recheck | None = None  # what else of a released log can be held against its log
    # Whether memory grows with distinct strings, users and what is released, not with rows, so that
    # a log in working files can be larger than memory.
    streams: bool = False
    # Whether it hides users among others of a group: how times hide them then shows only when it
    # has run.
    grouped: bool = False
    # guarantee, weakness: for the card that it is chosen by: what is guaranteed, in one line, and
    # one weakness that is known of it
    guarantee: str = ""
    weakness: str = ""
    # Names of the five parameters at most that matter; the others are for experts. Empty where all
    # of them matter.
    main: tuple[str, ...] = ()
    dated: bool = False  # whether its tables have one by date
    # The columns beside a log, by name, that it is shown where the log has them; it is shown no
    # others, unless its parameter `columns` keeps all that may be released.
    reads: tuple[str, ...] = ()
    folds: bool = False  # whether its releases have queries in lower case, with single blanks
    # Whether released times are those of no search, but of a whole group, say.
    rewrites_times: bool = False
    # What a release by it has in place of readable words, of users, or of queries.
    hides: Literal["", "hashes", "bundles", "n-grams"] = ""
    # Of a method with an ε: kinds of settings along one number, among which a search compares.
    families: tuple[SettingFamily, ...] = ()
    # What its noise lets pass, where that follows from numbers of users alone.
    law: LawOf | None = None
    # The same where each user shares a weight among their queries.
    weight_law: WeightLawOf | None = None
    # Of a method without: whole numbers along which it hides more and keeps less.
    strictness: tuple[str, ...] = ()
    exchanges: bool = False  # whether its ε is of one user in the place of another
    # How far 95 % of the counts of each file are at most from what was counted, by parameters
    # alone; where it has a `counting` plan, that says so.
    errors: Callable[[Any], Mapping[str, int]] | None = None
    # What may be wrong in a method with ε, for the audit of ε to find: see `REQUIRED_KINDS`.
    faults: tuple[Fault, ...] = ()

    @property
    def measured_kind(self) -> Literal["log", "tables", "n-grams"]:
        """By what measures know its releases."""
        return "n-grams" if self.hides == "n-grams" else self.yields

    @property
    def form(self) -> ReleaseForm:
        """The form of its releases, which decides which attacks apply."""
        return self.hides or self.yields

    def find_errors(self, params: Any) -> Mapping[str, int]:
        """How far 95 % of noisy counts are at most from what was counted, by file; else empty."""
        errors: Mapping[str, int] = {} if self.errors is None else self.errors(params)
        if self.counting is not None:
            errors = self.counting.plan(params).errors
        return errors if group_column(params) == NO_GROUPS else {CELLS: max(errors.values())}

    def check_size(self, params: Any, users: int) -> None:
        """Raise `ParameterError` where a log of so many users has too few for the setting."""
        if self.grouped:
            check_group_size(params.k, users)

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", self.name or self.params.owner)
        # The one place where blank rows are dropped, histories cut into the periods that are
        # protected, and a released log's times made coarser.
        if getattr(self.run, _PREPARED, None) is self.run:  # copied by `dataclasses.replace`
            return
        object.__setattr__(self, "run", self._prepare_run(self.run))
        if self.outlook is not None:
            object.__setattr__(self, "outlook", self._prepare_outlook(self.outlook))
        if self.explain is not None:
            object.__setattr__(self, "explain", self._prepare_explain(self.explain))

    def _find_periods(self, params: Any) -> tuple[str, int | None]:
        """What counts as one user, and how many of a user's; dated tables cut by themselves."""
        unit = HISTORY if self.dated else privacy_unit(params)
        return unit, getattr(params, "periods", None)

    def find_times(self, params: Any) -> str | None:
        """What is to be left of times; None where there are none, or the method hid them itself."""
        times: str | None = getattr(params, "times", None) if self.yields == "log" else None
        hidden = getattr(params, "clock", "kept") != "kept"
        return None if hidden and times == EXACT else times

    def _find_pool(self, params: Any) -> str:
        """Among whose searches times are exchanged where they are shuffled."""
        if self.grouped:
            return GROUP
        ids = getattr(params, "ids", getattr(params, "users", ""))
        return BUNDLE if self.form == "bundles" else RELEASE if ids.startswith(DROP) else RECORD

    def _prepare_run(self, run: MethodFunction) -> MethodFunction:
        @functools.wraps(run)
        def run_prepared(
            log: QueryLog, params: Any, *, rng: Randomness, progress: Progress
        ) -> Product:
            clean_log = drop_blank_rows(log, progress)
            # What a method doesn't see, it can't release.
            keeps_columns = getattr(params, "columns", "drop") == "keep"
            public = list_public(clean_log.attributes) if keeps_columns else ()
            visible = clean_log.keep_attributes([*self.reads, *public])
            by = group_column(params)
            if by != NO_GROUPS:
                visible, has_column = pair_queries(clean_log, by)
            unit, most_periods = self._find_periods(params)
            cut = split_by_period(visible, unit, most_periods)
            product = run(cut, params, rng=rng, progress=progress)
            changes = dict(product.changes)
            if unit != HISTORY:
                changes["rows"] = len(clean_log)
                if most_periods is not None:
                    changes["rows_beyond_periods"] = len(clean_log) - len(cut)
            if clean_log is not log:
                changes[CHANGE] = len(log) - len(clean_log)
            content = product.content
            if isinstance(content, QueryLog):
                content = content.keep_attributes(list_public(content.attributes))
            product = dataclasses.replace(
                product,
                content=content,
                statement=state_period(product.statement, unit, most_periods, len(cut.users)),
                changes=changes,
            )
            if by != NO_GROUPS:
                product = split_pairs(product, by, has_column=has_column)
            times = self.find_times(params)
            if times is None:
                return product
            among = self._find_pool(params)
            return with_coarse_times(product, visible, times, among, rng, progress)

        setattr(run_prepared, _PREPARED, run_prepared)
        return run_prepared

    def _prepare_outlook(self, outlook: OutlookFunction) -> OutlookFunction:
        @functools.wraps(outlook)
        def expect_prepared(
            log: QueryLog, params: Any, *, scale: float, progress: Progress
        ) -> ExpectedRelease:
            clean_log = drop_blank_rows(log, progress)
            by = group_column(params)
            queries = clean_log.queries
            if by != NO_GROUPS:
                clean_log, has_column = pair_queries(clean_log, by)
            unit, most_periods = self._find_periods(params)
            cut = split_by_period(clean_log, unit, most_periods)
            expected = outlook(cut, params, scale=scale, progress=progress)
            if unit != HISTORY:
                units = round(len(cut.users) * scale)
                statement = state_period(expected.statement, unit, most_periods, units)
                expected = dataclasses.replace(expected, statement=statement, units=units)
                if len(cut) != len(clean_log):
                    expected = expected.scale_searches(len(cut) / len(clean_log))
            if by != NO_GROUPS:
                expect_without = expected.expect_without
                assert expect_without is not None

                def expect_pairs(marks: StringMarks) -> ExpectedContent:
                    values, figures = expect_without(mark_pairs(marks, queries))
                    return name_pairs(values, by), figures

                expected = dataclasses.replace(
                    expected,
                    statement=state_pairs(expected.statement, by, has_column=has_column),
                    values=name_pairs(expected.values, by),
                    expect_without=expect_pairs,
                )
            times = self.find_times(params)
            if times is None:
                return expected
            among = self._find_pool(params)
            return expected.state_times(expect_times(clean_log, times, among, progress))

        return expect_prepared

    def _prepare_explain(self, explain: ExplainFunction) -> ExplainFunction:
        @functools.wraps(explain)
        def explain_prepared(
            request: ExplanationRequest, params: Any, progress: Progress
        ) -> Explanation:
            clean_log = drop_blank_rows(request.log, progress)
            by = group_column(params)
            if by != NO_GROUPS:
                request, group = request_pair(ExplanationRequest.of(clean_log, request.text), by)
                clean_log = request.log
            unit, most_periods = self._find_periods(params)
            cut = split_by_period(clean_log, unit, most_periods)
            release = request.release and drop_released_blank_rows(request.release, progress)
            if cut is not request.log or release is not request.release:
                request = ExplanationRequest.of(cut, request.text, release)
            explanation = explain(request, params, progress)
            if by != NO_GROUPS:
                explanation = note_group(explanation, by, group)
            if unit == HISTORY:
                return explanation
            note = sentence("noisy_counts.users_here_users_user", unit=as_phrase(unit))
            return dataclasses.replace(explanation, notes=(*explanation.notes, note))

        return explain_prepared


def check_group_size(k: int, users: int) -> None:
    """Raise `ParameterError` where users are too few for one group of k; nobody is no group."""
    if 0 < users < k:
        raise ParameterError("k", sentence("base.log_users_fewer_choose", users=users, k=k))


@dataclass(frozen=True, eq=False)
class ParameterSolver:
    """Finds the value of `parameter` that reaches a wanted `target` ("epsilon" or "delta").

    ``solve(params, value, users)`` returns the parameters with that one changed, and raises
    `ParameterError` where no value can, or where nothing above 0 is wanted.
    """

    parameter: str
    target: Literal["epsilon", "delta"]
    label: str
    solve: Callable[[Any, float, int], Params]

    def __post_init__(self) -> None:
        solve = self.solve

        def solve_positive(params: Any, value: float, users: int) -> Params:
            if not (math.isfinite(value) and value > 0):
                target = {"epsilon": "ε", "delta": "δ"}[self.target]
                raise ParameterError(
                    self.parameter,
                    phrase("The wanted {target} must be a number above 0.", target=target),
                )
            return solve(params, value, users)

        object.__setattr__(self, "solve", solve_positive)


# --- in a method's place, for a release that somebody else made --------------------------------


@dataclass(frozen=True, kw_only=True)
class ElsewhereParams(Params, owner=UNKNOWN):
    """Parameters of a method outside the program: none."""


def _refuse(
    log: QueryLog, params: ElsewhereParams, *, rng: Randomness, progress: Progress
) -> NoReturn:
    del log, params, rng, progress
    raise MissingInput("This release was made elsewhere: it can be judged, and not made again.")


ELSEWHERE = Method(
    title="Made elsewhere",
    summary="A release that somebody else made: nothing is known of how.",
    source="",
    params=ElsewhereParams,
    yields="tables",
    randomised=False,
    run=_refuse,
)


def unknown_statement() -> Statement:
    """The statement of a release whose method is unknown."""
    return Statement("none", "Nothing is known of how this release was made.", UNKNOWN)
