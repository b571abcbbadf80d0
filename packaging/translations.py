"""Bring the catalogues of translations up to date with the source, and compile them.

Run from the root of the source tree, with PySide6 installed::

    python packaging/translations.py            # auditor_*.ts and auditor_*.qm anew
    python packaging/translations.py --check    # say what is missing; exit code 1 if anything is

Translations that still have their source stay, new strings come in as unfinished, and what the
source no longer says goes. Edit ``resources/translations/auditor_de.ts`` by hand or with Qt
Linguist, then run this again.

The window's words are those given to ``tr``. The engine's are the templates given to ``phrase`` and
``as_phrase`` (see `auditor.messages`), those in ``resources/sentences``, and the literals in its
modules that stand where words are shown; a place of a template is called by its argument,
``{users}``, in every language.
"""

from __future__ import annotations

import argparse
import ast
import functools
import itertools
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from auditor.messages import bare_template  # noqa: E402

FOLDER = ROOT / "resources" / "translations"
PACKAGE = ROOT / "auditor"

WINDOW, ENGINE, COUNTED = "Window", "Engine", "Counted"
ENGINE_PARTS = (
    "attacks",
    "engine",
    "log",
    "measures",
    "methods",
    "privacy",
    "project",
    "release",
    "suggestions",
)
ENGINE_MODULES = ("bounded_files", "errors", "figures", "params", "cli/ledger", "cli/memory_budget")
SILENT = (
    "attacks/detection/evidence_index.py",
    "attacks/detection/identifiers.py",
    "attacks/detection/rules.py",
    "attacks/detection/validation",
    "engine/backends/spark",
    "engine/notebook_export.py",
    "log/gazetteers.py",
    "log/kernel_cache.py",
    "log/synthetic",
    "methods/faults.py",
    "methods/noisy_counts/tables.py",
    "release/atomic_write.py",
    "log/escaping.py",
    "release/loading.py",
    "release/recheck.py",
    "release/report",
    "release/tables.py",
)
"""Files and folders of the engine that say nothing in the window; kernels don't either."""
SPEAKING_IN_REPORT = ("release/report/comparison.py",)
SPOKEN = {
    "Assumption": ("name", "text", "status", "evidence"),
    "Axis": ("label", "unit"),
    "Attack": (),
    "Figure": ("", "title"),
    "Gate": ("", "title"),
    "EntityKind": ("label",),
    "ParamKind": ("label",),
    "PlotMark": ("", "", "label"),
    "Measure": (),
    "Method": (),
    "ParamOption": ("", "label", "help"),
    "RiskReason": ("", "label"),
    "Series": ("name",),
    "ParameterSolver": ("", "", "label"),
    "SettingFamily": ("name",),
    "Statement": ("",),
    "Table": ("", "title", "columns"),
    "Term": ("name",),
    "MetricValue": ("", "label", "", "unit", "help"),
    "PlotZone": ("", "", "", "label"),
    "blocks": ("stage",),
    "stage": ("stage",),
    "whole_blocks": ("stage",),
}
"""Calls whose arguments are words, by place; an empty name is an argument that is none."""
TEXT_KEYWORDS = {
    "because", "categories", "claim", "columns", "cost", "ends", "evidence", "explain", "formula",
    "heading", "help", "label", "neighbours", "note", "notes", "optional", "summary", "text",
    "tight_note", "title", "unit", "what", "why",
}  # fmt: skip
"""Keyword arguments that are words, whatever is called."""


@dataclass(frozen=True, order=True)
class Message:
    """One string to translate, and where it stands in the source first."""

    context: str
    source: str
    plural: bool = False
    where: str = ""


def modules(*folders: Path) -> Iterator[Path]:
    for folder in folders:
        yield from sorted(folder.rglob("*.py"))


def speaks(file: Path) -> bool:
    """Whether a module of the engine has words that the window shows."""
    place = file.relative_to(ROOT / "auditor").as_posix()
    silent = any(place == prefix or place.startswith(prefix + "/") for prefix in SILENT)
    return not file.stem.endswith("kernels") and (not silent or place in SPEAKING_IN_REPORT)


def parents_of(tree: ast.AST) -> dict[ast.AST, ast.AST]:
    """The parent of every node but the root, in the order of `ast.walk`."""
    parents: dict[ast.AST, ast.AST] = {}
    nodes = [tree]
    for node in nodes:
        children = list(ast.iter_child_nodes(node))
        parents.update(dict.fromkeys(children, node))
        nodes += children
    return parents


