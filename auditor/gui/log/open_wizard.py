"""Open and set the columns: what the files look like, which column is which, what it will take.

Files are looked at in a thread. Every change that alters how rows are cut (format, delimiter,
header, encoding) has them looked at again; a newer look makes the older one stale.
"""

import dataclasses
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from PySide6.QtCore import QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from auditor import platform
from auditor.errors import AuditorError
from auditor.gui.app.translation import read_words, say, tr, translate_all, translate_text
from auditor.gui.state.worker import LatestJob
from auditor.gui.widgets import formats, safe_text, style
from auditor.gui.widgets.areas import ScrollColumn
from auditor.gui.widgets.dialogs import ask_for_files
from auditor.gui.widgets.fields import ChoiceBox, ignore_wheel
from auditor.gui.widgets.tables import dress_table
from auditor.log.reading.coarsening import LEVEL, list_levels, split_coarsening
from auditor.log.reading.column_inference import suggest_columns
from auditor.log.reading.column_mapping import ROLES, ReadOptions, SniffedLog, name_attribute
from auditor.log.reading.format_detection import AGGREGATED
from auditor.log.reading.presets.registry import PRESETS
from auditor.log.reading.reader import sniff_log
from auditor.log.reading.search_events import EVENT
from auditor.log.user_column import UserCandidate
from auditor.messages import Message, error_message

ATTRIBUTE = "attribute"
"""The choice for columns that are kept beside the log, each under its own name."""
TABLE = "table"
"""The choice that asks for a table of coarser values; its levels are choices then, as
`split_coarsening` has them."""


ROLE_WORDS: dict[str, list[str]] = read_words("column roles")
"""Role → what it is called, and what it is."""
NEEDED = ("user", "query", "time")
OPTIONAL = ("url", "rank", "ip", "cookie")

FORMATS = read_words("formats") | {preset.name: preset.title for preset in PRESETS.values()}
FIXED = ("aol", "excite", *PRESETS)
"""Formats that say themselves which column is which."""

ENCODINGS = ("utf-8", "latin-1", "cp1252", "utf-16", "utf-16-le", "gb18030", "shift_jis", "euc-kr")
TIMES = read_words("times")
ZONES = ("UTC", "Europe/Berlin", "Europe/London", "America/New_York", "America/Los_Angeles",
         "Asia/Shanghai", "Asia/Tokyo")  # fmt: skip


def roles_of(
    columns: Mapping[str, str | int],
    names: Sequence[str],
    format: str = "",
    coarsen: str | None = None,
) -> list[str]:
    """The role of each column ("" for none), from a mapping role → name or index.

    The columns of a known format are called as their roles; one that is kept beside the log with
    coarser values has the rule, or the table, for a role.
    """
    if format in PRESETS:
        return list(names)
    roles = [""] * len(names)
    rules = split_coarsening(coarsen)
    for role, column in columns.items():
        if isinstance(column, str):
            column = list(names).index(column) if column in names else -1
        if 0 <= column < len(roles):
            roles[column] = role if role in ROLES else rules.get(role, ATTRIBUTE)
    return roles


def columns_of(
    roles: Sequence[str],
    names: Sequence[str],
    format: str,
    current: Mapping[str, str | int] = MappingProxyType({}),
) -> dict[str, str | int]:
    """The mapping role → column: by name where the format names its columns, else by place.

    Columns that are put together of several have no place of their own. What is kept beside the log
    is called as in the mapping `current`, or else after its heading.
    """
    has_names = format in ("parquet", "arrow", "jsonl")
    attributes = {column: role for role, column in current.items() if role not in ROLES}
    columns: dict[str, str | int] = {}
    for index, role in enumerate(roles):
        if role:
            name = role if role in ROLES else attributes.get(index) or attributes.get(names[index])
            name = name or name_attribute(names[index], {*columns, *current})
            columns[name] = names[index] if has_names or "+" in names[index] else index
    return columns


