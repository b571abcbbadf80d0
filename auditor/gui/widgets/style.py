"""How the window looks: two themes, one spacing and type scale, colours nobody mixes up.

Series colours are Okabe and Ito's, told apart with any colour vision; a status is always an
icon and a word, and the colour only repeats it.
"""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from string import Template
from typing import Any, Literal, TypeVar

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QGuiApplication, QIcon, QPainter, QPalette, QPen, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QBoxLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QSplitter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from auditor.gui.app.translation import mark_for_translation, tr
from auditor.gui.widgets.fields import WrappingLabel, ignore_wheel
from auditor.resource_files import resource_path, resource_text

Choice = Literal["system", "light", "dark"]
Margins = int | tuple[int, ...] | None
"""One for all sides, two for across and up, or four; None leaves them to the style."""
Part = QWidget | QLayout | int | tuple[Any, ...]
"""What stands in a row or column: something, a stretch, or something with stretch and alignment."""

Box = TypeVar("Box", bound=QBoxLayout)

GAP = 4
"""Pixels (device independent) that all spacing is a multiple of."""

TIGHT, NORMAL, WIDE = GAP, 2 * GAP, 4 * GAP

SMALL, BODY, HEADING, DISPLAY = 0.9, 1.0, 1.1, 1.7
"""Type sizes relative to the system's font, so that its text scaling is kept."""


@dataclass(frozen=True)
class WindowTheme:
    """Every colour that the window uses."""

    name: Literal["light", "dark"]
    window: str
    surface: str
    text: str
    muted: str
    border: str
    outline: str
    """Edges of things to type in: at least 3 : 1 against what is around them."""
    accent: str
    on_accent: str
    good: str
    bad: str
    warn: str
    banner_info: str
    banner_good: str
    banner_bad: str
    banner_warn: str
    grid: str
    series: tuple[str, ...]


def _load_theme(name: Literal["light", "dark"]) -> WindowTheme:
    colours = tomllib.loads(resource_text("themes.toml"))[name]
    return WindowTheme(name=name, series=tuple(colours.pop("series")), **colours)


LIGHT, DARK = _load_theme("light"), _load_theme("dark")

SYMBOLS = ("o", "s", "t", "d", "star", "x", "+")
"""Point shapes in pyqtgraph's names, one for each series colour."""
SYMBOL_SIGNS = "●■▼◆★✖✚"
"""The same as characters."""

LINES = (Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine, Qt.PenStyle.DotLine)
"""Styles of lines: another one each time the colours begin again."""
LINE_SIGNS = ("━━", "╍╍", "┈┈")
"""The same as characters."""