def called(node: ast.Call) -> str:
    """The last name of what is called."""
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, ast.Name) else ""


def text_of(node: ast.AST) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


# --- the window's words -------------------------------------------------------------------------


def window_messages(file: Path, parents: dict[ast.AST, ast.AST]) -> Iterator[Message]:
    """What a module of the window has translated."""
    contexts = own_contexts(parents)
    for node in parents:
        if not isinstance(node, ast.Call) or not node.args:
            continue
        name, where = called(node), f"{file.relative_to(ROOT).as_posix()}"
        texts = [text_of(argument) for argument in node.args]
        if name == "format_plural" and isinstance(texts[1] if len(texts) > 1 else None, str):
            many = texts[2] if len(texts) > 2 else f"{texts[1]}s"
            yield Message(COUNTED, str(many), True, where)
        elif name == "mark_for_translation" and texts[0] is not None:
            yield Message(WINDOW, texts[0], False, where)
            yield Message(ENGINE, texts[0], False, where)
        elif (name == "translate" or len(texts) > 1) and isinstance(texts[0], str):
            if name in ("translate", "tr", "_tr") and len(texts) > 1 and texts[1] is not None:
                yield Message(texts[0], texts[1], False, where)
            elif name in ("tr", "_tr"):
                yield Message(context_of(node, parents, contexts), texts[0], False, where)
        elif name in ("tr", "_tr") and texts[0] is not None:
            yield Message(context_of(node, parents, contexts), texts[0], False, where)


def own_contexts(nodes: Iterable[ast.AST]) -> dict[str, str]:
    """Functions of a module that translate in a context of their own: name → context."""
    contexts = {}
    for node in nodes:
        if isinstance(node, ast.FunctionDef) and node.name in ("tr", "_tr"):
            for call in ast.walk(node):
                if isinstance(call, ast.Call) and called(call) == "translate":
                    context = text_of(call.args[0])
                    contexts[node.name] = context or WINDOW
    return contexts


def context_of(node: ast.Call, parents: dict[ast.AST, ast.AST], contexts: dict[str, str]) -> str:
    """Qt's context of a call of ``tr``: the class of ``self``, or else the window's own."""
    if isinstance(node.func, ast.Name):
        return contexts.get(node.func.id, WINDOW)
    up: ast.AST = node
    while up in parents:
        up = parents[up]
        if isinstance(up, ast.ClassDef):
            return up.name
    return WINDOW


# --- the engine's words ---------------------------------------------------------------------------


def engine_files() -> Iterator[Path]:
    for part in ENGINE_PARTS:
        for file in modules(PACKAGE / part):
            if speaks(file):
                yield file
    for name in ENGINE_MODULES:
        if (PACKAGE / f"{name}.py").exists():
            yield PACKAGE / f"{name}.py"


def engine_messages(file: Path, parents: dict[ast.AST, ast.AST]) -> Iterator[Message]:
    """What a module of the engine says: sentences, and the words that it gives names to."""
    unsaid = silent(parents)
    where = file.relative_to(ROOT).as_posix()
    for node in parents:
        if node in unsaid or isinstance(parents.get(node), ast.JoinedStr | ast.FormattedValue):
            continue
        text = text_of(node) or ""
        if re.search(r"[^\W\d_]", text) and (prose(text) or spoken(node, parents)):
            yield Message(ENGINE, text, False, where)


def catalogue_messages(file: Path) -> Iterator[Message]:
    """The words of a catalogue of features: of metrics, tables, plots, and in notes."""
    where = file.relative_to(ROOT).as_posix()
    for words in tomllib.loads(file.read_text("utf-8")).values():
        for text in catalogue_texts(words):
            if re.search(r"[^\W\d_]", text):
                yield Message(ENGINE, bare_template(text), False, where)


def catalogue_texts(words: Mapping[str, Any], *, every: bool = False) -> Iterator[str]:
    """The texts of a part of a catalogue: those of known keys, or all of them."""
    for key, value in words.items():
        if isinstance(value, dict):
            yield from catalogue_texts(value, every=key == "notes")
        elif isinstance(value, list):
            yield from value if key == "columns" else ()
        elif every or key in (
            "label",
            "unit",
            "counts",
            "help",
            "title",
            "note",
            "doubt",
            "source",
        ):
            yield from [value] if isinstance(value, str) else ()


def parameter_messages(file: Path) -> Iterator[Message]:
    """The words of parameters and of their options."""
    where = file.relative_to(ROOT).as_posix()
    for words in tomllib.loads(file.read_text("utf-8")).values():
        for part in (words, *words.get("options", ())):
            texts = [part.get(key, "") for key in ("label", "help", "unit", "optional")]
            for text in (*texts, *part.get("ends", ())):
                if re.search(r"[^\W\d_]", text):
                    yield Message(ENGINE, text, False, where)


