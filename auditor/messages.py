"""Sentences that people read, as a template and what stands in its places.

A `Message` is a text like any other: it is printed, joined into a report and written to JSON as
the finished English sentence. It remembers how it was made, so that a window in another language
looks up the template and fills in the same figures; nothing takes a finished sentence apart::

    phrase("{kept:,} of {users:,} users are kept", kept=kept, users=users)

What stands in a place may be a number (set as its reader's language sets numbers), another message
(translated, too), or any other text (shown as it is: a query, a name, a path). A sentence without
places is a plain literal; `DisplayText` says where one is expected. ``packaging/translations.py``
collects the templates given to `phrase`, and the literals of the engine's modules that read as
sentences or stand where words are shown.
"""

from __future__ import annotations

import functools
import numbers
import re
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from auditor import plurals

DisplayText: TypeAlias = str
"""Text that people read, and that the window translates: a `Message`, or a literal."""

_PLACE = re.compile(r"\{(\w+)(?:!([rst]))?(?::([^{}]*))?\}")


class NumberText(str):
    """A number as English writes it; a translation replaces its separators."""

    __slots__ = ()


class Message(str):
    """A finished English text that knows its template and its arguments; made by `phrase`.

    Attributes
    ----------
    template
        The text with its places, ``{kept} of {users} users are kept``: the key of a translation.
    arguments
        By place: a `NumberText`, a `Message`, or text that is shown as it is.
    """

    template: str
    arguments: Mapping[str, str]

    __slots__ = ("arguments", "template")

    def __new__(cls, template: str, arguments: Mapping[str, str]) -> Message:
        """The text of a template whose places are filled."""
        message = super().__new__(cls, fill_places(template, arguments) if arguments else template)
        message.template = template
        message.arguments = arguments
        return message

    def __reduce__(self) -> tuple[type[Message], tuple[str, dict[str, str]]]:
        """A message stays one on its way to another process."""
        return Message, (self.template, dict(self.arguments))

    def __add__(self, other: str) -> DisplayText:
        """The message and what follows it."""
        return join_phrases("", (self, other))

    def __radd__(self, other: str) -> DisplayText:
        """What stands before the message, and the message."""
        return join_phrases("", (other, self))


def phrase(template: str, /, **places: Any) -> DisplayText:
    """A sentence: a template, and what stands in its places, each formatted as its place says.

    A place is ``{name}``, ``{name:,.3g}``, ``{name!r}``, or ``{name!t}`` for text that is itself
    translated (`as_phrase`); ``{Name}`` is filled with `name`, its first letter large. Without
    places braces mean nothing.
    """
    if not places:
        return Message(template, {})
    template_text, formats = _parse_template(template)
    return Message(
        template_text,
        {name: _format_place(places[name], *formatting) for name, formatting in formats},
    )


def as_phrase(text: DisplayText) -> DisplayText:
    """What is declared as `DisplayText`, to stand in another message and be translated with it."""
    return text if isinstance(text, Message | NumberText) else Message(text, {})


def join_phrases(separator: str, parts: Iterable[str]) -> DisplayText:
    """Texts one after the other, as ``separator.join(parts)``, each translated by itself."""
    arguments = {f"part{number}": as_phrase(part) for number, part in enumerate(parts)}
    return Message(separator.join(f"{{{name}}}" for name in arguments), arguments)


def error_message(error: BaseException) -> str:
    """What an error says: ``str(error)``, and still a `Message` where it was raised with one."""
    text = error.args[0] if error.args else ""
    return text if isinstance(text, str) and text == str(error) else str(error)


def fill_places(template: str, arguments: Mapping[str, str]) -> str:
    """A template with its places filled; places without a value stay as they are written."""

    def fill(place: re.Match[str]) -> str:
        name = _argument_name(place[1])
        value = arguments.get(name, place[0])
        return value if name == place[1] else value[:1].upper() + value[1:]

    if "1" in arguments.values():
        template, arguments = _agree_in_number(template, arguments)
    return _PLACE.sub(fill, template)


