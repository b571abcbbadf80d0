"""A grid of settings on a sheet: cells coloured by one figure, and which colour means what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from auditor.arrays import Float64s
from auditor.release.escaping import printable_text
from auditor.release.report.drawing import PlotColours
from auditor.release.report.ticks import shorten_name, wrap_label

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Sheet

RAMP = ("#00224e", "#31446b", "#666970", "#958f78", "#cab969", "#fee838")
"""From low to high; light and dark alone tell it, for any colour vision (after cividis)."""

_SHADES = 64
_FONT, _SMALL = 8.5, 7.0
"""Points of the words in cells, of one line and of two."""


@dataclass(frozen=True, eq=False)
class CellGrid:
    """Values over two parameters, in words where people read them.

    Attributes
    ----------
    titles
        Of the rows' parameter and of the columns'.
    rows, columns
        The parameters' values as people read them; the first row is the lowest.
    values
        ``values[row, column]``; not a number where nothing is known.
    labels
        What stands in a cell: a value, and below it what is guaranteed there, if anything.
    ends
        The lowest and the highest value in words.
    """

    title: str
    titles: tuple[str, str]
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: Float64s
    labels: tuple[tuple[str, ...], ...]
    ends: tuple[str, str]

    @property
    def name(self) -> str:
        """What tells its drawing from another's."""
        return "grid"

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
        title = wrap_label(printable_text(self.grid.title), 0.8 * self.height)
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
                    shown = [printable_text(line) for line in lines[:count]]
                    fits = max(map(len, shown), default=0) * size * 0.8 < wide
                    if shown and fits and count * size * 1.9 < high:
                        self.cells.text(
                            column + 0.5,
                            row + 0.5,
                            "\n".join(shown),
                            ha="center",
                            va="center",
                            fontsize=size,
                            color="#ffffff" if shares[row, column] < 0.5 else "#000000",
                        )
                        break

    def _draw_axes(self) -> None:
        grid, cells = self.grid, self.cells
        for names, room, put in (
            (grid.columns, self.width * 0.8 / 7, cells.set_xticks),
            (grid.rows, self.height * 0.8 / 14, cells.set_yticks),
        ):
            need = len(names) if put == cells.set_yticks else sum(len(name) + 2 for name in names)
            every = max(1, int(np.ceil(need / room)))
            kept = range(0, len(names), every)
            put([place + 0.5 for place in kept], [shorten_name(names[place]) for place in kept])
        cells.set_xlabel(
            wrap_label(printable_text(grid.titles[1]), 0.8 * self.width), color=self.colours.ink
        )
        cells.set_ylabel(
            wrap_label(printable_text(grid.titles[0]), 0.8 * self.height), color=self.colours.ink
        )
