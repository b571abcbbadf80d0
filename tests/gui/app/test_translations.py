"""The window in German: nothing untranslated, nothing lost, nothing that goes around Qt."""

import ast
import dataclasses
import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from PySide6.QtCore import QLocale, QSettings
from PySide6.QtWidgets import QApplication

from auditor.attacks.dp_audit.summary import AuditSummary, write_verdict
from auditor.engine import log_overview
from auditor.figures import Axis, Figure, Series, format_share
from auditor.gui.app import translation
from auditor.gui.app.navigation import StatusBar
from auditor.gui.log import page
from auditor.gui.widgets import formats
from auditor.messages import NumberText, phrase
from auditor.methods.noisy_counts.period_units import describe_unit
from auditor.privacy.statement import Assumption, Statement
from auditor.progress import silent_progress
from auditor.release.gates import describe_interval
from tests.gui import fakes
from tests.gui.driving import keep
from tests.sources import nodes_of, tree_of
from tests.test_language import translations

ROOT = Path(__file__).parents[3]
GUI = ROOT / "auditor" / "gui"
CATALOGUE = ROOT / "resources" / "translations" / "auditor_de.ts"
PLACE = re.compile(r"\{[^{}]*\}")
DISPLAY_CALLS = {
    "addAction", "addMenu", "QAction", "QCheckBox", "QGroupBox", "QLabel", "QPushButton",
    "QRadioButton", "setAccessibleDescription", "setAccessibleName", "setHorizontalHeaderLabels",
    "setPlaceholderText", "setPrefix", "setStatusTip", "setSuffix", "setTitle", "setToolTip",
    "setWhatsThis", "setWindowTitle",
}  # fmt: skip
"""Calls that show words; `setText` and `addItem` show data, too, and take only prose."""
PROSE = {"setText", "addItem", "addRow", "label", "clear", "end", "begin"}


INVENTED = {"neighbouring_logs.py", "trials.py", "metrics.py"}
"""Modules that make up queries and names of pages, which nobody reads."""


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    return translations()


def test_that_every_string_has_a_german_translation(tool: ModuleType, tmp_path: Path) -> None:
    assert not tool.missing(CATALOGUE)
    file = tmp_path / "auditor_de.ts"
    file.write_text(
        "<TS><context><name>Window</name><message><source>queries</source>"
        "<translation>\n        </translation></message></context></TS>",
        encoding="utf-8",
    )
    assert tool.read(file) == {("Window", "queries"): [""]}
    assert ("Window", "queries") in tool.missing(file)


def test_that_no_place_and_no_shortcut_is_lost(tool: ModuleType) -> None:
    for (context, source), forms in tool.read(CATALOGUE).items():
        if context == tool.COUNTED:
            continue
        (text,) = forms
        if context == tool.ENGINE:
            places = {re.sub(r"[#*]", "", place).lower() for place in PLACE.findall(source)}
            assert {re.sub(r"[#*]", "", p).lower() for p in PLACE.findall(text)} <= places, source
            assert len(PLACE.findall(text)) >= len(PLACE.findall(source)), source
        else:
            assert sorted(PLACE.findall(text)) == sorted(PLACE.findall(source)), source
        mnemonic = re.search(r"(?<!&)&(?![& ])", source) is not None
        assert (re.search(r"(?<!&)&(?![& ])", text) is not None) == mnemonic, source


def test_that_the_compiled_catalogue_is_that_of_the_text(tool: ModuleType, tmp_path: Path) -> None:
    copy = tmp_path / "auditor_de.ts"
    copy.write_bytes(CATALOGUE.read_bytes())
    tool.release(copy)
    assert copy.with_suffix(".qm").read_bytes() == CATALOGUE.with_suffix(".qm").read_bytes()


def literals(node: ast.AST) -> Iterator[str]:
    """What a call is given as words: constants and f-strings, also of either branch."""
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.JoinedStr():
            yield "".join(str(v.value) for v in node.values if isinstance(v, ast.Constant))
        case ast.IfExp():
            yield from literals(node.body)
            yield from literals(node.orelse)
        case ast.BinOp(op=ast.Add()):
            yield from literals(node.left)
            yield from literals(node.right)
        case ast.Tuple() | ast.List():
            for part in node.elts:
                yield from literals(part)


def test_that_no_shown_word_goes_around_qt() -> None:
    strays = []
    for file in sorted(GUI.rglob("*.py")):
        for node in nodes_of(file):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
            name = name or (node.func.id if isinstance(node.func, ast.Name) else "")
            if name not in DISPLAY_CALLS | PROSE:
                continue
            for text in itertools.chain.from_iterable(map(literals, node.args)):
                word = re.search(r"[^\W\d_]{2}", text) is not None
                prose = word and (" " in text.strip() or text[:1].isupper())
                if word if name in DISPLAY_CALLS else prose:
                    strays.append(f"{file.relative_to(GUI)}:{node.lineno}: {text}")
    assert strays == []