def describe_problem(roles: Sequence[str], names: Sequence[str] = ()) -> str:
    """Why the roles don't do yet, and which `names` are like a missing one; empty if they do."""
    if 0 < len(roles) < len(NEEDED):
        return say("too few columns")
    missing = [role for role in NEEDED if role not in roles]
    if missing:
        listed = tr(" and ").join(tr("“{name}”").format(name=_role_name(role)) for role in missing)
        problem = say("role without a column")
        return " ".join([problem.format(listed=listed), *suggest_roles(missing, roles, names)])
    repeated = sorted(role for role in {*roles} & {*ROLES} if list(roles).count(role) > 1)
    if not repeated:
        return ""
    problem = tr("Two columns have the role “{twice}”. Set one of them to “ignore”.")
    return problem.format(twice=_role_name(repeated[0]))


def suggest_roles(missing: Sequence[str], roles: Sequence[str], names: Sequence[str]) -> list[str]:
    """For each missing role the columns with the likeliest names; the user's have a list."""
    used_places = {place for place, role in enumerate(roles) if role}
    suggestions, text = [], tr("By its name “{role}” may be {listed}.")
    for role in missing:
        likely = suggest_columns(role, names, used_places) if role != "user" else []
        if likely:
            names_ = (safe_text.shorten_text(column.name, 40) for column in likely)
            listed = ", ".join(tr("“{name}”").format(name=name) for name in names_)
            suggestions.append(text.format(role=_role_name(role), listed=listed))
    return suggestions


def ask_user_column(candidates: Sequence[UserCandidate]) -> str:
    """The question which column holds the users, with the candidates, one a line."""
    question = say("which column holds the users")
    texts = translate_all(candidate.text for candidate in candidates[:8])
    return "\n".join([question, *(f"• {safe_text.shorten_text(text, 300)}" for text in texts)])


def _role_name(role: str) -> str:
    return tr(ROLE_WORDS[role][0])


def describe_estimate(files: int, compression: str, on_disk: int, rows: int, memory: int) -> str:
    """What will be read and what it will take, in one line."""
    size = tr("{on_disk} on disk").format(on_disk=safe_text.format_bytes(on_disk))
    parts = [formats.format_plural(files, "file"), size]
    if compression not in ("", "none"):
        parts.append(compression)
    if rows:  # two significant digits: an estimate should look like one
        rounded = int(round(rows, min(0, 2 - len(str(rows)))))
        parts.append(tr("about {rows} rows").format(rows=formats.format_count(rounded)))
    if memory:
        parts.append(tr("about {memory} of memory").format(memory=safe_text.format_bytes(memory)))
    return " · ".join(parts)


def too_large(memory: int) -> str:
    """A warning if the log won't fit into this computer's memory; empty if it will."""
    memory_there = platform.read_total_memory()
    if memory_there is None or memory <= 0.8 * memory_there:
        return ""
    text = tr("This computer has {there} of memory. Open fewer files, or a sample of the users.")
    return text.format(there=safe_text.format_bytes(memory_there))


MOST_COLUMNS = 100
CELL_LIMIT = 200


