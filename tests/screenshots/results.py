"""What comes of runs: plots, tables, people, comparisons, a grid; in the dark and in large text."""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtCore import QModelIndex
from PySide6.QtWidgets import QComboBox

from auditor.gui.risk.table_model import WHY
from auditor.log import gazetteers
from tests.screenshots.stage import Stage


def results(out: Path) -> Stage:
    """One run, everything that it shows, and the sessions behind it."""
    stage = Stage(out)
    window, c = stage.window, stage.controller
    stage.open_sample()
    stage.choose("safelog", q_f=20, c_f=20)
    c.run()
    stage.until(lambda: c.current and c.current.state == "running")
    c.intents.set("q_f", 10)
    c.run()
    c.intents.choose_method("frequency-threshold")
    c.run()
    window.show_workspace("protect")
    window.commands.show_queue()
    stage.until(lambda: not c.looking)
    stage.spin(0.5)
    stage.shot("running")
    stage.shot("queue", window.queue.window())
    window.queue.window().close()
    c.cancel_run(list(c.runs)[-1].number)
    stage.choose("safelog")
    first = next(iter(c.runs))
    c.show_run(first.number)
    stage.idle()
    stage.shot("result")
    stage.shot("statement", window.protect.statement)
    stage.shot("figures", window.protect.values)
    window.show_workspace("compare")
    stage.spin(0.5)
    stage.shot("runs", window.compare.runs)
    window.show_workspace("risk")
    stage.spin(0.5)
    stage.shot("flagged-sessions", window.risk)
    open_telling(stage)
    stage.shot("session")
    stage.shot("session-alone", window.risk.panel._page)

    window.show_workspace("compare")
    window.compare.compare.tabs.setCurrentWidget(window.compare.tables)
    stage.spin(0.5)
    pick(window.compare.tables.box, "sessions")
    window.compare.tables._draw_table()
    stage.shot("tables")
    counted = next(
        (i for i in cells(window.compare.tables.view.model())
         if window.compare.tables.model.find_user_reference(
            window.compare.tables.sorter.mapToSource(i))), None,
    )  # fmt: skip
    if counted is not None:
        window.compare.tables._request_sessions(counted)
        stage.idle()
        stage.shot("behind-a-count", window.risk)
    return stage


def comparing(out: Path) -> Stage:
    """Runs of several methods side by side, and a grid of settings."""
    stage = Stage(out)
    window, c = stage.window, stage.controller
    stage.open_sample()
    stage.try_only(("surviving-content", "record-linkage"), ("volume", "frequencies"))
    for name, method, values in (
        ("cautious", "safelog", {"q_f": 10, "c_f": 10}),
        ("generous", "safelog", {"q_f": 40, "c_f": 40}),
        ("ten users", "frequency-threshold", {"n": 10}),
        ("three users", "frequency-threshold", {"n": 3}),
    ):
        stage.choose(method, **values)
        stage.run(name)
    numbers = [record.number for record in c.runs]
    c.show_run(numbers[0])
    stage.idle()
    window.show_workspace("compare")
    stage.spin(0.5)
    stage.shot("privacy-and-utility", window.compare.pareto)
    window.compare.runs.compare.emit(numbers)
    stage.idle()
    stage.shot("compare-figures")
    window.compare.runs.compare.emit(numbers[2:])
    window.compare.compare.tabs.setCurrentIndex(1)
    stage.shot("compare-plots")
    window.compare.compare.tabs.setCurrentIndex(2)
    stage.spin(1.5)
    stage.shot("compare-who", window.compare.compare)
    open_decent(stage)
    stage.shot("compare-session", window.compare.compare)

    stage.choose("safelog")
    e = window.compare.explore
    window.show_workspace("compare")
    window.compare.compare.tabs.setCurrentWidget(e)
    span(e.first, "q_f", "5", "40", 7)
    pick(e.compute, "measures/volume")
    e.start.click()
    stage.idle()
    stage.shot("explore-curve", e)
    span(e.second, "delta", "1e-8", "1e-3", 5)
    e.start.click()
    stage.idle()
    stage.shot("explore-map")
    return stage


