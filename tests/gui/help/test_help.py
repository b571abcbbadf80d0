"""The offline help, made from what there is and local only, and the guided first run."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPointF, Qt, QUrl
from PySide6.QtGui import QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog

from auditor.attacks.registry import ATTACKS
from auditor.engine.plan import Intent
from auditor.gui.app.main_window import MainWindow
from auditor.gui.help import tour
from auditor.gui.help import view as help_view
from auditor.gui.help.tour import SIGNATURE
from auditor.gui.help.view import HelpPage, HelpView
from auditor.gui.state import log_loading
from auditor.log.synthetic.generator import synthesize_log
from auditor.measures.base import Measure
from auditor.measures.registry import MEASURES
from auditor.methods.registry import METHODS
from auditor.params import Params, integer
from auditor.progress import Progress, silent_progress
from auditor.release import verify
from auditor.resource_files import resource_path
from tests import screenshots
from tests.gui.conftest import WindowMaker
from tests.gui.driving import show, wait_until
from tests.narrowing import present
from tests.screenshots import example_project
from tests.screenshots.__main__ import SITTINGS
from tests.screenshots.looks import LOOKS


@pytest.fixture(scope="module")
def pages() -> dict[str, HelpPage]:
    return {page.key: page for page in help_view.list_pages(Progress())}


@pytest.fixture
def view() -> HelpView:
    view = show(HelpView())
    wait_until(lambda: bool(view.pages))
    return view


def test_that_all_that_is_registered_has_a_page_with_parameters(pages: dict[str, HelpPage]) -> None:
    kinds: dict[str, Any] = {"methods": METHODS, "attacks": ATTACKS, "measures": MEASURES}
    for section, registry in kinds.items():
        for name in registry:
            for spec in registry[name].params.specs():
                assert f'<a name="{spec.name}">' in pages[f"{section}/{name}"].body


def test_that_text_from_code_is_escaped_on_its_page() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Odd(Params, owner="odd"):
        k: int = integer(1, 1, 9, label="<b>k</b>", help="a < b & c")

    def run(*_: Any, **__: Any) -> Any:
        raise AssertionError

    odd = Measure(name="odd", title="<i>odd</i>", summary="x<y", source="&", params=Odd, run=run)
    body = help_view._describe_entry("measures/odd", "Measures", odd).body
    assert "&lt;b&gt;k&lt;/b&gt;" in body
    assert "a &lt; b &amp; c" in body
    assert "<i>" not in body


def links(page: HelpPage) -> list[str]:
    """Where a page leads, without what stands behind a #."""
    targets = re.findall(r'href="([^"]*)"', page.body)
    return [help_view.name_page(QUrl(target)) for target in targets]


def test_that_every_link_leads_to_a_page_and_pictures_are_there(pages: dict[str, HelpPage]) -> None:
    targets = {page.key: links(page) for page in pages.values()}
    assert sum(map(len, targets.values())) > 45
    astray = {key: set(to) - set(pages) for key, to in targets.items()}
    assert [(key, lost) for key, lost in astray.items() if lost] == []
    pictures = [
        (path.stem, *picture)
        for path in resource_path("docs").glob("*.md")
        for picture in re.findall(r"!\[([^\]]*)\]\(([^)]*)\)", path.read_text(encoding="utf-8"))
    ]
    assert len(pictures) > 10
    for key, words, name in pictures:
        path = help_view.local_picture(name)
        assert path is not None, f"{key} shows {name}"
        assert path.read_bytes().startswith(b"\x89PNG")
        assert len(words) > 5, name
    reached, pending = set(), ["guide/getting-started"]
    while pending:
        key = pending.pop()
        if key not in reached:
            reached.add(key)
            pending += targets[key]
    assert {key for key in pages if key.startswith("guide/")} - reached == set()


def test_that_every_picture_is_taken_by_the_command_that_retakes_them() -> None:
    folder = Path(screenshots.__file__).parent
    source = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py"))
    taken = set(re.findall(r'\.shot\(\s*"([^"]+)"', source))
    assert taken == {path.stem for path in (resource_path("docs") / "pictures").iterdir()}
    assert set(example_project.SITTINGS) == {*SITTINGS, *LOOKS}


def test_that_pages_stand_in_order_and_modules_describe_themselves(
    pages: dict[str, HelpPage],
) -> None:
    written = [key.removeprefix("guide/") for key in pages if key.startswith("guide/")]
    assert written == [name for names in help_view.SECTIONS.values() for name in names]
    assert {path.stem for path in resource_path("docs").glob("*.md")} == set(written)
    body = pages["methods/token-hashing"].body
    assert "every word of every query becomes a keyed hash" in body
    assert re.search('<a href="page:attacks/hash-inversion"><span[^>]*>hash-inversion<', body)
    assert re.search("<li[^>]*><span[^>]*>random walk</span>", pages["measures/retrieval"].body)


def test_that_search_finds_pages_with_all_words_titles_first(pages: dict[str, HelpPage]) -> None:
    matches = help_view.find_pages(pages.values(), "FREQUENCY threshold")
    assert matches[0].key == "methods/frequency-threshold"
    assert all("threshold" in page.words for page in matches)
    assert help_view.find_pages(pages.values(), "xyzzy plugh") == []


