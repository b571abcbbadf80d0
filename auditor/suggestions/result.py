"""What a search comes to: suggestions with verdicts, their front, and what is in the way."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from auditor.arrays import Float64s
from auditor.figures import SHARE, Axis, Figure, Series, ShortRepr, format_share
from auditor.log.sentences import sentence
from auditor.messages import DisplayText, as_phrase, join_phrases, phrase
from auditor.methods.registry import METHODS
from auditor.params import Params
from auditor.privacy.selection import ParameterSelection
from auditor.privacy.statement import Statement
from auditor.release.policy.policy import Gate
from auditor.release.record import GateVerdict
from auditor.release.verdict import ReleaseVerdict
from auditor.suggestions.growth import GrowthCurve
from auditor.suggestions.limits import attacks_of

if TYPE_CHECKING:
    import pandas as pd

SearchMode = Literal["free", "sizes", "private", "open"]
MODES: dict[SearchMode, str] = {
    "free": "Searched on a log whose people are not those of the release (an older or a synthetic "
    "one). Choosing costs no ε.",
    "sizes": "Searched on public sizes alone: the number of users, rounded up to one digit, and a "
    "made-up log of as many. The log was not looked at, and choosing costs no ε.",
    "private": "Chosen on the log itself by a private selection, whose ε is part of the "
    "statement: in all, selection plus release. The number of users, rounded up to one digit, is "
    "taken for public.",
    "open": "Searched on the log itself without noise. No ε covers what the choice tells of it, "
    "so only methods without ε are searched.",
}
"""The ways of looking at a log, and what each means for whose parameters are chosen by it."""


@dataclass(frozen=True)
class PassRate:
    """Of how many runs how many passed, and which gate is too near to its limit, if one is.

    A gate is too near if a run failed it, or if its limit is too few standard deviations from its
    values' mean. `calculated` is the chance with which a release passes the gates on what can be
    read in it; NaN where only runs tell.
    """

    runs: int = 1
    passed: int = 1
    close_gates: tuple[GateVerdict, ...] = ()
    calculated: float = math.nan

    @property
    def sure(self) -> bool:
        """Whether every run passed, and with room to spare."""
        return not self.close_gates

    @property
    def sentence(self) -> DisplayText:
        """The rate in words; empty where one run is certain."""
        if self.runs == 1:
            return ""
        if self.sure:
            return sentence("suggestions.runs_passed", passed=self.passed, runs=self.runs)
        titles = quote_titles(check.gate for check in self.close_gates)
        return sentence("suggestions.too_near", passed=self.passed, runs=self.runs, titles=titles)


ONE_RUN = PassRate()


@dataclass(frozen=True)
class Suggestion(ShortRepr):
    """One setting, what is known of its release, and why it stops there.

    `utility` is the goal's value; like `verdict` of a full run, or expected. `reasons` say which
    limits bind. `selection` is how it was chosen by looking at the log, if anybody looked, and
    `on_front` whether no other suggestion is at least as useful and as safe.
    """

    method: str
    params: Params
    family: str
    utility: float
    verdict: ReleaseVerdict
    statement: Statement
    reasons: tuple[str, ...] = ()
    selection: ParameterSelection | None = None
    on_front: bool = False
    rate: PassRate = ONE_RUN

    def describe(self) -> str:
        return f"{self.title}; {self.verdict.title}"

    @property
    def title(self) -> str:
        """The method, and which of its families."""
        return sentence("suggestions.title", title=METHODS[self.method].title, family=self.family)

    @property
    def expected(self) -> bool:
        return self.verdict.expected

    @property
    def may_pass(self) -> bool:
        """Whether no check failed, among those that were made, and none would in another run."""
        return not self.verdict.failed and not self.verdict.kept.empty and self.rate.sure

    @property
    def passes(self) -> bool:
        """Whether a full run passed, and would again."""
        return self.verdict.releasable and self.rate.sure

    @property
    def attacked(self) -> tuple[GateVerdict, ...]:
        """Gates on attacks that a full run failed, or may fail; empty if more stands in its way.

        A setting of the same kind that adds more noise may pass these.
        """
        failed = (*self.verdict.failed, *self.rate.close_gates)
        if self.verdict.not_run or not all(attacks_of(check.gate) for check in failed):
            return ()
        return failed

    @property
    def risk(self) -> float:
        """How far the worst attack is above guessing; NaN where none ran."""
        worst = self.verdict.worst
        return math.nan if worst is None else worst.rate - worst.baseline

    @property
    def changed(self) -> dict[str, Any]:
        """The parameters that aren't the defaults."""
        usual = type(self.params)().to_dict()
        return {n: v for n, v in self.params.to_dict().items() if usual.get(n) != v}

    @property
    def worst_short(self) -> str:
        """The worst attack in a few words."""
        worst = self.verdict.worst
        if worst is None:
            return "no attack was tried" if not self.expected else "not run yet"
        guessing = format_share(worst.baseline)
        rate = format_share(worst.rate)
        return sentence("suggestions.worst_attack", title=worst.title, rate=rate, guessing=guessing)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; what doesn't apply stays out."""
        plain: dict[str, Any] = {
            "method": self.method,
            "params": self.params.to_dict(),
            "changed": self.changed,
            "family": self.family,
            "utility": self.utility,
            "on_front": self.on_front,
            "verdict": self.verdict.to_dict(),
            "statement": self.statement.to_dict(),
            "reasons": list(self.reasons),
        }
        if not self.expected:
            plain["runs"] = {"made": self.rate.runs, "passed": self.rate.passed}
            if not math.isnan(self.rate.calculated):
                plain["runs"]["calculated_to_pass"] = self.rate.calculated
        if not math.isfinite(self.utility):
            del plain["utility"]
        return plain | ({"selection": self.selection.to_dict()} if self.selection else {})

    def to_row(self) -> dict[str, Any]:
        """The suggestion as a row of a table; settings as JSON text."""
        verdict = self.verdict
        return {
            "method": self.method,
            "params": json.dumps(self.params.to_dict(), sort_keys=True),
            "family": self.family,
            "utility": self.utility,
            "on_front": self.on_front,
            "state": verdict.state.value,
            "expected": verdict.expected,
            "failed_checks": len(verdict.failed),
            "may_pass": self.may_pass,
            "epsilon": _to_float(verdict.guarantee.epsilon),
            "delta": _to_float(verdict.guarantee.delta),
            "k": _to_float(verdict.guarantee.k),
            "queries": _to_float(verdict.kept.queries),
            "searches_share": _to_float(verdict.kept.share),
            "worst_attack": verdict.worst.attack if verdict.worst else "",
            "worst_rate": verdict.worst.rate if verdict.worst else math.nan,
            "worst_baseline": verdict.worst.baseline if verdict.worst else math.nan,
            "calculated_to_pass": self.rate.calculated,
            "reasons": " ".join(self.reasons),
            "selection": json.dumps(self.selection.to_dict()) if self.selection else "",
        }


