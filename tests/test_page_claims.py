"""What the pages of the guide say that can be looked up in the program: commands, limits, names.

A sentence with a limit is built here from the program's own limit, so that neither changes alone.
What a page says of how the program acts is held by the test that the page names beside it.
"""

import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from auditor import bounded_files, errors
from auditor.attacks.registry import ATTACKS
from auditor.cli import parser
from auditor.cli.arguments import checks_of, sort_pairs
from auditor.engine.sweep import MOST_CELLS, SweepAxis
from auditor.log.reading import column_mapping, column_names, decompression, sources
from auditor.measures.registry import MEASURES
from auditor.methods.registry import METHODS
from auditor.params import Params
from auditor.project import file as project_file
from auditor.release.ledger import history
from auditor.resource_files import resource_path

ROOT = Path(__file__).parent.parent
DOCS = resource_path("docs")
PAGES = {path.stem: path.read_text(encoding="utf-8") for path in sorted(DOCS.glob("*.md"))}
PAGES["README"] = (ROOT / "README.md").read_text(encoding="utf-8")
MB, GB = 2**20, 2**30


def commands(text: str) -> Iterator[str]:
    """The calls of the program in the indented lines of a page, without what the shell does."""
    lines = re.sub(r"\\\n\s*", " ", text).splitlines()
    for line in lines:
        if re.match(r"(    |\t)auditor [a-z]", line):
            yield re.split(r"   +| [|<>#] ", line.strip())[0]


CALLS = [
    (page, call)
    for page, text in PAGES.items()
    # of a method and of an attack that the reader makes
    if page != "adding-a-method"
    for call in commands(text)
]


@pytest.mark.parametrize(("page", "call"), CALLS)
def test_that_every_command_of_a_page_is_one(page: str, call: str) -> None:
    words = shlex.split(call)[1:]
    arguments = parser.parse_arguments(words)
    sort_pairs(arguments)
    about: type[Params] | None = None
    if name := getattr(arguments, "method", None):
        about = METHODS[name].params
    elif arguments.verb in ("attack", "measure"):
        registry = ATTACKS if arguments.verb == "attack" else MEASURES
        about = registry[getattr(arguments, arguments.verb)].params
    for pair in getattr(arguments, "param", None) or ():
        name, _, value = pair.partition("=")
        if about is not None:
            about.spec(name).parse(value, about.owner)
    checks_of(getattr(arguments, "set", None) or ())
    for axis in getattr(arguments, "grid", None) or ():
        assert about is not None
        SweepAxis.parse(about, axis)


def test_that_there_are_commands_and_a_wrong_one_would_be_found() -> None:
    assert len(CALLS) > 40
    with pytest.raises(SystemExit):
        parser.parse_arguments(shlex.split("anonymize LOG --metod safelog --out RELEASE"))


OPTIONS = sorted({
    (page, option)
    for page in ("command-line", "releasing", "security", "reading-logs")
    for option in re.findall(r"`(--[a-z-]+)", PAGES[page])
})  # fmt: skip


def test_that_every_option_of_a_page_is_one() -> None:
    table = resource_path("command_line.toml").read_text("utf-8") + '"--help" "--version"'
    assert [each for each in OPTIONS if f'"{each[1].replace("--no-", "--")}"' not in table] == []


OPTIONS_OF_READING = column_mapping.ReadOptions()
LIMITS = {
    "reading-logs": (
        f"expands more than {OPTIONS_OF_READING.max_expansion_ratio:g} times "
        f"(beyond {column_mapping.RATIO_GRACE // MB} MB) "
        f"or to more than {(OPTIONS_OF_READING.max_expanded_bytes or 0) // GB} GB",
        f"a zip archive of more than {sources.MOST_MEMBERS:,} members",
        f"one of more than {decompression.MOST_EMPTY:,} empty parts",
    ),
    "releasing": (
        f"{history.SIZE:,} keyed hashes of events",
        f"`version` ({project_file.VERSION})",
        f'`format` ("{project_file.FORMAT}")',
        f"`NAME{project_file.SUFFIX}`",
        f"larger than {project_file.LARGEST_PART // MB} MB a part or "
        f"{project_file.LARGEST_WHOLE // MB} MB in all unpacked",
        f"beyond {project_file.SMALL // MB} MB, than {project_file.DENSEST} times the file",
        f"is nested deeper than {bounded_files.DEEPEST}",
        f"A file of more than {project_file.LARGEST // MB} MB",
    ),
    "security": (f"up to a depth of {bounded_files.DEEPEST}, a million lists and objects",),
    "command-line": (f"A grid has at most {MOST_CELLS:,} settings",),
}


