"""Draws a `Figure` as SVG: the same bytes for the same figure, no scripts, no outside links.

Series differ by colour (Okabe and Ito's, which colour-blind people can tell apart), by line style
and by marker, so that no meaning hangs on colour alone. Words are plain text, never markup or
formulas. `themed` turns a drawing's colours into CSS variables, so that one drawing serves a
light and a dark page.
"""

from __future__ import annotations

import contextlib
import html
import io
import re
import threading
import warnings
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from auditor.errors import ExportFailed
from auditor.figures import Figure
from auditor.log.escaping import printable_text
from auditor.platform import sync_private_file
from auditor.release.atomic_write import replaced_file
from auditor.release.report.drawing import (
    LIGHT,
    ON_DARK,
    ON_LIGHT,
    CellGrid,
    FigureDrawing,
    GridDrawing,
    PlotColours,
    PlotView,
    wrap_label,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Sheet

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
    for name in ("paper", "ink", "faint", "grid", "bad", "good"):
        colour = getattr(ON_LIGHT, name)
        text = text.replace(colour, f"var(--plot-{name}, {colour})")
    for number, colour in enumerate(LIGHT):
        text = text.replace(colour, f"var(--plot-{number}, {colour})")
    return text


def theme_css() -> tuple[str, str]:
    """The variables that `themed` uses, for a light and for a dark page."""
    blocks = []
    for colours in (ON_LIGHT, ON_DARK):
        names = ("paper", "ink", "faint", "grid", "bad", "good")
        pairs = [(name, getattr(colours, name)) for name in names]
        pairs += [(str(number), colour) for number, colour in enumerate(colours.series)]
        blocks.append(" ".join(f"--plot-{name}: {colour};" for name, colour in pairs))
    return blocks[0], blocks[1]


def _tidy_svg(svg: str, figure: Figure | CellGrid, width: float, height: float) -> str:
    """Without the outside DTD, and without ids that nobody points to."""
    text = re.sub(r"<!DOCTYPE.*?>\n?", "", svg, flags=re.DOTALL)
    text = re.sub(r" *<metadata>.*?</metadata>\n?", "", text, flags=re.DOTALL)
    text = re.sub(r' *<defs>\s*<style type="text/css">.*?</style>\s*</defs>\n?', "", text, count=1)
    text = re.sub(r"font-family: [^;\"]*", f"font-family: {_SANS}", text)
    used_ids = set(re.findall(r"(?:url\(#|href=\"#)([^)\"]+)", text))
    text = re.sub(r' id="([^"]+)"', lambda match: match[0] if match[1] in used_ids else "", text)

    def round_coordinates(match: re.Match[str]) -> str:  # a hundredth of a pixel is enough
        return re.sub(r"(\.\d\d)\d+", r"\1", match[0])

    text = re.sub(r' (d|x|y|transform)="[^"]*"', round_coordinates, text)
    if isinstance(figure, CellGrid):
        label = figure.describe()
    else:
        names = [series.name for series in figure.series if series.name]
        lines = f": {', '.join(names[:12])}" if names else ""
        label = f"{figure.title}. {figure.y.label} over {figure.x.label}{lines}."
    size = f'width="{width:g}" height="{height:g}" style="stroke-linejoin: round"'
    size += f' role="img" aria-label="{html.escape(printable_text(label))}"'
    return re.sub(r'width="[\d.]+pt" height="[\d.]+pt"', lambda _: size, text, count=1)
