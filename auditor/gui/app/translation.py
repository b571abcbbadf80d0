"""The window in another language: one way to translate its own words and those of the engine.

The window's own words go through Qt: ``self.tr("…")`` in a ``QObject``, `tr` elsewhere, `later`
where a module lists words before anybody has chosen a language. The engine knows no language and
no Qt: what it says is translated here, by `words`, where it is shown. A sentence with figures in
it is found by its template (``{0} of {1#} users``): the templates are drawn from the source by
``packaging/translations.py``, and stand in the same catalogue as everything else.

Exports, the command line, projects and reports stay English: whoever gets them reads the same
sentences, whatever the language of the window that they came from.
"""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Iterable

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QSettings, QTranslator

from auditor.figures import SHARE, Axis, Figure, MetricValue, Table
from auditor.log import gazetteers
from auditor.messages import Message, NumberText, fill_places
from auditor.params import ParamOption, ParamSpec

LANGUAGES = {"en": "English", "de": "Deutsch"}
"""Every language that the window speaks, by its code, in its own words."""
KEPT = "language"
"""The setting that holds the chosen language; absent where the system's is followed."""
FOLDER = "translations"
ENGINE = "Engine"
LONGEST = 4_000
"""Characters of a sentence above which no template is looked for: nobody's sentence is longer."""

_FIGURE = re.compile(
    r"[-+−]?(\d{1,3}(,\d{3})*(\.\d+)?|\d+(\.\d+)?(e[+-]?\d+)?|(\d(\.\d+)?·)?10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+|∞|inf)"
    r"\s?%?"
)
_PLACE = re.compile(r"\{(\d+)[#*]?\}")
MOST_LABELS = 4
TOGETHER = 7
"""Sentences, and what stands between them, that one template may hold."""
MOST_PARTS = 31
"""Sentences, and what stands between them, above which a text is nobody's statement."""

_LISTS = re.compile(r"(; |\n)")
_TAILS = re.compile(r"()(?=[,;] )")
_SYMBOLS = re.compile(r"([,;] )?[εδ]( ≥| ≤| =)?")
_ENDS = re.compile(r"(?<=[.:!?])( )(?=[A-Z0-9(τεδ✓✗?–])")


def tr(text: str, n: int = -1) -> str:
    """Translate words of the window outside of a `QObject`; `n` chooses among forms of plural."""
    return QCoreApplication.translate("Window", text, None, n)


def mark_for_translation(text: str) -> str:
    """Mark words that are translated where they are shown, by `tr`; returns them unchanged."""
    return text


# --- which language ---------------------------------------------------------------------------


def chosen_language() -> str:
    """The language that somebody chose, or else the system's where the window speaks it."""
    kept = str(QSettings().value(KEPT, ""))
    if kept in LANGUAGES:
        return kept
    system = QLocale.system().name().partition("_")[0]
    return system if system in LANGUAGES else "en"


def install_language(app: QCoreApplication, language: str) -> None:
    """Let the application speak a language: its words, Qt's own, and numbers as they are read."""
    system = QLocale.system()
    ours = system.name().partition("_")[0] == language
    locale = system if ours else QLocale("en_US" if language == "en" else language)
    QLocale.setDefault(locale)
    _tongue.language = language
    _tongue.decimal, _tongue.group = (
        (".", ",") if language == "en" else (locale.decimalPoint(), locale.groupSeparator())
    )
    _found.cache_clear()
    _one.cache_clear()
    for translator in _tongue.translators:
        app.removeTranslator(translator)
    _tongue.translators = []
    if language == "en":
        return
    for name, where in (
        ("qtbase", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)),
        ("auditor", str(gazetteers.resource_path(FOLDER))),
    ):
        translator = QTranslator()
        if translator.load(f"{name}_{language}", where):
            app.installTranslator(translator)
            _tongue.translators.append(translator)


def current_language() -> str:
    """The code of the language that is spoken."""
    return _tongue.language


class _ActiveLanguage:
    """What is spoken now; English until `install` says otherwise."""

    language = "en"
    decimal, group = ".", ","
    translators: list[QTranslator]


_tongue = _ActiveLanguage()
_tongue.translators = []


def localize_number(shown: str) -> str:
    """A number as it was written in English, its signs set as the window's language has them."""
    if _tongue.language == "en":
        return shown
    return shown.translate({ord(","): _tongue.group, ord("."): _tongue.decimal})


