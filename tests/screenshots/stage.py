"""The real window on a stage: a home of its own, a fixed size, and how pictures are taken."""

import contextlib
import io
import itertools
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

from PIL import Image
from PySide6.QtCore import QBuffer, QEventLoop, QIODevice, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from auditor.attacks.registry import ATTACKS
from auditor.gui.app import application as starting
from auditor.gui.app import translation
from auditor.gui.projects import keeper
from auditor.gui.release.page import ReviewPanel
from auditor.gui.widgets import style
from auditor.measures.registry import MEASURES
from auditor.privacy.noise import PreviewRandomness

SIZE = QSize(1366, 768)
SHARP = 2
"""Pixels of a picture for each of the window's."""

COLOURS = 256
PATIENCE = 1_200.0
TRIED = ("surviving-content", "record-linkage", "dp-audit")
MEASURED = ("volume", "frequencies", "profile-exposure")
"""What is tried on every run unless a sitting says otherwise: enough to see, and soon there."""
USER = "ada"
"""Whose home it is: the name stands in pictures that show where a release goes."""


@contextlib.contextmanager
def home() -> Iterator[Path]:
    """An empty home with a short name, which pictures may show; another name if that is taken."""
    for number in itertools.count(1):
        folder = Path(tempfile.gettempdir()) / (USER if number == 1 else f"{USER}{number}")
        with contextlib.suppress(FileExistsError):
            folder.mkdir(mode=0o700)
            break
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def environment(folder: Path, sharp: int = SHARP) -> dict[str, str]:
    """The environment of a process that knows nobody's settings; `sharp` pixels for each."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
    return env | {
        "HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder / ".config"),
        "XDG_DATA_HOME": str(folder / ".local" / "share"),
        "XDG_STATE_HOME": str(folder / ".local" / "state"),
        "QT_QPA_PLATFORM": "offscreen",
        "QT_SCALE_FACTOR": str(sharp),
        "LC_ALL": "C.UTF-8",
        "LANGUAGE": "en",
        "TZ": "UTC",
    }


class Repeatable:
    """Seeded noise in a release's place, so that pictures are the same each time.

    Nothing of the program has such a thing: what the stage makes is thrown away with its home.
    """

    def __init__(self, seed: int) -> None:
        self._drawn = PreviewRandomness(seed)

    @property
    def secure(self) -> Literal[True]:
        """What a release says of its noise."""
        return True

    def __getattr__(self, name: str) -> Any:
        return getattr(self._drawn, name)


class Stage:
    """One window, and what somebody at it does between two pictures."""

    def __init__(
        self,
        out: Path,
        *,
        theme: style.Choice = "light",
        text: float = 1.0,
        size: QSize = SIZE,
        language: str = "en",
    ) -> None:
        self.out = out
        self.home = Path.home()
        self.app: QApplication = starting.make_application(["auditor"])
        if language != "en":
            translation.install_language(self.app, language)
        if text != 1.0:
            font = self.app.font()
            font.setPointSizeF(text * font.pointSizeF())
            self.app.setFont(font)
        style.apply_theme(self.app, style.wanted_theme(theme))
        state = keeper.state_folder()
        self.window = starting.make_window(self.app, state)
        style.apply_theme(self.app, style.wanted_theme(theme))
        self.controller = self.window.controller
        seeds = iter(range(1, 1_000))
        self.controller._make_rng = lambda: Repeatable(next(seeds))
        self.window.resize(size)
        self.window.show()
        self.spin(0.3)

    # waiting

    def spin(self, seconds: float = 0.3) -> None:
        """Let the window live for a while."""
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            self.app.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)
            time.sleep(0.01)

    def until(self, done: Callable[[], object]) -> None:
        """Let it live until `done`; raises TimeoutError."""
        end = time.perf_counter() + PATIENCE
        while not done():
            self.spin(0.01)
            if time.perf_counter() > end:
                raise TimeoutError("the window did not come to what was waited for")

    def idle(self) -> None:
        """Wait until nothing is on its way."""
        c = self.controller
        window = self.window
        self.until(
            lambda: not any(
                (c.looking, c.running, c.known.now.reading, c.explorer.running, window.log.busy,
                 window.verdicts.busy, window.protect.finder.busy)
            )
        )  # fmt: skip
        self.spin(0.6)

    def settled(self) -> None:
        """Wait until a picture that is completed piece by piece has all of them."""
        heard = [time.perf_counter()]
        self.controller.expected.connect(lambda _event: heard.append(time.perf_counter()))
        self.until(lambda: time.perf_counter() - heard[-1] > 3.0)

    # doing

    def open_log(self, path: Path | None = None) -> None:
        """Open a log as it looks, or the sample's, and wait for its first plots."""
        if path is None:
            self.controller.open_sample()
        else:
            self.window.open([path])
        self.until(lambda: self.controller.opened is not None)
        self.try_only(TRIED, MEASURED)
        self.idle()

    def try_only(self, attacks: tuple[str, ...], measures: tuple[str, ...]) -> None:
        """Have these attacks and measures with every run, and no others."""
        for name in ATTACKS:
            self.controller.intents.toggle_check("attacks", name, name in attacks)
        for name in MEASURES:
            self.controller.intents.toggle_check("measures", name, name in measures)

    def choose(self, method: str, **values: object) -> None:
        """Choose a method and set its parameters; without more, its defaults."""
        if method != self.controller.intent.method:
            self.controller.intents.choose_method(method)
        for name, value in values.items():
            self.controller.intents.set(name, value)
        self.idle()

    def run(self, name: str = "") -> None:
        """Run the setting to its end."""
        self.controller.run()
        self.idle()
        record = self.controller.current
        assert record is not None
        assert record.state == "finished", record.message
        if name:
            self.controller.edit_run(record.number, name=name)

    @contextlib.contextmanager
    def waiting(self, signal: Any) -> Iterator[None]:
        """Do something and wait for a signal of it."""
        heard: list[bool] = []
        signal.connect(lambda *_: heard.append(True))
        yield
        self.until(lambda: heard)
        self.spin(0.3)

    def top(self, title: str) -> QDialog:
        """The open dialog with this title."""
        return next(d for d in self.window.findChildren(QDialog) if d.windowTitle() == title)

    def dialog(self, of: type[QDialog]) -> Any:
        """The dialog of this kind that is open."""
        self.until(lambda: self.window.findChild(of))
        dialog = self.window.findChild(of)
        assert dialog is not None
        self.spin(0.8)
        return dialog

    def review(self) -> ReviewPanel:
        """Turn to the review of the run that is shown, and wait until it is judged."""
        self.window.show_workspace("release")
        self.until(lambda: self.window.release.panel)
        panel = self.window.release.panel
        assert panel is not None
        self.until(lambda: not panel.gates.busy and not panel.counting.running)
        self.spin(0.6)
        return panel

    def close(self) -> None:
        """Close the window without a question."""
        self.window.projects.asking = False
        self.window.close()
        self.spin(0.3)

    # taking pictures

    def shot(self, name: str, of: QWidget | None = None, *more: QWidget) -> None:
        """Take a picture of the window with the dialogs on it, or of some of its parts alone."""
        self.spin(0.3)
        if of is None:
            picture = self._whole()
        elif of.isWindow():
            picture = _framed(of)
        else:
            box = QRect()
            for part in (of, *more):
                box |= QRect(part.mapTo(self.window, QPoint(0, 0)), part.size())
            picture = self.window.grab(box.adjusted(-2, -2, 2, 2))
        self._save(picture, name)

    def _whole(self) -> QPixmap:
        """The window, and centred upon it every dialog that is open."""
        picture = self.window.grab()
        dialogs = [
            dialog
            for dialog in self.window.findChildren(QDialog)
            if dialog.isWindow() and dialog.isVisible()
        ]
        if not dialogs:
            return picture
        painter = QPainter(picture)
        for dialog in dialogs:
            painter.fillRect(QRect(QPoint(0, 0), SIZE), QColor(0, 0, 0, 90))
            framed = _framed(dialog)
            size = framed.deviceIndependentSize().toSize()
            place = QRect(QPoint(0, 0), size)
            place.moveCenter(QRect(QPoint(0, 0), self.window.size()).center())
            painter.drawPixmap(place.topLeft(), framed)
        painter.end()
        return picture

    def _save(self, picture: QPixmap, name: str) -> None:
        """As a PNG with a palette: a quarter of the bytes, and no difference to be seen.

        The palette covers all colours whatever their area, since thin lines and signs are of few
        pixels, and is then moved to the means, which gives large areas their very colour.
        """
        buffer = QBuffer()
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        picture.save(buffer, "PNG")
        pixels = Image.open(io.BytesIO(buffer.data().data())).convert("RGB")
        covering = Image.Quantize.MAXCOVERAGE
        small = pixels.quantize(COLOURS, covering, kmeans=1, dither=Image.Dither.NONE)
        path = self.out / f"{name}.png"
        small.save(path, optimize=True)
        print(f"{name}: {path.stat().st_size / 1000:.0f} kB", flush=True)


def _framed(dialog: QWidget) -> QPixmap:
    """A dialog with a bar for its title, as a desktop would show it."""
    theme, inside = style.theme_of(dialog), dialog.grab()
    bar = round(dialog.fontMetrics().height() * 1.8)
    size = dialog.size() + QSize(2, bar + 2)
    picture = QPixmap(size * SHARP)
    picture.setDevicePixelRatio(SHARP)
    picture.fill(QColor(theme.border))
    painter = QPainter(picture)
    painter.setFont(style.scaled_font(dialog, bold=True))
    painter.setPen(QPen(QColor(theme.text)))
    title = QRect(1, 1, dialog.width(), bar)
    painter.drawText(title, Qt.AlignmentFlag.AlignCenter, dialog.windowTitle())
    painter.drawPixmap(1, bar + 1, inside)
    painter.end()
    return picture
