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
PAGE = ROOT / "resources" / "docs" / "packaging.md"
BEGIN, END = "<!-- sizes -->\n", "<!-- end of sizes -->"
LEAST = 10_000_000
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
}
"""What a part is there for."""


def size_of(path: Path) -> int:
    """Bytes of a file, or of all files below a folder; compiled Python is left out."""
    if path.is_file():
        return path.stat().st_size
    files = (file for file in path.rglob("*") if file.is_file() and not file.is_symlink())
    return sum(file.stat().st_size for file in files if "__pycache__" not in file.parts)


def count_parts(environment: Path) -> Counter[str]:
    """Bytes of each part of an environment; a library's own libraries count with it."""
    (site,) = [
        *environment.glob("lib/python3*/site-packages"),
        *environment.glob("Lib/site-packages"),
    ]
    parts: Counter[str] = Counter()
    for entry in site.iterdir():
        if entry.name == "__pycache__" or entry.suffix in (".dist-info", ".pth"):
            continue
        name = re.split(r"\.|_", entry.name.lower())[0]
        parts[{"pil": "pillow", "shiboken6": "pyside6"}.get(name, name)] += size_of(entry)
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
    """The table, in Markdown."""
    parts = count_parts(environment)
    rows = [("wheel", build_wheel(), "the program with its data, packed")]
    bundle = ROOT / "dist" / "query-log-privacy-auditor"
    if bundle.is_dir():
        rows.append(("bundle", size_of(bundle), "the program with all that it needs"))
    rows.append(("environment", sum(parts.values()), "all of this, without compiled Python files"))
    large = [(name, size) for name, size in parts.most_common() if size >= LEAST]
    rows += [(f"· {name}", size, PURPOSES.get(name, "")) for name, size in large]
    rest = sum(parts.values()) - sum(size for _, size in large)
    rows.append((f"· {len(parts) - len(large)} others", rest, ""))
    lines = [f"| {name} | {size / 1e6:,.0f} | {purpose} |" for name, size, purpose in rows]
    return "\n".join(["| | MB | |", "|---|---|---|", *lines]) + "\n"


def main() -> None:
    """Print the table, or put it into its page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("environment", type=Path)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    table = make_table(asked.environment)
    sys.stdout.write(table)
    if asked.write:
        text = PAGE.read_text(encoding="utf-8")
        before, _, rest = text.partition(BEGIN)
        PAGE.write_text(before + BEGIN + table + END + rest.partition(END)[2], encoding="utf-8")


if __name__ == "__main__":
    main()
