"""The ledger in a window: each log with its total, its releases, and the state of the chain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QCoreApplication, QItemSelection, QObject, Qt
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import (
    QDialog,
    QListWidget,
    QListWidgetItem,
    QSplitter,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from auditor.gui.app.translation import translate_all, translate_text
from auditor.gui.risk.table_model import Index
from auditor.gui.state.worker import BackgroundJob, Tell
from auditor.gui.widgets import formats, safe_text, style
from auditor.gui.widgets.tables import dress_table
from auditor.methods.registry import METHODS
from auditor.progress import Progress

if TYPE_CHECKING:
    from auditor.release.ledger.history import LedgerHistory
    from auditor.release.ledger.store import LedgerEntry, LedgerState

Role = Qt.ItemDataRole
SHOWN = 300
SHOWN_PROBLEMS = 5


def _tr(text: str) -> str:
    return QCoreApplication.translate("LedgerView", text)


@dataclass(frozen=True)
class OpenedLedger:
    """What the thread read: the ledger, and the history and total of every log in it."""

    path: Path
    state: LedgerState
    histories: tuple[LedgerHistory, ...]
    headlines: tuple[str, ...]
    words: tuple[tuple[str, ...], ...]


def open_ledger(first: str = "") -> OpenedLedger:
    """Read and check the ledger; the log with the digest `first` stands first."""
    from auditor.release.ledger import history as ledger_history
    from auditor.release.ledger import store

    path = store.ledger_path()
    state = store.read_ledger(path)
    digests = sorted(ledger_history.known_logs(state), key=lambda digest: digest != first)
    histories = tuple(ledger_history.ledger_history(state, digest) for digest in digests)
    if state.problems:  # what is left of it adds up to nothing that anybody could rely on
        unknown = _tr("no total")
        return OpenedLedger(
            path, state, histories, (unknown,) * len(histories), ((unknown,),) * len(histories)
        )
    totals = [history.before for history in histories]
    return OpenedLedger(
        path,
        state,
        histories,
        tuple(total.format_headline() for total in totals),
        tuple(
            tuple(ledger_history.format_history(h, t))
            for h, t in zip(histories, totals, strict=True)
        ),
    )


class _ReleaseModel(QAbstractTableModel):
    """One approved release a row, the last first."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.entries: tuple[LedgerEntry, ...] = ()
        self.headings = (_tr("Entry"), _tr("Approved"), _tr("Method"), "ε", "δ", _tr("By"))

    def set_entries(self, entries: Sequence[LedgerEntry]) -> None:
        """Show these."""
        self.beginResetModel()
        self.entries = tuple(sorted(entries, key=lambda entry: -entry.number))
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.entries)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.headings)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole
    ) -> Any:
        if orientation is Qt.Orientation.Horizontal and role == Role.DisplayRole:
            return self.headings[section]
        return _align_right(role, section)

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        entry = self.entries[index.row()]
        if role == Role.DisplayRole:
            return _format_cells(entry)[index.column()]
        return _align_right(role, index.column())


