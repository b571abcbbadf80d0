"""The pictures of the guide: opening, parameters, a run, comparisons, and a release."""

from pathlib import Path

from PySide6.QtWidgets import QComboBox, QLineEdit

from auditor.gui.compare.explore_panel import SpanRow
from auditor.gui.log.open_wizard import OpenWizard
from auditor.gui.release.page import ReviewPanel
from auditor.gui.risk.panel import WHY
from tests.screenshots.stage import Stage

ODD = (
    "member;searched for;on;followed\n"
    + "".join(
        f"{1200 + 7 * (row % 5)};{query};{1 + row // 4:02d}.03.2024 {8 + row:02d}:15:0{row};{url}\n"
        for row, (query, url) in enumerate(
            (
                ("weather tomorrow", "http://www.weather.example"),
                ("cheap flights to lisbon", ""),
                ("how long does flu last", "http://health.example/flu"),
                ("cake without eggs", ""),
                ("bus 12 timetable", "http://buses.example"),
                ("garden chairs", ""),
                ("used bicycle", "http://market.example"),
                ("learn the guitar", ""),
            )
        )
    )
).encode()
"""A table whose columns no program can guess all of."""

BAD_ROWS = "AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n" + "".join(
    f"{user}\tgarden chairs\t2006-03-0{1 + user % 9} 10:0{user % 10}:00\t\t\n"
    if user % 11 or user < 90
    else f"{user}\tgarden chairs\tyesterday\t\t\n"
    if user % 2
    else f"{user}\tgarden chairs\n"
    for user in range(1, 120)
)


def opening(out: Path) -> Stage:
    """Nothing open, the wizard, rows that can't be read, and parameters before any run."""
    stage = Stage(out)
    window = stage.window
    stage.shot("welcome")
    odd = stage.home / "searches.csv"
    odd.write_bytes(ODD)
    window.commands.map_columns([odd])
    wizard = stage.dialog(OpenWizard)
    stage.until(lambda: wizard.find_problem() != "Looking at the files…")
    stage.shot("open-wizard", wizard)
    wizard.reject()
    bad = stage.home / "searches.tsv"
    bad.write_text(BAD_ROWS, encoding="utf-8")
    with stage.waiting(stage.controller.log_opened):
        window.open([bad])
    stage.idle()
    window.commands.show_rejects()
    stage.shot("rejected-rows", stage.top("Rejected rows"))
    stage.top("Rejected rows").close()
    window.projects.close()
    stage.open_log()
    window.show_workspace("protect")
    stage.until(lambda: window.suggestions.points and not window.suggestions.job.running)
    stage.spin(0.5)
    stage.shot("find-release")
    window.tune_by_hand()
    stage.choose("safelog")
    stage.settled()
    stage.shot("setting-safelog")
    stage.choose("k-delta")
    stage.settled()
    stage.shot("setting-k-delta")
    window.protect.tabs.setCurrentWidget(window.protect.checks)
    stage.shot("checks", window.protect.tabs)
    return stage


def comparing(out: Path) -> Stage:
    """A run, a session, runs of several methods side by side, and a grid of settings."""
    stage = Stage(out)
    window, controller = stage.window, stage.controller
    stage.open_log()
    stage.try_only(("surviving-content", "record-linkage"), ("volume", "frequencies"))
    for name, method, values in (
        ("cautious", "safelog", {"q_f": 10, "c_f": 10}),
        ("generous", "safelog", {"q_f": 40, "c_f": 40}),
        ("ten users", "frequency-threshold", {"n": 10}),
        ("three users", "frequency-threshold", {"n": 3}),
    ):
        stage.choose(method, **values)
        stage.run(name)
    numbers = [record.number for record in controller.runs]
    controller.show_run(numbers[0])
    stage.idle()
    window.tune_by_hand()
    stage.shot("result")
    window.show_workspace("risk")
    stage.spin(0.5)
    open_telling(stage)
    stage.shot("session")
    window.show_workspace("compare")
    window.compare.runs.compare.emit(numbers)
    stage.idle()
    stage.shot("compare-figures")
    window.compare.runs.compare.emit(numbers[2:])
    window.compare.compare.tabs.setCurrentIndex(2)
    stage.spin(1.5)
    stage.shot("compare-who", window.compare.compare)

    stage.choose("safelog")
    explore = window.compare.explore
    window.show_workspace("compare")
    window.compare.compare.tabs.setCurrentWidget(explore)
    span(explore.first, "q_f", "5", "40", 7)
    span(explore.second, "delta", "1e-8", "1e-3", 5)
    pick(explore.compute, "measures/volume")
    explore.start.click()
    stage.idle()
    stage.shot("explore-map")
    return stage


def dark(out: Path) -> Stage:
    """A result in the dark theme."""
    stage = Stage(out, theme="dark")
    stage.open_log()
    stage.try_only(("surviving-content", "dp-audit"), ("volume", "frequencies"))
    stage.run("cautious")
    stage.window.tune_by_hand()
    stage.shot("dark-result")
    return stage


def releasing(out: Path) -> Stage:
    """From a run to a signed release."""
    stage = Stage(out)
    (stage.home / "Documents").mkdir()
    stage.open_log()
    stage.choose("safelog", q_f=10, c_f=10)
    stage.run("cautious")
    review = stage.review()
    stage.shot("review")
    fill_sign_off(stage, review)
    review.export()
    stage.until(lambda: review.state in ("done", "failed"))
    stage.until(lambda: not review.gates.busy)
    stage.shot("review-done")
    return stage


def fill_sign_off(stage: Stage, review: ReviewPanel) -> None:
    """Fill in who signs, for whom and with which key, and confirm everything."""
    review.sign_off.reviewer.setText("Ada Example")
    review.comment.setPlainText("For the university's retrieval group.")
    review.sign_off.key.setText(str(stage.home / "release.pem"))
    for box in review.sign_off.confirmations:
        box.setChecked(True)
    settle_gates(review)


def settle_gates(review: ReviewPanel) -> None:
    """Say of each failed gate why it may pass."""
    for field in review.gates.card.findChildren(QLineEdit) if review.gates.card else ():
        field.setText("Made-up people: the log is synthetic.")


def open_telling(stage: Stage) -> None:
    """Open the riskiest session with a name and a telephone number, and nothing cruder."""
    flagged = stage.window.risk.panel
    stage.until(lambda: flagged.model.rowCount())
    model = flagged.model
    reasons = [model.index(row, WHY).data() for row in range(min(200, model.rowCount()))]
    fitting = (row for row, why in enumerate(reasons) if "name" in why and "phone" in why)
    chosen = next((row for row in fitting if "adult" not in reasons[row]), 0)
    flagged._open_row(model.index(chosen, 0))
    stage.spin(1.2)


def pick(box: QComboBox, start: str) -> None:
    """Pick the first entry whose data or text holds `start`."""
    for row in range(box.count()):
        if start in str(box.itemData(row)) or start in box.itemText(row):
            box.setCurrentIndex(row)
            return
    raise LookupError(start)


def span(row: object, name: str, low: str, high: str, steps: int) -> None:
    """Set a row of Explore."""
    assert isinstance(row, SpanRow)
    row.box.setCurrentIndex(row.box.findData(name))
    row.low.setText(low)
    row.high.setText(high)
    row.steps.setValue(steps)
