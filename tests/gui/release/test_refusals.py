"""What the policy that comes with the program refuses, in the window, on a real log.

The window runs the real methods and attacks here; the command line is in tests/release.
"""

import dataclasses
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from auditor.gui.app.main_window import MainWindow
from auditor.gui.release.gates_card import GatesCard
from auditor.gui.state import log_loading
from auditor.gui.state.controller import Controller
from auditor.gui.state.verdicts import RunJudgement
from auditor.log.model import QueryLog
from auditor.log.reading.reader import read_log
from auditor.privacy.noise import SecureRandomness
from auditor.progress import silent_progress
from auditor.release.verdict import ReleaseVerdict
from tests.gui.conftest import WindowMaker
from tests.gui.driving import texts, wait_idle, wait_until
from tests.narrowing import present

EXCITE = Path(__file__).parents[2] / "data" / "excite-small.log"


@pytest.fixture(scope="module")
def excite() -> QueryLog:
    return read_log([EXCITE])


@pytest.fixture
def window(make_window: WindowMaker, tmp_path: Path) -> Iterator[MainWindow]:
    window = make_window(Controller(make_rng=SecureRandomness), tmp_path)
    yield window
    # Before events are processed again: the window is closed by now, and deleted with the next.
    window.projects.saver.end()
    window.controller.close()
    # What the page Log looks for in the background ends by itself.
    names = "content of the log"
    wait_until(lambda: all(thread.name != names for thread in threading.enumerate()))


def run_verdict(window: MainWindow, log: QueryLog, method: str, **params: Any) -> ReleaseVerdict:
    """The verdict that the window shows of a run on `log` with every attack that applies."""
    c = window.controller
    if c.opened is None:
        c.adopt_log(log_loading.prepare_log(log, "excite.log", silent_progress()))
        wait_until(lambda: c.opened is not None)
    c.intents.choose_method(method)
    c.intents.set_all(params)
    c.run()

    def done() -> bool:
        record = c.shown_run
        if record is None or record.state == "running":
            return False
        return isinstance(window.verdicts.of_run(record.number), RunJudgement)

    wait_until(done)
    wait_idle(window)
    return present(window.verdicts.current)


def test_that_a_failed_check_offers_to_suppress(window: MainWindow, excite: QueryLog) -> None:
    """The button takes over the run's setting; the run that follows shows fewer such sessions."""
    intents = window.controller.intents
    intents.intent = dataclasses.replace(intents.intent, attacks=("surviving-content",))
    setting = {"b": 0.1, "q_f": 50, "c_f": 1, "clicks": False, "transitions": False, "K": 1.0}
    verdict = run_verdict(window, excite, "safelog", **setting)
    before = sum_surviving(verdict)
    assert before > 0
    window.show_workspace("release")
    wait_until(lambda: find_card(window) is not None)
    card = present(find_card(window))
    assert "applicable checks failed" in texts(card)
    assert window.strip.answer.text() == "Cannot be released as it is"
    assert "Set “Suppress” to “identifiers and names”" in texts(card)
    intents.choose_method("zealous")  # looked at meanwhile
    card.suppress.click()
    assert intents.intent.method == "safelog"
    assert intents.intent.params.to_dict().items() >= {"suppress": "names", "b": 0.1}.items()
    assert window.protect.isVisible()
    again = run_verdict(window, excite, "safelog", **setting)
    assert sum_surviving(again) < before  # strings of one user alone may be left, with K = 1
    window.show_workspace("release")
    wait_until(lambda: find_card(window) not in (None, card))
    assert not hasattr(present(find_card(window)), "suppress")  # it is set already


def sum_surviving(verdict: ReleaseVerdict) -> float:
    """What the failed checks on content count."""
    content = [item for item in verdict.failed if item.gate.figure.endswith("sessions_surviving")]
    return sum(item.value or 0.0 for item in content)


def find_card(window: MainWindow) -> GatesCard | None:
    """The checks that the page Release shows."""
    panel = window.release.panel
    return None if panel is None else panel.gates.card
