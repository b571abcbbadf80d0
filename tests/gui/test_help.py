"""The offline help: a page for everything there is, made from its parameters; local only."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QTextDocument
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from auditor.attacks.registry import ATTACKS
from auditor.gui import help_pages
from auditor.gui.help_pages import Page
from auditor.gui.help_view import HelpView
from auditor.log.gazetteers import resource
from auditor.measures.base import Measure
from auditor.measures.registry import MEASURES
from auditor.methods.registry import METHODS
from auditor.params import Params, integer
from auditor.progress import Progress


@pytest.fixture(scope="module")
def pages() -> dict[str, Page]:
    return {page.key: page for page in help_pages.pages(Progress())}


@pytest.fixture
def view(qtbot: QtBot) -> HelpView:
    made = HelpView()
    qtbot.addWidget(made)
    made.show()
    qtbot.waitUntil(lambda: bool(made._pages), timeout=20_000)
    return made


def test_that_every_method_attack_and_measure_has_a_page_with_all_its_parameters(
    pages: dict[str, Page],
) -> None:
    for section, registry in (("methods", METHODS), ("attacks", ATTACKS), ("measures", MEASURES)):
        things: Any = registry
        for name in things:
            body = pages[f"{section}/{name}"].body
            for spec in things[name].params.specs():
                assert f'<a name="{spec.name}">' in body


def test_that_text_from_code_is_escaped_on_its_page() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Odd(Params, owner="odd"):
        k: int = integer(1, 1, 9, label="<b>k</b>", help="a < b & c")

    def run(*_: Any, **__: Any) -> Any:
        raise AssertionError

    odd = Measure(name="odd", title="<i>odd</i>", summary="x<y", source="&", params=Odd, run=run)
    body = help_pages._described("measures/odd", "Measures", odd).body
    assert "&lt;b&gt;k&lt;/b&gt;" in body
    assert "a &lt; b &amp; c" in body
    assert "<i>" not in body


def test_that_every_link_in_a_written_page_leads_to_a_page(pages: dict[str, Page]) -> None:
    links = [
        (page.key, target)
        for page in pages.values()
        if page.form == "markdown"
        for target in re.findall(r"\]\(([^)]*)\)", page.body)
    ]
    assert links
    for key, target in links:
        assert target.removeprefix("page:") in pages, f"{key} links to {target}"


def test_that_the_written_pages_stand_in_the_order_of_reading(pages: dict[str, Page]) -> None:
    written = [key.removeprefix("guide/") for key in pages if key.startswith("guide/")]
    assert tuple(written[: len(help_pages.FIRST)]) == help_pages.FIRST


def test_that_search_finds_pages_with_every_word_and_titles_first(pages: dict[str, Page]) -> None:
    found = help_pages.matching(pages.values(), "FREQUENCY threshold")
    assert found[0].key == "methods/frequency-threshold"
    assert all("threshold" in page.words for page in found)
    assert help_pages.matching(pages.values(), "xyzzy plugh") == []


def test_that_a_parameter_can_be_looked_up_and_the_way_back_is_kept(
    qtbot: QtBot, view: HelpView
) -> None:
    view.show_page("methods/safelog", "b")
    assert "SafeLog" in view._browser.toPlainText()
    assert view._browser.verticalScrollBar().value() > 0
    QTest.mouseClick(view._back, Qt.MouseButton.LeftButton)
    assert "Getting started" in view._browser.toPlainText()
    assert not view._back.isEnabled()


def test_that_the_keyboard_searches_and_moves_between_pages(qtbot: QtBot, view: HelpView) -> None:
    QTest.keyClicks(view._search, "glossary")
    assert view._shown is not None
    assert view._shown[0] == "guide/glossary"
    view._search.clear()
    QTest.keyClick(view._tree, Qt.Key.Key_Down)
    assert view._shown[0] != "guide/glossary"
    QTest.keyClicks(view._search, "xyzzy")
    assert view._state.text() == "No page has all of these words."


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/x.png",
        "file:///etc/passwd",
        "/etc/passwd",
        "../LICENSES.md",
        "..%2fLICENSES.md",
        "getting-started.md/../../LICENSES.md",
    ],
)
def test_that_nothing_outside_the_help_is_ever_loaded(view: HelpView, url: str) -> None:
    for kind in QTextDocument.ResourceType:
        loaded = view._browser.loadResource(kind.value, QUrl(url))
        assert loaded.isEmpty()


def test_that_links_out_of_the_help_lead_nowhere(view: HelpView) -> None:
    before = view._shown
    view._follow(QUrl("http://example.org/"))
    view._follow(QUrl("file:///etc/passwd"))
    view._follow(QUrl("page:guide/no-such-page"))
    assert view._shown == before
    assert view._state.text() == "There is no such page."


def test_that_pictures_of_the_help_are_loaded_from_its_own_folder() -> None:
    assert help_pages.local("getting-started.md") == resource("docs").resolve() / (
        "getting-started.md"
    )
    assert help_pages.local("../LICENSES.md") is None