def read_figure(typed: str) -> str:
    """What somebody typed as a number, as the engine reads numbers.

    A point that sets thousands apart is taken for one only where it can be nothing else.
    """
    text = typed.strip()
    if _tongue.language == "en":
        return text.replace(",", "")
    text = text.replace("\u00a0", "").replace("\u202f", "")
    if _tongue.decimal != ".":
        if _tongue.decimal in text or re.fullmatch(r"-?[1-9]\d{0,2}(\.\d{3})+", text):
            text = text.replace(".", "")
        return text.replace(_tongue.decimal, ".")
    return text.replace(_tongue.group, "").replace(",", "")


# --- the engine's words -----------------------------------------------------------------------


def translate_text(text: str) -> str:
    """A word or sentence of the engine in the window's language; unknown ones stay as they are."""
    if _tongue.language == "en" or not text:
        return text
    if isinstance(text, Message):
        return _translate_message(text)
    if isinstance(text, NumberText):
        return localize_number(text)
    return text if len(text) > LONGEST else _found(text)


def _translate_message(message: Message) -> str:
    """The template in the window's language, with what stands in its places translated, too."""
    known = QCoreApplication.translate(ENGINE, message.template)
    if known == message.template and not message.arguments:
        return _found(message)
    return fill_places(
        known,
        {
            name: translate_text(value) if isinstance(value, Message | NumberText) else value
            for name, value in message.arguments.items()
        },
    )


@functools.lru_cache(maxsize=4_096)
def _found(shown: str) -> str:
    text = shown.replace("\u00a0", " ")
    known = _one(text)
    if known != text:
        return known
    if _FIGURE.fullmatch(text):
        return localize_number(shown)
    if (figure := _figure_of(text)) != text:
        return figure
    label, colon, rest = text.partition(": ")
    if colon and (known := _one(rest)) != rest:
        return f"{_part(label)}{colon}{known}"
    for ends in (_ENDS, _LISTS, _TAILS):  # several sentences, or a list of them
        parts = ends.split(text)
        if len(parts) > 1 and (told := _runs(parts)) != text:
            return told
    if text.count(": ") > MOST_LABELS:
        return shown
    told = f"{_part(label)}{colon}{_found(rest)}" if colon else text
    return told if told != text else shown


def _runs(parts: list[str]) -> str:
    """Sentences with what stands between them, as many together as one template has."""
    if len(parts) > MOST_PARTS:
        return "".join(parts)
    told, at = "", 0
    while at < len(parts):
        for end in range(min(len(parts), at + TOGETHER), at, -2):
            run = "".join(parts[at:end])
            known = _part(run)
            if known != run or end - at <= 1:
                break
        told += known + "".join(parts[end : end + 1])
        at = end + 1
    return told


def _figure_of(text: str) -> str:
    """A symbol and its number, like ``ε 1.2``."""
    symbol, blank, number = text.rpartition(" ")
    return symbol + blank + localize_number(number) if _SYMBOLS.fullmatch(symbol) else text


def _part(text: str) -> str:
    """A sentence among others; the catalogue may have it with the blank that set it apart."""
    for before, after in (("", ""), (" ", ""), ("", " "), ("; ", "")):
        known = _one(before + text + after)
        if known != before + text + after:
            return known.removeprefix(before).strip(" ")
    if text.endswith(".") and _one(text[:-1]) != text[:-1]:
        return _one(text[:-1]) + "."
    if _one(text + ".") != text + ".":
        return _one(text + ".").removesuffix(".")
    mark, bare = (text[:2], text[2:]) if text[:2] in (", ", "; ") else ("", text)
    return mark + _one(bare) if mark and _one(bare) != bare else _figure_of(text)


@functools.lru_cache(maxsize=4_096)
def _one(text: str) -> str:
    known = QCoreApplication.translate(ENGINE, text)
    return known if known != text else _by_template(text)


def _by_template(text: str) -> str:
    for template, pieces in _templates():
        if all(piece in text for piece in pieces):
            values = _values(text, pieces)
            if values is not None and not _fit(template, values):
                continue
            known = "" if values is None else QCoreApplication.translate(ENGINE, template)
            if values is not None and known != template:
                return _fill_template(template, known, values)
    return text


