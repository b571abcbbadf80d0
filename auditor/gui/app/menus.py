"""The menus, the palette that finds their commands, and what a command opens or copies."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QObject, QSettings, QSize, Qt, QTimer
from PySide6.QtGui import QAction, QActionGroup, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QDialog, QMenu, QTreeWidget, QTreeWidgetItem, QWidget

from auditor.engine.notebook_export import export_notebook
from auditor.engine.plan import Plan, resolve_intent
from auditor.engine.run import Run
from auditor.errors import AuditorError
from auditor.fuzzy_search import rank_matches
from auditor.gui.app import translation
from auditor.gui.app.navigation import WORKSPACES, Tone
from auditor.gui.app.translation import say, tr, translate_text
from auditor.gui.help.view import HelpView, list_titles, page_for
from auditor.gui.log.page import RejectedRowsView
from auditor.gui.projects.window import ProjectMenu
from auditor.gui.release.gates_card import LedgerView
from auditor.gui.state.controller import Controller
from auditor.gui.state.worker import BackgroundJob
from auditor.gui.widgets import safe_text, style
from auditor.gui.widgets.dialogs import Mode, ask_for_files, ask_where_to_save
from auditor.messages import error_message
from auditor.methods.registry import METHODS
from auditor.release.policy.policy import bundled_files, bundled_text
from auditor.release.verify import verify_release


class WindowCommands(QObject):
    """Opens what a window opens; nothing of it blocks the window."""

    def __init__(self, window: Any) -> None:
        super().__init__(window)
        self.window = window
        self.paths: list[Path] = []
        """Files that are being read, or were read last, and not for a project."""

    # the log

    def ask_for_log(self) -> None:
        title = self.tr("Open a query log")
        ask_for_files(self.window, title, self.open, mode=Mode.ExistingFiles)

    def ask_how(self) -> None:
        """Let the user pick files and say which column is which."""
        title = self.tr("Open a query log and map its columns")
        ask_for_files(self.window, title, self.map_columns, mode=Mode.ExistingFiles)

    def open(self, paths: Sequence[Path]) -> None:
        """Open a project, or read these files as they look."""
        if not self.window.projects.open_if_project(paths):
            self.window.projects.guard_unsaved_changes(lambda: self._read_files(list(paths)))

    def open_sample(self) -> None:
        self.window.projects.guard_unsaved_changes(self.window.controller.open_sample)

    def _read_files(self, paths: list[Path], options: Any = None) -> None:
        self.paths = paths
        self.window.controller.open_log(paths, options)

    def map_columns(self, paths: Sequence[Path], presets: Any = None) -> None:
        """Open the wizard that says how to read these files; `presets` are options said before."""
        from auditor.gui.log.open_wizard import OpenWizard

        files = list(paths)
        wizard = OpenWizard(files, self.window, presets)
        wizard.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

        def read_mapped_files() -> None:
            read = partial(self._read_files, files, wizard.collect_options())
            self.window.projects.guard_unsaved_changes(read)

        wizard.accepted.connect(read_mapped_files)
        wizard.open()

    def change_columns(self) -> None:
        """Say anew which column is which, of the log that is open."""
        opened = self.window.controller.opened
        files = list(opened.log.origin.files) if opened is not None else []
        if self.paths or files:
            presets = self.window.controller.options if opened is not None else None
            self.map_columns(self.paths or files, presets)
        else:
            self.ask_how()

    def say_unread(self, reason: str, columns: bool) -> None:
        """Say why a log could not be read, and offer the wizard where that may help."""
        self.window.show_idle(self.tr("The log could not be read"))
        if self.paths and columns:
            map_columns = partial(self.map_columns, list(self.paths))
            self.window.banner.show_message("bad", reason, self.tr("Set the columns…"), map_columns)
        else:
            self.say_wrong(reason)

    def show_rejects(self) -> None:
        if self.window.controller.opened is not None:
            view: QWidget = RejectedRowsView(self.window.controller.opened.log.origin)
            self.open_beside(view, self.tr("Rejected rows"))

    # runs

    def say_ended(self, record: Run) -> None:
        """Say that a run failed or was cancelled, and offer it again."""
        name = self.tr("Run {letter}").format(letter=record.letter)

        def run_again() -> None:
            self.window.controller.intents.adopt_plan(record.plan)
            self.window.controller.run()

        tone, action = "info", self.tr("Run again")
        text = self.tr("{name} was cancelled. Nothing of it was kept.")
        if record.state == "failed":
            tone, action = "bad", self.tr("Try again")
            text = self.tr("{name} failed. {message}")
        text = text.format(name=name, message=translate_text(record.message))
        self.window.banner.show_message(tone, text, action, run_again)

    def show_queue(self) -> None:
        dialog = self.window.queue.window()
        dialog.setWindowTitle(self.tr("Queue"))
        dialog.show()

    def ask_why(self) -> None:
        """Explain why a query is kept or dropped in the run that is shown; takes what is picked."""
        controller = self.window.controller
        record, opened = controller.current, controller.opened
        if record is None or record.anonymized is None or opened is None:
            message = self.tr("Run a method first: queries are explained in a run.")
            self.window.banner.show_message("info", message)
            return
        from auditor.gui.protect.why_dialog import WhyDialog, selected_text

        text = selected_text(self.window.focusWidget())
        dialog = WhyDialog(opened.log, record.anonymized, record.title, self.window)
        self._show(dialog)
        if text:
            dialog.explain_query(text)

    def edit_policy(self) -> None:
        """Open the policy that runs are judged by, with what the run that is shown comes to."""
        from auditor.gui.release.policy_editor import PolicyEditor

        record, opened = self.window.controller.current, self.window.controller.opened
        run = exported = None
        if record is not None and record.complete and opened is not None:
            run = record.copy(), opened.log
            exported = self.window.verdicts.find_export(record.number)
        self._show(PolicyEditor(self.window.policy, run, self.window, exported=exported))

    def show_ledger(self) -> None:
        """Show what was approved so far, the open log first."""
        opened = self.window.controller.opened
        self._show(LedgerView(opened.log.digest if opened is not None else "", self.window))

    def ask_what_to_verify(self) -> None:
        """Let somebody pick a release folder, to say whether it is what its manifest says."""
        title = self.tr("Choose a release folder to verify")
        ask_for_files(self.window, title, lambda paths: self.verify(paths[0]), mode=Mode.Directory)

    def verify(self, folder: Path) -> None:
        """Say whether a release folder is what its manifest says, and with which key it is signed.

        Answers in the window's banner; the files are hashed in the background.
        """

        def show_answer(result: Any) -> None:
            text = self.tr("✗ “{folder}” does not verify. {why}")
            if not result.problems:
                text = self.tr("✓ “{folder}”: every file is as its manifest says. {why}")
            signature = self.tr("Not signed: nobody answers for it.")
            if result.signer:
                signature = self.tr("Compare its key with the signer's: {key}")
                signature = signature.format(key=result.signer)
            reason = " ".join(map(translate_text, result.problems)) or signature
            text = text.format(folder=safe_text.make_visible(folder.name), why=reason)
            self.window.banner.show_message("bad" if result.problems else "info", text)

        BackgroundJob("verify", partial(verify_release, folder)).start(show_answer, self.say_wrong)

    # help, messages

    def show_help(self, key: str = "") -> None:
        """Open the offline help at a page, or at what has the focus."""
        focus, workspace = self.window.focusWidget(), self.window.workspace
        page, anchor = (key, "") if key else page_for(focus, workspace)
        self.open_beside(HelpView(page, anchor), self.tr("Help"))

    def open_beside(self, view: QWidget, title: str) -> None:
        """Show a view in a window of its own that doesn't block this one."""
        dialog = QDialog(self.window)
        style.column(dialog, [view])
        dialog.setWindowTitle(title)
        dialog.resize(min(1060, self.window.width()), min(700, self.window.height()))
        self._show(dialog)

    def _show(self, dialog: QDialog) -> None:
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.show()

    def say_wrong(self, reason: str) -> None:
        self.window.banner.show_message("bad", translate_text(reason))