class RoleHeader(QHeaderView):
    """A header with a choice of role in every section, over the column's name."""

    changed = Signal()
    table_wanted = Signal(int)
    """A table of coarser values is to be picked for this column."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.choices: list[QComboBox] = []
        self.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom)
        self.setHighlightSections(False)
        self.sectionResized.connect(self.place_choices)
        self.geometriesChanged.connect(self.place_choices)

    def offer_roles(self, names: Sequence[str], roles: Sequence[str], *, fixed: bool) -> None:
        """One choice a column, set to its role; `fixed` ones can be read but not changed."""
        while len(self.choices) > len(names):
            self.choices.pop().deleteLater()
        while len(self.choices) < len(names):
            choice = QComboBox(self.viewport())
            ignore_wheel(choice)
            for place, (role, words) in enumerate(ROLE_WORDS.items()):
                choice.addItem(tr(words[0]), role)
                choice.setItemData(place, tr(words[1]), Qt.ItemDataRole.ToolTipRole)
            choice.currentIndexChanged.connect(partial(self._hear_choice, choice))
            self.choices.append(choice)
        for number, (choice, role) in enumerate(zip(self.choices, roles, strict=True), start=1):
            with QSignalBlocker(choice):
                self.offer_ways(number - 1, [role])
                choice.setCurrentIndex(max(0, choice.findData(role)))
            choice.setEnabled(not fixed)
            choice.setAccessibleName(self.tr("Role of column {number}").format(number=number))
            choice.show()
        for before, after in zip(self.choices, self.choices[1:], strict=False):
            QWidget.setTabOrder(before, after)
        self.place_choices()

    def _hear_choice(self, choice: QComboBox, _place: int) -> None:
        if choice.currentData() != TABLE:
            self.changed.emit()
            return
        choice.setCurrentIndex(choice.findData(ATTRIBUTE))
        self.table_wanted.emit(self.choices.index(choice))

    def offer_ways(self, column: int, rules: Sequence[str]) -> None:
        """Let a column's values become coarser in these ways, too: by levels of tables."""
        choice = self.choices[column]
        for rule in rules:
            if choice.findData(rule) < 0:
                label = self.tr("keep by {way}").format(way=Path(rule).name)
                choice.addItem(safe_text.shorten_text(label, 60), rule)

    def list_roles(self) -> list[str]:
        return [choice.currentData() for choice in self.choices]

    def place_choices(self) -> None:
        """Put each choice over its column, wherever that was scrolled to."""
        height = self.choices[0].sizeHint().height() if self.choices else 0
        for column, choice in enumerate(self.choices):
            left = self.sectionViewportPosition(column)
            choice.setGeometry(left + 2, 2, max(0, self.sectionSize(column) - 4), height)

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        if self.choices:
            hint.setHeight(hint.height() + self.choices[0].sizeHint().height())
        return hint