@dataclass(frozen=True)
class Obstacle:
    """Why nothing passes, and the smallest changes with which something would."""

    gates: tuple[str, ...]
    remedies: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        return {"gates": list(self.gates), "remedies": list(self.remedies)}


@dataclass(frozen=True)
class SearchCost:
    """What the search took; `looked_at` counts settings, `runs` full runs, `reused` known ones."""

    seconds: float
    cpu_seconds: float
    looked_at: int
    runs: int
    reused: int

    @property
    def sentence(self) -> str:
        reused: DisplayText = ""
        if self.reused:
            reused = phrase(" (known from before: {reused:,})", reused=self.reused)
        return sentence("suggestions.cost", **vars(self) | {"reused": reused})


@dataclass(frozen=True)
class Suggestions(ShortRepr):
    """The result of a search, best first.

    `points` are those that pass, or may pass where nothing was run, by utility, then the others.
    `stopped` is "", "budget" or "cancelled". In sentences: `too_long` names a full run that did
    not fit into the time, `left_out` methods without a setting that can pass, `earlier` what
    earlier releases of the log have spent.
    """

    mode: SearchMode
    goal: str
    policy: str
    users: int
    points: tuple[Suggestion, ...]
    obstacle: Obstacle | None
    growth: GrowthCurve | None
    cost: SearchCost
    stopped: str = ""
    too_long: DisplayText = ""
    note: DisplayText = ""
    left_out: DisplayText = ""
    earlier: tuple[str, ...] = ()

    def describe(self) -> str:
        """The best of them, and how many there are; `text()` has the others."""
        return f"best {self.best and self.best.describe()}; {len(self.points):,} compared"

    @property
    def best(self) -> Suggestion | None:
        """The most useful one that passes, or is expected to; None where nothing does."""
        first = self.points[0] if self.points else None
        return first if first is not None and first.may_pass else None

    @property
    def front(self) -> tuple[Suggestion, ...]:
        """Those that none of the others beats."""
        return tuple(point for point in self.points if point.on_front)

    @property
    def remarks(self) -> DisplayText:
        """The note, and what was left out."""
        return join_phrases(" ", filter(None, (self.note, self.left_out)))

    def to_dict(self) -> dict[str, Any]:
        plain: dict[str, Any] = {
            "mode": self.mode,
            "looking": MODES[self.mode],
            "goal": self.goal,
            "policy": self.policy,
            "users": self.users,
            "suggestions": [point.to_dict() for point in self.points if point.may_pass],
            "failing": [point.to_dict() for point in self.points if not point.may_pass],
            "cost": dataclasses.asdict(self.cost),
        }
        plain |= {"stopped": self.stopped} if self.stopped else {}
        plain |= {"too_long": self.too_long} if self.too_long else {}
        plain |= {"note": self.remarks} if self.remarks else {}
        plain |= {"earlier_releases": list(self.earlier)} if self.earlier else {}
        plain |= {"obstacle": self.obstacle.to_dict()} if self.obstacle else {}
        return plain | ({"growth": self.growth.to_dict()} if self.growth else {})

    def to_frame(self) -> pd.DataFrame:
        """A row for each suggestion, best first."""
        import pandas as pd

        return pd.DataFrame([point.to_row() for point in self.points])

    def figure(self) -> Figure:
        """Utility over the claimed ε, the front as a line."""
        return draw_front(self.points, self.goal, self.goal, MODES[self.mode])

    def text(self) -> str:
        """The suggestions for a terminal, the answer first."""
        lines = []
        best = self.best
        if best is not None:
            key = "suggestions.chosen" if self.mode == "private" else "suggestions.best"
            lines.append(sentence(key, goal=self.goal, title=best.title))
            lines += [
                f"  {name} = {(f'{value:.6g}' if isinstance(value, float) else str(value))}"
                for name, value in best.changed.items()
            ]
            lines += [f"  {line}" for line in (*best.verdict.sentences, *best.reasons)]
        elif self.stopped and not self.points:
            ended = sentence("suggestions.ended_before", why=self._why_stopped)
            if self.mode == "private":
                ended = join_phrases(" ", (ended, "Nothing was chosen, so it cost no ε."))
            return "\n".join((ended, *self.earlier, self.cost.sentence))
        else:
            lines.append("Nothing that was looked at passes the policy.")
        if self.obstacle is not None:
            lines += [
                phrase("  In the way: {line}", line=as_phrase(line)) for line in self.obstacle.gates
            ]
            lines += [f"  {line}" for line in self.obstacle.remedies]
        other_points = [point for point in list_telling(self.points) if point is not best]
        if other_points:
            lines += ["", "Others:"]
            lines += [f"  {format_line(point)}" for point in other_points]
        if self.growth is not None:
            lines += ["", *self.growth.sentences]
        lines += ["", MODES[self.mode], *self.earlier]
        lines += filter(None, (self.remarks, self.cost.sentence, self.too_long))
        if self.stopped:
            lines.append(sentence("suggestions.ended_early", why=self._why_stopped))
        return "\n".join(lines)

    @property
    def _why_stopped(self) -> DisplayText:
        return "the time ran out" if self.stopped == "budget" else "it was stopped"