class LedgerView(QDialog):
    """Lists what was approved of which log; `first` is the digest of the log to begin with."""

    def __init__(self, first: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(_tr("Ledger"))
        self._first = first
        self._found: OpenedLedger | None = None
        self.title_label = style.plain_label(size=style.HEADING, bold=True, wrap=True)
        self.chain = style.plain_label(_tr("Reading…"), wrap=True)
        self.chain.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.logs = QListWidget()
        self.logs.setAccessibleName(_tr("Logs"))
        self.logs.setWordWrap(True)
        self.logs.currentRowChanged.connect(self._show_history)
        self.head = style.plain_label(size=style.HEADING, bold=True, wrap=True)
        self.words = style.plain_label(wrap=True)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.model = _ReleaseModel(self)
        self.table = _make_table(self.model)
        self.table.selectionModel().selectionChanged.connect(self._show_entry_detail)
        self.detail = style.plain_label(role="muted", wrap=True)
        self.detail.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        right = QWidget()
        beside = QVBoxLayout(right)
        beside.setContentsMargins(0, 0, 0, 0)
        beside.setSpacing(style.NORMAL)
        beside.addWidget(self.head)
        beside.addWidget(self.words)
        beside.addWidget(self.table, 1)
        beside.addWidget(self.detail)
        self.split = QSplitter(Qt.Orientation.Horizontal)
        self.split.addWidget(self.logs)
        self.split.addWidget(right)
        self.split.setStretchFactor(1, 1)
        self.split.setSizes([240, 640])
        self.split.setChildrenCollapsible(False)
        column = QVBoxLayout(self)
        column.addWidget(self.title_label)
        column.addWidget(self.chain)
        self._place = style.plain_label(role="muted", wrap=True)
        column.addWidget(self.split, 1)
        column.addWidget(self._place)
        column.addStretch(0)
        self.split.hide()
        self.resize(900, 560)
        self.job: BackgroundJob | None = BackgroundJob("ledger", self._read_ledger)
        self.job.done.connect(self._show_ledger)
        self.job.failed.connect(self._show_failure)
        self.job.start()

    def _read_ledger(self, progress: Progress, tell: Tell) -> OpenedLedger:
        del tell
        progress.check()
        return open_ledger(self._first)

    def _show_failure(self, message: str) -> None:
        self.job = None
        self.chain.setText(_tr("✗ The ledger can't be used. {why}").format(why=message))
        style.restyle(self.chain, "role", "bad")

    def _show_ledger(self, found: OpenedLedger) -> None:
        self.job = None
        self._found = found
        self.title_label.setText(ledger_title(found))
        self.title_label.setVisible(not found.state.entries or bool(found.state.problems))
        self.chain.setText(describe_chain(found))
        self._place.setText(_tr("The ledger: {path}").format(path=found.path))
        if not found.histories:
            self.resize(560, 240)
        style.restyle(self.chain, "role", "bad" if found.state.problems else "")
        self.split.setVisible(bool(found.histories))
        for history, headline in zip(found.histories, found.headlines, strict=True):
            name = _tr("This log") if history.digest == self._first else _tr("Log")
            item = QListWidgetItem(f"{name} {history.digest[:12]}\n{translate_text(headline)}")
            self.logs.addItem(item)
        if found.histories:
            self.logs.setCurrentRow(0)

    def _show_history(self, row: int) -> None:
        if self._found is None or row < 0:
            return
        first, *others = translate_all(self._found.words[row])
        self.head.setText(first)
        self.words.setText("\n".join(others))
        self.words.setVisible(bool(others))
        self.model.set_entries(self._found.histories[row].releases)
        self.table.selectRow(0)

    def _show_entry_detail(self, selected: QItemSelection) -> None:
        rows = {index.row() for index in selected.indexes()}
        self.detail.setText(describe_entry(self.model.entries[min(rows)]) if rows else "")

    def closeEvent(self, event: QCloseEvent) -> None:
        """Nobody wants it any more."""
        if self.job is not None:
            self.job.drop()
        super().closeEvent(event)

    def reject(self) -> None:
        """Escape."""
        if self.job is not None:
            self.job.drop()
        super().reject()


def ledger_title(found: OpenedLedger) -> str:
    """What stands over a ledger in which there is nothing to see, or something wrong."""
    if found.state.problems:
        return _tr("✗ This ledger is not as it was written")
    return _tr("Nothing was approved so far")


def describe_chain(found: OpenedLedger) -> str:
    """Whether the ledger is whole, or what it is for."""
    if found.state.problems:
        return _tr(
            "What is wrong: {problems}. Entries from there on are not shown, nothing adds up to a "
            "total, and nothing can be approved before somebody has found out why."
        ).format(problems="; ".join(translate_all(found.state.problems[:SHOWN_PROBLEMS])))
    if not found.state.entries:
        return _tr(
            "The ledger remembers every release that you approve, and of which log. Releases of "
            "the same log add up, whatever method made them and however long ago; so it shows "
            "their total at every approval, and a policy can limit it.\n\nIt holds figures and "
            "digests, no query and no key. A changed entry is noticed at every opening; a missing "
            "end, by the signed releases, which name their entries."
        )
    return _tr(
        "✓ {count} entries, each as it was written. Whether the end was cut off, or all of it "
        "replaced, only the signed releases can tell: each names its entry."
    ).format(count=formats.format_count(len(found.state.entries)))


def describe_entry(entry: LedgerEntry) -> str:
    """Everything that the table has no room for, as plain text."""
    body = entry.body
    lines = [translate_text(str(body["why"]))] if not _holds(entry) and body.get("why") else []
    if _holds(entry):
        lines.append(
            _tr("Protected: {unit}; neighbouring logs: {neighbours}.").format(
                unit=translate_text(str(body.get("unit", ""))),
                neighbours=translate_text(str(body.get("neighbours", ""))),
            )
        )
    given = ", ".join(f"{name} = {value}" for name, value in body.get("params", {}).items())
    lines += [_tr("Parameters: {given}").format(given=given)] if given else []
    for one in body.get("overrides", ()):
        text = _tr("Overridden: {gate}. “{reason}”")
        lines.append(text.format(gate=one.get("gate", ""), reason=one.get("reason", "")))
    named = body.get("policy", {}).get("name", "")
    lines += [_tr("Policy: {name}").format(name=named)] if named else []
    lines.append(_tr("Key {key}").format(key=body.get("key_fingerprint", "")))
    return "\n".join(safe_text.shorten_text(line, SHOWN) for line in lines)


def _format_cells(entry: LedgerEntry) -> tuple[str, ...]:
    body = entry.body
    holds = _holds(entry)
    return (
        formats.format_count(entry.number),
        str(body.get("at", "")).replace("T", " ").removesuffix("Z"),
        safe_text.shorten_text(str(body.get("method", "")), 40),
        formats.format_digits(float(body.get("epsilon", 0)), 4) if holds else _tr("✗ none"),
        formats.format_number(float(body.get("delta", 0))) if holds else "",
        safe_text.shorten_text(str(body.get("reviewer", "")), 80),
    )


def _holds(entry: LedgerEntry) -> bool:
    return bool(entry.body.get("holds"))


def _align_right(role: int, column: int) -> Any:
    """Numbers, and their headings, stand on the right."""
    if role == Role.TextAlignmentRole and column in (0, 3, 4):
        return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
    return None


def _make_table(model: QAbstractTableModel) -> QTableView:
    table = QTableView()
    table.setModel(model)
    dress_table(table, _tr("Approved releases"))
    header = table.horizontalHeader()
    metrics = table.fontMetrics()
    samples = ("Entry 00", "2026-00-00 00:00:00", max(METHODS, key=len), "infinite", "0.00e-00")
    for place, sample in enumerate(samples):
        header.resizeSection(place, metrics.horizontalAdvance(sample) + 16)
    header.setStretchLastSection(True)
    return table
