"""Review and sign a release that was exported before: the second pair of eyes draws no noise.

A project keeps figures and never what would be released, so what a second person reviews is the
folder that the first one exported, with the sealed evidence beside it. Nothing is trusted that can
be found out: files are hashed anew, and the checks made anew by the ledger as it stands.
"""

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFormLayout, QHeaderView, QLineEdit, QWidget

from auditor.gui.app.translation import read_words, say, tr, translate_text
from auditor.gui.release.gates_card import GatesCard
from auditor.gui.release.review_cards import ReviewCard, SignOffCard
from auditor.gui.state.worker import LatestJob
from auditor.gui.widgets import formats, safe_text, style
from auditor.gui.widgets.dialogs import Mode, ask_for_files
from auditor.gui.widgets.fields import Disclosure
from auditor.gui.widgets.tables import Column, ColumnModel, make_table
from auditor.log.columns import show_value
from auditor.log.model import NONE, QueryLog
from auditor.privacy.release import QUERY, URL, Anonymized, CellTable
from auditor.progress import Progress
from auditor.release.gates import attest_record
from auditor.release.kept_content import find_count_errors
from auditor.release.ledger import store

ROWS = 12
WIDEST = 120
"""Characters of a cell."""
MASKED = frozenset({"user", QUERY, URL, "cookie", "ip", "from", "to", "n-gram"})
"""Columns that hold queries, pages and ids."""
Lines = tuple[Sequence[str], list[list[str]], set[int]]


class ReleasedRows(ReviewCard):
    """The first rows of a release in a table; queries and ids are masked by default."""

    def __init__(self, release: Anonymized, disclosure: Disclosure) -> None:
        super().__init__(tr("What would leave: the first rows"))
        heads, rows, texts = first_rows(release)
        if not rows:
            self.add_paragraph(tr("✗ Nothing: not a single row is left."), role="bad", bold=True)
            return

        def show(place: int, row: Sequence[str]) -> str:
            return disclosure.mask_text(row[place]) if place in texts else row[place]

        cells = [partial(show, place) for place in range(len(heads))]
        columns = [Column(head, cell, tip=cell) for head, cell in zip(heads, cells, strict=True)]
        self.model = ColumnModel(columns, rows, self)
        disclosure.toggled.connect(self._refresh)  # Qt cuts that when the card goes
        table = make_table(self.model, tr("First rows of the release"))
        header = table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setStretchLastSection(True)
        high = table.verticalHeader().defaultSectionSize()
        table.setFixedHeight((min(len(rows), ROWS) + 2) * high)
        self.column.addWidget(table)
        self.column.addWidget(disclosure.make_box())

    def _refresh(self, _unmasked: bool) -> None:
        self.model.refresh_columns(0)


def first_rows(release: Anonymized) -> Lines:
    """Headings, the first rows of the log or the table of queries, columns to mask; O(1)."""
    if release.tables is not None:
        sheet = release.tables.list_sheets()[0]
        return _of_cells(sheet, find_count_errors(release).get(sheet.file))
    if (log := release.log) is None:
        return (), [], set()
    rows = [
        [_format_cell(log, name, int(column[row])) for name, column in log.columns.items()]
        for row in range(min(ROWS, len(log)))
    ]
    return [formats.name_column(name) for name in log.columns], rows, _find_masked(log.columns)


def _format_cell(log: QueryLog, name: str, value: int) -> str:
    if value == (0 if name == "ip" else NONE):
        return ""
    words = log.vocabularies.get(name)
    return show_value(name, value) if words is None else safe_text.make_line(words, value, WIDEST)


