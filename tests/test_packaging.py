"""What is built for other machines: all that is imported by name, icons, man page, licences."""

import argparse
import configparser
import importlib.metadata
import importlib.util
import os
import re
import shutil
import stat
import struct
import subprocess
import sys
import time
import tomllib
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import tldextract
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from PySide6.QtGui import QIcon, QImage
from PySide6.QtWidgets import QApplication

import auditor
from auditor.attacks.registry import ATTACKS
from auditor.cli import parser
from auditor.gui.app import application as start
from auditor.measures.registry import MEASURES
from auditor.methods.registry import METHODS
from auditor.project.file import SUFFIX
from auditor.resource_files import resource_path
from tests.narrowing import present
from tests.programs import run_code, run_python

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "auditor"
PACKAGING = ROOT / "packaging"
LINUX = PACKAGING / "linux"
NAME = "query-log-privacy-auditor"
MIME = "application/x-query-log-privacy-auditor"


def load(name: str) -> ModuleType:
    """A module of `packaging`, which is no package: another one has that name."""
    path = PACKAGING / f"{name}.py"
    spec = present(importlib.util.spec_from_file_location(f"built_{path.stem}", path))
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    present(spec.loader).exec_module(module)
    return module


contents = load("pyinstaller/contents")
processors = load("pyinstaller/processors")


# --- what comes along -------------------------------------------------------------------------


def test_that_the_bundle_lists_all_that_is_imported_by_name_or_when_asked_for() -> None:
    listed = set(contents.modules(PACKAGE))
    for registry in (METHODS, ATTACKS, MEASURES):
        assert set(registry.modules.values()) <= listed
    ours = {step.partition(":")[0] for step in start.WARM if step.startswith("auditor.")}
    assert ours <= listed
    written = "\n".join(path.read_text("utf-8") for path in PACKAGE.rglob("*.py"))
    named = set(re.findall(r"""["'](auditor(?:\.\w+)+)(?::\w+)?["']""", written))
    homes = {name for name in named if (ROOT / name.replace(".", "/")).with_suffix(".py").exists()}
    assert len(homes) > 20
    assert homes <= listed


def imported() -> dict[str, Path]:
    """What the program imports, and a module that does."""
    line = re.compile(r"^ *(?:from ([\w.]+) import \(?([\w, ]*)|import ([\w., ]+))", re.MULTILINE)
    imports: dict[str, Path] = {}
    for path in PACKAGE.rglob("*.py"):
        for home, names, modules in line.findall(path.read_text("utf-8")):
            for name in re.findall(r"[\w.]+", names or modules or "all"):
                imports[f"{home}.{name}" if home else name] = path
    return imports


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
OPTIONAL = PROJECT["optional-dependencies"]


def names_of(requirements: list[str]) -> set[str]:
    """The distributions that some requirements bring along."""
    return {canonicalize_name(Requirement(entry).name) for entry in requirements}


REQUIRED = names_of(PROJECT["dependencies"])


@pytest.mark.parametrize("name", ["run", "dev", "packaging"])
def test_that_the_listed_versions_are_those_that_the_project_admits(name: str) -> None:
    requirements = PROJECT["dependencies"] + OPTIONAL.get(name, [])
    lines = (PACKAGING / "locks" / "run.txt").read_text("utf-8")
    lines += (PACKAGING / "locks" / f"{name}.txt").read_text("utf-8")
    entries = re.findall(r"^([\w.-]+)==([\w.]+)(.*(?:\n .*)*)", lines, re.MULTILINE)
    listed = {canonicalize_name(package): version for package, version, _ in entries}
    assert all(re.search(r"--hash=sha256:[0-9a-f]{64}\b", hashes) for _, _, hashes in entries)
    for requirement in map(Requirement, requirements):
        if requirement.marker is None or requirement.marker.evaluate():
            version = listed[canonicalize_name(requirement.name)]
            assert requirement.specifier.contains(version), requirement.name


def test_that_nothing_is_required_that_the_program_does_not_import() -> None:
    homes = importlib.metadata.packages_distributions()
    roots = {name.split(".")[0] for name in imported()}
    used = {canonicalize_name(home) for name in roots for home in homes.get(name, [])}
    assert REQUIRED - used <= {"pystemmer"}  # which snowballstemmer imports, to be fast
    brought = names_of(OPTIONAL["spark"] + OPTIONAL["semantic"])  # by extras, which are left out
    assert set(contents.EXTRAS) <= brought
    assert not brought & REQUIRED