@functools.cache
def _templates() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Every template with its fixed pieces, the most specific first."""
    lines = (
        gazetteers.resource_path(FOLDER).joinpath("templates.txt").read_text("utf-8").splitlines()
    )
    made = [line.replace("\\n", "\n") for line in lines]
    split = [(line, tuple(_PLACE.sub("\0", line).split("\0"))) for line in made]
    return tuple(sorted(split, key=lambda one: -sum(map(len, one[1]))))


def _values(text: str, pieces: tuple[str, ...]) -> list[str] | None:
    """What stands between the pieces, or None if they don't make up the text; linear in it.

    The first place where a piece fits is taken and never left again, so that no text, whoever
    wrote it, makes this slow.
    """
    first, last = pieces[0], pieces[-1]
    if not text.startswith(first) or not text.endswith(last):
        return None
    at, end = len(first), len(text) - len(last)
    values = []
    for piece in pieces[1:-1]:
        place = text.find(piece, at, end) if piece else at
        if place < 0:
            return None
        values.append(text[at:place])
        at = place + len(piece)
    if at > end:
        return None
    return [*values, text[at:end]]


def _fit(template: str, values: list[str]) -> bool:
    """Whether numbers stand where the template has numbers."""
    places = [m[0][-2] for m in _PLACE.finditer(template)]
    return all(
        kind != "#" or _FIGURE.fullmatch(value) for kind, value in zip(places, values, strict=True)
    )


def _fill_template(template: str, known: str, values: list[str]) -> str:
    order = [int(place) for place in _PLACE.findall(template)]
    by_number = dict(zip(order, values, strict=True))
    kinds = {int(m[1]): m[0][-2] for m in _PLACE.finditer(template)}

    def put(place: re.Match[str]) -> str:
        value, kind = by_number.get(int(place[1]), ""), place[0][-2]
        if kind == "*":
            return translate_text(value)
        numeric = kind == "#" or kinds.get(int(place[1])) == "#"
        return localize_number(value) if numeric else value

    return _PLACE.sub(put, known)


# --- what the engine gives as a whole -----------------------------------------------------------


def translate_spec(one: ParamSpec) -> ParamSpec:
    """A parameter with its label, help and options in the window's language."""
    if _tongue.language == "en":
        return one
    return dataclasses.replace(
        one,
        label=translate_text(one.label),
        help=translate_text(one.help),
        unit=translate_text(one.unit),
        ends=(translate_text(one.ends[0]), translate_text(one.ends[1])),
        options=tuple(
            ParamOption(o.value, translate_text(o.label), translate_text(o.help))
            for o in one.options
        ),
        optional=translate_text(one.optional),
    )


def translate_value(one: MetricValue) -> MetricValue:
    """A figure of a result with its label, unit and help in the window's language."""
    if _tongue.language == "en":
        return one
    return dataclasses.replace(
        one, label=translate_text(one.label), unit=_unit(one.unit), help=translate_text(one.help)
    )


def translate_figure(one: Figure) -> Figure:
    """A plot with its titles, names and notes in the window's language; its data stay."""
    if _tongue.language == "en":
        return one
    return dataclasses.replace(
        one,
        title=translate_text(one.title),
        x=_axis(one.x, one.private),
        y=_axis(one.y, one.private),
        series=tuple(
            dataclasses.replace(s, name=_is_raw_text(s.name, one.private)) for s in one.series
        ),
        marks=tuple(dataclasses.replace(m, label=translate_text(m.label)) for m in one.marks),
        zones=tuple(dataclasses.replace(z, label=translate_text(z.label)) for z in one.zones),
        note=translate_text(one.note),
    )


def _axis(one: Axis, private: bool) -> Axis:
    names = tuple(_is_raw_text(name, private) for name in one.categories)
    return dataclasses.replace(
        one, label=translate_text(one.label), unit=_unit(one.unit), categories=names
    )


def _unit(unit: str) -> str:
    """A unit in the window's language; that of a share is never shown, and says how to."""
    return unit if unit == SHARE else translate_text(unit)


def _is_raw_text(name: str, private: bool) -> str:
    """Words of the raw log are never taken for the engine's."""
    return name if private else translate_text(name)


def translate_table(one: Table) -> Table:
    """A table with title, headings and note in the window's language; its cells stay."""
    if _tongue.language == "en":
        return one
    return dataclasses.replace(
        one,
        title=translate_text(one.title),
        columns=tuple(map(translate_text, one.columns)),
        note=translate_text(one.note),
    )


def translate_all(texts: Iterable[str]) -> list[str]:
    """`words` of each."""
    return [translate_text(text) for text in texts]