def line_pen(theme: WindowTheme, look: int, width: float = 2.0) -> QPen:
    """The pen of series number `look`: no two of 21 look the same."""
    colours = theme.series
    style = LINES[look // len(colours) % len(LINES)]
    pen = QPen(QColor(colours[look % len(colours)]), width, style)
    pen.setCosmetic(True)
    return pen


@dataclass(frozen=True)
class StatusSign:
    """A status as people see it: an icon, a word, and which theme colour repeats it."""

    icon: str
    english: str
    colour: Literal["good", "bad", "warn", "muted", "accent"]

    @property
    def word(self) -> str:
        return tr(self.english)


ASSUMPTION_SIGNS = {
    "holds": StatusSign("✓", mark_for_translation("holds"), "good"),
    "fails": StatusSign("✗", mark_for_translation("fails"), "bad"),
    "unknown": StatusSign("?", mark_for_translation("not known"), "warn"),
}

RUN_SIGNS = {
    "waiting": StatusSign("…", mark_for_translation("waiting"), "muted"),
    "running": StatusSign("▶", mark_for_translation("running"), "accent"),
    "finished": StatusSign("✓", mark_for_translation("finished"), "good"),
    "failed": StatusSign("✗", mark_for_translation("failed"), "bad"),
    "cancelled": StatusSign("■", mark_for_translation("cancelled"), "muted"),
}


def theme_of(widget: QWidget | None = None) -> WindowTheme:
    """The theme that a widget (the application by default) is shown in now."""
    palette = widget.palette() if widget is not None else QGuiApplication.palette()
    # by the ink: a style sheet may make what is behind it transparent
    ink = palette.color(QPalette.ColorGroup.Active, QPalette.ColorRole.Text)
    return DARK if ink.lightness() >= 128 else LIGHT


def wanted_theme(choice: Choice) -> WindowTheme:
    """What a menu choice means now; "system" follows the desktop, light if it doesn't say."""
    if choice != "system":
        return DARK if choice == "dark" else LIGHT
    dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
    return DARK if dark else LIGHT


def apply_theme(app: QApplication, theme: WindowTheme) -> None:
    """Apply a theme to the application; widgets that paint get a palette change."""
    app.setPalette(theme_palette(theme))
    app.setStyleSheet(style_sheet(theme))


def theme_palette(theme: WindowTheme) -> QPalette:
    """Qt's palette for a theme, disabled group included."""
    palette = QPalette()
    role = QPalette.ColorRole
    for colour, *keys in (
        (theme.window, role.Window, role.AlternateBase, role.Button),
        (theme.surface, role.Base, role.ToolTipBase),
        (theme.text, role.WindowText, role.Text, role.ButtonText, role.ToolTipText),
        (theme.muted, role.PlaceholderText),
        (theme.bad, role.BrightText),
        (theme.accent, role.Link, role.Highlight, role.Accent),
        (theme.on_accent, role.HighlightedText),
    ):
        for key in keys:
            palette.setColor(key, QColor(colour))
    faint = mix_colours(theme.text, theme.window, 0.5)
    for key in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, key, faint)
    return palette


def style_sheet(theme: WindowTheme) -> str:
    """The few rules that a palette can't say."""
    drawings = {"check": f"check-{theme.name}"}
    drawings |= {"chevron_down": "chevron-down", "chevron_up": "chevron-up"}
    rules = Template(resource_text("window.qss"))
    return rules.substitute(
        vars(theme),
        hover=mix_colours(theme.text, theme.window, 0.06).name(),
        pressed=mix_colours(theme.text, theme.window, 0.12).name(),
        primary_hover=mix_colours(theme.text, theme.accent, 0.15).name(),
        chosen=mix_colours(theme.accent, theme.window, 0.14).name(),
        faint=mix_colours(theme.text, theme.window, 0.5).name(),
        **{
            part: resource_path(f"icons/controls/{name}.svg").as_posix()
            for part, name in drawings.items()
        },
    )


def mix_colours(top: str, base: str, share: float) -> QColor:
    """`share` of the colour `top` on `base`."""
    parts = (QColor(colour).getRgb()[:3] for colour in (top, base))  # type: ignore[index]
    return QColor(*(round(share * x + (1 - share) * y) for x, y in zip(*parts, strict=True)))


def scaled_font(widget: QWidget, size: float = BODY, *, bold: bool = False) -> QFont:
    """The application's font at a step of the type scale."""
    font = QFont(QApplication.font(widget))
    font.setPointSizeF(QApplication.font().pointSizeF() * size)
    font.setBold(bold)
    return font