def order_points(points: Sequence[Suggestion]) -> tuple[Suggestion, ...]:
    """Best first, the front marked: passing runs, then what may pass, then the rest."""
    passing = [point for point in points if point.may_pass]
    marked = []
    for point in points:
        rivals = (other for other in passing if point.expected or not other.expected)
        on_front = point.may_pass and not any(_beats(other, point) for other in rivals)
        marked.append(dataclasses.replace(point, on_front=on_front))

    def rank(point: Suggestion) -> tuple[bool, bool, int, float]:
        utility = point.utility if math.isfinite(point.utility) else -math.inf
        return (not point.may_pass, point.expected, len(point.verdict.failed), -utility)

    return tuple(sorted(marked, key=rank))


class Choices(NamedTuple):
    """The releases to choose from; None where there is none, or where it is the most useful one."""

    useful: Suggestion | None = None
    protective: Suggestion | None = None
    log: Suggestion | None = None


def pick_choices(points: Sequence[Suggestion]) -> Choices:
    """The most useful that may pass, the one with the least ε and risk, the most useful log.

    What was run goes before what is only expected.
    """
    passing = [point for point in order_points(points) if point.may_pass]
    if not passing:
        return Choices()
    useful = passing[0]
    equal_points = [point for point in passing if point.expected == useful.expected]
    protective = min(
        equal_points, key=lambda row: (_read_epsilon(row), -_compute_coordinates(row)[2])
    )
    log = next((point for point in passing if METHODS[point.method].yields == "log"), None)
    return Choices(useful, *(None if point is useful else point for point in (protective, log)))