def dark(out: Path) -> Stage:
    """The same in the dark theme."""
    stage = Stage(out, theme="dark")
    window = stage.window
    stage.shot("dark-welcome")
    stage.open_sample()
    stage.try_only(("surviving-content", "dp-audit"), ("volume", "frequencies"))
    stage.run("cautious")
    window.show_workspace("protect")
    stage.shot("dark-result")
    window.show_workspace("risk")
    open_telling(stage)
    stage.shot("dark-session")
    stage.choose("bundling")
    stage.run("bundles")
    window.compare.runs.compare.emit([record.number for record in stage.controller.runs])
    stage.idle()
    window.show_workspace("compare")
    stage.shot("dark-compare")
    stage.review()
    stage.shot("dark-review")
    return stage


def large(out: Path) -> Stage:
    """The same with the desktop's text twice as large."""
    stage = Stage(out, text=2.0)
    stage.shot("large-welcome")
    stage.open_sample()
    stage.try_only(("surviving-content",), ("volume",))
    stage.run("cautious")
    stage.window.show_workspace("risk")
    stage.shot("large-result")
    stage.window.show_workspace("protect")
    stage.shot("large-parameters")
    return stage


def open_telling(stage: Stage) -> None:
    """Open the riskiest session with a name and a telephone number, and nothing cruder."""
    flagged = stage.window.risk.panel
    stage.until(lambda: flagged.model.rowCount())
    model = flagged.model
    whys = [model.index(row, WHY).data() for row in range(min(200, model.rowCount()))]
    fine = (n for n, why in enumerate(whys) if "name" in why and "phone" in why)
    row = next((n for n in fine if "adult" not in whys[n]), 0)
    flagged._open_row(model.index(row, 0))
    stage.spin(1.2)


def open_decent(stage: Stage) -> None:
    """Open a session that two runs differ in, of one who asks for nothing that offends readers."""
    log, view = stage.controller.opened, stage.window.compare.compare.exposed
    assert log is not None
    found, rude = view._found, re.compile("|".join(map(re.escape, gazetteers.adult_terms())))
    assert found is not None

    def decent(place: int) -> bool:
        user = int(found.users.user[place])
        first, stop = log.log.user_starts[user : user + 2]
        asked = log.log.queries.list_strings(log.log.query[first:stop].tolist())
        return 5 < len(asked) < 60 and not any(rude.search(query) for query in asked)

    row = next(row for row, place in enumerate(view.model.places) if decent(int(place)))
    view._open_row(view.table.model().index(row, 0))
    stage.spin(1.0)
    stage.until(lambda: view.job is None)
    view._open_row(view.table.model().index(0, 0))
    model = view.sides.model
    stage.until(lambda: model.rowCount() and model.index(0, 3).data() != "…")


def pick(box: QComboBox, start: str) -> None:
    """Pick the first entry whose data or text holds `start`."""
    for row in range(box.count()):
        if start in str(box.itemData(row)) or start in box.itemText(row):
            box.setCurrentIndex(row)
            return
    raise LookupError(start)


def span(row: object, name: str, low: str, high: str, steps: int) -> None:
    """Set a row of Explore."""
    from auditor.gui.compare.span_row import SpanRow

    assert isinstance(row, SpanRow)
    row.box.setCurrentIndex(row.box.findData(name))
    row.low.setText(low)
    row.high.setText(high)
    row.steps.setValue(steps)


def cells(model: object) -> list[QModelIndex]:
    """All cells of a model."""
    from PySide6.QtCore import QAbstractItemModel

    assert isinstance(model, QAbstractItemModel)
    return [
        model.index(row, column)
        for row in range(model.rowCount())
        for column in range(model.columnCount())
    ]
