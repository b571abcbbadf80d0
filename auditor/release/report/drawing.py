"""Draws a `Figure`, or a grid of cells, with matplotlib: on a sheet, and as SVG.

The same figure gives the same bytes of SVG, without scripts and outside links. Series differ by
colour (Okabe and Ito's, which colour-blind people can tell apart), by line style and by marker, so
that no meaning hangs on colour alone. Words are plain text, never markup or formulas. A drawing's
colours can be turned into CSS variables (`apply_theme_colours`), so that one drawing serves a light
and a dark page.
"""

from __future__ import annotations

import contextlib
import html
import io
import math
import re
import textwrap
import threading
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from auditor.arrays import Float64s, Int64s
from auditor.errors import ExportFailed
from auditor.figures import (
    SHARE,
    Axis,
    Figure,
    PlotMark,
    PlotZone,
    Series,
    Unit,
    assign_lanes,
    format_power,
    format_share,
)
from auditor.log.escaping import printable_text
from auditor.log.gil_friendly import sorted_distinct
from auditor.messages import phrase
from auditor.platform import sync_private_file
from auditor.release.atomic_write import replaced_file

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Sheet


LIGHT = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#202124", "#8f8b00")
DARK = ("#4aa8e0", "#ff8a3d", "#2cc79b", "#e39bc4", "#f2b632", "#8fd0f5", "#e8eaed", "#f0e442")
"""Series' colours on white and on dark, in the same order; the seventh is the ink's neighbour."""

_LINES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 1)), (0, (8, 2)), (0, (3, 3)))
_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
_HATCHES = ("", "///", "\\\\\\", "...", "xx", "--", "++", "oo")

_MOST_POINTS = 1_000
_LEAST, _GREATEST = 1e-120, 1e120
LONGEST_NAME = 34


@dataclass(frozen=True)
class PlotColours:
    """What a drawing is painted with."""

    paper: str
    ink: str
    faint: str
    grid: str
    bad: str
    good: str
    series: tuple[str, ...]

    @property
    def named(self) -> list[tuple[str, str]]:
        """Every colour with its name; those of series are numbered."""
        names = ("paper", "ink", "faint", "grid", "bad", "good")
        pairs = [(name, getattr(self, name)) for name in names]
        return pairs + [(str(number), colour) for number, colour in enumerate(self.series)]


ON_LIGHT = PlotColours("#fffffe", "#1f2328", "#59636e", "#dfe3e8", "#b3261f", "#1a7f38", LIGHT)
ON_DARK = PlotColours("#15181c", "#e6eaef", "#a2abb5", "#31373f", "#ff7b72", "#4cc26a", DARK)


Span = tuple[float, float]


@dataclass(frozen=True)
class PlotView:
    """The visible part of a figure, and labels at places in it."""

    x: Span | None = None  # ends of the axis as it is scaled (powers of ten), None for all
    y: Span | None = None
    labels: tuple[tuple[float, float, str], ...] = ()  # x, y and a word that stands there


