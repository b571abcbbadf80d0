"""Methods, attacks and measures of other packages, registered by entry points."""

import importlib.metadata
import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from auditor.measures.base import Measure
from auditor.registry import Registry
from auditor.resource_files import resource_path
from tests.programs import run_code, run_python

ROOT = Path(__file__).parent.parent
GUIDE = (resource_path("docs") / "adding-a-method.md").read_text(encoding="utf-8")
(METHOD_FILE, _, MODEL_FILE), (ENTRY, MODEL_ENTRY) = (
    re.findall(rf"```{language}\n(.*?)```", GUIDE, re.DOTALL) for language in ("python", "toml")
)

ATTACK_FILE = '''
"""Row share: how many of the rows were released."""

from auditor.attacks.base import Attack, AttackResult
from auditor.params import Params


class RowShareParams(Params, owner="row-share"):
    """It has none."""


def run(evidence, params, *, rng, progress):
    progress.check()
    released = evidence.release.log
    share = 0.0 if released is None else len(released) / len(evidence.log)
    return AttackResult(
        attack="row-share", params={}, rate=share, baseline=0.5, interval=(share, share),
        rate_label="rows that were released",
    )


ATTACK = Attack(
    name="row-share", cost="O(1)", title="Row share", summary="Counts rows.", source="a test",
    params=RowShareParams, run=run,
)
'''

MEASURE_FILE = '''
"""Users left: how many users a release has."""

from auditor.figures import MetricValue
from auditor.measures.base import Measure, MeasureResult
from auditor.params import Params


class UsersLeftParams(Params, owner="users-left"):
    """It has none."""


def run(log, release, params, context):
    context.progress.check()
    users = float(len(release.log.users))
    value = MetricValue("users-left.users", "users", users)
    return MeasureResult(measure="users-left", params={}, values=(value,))


MEASURE = Measure(
    name="users-left", cost="O(1)", title="Users left", summary="Counts users.", source="a test",
    params=UsersLeftParams, run=run,
)
'''

BROKEN = {
    "takes-a-name": ("volume = my_methods.users_left:MEASURE", "taken"),
    "raises": ("broken = my_methods.broken:MEASURE", "ZeroDivisionError"),
    "exits": ("ends = my_methods.ends:MEASURE", "SystemExit"),
    "ends-otherwise": ("panics = my_methods.panics:MEASURE", "Panic"),
    "is-no-measure": ("users = my_methods.users_left:run", "Measure"),
    "is-called-otherwise": ("users = my_methods.users_left:MEASURE", "different names"),
    "is-no-name": ("Users_Left = my_methods.users_left:MEASURE", "hyphens"),
}


def package(folder: Path, *entries: str) -> Path:
    """A package with the guide's method, an attack and a measure; the folder to install it from."""
    source = folder / "my-methods"
    code = source / "my_methods"
    code.mkdir(parents=True)
    for name, text in {
        "__init__": "",
        "user_sample": METHOD_FILE,
        "row_share": ATTACK_FILE,
        "own_vectors": MODEL_FILE,
        "users_left": MEASURE_FILE,
        "broken": "1 / 0",
        "ends": "import sys; sys.exit(0)",
        "panics": "class Panic(BaseException): pass\nraise Panic",
        "ends_later": MEASURE_FILE.replace("context.progress.check()", "raise SystemExit(0)"),
    }.items():
        (code / f"{name}.py").write_text(text, encoding="utf-8")
    (source / "pyproject.toml").write_text(
        '[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n'
        '[project]\nname = "my-methods"\nversion = "2.5"\n' + "\n".join(entries),
        encoding="utf-8",
    )
    return source


def installed(folder: Path, *entries: str) -> Path:
    """Install the package as pip does, without network; the folder for PYTHONPATH."""
    site = folder / "site"
    command = "install --quiet --no-deps --no-build-isolation --no-index --no-cache-dir --target"
    subprocess.run(
        [sys.executable, "-m", "pip", *command.split(), site, package(folder, *entries)], check=True
    )
    return site


def described(folder: Path, entry_points: str) -> Path:
    """The package as if it were installed where its source is; the folder for PYTHONPATH."""
    source = package(folder)
    about = source / "my_methods-2.5.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: my-methods\nVersion: 2.5\n")
    (about / "entry_points.txt").write_text(entry_points)
    return source


CALLS = """
import contextlib, io, json, sys
from auditor.__main__ import main
printed = []
for words in json.loads(sys.argv[1]):
    with contextlib.redirect_stdout(io.StringIO()) as said:
        assert main(words) == 0, words
    printed.append(said.getvalue())
print(json.dumps(printed))
"""


def program(site: Path, *calls: Sequence[object]) -> list[Any]:
    """What the program prints, call by call in one process, with that package installed."""
    words = json.dumps([list(map(str, call)) for call in calls])
    output = run_code(CALLS, words, PYTHONPATH=os.pathsep.join([str(ROOT), str(site)]))
    return [json.loads(text) if "--json" in call else text
            for text, call in zip(json.loads(output), calls, strict=True)]  # fmt: skip


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.tsv"
    rows = [f"{user}\tgarden chairs\t2006-03-01 10:{user:02d}:00\n" for user in range(40)]
    path.write_text("AnonID\tQuery\tQueryTime\n" + "".join(rows), encoding="utf-8")
    return path