def test_that_nothing_the_program_imports_is_left_out() -> None:
    imports = imported()
    assert "pyarrow.compute" in imports
    left_out = set(contents.EXCLUDED) - set(contents.EXTRAS)
    for name, path in imports.items():
        out = [module for module in left_out if f"{name}.".startswith(f"{module}.")]
        assert not out, (path, name)
        if name.startswith("PySide6.Qt"):
            assert name.split(".")[1] in contents.QT, (path, name)


KEPT = (
    "PySide6/Qt/plugins/platforms/libqxcb.so",
    "PySide6/Qt/plugins/platforms/libqoffscreen.so",
    "PySide6/Qt/plugins/iconengines/libqsvgicon.so",
    "PySide6/Qt/lib/libQt6Widgets.so.6",
    "PySide6/Qt/lib/libQt6WaylandClient.so.6",
    "PySide6/Qt/translations/qtbase_de.qm",
    "pyarrow/libarrow.so.2600",
    "pyarrow/libarrow_substrait.so.2600",
    "pyarrow/libarrow_python.so.2600",
    "pyarrow/lib.cpython-311-x86_64-linux-gnu.so",
    "PIL/_imaging.cpython-311-x86_64-linux-gnu.so",
    "libjpeg-6dc8d115.so.62.4.0",
    "opendp/lib/opendp.abi3.so",
    "auditor/_resources/icons/auditor.svg",
)
LEFT_OUT = (
    "PySide6/Qt/plugins/platformthemes/libqgtk3.so",
    "PySide6/Qt/plugins/sqldrivers/libqsqlite.so",
    "PySide6/Qt/lib/libQt6Quick.so.6",
    "PySide6/Qt/lib/libQt6WaylandCompositor.so.6",
    "PySide6/Qt/lib/libQt6Network.so.6",
    "PySide6/Qt/plugins/platforms/libqminimalegl.so",
    "PySide6/Qt/translations/linguist_de.qm",
    "pyarrow/libarrow_python.so.2600.1.0",
    "pyarrow/libarrow_python.so",
    "pillow.libs/libavif-c6062d5f.so.16.4.2",
    "libavif-c6062d5f.so.16.4.2",  # PyInstaller's link to it
    "libwebpmux-8fb1c9f6.so.3.1.2",
    "pyarrow/libarrow_flight.so.2600",
    "pyarrow/libarrow_python_flight.so",
    "sklearn/tests/random_seed.py",
)


def test_that_a_file_is_kept_if_the_window_or_a_method_uses_it() -> None:
    assert [name for name in KEPT if not contents.is_wanted(name)] == []
    assert [name for name in LEFT_OUT if contents.is_wanted(name)] == []


def folder_of(module: str) -> Path:
    return Path(present(present(importlib.util.find_spec(module)).origin)).parent


def test_that_the_recipe_finds_what_numba_imports_from_c_and_what_of_qt_stays_out() -> None:
    modules = contents.extensions(folder_of("numba"))
    assert {"numba._devicearray", "numba._dispatcher", "numba.mviewbuf"} <= set(modules)
    out = contents.excluded_qt(folder_of("PySide6"))
    assert {"PySide6.QtQuick", "PySide6.QtQml", "PySide6.QtNetwork"} <= set(out)
    assert not {f"PySide6.{name}" for name in contents.QT} & set(out)


def library(*run_paths: str) -> bytes:
    """A 64-bit ELF file that says nothing but where to look for others."""
    texts = b"\0".join([b"", *(path.encode() for path in run_paths), b""])
    begin = 64 + 2 * 56 + 16 * (len(run_paths) + 2)
    places = [texts.index(path.encode()) for path in run_paths]
    dynamic = [*((29, place) for place in places), (5, 0x1000 + begin), (0, 0)]
    table = b"".join(struct.pack("<QQ", *entry) for entry in dynamic)
    size = begin + len(texts)
    headers = struct.pack("<IIQQQQQQ", 1, 4, 0, 0x1000, 0x1000, size, size, 1)
    headers += struct.pack("<IIQQQQQQ", 2, 4, 64 + 112, 0x1000 + 176, 0, len(table), len(table), 8)
    start = struct.pack("<16sHHIQQQIHHH", b"\x7fELF\2\1\1", 3, 62, 1, 0, 64, 0, 0, 64, 56, 2)
    return start.ljust(64, b"\0") + headers + table + texts