class FigureDrawing:
    """One figure on one pair of axes."""

    def __init__(
        self, figure: Figure, axes: Axes, colours: PlotColours, width: float, height: float
    ) -> None:
        self.figure = figure
        self.axes = axes
        self.colours = colours
        self.width = width
        self.height = height
        self.thinned: list[str] = []
        bars = [series for series in figure.series if series.kind == "bars"]
        names = figure.x.categories
        longest = max(map(len, names), default=0)
        # Long names stand where they can be read: beside their bars.
        self.flipped = bool(bars) and len(bars) == len(figure.series) and longest * len(names) > 70
        self.bars = bars
        self.lanes = assign_lanes(bars)

    def draw(self) -> None:
        axes, colours = self.axes, self.colours
        axes.set_facecolor(colours.paper)
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
        for side in ("left", "bottom"):
            axes.spines[side].set_color(colours.faint)
        axes.tick_params(colors=colours.ink, labelsize=8, length=3, color=colours.faint)
        axes.grid(True, color=colours.grid, linewidth=0.6)
        axes.set_axisbelow(True)
        for axis_name, axis in (("x", self.figure.x), ("y", self.figure.y)):
            self._draw_axis(self._flip_axis(axis_name), axis, self._collect_values(axis_name))
        if self.flipped:
            axes.invert_yaxis()
        outcomes = [self._draw_series(i, series) for i, series in enumerate(self.figure.series)]
        self._set_limits()
        for mark in self.figure.marks:
            axis_name, colour = self._flip_axis(mark.axis), self._choose_colour(mark.role)
            if self._can_show(axis_name, mark.at):
                self._reach_mark(mark)
                style = {"optimum": "--", "limit": "-.", "current": "-"}.get(mark.role, ":")
                rule = axes.axvline if axis_name == "x" else axes.axhline
                rule(mark.at, color=colour, linestyle=style, linewidth=1.2, zorder=3)
        axes.set(xlim=axes.get_xlim(), ylim=axes.get_ylim())  # what follows moves no axis
        for zone in self.figure.zones:
            self._draw_zone(zone)
        for row, mark in enumerate(self.figure.marks):
            colour = self._choose_colour(mark.role)
            self._draw_label(self._flip_axis(mark.axis), mark.at, mark.label, colour, row=row)
        if not any(outcomes):
            middle: dict[str, Any] = {"transform": axes.transAxes, "ha": "center", "va": "center"}
            text = "nothing to draw: no value is finite"
            axes.text(0.5, 0.5, text, color=colours.faint, **middle)
        elif self.thinned:
            axes.annotate(
                "drawn thinned: " + ", ".join(self.thinned), (1, 1), xytext=(0, 3), ha="right",
                xycoords="axes fraction", textcoords="offset points", fontsize=7,
                color=colours.faint,
            )  # fmt: skip
        self._draw_legend()

    def apply_view(self, view: PlotView) -> None:
        """Show only a part of the drawn figure, and write words into it."""
        from matplotlib.text import Annotation

        for axis, span, figure_axis in (("x", view.x, self.figure.x), ("y", view.y, self.figure.y)):
            if span is not None:
                ends = [10.0**end for end in span] if figure_axis.scale == "log" else list(span)
                turned = self.flipped and axis == "x"
                getattr(self.axes, f"set_{self._flip_axis(axis)}lim")(
                    *(ends[::-1] if turned else ends)
                )
        for note in self.axes.texts:
            if isinstance(note, Annotation):  # what is out of view takes no room
                note.set_annotation_clip(True)
        for x, y, text in view.labels:
            point = (y, x) if self.flipped else (x, y)
            self.axes.annotate(
                text, point, xytext=(4, 5), textcoords="offset points", color=self.colours.ink,
                fontsize=8, annotation_clip=True,
            )  # fmt: skip

    def _flip_axis(self, axis: str) -> str:
        return {"x": "y", "y": "x"}[axis] if self.flipped else axis

    def _collect_values(self, axis: str) -> Float64s:
        parts = [np.asarray(getattr(s, axis), dtype=np.float64) for s in self.figure.series]
        return np.concatenate(parts) if parts else np.zeros(0)

    def _draw_axis(self, axis_name: str, figure_axis: Axis, values: Float64s) -> None:
        axes = self.axes
        label = wrap_label(
            figure_axis.title, 0.85 * (self.width if axis_name == "x" else self.height)
        )
        getattr(axes, f"set_{axis_name}label")(label, color=self.colours.ink)
        axis = getattr(axes, f"{axis_name}axis")
        if figure_axis.categories:
            names = [shorten_name(name) for name in figure_axis.categories]
            getattr(axes, f"set_{axis_name}ticks")(range(len(names)), names)
            axis.grid(False)
            getattr(axes, f"set_{axis_name}lim")(-0.6, len(names) - 0.4)
            if axis_name == "x" and sum(map(len, names)) * 6.2 > self.width * 0.85:
                axes.tick_params(axis="x", rotation=30)
                for tick in axis.get_ticklabels():
                    tick.set_horizontalalignment("right")
                    tick.set_rotation_mode("anchor")
            return
        positive = values[np.isfinite(values) & (values > 0)]
        logarithmic = figure_axis.scale == "log" and len(positive) > 0
        if logarithmic:
            getattr(axes, f"set_{axis_name}scale")("log", nonpositive="mask")
        from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

        show = format_share if figure_axis.unit == SHARE else format_tick
        axis.set_major_formatter(FuncFormatter(lambda value, _: show(value)))
        axis.set_minor_formatter(NullFormatter())
        if not logarithmic:
            is_count = self.figure.shows_counts(figure_axis)
            axis.set_major_locator(MaxNLocator(nbins=6, steps=[1, 2, 2.5, 5, 10], integer=is_count))
        elif positive.max() / positive.min() < 100:  # over so little, ticks between the powers
            axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))

    def _set_limits(self) -> None:
        """Bars and shares start at zero; other axes get a small margin."""
        axes = self.axes
        axes.margins(x=0.03, y=0.08)
        if not any(np.isfinite(self._collect_values("y")) & np.isfinite(self._collect_values("x"))):
            axes.set_xticks([])
            axes.set_yticks([])
            return
        value_axis = self._flip_axis("y")
        if self.figure.y.scale == "linear" and not self.figure.y.categories:
            ends = [end for series in self.figure.series for end in (series.low, series.high)]
            bounds = [np.asarray(end, dtype=np.float64) for end in ends if end is not None]
            finite = np.concatenate((self._collect_values("y"), *bounds))
            finite = finite[np.isfinite(finite)]
            if not finite.any():
                low_side = {"x": "left", "y": "bottom"}[value_axis]
                getattr(axes, f"set_{value_axis}lim")(**{low_side: 0})
            # A small share looks small, and of people there is at least one.
            full = self.figure.y.whole or float(self.figure.y.unit in get_args(Unit))
            if self.bars and finite.max() < full:
                getattr(axes, f"set_{value_axis}lim")(0, 1.06 * full)

    def _draw_series(self, index: int, series: Series) -> bool:
        x, y = _clip_values(series.x), _clip_values(series.y)
        keep = np.isfinite(x) & np.isfinite(y)
        low, high = (None if e is None else _clip_values(e) for e in (series.low, series.high))
        if not keep.any():
            return False
        if keep.sum() > _MOST_POINTS:
            self.thinned.append(shorten_name(series.name))
            positions = np.flatnonzero(keep)
            places = thin_positions(y[positions], _MOST_POINTS, peaks=series.kind != "points")
            keep = np.isin(np.arange(len(y)), positions[places])
        if series.kind in ("line", "steps"):
            # A gap in the data stays a gap in the line.
            keep |= ~np.isfinite(y) & np.isfinite(x) if keep.sum() < _MOST_POINTS else False
        if self.figure.x.categories and series.kind == "points":
            x = x + 0.12 * (index - (len(self.figure.series) - 1) / 2)
        part = x[keep], y[keep], *(None if e is None else e[keep] for e in (low, high))
        own_colour = self.colours.series[index % len(self.colours.series)]
        colour = self.colours.bad if series.role else own_colour
        style = {"color": colour, "label": shorten_name(series.name)}
        match series.kind:
            case "bars":
                self._draw_bars(self.bars.index(series), part, style)
            case "points":
                self._draw_points(index, part, style)
            case kind:
                self._draw_line(index, part, style, steps=kind == "steps")
        return True

    def _draw_line(self, index: int, part: Any, style: dict[str, Any], *, steps: bool) -> None:
        x, y, low, high = part
        marker = _MARKERS[index % len(_MARKERS)] if len(x) <= 24 and not steps else ""
        self.axes.plot(
            x,
            y,
            linestyle=_LINES[index % len(_LINES)],
            linewidth=1.7,
            marker=marker,
            markersize=4.5,
            drawstyle="steps-post" if steps else "default",
            **style,
        )
        if low is not None and high is not None:
            look = {"color": style["color"], "alpha": 0.18, "linewidth": 0}
            self.axes.fill_between(x, low, high, step="post" if steps else None, **look)

    def _draw_points(self, index: int, part: Any, style: dict[str, Any]) -> None:
        x, y, low, high = part
        is_dense = len(x) > 200
        # Later series lie above: those below stand out where points coincide.
        covered = min(5, len(self.figure.series) - 1 - index) if len(x) <= 3 else 0
        self.axes.plot(
            x,
            y,
            marker=_MARKERS[index % len(_MARKERS)],
            linestyle="",
            markersize=3.0 if is_dense else 6.0 + 1.5 * covered,
            alpha=0.55 if is_dense else 1.0,
            markeredgecolor=self.colours.paper,
            markeredgewidth=0.0 if is_dense else 0.6,
            **style,
        )
        self._draw_whiskers(x, y, low, high, style["color"])

    def _draw_bars(self, group: int, part: Any, style: dict[str, Any]) -> None:
        x, y, low, high = part
        places = sorted_distinct(x)
        step = float(np.diff(places).min()) if len(places) > 1 else 1.0
        lane_count = max(self.lanes) + 1
        wide = (0.8 if lane_count > 1 else 0.6) * step / lane_count
        centre = x + (self.lanes[group] - (lane_count - 1) / 2) * wide
        look: dict[str, Any] = {"hatch": _HATCHES[group % len(_HATCHES)], "linewidth": 0.4} | style
        draw = self.axes.barh if self.flipped else self.axes.bar
        bars = draw(centre, y, wide * 0.94, edgecolor=self.colours.paper, **look)
        if low is None and len(y) * len(self.bars) <= 24:
            share = self.figure.y.unit == SHARE
            short = [v if float(v).is_integer() else float(f"{v:.3g}") for v in y]
            labels = [format_share(v) for v in y] if share else [format_tick(v) for v in short]
            self.axes.bar_label(bars, labels, padding=2, fontsize=7.5, color=self.colours.ink)
        self._draw_whiskers(centre, y, low, high, self.colours.ink)

    def _draw_whiskers(self, x: Any, y: Any, low: Any, high: Any, colour: str) -> None:
        if low is None or high is None:
            return
        finite = np.isfinite(low) & np.isfinite(high)
        x, y, low, high = x[finite], y[finite], low[finite], high[finite]
        reach = np.vstack((np.maximum(y - low, 0), np.maximum(high - y, 0)))
        look: dict[str, Any] = {"x": x, "y": y, "yerr": reach}
        if self.flipped:
            look = {"x": y, "y": x, "xerr": reach}
        self.axes.errorbar(**look, ecolor=colour, elinewidth=1.1, capsize=3, fmt="none")

    def _choose_colour(self, role: str) -> str:
        colours = self.colours
        roles = {"bad": colours.bad, "limit": colours.bad, "current": colours.ink}
        roles |= {"good": colours.good, "optimum": colours.good}
        return roles.get(role, colours.faint)

    def _reach_mark(self, mark: PlotMark) -> None:
        """Widen an axis of numbers so that a mark stands on it, with a little room behind."""
        axis_name = self._flip_axis(mark.axis)
        figure_axis = self.figure.x if mark.axis == "x" else self.figure.y
        if figure_axis.categories:
            return
        low, high = sorted(getattr(self.axes, f"get_{axis_name}lim")())
        log = getattr(self.axes, f"get_{axis_name}scale")() == "log" and low > 0
        ends = min(low, mark.at), max(high, mark.at)
        if ends != (low, high):
            room = (ends[1] / ends[0]) ** 0.05 if log else 0.05 * (ends[1] - ends[0])
            low = low if ends[0] == low else ends[0] / room if log else ends[0] - room
            high = high if ends[1] == high else ends[1] * room if log else ends[1] + room
            getattr(self.axes, f"set_{axis_name}lim")(low, high)

    def _can_show(self, axis: str, at: float) -> bool:
        return math.isfinite(at) and (at > 0 or getattr(self.axes, f"get_{axis}scale")() != "log")

    def _draw_zone(self, zone: PlotZone) -> None:
        axis_name, colour = self._flip_axis(zone.axis), self._choose_colour(zone.role)
        left, right = getattr(self.axes, f"get_{axis_name}lim")()
        low, high = max(zone.low, min(left, right)), min(zone.high, max(left, right))
        if not low < high:
            return
        span = self.axes.axvspan if axis_name == "x" else self.axes.axhspan
        hatch = {"bad": "////", "good": ""}.get(zone.role, "....")
        span(low, high, facecolor=colour, alpha=0.09, linewidth=0)
        span(low, high, facecolor="none", edgecolor=colour, alpha=0.25, hatch=hatch, linewidth=0)
        self._draw_label(axis_name, low, zone.label, colour, zone=True)

    def _draw_label(
        self, axis: str, value: float, text: str, colour: str, *, row: int = 0, zone: bool = False
    ) -> None:
        if not text or not self._can_show(axis, value):
            return
        place: dict[str, Any]
        if axis == "x":
            left, right = self.axes.get_xlim()
            log = self.axes.get_xscale() == "log" and min(left, right, value) > 0
            turn = math.log if log else float
            share = (turn(value) - turn(left)) / (turn(right) - turn(left))
            on_right = share > 0.6
            place = {"xy": (value, 0.03 if zone else 0.98), "xycoords": ("data", "axes fraction")}
            place["xytext"] = (-4 if on_right else 4, -12 * row)
            place |= {"ha": "right" if on_right else "left", "va": "bottom" if zone else "top"}
        else:
            place = {"xy": (0.012 if zone else 0.985, value), "xycoords": ("axes fraction", "data")}
            place |= {"xytext": (0, 3), "ha": "left" if zone else "right", "va": "bottom"}
        box = {"facecolor": self.colours.paper, "edgecolor": "none", "pad": 1.0, "alpha": 0.85}
        self.axes.annotate(
            wrap_label(text, 300),
            textcoords="offset points",
            color=colour,
            fontsize=8,
            bbox=box,
            zorder=4,
            annotation_clip=False,
            **place,
        )

    def _draw_legend(self) -> None:
        labelled = [series for series in self.figure.series if series.name]
        if len(labelled) < 2:
            return
        widest = max(len(shorten_name(series.name)) for series in labelled)
        columns = max(1, min(len(labelled), int(self.width * 0.8 / (widest * 5.5 + 42))))
        self.axes.legend(
            loc="lower left",
            bbox_to_anchor=(-0.01, 1.0),
            borderaxespad=0.2,
            ncols=columns,
            frameon=False,
            labelcolor=self.colours.ink,
            fontsize=8,
            handlelength=2.6,
            columnspacing=1.4,
        )