def sentence_messages(file: Path) -> Iterator[Message]:
    """The templates of a file of sentences."""
    where = file.relative_to(ROOT).as_posix()
    for templates in tomllib.loads(file.read_text("utf-8")).values():
        for template in templates.values():
            if re.search(r"[^\W\d_]{2}", re.sub(r"\{\w+\}", "", bare_template(template))):
                yield Message(ENGINE, bare_template(template), False, where)


def tour_messages() -> Iterator[Message]:
    """What the steps of the guided tour say."""
    file = ROOT / "resources" / "tour.toml"
    for step in tomllib.loads(file.read_text("utf-8")).values():
        for part in ("title", "text", "button"):
            yield Message("Tour", step[part], False, file.relative_to(ROOT).as_posix())


def listed_messages() -> Iterator[Message]:
    """The window's words that are lists or tables: all but names of files and of pages."""
    file = ROOT / "resources" / "window.toml"
    for table in tomllib.loads(file.read_text("utf-8")).values():
        for words in table.values():
            if isinstance(words, dict):
                words = [words["title"], words.get("question", "")]
            for text in [words] if isinstance(words, str) else words:
                if re.search(r"[^\W\d_]{2}", text):  # a form of times has none
                    yield Message(WINDOW, text, False, file.relative_to(ROOT).as_posix())


PHRASES = ("phrase", "as_phrase")
STAGES = ("blocks", "stage", "whole_blocks")


def phrases(file: Path, nodes: Iterable[ast.AST]) -> Iterator[Message]:
    """The templates that a module gives to `phrase`, without their formats, and its stages."""
    calls = PHRASES if {"gui", "spark"} & {*file.parts} else PHRASES + STAGES
    for node in nodes:
        if isinstance(node, ast.Call) and called(node) in calls and node.args:
            for text in literals(node.args[0]):
                if re.search(r"[^\W\d_]{2}|“", re.sub(r"\{\w+\}", "", bare_template(text))):
                    where = file.relative_to(ROOT).as_posix()
                    yield Message(ENGINE, bare_template(text), False, where)


def literals(node: ast.expr) -> Iterator[str]:
    """The literals that an expression may come to."""
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp():
            yield from literals(node.body)
            yield from literals(node.orelse)
        case ast.BoolOp():
            for part in node.values:
                yield from literals(part)
        case ast.Tuple() | ast.List():
            for part in node.elts:
                yield from literals(part)
        case ast.Dict():
            for part in node.values:
                yield from literals(part)


def unmarked_sentences(tree: ast.AST) -> Iterator[ast.JoinedStr]:
    """Sentences with figures in them that nobody gave to `phrase`."""
    parents = parents_of(tree)
    unsaid = silent(parents)
    for node in parents:
        if isinstance(node, ast.JoinedStr) and node not in unsaid:
            inside = isinstance(parents.get(node), ast.JoinedStr | ast.FormattedValue)
            if not inside and prose(shape_of(node)):
                yield node


def shape_of(node: ast.JoinedStr) -> str:
    """The text of an f-string, with a mark for each of its places."""
    return "".join(text_of(part) or "{x}" for part in node.values)


def silent(nodes: Iterable[ast.AST]) -> set[ast.AST]:
    """Docstrings, types, keys, comparisons, code, and what is only logged or printed."""
    unsaid_nodes: set[ast.AST] = set()
    for node in nodes:
        match node:
            case ast.Expr(value=ast.Constant()):
                unsaid: ast.AST | None = node.value
            case ast.AnnAssign() | ast.arg():
                unsaid = node.annotation
            case ast.FunctionDef(name="as_python"):
                unsaid = node
            case ast.FunctionDef():
                unsaid = node.returns
            case ast.ClassDef() if any("ShortRepr" in ast.unparse(base) for base in node.bases):
                short = (part for part in node.body if getattr(part, "name", "") == "describe")
                unsaid = next(short, None)
            case ast.Subscript(slice=ast.JoinedStr()):
                unsaid = node.slice
            case ast.Assert():
                unsaid = node.msg
            case ast.Compare():
                unsaid = node
            case ast.Call() if called(node) in UNSAID:
                unsaid = node
            case ast.Call() if called(node) in PHRASES and node.args:
                unsaid = node.args[0]
            case _:
                continue
        if unsaid is not None and unsaid not in unsaid_nodes:
            unsaid_nodes.update(ast.walk(unsaid))
    return unsaid_nodes


