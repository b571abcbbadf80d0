"""From the empty window to a setting: opening a log, what goes wrong there, and every family."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from auditor.gui.help.view import HelpView
from auditor.gui.log.open_wizard import OpenWizard
from auditor.gui.projects.dialogs import LeftCopy, ask_recovery, do_nothing
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

METHODS: dict[str, dict[str, object]] = {
    "safelog": {},
    "k-delta": {},
    "microaggregation": {},
    "token-hashing": {},
    "bundling": {},
}


def opening(out: Path) -> Stage:
    """Nothing open, the tour, the wizard, rows that can't be read, a file that is no log."""
    stage = Stage(out)
    window = stage.window
    stage.shot("welcome")
    when = datetime(2024, 3, 4, 17, 45, tzinfo=UTC)
    copy = LeftCopy(when, None)
    question = ask_recovery(window, copy, restore=do_nothing, later=do_nothing, discard=do_nothing)
    stage.shot("recovery")
    question.reject()
    window.show_around()
    stage.shot("tour")
    window.tour.end()

    odd = stage.home / "searches.csv"
    odd.write_bytes(ODD)
    window.commands.map_columns([odd])
    wizard = stage.dialog(OpenWizard)
    stage.until(lambda: wizard.find_problem() != "Looking at the files…")
    stage.shot("open-wizard", wizard)
    wizard.reject()

    picture = stage.home / "holiday.jpg"
    picture.write_bytes(bytes(range(256)) * 40)
    with stage.waiting(stage.controller.reader.failed):
        window.open([picture])
    stage.shot("not-a-log")

    bad = stage.home / "searches.tsv"
    bad.write_text(BAD_ROWS, encoding="utf-8")
    with stage.waiting(stage.controller.log_opened):
        window.open([bad])
    stage.idle()
    window.commands.show_rejects()
    stage.shot("rejected-rows", stage.top("Rejected rows"))
    stage.top("Rejected rows").close()
    window.projects.close()

    halfway = stage.once(lambda: stage.shot("reading"))
    stage.controller.reader.progressed.connect(
        lambda _stage, done, total: halfway() if total and done > 0.4 * total else None
    )
    stage.open_sample()
    window.commands.show_help()
    stage.until(lambda: window.findChild(HelpView))
    stage.spin(1.5)
    stage.shot("help", stage.top("Help"))
    return stage


def settings(out: Path) -> Stage:
    """One method of every family, with what its setting means before any run."""
    stage = Stage(out)
    stage.open_sample()
    stage.shot("log-opened")
    stage.window.show_workspace("protect")
    stage.window.protect.show_methods()
    stage.shot("methods")
    stage.window.protect.setCurrentIndex(0)
    for method, values in METHODS.items():
        stage.choose(method, **values)
        stage.settled()
        stage.shot(f"setting-{method}")
    stage.choose("safelog")
    stage.window.protect.params.rows["b"].looked_at.emit(stage.controller.method.params.spec("b"))
    stage.shot("parameters", stage.window.protect.tabs)
    stage.window.protect.tabs.setCurrentWidget(stage.window.protect.checks)
    stage.shot("checks", stage.window.protect.tabs)
    return stage
