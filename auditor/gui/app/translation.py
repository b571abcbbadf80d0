"""The window in another language: one way to translate its own words and those of the engine.

The window's own words go through Qt: ``self.tr("…")`` in a ``QObject``, `tr` elsewhere, and
`mark_for_translation` where a module lists words. What the engine says is translated here where it
is shown, a `Message` by its template. ``packaging/translations.py`` keeps the catalogue; exports,
the command line, projects and reports stay English.
"""

import dataclasses
import functools
import re
import tomllib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QSettings, QTranslator

from auditor.figures import SHARE, Axis, Figure, MetricValue
from auditor.messages import Message, NumberText, fill_places
from auditor.params import ParamSpec
from auditor.resource_files import resource_path, resource_text

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

LANGUAGES = {"en": "English", "de": "Deutsch"}
"""Every language that the window speaks, by its code, in its own words."""
LANGUAGE_KEY = "language"
"""The setting that holds the chosen language; absent where the system's is followed."""
FOLDER = "translations"
ENGINE = "Engine"
LONGEST = 4_000
"""Characters of a text above which no translation is looked for: nobody's sentence is longer."""


def tr(text: str, n: int = -1) -> str:
    """Translate words of the window outside of a `QObject`; `n` chooses among forms of plural."""
    return QCoreApplication.translate("Window", text, None, n)


def mark_for_translation(text: str) -> str:
    """Mark words that are translated where they are shown, by `tr`; returns them unchanged."""
    return text


@functools.cache
def _load_words() -> dict[str, Any]:
    return tomllib.loads(resource_text("window.toml"))


def read_words(table: str) -> dict[str, Any]:
    """A table of ``resources/window.toml``, whose words are translated where they are shown."""
    words: dict[str, Any] = _load_words()[table]
    return words


def say(key: str) -> str:
    """A paragraph of ``resources/window.toml``, by what it is about, to be filled in."""
    return tr(read_words("paragraphs")[key])


# --- which language ---------------------------------------------------------------------------


def chosen_language() -> str:
    """The language that the user chose, or else the system's where it is supported."""
    language = str(QSettings().value(LANGUAGE_KEY, ""))
    if language in LANGUAGES:
        return language
    system = QLocale.system().name().partition("_")[0]
    return system if system in LANGUAGES else "en"


def install_language(app: QCoreApplication, language: str) -> None:
    """Let the application speak a language: its words, Qt's own, and numbers as they are read."""
    system = QLocale.system()
    is_own = system.name().partition("_")[0] == language
    locale = system if is_own else QLocale("en_US" if language == "en" else language)
    QLocale.setDefault(locale)
    _tongue.language = language
    _tongue.decimal, _tongue.group = (
        (".", ",") if language == "en" else (locale.decimalPoint(), locale.groupSeparator())
    )
    for translator in _tongue.translators:
        app.removeTranslator(translator)
    _tongue.translators = []
    if language == "en":
        return
    for name, folder in (
        ("qtbase", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)),
        ("auditor", str(resource_path(FOLDER))),
    ):
        translator = QTranslator()
        if translator.load(f"{name}_{language}", folder):
            app.installTranslator(translator)
            _tongue.translators.append(translator)


def current_language() -> str:
    return _tongue.language


class _ActiveLanguage:
    """What is spoken now; English until `install` says otherwise."""

    language = "en"
    decimal, group = ".", ","
    translators: list[QTranslator]


_tongue = _ActiveLanguage()
_tongue.translators = []


def localize_number(text: str) -> str:
    """A number as it was written in English, its signs set as the window's language has them."""
    if _tongue.language == "en":
        return text
    return text.translate({ord(","): _tongue.group, ord("."): _tongue.decimal})


def read_figure(typed: str) -> str:
    """A typed number as the engine reads it; a point sets thousands apart only if it must."""
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
    """A text of the engine, a message by its template, in the window's language if it can be."""
    if _tongue.language == "en" or not text:
        return text
    if isinstance(text, NumberText):
        return localize_number(text)
    if not isinstance(text, Message):
        return QCoreApplication.translate(ENGINE, text) if len(text) <= LONGEST else text
    template = QCoreApplication.translate(ENGINE, text.template)
    if not text.arguments:
        return template
    places = {
        name: translate_text(value) if isinstance(value, Message | NumberText) else value
        for name, value in text.arguments.items()
    }
    return fill_places(template, places)


# --- what the engine gives as a whole -----------------------------------------------------------


D = TypeVar("D", bound="DataclassInstance")


def _translate_fields(item: D, *names: str) -> D:
    words: dict[str, Any] = {name: translate_text(getattr(item, name)) for name in names}
    return dataclasses.replace(item, **words)


def translate_spec(spec: ParamSpec) -> ParamSpec:
    """A parameter with its label, help and options in the window's language."""
    if _tongue.language == "en":
        return spec
    return dataclasses.replace(
        _translate_fields(spec, "label", "help", "unit", "optional"),
        ends=(translate_text(spec.ends[0]), translate_text(spec.ends[1])),
        options=tuple(_translate_fields(option, "label", "help") for option in spec.options),
    )


def translate_value(value: MetricValue) -> MetricValue:
    """A figure of a result with its label, unit and help in the window's language."""
    if _tongue.language == "en":
        return value
    words = _translate_fields(value, "label", "help")
    return dataclasses.replace(words, unit=_translate_unit(value.unit))


def translate_figure(figure: Figure) -> Figure:
    """A plot with its titles, names and notes in the window's language; its data stay."""
    if _tongue.language == "en":
        return figure
    private = figure.private
    return dataclasses.replace(
        _translate_fields(figure, "title", "note"),
        x=_translate_axis(figure.x, private),
        y=_translate_axis(figure.y, private),
        series=tuple(
            dataclasses.replace(series, name=_translate_name(series.name, private))
            for series in figure.series
        ),
        marks=tuple(_translate_fields(mark, "label") for mark in figure.marks),
        zones=tuple(_translate_fields(zone, "label") for zone in figure.zones),
    )


def _translate_axis(axis: Axis, private: bool) -> Axis:
    names = tuple(_translate_name(name, private) for name in axis.categories)
    words = _translate_fields(axis, "label")
    return dataclasses.replace(words, unit=_translate_unit(axis.unit), categories=names)


def _translate_unit(unit: str) -> str:
    """A unit in the window's language; that of a share is never shown, and says how to."""
    return unit if unit == SHARE else translate_text(unit)


def _translate_name(name: str, private: bool) -> str:
    """Words of the raw log are never taken for the engine's."""
    return name if private else translate_text(name)


def translate_all(texts: Iterable[str]) -> list[str]:
    return [translate_text(text) for text in texts]
