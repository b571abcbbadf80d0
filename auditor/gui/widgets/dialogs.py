"""Questions: each opens a dialog, returns at once, and calls back with the answer."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QMessageBox, QPushButton, QWidget

Mode = QFileDialog.FileMode
Do = Callable[[], object]
Role = QMessageBox.ButtonRole


def ask_for_files(
    parent: QWidget,
    title: str,
    proceed: Callable[[list[Path]], object],
    *,
    mode: Mode = Mode.ExistingFile,
    kinds: Sequence[str] = (),
    folder: str = "",
) -> QFileDialog:
    """Let somebody pick what is there already, beginning in a folder."""
    dialog = QFileDialog(parent, title, folder)
    dialog.setFileMode(mode)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly, mode == Mode.Directory)
    if kinds:
        dialog.setNameFilters(list(kinds))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.filesSelected.connect(lambda names: proceed([Path(name) for name in names]))
    dialog.open()
    return dialog


def ask_where_to_save(
    parent: QWidget,
    title: str,
    proceed: Callable[[Path], object],
    kinds: Sequence[str],
    suffix: str,
    *,
    name: str = "",
    folder: str = "",
    replace: bool = True,
) -> QFileDialog:
    """Let somebody name a file; with `replace` the dialog asks before an older one is replaced."""
    dialog = QFileDialog(parent, title, folder)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setOption(QFileDialog.Option.DontConfirmOverwrite, not replace)
    dialog.setNameFilters(list(kinds))
    dialog.setDefaultSuffix(suffix)
    if name:
        dialog.selectFile(name)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.fileSelected.connect(lambda path: proceed(Path(path)))
    dialog.open()
    return dialog


def ask_question(
    parent: QWidget,
    title: str,
    text: str,
    details: str,
    answers: Mapping[str, tuple[QMessageBox.ButtonRole, Do]],
    dismissed: Do = lambda: None,
) -> QMessageBox:
    """Show a question with these answers; the first is the default one."""
    box = QMessageBox(parent)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setWindowTitle(title)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setIcon(QMessageBox.Icon.Question)
    box.setText(text)
    box.setInformativeText(details)
    buttons: dict[QPushButton, Do] = {}
    for name, (role, do) in answers.items():
        button = box.addButton(name, role)
        if not buttons:
            box.setDefaultButton(button)
        if role == Role.RejectRole:
            box.setEscapeButton(button)
        buttons[button] = do

    def run_answer(_code: int) -> None:
        clicked = box.clickedButton()
        next((do for button, do in buttons.items() if button is clicked), dismissed)()

    box.finished.connect(run_answer)
    box.open()
    return box