def _list_forms(words: str) -> str:
    return "|".join(pair.split(":")[0] for pair in words.split())


_NOUNS, _VERBS, _NEAR = map(_list_forms, (plurals.NOUNS, plurals.VERBS, plurals.NEAR))
_OTHER = r"(?:and|for|in|of|or|per|than|to|bis|der|im|je|oder|und|von)\b"
_COUNT, _OF = r"\{(?P<count>\w+)\}", r"(?P<of> (?:of|von)(?: the| den)? \{\w+\})"
_COUNTED = re.compile(
    rf"(?P<before>{_COUNT}{_OF}?(?: (?!{_OTHER})[^\W\d]+){{0,2}}? )"
    rf"(?P<noun>{_NOUNS})\b(?!['’]| as\b)"
    rf"(?P<rest>(?: [\w-]+){{0,5}}? (?:{_VERBS})\b| (?:{_NEAR})\b)?"
)
_WHOLE = re.compile(rf"{_COUNT}{_OF} \{{(?P<next>\w+)\}}")
_VERB = re.compile(rf"\b(?:{_VERBS}|{_NEAR})\b")


def _agree_in_number(template: str, arguments: Mapping[str, str]) -> tuple[str, Mapping[str, str]]:
    """Nouns and verbs in the singular behind places that are filled with 1.

    Of "{n} of {all} users are" the verb alone changes, also where it stands in what fills the next
    place. Nothing else that fills a place is touched.
    """
    forms = plurals.FORMS

    def is_one(match: re.Match[str]) -> bool:
        return arguments.get(_argument_name(match["count"])) == "1"

    def make_singular(match: re.Match[str]) -> str:
        before, noun = match["before"], match["noun"]
        if not match["of"]:
            noun = forms[noun]
            before = re.sub(r"(?<=[^\W\d]e) ", plurals.ENDINGS.get(noun, "") + " ", before)
        return before + noun + _VERB.sub(lambda v: forms[v[0]], match["rest"] or "")

    for match in _WHOLE.finditer(template):
        if is_one(match) and match["next"] in arguments:
            words = _VERB.sub(lambda v: forms[v[0]], arguments[match["next"]], count=1)
            arguments = {**arguments, match["next"]: words}
    return _COUNTED.sub(lambda m: make_singular(m) if is_one(m) else m[0], template), arguments


def filled_length(template: str, arguments: Mapping[str, str]) -> int:
    """How long a template is at most when its places are filled."""
    return len(template) + sum(
        len(arguments.get(_argument_name(p[1]), "")) for p in _PLACE.finditer(template)
    )


def bare_template(template: str) -> str:
    """A template as translations name it: its places without their formats."""
    return _PLACE.sub(r"{\1}", template)


def _argument_name(place: str) -> str:
    """The argument of a place; ``{What}`` is ``{what}`` at the start of a sentence."""
    return place[:1].lower() + place[1:]


@functools.lru_cache(maxsize=4_096)
def _parse_template(template: str) -> tuple[str, tuple[tuple[str, tuple[str, str]], ...]]:
    """The template without its formats, and by place how its value is formatted."""
    formats = {
        _argument_name(place[1]): (place[2] or "", place[3] or "")
        for place in _PLACE.finditer(template)
    }
    return bare_template(template), tuple(formats.items())


def _format_place(value: Any, conversion: str, spec: str) -> str:
    if conversion == "t":
        return as_phrase(value)
    if isinstance(value, str) and not conversion and not spec:
        return value
    if isinstance(value, BaseException) and not conversion and not spec:
        return error_message(value)
    text = repr(value) if conversion == "r" else str(value) if conversion else value
    result = format(text, spec)
    is_number = isinstance(text, numbers.Number) and not isinstance(text, bool)
    return NumberText(result) if is_number else result
