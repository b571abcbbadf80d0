"""What the program takes of a disk: ``python packaging/sizes.py ENVIRONMENT [--write]``.

ENVIRONMENT is a folder with the program installed in it and nothing else (`packaging/run` makes one
in ``.venv``). The wheel is built anew; a bundle is counted if ``dist`` holds one. ``--write`` puts
the table into the page about packaging.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "resources" / "docs" / "measurements.md"
BEGIN, END = "<!-- sizes -->\n", "<!-- end of sizes -->"
LEAST = 40_000_000
"""Bytes from which on a part has a line of its own."""

PURPOSES = {
    "opendp": "the secure sampler; one library that can't be taken apart",
    "pyside6": "Qt for the window",
    "llvmlite": "compiles the kernels",
    "pyarrow": "columns, Parquet, tables from elsewhere",
    "scipy": "sparse matrices, statistics",
    "pandas": "tables that leave the program",
    "sklearn": "the trees of the un-bundling attack",
    "numpy": "arrays",
    "phonenumbers": "telephone numbers",
    "numba": "compiles the kernels",
    "matplotlib": "plots of reports and notebooks",
    "fonttools": "fonts of matplotlib",
    "pip": "installs the rest",
    "pillow": "pictures of matplotlib and reports",
    "cryptography": "signatures",
    "rapidfuzz": "near matches",
    "reportlab": "reports as PDF",
    "pyqtgraph": "plots of the window",
    "auditor": "this program, with its data",
    "modules": "the program and all modules of Python, packed",
    "libraries of the system": "Qt's needs, OpenSSL, SQLite, the C++ and Fortran runtimes",
}
"""What a part is there for."""


SAME = {"pil": "pillow", "shiboken6": "pyside6"}
"""Folders that belong to a part of another name."""

MODULES, KERNELS, SYSTEM = "modules", "compiled_kernels", "libraries of the system"
"""Parts that only a bundle has."""


def size_of(path: Path) -> int:
    """Bytes of a file, or of all files below a folder; compiled Python is left out."""
    if path.is_file():
        return path.stat().st_size
    files = (file for file in path.rglob("*") if file.is_file() and not file.is_symlink())
    return sum(file.stat().st_size for file in files if "__pycache__" not in file.parts)


def name_part(entry: Path) -> str:
    """The part that a file or folder of a library belongs to; its own libraries count with it."""
    name = re.split(r"\.|_", entry.name.lower())[0]
    return SAME.get(name, name)


def count_environment(environment: Path) -> Counter[str]:
    """Bytes of each part of an environment."""
    (site,) = [
        *environment.glob("lib/python3*/site-packages"),
        *environment.glob("Lib/site-packages"),
    ]
    parts: Counter[str] = Counter()
    for entry in site.iterdir():
        if entry.name != "__pycache__" and entry.suffix not in (".dist-info", ".pth"):
            parts[name_part(entry)] += size_of(entry)
    return parts


def count_bundle(bundle: Path) -> Counter[str]:
    """Bytes of each part of a bundle; its program holds all modules of Python."""
    inside = bundle / "_internal"
    entries = [entry for entry in (*bundle.iterdir(), *inside.iterdir()) if entry != inside]
    parts: Counter[str] = Counter()
    for entry in entries:
        if entry.is_symlink():
            continue
        if entry.is_file() and entry.parent == bundle:
            parts[MODULES if entry.stem == "auditor" else "others"] += size_of(entry)
        elif entry.is_file() and re.match(r"lib.*\.so", entry.name):
            parts[SYSTEM] += size_of(entry)
        else:
            parts[entry.name if entry.name == KERNELS else name_part(entry)] += size_of(entry)
    return parts


def build_wheel() -> int:
    """Bytes of the wheel, built anew."""
    with tempfile.TemporaryDirectory() as folder:
        build = [
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "--quiet",
            "--no-deps",
            "--wheel-dir",
            folder,
        ]
        subprocess.run([*build, str(ROOT)], check=True)
        (wheel,) = Path(folder).glob("*.whl")
        return wheel.stat().st_size


def make_table(environment: Path) -> str:
    """The sizes, in Markdown."""
    bundle = ROOT / "dist" / "query-log-privacy-auditor"
    columns = [count_environment(environment)]
    if bundle.is_dir():
        columns.append(count_bundle(bundle))
    together: Counter[str] = Counter()
    for parts in columns:
        together |= parts  # the larger of both
    large = [name for name, size in together.most_common() if size >= LEAST]
    others = len(together) - len(large)
    kernels = sum(1 for _ in bundle.rglob("*.nb?"))
    purposes = {**PURPOSES, KERNELS: f"{kernels} files: what a processor needn't compile again"}

    def row(name: str, sizes: list[int], purpose: str) -> str:
        cells = " | ".join(f"{size / 1e6:,.0f}" if size else "–" for size in sizes)
        return f"| {name} | {cells} | {purpose} |"

    heads = ["environment, MB", "bundle, MB"][: len(columns)]
    lines = [
        f"The wheel, the program with its data, takes {build_wheel() / 1e6:,.0f} MB.",
        "",
        f"| | {' | '.join(heads)} | |",
        "|---" * (len(columns) + 2) + "|",
        row(
            "all",
            [sum(parts.values()) for parts in columns],
            "compiled files of Python in the environment are left out",
        ),
        *(row(name, [parts[name] for parts in columns], purposes.get(name, "")) for name in large),
        row(
            f"{others} others",
            [sum(parts.values()) - sum(parts[name] for name in large) for parts in columns],
            "",
        ),
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Print the table, or put it into its page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("environment", type=Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    table = make_table(options.environment)
    sys.stdout.write(table)
    if options.write:
        text = PAGE.read_text(encoding="utf-8")
        before, _, rest = text.partition(BEGIN)
        PAGE.write_text(before + BEGIN + table + END + rest.partition(END)[2], encoding="utf-8")


if __name__ == "__main__":
    main()
