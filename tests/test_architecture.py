"""The layering of the package: imports go down only, and every module has its place."""

import ast
import collections
import functools
import graphlib
import re
import subprocess
from pathlib import Path

from auditor.methods.registry import METHODS
from auditor.privacy.verification.models import MODELS
from tests.sources import PACKAGE, nodes_of, tree_of

ROOT = PACKAGE.parent

LAYERS = (
    ("auditor.__main__",),
    ("auditor.gui", "auditor.cli", "auditor.api"),
    ("auditor.project", "auditor.suggestions"),
    ("auditor.release",),
    ("auditor.engine",),
    ("auditor.methods", "auditor.attacks", "auditor.measures"),
    ("auditor.privacy",),
    ("auditor.attacks.detection",),
    ("auditor.log",),
    ("auditor.params", "auditor.progress", "auditor.figures", "auditor.registry"),
    ("auditor.resource_files",),
    (
        "auditor.errors",
        "auditor.bounded_files",
        "auditor.version",
        "auditor.fuzzy_search",
        "auditor.__init__",
    ),
    ("auditor.bit_mixing",),
    ("auditor.arrays", "auditor.platform", "auditor.messages"),
    ("auditor.plurals",),
)
"""From the top down; neighbours in one layer don't import each other, except that
`progress`, `params` and their like stand beside each other on `errors`."""

ONLY_IN = {
    "PySide6": "auditor.gui",
    "pyqtgraph": "auditor.gui",
    "pyspark": "auditor.engine.backends.spark",
    "opendp": "auditor.privacy.randomness",
    "dp_accounting": "auditor.privacy.composition",
    "cryptography": "auditor.release.signing auditor.release.approval auditor.release.verify",
    "sqlite3": "auditor.release.ledger.store auditor.log.reading.table_files",
    "argparse": "auditor.cli",
    "fcntl": "auditor.platform",
    "resource": "auditor.platform",
    "msvcrt": "auditor.platform",
    "ctypes": "auditor.platform",
    "psutil": "auditor.platform",
}


@functools.cache
def modules() -> dict[str, Path]:
    names = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        if parts[-1] == "__init__" and len(parts) > 2:
            parts = parts[:-1]
        names[".".join(parts)] = path
    return names


@functools.cache
def imports(path: Path) -> set[str]:
    """Absolute names that a module imports anywhere, inside functions too."""
    names: set[str] = set()
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}: relative import"
            assert node.module is not None
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


@functools.cache
def part(name: str) -> str:
    """The longest entry of `LAYERS` that a module lies in."""
    members = [member for row in LAYERS for member in row if f"{name}.".startswith(f"{member}.")]
    return max(members, key=len, default="")


@functools.cache
def layer(name: str) -> int:
    return next((depth for depth, row in enumerate(LAYERS) if part(name) in row), -1)


def test_that_every_module_has_a_place_and_the_developers_page_lists_the_same_layers() -> None:
    """A new part of the package is added to `LAYERS`."""
    assert [name for name in modules() if layer(name) < 0] == []
    page = (ROOT / "resources/docs/architecture.md").read_text(encoding="utf-8")
    drawn = [line.split(" · ") for line in re.findall(r"^    ([a-z_].*)$", page, re.MULTILINE)]
    names = [[name.removeprefix("auditor.") for name in members] for members in LAYERS]
    assert drawn == [[name for name in members if name != "__init__"] for members in names]


def test_that_imports_go_down_only() -> None:
    upwards = [
        f"{name} imports {target}"
        for name, path in modules().items()
        if name != "auditor.__init__"  # the library's front door: imports on first use
        for target in imports(path)
        if target.startswith("auditor.") and part(target) != part(name)
        if layer(target) <= layer(name)
    ]
    assert sorted(upwards) == []


def test_that_each_library_stays_where_it_belongs() -> None:
    strays = []
    for name, path in modules().items():
        for library in {target.split(".")[0] for target in imports(path)}:
            homes = ONLY_IN.get(library, name).split()
            at_home = any(name == home or name.startswith(home + ".") for home in homes)
            if not at_home or (library == "numba" and not name.endswith("kernels")):
                strays.append(f"{name} imports {library}")
    assert sorted(strays) == []


TEXT_ONLY_IN = {
    "sys.platform": "auditor.platform",
    '"/proc/': "auditor.platform",
    '"resources"': "auditor.resource_files",
}