def _clip_values(values: Float64s) -> Float64s:
    """Finite values within what the plotting library can scale; infinite ones stay so."""
    plain = np.asarray(values, dtype=np.float64)
    sized = np.sign(plain) * np.clip(np.abs(plain), _LEAST, _GREATEST)
    return np.where(np.isfinite(plain), sized, plain)


RAMP = ("#00224e", "#31446b", "#666970", "#958f78", "#cab969", "#fee838")
"""From low to high; light and dark alone tell it, for any colour vision (after cividis)."""

_SHADES = 64
_FONT, _SMALL = 8.5, 7.0
"""Points of the words in cells, of one line and of two."""


@dataclass(frozen=True, eq=False)
class CellGrid:
    """Values over two parameters, in words where people read them.

    `titles` are of the rows' parameter and of the columns', `rows` and `columns` their values; the
    first row is the lowest. Of ``values[row, column]``, NaN where nothing is known, `labels` are
    what stands in the cells, row by row, and `ends` the lowest and the highest in words.
    """

    title: str
    titles: tuple[str, str]
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: Float64s
    labels: tuple[tuple[str, ...], ...]
    ends: tuple[str, str]

    name = "grid"
    """What tells its drawing from another's."""

    def describe(self) -> str:
        """What a screen reader says in the drawing's place."""
        return f"{self.title}: {self.titles[0]} over {self.titles[1]}, {' to '.join(self.ends)}."