UNSAID = {
    "compile", "debug", "encode", "Literal", "warning", "TypeVar", "startswith", "endswith",
    "split", "removeprefix", "fullmatch", "match", "search", "sub", "strftime", "cast",
    "RuntimeError", "AssertionError", "TypeError", "exec", "filterwarnings", "KeyError",
    "getLogger", "frombuffer", "dtype", "einsum", "import_module", "njit", "join", "strip",
}  # fmt: skip


def prose(text: str) -> bool:
    """Whether it reads as words: something with blanks between letters."""
    bare = re.sub(r"\{\w+\}", "0", text)
    if re.match(r"\s*(BEGIN|CREATE|INSERT|PRAGMA|SELECT) ", text):
        return False
    return bool(
        re.search(r"[^\W\d_]{2}", bare)
        and (re.search(r"\w[\w.,:;)%”’']* [\w(“=≥≤<>ε]", bare) or re.search(r"[a-z]{3}[.…]$", bare))
        and not re.fullmatch(r"[<>]?[\w./:-]+", text)
        and not re.match(r"\s*<", text)
    )


def spoken(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> bool:
    """Whether a word stands where words are shown."""
    child, up = node, parents.get(node)
    while isinstance(up, ast.Tuple | ast.List | ast.IfExp | ast.Dict | ast.Starred):
        if isinstance(up, ast.Dict) and child in up.keys:
            return False
        child, up = up, parents.get(up)
    if isinstance(up, ast.keyword):
        return up.arg in TEXT_KEYWORDS
    if isinstance(up, ast.Call):
        places = SPOKEN.get(called(up), ())
        index = up.args.index(child) if child in up.args else -1
        return 0 <= index < len(places) and bool(places[index])
    return False


PASSED = (
    "assumptions",
    "success rate of the attack",
    "share that the attack gets right",
    "success rate on people who are not in the log",
    "how far the attack's success is above guessing",
    "releases",
    "share",
    "It says nothing about the words of a query, only about how often each interest occurs.",
    "Lower that threshold or the noise that it follows from, accept a larger δ, or open a log of more users.",  # noqa: E501
    "Ids are those of the log.",
    "Ids were changed; equal rows tell whose record is whose.",
    "own name the weightiest of a bundle",
    "own name the weightiest of a session",
    "bundle the weightiest for a name",
    "session the weightiest for a name",
    "threshold of last round",
    "epsilon of one user more",
    "The logs are invented, so the audit looks at nobody and spends no ε; their noise is seeded and has the law of a release's.",  # noqa: E501
    "A bound from below is about what was tried: the truth may lie higher, and silence proves nothing.",  # noqa: E501
    "The logs are invented, so the audit looks at nobody and spends no ε; their noise is drawn as a release's is.",  # noqa: E501
    "Attacks", "Claim", "Failed", "Measures", "Verdict", "accuracy", "all", "any", "bundle",
    "bundles", "bundles 100", "clicks", "closest", "cluster", "company", "differential privacy",
    "blocked search: percent lost at most", "distance within groups", "distinct queries", "events",
    "failed", "failing users", "fails", "fewer", "group", "holds", "ids", "k-anonymity",
    "largest distance", "least count", "log, held-out users", "lonely pages", "mean queries",
    "mean queries 100", "mean users", "mean users 100", "min", "more", "name", "passed", "place",
    "places", "precision", "printed delta", "pseudonymity", "queries", "queries of one user",
    "query clusters", "recall", "release", "release, held-out users", "rows", "session", "site",
    "smallest class", "tables", "users", "wide clusters", "words",
)  # fmt: skip
"""Words that reach the window by way of a variable: names of columns, series and units."""
# --- catalogues -----------------------------------------------------------------------------------


def policy_texts() -> Iterator[str]:
    """What policies that come with the program say of themselves and their gates, and presets."""
    for file in sorted((ROOT / "resources" / "policies").glob("*.toml")):
        policy = tomllib.loads(file.read_text("utf-8"))
        for part in (policy, *policy.get("gate", ())):
            yield from (part[key] for key in ("note", "title", "why") if part.get(key))
    for file in sorted((ROOT / "resources" / "presets").glob("*.toml")):
        about = tomllib.loads(file.read_text("utf-8"))["about"]
        yield from (about["title"], *about.get("unknown", ()))


@functools.cache
def extract() -> dict[tuple[str, str], Message]:
    """Every string of the program, by context and source."""
    messages: dict[tuple[str, str], Message] = {}
    window: list[Message] = []
    engine: dict[Path, list[Message]] = {file: [] for file in engine_files()}
    templates: list[Message] = []
    for file in modules(PACKAGE):
        parents = parents_of(ast.parse(file.read_text("utf-8")))
        if PACKAGE / "gui" in file.parents:
            window += window_messages(file, parents)
        if file in engine:
            engine[file] += engine_messages(file, parents)
        templates += phrases(file, parents)
    for message in itertools.chain(window, *engine.values(), templates):
        messages.setdefault((message.context, message.source), message)
    for folder, read_messages in (
        ("metrics", catalogue_messages),
        ("parameters", parameter_messages),
        ("sentences", sentence_messages),
    ):
        for file in sorted((ROOT / "resources" / folder).glob("*.toml")):
            for message in read_messages(file):
                messages.setdefault((message.context, message.source), message)
    catalogues = [ROOT / "resources" / f"{name}.toml" for name in ("adversaries", "formats")]
    for message in itertools.chain(
        tour_messages(), listed_messages(), *map(catalogue_messages, catalogues)
    ):
        messages.setdefault((message.context, message.source), message)
    for text in policy_texts():
        messages.setdefault((ENGINE, text), Message(ENGINE, text, False, "resources/policies"))
    for text in PASSED:
        messages.setdefault((ENGINE, text), Message(ENGINE, text, False, "auditor"))
    return messages


def read(file: Path) -> dict[tuple[str, str], list[str]]:
    """The finished translations of a catalogue: one text, or one for each form of plural."""
    catalogue = {}
    root = ElementTree.parse(file).getroot()  # noqa: S314  (our own files)
    for context in root.iter("context"):
        for message in context.iter("message"):
            translation = message.find("translation")
            if translation is None or translation.get("type") is not None:
                continue
            forms = [form.text or "" for form in translation.iter("numerusform")]
            key = (context.findtext("name", ""), message.findtext("source", ""))
            texts = forms or [translation.text or ""]
            # blanks alone stand between forms that a text without plural no longer has
            catalogue[key] = [text if text.strip() else "" for text in texts]
    return catalogue


def write(file: Path, language: str, catalogue: dict[tuple[str, str], list[str]]) -> None:
    """A catalogue of all strings, sorted, with the translations that are known."""
    root = ElementTree.Element("TS", version="2.1", language=language, sourcelanguage="en")
    contexts: dict[str, ElementTree.Element] = {}
    for key, message in sorted(extract().items()):
        if message.context not in contexts:
            contexts[message.context] = ElementTree.SubElement(root, "context")
            ElementTree.SubElement(contexts[message.context], "name").text = message.context
        entry = ElementTree.SubElement(contexts[message.context], "message")
        ElementTree.SubElement(entry, "location", filename=f"../../{message.where}")
        ElementTree.SubElement(entry, "source").text = message.source
        translation = ElementTree.SubElement(entry, "translation")
        forms = catalogue.get(key)
        if forms is None or not all(forms):
            translation.set("type", "unfinished")
        elif not message.plural:
            translation.text = forms[0]
        if message.plural:
            entry.set("numerus", "yes")
            for text in forms or ["", ""]:
                ElementTree.SubElement(translation, "numerusform").text = text
    ElementTree.indent(root)
    body = ElementTree.tostring(root, encoding="unicode")
    file.write_text(
        f'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n{body}\n', encoding="utf-8"
    )


def release(file: Path) -> None:
    """Compile a catalogue into what Qt loads."""
    subprocess.run(
        ["pyside6-lrelease", "-silent", "-nounfinished", "-removeidentical", "-compress",
         str(file), "-qm", str(file.with_suffix(".qm"))],
        check=True,
    )  # fmt: skip


def missing(file: Path) -> list[tuple[str, str]]:
    """The strings that a catalogue has no finished translation of, in both forms of a plural."""
    catalogue = read(file)
    return [
        key
        for key, message in extract().items()
        if not all(forms := catalogue.get(key, [""])) or len(forms) != 1 + message.plural
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="change nothing, say what is missing")
    check = parser.parse_args().check
    lacking = 0
    for file in sorted(FOLDER.glob("auditor_*.ts")):
        if check:
            for context, source in missing(file):
                sys.stdout.write(f"{file.name}: {context}: {source}\n")
                lacking += 1
            continue
        write(file, file.stem.partition("_")[2], read(file))
        release(file)
    return 1 if lacking else 0


if __name__ == "__main__":
    sys.exit(main())
