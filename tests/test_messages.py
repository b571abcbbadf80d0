"""Messages: English text to everything that prints or stores it, and still a template."""

import ast
import copy
import json
import pickle
import re

import numpy as np
import pytest

from auditor.attacks.risk.reasons import REASONS, WRONG_REASON
from auditor.errors import LogFormatError, ParameterError
from auditor.log.sentences import read_sentences
from auditor.messages import (
    Message,
    NumberText,
    as_phrase,
    error_message,
    fill_places,
    join_phrases,
    phrase,
)
from tests.sources import PACKAGE, nodes_of


def compose(template: str, /, **places: object) -> Message:
    """A phrase, known to be a message."""
    message = phrase(template, **places)
    assert isinstance(message, Message)
    return message


def test_that_a_message_is_its_english_text() -> None:
    message = phrase("{kept:,} of {users:,} users are kept", kept=np.int64(1200), users=4000)
    assert message == "1,200 of 4,000 users are kept"
    assert json.dumps([message]) == '["1,200 of 4,000 users are kept"]'
    assert f"{message}." == "1,200 of 4,000 users are kept."
    assert hash(message) == hash("1,200 of 4,000 users are kept")
    assert type(str(message)) is str


def test_that_it_knows_its_template_without_formats_and_what_stands_in_it() -> None:
    message = compose("{kept:,} of {name!r}, {what}", kept=1200, name="a", what=as_phrase("users"))
    assert message == "1,200 of 'a', users"
    assert message.template == "{kept} of {name}, {what}"
    assert isinstance(message.arguments["kept"], NumberText)
    assert not isinstance(message.arguments["name"], Message | NumberText)
    assert isinstance(message.arguments["what"], Message)
    with pytest.raises(KeyError):
        phrase("{kept} of {users}", kept=1)


def test_that_braces_of_what_is_filled_in_stay_as_they_are() -> None:
    message = phrase("let “{query}” be {n} or more", query="{n} {0.__class__}", n=3)
    assert message == "let “{n} {0.__class__}” be 3 or more"
    assert phrase("a set {1, 2}") == "a set {1, 2}"
    assert fill_places("{a} {b}", {"a": "x"}) == "x {b}"


def test_that_a_place_with_a_large_letter_begins_a_sentence() -> None:
    message = compose("{What}: {what}.", what=phrase("about {n:,} users", n=1200))
    assert message == "About 1,200 users: about 1,200 users."
    assert fill_places("{What}", {"what": "über 3"}) == "Über 3"


def test_that_joined_and_added_messages_keep_their_templates() -> None:
    first = phrase("{n} users", n=1)
    joined = join_phrases("; ", [first, "as it is", phrase("{n} rows", n=2)])
    assert isinstance(joined, Message)
    assert joined == "1 user; as it is; 2 rows"
    assert list(joined.arguments.values()) == [first, "as it is", "2 rows"]
    for both in ("left " + first, first + " right"):
        assert isinstance(both, Message)
        assert first in both.arguments.values()
    assert "left " + first + " right" == "left 1 user right"


@pytest.mark.parametrize("copied", [lambda m: pickle.loads(pickle.dumps(m)), copy.deepcopy])
def test_that_a_message_stays_one_in_another_process(copied: object) -> None:
    message = compose("{kept:.1f} of {what}", kept=0.5, what=phrase("{n:,} rows", n=1000))
    again = copied(message)  # type: ignore[operator]
    assert again == message
    assert again.template == message.template
    assert isinstance(again.arguments["kept"], NumberText)
    assert again.arguments["what"].template == "{n} rows"


def test_that_errors_keep_the_message_they_were_raised_with() -> None:
    error = ParameterError("k", phrase("must be at most {most:,}", most=1000))
    assert str(error) == "must be at most 1,000"
    message = error_message(error)
    assert isinstance(message, Message)
    assert message.template == "must be at most {most}"
    wrapped = compose("Can't go on: {error}.", error=error)
    assert isinstance(wrapped.arguments["error"], Message)
    assert error_message(OSError(2, "No such file")) == "[Errno 2] No such file"
    placed = error_message(LogFormatError("The file is empty.", path="a.tsv", line=3))
    assert placed == "a.tsv, line 3: The file is empty."
    assert isinstance(placed, Message)
    assert isinstance(placed.arguments["message"], Message)