def list_telling(points: Sequence[Suggestion]) -> tuple[Suggestion, ...]:
    """The points to list, in their order: of settings of a kind that fail, the first alone."""
    first: dict[str, Suggestion] = {}
    for point in points:
        if not point.may_pass:
            first.setdefault(point.title, point)
    return tuple(point for point in points if point.may_pass or first[point.title] is point)


def draw_front(points: Sequence[Suggestion], goal: str, label: str, note: str) -> Figure:
    """Utility, by its `label`, over the claimed ε of what passes or may pass; the front's line."""
    passing = (point for point in points if point.may_pass and math.isfinite(point.utility))
    formal = [point for point in passing if point.verdict.guarantee.epsilon]
    front = sorted((point for point in formal if point.on_front), key=_read_epsilon)
    series = [
        Series("suggestions", *_list_places(formal), kind="points"),
        Series("front", *_list_places(front), kind="line"),
    ]
    return Figure(
        name="front",
        title="Utility over the guarantee",
        x=Axis("claimed ε", scale="log"),
        y=Axis(label, unit=SHARE if goal == "volume" else ""),
        series=tuple(curve for curve in series if len(curve.x)),
        note=note,
    )


def _beats(point: Suggestion, other: Suggestion) -> bool:
    """Whether it is at least as useful at no larger ε and no worse attack, and better in one.

    A release without ε is never safer than one with it, and what was not attacked beats nobody.
    """
    pairs = [*zip(_compute_coordinates(point), _compute_coordinates(other), strict=True)]
    return all(own >= its for own, its in pairs) and any(own > its for own, its in pairs)


def _compute_coordinates(point: Suggestion) -> tuple[float, float, float]:
    utility = point.utility if math.isfinite(point.utility) else -math.inf
    # Rates of attacks are measured: what differs by less than a few per cent is alike.
    risk = 0.0 if math.isnan(point.risk) else round(max(point.risk, 0.0) / 0.05) * 0.05
    return utility, -_read_epsilon(point), -risk


def _read_epsilon(point: Suggestion) -> float:
    epsilon = point.verdict.guarantee.epsilon
    return math.inf if epsilon is None else epsilon


def _list_places(points: Sequence[Suggestion]) -> tuple[Float64s, Float64s]:
    """Where suggestions stand: their claimed ε, and their utility."""
    import numpy as np

    epsilons = np.array([_read_epsilon(point) for point in points])
    return epsilons, np.array([point.utility for point in points])


def format_line(point: Suggestion) -> str:
    """A suggestion in one line, with the checks that stop it."""
    verdict = point.verdict
    content = verdict.kept.short or "nothing known of what is kept"
    parts: list[DisplayText] = [verdict.title, verdict.guarantee.short, content, point.worst_short]
    refused = [check.gate for check in (*verdict.failed, *point.rate.close_gates)]
    if refused:
        titles = {gate.title: gate for gate in refused}
        parts.append(phrase("stopped by {titles}", titles=quote_titles(titles.values())))
    return phrase("{title}: {said}", title=as_phrase(point.title), said=join_phrases("; ", parts))


def quote_titles(gates: Iterable[Gate]) -> DisplayText:
    """The titles of some checks, in quotes."""
    titles = [phrase("“{title}”", title=as_phrase(gate.title)) for gate in gates]
    return join_phrases(", ", titles)


def _to_float(value: float | None) -> float:
    return math.nan if value is None else float(value)