@pytest.mark.parametrize("page", LIMITS)
def test_that_a_page_says_the_limits_that_hold(page: str) -> None:
    plain = " ".join(PAGES[page].split())
    for sentence in LIMITS[page]:
        assert sentence in plain


def test_that_shared_events_are_found_as_often_as_the_page_says() -> None:
    """Each hash is of the larger log with a chance that is the share of it."""
    assert 1 - (1 - 0.01) ** history.SIZE > 0.9999
    assert f"{1 - (1 - 0.001) ** history.SIZE:.0%}" == "64%"
    assert "more than 99.99 %, one of 0.1 % with 64 %" in " ".join(PAGES["releasing"].split())


def test_that_exit_codes_are_those_of_the_page() -> None:
    codes = dict(re.findall(r"^\| (\d+) \| ([^|]+) \|$", PAGES["command-line"], re.MULTILINE))
    assert set(codes) == {"0", "1", "2", "130"}
    assert errors.AuditorError.exit_code == 2
    assert errors.ExportRefused.exit_code == 1
    assert "approval was refused" in codes["1"]
    assert errors.PlaceRefused.exit_code == 2
    assert "a place that may not be written to" in codes["2"]
    assert errors.Cancelled.exit_code == 130
    assert codes["130"].strip() == "cancelled"


def test_that_versions_with_a_known_weakness_are_not_accepted() -> None:
    """The page's least versions are those that the program asks for."""
    plain = " ".join(PAGES["security"].split())
    accepted = plain.partition("are not accepted: ")[2]
    least = {name.lower(): low for name, low in re.findall(r"(\w+) below (\d[\d.]*\d)", accepted)}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    required = {
        name.lower(): low
        for name, low in re.findall(
            r"([\w-]+)>=([\d.]+)", "\n".join(project["project"]["dependencies"])
        )
    }
    required["qt"] = required["pyside6-essentials"]
    assert least.keys() == {"cryptography", "pyarrow", "jinja2", "qt"}
    assert {name: required[name] for name in least} == least


def test_that_names_which_plainly_are_a_users_are_taken_as_one() -> None:
    match = re.search(r"plainly\s+says\s+so\s+\(([^)]*)\)", PAGES["reading-logs"])
    assert match is not None
    names = [name.replace("_", "").lower() for name in re.findall(r"`(\w+)`", match[1])]
    assert len(names) == 5
    assert set(names) <= set(column_names.NAMES["user"])


OUTSIDE = {
    "cli/arguments.py": "writes",
    "engine/backends/spark/run_context.py": "writes",
    "engine/backends/spark/session.py": "the configuration of the Spark that is installed",
    "gui/help/view.py": "the program's pages and pictures",
    "log/gazetteers.py": "the program's word lists",
    "log/kernel_cache.py": "the program's own source",
    "log/sentences.py": "the program's sentences",
    "log/writing.py": "writes",
    "platform/posix.py": "what the system says of memory",
    "resource_files.py": "the program's resources",
    "release/distributed_export.py": "parts that Spark has just written",
    "release/export.py": "evidence that it wrote before",
}
"""Modules that open files in another way, and which."""


def test_that_small_files_from_outside_go_through_one_reader() -> None:
    patterns = (r"\.read_text\((?:enc|\"utf)", r"\.read_bytes\(\)", r"\.open\(\"[rwxab]")
    opens = re.compile("|".join((*patterns, r"(?<!def )(?<![\w.])open\(")))
    files = {
        str(path.relative_to(ROOT / "auditor"))
        for path in (ROOT / "auditor").rglob("*.py")
        if opens.search(path.read_text(encoding="utf-8"))
    }
    assert files - {"platform/windows.py"} == set(OUTSIDE)
