"""Pictures and tables as data: computed here below, drawn by the window and by the report.

A method, attack or measure returns these; it never draws. Colours, fonts and widgets belong
to whoever shows them. For notebooks alone a result draws itself, with matplotlib.
"""

from __future__ import annotations

import base64
import html
import io
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from auditor.arrays import Array, Float64s
from auditor.messages import NumberText, as_phrase, phrase
from auditor.plurals import FORMS

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
    from matplotlib.axes import Axes

Unit = Literal["users", "rows", "queries"]

PRINTED_VALUES = 12
"""So many metrics of a result are printed."""
LONGEST_REPR = 160
"""Characters of what a result says of itself in a line."""
CARD_FIGURES = 2
"""Plots on a card."""
SHARE = "share"
"""The unit of what is a part of a whole: 0.29 as a value, 29 % for people."""
PERCENT = "%"
"""The unit of a column whose values are per cent already: 29 as a value, 29 % for people."""


def format_count(number: int, noun: str, plural: str = "") -> str:
    """ "1 row", "2,000 rows"."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def format_share(share: float) -> str:
    """A share in per cent, at most three digits; 100 % and 0 % only where it is exactly that."""
    if math.isnan(share):
        return phrase("not known")
    if 0.9995 <= share < 1:
        return phrase("over {share}", share=NumberText("99.9 %"))
    if 0 < share < 0.00001:
        return phrase("under {share}", share=NumberText("0.001 %"))
    digits = f"{100 * share:.3g}"
    if abs(share) >= 9.995:
        digits = f"{float(digits):,.0f}"
    text = f"{100 * share:.5f}".rstrip("0").rstrip(".") if "e" in digits else digits
    return NumberText(f"{text} %".replace("-", "−"))


def share_in_cell(value: Any, unit: str) -> float | None:
    """The share that a cell of a table holds, by its unit; None if it holds something else."""
    if (
        unit not in (SHARE, PERCENT)
        or isinstance(value, bool)
        or not isinstance(value, int | float)
    ):
        return None
    return value if unit == SHARE else value / 100


def format_power(value: float, digits: int = 2) -> str:
    """A tiny or huge number as 8.3 × 10⁻⁷ with that many digits, or as 10⁻⁶."""
    head, _, power = f"{value:.{digits - 1}e}".partition("e")
    head = head.rstrip("0").rstrip(".") if "." in head else head
    raised = str(int(power)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    text = f"10{raised}" if head == "1" else f"{head} × 10{raised}".replace("-", "−")
    return NumberText(text)


def format_delta(delta: float) -> str:
    """A failure probability: a power of ten where it is tiny, two digits otherwise."""
    return format_power(delta) if 0 < delta < 1e-3 else NumberText(f"{delta:.2g}")


class ShortRepr:
    """Prints its kind and a few words; what its fields hold takes a call to be seen.

    Results hold queries and users in their tables and axes, and a notebook stores whatever is
    printed. A dataclass that derives from this class keeps the short form.
    """

    __slots__ = ()

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "__repr__" not in vars(cls):  # before `dataclass` writes one that prints every field
            cls.__repr__ = cls.__repr__  # type: ignore[method-assign]

    def describe(self) -> str:
        """A few words, none of them from the log; empty for the kind alone."""
        return ""

    def __repr__(self) -> str:
        text = str(self.describe())
        text = text if len(text) <= LONGEST_REPR else f"{text[: LONGEST_REPR - 1]}…"
        return f"<{type(self).__name__}{': ' * bool(text)}{text}>"


@dataclass(frozen=True, eq=False)
class UserReference:
    """Whom each line of a table, or each point of a series, is about.

    ``find(line)`` gives the codes behind a line or point, maybe none; O(codes held). They are of
    users, rows of the log that stand for the session around them, or distinct queries that stand
    for the sessions that hold them. Held in memory alone: nothing that leaves the program may
    write down codes of the raw log.
    """

    unit: Unit
    find: Callable[[int], Array] = field(repr=False)

    @classmethod
    def from_list(cls, unit: Unit, codes: Array) -> UserReference:
        """One code a line."""
        copy = np.array(codes)
        return cls(unit, lambda line: copy[line : line + 1])

    @classmethod
    def from_masks(
        cls, unit: Unit, codes: Array, reason: Array, masks: Sequence[int]
    ) -> UserReference:
        """Codes that carry any bit of a line's mask; `codes` and `reason` of equal length."""
        bits = tuple(masks)
        return cls(unit, lambda line: codes[(reason & reason.dtype.type(bits[line])) != 0])

    @classmethod
    def from_parts(cls, unit: Unit, codes: Sequence[Array]) -> UserReference:
        """The codes of every line, in full."""
        parts = tuple(codes)
        return cls(unit, lambda line: parts[line])

    def convert(self, find_codes: Callable[[Unit, Array], Array]) -> UserReference:
        """The same in codes of another log, given by ``find_codes(unit, codes)``."""
        return UserReference(self.unit, lambda line: find_codes(self.unit, self.find(line)))


