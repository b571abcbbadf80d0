"""What no part of the program does, read off its source and watched while it runs."""

import ast
import json
import stat
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.programs import run_python
from tests.sources import PACKAGE, nodes_of
from tests.tables.usage import log as write_log

SOURCES = sorted(PACKAGE.rglob("*.py"))
CODE_LOADING = {"pickle", "cPickle", "dill", "cloudpickle", "marshal", "shelve", "joblib", "runpy"}
NETWORK = {"socket", "ssl", "urllib", "http", "ftplib", "smtplib", "requests", "httpx", "aiohttp"}
PROCESSES = {"subprocess", "pty"}
SPARK = ("engine", "backends", "spark")
EXCEPTIONS = {
    "platform/posix.py": {"socket"},  # asks whether this machine's display answers
    "engine/warm_up.py": {"subprocess"},  # this program once more, to compile kernels
}
HARMFUL_CALLS = {
    *("eval", "exec", "compile", "__import__"),
    *("os.system", "os.popen", "tempfile.mktemp", "yaml.load"),
}


def imported(nodes: Iterable[ast.AST]) -> set[str]:
    modules = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            modules |= {alias.name.split(".")[0] for alias in node.names}
        elif (
            isinstance(node, ast.ImportFrom)
            and node.module not in (None, "urllib.parse")  # that one takes addresses apart
            and not node.level
        ):
            modules.add(str(node.module).split(".")[0])
    return modules


def called(nodes: Iterable[ast.AST]) -> set[str]:
    """What is called by a name or by a module's name and its own."""
    names = {ast.unparse(node.func) for node in nodes if isinstance(node, ast.Call)}
    return {name for name in names if name.count(".") < 2}


def test_that_no_module_loads_code_opens_a_connection_or_starts_a_program() -> None:
    offenders = {}
    for path in SOURCES:
        place = path.relative_to(PACKAGE)
        names = imported(nodes_of(path))
        harmful = names & CODE_LOADING | called(nodes_of(path)) & HARMFUL_CALLS
        if place.parts[:3] != SPARK:
            harmful |= names & (NETWORK | PROCESSES) ^ EXCEPTIONS.get(place.as_posix(), set())
        if harmful:
            offenders[place.as_posix()] = harmful
    assert len(SOURCES) > 100
    assert offenders == {}


def test_that_the_only_socket_is_the_displays_and_the_only_program_started_is_this_one() -> None:
    display = (PACKAGE / "platform" / "posix.py").read_text(encoding="utf-8")
    assert display.count("socket.socket(") == display.count("socket.socket(socket.AF_UNIX)") == 1
    assert "create_connection" not in display
    start = (PACKAGE / "engine" / "warm_up.py").read_text(encoding="utf-8")
    assert start.count("subprocess.Popen(") == 1
    assert "sys.executable" in start


def test_that_arrays_are_read_without_objects_and_programs_without_a_shell() -> None:
    offenders = [
        f"{path.relative_to(PACKAGE)}:{node.lineno} {keyword.arg}"
        for path in SOURCES
        for node in nodes_of(path)
        if isinstance(node, ast.Call)
        for keyword in node.keywords
        if keyword.arg in {"allow_pickle", "shell"} and getattr(keyword.value, "value", True)
    ]
    assert offenders == []


@pytest.mark.parametrize(
    ("source", "module"),
    [
        ("from pickle import loads", "pickle"),
        ("import urllib.request as web", "urllib"),
        ("def f():\n    import socket", "socket"),
        ("from . import marshal", None),
    ],
)
def test_that_an_import_is_seen_wherever_it_stands(source: str, module: str | None) -> None:
    assert (module in imported(ast.walk(ast.parse(source)))) is (module is not None)
    assert called(ast.walk(ast.parse("os.system('x'); eval('1')"))) == {"os.system", "eval"}


WATCHED = """
import json, sys
seen = []
def watch(event, arguments):
    if event in {"socket.connect", "socket.bind", "subprocess.Popen", "os.system", "os.exec",
                 "os.posix_spawn", "pickle.find_class", "urllib.Request"}:
        seen.append([event, str(arguments[0])[:100]])
sys.addaudithook(watch)
from auditor.__main__ import main
try:
    code = main(sys.argv[2:])
except SystemExit as ended:
    code = ended.code
open(sys.argv[1], "w").write(json.dumps([code, seen]))
"""
CACHED_WITH = {
    *("numba", "llvmlite", "numpy", "builtins", "collections", "copyreg", "functools"),
    "auditor",  # named tuples that kernels take
}
"""Whose classes compiled kernels are stored with, in a cache that only its owner may write."""


def watched(folder: Path, *arguments: str) -> list[list[str]]:
    """What happened in a run of the command line that a program from outside could do harm by."""
    output = folder / "told.json"
    done = run_python("-c", WATCHED, output, *arguments)
    code, events = json.loads(output.read_text())
    assert not code, done.stderr
    result: list[list[str]] = events
    return result


def test_that_a_run_neither_connects_nor_starts_anything_nor_loads_foreign_code(
    tmp_path: Path,
) -> None:
    out = tmp_path / "out"
    words = ("anonymize", str(write_log(tmp_path)), "--method", "safelog", "--out", str(out))
    events = watched(tmp_path, *words)
    harmful = [event for event in events if event[0] != "pickle.find_class"]
    assert harmful == []
    classes = {event[1].split(".")[0] for event in events if event[0] == "pickle.find_class"}
    assert classes <= CACHED_WITH
    for path in out.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0
