"""Whose work is in the bundle and under which licence: ``python packaging/licences.py WORK OUT``.

WORK is PyInstaller's folder of work, whose tables say from where each file came. Writes
``OUT/LICENCES.txt``, one line for each distribution, library of the system, and Python itself, and
``OUT/licences/NAME/…`` with their texts. Without WORK and OUT it prints the lines for everything
that is installed beside it. Standard library only.
"""

from __future__ import annotations

import importlib.metadata
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

COMMON = Path("/usr/share/common-licenses")
TEXTS = {"LGPL-3": "LGPL-3", "GPL-3": "GPL-3", "Apache": "Apache-2.0", "GPL-2": "GPL-2"}
"""Beginnings of a licence's name → Debian's file of its text, for what brings no text along."""
_TEXT = re.compile(r"licen[cs]e|copying|notice|authors|copyright", re.IGNORECASE)
_QT = """Qt and PySide are used under the LGPL, version 3. Their libraries lie as files of their own
under _internal/PySide6, so that you may put your own builds in their place. Their source code:
https://download.qt.io/official_releases/QtForPython/ and https://download.qt.io/archive/qt/
Libraries of Debian and Ubuntu: their source code, for the version named, is what
https://snapshot.debian.org/ and https://launchpad.net/ubuntu/+source/NAME hold. For them, all
licences are listed that occur in their source code, tests and tools included.
"""


@dataclass(frozen=True)
class Part:
    """Something that comes along: its name, version, licence, and the files that tell its terms."""

    name: str
    version: str
    licence: str
    texts: tuple[Path, ...]

    def line(self) -> str:
        """As it stands in the list."""
        return f"{self.name:<28} {self.version:<24} {self.licence}"


def _field(about: importlib.metadata.PackageMetadata, name: str) -> str:
    """What one field of a distribution's metadata says; empty without it."""
    return about[name] if name in about else ""  # noqa: SIM401 - the type has no `get`


def part_of(distribution: importlib.metadata.Distribution) -> Part:
    """A distribution's name, version and licence as its own metadata say."""
    about = distribution.metadata
    classes = [
        entry.split(" :: ")[-1]
        for entry in about.get_all("Classifier") or []
        if entry.startswith("License :: ") and not entry.endswith("OSI Approved")
    ]
    field = _field(about, "License").strip()
    short = field if field and "\n" not in field and len(field) < 80 else ""
    licence = _field(about, "License-Expression") or " OR ".join(classes) or short or "see its text"
    texts = [
        Path(str(distribution.locate_file(entry)))
        for entry in distribution.files or []
        if _TEXT.search(entry.name if ".dist-info" in str(entry) else "")
        and entry.suffix not in (".py", ".pyc")
    ]
    if not texts:
        texts = [
            COMMON / file
            for beginning, file in TEXTS.items()
            if beginning in licence or beginning in field
        ]
    return Part(about["Name"], distribution.version, licence, tuple(texts))


def python_part() -> Part:
    """The interpreter and its standard library."""
    places = (
        Path(sysconfig.get_path("stdlib"), "LICENSE.txt"),
        Path(f"/usr/share/doc/python{sysconfig.get_python_version()}/copyright"),
    )
    texts = tuple(place for place in places if place.is_file())[:1]
    return Part("Python", sys.version.split()[0], "PSF-2.0", texts)


def system_parts(files: Iterable[Path]) -> list[Part]:
    """The Debian packages that the libraries of the system came from."""
    owners: dict[str, None] = {}
    for file in sorted(files):
        for spelling in (str(file), str(file.resolve()), str(file.resolve()).removeprefix("/usr")):
            done = subprocess.run(["dpkg", "-S", spelling], capture_output=True, text=True)
            if done.returncode == 0:
                owners[done.stdout.split(": ")[0].split(",")[0]] = None
                break
        else:
            raise SystemExit(f"Nobody knows where {file} comes from, so not under which licence.")
    parts = []
    for owner in owners:
        command = ["dpkg-query", "-W", "-f=${Version}", owner]
        version = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        name = owner.split(":")[0]
        notice = Path("/usr/share/doc", name, "copyright")
        licences = set(
            re.findall(r"^License: *(\S.*)$", notice.read_text("utf-8", "replace"), re.MULTILINE)
        )
        parts.append(Part(name, version, ", ".join(sorted(licences)) or "see its text", (notice,)))
    return parts


def sources(work: Path) -> set[Path]:
    """The files that PyInstaller's tables name."""
    named: set[str] = set()
    for table in work.rglob("*.toc"):
        if table.name.startswith(("PYZ", "COLLECT", "PKG", "EXE")):
            named.update(re.findall(r"""['"](/[^'"\n]+)['"]""", table.read_text("utf-8")))
    return {path for path in map(Path, named) if path.is_file() and work not in path.parents}


def parts(work: Path | None) -> list[Part]:
    """Everything that comes along, or without `work` everything that is installed."""
    installed = list(importlib.metadata.distributions())
    if work is None:
        return sorted(map(part_of, installed), key=lambda part: part.name.lower())
    used = sources(work)
    result, owned = [], set()
    for package in installed:
        files = {Path(str(package.locate_file(file))).resolve() for file in package.files or []}
        if used & files or package.metadata["Name"] == "pyinstaller":
            result.append(part_of(package))
            owned |= files
    result.sort(key=lambda part: part.name.lower())
    homes = [Path(sys.prefix), Path(sys.base_prefix, "lib"), Path(sysconfig.get_path("stdlib"))]
    homes.append(Path(__file__).resolve().parent)
    system = {
        path
        for path in used
        if path.resolve() not in owned
        and ".so" in path.name
        and not any(home in path.parents and home != Path("/usr/lib") for home in homes)
    }
    return [*result, python_part(), *system_parts(system)]


def write(parts: Iterable[Part], out: Path) -> None:
    """The list and the texts; raises `SystemExit` for what has no text."""
    lines = [_QT]
    for part in parts:
        if not part.texts:
            raise SystemExit(f"There is no text of the licence of {part.name} ({part.licence}).")
        lines.append(part.line())
        folder = out / "licences" / part.name
        folder.mkdir(parents=True, exist_ok=True)
        for number, text in enumerate(part.texts):
            name = text.name if not (folder / text.name).exists() else f"{number}-{text.name}"
            shutil.copyfile(text, folder / name)
    (out / "LICENCES.txt").write_text("\n".join(lines) + "\n", "utf-8")


def main() -> None:
    """Write the list and the texts, or print the list."""
    if len(sys.argv) > 1:
        write(parts(Path(sys.argv[1])), Path(sys.argv[2]))
    else:
        sys.stdout.writelines(f"{part.line()}\n" for part in parts(None))


if __name__ == "__main__":
    main()
