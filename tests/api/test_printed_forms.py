"""No printed form of a result holds a string of the log: a notebook stores what is printed."""

import contextlib
import dataclasses
import inspect
from collections.abc import Iterator
from typing import Any

import matplotlib as mpl
import pytest

import auditor
from auditor.attacks.registry import ATTACKS
from auditor.errors import AuditorError
from auditor.figures import LONGEST_REPR, ShortRepr, Table
from auditor.log.model import QueryLog
from auditor.log.synthetic.generator import synthesize_log
from auditor.measures.registry import MEASURES

METHODS = ("frequency-threshold", "token-hashing", "bundling", "safelog")
SLOW = ("dp-audit", "unbundling", "similarity", "planted-stems", "planted-strings")


@pytest.fixture(scope="module")
def log() -> QueryLog:
    return synthesize_log(50, days=4, seed=3).log


@pytest.fixture(scope="module")
def results(log: QueryLog) -> list[Any]:
    """What the public functions return, for a log and for releases of several forms."""
    mpl.use("agg")
    releases = [auditor.preview(log, method, seed=1) for method in METHODS]
    outputs: list[Any] = [log, auditor.check(log), auditor.plan(log, "safelog"), *releases]
    release = releases[0]
    attacks = {name for name in ATTACKS if name not in SLOW}
    measures = {name for name in MEASURES if name not in SLOW}
    for target in releases:  # each of them on the first release to which it applies
        for name in sorted(attacks):
            with contextlib.suppress(AuditorError):
                outputs.append(auditor.attack(name, log, target, reference=log))
                attacks.remove(name)
        for name in sorted(measures):
            with contextlib.suppress(AuditorError):
                outputs.append(auditor.measure(name, log, target))
                measures.remove(name)
    query = max(log.queries.list_strings(), key=len)
    outputs.append(auditor.explain(log, release, query))
    checks = ("surviving-content", "volume")
    skipped = [name for name in (*ATTACKS, *MEASURES) if name not in checks]
    outputs.append(auditor.audit(log, "frequency-threshold", n=2, skip=skipped))
    outputs.append(auditor.suggest(log, mode="sizes", methods=["zealous"], growth=False, budget=2))
    return outputs


def walk_parts(root: Any) -> Iterator[Any]:
    """Every object of the program that can be reached from `root` by public names."""
    visited: dict[int, Any] = {}
    waiting = [root]
    while waiting:
        part = waiting.pop()
        if id(part) in visited or isinstance(part, str | bytes | int | float | type | None):
            continue
        visited[id(part)] = part
        if isinstance(part, dict):
            waiting += part.values()
        elif isinstance(part, list | tuple | set | frozenset):
            waiting += part
        if not type(part).__module__.startswith("auditor"):
            continue
        yield part
        for name in dir(type(part)):
            if not name.startswith("_") and isinstance(
                inspect.getattr_static(type(part), name), property
            ):
                with contextlib.suppress(AuditorError, AssertionError):
                    waiting.append(getattr(part, name))
        if dataclasses.is_dataclass(part):
            waiting += [getattr(part, field.name) for field in dataclasses.fields(part)]


def list_forms(part: Any) -> list[str]:
    """Everything that a notebook can store of an object: each MIME type, and inside containers."""
    forms = [repr(part), str(part), f"{part}", repr([part]), repr({"key": part}), repr((part,))]
    forms += [repr(AuditorError(part)), str(ValueError("before", part))]
    for name in dir(part):
        if name.startswith("_repr_"):
            forms.append(str(getattr(part, name)()))
    return forms


def test_that_no_printed_form_of_a_result_holds_a_string_of_the_log(
    log: QueryLog, results: list[Any]
) -> None:
    strings = [text for text in log.queries.list_strings() if len(text) >= 12 and " " in text]
    strings += [user for user in log.users.list_strings() if len(user) >= 6]
    assert len(strings) > 100
    kinds, private = set(), 0
    for root in results:
        for part in walk_parts(root):
            kinds.add(type(part))
            private += isinstance(part, Table) and part.private
            form = "\n".join(list_forms(part))
            assert not [text for text in strings if text in form], type(part)
            if isinstance(part, ShortRepr):
                assert repr(part).startswith(f"<{type(part).__name__}")
                assert len(repr(part).splitlines()) == 1
                assert len(repr(part)) <= LONGEST_REPR + 30
    assert private > 3
    assert len(kinds) > 30


def test_that_a_class_below_a_result_prints_as_it_does() -> None:
    @dataclasses.dataclass(frozen=True)
    class Secret(ShortRepr):
        text: str = "whose query"

    @dataclasses.dataclass(frozen=True, slots=True)
    class Deeper(Secret):
        more: str = "another"

        def describe(self) -> str:
            return "2 fields"

    assert repr(Secret()) == "<Secret>"
    assert repr(Deeper()) == "<Deeper: 2 fields>"


def test_that_tables_and_marks_show_texts_when_they_are_asked_to() -> None:
    table = Table("pairs", "Pairs", ("user", "query"), [("u1", "red shoes")], private=True)
    assert "red shoes" not in repr(table)
    assert table.to_pandas().to_dict("list") == {"user": ["u1"], "query": ["red shoes"]}
    queries = ["mail jo@example.org", "weather"]
    marks, full = auditor.detect(queries), auditor.detect(queries, text=True)
    assert "example.org" not in marks.to_string()
    start, stop = marks[["start", "stop"]].to_numpy()[0]
    assert full.loc[0, "text"] == queries[0][start:stop]
    assert len(full) == len(marks) > 0