@dataclass(frozen=True)
class Axis(ShortRepr):
    """What an axis shows; `unit` is empty for counts and pure numbers."""

    label: str
    unit: str = ""
    scale: Literal["linear", "log"] = "linear"
    categories: tuple[str, ...] = ()
    """Names of the places 0, 1, 2 … for an axis that isn't a number."""
    whole: float = 0.0
    """What all of it is, where the axis shows shares: bars are drawn against it, so that a small
    share looks small; 0 where there is no such thing."""

    def describe(self) -> str:
        """Its label, and how many categories it has."""
        return self.label + (f", {len(self.categories):,} categories" if self.categories else "")

    @property
    def title(self) -> str:
        """The label with its unit; a share says "%" at its ticks."""
        if self.unit in ("", SHARE):
            return self.label
        return phrase("{label} ({unit})", label=as_phrase(self.label), unit=as_phrase(self.unit))


@dataclass(frozen=True, eq=False)
class Series(ShortRepr):
    """One line, cloud of points, staircase or row of bars; `x` and `y` of equal length.

    `low` and `high` bound an interval around `y` (drawn as a band or as whiskers). `who` knows
    whom each point counts. `role` says that it is bad news: it is drawn in the colour of that,
    and its name has to say so as well.
    """

    name: str
    x: Float64s
    y: Float64s
    kind: Literal["line", "points", "bars", "steps"] = "line"
    low: Float64s | None = None
    high: Float64s | None = None
    who: UserReference | None = None
    role: Literal["", "bad"] = ""

    def describe(self) -> str:
        """What is drawn; its name may be a query."""
        return f"{self.kind}, {len(self.x):,} places"


@dataclass(frozen=True)
class PlotMark(ShortRepr):
    """A labelled place on an axis, such as the turning point of ε over b."""

    axis: Literal["x", "y"]
    at: float
    label: str
    role: Literal["current", "optimum", "limit", "note"] = "note"


@dataclass(frozen=True)
class PlotZone(ShortRepr):
    """A range of an axis that means something, such as δ ≥ 1/users."""

    axis: Literal["x", "y"]
    low: float
    high: float
    label: str
    role: Literal["bad", "good", "note"] = "bad"


@dataclass(frozen=True, eq=False)
class Figure(ShortRepr):
    """One plot. `source` names the figure of the source that it follows, if any.

    `private` says that its words (categories, names of series) hold query text, users or names
    of the raw log: such a figure stays inside. `own_words` says that whoever made it knows its
    categories to be the program's own words; see `keepable`.
    """

    name: str
    title: str
    x: Axis
    y: Axis
    series: tuple[Series, ...]
    marks: tuple[PlotMark, ...] = ()
    zones: tuple[PlotZone, ...] = ()
    note: str = ""
    source: str = ""
    private: bool = False
    own_words: bool = False

    def describe(self) -> str:
        """Its name and size."""
        return f"{self.name}, {len(self.series):,} series{', private' * self.private}"

    def shows_counts(self, axis: Axis) -> bool:
        """Whether `axis`, its x or y, counts people or things, of which there are no halves.

        Its unit says so, or every value on it is whole.
        """
        if axis.categories or axis.unit == SHARE or axis.whole:
            return False
        parts = [series.x if axis is self.x else series.y for series in self.series]
        values = np.concatenate([*parts, [np.nan]])
        finite = values[np.isfinite(values)]
        return axis.unit in get_args(Unit) or bool(len(finite) and (finite == finite.round()).all())


@dataclass(frozen=True, eq=False)
class Table(ShortRepr):
    """One table: column headings, what their numbers are in, and rows of plain values.

    `units` says it by column and `row_units` by row, for tables in which each row is a metric of
    its own: `SHARE`, `PERCENT`, or empty for counts and pure numbers. They change how a cell is
    shown, never what is stored.

    `private` says that cells hold query text, users or names: such a table stays inside.
    `own_words` says that whoever made it knows every word in it to be the program's own; see
    `keepable`. `who` knows by column whom the cell of each row counts, and under −1 whom the
    whole row is about.
    """

    name: str
    title: str
    columns: tuple[str, ...]
    rows: Sequence[Sequence[Any]]
    note: str = ""
    source: str = ""
    private: bool = False
    who: Mapping[int, UserReference] = field(default_factory=dict)
    own_words: bool = False
    units: tuple[str, ...] = ()
    row_units: tuple[str, ...] = ()

    def describe(self) -> str:
        """Its name and size."""
        size = f"{len(self.rows):,} × {len(self.columns):,}"
        return f"{self.name}, {size}{', private' * self.private}; to_pandas() has its cells"

    def to_pandas(self) -> pd.DataFrame:
        """The table with all its cells; those of a private one are of the raw log."""
        import pandas as pd

        return pd.DataFrame([list(row) for row in self.rows], columns=list(self.columns))

    def find_unit(self, row: int, column: int) -> str:
        """What the number in a cell is in; empty for counts and pure numbers."""
        by_column = self.units[column] if column < len(self.units) else ""
        return by_column or (self.row_units[row] if row < len(self.row_units) else "")


