"""Copy, save and print what is in front: a plot, a table, the statement, or a comparison.

Any widget with a method ``make_exportable()`` can be taken away. What shows words of the raw log is
warned of before it is written or printed. Text is made and written in a thread.
"""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QIODevice, QMimeData, QObject, QSaveFile, Qt
from PySide6.QtGui import QAction, QGuiApplication, QImage, QKeySequence
from PySide6.QtWidgets import QApplication, QMessageBox, QWidget

from auditor.gui.app.navigation import Banner, Tone
from auditor.gui.app.translation import read_words, say, tr
from auditor.gui.release import exportable as out
from auditor.gui.release.exportable import Exportable
from auditor.gui.state.worker import BackgroundJob
from auditor.gui.widgets.dialogs import ask_where_to_save
from auditor.gui.widgets.fields import EventWatch

KINDS = read_words("kinds of files")


class ExportActions(QObject):
    """The actions of a window, and a menu on each of its sources."""

    def __init__(self, window: QWidget, banner: Banner, sources: Sequence[QWidget]) -> None:
        super().__init__(window)
        self._window, self._banner = window, banner
        self._sources: list[Any] = list(sources)
        self._last: QWidget | None = None
        self.jobs: set[BackgroundJob] = set()
        self.copy = self._make_action(self.tr("&Copy plot or table"), "Ctrl+Shift+C", self._copy)
        save, print_out = (
            partial(self._confirm_private, do=do) for do in (self._ask_where, self._ask_printer)
        )
        self.save = self._make_action(self.tr("Save plot or &table as…"), "Ctrl+Shift+T", save)
        self.print = self._make_action(self.tr("&Print…"), "Ctrl+P", print_out)
        for source in sources:
            source.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
            source.addActions([self.copy, self.save, self.print])
            choose = partial(source.setFocus, Qt.FocusReason.PopupFocusReason)
            EventWatch(source, choose, QEvent.Type.ContextMenu)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._remember_source)

    def _make_action(self, text: str, keys: str, do: Callable[[Exportable], None]) -> QAction:
        action = QAction(text, self._window)
        action.setShortcut(QKeySequence(keys))
        action.triggered.connect(lambda _checked=False: self._take_out(do))
        return action

    # which

    def _remember_source(self, _old: QWidget | None, new: QWidget | None) -> None:
        self._last = self._find_source(new) or self._last

    def _find_source(self, widget: QWidget | None) -> Any:
        while widget is not None and widget not in self._sources:
            widget = widget.parentWidget()
        return widget

    @property
    def chosen(self) -> Exportable | None:
        """What the actions are for: of the source with the focus, or which had it last."""
        order = [self._find_source(QApplication.focusWidget()), self._last, *self._sources]
        for source in order:
            if source is not None and source.isVisible():
                handout: Exportable | None = source.make_exportable()
                if handout is not None:
                    return handout
        return None

    # what is done

    def _take_out(self, do: Callable[[Exportable], None]) -> None:
        if (handout := self.chosen) is not None:
            do(handout)
            return
        text = self.tr("There is no plot or table to take away yet.")
        self._banner.show_message("info", text)

    def _copy(self, handout: Exportable) -> None:
        QGuiApplication.clipboard().setMimeData(mime_of(handout))
        text = self.tr("Copied: {}.").format(handout.title)
        if handout.private:
            text += " " + self.tr("It shows words of the raw log: paste it nowhere public.")
        self._banner.show_message("info", text)

    def _confirm_private(self, handout: Exportable, do: Callable[[Exportable], None]) -> None:
        """Proceed at once, or after the user agrees that raw queries leave the program."""
        if not handout.private:
            do(handout)
            return
        box = QMessageBox(self._window)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setIcon(QMessageBox.Icon.Warning)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(self.tr("This shows queries, users or names of the raw log."))
        box.setInformativeText(say("private words leave"))
        go = box.addButton(self.tr("Take it out"), QMessageBox.ButtonRole.AcceptRole)
        stay = box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(stay)
        go.clicked.connect(lambda: do(handout))
        box.open()

    def _ask_where(self, handout: Exportable) -> None:
        dialog = ask_where_to_save(
            self._window,
            self.tr("Save as"),
            lambda path: self.write_exportable(handout, path),
            [tr(KINDS[kind]) for kind in handout.kinds],
            handout.kinds[0],
            name=f"{handout.stem}.{handout.kinds[0]}",
        )
        dialog.filterSelected.connect(
            lambda name: dialog.setDefaultSuffix(name.rsplit("*.", 1)[-1].rstrip(")"))
        )

    def write_exportable(self, handout: Exportable, path: Path) -> None:
        """Write it in the format of the file's ending, and show the outcome in the banner."""
        kind = path.suffix.lower().lstrip(".")
        kind = kind if kind in handout.kinds else handout.kinds[0]
        picture: bytes | QImage | None = None  # where widgets live, and not in the thread
        if handout.draw is not None and handout.svg is not None:
            picture = handout.svg().encode() if kind == "svg" else handout.draw(out.SHARP)
        save = partial(save_exportable, handout, kind, picture, path)
        job = BackgroundJob("saving a plot or table", lambda _progress: save())
        self.jobs.add(job)

        def report_end(tone: Tone, text: str) -> None:
            self.jobs.discard(job)
            self._banner.show_message(tone, text)

        saved = self.tr("Saved: {}.")
        job.start(
            lambda name: report_end("good", saved.format(name)),
            lambda reason: report_end("bad", reason),
        )

    def _ask_printer(self, handout: Exportable) -> None:
        from PySide6.QtPrintSupport import QPrintDialog, QPrinter

        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        printer.setDocName(handout.title)
        printer.setPageOrientation(out.page_orientation(handout))
        dialog = QPrintDialog(printer, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(lambda: out.print_on(handout, printer))
        dialog.setWindowModality(Qt.WindowModality.WindowModal)
        dialog.show()


def mime_of(handout: Exportable) -> QMimeData:
    data = QMimeData()
    if handout.draw is not None and handout.svg is not None:
        data.setData("image/svg+xml", handout.svg().encode())
        data.setImageData(handout.draw(out.SHARP))
    elif handout.rows:
        data.setText(out.csv_of(handout))
    else:
        data.setText(out.text_of(handout))
    return data


def save_exportable(
    handout: Exportable, kind: str, picture: bytes | QImage | None, path: Path
) -> str:
    """Write a file whole or not at all; its name. For a thread.

    Raises
    ------
    OSError
        It can't be written.
    """
    file = QSaveFile(str(path))
    if not file.open(QIODevice.OpenModeFlag.WriteOnly):
        raise OSError(0, file.errorString(), str(path))
    if isinstance(picture, QImage):
        well = picture.save(file, "PNG")  # type: ignore[call-overload]
    else:
        text = out.csv_of(handout) if kind == "csv" else out.text_of(handout)
        well = file.write(picture if picture is not None else text.encode("utf-8")) >= 0
    if not well or not file.commit():
        raise OSError(0, file.errorString(), str(path))
    return path.name