def test_that_an_installed_package_adds_a_method_an_attack_and_a_measure(
    tmp_path: Path, log: Path
) -> None:
    site = installed(
        tmp_path,
        ENTRY,
        '[project.entry-points."auditor.attacks"]\nrow-share = "my_methods.row_share:ATTACK"\n',
        '[project.entry-points."auditor.measures"]\nusers-left = "my_methods.users_left:MEASURE"\n',
    )
    release = tmp_path / "release"
    anonymize = ("anonymize", log, "--method", "user-sample", "-p", "share=0.25", "--out", release)
    methods, params, _, attacked, measured = program(
        site,
        ["methods"],
        ["methods", "user-sample", "--json"],
        anonymize,
        ["attack", "row-share", log, release, "--json"],
        ["measure", "users-left", log, release, "--json"],
    )
    assert "user-sample" in methods
    assert "share" in [spec["name"] for spec in params["params"]]
    facts = json.loads((release / "manifest.json").read_text(encoding="utf-8"))
    assert facts["method"] == "user-sample"
    assert facts["versions"]["my-methods"] == "2.5"
    assert attacked["rate"] == 0.25
    assert measured["values"]["users-left.users"] == 10


@pytest.mark.slow
def test_that_an_attack_uses_a_model_that_the_user_supplies(tmp_path: Path) -> None:
    site = installed(tmp_path, MODEL_ENTRY.replace("my_attacks", "my_methods"))
    log, other = tmp_path / "log.tsv", tmp_path / "reworded.tsv"
    words = [("rosebush", "blossoming"), ("automobile", "limousine"), ("hound", "terrier")]
    for path, side in ((log, 0), (other, 1)):
        rows = [
            f"{user}\t{query} boston\t2006-03-01 {hour}:0{user}:00\n"
            for user, pair in enumerate(words)
            for hour, query in ((10, pair[side]), (11, "weather hotels near"))
        ]
        path.write_text("AnonID\tQuery\tQueryTime\n" + "".join(rows), encoding="utf-8")
    release = tmp_path / "release"
    keep = ("--method", "frequency-threshold", "-p", "n=1", "-p", "ids=keep")
    calls: list[Sequence[object]] = [("anonymize", other, *keep, "--out", release)]
    for name, vector in (("knows", (0, 0, 1, 1, 2, 2)), ("ignorant", (0, 1, 2, 3, 4, 5))):
        model = tmp_path / f"{name}.txt"
        flat = [word for pair in words for word in pair]
        lines = [
            " ".join([word, *("1" if column == dimension else "0" for column in range(7))])
            for word, dimension in zip([*flat, "boston"], [*vector, 6], strict=True)
        ]
        model.write_text("\n".join(lines), encoding="utf-8")
        arguments = ("-p", f"model={model}", "-p", "share=1", "--json")
        calls.append(("attack", "own-vectors", log, release, *arguments))
    _, knows, ignorant = program(site, *calls)
    assert knows["baseline"] == ignorant["baseline"] == pytest.approx(1 / 3)
    assert knows["rate"] == 1.0
    assert ignorant["rate"] < 0.5


@pytest.mark.parametrize("case", BROKEN)
def test_that_a_faulty_entry_point_is_left_out_and_told(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line, why = BROKEN[case]
    for module in [name for name in sys.modules if name.startswith("my_methods")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.syspath_prepend(str(described(tmp_path, f"[auditor.measures]\n{line}\n")))
    registry = Registry("measure", Measure, {"volume": "auditor.measures.volume"})
    assert list(registry) == ["volume"]
    (problem,) = registry.problems
    assert why in problem
    assert problem.endswith("Update my-methods or remove it.")
    assert registry["volume"].title


@pytest.mark.slow
def test_that_a_package_that_exits_ends_no_verb_with_success(
    tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = described(
        tmp_path,
        "[auditor.methods]\nends = my_methods.ends:METHOD\n"
        "[auditor.measures]\nusers-left = my_methods.ends_later:MEASURE\n",
    )
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), str(source)]))
    release = tmp_path / "release"
    listed = run_python("-m", "auditor", "methods")
    assert "'ends' of my-methods is left out" in listed.stdout + listed.stderr
    options = ("--method", "frequency-threshold", "--out", release)
    done = run_python("-m", "auditor", "anonymize", log, *options)
    assert (release / "manifest.json").exists(), done.stderr
    measured = run_python("-m", "auditor", "measure", "users-left", log, release)
    assert measured.returncode == 2
    assert "another package" in measured.stderr


def test_that_a_key_that_the_user_pressed_is_no_fault_of_a_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = importlib.metadata.EntryPoint("stopped", "my_stop:MEASURE", "auditor.measures")
    (tmp_path / "my_stop.py").write_text("raise KeyboardInterrupt")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: (entry,))
    with pytest.raises(KeyboardInterrupt):
        list(Registry("measure", Measure, {}))
