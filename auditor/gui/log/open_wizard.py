"""Open and set the columns: what the files look like, which column is which, what it will take.

Files are looked at in a thread. Every change that alters how rows are cut (format, delimiter,
header, encoding) has them looked at again; a newer look makes the older one stale.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSignalBlocker, QTimer
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDoubleSpinBox,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from auditor.errors import AuditorError
from auditor.gui.app.translation import tr
from auditor.gui.log import wizard_intent
from auditor.gui.log.role_table import MOST_COLUMNS, RoleTable
from auditor.gui.state.worker import BackgroundJob, Tell
from auditor.gui.widgets import formats, safe_text, style
from auditor.gui.widgets.choice_box import ChoiceBox
from auditor.log.reading.column_mapping import ReadOptions, SniffedLog
from auditor.messages import error_message
from auditor.progress import Progress

TYPING_PAUSE_MS = 400


class OpenWizard(QDialog):
    """Shows how files would be read and lets somebody correct it.

    After `accepted`, `paths()` and `options()` say what to read and how.
    """

    def __init__(self, paths: Sequence[Path], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Open and set the columns"))
        self._paths = [Path(path) for path in paths]
        self._sniffed: SniffedLog | None = None
        self.job: BackgroundJob | None = None
        self._trouble = ""
        self.pause = QTimer(self, singleShot=True, interval=TYPING_PAUSE_MS)
        self.pause.timeout.connect(self._look_again)
        self.table = RoleTable()
        self.table.changed.connect(self._schedule_sniff)
        column = QVBoxLayout(self)
        column.setSpacing(style.NORMAL)
        column.addLayout(self._make_head())
        column.addLayout(self._make_form())
        column.addWidget(self.table, 1)
        column.addWidget(self._make_notes())
        column.addLayout(self._make_buttons())
        self.resize(860, 560)
        self._start_sniff(None)

    def paths(self) -> list[Path]:
        """What was asked to be opened."""
        return list(self._paths)

    def collect_options(self) -> ReadOptions:
        """How to read it, as set now; only after the files were looked at."""
        assert self._sniffed is not None
        found = self._sniffed
        columns: Mapping[str, str | int] = found.options.columns
        if found.format not in wizard_intent.FIXED:
            columns = wizard_intent.columns_of(
                self.table.list_roles(), found.column_names, found.format
            )
        return dataclasses.replace(
            found.options,
            columns=columns,
            time_format=self._read_choice(self.times) or None,
            time_zone=self.zone.currentText().strip() or "UTC",
            spellings=self.spellings.currentData(),
            shared_ids=self.shared_ids.currentData(),
            max_rejected_share=self.limit.value() / 100,
        )

    def find_problem(self) -> str:
        """What stands in the way of opening, in words; empty if nothing does."""
        if self._trouble:
            return self._trouble
        if self._sniffed is None:
            return self.tr("Looking at the files…")
        if self._sniffed.format not in wizard_intent.FIXED:
            missing = wizard_intent.describe_problem(
                self.table.list_roles(), self._sniffed.column_names
            )
            if missing:
                return missing
        if self.job is not None or self.pause.isActive():
            return self.tr("Looking at the files…")
        if self._sniffed.parameters and "query" not in self._sniffed.options.columns:
            return self.tr("Choose the parameter of the addresses that holds the query.")
        return safe_text.shorten_text(" ".join(self._sniffed.problems))

    def _suggest_roles(self) -> str:
        """Columns that may have a role of their own, where nothing else is to be said."""
        if self._sniffed is None or self._sniffed.format in wizard_intent.FIXED:
            return ""
        return wizard_intent.suggest_more(self.table.list_roles(), self._sniffed.column_names)

    # Making

    def _make_head(self) -> QVBoxLayout:
        names = [path.name or str(path) for path in self._paths]
        more = (
            self.tr(" and {names} more").format(names=formats.format_count(len(names) - 1))
            if len(names) > 1
            else ""
        )
        title = safe_text.shorten_text(names[0] if names else "", 120) + more
        self.estimate = style.plain_label(self.tr("Looking at the files…"), role="muted")
        self._busy = QProgressBar(maximum=0, textVisible=False)
        self._busy.setFixedHeight(3)
        self._busy.setAccessibleName(self.tr("Looking at the files"))
        policy = self._busy.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self._busy.setSizePolicy(policy)
        column = QVBoxLayout()
        column.setSpacing(style.TIGHT)
        column.addWidget(style.plain_label(title, size=style.HEADING, bold=True))
        column.addWidget(self.estimate)
        column.addWidget(self._busy)
        return column

    def _make_form(self) -> QHBoxLayout:
        self.format = ChoiceBox(self.tr("Format"), wizard_intent.FORMATS)
        self.delimiter = ChoiceBox(self.tr("Separator of columns"), wizard_intent.DELIMITERS)
        self.header = QCheckBox(self.tr("The &first row holds the columns' names"))
        self._quoting = QCheckBox(self.tr('Fields may stand in "double &quotes"'))
        self.encoding = ChoiceBox(
            self.tr("Encoding"), {name: name for name in wizard_intent.ENCODINGS}
        )
        self.encoding.setEditable(True)
        self.times = ChoiceBox(self.tr("Form of the times"), wizard_intent.TIMES)
        self.times.setEditable(True)
        self.zone = ChoiceBox(
            self.tr("Time zone whose clock says when a day begins"),
            {name: name for name in wizard_intent.ZONES},
        )
        self.zone.setEditable(True)
        self.spellings = ChoiceBox(
            self.tr("Ids that differ only in case, spaces, zeros or .0"), wizard_intent.SPELLINGS
        )
        self.shared_ids = ChoiceBox(
            self.tr("Ids that are nobody's, a machine's, or busier than a person"),
            wizard_intent.SHARED_IDS,
        )
        self.parameter = ChoiceBox(self.tr("Parameter that holds the query"), {})
        self.parameter.currentIndexChanged.connect(self._look_again)
        self.limit = QDoubleSpinBox(minimum=0.0, maximum=100.0, decimals=2, singleStep=1.0)
        style.prepare_spin_box(self.limit)
        self.limit.setSuffix(self.tr(" % of the rows"))
        self.limit.setAccessibleName(self.tr("Most rows that may be bad"))
        self.limit.setToolTip(self.tr("If more rows can't be read, reading stops with a message"))
        self.limit.setMinimumHeight(self.encoding.sizeHint().height())
        for choice in (self.format, self.delimiter):
            choice.currentIndexChanged.connect(self._look_anew)
        for choice in (self.encoding, self.times, self.zone):
            choice.currentTextChanged.connect(self._schedule_sniff)
        for box in (self.header, self._quoting):
            box.toggled.connect(self._look_anew)
        left, right = QFormLayout(), QFormLayout()
        left.addRow(self.tr("F&ormat"), self.format)
        left.addRow(self.tr("&Separator"), self.delimiter)
        left.addRow("", self.header)
        left.addRow("", self._quoting)
        left.addRow(self.tr("Spe&llings of an id"), self.spellings)
        left.addRow(self.tr("Shared &ids"), self.shared_ids)
        right.addRow(self.tr("&Encoding"), self.encoding)
        right.addRow(self.tr("&Times"), self.times)
        right.addRow(self.tr("Time &zone"), self.zone)
        right.addRow(self.tr("&Allow at most"), self.limit)
        right.addRow(self.tr("&Query parameter"), self.parameter)
        right.setRowVisible(self.parameter, False)
        self._fields = right
        row = QHBoxLayout()
        row.setSpacing(style.WIDE)
        row.addLayout(left, 1)
        row.addLayout(right, 1)
        return row

    def _make_notes(self) -> QWidget:
        self._banner = QFrame()
        self._banner.setProperty("banner", "info")
        self._notes = style.plain_label(wrap=True)
        self._notes.setAccessibleName(self.tr("What was noticed"))
        row = QHBoxLayout(self._banner)
        row.addWidget(self._notes)
        self._banner.hide()
        return self._banner

    def _make_buttons(self) -> QHBoxLayout:
        self.missing_label = style.plain_label(wrap=True)
        self.missing_label.setAccessibleName(self.tr("What is missing"))
        cancel = QPushButton(self.tr("Cancel"))
        cancel.setAutoDefault(False)
        cancel.clicked.connect(self.reject)
        self.open_button = QPushButton(self.tr("&Open"))
        self.open_button.setProperty("role", "primary")
        self.open_button.setDefault(True)
        self.open_button.clicked.connect(self.accept)
        row = QHBoxLayout()
        row.addWidget(self.missing_label, 1)
        row.addWidget(cancel)
        row.addWidget(self.open_button)
        return row

    # Looking

    def _schedule_sniff(self) -> None:
        self.pause.start()
        self._show_problem()

    def _look_anew(self) -> None:
        """Look again after a change that may make other columns: their roles are guessed."""
        self._look_as_set(keep_roles=False)

    def _look_again(self) -> None:
        """Look again at the same columns, in the roles that they were given."""
        self._look_as_set(keep_roles=True)

    def _look_as_set(self, *, keep_roles: bool) -> None:
        self.pause.stop()
        if self._sniffed is None and not self._trouble:
            return  # the first look is under way, and nothing was set yet
        try:
            wanted = self._collect_sniff_options(keep_roles=keep_roles)
        except AuditorError as error:  # an encoding or a form of times that there isn't
            self._trouble = error_message(error)
            self._show_problem()
            return
        self._start_sniff(wanted)

    def _collect_sniff_options(self, *, keep_roles: bool) -> ReadOptions:
        """What is set about cutting rows and reading them."""
        known = self._sniffed.options if self._sniffed is not None else ReadOptions()
        format = self.format.currentData()
        free = format == "delimited"
        same = self._sniffed is not None and format == self._sniffed.format
        roles: dict[str, str | int] = {}
        if keep_roles and same and self._sniffed is not None:
            roles = wizard_intent.columns_of(
                self.table.list_roles(), self._sniffed.column_names, format
            )
        if same and self.parameter.currentData():
            roles = {"query": self.parameter.currentData()}
        changes: dict[str, Any] = {
            "format": format,
            "encoding": self.encoding.currentText().strip() or known.encoding,
            "time_format": self._read_choice(self.times) or None,
            "time_zone": self.zone.currentText().strip() or "UTC",
            "columns": roles,
            "max_rejected_share": (
                known.max_rejected_share if self._sniffed is None else self.limit.value() / 100
            ),
            "delimiter": self.delimiter.currentData() if free and same else None,
            "header": self.header.isChecked() if free and same else None,
            "quoting": self._quoting.isChecked() if free and same else None,
        }
        return dataclasses.replace(known, **changes)

    def _read_choice(self, choice: QComboBox) -> str:
        """What an editable choice means: the data of an entry, or what was typed."""
        at = choice.findText(choice.currentText())
        data: str = choice.itemData(at) if at >= 0 else choice.currentText().strip()
        return data

    def _start_sniff(self, options: ReadOptions | None) -> None:
        if self.job is not None:
            self.job.drop()
        paths = list(self._paths)

        def sniff_paths(progress: Progress, tell: Tell) -> SniffedLog:
            del tell
            from auditor.log.reading.reader import sniff_log

            progress.check()
            return sniff_log(paths, options)

        self._trouble = ""
        self._busy.show()
        job = self.job = BackgroundJob("looking at files", sniff_paths)
        job.done.connect(self._show_sniffed)
        job.failed.connect(self._show_failure)
        job.start()
        self._show_problem()

    def _show_sniffed(self, found: SniffedLog) -> None:
        self.job = None
        kept = self.table.list_roles() if self._keeps_roles(found) else None
        if self._sniffed is None:
            self.limit.setValue(100 * found.options.max_rejected_share)
        self._sniffed = found
        self._busy.hide()
        self.estimate.setText(
            wizard_intent.describe_estimate(
                len(found.files),
                found.compression or "",
                found.bytes_on_disk,
                found.estimated_rows or 0,
                found.estimated_memory or 0,
            )
        )
        self._show_settings(found)
        roles = wizard_intent.roles_of(found.options.columns, found.column_names, found.format)
        if kept is not None:
            roles[: len(kept)] = kept
        fixed = found.format in wizard_intent.FIXED
        self.table.show_rows(found.column_names, roles, found.preview, fixed=fixed)
        self._say_notes(found)
        self._show_problem()

    def _keeps_roles(self, found: SniffedLog) -> bool:
        """Whether the columns are the ones that somebody gave roles to."""
        before = self._sniffed
        return before is not None and (
            (before.format, list(before.column_names)) == (found.format, list(found.column_names))
        )

    def _show_failure(self, message: str) -> None:
        self.job = None
        self._trouble = message
        self._busy.hide()
        self.estimate.setText(self.tr("The files can't be read in this way."))
        self.table.clear_rows()
        self._sniffed = None
        self._banner.hide()
        self._show_problem()

    def _show_settings(self, found: SniffedLog) -> None:
        """Show in the fields what the files were read as, without looking again."""
        options = found.options
        cutting = (self.delimiter, self.header, self._quoting)
        widgets = (self.format, *cutting, self.encoding, self.times, self.zone, self.parameter)
        blockers = [QSignalBlocker(widget) for widget in widgets]
        self.format.select(found.format)
        free = found.format == "delimited"
        if free and options.delimiter:
            self.delimiter.select(options.delimiter)
        self.header.setChecked(bool(options.header))
        self._quoting.setChecked(bool(options.quoting))
        self.encoding.setEditText(options.encoding or "utf-8")
        known = options.time_format or ""
        self.times.setEditText(tr(wizard_intent.TIMES.get(known, known)))
        self.zone.setEditText(options.time_zone)
        self.parameter.clear()
        for name, label in wizard_intent.list_parameters(found.parameters).items():
            self.parameter.addItem(label, name)
        chosen = str(options.columns.get("query", "")) if found.parameters else ""
        self.parameter.select(chosen)
        self._fields.setRowVisible(self.parameter, bool(found.parameters))
        for widget in cutting:
            widget.setEnabled(free)
        self.encoding.setEnabled(found.format not in ("parquet", "arrow"))
        for blocker in blockers:
            blocker.unblock()

    def _say_notes(self, found: SniffedLog) -> None:
        notes = [safe_text.shorten_text(note, 400) for note in found.notes]
        if found.candidates:
            notes.insert(0, wizard_intent.ask_user_column(found.candidates))
        large = wizard_intent.too_large(found.estimated_peak or found.estimated_memory)
        if large:
            notes.insert(0, large)
        if len(found.column_names) > MOST_COLUMNS:
            notes.append(
                self.tr(
                    "Only the first {MOST_COLUMNS} of {column_names} columns are shown."
                ).format(
                    MOST_COLUMNS=MOST_COLUMNS,
                    column_names=formats.format_count(len(found.column_names)),
                )
            )
        self._notes.setText("\n".join(notes))
        style.restyle(self._banner, "banner", "bad" if large or found.candidates else "info")
        self._banner.setVisible(bool(notes))

    def _show_problem(self) -> None:
        problem = self.find_problem()
        looking = self.job is not None or self.pause.isActive()
        self.open_button.setEnabled(not problem and not looking)
        self.missing_label.setText(problem or self._suggest_roles())
        style.restyle(self.missing_label, "role", "bad" if problem and not looking else "muted")

    def reject(self) -> None:
        """Cancel: nothing is opened."""
        self._drop_job()
        super().reject()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Closing stops the look at the files."""
        self._drop_job()
        super().closeEvent(event)

    def _drop_job(self) -> None:
        if self.job is not None:
            self.job.drop()
            self.job = None