@dataclass(frozen=True)
class MetricValue(ShortRepr):
    """One figure of a result, with what it needs to be read rightly.

    `better` says which way is good for the people in the log or the users of the release.
    `side` places it on the privacy × utility plot. `who` knows whom it counts, as its line 0.
    """

    name: str
    label: str
    value: float
    unit: str = ""
    help: str = ""
    better: Literal["higher", "lower", ""] = ""
    side: Literal["privacy", "utility", ""] = ""
    interval: tuple[float, float] | None = None
    who: UserReference | None = field(default=None, compare=False)

    def describe(self) -> str:
        """Its name and value."""
        return f"{self.name} = {_format_value(self)}"


def assign_lanes(bars: Sequence[Series]) -> list[int]:
    """Beside which others each row of bars has to stand: rows that share no place share a lane."""
    lane_places: list[set[float]] = []
    lanes = []
    for series in bars:
        places = set(np.asarray(series.x)[np.isfinite(series.y)].tolist())
        lane = next(
            (n for n, places_in_lane in enumerate(lane_places) if not places_in_lane & places),
            len(lane_places),
        )
        if lane == len(lane_places):
            lane_places.append(set())
        lane_places[lane] |= places
        lanes.append(lane)
    return lanes


def is_storable(item: Figure | Table) -> bool:
    """Whether a project file may hold it: only what is known to hold no text of the log.

    Numbers are kept. Words in cells, and names of places on an axis, only where `own_words` says
    what they are: what nobody spoke for stays out.
    """
    if item.private or item.own_words:
        return not item.private
    if isinstance(item, Figure):
        return not item.x.categories and not item.y.categories
    return not any(_has_words(cell) for row in item.rows for cell in row)


def _has_words(cell: Any) -> bool:
    if isinstance(cell, tuple | list):
        return any(map(_has_words, cell))
    return not (cell is None or isinstance(cell, bool | int | float | np.number | np.bool_))


class ResultCard(ShortRepr):
    """Adds tables, plots and a card to a result: its `values` and `figures`.

    A card holds labels and numbers alone: no query, no user, no cell of a private table.
    """

    __slots__ = ()

    def card_title(self) -> str:
        """What the card is headed with."""
        return type(self).__name__

    def card_lines(self) -> Sequence[str]:
        """Sentences below the heading."""
        return ()

    def card_details(self) -> Mapping[str, Sequence[str]]:
        """Sentences that stand folded below the table, by what they are headed with."""
        return {}

    def card_figures(self) -> Sequence[Figure]:
        """The plots below the table: the first that hold no text of the log."""
        figures: Sequence[Figure] = getattr(self, "figures", ())
        return [figure for figure in figures if is_storable(figure)][:CARD_FIGURES]

    def card_values(self) -> Sequence[MetricValue]:
        """The figures of the table."""
        values: Sequence[MetricValue] = getattr(self, "values", ())
        return values

    def to_pandas(self) -> pd.DataFrame:
        """The values: name, label, value, unit, interval, and which way is better."""
        import pandas as pd

        return pd.DataFrame(
            [
                {
                    "name": metric.name,
                    "label": metric.label,
                    "value": float(metric.value),
                    "unit": metric.unit,
                    "low": metric.interval[0] if metric.interval else float("nan"),
                    "high": metric.interval[1] if metric.interval else float("nan"),
                    "better": metric.better,
                }
                for metric in self.card_values()
            ],
            columns=["name", "label", "value", "unit", "low", "high", "better"],
        )

    def to_arrow(self) -> pa.Table:
        """The same as an Arrow table."""
        import pyarrow as pa

        return pa.Table.from_pandas(self.to_pandas(), preserve_index=False)

    def plot(self, figure: str | int = 0, ax: Axes | None = None) -> Axes:
        """Draw one of the result's figures, by its name or place, with matplotlib.

        Raises `ParameterError` if there is no such figure.
        """
        from auditor.errors import ParameterError
        from auditor.fuzzy_search import did_you_mean

        figures: Sequence[Figure] = getattr(self, "figures", ())
        names = [item.name for item in figures]
        if isinstance(figure, str) and figure in names:
            return draw_figure(figures[names.index(figure)], ax)
        if isinstance(figure, int) and -len(figures) <= figure < len(figures):
            return draw_figure(figures[figure], ax)
        hint = did_you_mean(figure, names) if isinstance(figure, str) else ""
        raise ParameterError(
            "figure",
            phrase(
                "There is no such figure.{meant} There are: {names}.",
                meant=hint,
                names=", ".join(names) or "none",
            ),
        )

    def describe(self) -> str:
        """The heading and the first sentence."""
        first = next((str(line) for line in self.card_lines() if line), "")
        return f"{self.card_title()}{'; ' * bool(first)}{first}"

    def __str__(self) -> str:
        """What `print` shows: the card in lines, and no cell of a private table."""
        lines = [str(line) for line in (self.card_title(), *self.card_lines()) if line]
        values = self.card_values()
        lines += [f"{metric.label}: {_format_value(metric)}" for metric in values[:PRINTED_VALUES]]
        if unprinted := len(values[PRINTED_VALUES:]):
            lines.append(str(phrase("{more:,} more in to_pandas()", more=unprinted)))
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """The card, for notebooks: the answer first, what it rests on folded."""
        escape = html.escape
        first, *other_lines = [escape(line) for line in self.card_lines() if line] or [""]
        lines = (f"<p><b>{first}</b></p>" if first else "") + "".join(
            f"<p>{x}</p>" for x in other_lines
        )
        rows = "".join(
            "<tr><td "
            f"style='text-align:left'>{escape(metric.label)}</td><td>{escape(_format_value(metric))}</td></tr>"
            for metric in self.card_values()
        )
        table = f"<table>{rows}</table>" if rows else ""
        details = "".join(
            f"<details><summary>{escape(heading)} ({len(texts):,})</summary><ul>"
            + "".join(f"<li>{escape(line)}</li>" for line in texts)
            + "</ul></details>"
            for heading, texts in self.card_details().items()
            if texts
        )
        plots = "".join(map(_render_image, self.card_figures()))
        return f"<div><h4>{escape(self.card_title())}</h4>{lines}{table}{details}{plots}</div>"