def _of_cells(cells: CellTable, error: int | None) -> Lines:
    """Keys and numbers as they would be written; a count with its `error` where one is known."""
    first, columns = slice(ROWS), []
    for key in cells.keys:
        codes = key.codes[first].tolist()
        columns.append(
            [safe_text.make_line(key.texts, c, WIDEST) if c != NONE else "" for c in codes]
        )
    heads = [formats.name_column(key.heading) for key in cells.keys]
    names = read_words("counts of cells")
    for figure in cells.figures:
        texts, head = figure.list_texts(first), tr(names.get(figure.heading, figure.heading))
        if figure.values.dtype.kind == "i":
            texts = [formats.format_count(int(text)) for text in texts]
        if figure.heading == "count" and error is not None:
            texts = [f"{text} ± {formats.format_count(error)}" for text in texts]
            head = tr("Count (95 % interval)")
        columns.append(texts)
        heads.append(head)
    masked = _find_masked(key.heading for key in cells.keys)
    return heads, [list(row) for row in zip(*columns, strict=True)], masked


def _find_masked(names: Iterable[str]) -> set[int]:
    return {place for place, name in enumerate(names) if name in MASKED}


class FolderReview(QWidget):
    """A folder, its checks, and a signature; `signed(folder)` tells that it is approved."""

    signed = Signal(Path)
    left = Signal()
    """Somebody goes back to the run that is shown."""

    def __init__(self) -> None:
        super().__init__()
        self._found: Any = None
        self._job = LatestJob()
        self.card: GatesCard | None = None
        self.folder = style.line_edit(self.tr("Folder"), self.tr("The folder that was exported"))
        hint = self.tr("Public audit key of whoever exported it; empty if that was you")
        self.audit_key = style.line_edit(self.tr("Audit key"), hint)
        self.sign_off = SignOffCard()
        text = self.tr("I have read what is guaranteed here, and what is not.")
        self.sign_off.ask_to_confirm([text])
        self.sign_off.changed.connect(self._update_buttons)
        self.sign_off.attested.connect(self._judge_attested)
        self.check = style.button(self.tr("Check the folder"), self.check_folder)
        self.sign = style.button(self.tr("Sign"), self.approve, role="primary")
        self.open = style.button(self.tr("Open folder"), self._open_folder)
        self.open.hide()
        self.back = style.button(self.tr("Back"), self.left)
        self.said = style.plain_label(wrap=True)
        self.needed = style.plain_label(role="muted", wrap=True)
        for field in (self.folder, self.audit_key):
            field.textChanged.connect(self._forget_review)
        self._lay_out()
        self._show_message("")

    def _lay_out(self) -> None:
        folder_card = ReviewCard(self.tr("Sign a release that was exported"))
        folder_card.add_paragraph(say("why a folder is reviewed"))
        form = QFormLayout()
        for field, title, mode in (
            (self.folder, self.tr("Choose the exported folder"), Mode.Directory),
            (self.audit_key, self.tr("Choose the public audit key"), Mode.ExistingFile),
        ):
            name = field.accessibleName()
            choose = partial(self._choose_path, field, title, mode)
            button = style.button(self.tr("Choose…"), choose, name=f"{self.tr('Choose…')} {name}")
            form.addRow(name, style.row(None, [(field, 1), button]))
        folder_card.column.addLayout(form)
        folder_card.column.addWidget(self.check, 0, Qt.AlignmentFlag.AlignLeft)
        parts: list[style.Part] = [folder_card, self.sign_off, 1]
        self._cards = style.column(None, parts, margins=None, spacing=style.NORMAL)
        area = style.scroll_area(style.filled(self._cards))
        words = style.column(None, [self.said, self.needed])
        margins = style.NORMAL, 0, style.NORMAL, style.NORMAL
        foot = style.row(None, [(words, 1), self.open, self.back, self.sign], margins=margins)
        style.column(self, [(area, 1), foot])

    @property
    def busy(self) -> bool:
        return self._job.running

    def drop_jobs(self) -> None:
        self._job.drop()

    # the folder

    def check_folder(self) -> None:
        folder = Path(self.folder.text().strip()).expanduser()
        trusted = self.audit_key.text().strip()

        def review_and_judge(progress: Progress) -> Any:
            from auditor.release import approval, signing

            key = signing.public_key(Path(trusted).expanduser()) if trusted else None
            review = approval.review_folder(folder, progress=progress, audit_key=key)
            state = store.read_ledger(store.ledger_path())
            state.raise_problems()
            return review, review.judge_record(state)

        self._forget_review()
        text = self.tr("Checking the folder…")
        self._start_job("checking a folder", review_and_judge, self._show_review, text)

    def _show_review(self, both: Any) -> None:
        self._found, record = both
        self._show_card(record)
        self.sign_off.contract.show_needs(record)
        self._show_message("")

    def _judge_attested(self) -> None:
        attestation = self.sign_off.attest()
        if self.card is not None and self.card.record.attestation != attestation:
            self._show_card(attest_record(self.card.record, attestation))
        self._update_buttons()

    def _show_card(self, record: Any) -> None:
        reasons = self.card.read_overrides() if self.card is not None else {}
        self._remove_card()
        self.card = GatesCard(record, self._update_buttons, reasons=reasons)
        self.card.add_paragraph(translate_text(record.statement.claim))
        self._cards.insertWidget(1, self.card)

    def _forget_review(self) -> None:
        self._found = None
        self._remove_card()
        for box in (self.sign_off.contract.agreed, *self.sign_off.confirmations):
            box.setChecked(False)
        self.open.hide()
        self._show_message("")

    def _remove_card(self) -> None:
        if self.card is not None:
            self._cards.removeWidget(self.card)
            self.card.hide()
            self.card.deleteLater()
            self.card = None

    # the signature

    def describe_missing(self) -> str:
        """What is still to be done before it can be signed, in words; empty if nothing."""
        if self.busy:
            return self.tr("The folder is being read or signed.")
        if not self.folder.text().strip():
            return self.tr("Choose a folder.")
        if self._found is None or self.card is None:
            return self.tr("Check the folder first.")
        if self.card.has_unsettled_gates():
            return self.tr("Give a reason for each check that fails.")
        missing = self.sign_off.describe_missing()
        return missing or ("" if self.sign_off.key_path else self.tr("Choose a signing key."))

    def approve(self) -> None:
        path = self.sign_off.key_path
        if self.describe_missing() or self.card is None or path is None:
            return
        review, overrides = self._found, self.card.read_overrides()
        reviewer = self.sign_off.reviewer_name
        attested = self.sign_off.contract.read_fields()

        def sign_release(progress: Progress) -> Any:
            from auditor.release import approval, signing

            if not path.exists():
                signing.new_key(path)
            key = signing.private_key(path)
            signed = approval.sign_folder(
                review.attest(reviewer, attested),
                reviewer=reviewer,
                key=key,
                overrides=overrides,
                progress=progress,
            )
            return review.folder, str(signed["key_fingerprint"])

        self._start_job("signing", sign_release, self._report_signed, self.tr("Signing…"))

    def _report_signed(self, signed: tuple[Path, str]) -> None:
        folder, fingerprint = signed
        self._forget_review()
        folder_name = safe_text.shorten_text(str(folder), 300)
        self.open.show()
        text = self.tr("✓ {where} is approved. Signed with the key {fingerprint}.")
        self._show_message(text.format(where=folder_name, fingerprint=fingerprint))
        self.signed.emit(folder)

    def _start_job(self, name: str, work: Any, done: Any, text: str) -> None:
        def report_failure(reason: str) -> None:
            self._show_message(tr("✗ {why}").format(why=translate_text(reason)))

        self._job.start(name, work, done, report_failure)
        self._show_message(text)

    def _show_message(self, text: str) -> None:
        style.show_text(self.said, text)
        self._update_buttons()

    def _update_buttons(self) -> None:
        missing = self.describe_missing()
        self.check.setEnabled(not self.busy and bool(self.folder.text().strip()))
        self.sign.setEnabled(not missing)
        self.needed.setText(missing)
        self.needed.setVisible(bool(missing) and not self.busy and self.open.isHidden())

    def _choose_path(self, field: QLineEdit, title: str, mode: Mode, _on: bool = False) -> None:
        ask_for_files(self, title, lambda paths: field.setText(str(paths[0])), mode=mode)

    def _open_folder(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(self.folder.text().strip()))
