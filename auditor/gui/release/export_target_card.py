"""Where a release goes, in which form, and with which reports: one card of the review."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QStandardPaths, Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
)

from auditor.engine.run import Run
from auditor.gui.release import review_cards, review_data
from auditor.gui.release.export_job import BesideRequest
from auditor.gui.widgets.wheel_guard import ignore_wheel
from auditor.gui.widgets.wrapping_check_box import WrappingCheckBox
from auditor.release.manifest import MANIFEST


class TargetCard(review_cards.ReviewCard):
    """The folder and what is written there; `changed` when it is another folder."""

    changed = Signal()

    def __init__(self, result: Run) -> None:
        super().__init__(self.tr("Where to"))
        self._result = result
        home = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        beside = Path(home) if home and Path(home).is_dir() else Path.home()
        self.folder = QLineEdit(str(review_data.suggested_folder(result, beside)))
        self.folder.setAccessibleName(self.tr("Release folder"))
        self.folder.textChanged.connect(self.changed)
        choose = QPushButton(self.tr("C&hoose…"))
        choose.clicked.connect(self._choose_folder)
        choose.setAutoDefault(False)
        row = QHBoxLayout()
        row.addWidget(self.folder, 1)
        row.addWidget(choose)
        name = QLabel(self.tr("&Folder"))
        name.setBuddy(self.folder)
        form = QFormLayout()
        form.addRow(name, row)
        self.format = QComboBox(self)
        ignore_wheel(self.format)
        self.format.addItem(self.tr("tab-separated text (log.tsv)"), "tsv")
        self.format.addItem(self.tr("Parquet (log.parquet)"), "parquet")
        self.format.setAccessibleName(self.tr("Form of the released log"))
        self.format.setVisible(result.release.log is not None)
        if result.release.log is not None:
            form.addRow(self.tr("F&orm"), self.format)
        self.column.addLayout(form)
        self.replace = WrappingCheckBox(self.tr("R&eplace an older release that stands there"))
        self.safe = WrappingCheckBox(
            self.tr("Escape cells that a &spreadsheet would take for a formula"), self
        )
        self.pdf = WrappingCheckBox(self.tr("The report as a &PDF, too"))
        self.pdf.setChecked(True)
        self.internal = WrappingCheckBox(
            self.tr("An &internal report with examples, beside the folder")
        )
        self.internal.setToolTip(
            self.tr("It holds searches of the log as they were typed. Never pass it on.")
        )
        self.synthetic = WrappingCheckBox(
            self.tr("A s&ynthetic log made of the tables alone, in a folder beside it"), self
        )
        self.synthetic.setToolTip(
            self.tr(
                "Sessions that nobody had, walked over the released transitions and clicks. What "
                "the tables guarantee holds for them, too. Every row says that it is synthetic."
            )
        )
        tables = result.release.tables
        self.synthetic.setVisible(tables is not None and not tables.ngrams)
        self.column.addWidget(self.replace)
        self.safe.setVisible(result.release.tables is not None)
        if result.release.tables is not None:
            self.column.addWidget(self.safe)
            if not result.release.tables.ngrams:
                self.column.addWidget(self.synthetic)
        for box in (self.pdf, self.internal):
            self.column.addWidget(box)

    def read_folder_path(self) -> Path | None:
        """The folder that is named, if any."""
        text = self.folder.text().strip()
        return Path(text).expanduser().absolute() if text else None

    def read_beside_request(self) -> BesideRequest:
        """What is wanted beside the folder."""
        return BesideRequest(self.internal.isChecked(), self.synthetic.isChecked())

    def read_options(self) -> dict[str, Any]:
        """What `write_release` takes of it."""
        return {
            "overwrite": self.replace.isChecked(),
            "log_format": self.format.currentData(),
            "spreadsheet_safe": self.safe.isChecked(),
            "pdf": self.pdf.isChecked(),
        }

    def _choose_folder(self) -> None:
        dialog = QFileDialog(self, self.tr("Choose where the release folder is to stand"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly, True)
        named = self.read_folder_path()
        if named is not None and named.parent.is_dir():
            dialog.setDirectory(str(named.parent))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self._set_folder)
        dialog.open()

    def _set_folder(self, name: str) -> None:
        folder = Path(name)
        try:
            full = any(folder.iterdir()) and not (folder / MANIFEST).exists()
        except OSError:
            full = False
        beside = review_data.suggested_folder(self._result, folder) if full else folder
        self.folder.setText(str(beside))
