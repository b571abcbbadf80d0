"""No name that comes from outside is mark-up anywhere in the window."""

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex, Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QAbstractItemView, QComboBox, QLabel, QWidget

from auditor.gui.app.main_window import MainWindow
from auditor.log.model import LogOrigin, QueryLog
from auditor.log.user_column import UserColumn
from tests.gui import fakes
from tests.gui.driving import press_run, wait_idle, wait_until

TAG = "<img src=x>"
TITLE, USER, QUERY, COLUMN = (f"{TAG}<b>{what}</b>" for what in ("file", "id", "query", "column"))
TIPS = Qt.ItemDataRole.ToolTipRole


def hostile_log(prefix: str = "") -> QueryLog:
    users = [f"{prefix}{USER}{number}" for number in range(6) for _ in range(4)]
    queries = [f"{QUERY} {place % 3}" for place in range(len(users))]
    log = QueryLog.from_columns(
        user=users,
        query=queries,
        time=[1_000_000 + 60 * place for place in range(len(users))],
        url=[f"http://{TAG}.example/{place % 2}" for place in range(len(users))],
    )
    return dataclasses.replace(log, origin=LogOrigin(user_column=UserColumn(COLUMN, "header")))


def cells(model: QAbstractItemModel) -> Iterator[Any]:
    nowhere = QModelIndex()
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount(nowhere)
    for column in range(columns):
        yield model.headerData(column, Qt.Orientation.Horizontal, TIPS)
        for row in range(min(30, model.rowCount(nowhere))):
            yield model.data(model.index(row, column), TIPS)


def tips(root: QWidget) -> Iterator[str]:
    for widget in (root, *root.findChildren(QWidget)):
        yield widget.toolTip()
        if isinstance(widget, QAbstractItemView | QComboBox):
            yield from (text for text in cells(widget.model()) if isinstance(text, str))


def check(root: QWidget) -> int:
    """Fail where a tag is live, in a tip or a label; how many tips show one as text."""
    count = 0
    for tip in tips(root):
        assert "<img" not in tip
        if "img" in tip:
            document = QTextDocument()
            document.setHtml(tip)
            assert TAG in document.toPlainText()
            count += 1
    for label in root.findChildren(QLabel):
        plain = label.textFormat() == Qt.TextFormat.PlainText
        assert plain or "<img" not in label.text(), label.text()
    return count


def test_that_names_from_outside_are_text_everywhere(window: MainWindow, tmp_path: Path) -> None:
    reader = window.controller.known
    fakes.open_log(window.controller, hostile_log(), f"{TITLE}.tsv")
    other = tmp_path / f"{TAG}other.tsv"
    other.write_text("user\tquery\ttime\na\trose\t2006-03-04 10:00:00\n", encoding="utf-8")
    reader.read("reference", [other])
    wait_until(lambda: "reference" in reader.now.digests)
    press_run(window)
    total = 0
    for page in window.workspaces:
        window.show_workspace(page)
        wait_idle(window)
        total += check(window)
    assert total > 5  # the walk saw the hostile names
    # What attackers knew of the log before is named, and given back.
    before = dict(reader.now.digests)
    fakes.open_log(window.controller, hostile_log("b"), "two.tsv")
    wait_idle(window)
    assert reader.now.digests == {}
    assert window.banner.isVisible()
    assert f"{TAG}other.tsv" in window.banner.text.text()
    assert check(window.banner) == 0
    window.banner.action.click()
    assert reader.now.digests == before