def test_that_only_one_package_asks_for_the_operating_system_and_one_reads_the_resources() -> None:
    """Names that one system lacks are found by the type checker (`packaging/test`)."""
    sources = {name: path.read_text(encoding="utf-8") for name, path in modules().items()}
    strays = [
        f"{name} has {text}"
        for name, source in sources.items()
        for text, home in TEXT_ONLY_IN.items()
        if text in source and not name.startswith(home)
    ]
    assert strays == []


def test_that_the_top_level_holds_what_was_agreed_and_nothing_more() -> None:
    """What the repository holds: what somebody keeps beside it, a log perhaps, is theirs."""
    agreed = {"auditor", "resources", "tests", "packaging", "pyproject.toml", "README.md"}
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    names = {name.split("/")[0] for name in listing.stdout.split("\0") if name}
    if not names:  # no repository, but its files alone
        names = {path.name for path in ROOT.iterdir()} - {"build", "dist"}
    assert {name for name in names if not name.startswith(".")} - {"LICENSE"} == agreed


def test_that_no_class_name_occurs_in_two_modules() -> None:
    counts = collections.Counter(
        node.name
        for module, path in modules().items()
        if not module.startswith("auditor.platform.")  # one name for every system
        for node in tree_of(path).body
        if isinstance(node, ast.ClassDef)
    )
    assert [name for name, count in counts.items() if count > 1] == []


def test_that_every_package_says_what_it_contains() -> None:
    silent = [
        str(path.relative_to(ROOT))
        for path in PACKAGE.rglob("__init__.py")
        if not ast.get_docstring(tree_of(path))
    ]
    assert silent == []


def test_that_types_of_arrays_are_named_in_one_module() -> None:
    elsewhere = [
        f"{name}:{node.lineno}"
        for name, path in modules().items()
        for node in nodes_of(path)
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name)
        if node.value.id == "NDArray"
        if name != "auditor.arrays" and ast.unparse(node.slice) != "T"
    ]
    assert elsewhere == []


def local_imports(name: str) -> set[str]:
    """The modules of the package that a module imports, for types and inside functions too."""
    homes = set()
    for target in imports(modules()[name]):
        home = target if target in modules() else target.rpartition(".")[0]
        if home in modules() and home != name:
            homes.add(home)
    return homes


def test_that_no_modules_import_each_other_in_a_circle() -> None:
    """Types included."""
    graphlib.TopologicalSorter({name: local_imports(name) for name in modules()}).prepare()


def test_that_nobody_reaches_into_another_module() -> None:
    """Neither imports a private name of it nor looks one up."""
    reached = []
    for name, path in modules().items():
        ours = set()
        for node in nodes_of(path):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("auditor"):
                ours |= {alias.asname or alias.name for alias in node.names}
                private = [a.name for a in node.names if a.name[0] == "_" and a.name[:2] != "__"]
                reached += [f"{name} imports {node.module}.{symbol}" for symbol in private]
        reached += [
            f"{name}:{node.lineno} {ast.unparse(node)}"
            for node in nodes_of(path)
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
            if node.value.id in ours and node.attr[0] == "_" and node.attr[:2] != "__"
        ]
    assert reached == []


NAMED_OUTSIDE = {"auditor.api.parameters", "auditor.privacy.bundle_matching"}
"""The library's typed parameters, and what finds the bundles of a release again."""
RULES_CALLED = "auditor.engine.backends.spark.methods"
"""Calls the rules of methods on other machines, and is itself called by what `Method.spark` says.
"""


def test_that_no_module_outside_the_package_of_methods_names_one() -> None:
    """Facts about a method stand on its `Method`. Names of models and of forms are other names."""
    methods = METHODS.modules
    forms = {METHODS[name].form for name in METHODS} | set(MODELS)
    offenders = []
    for module, path in modules().items():
        if module.startswith(("auditor.methods", *NAMED_OUTSIDE)):
            continue
        called = methods.values() if not module.startswith(RULES_CALLED) else ()
        for node in nodes_of(path):
            if isinstance(node, ast.Constant) and node.value in methods.keys() - forms:
                offenders.append(f"{module}:{node.lineno} names {node.value}")
            if isinstance(node, ast.ImportFrom) and node.module in called:
                offenders.append(f"{module}:{node.lineno} imports {node.module}")
    assert offenders == []