def test_that_no_library_is_looked_for_in_a_folder_of_the_builder() -> None:
    foreign = load("libraries").foreign
    mended, gone = foreign(library("$ORIGIN/../x.libs", "/home/builder/lib"))
    assert gone == ["/home/builder/lib"]
    assert len(mended) == len(library("$ORIGIN/../x.libs", "/home/builder/lib"))
    assert foreign(mended) == (mended, [])
    assert foreign(library("$ORIGIN"))[1] == []
    assert foreign(b"#!/bin/sh\n") == (b"#!/bin/sh\n", [])
    with pytest.raises(ValueError, match="both kinds"):
        foreign(library("$ORIGIN:/home/builder/lib"))


@pytest.mark.parametrize(
    ("path", "original"),
    [("/usr/lib/bundle/_internal", None), ("/usr/lib/bundle/_internal:/opt/own", "/opt/own")],
)
def test_that_what_the_program_opens_gets_the_users_own_libraries(
    path: str, original: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LD_LIBRARY_PATH", path)
    monkeypatch.setenv("LD_LIBRARY_PATH_ORIG", original or "")
    if original is None:
        monkeypatch.delenv("LD_LIBRARY_PATH_ORIG")
    load("pyinstaller/libraries_hook")
    assert os.environ.get("LD_LIBRARY_PATH") == original
    assert "LD_LIBRARY_PATH_ORIG" not in os.environ


def test_that_a_library_is_not_stripped_if_it_could_not_be_loaded_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    libraries = load("libraries")
    intact = library("$ORIGIN")
    assert libraries.loadable(intact)
    moved = intact[:72] + struct.pack("<Q", 0x550) + intact[80:]  # its first part lies elsewhere
    assert not libraries.loadable(moved)
    path = tmp_path / "x.so"
    path.write_bytes(intact)

    def strips_to(output: bytes) -> bytes:
        def run(command: list[Any], check: bool) -> subprocess.CompletedProcess[bytes]:
            Path(command[3]).write_bytes(output)
            return subprocess.CompletedProcess(command, 0)

        monkeypatch.setattr(libraries.subprocess, "run", run)
        stripped: bytes = libraries.stripped(path)
        return stripped

    assert strips_to(moved) == intact
    assert strips_to(library()) == library()


# --- kernels ----------------------------------------------------------------------------------


def test_that_a_processor_gets_kernels_that_it_can_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processors.platform, "machine", lambda: "x86_64")
    assert processors.level(processors.NEEDED | {"sse2", "avx512f"}) == "x86-64-v3"
    assert processors.level(processors.NEEDED - {"avx2"}) == ""
    monkeypatch.setattr(processors.platform, "machine", lambda: "aarch64")
    assert processors.level(processors.NEEDED) == ""


