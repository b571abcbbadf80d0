"""The words of screens, messages and documents: the field's terms, and none of a private dialect.

`resources/docs/glossary.md` is the list of terms. What stands here are the phrases that earlier
versions used instead of them.
"""

import ast
import functools
import importlib.util
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from tests.narrowing import present
from tests.sources import nodes_of

ROOT = Path(__file__).parent.parent

BANNED = {
    r"\b(she|hers?|herself)\b": "they, their: a user is nobody's sister",
    r"\baskings?\b|\baskers?\b": "query events; distinct users",
    r"\bkeeps? company\b|\bby the company\b|\bits company\b|\bmore company\b": "co-occurrences",
    r"\bleast noisy count\b": "release threshold",
    r"\bchance of a leak\b": "failure probability",
    r"\bnoise of the (selection|query counts|click counts)\b": "noise scale",
    r"\brarest query kept\b": "minimum frequency",
    r"\bcomes? back from (its|their) hash": "recovered from hashes",
    r"\bout of sight\b": "not testable with this many runs",
    r"\bif what is assumed holds\b": "under the stated assumptions",
    r"\bsittings?\b": "session of work; project",
    r"\bspotters?\b": "detection",
}
"""Phrases by what to write instead."""

IN_CODE = BANNED | {
    r"\b(users?|people|somebody|nobody|who|they) (else )?ask(s|ed)? (it|each|a|the|one|of)\b": (
        "issued"
    ),
    r"\b(asks?|asked) (many |common |all of )?quer(y|ies)\b": "issued",
    r"\bleast noisy counts?\b": "release threshold",
}
"""The same for docstrings and comments, where queries were asked in earlier versions."""


NOT_NOUNS = {
    "asked", "counted", "found", "given", "held", "here", "made", "meant", "one", "said", "seen",
    "shown", "told", "wanted", "worth",
    "anybody", "anything", "back", "bare", "each", "early", "enough", "every", "everything", "late",
    "many", "much", "needed", "nobody", "ones", "ours", "quiet", "several", "some", "somebody",
    "something", "such", "theirs", "twice", "under",
}  # fmt: skip
"""What no variable is called: a name says what a value is, not what was done with it."""


@functools.cache
def translations() -> ModuleType:
    """The command that extracts every string that the window can show."""
    path = ROOT / "packaging" / "translations.py"
    spec = present(importlib.util.spec_from_file_location("translations", path))
    module = importlib.util.module_from_spec(spec)
    sys.modules["translations"] = module
    present(spec.loader).exec_module(module)
    module.__dict__["extract"] = functools.cache(module.__dict__["extract"])
    return module


def find_banned(text: str, phrases: dict[str, str] = BANNED) -> list[str]:
    """The banned phrases in a text, each with what to write."""
    return [
        f"{match[0]!r}: {instead}"
        for phrase, instead in phrases.items()
        for match in re.finditer(phrase, text, re.IGNORECASE)
    ]


def test_that_the_lists_find_what_they_ban() -> None:
    assert find_banned("Words come back from their hashes.") != []
    assert find_banned("A user and their queries; others, here and there.") == []
    assert find_banned("Users who asked it, and the queries they had.", IN_CODE) != []
    assert find_banned("Somebody asked to stop; options that were asked for.", IN_CODE) == []


def test_that_no_string_of_the_screens_and_no_document_uses_a_banned_phrase() -> None:
    catalogue = translations().read(ROOT / "resources" / "translations" / "auditor_de.ts")
    texts = {source: source for _, source in catalogue}
    for path in [*(ROOT / "resources" / "docs").glob("*.md"), ROOT / "README.md"]:
        texts[path.name] = path.read_text(encoding="utf-8")
    assert {name: find_banned(text) for name, text in texts.items() if find_banned(text)} == {}


def list_remarks(path: Path) -> list[tuple[int, str]]:
    """Comments and docstrings of a module, each with its line."""
    with path.open("rb") as file:
        return [
            (token.start[0], token.string)
            for token in tokenize.tokenize(file.readline)
            if token.type == tokenize.COMMENT
            or (token.type == tokenize.STRING and token.string.startswith('"""'))
        ]


def test_that_no_docstring_or_comment_uses_a_banned_phrase() -> None:
    paths = sorted((ROOT / "auditor").rglob("*.py"))
    offenders = {
        f"{path.relative_to(ROOT)}:{line}": banned
        for path in paths
        if find_banned(path.read_text(encoding="utf-8"), IN_CODE)  # else no remark has any
        for line, text in list_remarks(path)
        if (banned := find_banned(text, IN_CODE))
    }
    assert len(paths) > 100
    assert offenders == {}


def list_variables(path: Path) -> Iterator[tuple[int, str]]:
    """Variables and parameters that a module binds, each with its line."""
    for node in nodes_of(path):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.id
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg


def test_that_variables_are_nouns() -> None:
    offenders = [
        f"{path.relative_to(ROOT)}:{line} {name}"
        for path in sorted((ROOT / "auditor").rglob("*.py"))
        for line, name in list_variables(path)
        if name in NOT_NOUNS
    ]
    assert offenders == []