def _render_image(figure: Figure) -> str:
    """A plot as an image that stands in the page itself."""
    from matplotlib.figure import Figure as Canvas

    canvas = Canvas(figsize=(4.8, 3.0), layout="constrained")
    draw_figure(figure, canvas.subplots())
    data = io.BytesIO()
    canvas.savefig(data, format="png", dpi=144)
    encoded = base64.b64encode(data.getvalue()).decode("ascii")
    title = html.escape(figure.title, quote=True)
    return f'<img width="460" alt="{title}" src="data:image/png;base64,{encoded}">'


def name_unit(value: float, unit: str) -> str:
    """The unit of a number: "1 user", "2 users"."""
    return FORMS.get(unit, unit) if value == 1 else unit


def _format_value(metric: MetricValue) -> str:
    def format_number(value: Any) -> str:
        return f"{value:,}" if isinstance(value, int) else f"{float(value):,.4g}"

    if metric.unit == SHARE:
        ends = "" if metric.interval is None else " to ".join(map(format_share, metric.interval))
        return format_share(metric.value) + (f" ({ends})" if ends else "")
    unit = name_unit(metric.value, metric.unit)
    text = format_number(metric.value) + (f" {unit}" if unit else "")
    if metric.interval is None:
        return text
    low, high = map(format_number, metric.interval)
    return phrase(
        "{text} ({interval} to {one_interval})", text=text, interval=low, one_interval=high
    )


def draw_figure(figure: Figure, ax: Axes | None = None) -> Axes:
    """A figure with matplotlib, on `ax` or on a new one."""
    if ax is None:
        import matplotlib.pyplot as plt

        _, ax = plt.subplots()
    for series in figure.series:
        if series.kind == "bars":
            ax.bar(series.x, series.y, label=series.name)
        elif series.kind == "points":
            ax.plot(series.x, series.y, "o", label=series.name)
        else:
            shape = "steps-post" if series.kind == "steps" else "default"
            ax.plot(series.x, series.y, drawstyle=shape, label=series.name)
        if series.low is not None and series.high is not None and series.kind in ("line", "steps"):
            ax.fill_between(series.x, series.low, series.high, alpha=0.2)
    for axis, set_title, scale, ticks in (
        (figure.x, ax.set_xlabel, ax.set_xscale, ax.set_xticks),
        (figure.y, ax.set_ylabel, ax.set_yscale, ax.set_yticks),
    ):
        set_title(axis.title)
        if axis.categories:
            ticks(range(len(axis.categories)), axis.categories)
        else:
            scale(axis.scale)
    ax.set_title(figure.title)
    if len(figure.series) > 1:
        ax.legend(loc=1)  # above at the right: the best place is looked for among all points
    return ax