def test_that_kernels_are_compiled_for_each_choice_where_it_matters(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(str(PACKAGING / "pyinstaller"))
    others = load("pyinstaller/compile_kernels").others
    changes = others(ATTACKS["hash-inversion"].params)
    assert {"scheme": "iterate"} in changes
    assert {"scheme": "expand", "update": "min-cost"} in changes
    assert {"weighting": "adaptive", "rounds": 8} in others(METHODS["set-union"].params)
    for registry in (METHODS, ATTACKS, MEASURES):
        for name in registry:
            params = registry[name].params
            for change in others(params):
                for key, value in change.items():
                    assert params.spec(key).validate(value, name) == value


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A bundle with one compiled kernel, and a home that is still empty."""
    kernel = tmp_path / "bundle" / "compiled_kernels" / "0123abcd" / "auditor.log.some_kernels"
    kernel.mkdir(parents=True)
    (kernel / "some.nbc").write_bytes(b"code")
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path / "bundle"), raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return kernel


def test_that_kernels_are_copied_to_where_the_user_alone_can_write(
    shipped: Path, tmp_path: Path
) -> None:
    kernels = load("pyinstaller/shipped_kernels")
    folder = kernels.folder()
    assert folder == tmp_path / "cache" / NAME / "0123abcd"
    assert (folder / shipped.name / "some.nbc").read_bytes() == b"code"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert [path.name for path in folder.parent.iterdir()] == ["0123abcd"]

    locator = kernels.Locator.from_function(load, "")
    assert Path(locator.get_cache_path()).parent == folder
    assert locator.get_source_stamp() == "0123abcd"
    assert locator.get_disambiguator() == str(load.__code__.co_firstlineno)


@pytest.mark.parametrize("cache", ["others may write", "no folder"])
def test_that_kernels_find_a_place_of_their_own(
    cache: str, shipped: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = tmp_path / "cache" / NAME / "0123abcd"
    if cache == "no folder":
        (tmp_path / "file").write_text("")
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    else:
        theirs.mkdir(parents=True)
        theirs.chmod(0o777)
    folder = load("pyinstaller/shipped_kernels").folder()
    try:
        assert folder != theirs
        assert (folder / shipped.name / "some.nbc").read_bytes() == b"code"
        assert stat.S_IMODE(folder.parent.stat().st_mode) == 0o700
    finally:
        shutil.rmtree(folder.parent)


def test_that_kernels_of_versions_long_unused_are_removed(shipped: Path, tmp_path: Path) -> None:
    old, new = (tmp_path / "cache" / NAME / name for name in ("aaaa", "bbbb"))
    for folder in (old, new):
        folder.mkdir(parents=True)
    long_ago = time.time() - 100 * 86_400
    os.utime(old, (long_ago, long_ago))
    load("pyinstaller/shipped_kernels").folder()
    assert not old.exists()
    assert new.exists()


COMPILED = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import processors
processors.ask_for(sys.argv[3])
import shipped_kernels
shipped_kernels.folder = lambda: Path(sys.argv[2])
import numba
import numpy as np

@numba.njit(cache=True, fastmath=True)
def total(numbers):
    found = 0.0
    for number in numbers:
        found += number
    return found

total(np.ones(100))
(code,) = total.inspect_asm().values()
print(sum(total.stats.cache_hits.values()), "zmm" in code, "ymm" in code, sep=",")
"""


@pytest.mark.slow
def test_that_a_kernel_is_taken_only_for_the_processor_it_was_made_for(tmp_path: Path) -> None:
    (tmp_path / "kernels.py").write_text(COMPILED)

    def compiled(level: str) -> str:
        done = run_python(
            *("kernels.py", PACKAGING / "pyinstaller", tmp_path / "kept", level),
            cwd=tmp_path,
            environment={"NUMBA_CACHE_LOCATOR_CLASSES": "shipped_kernels.Locator"},
        )
        assert done.returncode == 0, done.stderr[-2000:]
        return done.stdout.strip()

    assert compiled("x86-64-v3") == "0,False,True"  # no AVX-512, whatever this processor has
    assert compiled("x86-64-v2") == "0,False,False"  # not what was made for another
    assert compiled("x86-64-v3").startswith("1,")


# --- how it is known to a desktop -------------------------------------------------------------


def validate(*command: object) -> None:
    """Let a program of the desktop look at a file, where there is one."""
    if shutil.which(str(command[0])):
        subprocess.run(list(map(str, command)), check=True)


def test_that_the_desktop_file_starts_the_program_with_the_files_given() -> None:
    path = LINUX / f"{NAME}.desktop"
    entry = configparser.ConfigParser(interpolation=None)
    entry.optionxform = str  # type: ignore[assignment,method-assign]
    entry.read(path, "utf-8")
    main = entry["Desktop Entry"]
    words = main["Exec"].replace("%F", "a.tsv b.tsv").split()[1:]
    assert parser.parse_arguments(words).log == ["a.tsv", "b.tsv"]
    assert main["Icon"] == NAME
    assert main["MimeType"] == f"{MIME};"
    validate("desktop-file-validate", path)


def test_that_the_software_centre_is_told_what_this_version_and_its_files_are() -> None:
    space = {"mime": "http://www.freedesktop.org/standards/shared-mime-info"}
    (kind,) = ElementTree.parse(LINUX / f"{NAME}.xml").getroot()
    assert kind.get("type") == MIME
    assert [entry.get("pattern") for entry in kind.findall("mime:glob", space)] == [f"*{SUFFIX}"]
    path = LINUX / f"{NAME}.metainfo.xml"
    component = ElementTree.parse(path).getroot()
    assert component.findtext("launchable") == f"{NAME}.desktop"
    assert component.findtext("provides/mediatype") == MIME
    assert present(component.find("releases/release")).get("version") == auditor.__version__
    validate("appstreamcli", "validate", "--no-net", path)


def test_that_icons_are_drawn_in_every_size(qapp: QApplication, tmp_path: Path) -> None:
    icons = load("icons")
    for name in icons.PLACES:
        for size in icons.SIZES:
            target = tmp_path / f"{size}-{name}.png"
            icons.render(icons.DRAWN / name, size, target)
            image = QImage(str(target))
            assert (image.width(), image.height()) == (size, size)
            assert image.pixelColor(0, 0).alpha() == 0
            assert image.pixelColor(size // 2, size // 2).alpha() == 255
    assert not QIcon(str(resource_path(start.ICON))).pixmap(32, 32).isNull()


# --- words that go along ----------------------------------------------------------------------


def test_that_the_manual_page_names_every_verb_and_option() -> None:
    page = load("man_page").page(parser.make_parser(), "1.2", "2026-01-02")
    assert page.startswith('.TH AUDITOR 1 "2026-01-02" "auditor 1.2"')
    plain = page.replace("\\-", "-")
    verbs = load("man_page")._subparsers(parser.make_parser()).choices
    assert len(verbs) > 10
    for name, verb in verbs.items():
        assert f'.SH "AUDITOR {name.upper()}"' in plain
        for action in verb._actions:
            is_listed = action.help != argparse.SUPPRESS  # options that are accepted and do nothing
            assert not is_listed or all(option in plain for option in action.option_strings)
    requests = {line.split()[0] for line in page.splitlines() if line.startswith((".", "'"))}
    assert requests == {".TH", ".SH", ".SS", ".TP", ".PP", ".B", ".RI", ".I"}


def test_that_the_licence_of_everything_required_is_known(tmp_path: Path) -> None:
    licences = load("licences")
    assert len(REQUIRED) > 15
    for name in REQUIRED:
        part = licences.part_of(importlib.metadata.distribution(name))
        assert part.licence != "see its text", name
        assert part.texts or not licences.COMMON.is_dir(), name
        if name == "pyside6-essentials":
            assert "LGPL-3.0" in part.licence
            assert [text.name for text in part.texts][:1] == ["LGPL-3"]
    with pytest.raises(SystemExit, match="no text"):
        licences.write([licences.Part("thing", "1", "?", ())], tmp_path)


def test_that_a_bundle_holds_the_licence_texts_of_all_its_data() -> None:
    """What stands below `resources` comes along whole; `LICENSES.md` names a text for each file."""
    folder = ROOT / "resources"
    texts = [*(folder / "licences").iterdir(), folder / "LICENSES.md"]
    texts += [folder / "fonts" / "OFL.txt", folder / "icons" / "lucide" / "LICENSE"]
    assert len(texts) > 17
    for text in texts:
        assert text.stat().st_size > 400
        assert contents.is_wanted(f"auditor/_resources/{text.relative_to(folder).as_posix()}"), text
    recipe = (PACKAGING / "pyinstaller" / "auditor.spec").read_text("utf-8")
    assert 'datas = [(str(package / "_resources"), "auditor/_resources")]' in recipe


def test_that_data_of_libraries_have_their_licence_beside_them() -> None:
    """The list of public suffixes is under another licence than the library that brings it."""
    snapshot = Path(tldextract.__file__).with_name(".tld_set_snapshot").read_text("utf-8")
    assert "Mozilla Public\n// License, v. 2.0" in snapshot[:300]
    assert contents.is_wanted("tldextract/.tld_set_snapshot")
    legal = (ROOT / "resources" / "LICENSES.md").read_text("utf-8")
    assert "public suffixes" in legal
    text = ROOT / "resources" / "licences" / "MPL-2.0.txt"
    assert "Mozilla Public License Version 2.0" in text.read_text("utf-8")


def test_that_a_package_nobody_answered_for_is_not_called_sound() -> None:
    report = load("weaknesses").told
    sound = {"name": "a", "version": "1", "vulns": []}
    silent = {"name": "b", "skip_reason": "not found"}
    weak = {"name": "c", "version": "2", "vulns": [{"id": "X-1", "fix_versions": ["3"]}]}
    assert report({"dependencies": [sound]})[0] == 0
    code, lines = report({"dependencies": [sound, silent]})
    assert code == 3
    assert "1 of 2 packages" in lines[0]
    assert report({"dependencies": [sound, silent, weak]}) == (1, ["c 2: X-1, mended in 3"])
    assert report({})[0] == 3


WITHOUT = """
import importlib, sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if any((name + ".").startswith(one + ".") for one in sys.argv[1].split(",")):
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Absent())
for name in sys.argv[2].split(","):
    importlib.import_module(name)
print("all there")
"""


@pytest.mark.slow
def test_that_the_program_lives_without_what_is_left_out() -> None:
    out = [*contents.EXCLUDED, *contents.excluded_qt(folder_of("PySide6"))]
    names = [name for name in contents.modules(PACKAGE) if ".spark" not in name]
    names = [name for name in names if not name.endswith("__main__")]
    for name in imported():
        home = name.rpartition(".")[0]
        if home.split(".")[0] in ("pandas", "scipy", "sklearn", "matplotlib", "pyarrow"):
            names.append(home)
    assert run_code(WITHOUT, ",".join(out), ",".join(names), PYTHONPATH=str(ROOT)) == "all there\n"
