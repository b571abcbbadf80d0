"""Messages in a project: they come back with their templates, and hostile ones don't."""

import json
from dataclasses import dataclass

import pytest

from auditor.messages import Message, NumberText, as_phrase, phrase
from auditor.project.values import DataclassReader, JsonNode, ProjectError, to_plain


@dataclass(frozen=True)
class StoredNote:
    text: str


def stored(plain: object) -> str:
    node = JsonNode(json.loads(json.dumps({"text": plain})))
    return DataclassReader({}).read(StoredNote, node).text


def test_that_a_message_comes_back_with_its_template_and_arguments() -> None:
    message = phrase("{n:,} of {what}; {name}", n=1200, what=as_phrase("users"), name="a")
    plain = to_plain(StoredNote(phrase("({inner})", inner=message)))
    again = stored(plain["text"])
    assert again == "(1,200 of users; a)"
    assert isinstance(again, Message)
    inner = again.arguments["inner"]
    assert isinstance(inner, Message)
    assert inner.template == "{n} of {what}; {name}"
    assert isinstance(inner.arguments["n"], NumberText)
    assert isinstance(inner.arguments["what"], Message)  # a window in another language looks it up
    assert not isinstance(inner.arguments["name"], Message)


def test_that_a_sentence_without_places_stays_a_text() -> None:
    assert to_plain(StoredNote(phrase("nothing"))) == {"text": "nothing"}
    assert stored("nothing") == "nothing"


@pytest.mark.parametrize(
    "plain",
    [
        {"template": 3, "arguments": {}},
        {"template": "{a}", "arguments": {"a": 3}},
        {"template": "{a}", "arguments": ["a"]},
        {"template": "{a}" * 6_000, "arguments": {"a": "x" * 19_000}},
        {"arguments": {}},
    ],
)
def test_that_what_is_no_message_is_refused(plain: object) -> None:
    with pytest.raises(ProjectError):
        stored(plain)


def test_that_messages_within_messages_end() -> None:
    plain: object = "x"
    for _ in range(200):
        plain = {"template": "{a}{a}", "arguments": {"a": plain}}
    with pytest.raises(ProjectError):
        stored(plain)


def test_that_places_of_a_stored_template_reach_nothing() -> None:
    assert stored({"template": "{a.__class__} {a}", "arguments": {"a": "x"}}) == "{a.__class__} x"