ENDING = ".ipynb"


class RunCode(QObject):
    """Copies or saves a run, or the configuration, as code that reproduces it."""

    def __init__(self, window: Any) -> None:
        super().__init__(window)
        self._window = window

    def copy_code(self) -> None:
        message = self.tr("The code that makes this run again is on the clipboard.")
        self._copy(Plan.as_python, message)

    def copy_plan(self) -> None:
        """Put the file that the command line takes on the clipboard."""
        message = say("plan copied")
        text = self._window.policy.text
        bundled = {bundled_text(name): name for name in bundled_files()}
        if text and text not in bundled:
            message += " " + self.tr("Your policy is no file yet: save it, and say --policy FILE.")
        self._copy(partial(Plan.as_toml, policy=bundled.get(text, "")), message)

    def _copy(self, write: Callable[..., str], message: str) -> None:
        plan = self._resolve_plan()
        if plan is not None:
            text = write(plan, self._list_files(), options=self._window.controller.options)
            QGuiApplication.clipboard().setText(text)
            self._window.banner.show_message("info", message)

    def ask_for_notebook(self) -> None:
        """Let somebody name the notebook's file; returns at once."""
        if self._resolve_plan() is None:
            return
        ask_where_to_save(
            self._window,
            self.tr("Export this run as a notebook"),
            self.write_notebook,
            [self.tr("Notebooks (*.ipynb)")],
            ENDING[1:],
            replace=False,
        )

    def write_notebook(self, file: Path) -> None:
        """Write it to a new file; an existing one stays as it is."""
        plan = self._resolve_plan()
        if plan is None:
            return
        tone: Tone = "bad"
        try:
            export_notebook(plan, file, self._list_files(), options=self._window.controller.options)
        except FileExistsError:
            text = self.tr("“{file}” stands there already. Name another file.")
            text = text.format(file=file.name)
        except OSError as error:
            text = self.tr("The notebook can't be written: {reason}.").format(reason=error.strerror)
        else:
            tone, text = "info", self.tr("The notebook is written: {file}.").format(file=file.name)
        self._window.banner.show_message(tone, text)

    def _resolve_plan(self) -> Plan | None:
        """The plan of the run that is shown, or of the configuration; None is said in words."""
        controller: Controller = self._window.controller
        if controller.shown_run is not None:
            return controller.shown_run.plan
        if controller.opened is None:
            self._window.banner.show_message("info", self.tr("Open a log first."))
            return None
        try:
            digests = controller.known.now.digests
            return resolve_intent(controller.intent, controller.opened.log, digests)
        except AuditorError as error:
            self._window.banner.show_message("bad", error_message(error))
            return None

    def _list_files(self) -> list[str]:
        opened = self._window.controller.opened
        return [] if opened is None else [str(path) for path in opened.log.origin.files]