def plain_label(
    text: str = "",
    *,
    size: float = BODY,
    bold: bool = False,
    role: str = "",
    wrap: bool = False,
    name: str = "",
    centred: bool = False,
    selectable: bool = False,
) -> QLabel:
    """A label that shows its text as it is, whatever stands in it; `name` is for screen readers."""
    label = WrappingLabel() if wrap else QLabel()
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setText(text)
    label.setFont(scaled_font(label, size, bold=bold))
    if role:
        label.setProperty("role", role)
    if name:
        label.setAccessibleName(name)
    if centred:
        label.setAlignment(Qt.AlignmentFlag.AlignCenter)
    if selectable:
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def button(
    text: str,
    do: Any = None,
    *,
    tip: str = "",
    role: str = "",
    name: str = "",
    checkable: bool = False,
    auto_default: bool = True,
) -> QPushButton:
    """A button; `do` is called, or emitted, at a click."""
    widget = QPushButton(text)
    widget.setToolTip(tip)
    widget.setCheckable(checkable)
    if role:
        widget.setProperty("role", role)
    if name:
        widget.setAccessibleName(name)
    if not auto_default:
        widget.setAutoDefault(False)
    if do is not None:
        widget.clicked.connect(do)
    return widget


def keep_room(widget: QWidget) -> None:
    """Leave a widget's room empty while it is hidden."""
    policy = widget.sizePolicy()
    policy.setRetainSizeWhenHidden(True)
    widget.setSizePolicy(policy)


def busy_line(name: str) -> QProgressBar:
    """A thin bar, hidden, that says while it is shown that nobody knows how far something is."""
    bar = QProgressBar(maximum=0, textVisible=False)
    bar.setFixedHeight(3)
    bar.setAccessibleName(name)
    keep_room(bar)
    bar.hide()
    return bar


def tool_button(text: str = "", do: Any = None, *, name: str = "", tip: str = "") -> QToolButton:
    """A flat button, mostly with a sign alone: `name` is for screen readers."""
    widget = QToolButton()
    widget.setText(text)
    widget.setAutoRaise(True)
    widget.setAccessibleName(name)
    widget.setToolTip(tip)
    if do is not None:
        widget.clicked.connect(do)
    return widget


def line_edit(
    name: str, hint: str = "", *, length: int | None = None, clearable: bool = False
) -> QLineEdit:
    """A field of one line, called `name`, with a hint while it is empty."""
    field = QLineEdit(clearButtonEnabled=clearable)
    field.setAccessibleName(name)
    field.setPlaceholderText(hint)
    if length is not None:
        field.setMaxLength(length)
    return field