def share_of_range(values: Float64s) -> Float64s:
    """Each value's place between the lowest (0) and the highest (1); ½ where all are equal."""
    finite = values[np.isfinite(values)]
    low, high = (finite.min(), finite.max()) if len(finite) else (0.0, 1.0)
    return (values - low) / (high - low) if high > low else np.where(np.isnan(values), values, 0.5)


class GridDrawing:
    """A grid on a sheet of `width` × `height` CSS pixels."""

    def __init__(
        self, grid: CellGrid, sheet: Sheet, colours: PlotColours, width: float, height: float
    ) -> None:
        from matplotlib.colors import LinearSegmentedColormap

        self.grid, self.colours = grid, colours
        self.width, self.height = width, height
        self.cells, self.bar = sheet.subplots(1, 2, width_ratios=(40, 1))
        self.ramp = LinearSegmentedColormap.from_list("ramp", RAMP)
        self.ramp.set_bad(colours.grid)

    def draw(self) -> None:
        """Draw cells, both axes and the bar of colours."""
        shares = np.ma.masked_invalid(share_of_range(self.grid.values))
        self.cells.pcolormesh(
            shares, cmap=self.ramp, vmin=0, vmax=1, edgecolors=self.colours.paper, linewidth=0.6
        )
        self._draw_words(shares)
        self._draw_axes()
        steps = np.linspace(0, 1, _SHADES)[:, np.newaxis]
        self.bar.pcolormesh(steps, cmap=self.ramp, vmin=0, vmax=1, edgecolors="face", linewidth=0.6)
        self.bar.set_xticks([])
        self.bar.yaxis.tick_right()
        self.bar.set_yticks((0, _SHADES), self.grid.ends)
        self.bar.yaxis.set_label_position("right")
        title = wrap_label(self.grid.title, 0.8 * self.height)
        self.bar.set_ylabel(title, color=self.colours.ink)
        for axes in (self.cells, self.bar):
            # No frame and no tick marks, words in the sheet's ink.
            axes.set_facecolor(self.colours.paper)
            axes.tick_params(colors=self.colours.ink, labelsize=8, length=0)
            for spine in axes.spines.values():
                spine.set_visible(False)

    def _draw_words(self, shares: np.ma.MaskedArray) -> None:
        """A value in each cell, and what is guaranteed below it, where there is room."""
        rows, columns = shares.shape
        wide, high = 0.78 * self.width / columns, 0.78 * self.height / rows
        for row in range(rows):
            for column in range(columns):
                lines = self.grid.labels[row * columns + column]
                if np.ma.getmaskarray(shares)[row, column]:
                    continue
                for count, size in ((len(lines), _SMALL), (1, _FONT)):
                    texts = [printable_text(line) for line in lines[:count]]
                    fits = max(map(len, texts), default=0) * size * 0.8 < wide
                    if texts and fits and count * size * 1.9 < high:
                        colour = "#ffffff" if shares[row, column] < 0.5 else "#000000"
                        look = {"ha": "center", "va": "center", "fontsize": size, "color": colour}
                        self.cells.text(column + 0.5, row + 0.5, "\n".join(texts), **look)
                        break

    def _draw_axes(self) -> None:
        grid, cells = self.grid, self.cells
        for names, room, put in (
            (grid.columns, self.width * 0.8 / 7, cells.set_xticks),
            (grid.rows, self.height * 0.8 / 14, cells.set_yticks),
        ):
            need = len(names) if put == cells.set_yticks else sum(len(name) + 2 for name in names)
            tick_step = max(1, int(np.ceil(need / room)))
            ticks = range(0, len(names), tick_step)
            put([place + 0.5 for place in ticks], [shorten_name(names[place]) for place in ticks])
        up, across = grid.titles
        cells.set_xlabel(wrap_label(across, 0.8 * self.width), color=self.colours.ink)
        cells.set_ylabel(wrap_label(up, 0.8 * self.height), color=self.colours.ink)