MOST = 40
"""Entries that are listed for what was typed."""
WIDTH, HEIGHT = 640, 420
MOVES = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


@dataclass(frozen=True)
class PaletteEntry:
    """Something that can be done: what it is called, where it stands, its keys, and how."""

    title: str
    path: str
    do: Callable[[], object]
    keys: str = ""


def list_menu_entries(menu: QWidget, path: str = "") -> Iterator[PaletteEntry]:
    """Every command of the menus that can be given now."""
    for action in menu.actions():
        text = action.text().replace("&&", "\0").replace("&", "").replace("\0", "&")
        inner, title = action.menu(), text.rstrip("…")
        if isinstance(inner, QMenu):
            yield from list_menu_entries(inner, f"{path} ▸ {title}" if path else title)
        elif action.isEnabled() and action.isVisible() and title:
            keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            yield PaletteEntry(title, path, action.trigger, keys)


class CommandPalette(QDialog):
    """A field, and below it what it may mean; Return does the marked one."""

    def __init__(self, entries: Sequence[PaletteEntry], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Find a command"))
        self._entries = list(entries)
        hint = self.tr("Commands, methods, parameters, help")
        self.field = style.line_edit(self.tr("Find a command"), hint, clearable=True)
        self.field.textChanged.connect(self._search_entries)
        self.field.returnPressed.connect(self.do_current)
        self.field.installEventFilter(self)
        self.list = QTreeWidget()
        self.list.setColumnCount(3)
        self.list.setHeaderHidden(True)
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setAccessibleName(self.tr("What was found"))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.itemActivated.connect(lambda _item, _column: self.do_current())
        self.list.itemClicked.connect(lambda _item, _column: self.do_current())
        self.nothing = style.plain_label(self.tr("Nothing is called so."), role="muted")
        header = self.list.header()
        header.setStretchLastSection(False)
        for place in range(3):
            modes = header.ResizeMode
            header.setSectionResizeMode(place, modes.ResizeToContents if place else modes.Stretch)
        style.column(self, [self.field, (self.list, 1), self.nothing], margins=style.NORMAL)
        room = parent.size() if parent is not None else self.size()
        self.resize(min(WIDTH, max(room.width(), 320)), min(HEIGHT, max(room.height(), 240)))
        self._search_entries("")

    def do_current(self) -> None:
        item = self.list.currentItem()
        if item is None:
            return
        entry = self._entries[item.data(0, Qt.ItemDataRole.UserRole)]
        self.accept()
        QTimer.singleShot(0, self.parent() or self, entry.do)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        pressed = event.type() == QEvent.Type.KeyPress
        if pressed and isinstance(event, QKeyEvent) and event.key() in MOVES:
            self.list.keyPressEvent(event)
            return True
        return super().eventFilter(watched, event)

    def _search_entries(self, text: str) -> None:
        if text.strip():
            matches = rank_matches(text, [entry.title for entry in self._entries], limit=MOST)
            places = [match.place for match in matches]
        else:
            places = list(range(len(self._entries)))
        self.list.clear()
        tall = QSize(0, self.fontMetrics().height() + 2 * style.TIGHT)
        for place in places:
            entry = self._entries[place]
            item = QTreeWidgetItem([entry.title, entry.path, entry.keys])
            item.setData(0, Qt.ItemDataRole.UserRole, place)
            item.setSizeHint(0, tall)
            item.setForeground(1, self.palette().placeholderText())
            self.list.addTopLevelItem(item)
        if (first := self.list.topLevelItem(0)) is not None:
            self.list.setCurrentItem(first)
        self.nothing.setVisible(not places)


Standard = QKeySequence.StandardKey
Keys = Standard | str | None


class Menus(QObject):
    """Fills the window's menu bar."""

    def __init__(self, window: Any) -> None:
        super().__init__(window)
        self.window = window
        self._build_file_menu()
        self._build_edit_menu()
        self._build_run_menu()
        menu = self._add_menu(self.tr("&Tools"))
        self._add_action(menu, self.tr("&Find a command…"), self.find_command, "Ctrl+Shift+P")
        menu.addSeparator()
        commands = window.commands
        self._add_action(menu, self.tr("&Policy…"), commands.edit_policy, "Ctrl+Shift+L")
        self._add_action(menu, self.tr("&Why is a query kept…"), commands.ask_why, "Ctrl+K")
        self._build_view_menu()
        menu = self._add_menu(self.tr("&Help"))
        self._add_action(menu, self.tr("&Help"), commands.show_help, Standard.HelpContents)
        self._add_action(menu, self.tr("Guided &tour"), partial(window.tour.begin, window))

    def _add_menu(self, title: str) -> QMenu:
        menu: QMenu = self.window.menuBar().addMenu(title)
        return menu

    def _add_action(
        self, menu: QMenu, text: str, do: Callable[[], object], keys: Keys = None
    ) -> QAction:
        action = QAction(text, self.window)
        if isinstance(keys, Standard):
            action.setShortcuts(QKeySequence.keyBindings(keys))
        elif keys is not None:
            action.setShortcut(QKeySequence(keys))
        action.triggered.connect(lambda _checked=False: do())
        menu.addAction(action)
        return action

    def _build_file_menu(self) -> None:
        w, menu = self.window, self._add_menu(self.tr("&File"))
        ask_how = w.commands.ask_how
        self._add_action(menu, self.tr("&Open…"), w.commands.ask_for_log, Standard.Open)
        self._add_action(menu, self.tr("Open and &map columns…"), ask_how, "Ctrl+Shift+O")
        self._add_action(menu, self.tr("Open the &sample log"), w.commands.open_sample)
        menu.addSeparator()
        self.projects = ProjectMenu(w.projects, menu, self._add_action)
        menu.addSeparator()
        self._add_action(menu, self.tr("&Rejected rows…"), w.commands.show_rejects)
        self._add_action(menu, self.tr("Review && &export…"), w.review_run, "Ctrl+E")
        self._add_action(menu, self.tr("Sign an e&xported folder…"), w.review_folder)
        self._add_action(menu, self.tr("&Verify a release folder…"), w.commands.ask_what_to_verify)
        self._add_action(menu, self.tr("&Ledger of approved releases…"), w.commands.show_ledger)
        menu.addActions([w.handing.save, w.handing.print])
        menu.addSeparator()
        self._add_action(menu, self.tr("&Quit"), w.close, "Ctrl+Q")

    def _build_edit_menu(self) -> None:
        w, menu = self.window, self._add_menu(self.tr("&Edit"))
        intents = w.controller.intents
        undo = intents.undo.createUndoAction(w, self.tr("&Undo"))
        redo = intents.undo.createRedoAction(w, self.tr("&Redo"))
        for action, keys in ((undo, Standard.Undo), (redo, Standard.Redo)):
            action.setShortcuts(QKeySequence.keyBindings(keys))
            menu.addAction(action)
        menu.addSeparator()
        menu.addAction(w.handing.copy)
        menu.addSeparator()
        self._add_action(menu, self.tr("Reset &all parameters"), intents.reset, "Ctrl+Shift+R")

    def _build_run_menu(self) -> None:
        w, menu = self.window, self._add_menu(self.tr("&Run"))
        self.run = self._add_action(menu, self.tr("&Run"), w.controller.run, "Ctrl+R")
        # Esc closes and clears everywhere else: a run must not be lost to it
        self.cancel = self._add_action(menu, self.tr("&Cancel"), w.cancel_current_work, "Ctrl+.")
        menu.addSeparator()
        self._add_action(menu, self.tr("C&hoose a method…"), self._choose_method, "Ctrl+M")
        compare = w.compare.runs.both.click
        self._add_action(menu, self.tr("Co&mpare the selected runs"), compare, "Ctrl+D")
        menu.addSeparator()
        self.code = RunCode(w)
        self._add_action(menu, self.tr("Copy as &Python"), self.code.copy_code, "Ctrl+Shift+Y")
        self._add_action(menu, self.tr("Copy as a p&lan"), self.code.copy_plan)
        export = self.code.ask_for_notebook
        self._add_action(menu, self.tr("Export this run as a &notebook…"), export)

    def _build_view_menu(self) -> None:
        w, menu = self.window, self._add_menu(self.tr("&View"))
        themes = {"system": tr("Follow the &system"), "light": tr("&Light"), "dark": tr("&Dark")}
        theme = str(QSettings().value("theme", "system"))
        self._add_choices(menu.addMenu(self.tr("&Theme")), themes, theme, w.set_theme)
        # what the window speaks after the next start; each language is called by its own name
        languages = {"": self.tr("As the &system"), **translation.LANGUAGES}
        code = str(QSettings().value(translation.LANGUAGE_KEY, ""))
        self._add_choices(menu.addMenu(self.tr("L&anguage")), languages, code, self._save_language)
        menu.addAction(w.controller.disclosure)
        menu.addSeparator()
        self.workspaces: dict[str, QAction] = {}
        for number, workspace in enumerate(WORKSPACES, start=1):
            text, keys = f"&{number} {tr(workspace.title)}", f"Ctrl+{number}"
            show = partial(w.show_workspace, workspace.name)
            self.workspaces[workspace.name] = self._add_action(menu, text, show, keys)
        menu.addSeparator()
        self._add_action(menu, self.tr("&Next part"), lambda: self._move_focus(1), "F6")
        self._add_action(menu, self.tr("&Previous part"), lambda: self._move_focus(-1), "Shift+F6")

    def _add_choices(
        self, menu: QMenu, texts: Mapping[str, str], current: str, choose: Callable[[str], object]
    ) -> None:
        """Entries of which one at a time is ticked, by what each stands for."""
        group = QActionGroup(self)
        for value, text in texts.items():
            action = self._add_action(menu, text, partial(choose, value))
            action.setCheckable(True)
            action.setChecked(value == current)
            group.addAction(action)

    def _save_language(self, code: str) -> None:
        if code:
            QSettings().setValue(translation.LANGUAGE_KEY, code)
        else:
            QSettings().remove(translation.LANGUAGE_KEY)
        text = self.tr("The language changes with the next start.")
        self.window.banner.show_message("info", text)

    def _choose_method(self) -> None:
        self.window.tune_by_hand()
        self.window.protect.show_methods()

    def find_command(self) -> CommandPalette:
        palette = CommandPalette(list(self._list_palette_entries()), self.window)
        palette.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        palette.open()
        return palette

    def _list_palette_entries(self) -> Iterator[PaletteEntry]:
        """Commands, methods, the chosen method's parameters, and pages of help."""
        window, params = self.window, self.window.protect.params
        yield from list_menu_entries(self.window.menuBar())
        if self.workspaces["protect"].isEnabled():
            for name in METHODS:
                title = translate_text(METHODS[name].title)
                yield PaletteEntry(title, self.tr("Method"), partial(self._take_method, name))
            for name, row in params.rows.items():
                title = translate_text(row.spec.label)
                yield PaletteEntry(title, self.tr("Parameter"), partial(self._show_parameter, name))
        for key, title in list_titles():
            yield PaletteEntry(title, self.tr("Help"), partial(window.commands.show_help, key))

    def _take_method(self, name: str) -> None:
        self.window.tune_by_hand()
        self.window.controller.intents.choose_method(name)

    def _show_parameter(self, name: str) -> None:
        protect = self.window.protect
        self.window.tune_by_hand()
        protect.tabs.setCurrentWidget(protect.params)
        protect.params.show_parameter(name)

    def offer_workspaces(self, available: bool) -> None:
        """Without a log and without runs there is nowhere to go."""
        for action in self.workspaces.values():
            action.setEnabled(available)

    def _move_focus(self, step: int) -> None:
        """Move the focus to the next part of the window, or of the workspace, that is shown."""
        focus = self.window.focusWidget()
        w = self.window
        protect, compare = w.protect, w.compare
        parts: list[QWidget] = [
            w.header, w.strip, w.rail, w.welcome,
            w.log, protect.tabs, protect.advice, protect.plots, protect.statement, protect.values,
            w.risk, compare.runs, compare.pareto, compare.compare, w.release,
        ]  # fmt: skip
        stops = [part for part in parts if not part.visibleRegion().isEmpty()]
        around = (i for i, s in enumerate(stops) if s is focus or (focus and s.isAncestorOf(focus)))
        current = next(around, -1)
        for shift in range(1, len(stops) + 1):
            target = first_stop(stops[(current + step * shift) % len(stops)])
            if target is not None:
                target.setFocus(Qt.FocusReason.TabFocusReason)
                return


def first_stop(panel: QWidget) -> QWidget | None:
    """The first input in a panel that Tab reaches."""
    if panel.focusPolicy() & Qt.FocusPolicy.TabFocus:
        return panel
    widget, visited = panel.nextInFocusChain(), {id(panel)}
    while widget is not None and id(widget) not in visited:
        visited.add(id(widget))
        reach = widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        if panel.isAncestorOf(widget) and reach and widget.isVisible() and widget.isEnabled():
            return widget
        widget = widget.nextInFocusChain()
    return None