def scroll_area(
    content: QWidget, *, name: str = "", focus: bool = True, across: bool = True
) -> QScrollArea:
    """An area without a frame around something; `across` lets it scroll sideways."""
    area = QScrollArea(widgetResizable=True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setAccessibleName(name)
    if not focus:
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    if not across:
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(content)
    return area


def splitter(
    parts: Iterable[QWidget],
    *,
    sizes: Iterable[int] = (),
    stretch: Iterable[int] = (),
    vertical: bool = False,
) -> QSplitter:
    """Parts whose shares of the room somebody can move; none can be pushed away."""
    widget = QSplitter(Qt.Orientation.Vertical if vertical else Qt.Orientation.Horizontal)
    for part in parts:
        widget.addWidget(part)
    widget.setChildrenCollapsible(False)
    widget.setHandleWidth(6)
    for place, factor in enumerate(stretch):
        widget.setStretchFactor(place, factor)
    if sizes:
        widget.setSizes(list(sizes))
    return widget


def row(
    parent: QWidget | None,
    parts: Iterable[Part] = (),
    margins: Margins = 0,
    spacing: int | None = None,
) -> QHBoxLayout:
    """Parts side by side; without `spacing` the style's."""
    return _fill_layout(QHBoxLayout(), parent, parts, margins, spacing)


def column(
    parent: QWidget | None,
    parts: Iterable[Part] = (),
    margins: Margins = 0,
    spacing: int | None = None,
) -> QVBoxLayout:
    """Parts one below the other, otherwise as `row`."""
    return _fill_layout(QVBoxLayout(), parent, parts, margins, spacing)


def panel(parent: QWidget, parts: Iterable[Part]) -> QVBoxLayout:
    """A column with the narrow edges of what stands in a tile."""
    return column(parent, parts, margins=(NORMAL, TIGHT), spacing=TIGHT)


def filled(layout: QLayout) -> QWidget:
    """A widget that holds a row or a column."""
    widget = QWidget()
    widget.setLayout(layout)
    return widget


def clear_layout(layout: QLayout) -> None:
    """Take away everything that stands in a row or column, and what stands in those within it."""
    while (item := layout.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.hide()
            widget.deleteLater()
        elif (inner := item.layout()) is not None:
            clear_layout(inner)


def tab_through(before: QWidget, container: QWidget) -> None:
    """Let Tab go on from a widget through what stands in another and was made later."""
    window = before.window()
    for part in container.findChildren(QWidget):
        in_window = part is not before and part.window() is window  # the list of a box is a window
        if in_window and part.focusPolicy() & Qt.FocusPolicy.TabFocus:
            QWidget.setTabOrder(before, part)
            before = part


def show_text(label: QLabel, text: str) -> None:
    """Write a text on a label, which is hidden while there is none."""
    label.setText(text)
    label.setVisible(bool(text))


def _fill_layout(
    layout: Box,
    parent: QWidget | None,
    parts: Iterable[Part],
    margins: Margins,
    spacing: int | None,
) -> Box:
    if parent is not None:
        parent.setLayout(layout)
    if margins is not None:
        sides = (margins,) if isinstance(margins, int) else margins
        layout.setContentsMargins(*sides * (4 // len(sides)))
    if spacing is not None:
        layout.setSpacing(spacing)
    for part in parts:
        if isinstance(part, int):
            layout.addStretch(part)
            continue
        thing, *arguments = part if isinstance(part, tuple) else (part,)
        (layout.addLayout if isinstance(thing, QLayout) else layout.addWidget)(thing, *arguments)
    return layout


def grid(
    parent: QWidget | None = None,
    stretch: Mapping[int, int] | None = None,
    *,
    across: int = WIDE,
    down: int = TIGHT,
) -> QGridLayout:
    """A grid without margins; `stretch` says which columns share the room, and how."""
    layout = QGridLayout(parent) if parent is not None else QGridLayout()
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setHorizontalSpacing(across)
    layout.setVerticalSpacing(down)
    for place, share in (stretch or {}).items():
        layout.setColumnStretch(place, share)
    return layout


def prepare_spin_box(box: QAbstractSpinBox) -> None:
    """Let a field with arrows begin where others do (Qt takes no padding) and ignore the wheel."""
    ignore_wheel(box)
    box.lineEdit().setTextMargins(TIGHT, 0, 0, 0)


def restyle(widget: QWidget, name: str, value: str) -> None:
    """Set a property that the style sheet looks at, and have it looked at again."""
    widget.setProperty(name, value)
    widget.style().unpolish(widget)
    widget.style().polish(widget)


FOLDER = "icons/lucide"
SHARPEST = 3
"""Pixels drawn for each of an icon's, so that it is sharp on any screen."""


def draw_pixmap(name: str, colour: str, size: int) -> QPixmap:
    """One drawing in one colour, `size` pixels wide and high."""
    drawing = resource_text(f"{FOLDER}/{name}.svg")
    renderer = QSvgRenderer(QByteArray(drawing.replace("currentColor", colour).encode()))
    pixmap = QPixmap(QSize(size, size) * SHARPEST)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    renderer.render(painter, QRectF(pixmap.rect()))
    painter.end()
    pixmap.setDevicePixelRatio(SHARPEST)
    return pixmap


def make_icon(name: str, colour: str, checked: str, size: int) -> QIcon:
    """A drawing for a button: in `colour`, and in `checked` while the button is checked."""
    icon = QIcon()
    icon.addPixmap(draw_pixmap(name, colour, size), QIcon.Mode.Normal, QIcon.State.Off)
    icon.addPixmap(draw_pixmap(name, checked, size), QIcon.Mode.Normal, QIcon.State.On)
    return icon