def test_that_a_sentence_with_figures_is_found_by_its_template(german: None) -> None:
    english = "{flagged:,} sessions are flagged; the {most_findings:,} of greatest risk are listed."
    german_text = "3.141 Sitzungen fallen auf; die 2.000 mit dem größten Risiko sind aufgeführt."
    message = phrase(english, flagged=3141, most_findings=2000)
    assert translation.translate_text(message) == german_text
    rate = describe_interval(format_share(0.802), 0.764, 0.836)
    assert translation.translate_text(rate) == "80,2 % (76,4 bis 83,6 %)"
    audit = AuditSummary(claimed=5.8, delta=0.0, sampled=1.47, limit=7.3)
    assert "5,8" in translation.translate_text(write_verdict(audit))
    unknown = Assumption("a", "b", "unknown")
    for unit, epsilon, delta, text, translated in (
        ("", 1.2, 8.3e-7, "ε 1.2, δ 8.3 × 10⁻⁷", "ε 1,2, δ 8,3 × 10⁻⁷"),
        (describe_unit("day"), 5.8, None, "ε 5.8 per day", "ε 5,8 je Tag"),
    ):
        claim = Statement("differential privacy", "", unit, "", epsilon, delta)
        headline = dataclasses.replace(claim, assumptions=(unknown,)).write_headline()
        assert headline == f"{text}, under the stated assumptions"
        expected = f"{translated}, unter den genannten Annahmen"
        assert translation.translate_text(headline) == expected
    assert translation.translate_text("nothing that anybody wrote") == "nothing that anybody wrote"
    finished = str(message)  # a finished sentence is not taken apart
    assert translation.translate_text(finished) == finished
    nothing = Statement("none", "", "", assumptions=(unknown,))
    assert nothing.write_headline() == "no formal guarantee"  # it holds under no assumption


def test_that_counts_and_their_classes_are_set_as_german_sets_them(german: None) -> None:
    bar = keep(StatusBar())
    bar.show_waiting(1)
    assert bar.queue.text() == "1 wartet ▸"
    bar.show_waiting(1200)
    assert bar.queue.text() == "1.200 warten ▸"
    log = fakes.small_log(users=2, rows=1500)
    users = page.draw_per_user(log_overview.summarize_log(log, silent_progress()).per_user)
    assert users.x.categories[-1] == "1.024–2.047"
    engine = NumberText("1,024–2,047")
    assert translation.translate_text(engine) == "1.024–2.047"


def test_that_no_sentence_of_the_engine_is_an_f_string(tool: ModuleType) -> None:
    """Such a sentence would reach the window in English: it is a `phrase`, with its template."""
    files = [file for file in tool.engine_files() if file.name not in INVENTED]
    strays = [(file, tool.unmarked_sentences(tree_of(file))) for file in files]
    assert [(file.name, node.lineno) for file, nodes in strays for node in nodes] == []


def test_that_every_stage_of_work_can_be_said_in_german(tool: ModuleType) -> None:
    sources = {source for _context, source in tool.extract()}
    lost = []
    for file in tool.modules(tool.PACKAGE):
        if {"cli", "gui", "spark"} & {*file.parts}:
            continue
        for node in nodes_of(file):
            if isinstance(node, ast.Call) and tool.called(node) in tool.STAGES and node.args:
                formatted = isinstance(node.args[0], ast.JoinedStr)
                if formatted or not sources.issuperset(tool.literals(node.args[0])):
                    lost.append(f"{file.name}:{node.lineno}")
    assert lost == []


def test_that_hostile_text_is_neither_slow_nor_changed(german: None) -> None:
    text = "the release has {0} of {1#} %n " * 120
    assert translation.translate_text(text) == text
    for hostile in ("a: " * 1_200, "Ab. " * 900, "a, b; " * 600, "It is. " * 14):
        assert translation.translate_text(hostile) == hostile
    assert translation.translate_text("x" * 100_000) == "x" * 100_000


def test_that_words_of_the_raw_log_are_never_translated(german: None) -> None:
    values = [0.0]
    figure = Figure(
        "f", "users", Axis("queries", categories=("users",)), Axis("rows"),
        (Series("words", values, values),), private=True,  # type: ignore[arg-type]
    )  # fmt: skip
    result = translation.translate_figure(figure)
    assert (result.title, result.x.label, result.y.label) == ("Nutzer", "Anfragen", "Zeilen")
    assert result.x.categories == ("users",)
    assert result.series[0].name == "words"


def test_that_numbers_are_written_and_read_as_germans_do(german: None) -> None:
    assert (formats.format_number(12.5), formats.format_count(1234)) == ("12,5", "1.234")
    assert formats.format_plural(1, "session") == "1 Sitzung"
    assert formats.format_plural(2000, "session") == "2.000 Sitzungen"
    for typed, read in (
        ("1,5", "1.5"), ("0.125", "0.125"), ("1.234", "1234"), ("1.234,5", "1234.5"),
        ("1e-6", "1e-6"), ("-2,5", "-2.5"), ("1.5", "1.5"),
    ):  # fmt: skip
        assert translation.read_figure(typed) == read


def test_that_a_chosen_language_goes_before_the_systems(qapp: QApplication) -> None:
    system = QLocale.system().name().partition("_")[0]
    assert translation.chosen_language() == (system if system in translation.LANGUAGES else "en")
    QSettings().setValue(translation.LANGUAGE_KEY, "de")
    try:
        assert translation.chosen_language() == "de"
        QSettings().setValue(translation.LANGUAGE_KEY, "xx")
        assert translation.chosen_language() in translation.LANGUAGES
    finally:
        QSettings().remove(translation.LANGUAGE_KEY)