class RoleTable(QTableWidget):
    """At most 50 rows of a file; `changed` when somebody gave a column another role."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        dress_table(self, self.tr("First rows of the file"), many_rows=True)
        self.header = RoleHeader(self)
        self.header.changed.connect(self.changed)
        self.setHorizontalHeader(self.header)
        self.horizontalScrollBar().valueChanged.connect(self.header.place_choices)
        self.verticalHeader().show()

    def show_rows(
        self,
        names: Sequence[str],
        roles: Sequence[str],
        rows: Sequence[Sequence[str]],
        *,
        fixed: bool,
    ) -> None:
        """Show these rows, every cell as plain text."""
        count = min(len(names), MOST_COLUMNS)
        is_same_width = self.columnCount() == count
        self.setColumnCount(count)
        self.setRowCount(len(rows))
        heads = [translate_text(name) if isinstance(name, Message) else name for name in names]
        self.setHorizontalHeaderLabels([safe_text.shorten_text(name, 60) for name in heads[:count]])
        for i, row in enumerate(rows):
            for column in range(count):
                text = row[column] if column < len(row) else ""
                self.setItem(i, column, QTableWidgetItem(safe_text.shorten_text(text, CELL_LIMIT)))
        self.header.offer_roles(names[:count], roles[:count], fixed=fixed)
        if not is_same_width:
            least = self.header.choices[0].sizeHint().width() + 8 if count else 80
            for column in range(count):
                wide = max(least, min(320, self.sizeHintForColumn(column) + 16))
                self.setColumnWidth(column, wide)
        self.updateGeometries()


TYPING_PAUSE_MS = 400


class OpenWizard(QDialog):
    """How files would be read, to be corrected; once accepted, `collect_options()` says how."""

    def __init__(
        self,
        paths: Sequence[Path],
        parent: QWidget | None = None,
        options: ReadOptions | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Open and set the columns"))
        self.paths = [Path(path) for path in paths]
        self._sniffed: SniffedLog | None = None
        self._prefilled = False
        """Whether `_read_answers` has the defaults of the first look."""
        self.job = LatestJob()
        self.finished.connect(self.job.drop)
        self._trouble = ""
        self.pause = QTimer(self, singleShot=True, interval=TYPING_PAUSE_MS)
        self.pause.timeout.connect(lambda: self._look_as_set(keep_roles=True))
        self.table = RoleTable()
        self.table.changed.connect(self._schedule_sniff)
        self.table.header.table_wanted.connect(self._ask_for_table)
        self._notes = style.plain_label(wrap=True, name=self.tr("What was noticed"))
        self._notes.setMargin(style.NORMAL)
        self._notes.hide()
        parts: list[style.Part] = [self._make_head(), self._make_form(), (self.table, 1)]
        self.missing_label = style.plain_label(wrap=True, name=self.tr("What is missing"))
        cancel = style.button(self.tr("Cancel"), self.reject, auto_default=False)
        self.open_button = style.button(self.tr("&Open"), role="primary")
        self.open_button.setDefault(True)
        self.open_button.clicked.connect(self.accept)
        buttons = style.row(None, [(self.missing_label, 1), cancel, self.open_button])
        area = ScrollColumn(self.tr("How the files are read"))  # large text is cut nowhere
        area.setWidget(style.filled(style.column(None, parts, spacing=style.NORMAL)))
        rows: list[style.Part] = [(area, 1), self._notes, buttons]
        style.column(self, rows, margins=None, spacing=style.NORMAL)
        line = self.fontMetrics().lineSpacing()
        self.resize(QSize(58 * line, 38 * line).boundedTo(self.screen().availableSize()))
        self._start_sniff(options)

    def collect_options(self) -> ReadOptions:
        """How to read it, as set now; only after the files were looked at."""
        assert self._sniffed is not None
        sniffed = self._sniffed
        return dataclasses.replace(
            sniffed.options,
            **(self._read_columns(sniffed) if sniffed.format not in FIXED else {}),
            **self._read_answers(),
            **self._read_times(),
        )

    def _read_answers(self) -> dict[str, Any]:
        """What was answered beside the table: no look at the files changes it."""
        return {
            "spellings": self.spellings.currentData(),
            "shared_ids": self.shared_ids.currentData(),
            "keep_shown": self.keep_shown.isVisibleTo(self) and self.keep_shown.isChecked(),
            "max_rejected_share": self.limit.value() / 100,
        }

    def _read_columns(self, sniffed: SniffedLog) -> dict[str, Any]:
        """Which column has which role, and how those kept beside the log become coarser."""
        roles, current = self.table.header.list_roles(), sniffed.options.columns
        columns = columns_of(roles, sniffed.column_names, sniffed.format, current)
        names, rules = list(sniffed.column_names), []
        for name, column in columns.items():
            rule = roles[names.index(column) if isinstance(column, str) else column]
            if rule not in (*ROLES, ATTRIBUTE):
                rules.append(f"{name}={rule}")
        return {"columns": columns, "coarsen": ",".join(rules) or None}

    def _ask_for_table(self, column: int) -> None:
        kinds = [self.tr("Tables (*.csv *.tsv *.txt)"), self.tr("All files (*)")]
        title = self.tr("Table of coarser values")
        ask_for_files(self, title, partial(self.take_table, column), kinds=kinds)

    def take_table(self, column: int, paths: Sequence[Path]) -> None:
        """Offer the levels of a table of coarser values for a column, and take the first."""
        path = paths[0]
        try:
            levels = list_levels(path)
            split_coarsening(f"{ATTRIBUTE}={path}")  # a comma in the path would end it
        except AuditorError as error:
            self._trouble = error_message(error)
            self._show_problem()
            return
        rules = [f"{path}{LEVEL}{level}" for level in levels] if len(levels) > 1 else [str(path)]
        self.table.header.offer_ways(column, rules)
        choice = self.table.header.choices[column]
        choice.setCurrentIndex(choice.findData(rules[0]))

    def _read_times(self) -> dict[str, Any]:
        index = self.times.findText(self.times.currentText())
        typed = self.times.currentText().strip()
        form = self.times.itemData(index) if index >= 0 else typed
        zone = self.zone.currentText().strip() or "UTC"
        return {"time_format": form or None, "time_zone": zone}

    def find_problem(self) -> str:
        """What stands in the way of opening, in words; empty if nothing does."""
        if self._trouble:
            return self._trouble
        if self._sniffed is None:
            return self.tr("Looking at the files…")
        problems = safe_text.shorten_text(" ".join(translate_all(self._sniffed.problems)))
        if AGGREGATED in self._sniffed.problems:  # says more than which role has no column
            return problems
        if self._sniffed.format not in FIXED and self._sniffed.column_names:
            missing = describe_problem(self.table.header.list_roles(), self._sniffed.column_names)
            if missing:
                return missing
        if self.job.running or self.pause.isActive():
            return self.tr("Looking at the files…")
        if self._sniffed.parameters and "query" not in self._sniffed.options.columns:
            return self.tr("Choose the parameter of the addresses that holds the query.")
        if not problems and not self._sniffed.column_names:
            return self.tr("The files can't be read in this way.")
        return problems

    # Making

    def _make_head(self) -> QVBoxLayout:
        names = [path.name or str(path) for path in self.paths]
        title = safe_text.shorten_text(names[0] if names else "", 120)
        if len(names) > 1:
            other_files = formats.format_count(len(names) - 1)
            title += self.tr(" and {names} more").format(names=other_files)
        self.estimate = style.plain_label(self.tr("Looking at the files…"), role="muted")
        self._busy = style.busy_line(self.tr("Looking at the files"))
        heading = style.plain_label(title, size=style.HEADING, bold=True)
        return style.column(None, [heading, self.estimate, self._busy], spacing=style.TIGHT)

    def _make_form(self) -> QHBoxLayout:
        self.format = ChoiceBox(self.tr("Format"), FORMATS)
        self.delimiter = ChoiceBox(self.tr("Separator of columns"), read_words("delimiters"))
        self.header = QCheckBox(self.tr("The &first row holds the columns' names"))
        self._quoting = QCheckBox(self.tr('Fields may stand in "double &quotes"'))
        self.encoding = ChoiceBox(self.tr("Encoding"), {name: name for name in ENCODINGS})
        self.encoding.setEditable(True)
        self.times = ChoiceBox(self.tr("Form of the times"), TIMES)
        self.times.setEditable(True)
        name = self.tr("Time zone whose clock says when a day begins")
        self.zone = ChoiceBox(name, {zone: zone for zone in ZONES})
        self.zone.setEditable(True)
        spelling_label = self.tr("Ids that differ only in how they are written")
        self.spellings = ChoiceBox(spelling_label, read_words("spellings of ids"))
        shared = self.tr("Ids that are nobody's, a machine's, or busier than a person")
        self.shared_ids = ChoiceBox(shared, read_words("shared ids"))
        self.keep_shown = QCheckBox(self.tr("&Keep what each search showed"))
        self.keep_shown.setToolTip(say("results kept beside a search"))
        self.parameter = ChoiceBox(self.tr("Parameter that holds the query"), {})
        self.parameter.currentIndexChanged.connect(lambda: self._look_as_set(keep_roles=True))
        self.limit = QDoubleSpinBox(minimum=0.0, maximum=100.0, decimals=2, singleStep=1.0)
        style.prepare_spin_box(self.limit)
        self.limit.setSuffix(self.tr(" % of the rows"))
        self.limit.setAccessibleName(self.tr("Most rows that may be bad"))
        self.limit.setToolTip(self.tr("If more rows can't be read, reading stops with a message"))
        self.limit.setMinimumHeight(self.encoding.sizeHint().height())
        for choice in (self.format, self.delimiter):
            choice.currentIndexChanged.connect(lambda: self._look_as_set(keep_roles=False))
        for choice in (self.encoding, self.times, self.zone):
            choice.currentTextChanged.connect(self._schedule_sniff)
        for box in (self.header, self._quoting):
            box.toggled.connect(lambda: self._look_as_set(keep_roles=False))
        self._left = left = QFormLayout()
        left.addRow(self.tr("F&ormat"), self.format)
        left.addRow(self.tr("&Separator"), self.delimiter)
        left.addRow("", self.header)
        left.addRow("", self._quoting)
        left.addRow(self.tr("Spe&llings of an id"), self.spellings)
        left.addRow(self.tr("Shared &ids"), self.shared_ids)
        left.addRow("", self.keep_shown)
        left.setRowVisible(self.keep_shown, False)
        self._right = right = QFormLayout()
        right.addRow(self.tr("&Encoding"), self.encoding)
        right.addRow(self.tr("&Times"), self.times)
        right.addRow(self.tr("Time &zone"), self.zone)
        right.addRow(self.tr("&Allow at most"), self.limit)
        right.addRow(self.tr("&Query parameter"), self.parameter)
        right.setRowVisible(self.parameter, False)
        return style.row(None, [(left, 1), (right, 1)], spacing=style.WIDE)

    # Looking

    def _schedule_sniff(self) -> None:
        self.pause.start()
        self._show_problem()

    def _look_as_set(self, *, keep_roles: bool) -> None:
        """Look again; after a change that may make other columns, their roles are guessed."""
        self.pause.stop()
        if self._sniffed is None and not self._trouble:
            return  # the first look is under way, and nothing was set yet
        try:
            options = self._collect_sniff_options(keep_roles=keep_roles)
        except AuditorError as error:  # an encoding or a form of times that there isn't
            self._trouble = error_message(error)
            self._show_problem()
            return
        self._start_sniff(options)

    def _collect_sniff_options(self, *, keep_roles: bool) -> ReadOptions:
        """What is set about cutting rows and reading them."""
        options = self._sniffed.options if self._sniffed is not None else ReadOptions()
        format = self.format.currentData()
        is_same_format = self._sniffed is not None and format == self._sniffed.format
        free = format == "delimited" and is_same_format
        roles: dict[str, Any] = {"columns": {}, "coarsen": None}
        if keep_roles and is_same_format and self._sniffed is not None:
            roles = self._read_columns(self._sniffed)
        if is_same_format and self.parameter.currentData():
            roles = {"columns": {"query": self.parameter.currentData()}}
        changes: dict[str, Any] = {
            "format": format,
            "encoding": self.encoding.currentText().strip() or options.encoding,
            **roles,
            **self._read_times(),
            "delimiter": self.delimiter.currentData() if free else None,
            "header": self.header.isChecked() if free else None,
            "quoting": self._quoting.isChecked() if free else None,
        }
        if self._prefilled:
            changes |= self._read_answers()
        return dataclasses.replace(options, **changes)

    def _start_sniff(self, options: ReadOptions | None) -> None:
        paths = list(self.paths)

        self._trouble = ""
        self._busy.show()
        look = partial(sniff_log, paths, options)
        self.job.start(
            "looking at files", lambda _progress: look(), self._show_sniffed, self._show_failure
        )
        self._show_problem()

    def _show_sniffed(self, sniffed: SniffedLog) -> None:
        before, chosen_roles = self._sniffed, []
        cut = before is not None and (before.format, list(before.column_names))
        if cut == (sniffed.format, list(sniffed.column_names)):
            chosen_roles = self.table.header.list_roles()  # somebody gave roles to these columns
        if not self._prefilled:
            self._prefilled = True
            self.limit.setValue(100 * sniffed.options.max_rejected_share)
            self.spellings.select(sniffed.options.spellings)
            self.shared_ids.select(sniffed.options.shared_ids)
            self.keep_shown.setChecked(sniffed.options.keep_shown)
        self._sniffed = sniffed
        self._busy.hide()
        sizes = sniffed.bytes_on_disk, sniffed.estimated_rows or 0, sniffed.estimated_memory or 0
        estimate = describe_estimate(len(sniffed.files), sniffed.compression or "", *sizes)
        self.estimate.setText(estimate)
        self._show_settings(sniffed)
        options = sniffed.options
        roles = roles_of(options.columns, sniffed.column_names, sniffed.format, options.coarsen)
        roles[: len(chosen_roles)] = chosen_roles
        fixed = sniffed.format in FIXED
        self.table.setEnabled(True)
        self.table.show_rows(sniffed.column_names, roles, sniffed.preview, fixed=fixed)
        large = too_large(sniffed.estimated_peak or sniffed.estimated_memory)
        notes = [large] if large else []
        notes += [ask_user_column(sniffed.candidates)] if sniffed.candidates else []
        notes += [safe_text.shorten_text(note, 400) for note in translate_all(sniffed.notes)]
        if len(sniffed.column_names) > MOST_COLUMNS:
            names = formats.format_count(len(sniffed.column_names))
            text = self.tr("Only the first {MOST_COLUMNS} of {column_names} columns are shown.")
            notes.append(text.format(MOST_COLUMNS=MOST_COLUMNS, column_names=names))
        style.show_text(self._notes, "\n".join(notes))
        style.restyle(self._notes, "banner", "bad" if large or sniffed.candidates else "info")
        self._show_problem()

    def _show_failure(self, message: str) -> None:
        self._trouble = message
        self._busy.hide()
        self.estimate.setText(self.tr("The files can't be read in this way."))
        self.table.setEnabled(False)  # what was chosen there is kept for when they can
        self._notes.hide()
        self._show_problem()

    def _show_settings(self, sniffed: SniffedLog) -> None:
        """Show in the fields what the files were read as, without looking again."""
        options = sniffed.options
        cutting = (self.delimiter, self.header, self._quoting)
        widgets = (self.format, *cutting, self.encoding, self.times, self.zone, self.parameter)
        blockers = [QSignalBlocker(widget) for widget in widgets]
        self.format.select(sniffed.format)
        free = sniffed.format == "delimited"
        if free and options.delimiter:
            self.delimiter.select(options.delimiter)
        self.header.setChecked(bool(options.header))
        self._quoting.setChecked(bool(options.quoting))
        self.encoding.setEditText(options.encoding or "utf-8")
        time_format = options.time_format or ""
        self.times.setEditText(tr(TIMES.get(time_format, time_format)))
        self.zone.setEditText(options.time_zone)
        self.parameter.clear()
        self.parameter.addItem(tr("choose the parameter"), "")
        for name, count in sniffed.parameters:
            times = formats.format_count(count)
            self.parameter.addItem(f"{safe_text.shorten_text(name, 60)} ({times})", name)
        query_column = str(options.columns.get("query", "")) if sniffed.parameters else ""
        self.parameter.select(query_column)
        self._right.setRowVisible(self.parameter, bool(sniffed.parameters))
        shows = sniffed.format in PRESETS and PRESETS[sniffed.format].shows
        self._left.setRowVisible(self.keep_shown, shows or EVENT in options.columns)
        for widget in cutting:
            widget.setEnabled(free)
        self.encoding.setEnabled(sniffed.format not in ("parquet", "arrow"))
        for blocker in blockers:
            blocker.unblock()

    def _show_problem(self) -> None:
        problem, sniffed, suggestions = self.find_problem(), self._sniffed, ""
        if sniffed is not None and sniffed.format not in FIXED:
            roles = self.table.header.list_roles()
            spare = [role for role in OPTIONAL if role not in roles]
            suggestions = " ".join(suggest_roles(spare, roles, sniffed.column_names))
        looking = self.job.running or self.pause.isActive()
        self.open_button.setEnabled(not problem and not looking)
        self.missing_label.setText(problem or suggestions)
        style.restyle(self.missing_label, "role", "bad" if problem and not looking else "muted")