def test_that_parameters_can_be_looked_up_and_the_keyboard_searches(view: HelpView) -> None:
    view.show_page("methods/safelog", "b")
    assert "SafeLog" in view.browser.toPlainText()
    assert view.browser.verticalScrollBar().value() > 0
    QTest.mouseClick(view.back_button, Qt.MouseButton.LeftButton)
    assert "For the data steward" in view.browser.toPlainText()
    assert not view.back_button.isEnabled()
    QTest.keyClicks(view.search, "glossary")
    assert present(view.shown)[0] == "guide/glossary"
    view.search.clear()
    QTest.keyClick(view.tree, Qt.Key.Key_Down)
    assert present(view.shown)[0] != "guide/glossary"
    QTest.keyClicks(view.search, "xyzzy")
    assert "No page" in view.state.text()


def test_that_nothing_outside_the_help_is_ever_loaded_or_led_to(view: HelpView) -> None:
    for url in (
        "http://example.org/x.png",
        "file:///etc/passwd",
        "/etc/passwd",
        "../LICENSES.md",
        "..%2fLICENSES.md",
        "getting-started.md/../../LICENSES.md",
    ):
        for kind in QTextDocument.ResourceType:
            assert view.browser.loadResource(kind.value, QUrl(url)).isEmpty(), url
    before = view.shown
    for url in ("http://example.org/", "file:///etc/passwd", "page:guide/no-such-page"):
        view._follow_link(QUrl(url))
    assert view.shown == before
    assert view.state.text() == "There is no such page."


def test_that_pictures_fit_the_page_and_are_shown_whole_at_a_click(view: HelpView) -> None:
    browser = view.browser
    view.resize(700, 600)
    view.show_page("guide/getting-started")
    wait_until(lambda: not browser._settled.isActive())
    room = browser.viewport().width() - 2 * browser.document().documentMargin()
    assert browser._pictures
    for image in browser._pictures.values():
        assert image.width() / 2 > room, "the test needs a picture that is wider than the page"
        scaled = browser._scale_image(image).deviceIndependentSize()
        assert scaled.width() == pytest.approx(room, abs=1)
    assert browser.document().idealWidth() <= browser.viewport().width()
    points = (QPointF(room / 2, y) for y in range(0, 600, 10))
    point = next(point for point in points if browser.picture_at(point))
    QTest.mouseClick(browser.viewport(), Qt.MouseButton.LeftButton, pos=point.toPoint())
    present(browser.findChild(QDialog)).close()


# --- the tour -------------------------------------------------------------------------------------


@pytest.fixture
def window(make_window: WindowMaker, monkeypatch: pytest.MonkeyPatch) -> MainWindow:
    """The real window with the real SafeLog, on a smaller log than the sample."""
    window = make_window()
    opened = log_loading.prepare_log(
        synthesize_log(60, days=10, seed=5).log, "small.tsv", silent_progress()
    )
    monkeypatch.setattr(window.commands, "open_sample", lambda: window.controller.adopt_log(opened))
    window.controller.intents.intent = Intent(method="safelog", attacks=(), measures=())
    return window


def press(window: MainWindow) -> None:
    """The tour's own button, then whatever follows from it."""
    before = window.tour.at
    QTest.mouseClick(window.tour.button, Qt.MouseButton.LeftButton)
    wait_until(lambda: window.tour.at != before)


def test_that_the_tour_leads_from_nothing_to_an_approved_release(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.welcome.tour.click()
    assert window.tour.isVisible()
    assert window.tour.title.text().startswith("1 of 10")
    for step in range(1, 8):
        press(window)
        assert window.tour.at == step
    assert len(window.controller.runs.finished) == 2
    window.tour.button.click()
    assert window.workspace == "release"
    assert window.focusWidget() is present(window.release.panel).sign_off.reviewer
    window.exported.emit(tmp_path)
    assert window.tour.at == 7
    (tmp_path / SIGNATURE).write_text("signed")
    window.exported.emit(tmp_path)
    assert window.tour.at == 8
    window.tour.button.click()
    wait_until(lambda: "does not verify" in window.tour.text.text())
    assert window.tour.at == 8
    monkeypatch.setattr(tour, "verify_release", lambda *_: verify.VerifiedFolder((), "key"))
    press(window)
    assert window.tour.at == 9
    assert "It verifies" in window.tour.text.text()
    window.tour.button.click()
    assert not window.tour.isVisible()


def test_that_the_ring_goes_where_the_step_is_and_its_button_starts_no_second_run(
    window: MainWindow, qapp: QApplication
) -> None:
    window.tour.begin(window)
    for _ in range(2):
        press(window)
    qapp.processEvents()
    ring, params = present(window.tour.ring), window.protect.params
    assert ring.isVisible()
    assert ring.geometry().contains(params.mapTo(window, params.rect().center()))
    assert ring.testAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    press(window)
    button, controller = window.tour.button, window.controller
    button.click()
    assert not button.isEnabled()
    assert button.text() == "Running…"
    controller.cancel_run()
    wait_until(lambda: controller.running is None)
    assert len(list(controller.runs)) == 1
    if window.tour.at == 3:  # cancelled in time
        assert button.isEnabled()
        assert button.text() == "Run"
    window.tour.shut.click()
    assert not ring.isVisible()