SAID_BY_KEY = ("f'{key}_text'", "f'risk_reason.{keys[label]}'")


def find_source(key: ast.expr, nodes: list[ast.AST]) -> ast.expr | None:
    """What says which sentence it is: the key itself, or what was last assigned to it."""
    if ast.unparse(key) != "key":
        return None if ast.unparse(key) in SAID_BY_KEY else key
    before = [
        node
        for node in nodes
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "key"
        if node.lineno < key.lineno
    ]
    return max(before, key=lambda node: node.lineno).value if before else None


def test_that_every_sentence_is_said_and_gets_what_stands_in_its_places() -> None:
    templates, unfilled = read_sentences(), []
    used_keys = {f"risk_reason.{reason.key}" for reason in (*REASONS, WRONG_REASON)}
    for file in sorted(PACKAGE.rglob("*.py")):
        nodes = list(nodes_of(file))
        for node in nodes:
            name = getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
            if not isinstance(node, ast.Call) or name not in ("sentence", "assume"):
                continue
            if (source := find_source(node.args[0], nodes)) is None:
                continue
            texts = (part for part in ast.walk(source) if isinstance(part, ast.Constant))
            words = {part.value for part in texts if isinstance(part.value, str)}
            if name == "assume":  # says what it is called and what it means
                words |= {f"{key}_text" for key in words}
            keys = words & set(templates)
            places = {keyword.arg for keyword in node.keywords}
            if name == "assume":
                places -= {"status", "evidence"}
            expected = {
                place[:1].lower() + place[1:]
                for key in keys
                for place in re.findall(r"\{(\w+)[^{}]*\}", templates[key])
            }
            used_keys |= keys
            unknown = [word for word in words - keys if re.fullmatch(r"\w+\.\w+", word)]
            if name == "sentence" and unknown:
                unfilled.append(f"{file.name}:{node.lineno}: {unknown}")
            if not keys or (expected != places and None not in places):
                unfilled.append(f"{file.name}:{node.lineno}: {keys}: {expected ^ places}")
    assert not unfilled
    assert used_keys == set(templates)


@pytest.mark.parametrize(
    ("template", "places", "text"),
    [
        ("at least {k:,} users", {"k": 1}, "at least 1 user"),
        ("at least {k:,} users", {"k": 11}, "at least 11 users"),
        ("{n:,} users of the log are not in it", {"n": 1}, "1 user of the log is not in it"),
        ("{n:,} of {all:,} users have two", {"n": 1, "all": 9}, "1 of 9 users has two"),
        ("{n:,} of {all:,} users have two", {"n": 9, "all": 1}, "9 of 1 users have two"),
        ("with {n:,} distinct queries or more", {"n": 1}, "with 1 distinct query or more"),
        ("{n:,} users' words, {n:g} times as near", {"n": 1}, "1 users' words, 1 times as near"),
        ("{n:,} or more users", {"n": 1}, "1 or more users"),
        ("{what} is typed", {"what": "1 users are"}, "1 users are is typed"),
        (
            *("{n:,} of {all:,} {who!t}", {"n": 1, "all": 9, "who": "users at risk still show it"}),
            "1 of 9 users at risk still shows it",
        ),
        ("{n} von {all} Nutzern geben viel", {"n": 1, "all": 9}, "1 von 9 Nutzern gibt viel"),
        ("mindestens {n} Anfragen", {"n": 1}, "mindestens 1 Anfrage"),
        ("{n} andere Nutzer haben sie", {"n": 1}, "1 anderer Nutzer hat sie"),
        ("{n} verschiedene Wörter wurden ersetzt", {"n": 1}, "1 verschiedenes Wort wurde ersetzt"),
    ],
)
def test_that_nouns_and_verbs_agree_with_a_count_of_one(
    template: str, places: dict[str, object], text: str
) -> None:
    assert phrase(template, **places) == text