def thin_positions(y: Float64s, point_limit: int, *, peaks: bool) -> Int64s:
    """Ascending positions of at most `point_limit` of the values, the ends included; O(n).

    With `peaks` the least and the greatest of each stretch stay.
    """
    if len(y) <= point_limit:
        return np.arange(len(y))
    if not peaks:
        return np.unique(np.linspace(0, len(y) - 1, point_limit).round().astype(np.int64))
    edges = np.linspace(0, len(y), max(1, point_limit // 2 - 1) + 1).astype(np.int64)
    positions = {0, len(y) - 1}
    for start, stop in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        positions |= {start + int(y[start:stop].argmin()), start + int(y[start:stop].argmax())}
    return np.array(sorted(positions), dtype=np.int64)


def format_tick(value: float) -> str:
    """A tick's label: plain where that is short, else a power of ten in plain characters."""
    if value == 0 or not math.isfinite(value):
        return "0" if value == 0 else ""
    size = abs(value)
    text = format_power(value, 3)
    if 1e-3 <= size < 1e7:
        text = f"{value:,.6g}" if size < 1000 else f"{value:,.0f}"
    elif 1e7 <= size < 1e9:
        text = f"{value / 1e6:,.4g} M"
    elif 1e9 <= size < 1e12:
        text = phrase("{value:,.4g} bn", value=value / 1e9)
    return text.replace("-", "\u2212")


def shorten_name(text: str) -> str:
    name = printable_text(text)
    # A leading underscore would hide a series from the legend.
    name = "\u200b" + name if name.startswith("_") else name
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"


def wrap_label(text: str, width: float) -> str:
    return "\n".join(textwrap.wrap(printable_text(text), max(12, int(width / 6.5)))[:4])


# --- sheets and files ---------------------------------------------------------------------------


_SANS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', Arial, sans-serif"

# matplotlib keeps its settings, and Python its warning filters, for the whole process.
_drawing = threading.Lock()


@contextlib.contextmanager
def sheet_of_figure(
    figure: Figure | CellGrid,
    colours: PlotColours,
    width: float,
    height: float,
    view: PlotView | None = None,
    titled: bool = False,
) -> Iterator[Sheet]:
    """The figure on a sheet of `width` × `height` CSS pixels, for a canvas to be put on it.

    Where it is `titled`, its heading stands above and its note below, as in a file of its own.
    """
    import matplotlib
    from matplotlib.figure import Figure as Sheet

    settings = {
        "svg.fonttype": "none",
        "svg.hashsalt": f"{figure.name}\0{figure.title}",  # no id stands in two drawings
        "text.parse_math": False,
        "font.family": ["DejaVu Sans"],
        "font.size": 8.5,
        "hatch.linewidth": 0.5,
        "axes.unicode_minus": True,
        "path.simplify": False,
    }
    with _drawing, matplotlib.rc_context(settings), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a script without glyphs here has them in the browser
        sheet = Sheet(figsize=(width / 96, height / 96), dpi=72, layout="constrained")
        sheet.set_facecolor(colours.paper)
        if isinstance(figure, CellGrid):
            GridDrawing(figure, sheet, colours, width, height).draw()
        else:
            drawing = FigureDrawing(figure, sheet.add_subplot(), colours, width, height)
            drawing.draw()
            if view is not None:
                drawing.apply_view(view)
        if titled:
            look: dict[str, Any] = {"x": 0.01, "ha": "left", "fontsize": 10.5, "color": colours.ink}
            sheet.suptitle(wrap_label(figure.title, width), **look)
            if isinstance(figure, Figure) and figure.note:
                sheet.supxlabel(wrap_label(figure.note, width), **look)
        yield sheet


def figure_svg(
    figure: Figure | CellGrid,
    *,
    width: float = 640,
    height: float = 340,
    titled: bool = False,
    view: PlotView | None = None,
) -> str:
    """The figure as one SVG document of `width` × `height` CSS pixels; O(points drawn).

    A series of more than 1,000 points is thinned, lines so that every peak stays.
    """
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    with sheet_of_figure(figure, ON_LIGHT, width, height, view, titled) as sheet:
        FigureCanvasSVG(sheet)
        buffer = io.StringIO()
        no_metadata = dict.fromkeys(("Date", "Creator", "Format", "Type"))
        sheet.savefig(buffer, format="svg", facecolor=ON_LIGHT.paper, metadata=no_metadata)
    return _tidy_svg(buffer.getvalue(), figure, width, height)


def lay_side_by_side(drawings: Sequence[str], width: float, height: float) -> str:
    """Drawings of `figure_svg` as one of `width` × `height` CSS pixels, each as wide as another."""
    wide = width / max(len(drawings), 1)
    parts = []
    for place, svg in enumerate(drawings):
        room = f'x="{place * wide:g}" width="{wide:g}" height="{height:g}"'
        body = svg[svg.index("<svg") :]
        parts.append(re.sub(r'width="[\d.]+" height="[\d.]+"', room, body, count=1))
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}">'
    return '<?xml version="1.0" encoding="utf-8"?>\n' + head + "\n".join(parts) + "\n</svg>\n"


def write_figures(figures: Iterable[Figure], folder: Path) -> list[Path]:
    """Write each figure as ``NAME.svg`` into `folder`, over older ones of that name.

    Raises `ExportFailed` where the system refuses.
    """
    paths = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ExportFailed(f"{folder} can't be made: {error.strerror}.") from None
    for figure in figures:
        path = folder / (re.sub(r"[^A-Za-z0-9_.-]+", "-", figure.name) + ".svg")
        with replaced_file(path) as new:
            new.write_text(figure_svg(figure, titled=True), encoding="utf-8")
            sync_private_file(new)
        paths.append(path)
    return paths


def apply_theme_colours(svg: str) -> str:
    """For a page: without the document's head, and with CSS variables for colours."""
    text = svg[svg.index("<svg") :]
    text = re.sub(r' xmlns(:xlink)?="[^"]*"', "", text)
    for name, colour in ON_LIGHT.named:
        text = text.replace(colour, f"var(--plot-{name}, {colour})")
    return text


def theme_css() -> tuple[str, str]:
    """The variables that `apply_theme_colours` uses, for a light and for a dark page."""
    light, dark = (
        " ".join(f"--plot-{name}: {colour};" for name, colour in colours.named)
        for colours in (ON_LIGHT, ON_DARK)
    )
    return light, dark


def _tidy_svg(svg: str, figure: Figure | CellGrid, width: float, height: float) -> str:
    """Without the outside DTD, and without ids that nobody points to."""
    text = re.sub(r"<!DOCTYPE.*?>\n?", "", svg, flags=re.DOTALL)
    text = re.sub(r" *<metadata>.*?</metadata>\n?", "", text, flags=re.DOTALL)
    text = re.sub(r' *<defs>\s*<style type="text/css">.*?</style>\s*</defs>\n?', "", text, count=1)
    text = re.sub(r"font-family: [^;\"]*", f"font-family: {_SANS}", text)
    used_ids = set(re.findall(r"(?:url\(#|href=\"#)([^)\"]+)", text))
    text = re.sub(r' id="([^"]+)"', lambda match: match[0] if match[1] in used_ids else "", text)
    text = re.sub(  # a hundredth of a pixel is enough
        r' (d|x|y|transform)="[^"]*"', lambda m: re.sub(r"(\.\d\d)\d+", r"\1", m[0]), text
    )
    if isinstance(figure, CellGrid):
        label = figure.describe()
    else:
        names = ", ".join([series.name for series in figure.series if series.name][:12])
        label = f"{figure.title}. {figure.y.label} over {figure.x.label}"
        label += f": {names}." if names else "."
    size = f'width="{width:g}" height="{height:g}" style="stroke-linejoin: round"'
    size += f' role="img" aria-label="{html.escape(printable_text(label))}"'
    return re.sub(r'width="[\d.]+pt" height="[\d.]+pt"', lambda _: size, text, count=1)
