"""Make libraries fit for other machines: ``python libraries.py FOLDER``.

Symbols are stripped, which are a tenth of a bundle; but some libraries that were changed after
they were linked can't be loaded once they are stripped, and stay as they were.

The builder's own folders are taken out. A library may say where the loader shall look for others.
What a Python built on this machine says is a folder of this machine; on another one, somebody else
could put a library there. Run paths relative to the library itself (``$ORIGIN``) stay.

Knows 64-bit ELF of either byte order.
"""

from __future__ import annotations

import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

DYNAMIC, LOAD = 2, 1
NULL, STRINGS, RPATH, RUNPATH = 0, 5, 15, 29
PAGE = 4096


def loadable(data: bytes) -> bool:
    """Whether each part lies in its page of the file as it shall in memory."""
    order = "<" if data[5] == 1 else ">"
    loads = [header for header in _headers(data, order) if header[0] == LOAD]
    return bool(loads) and all((address - offset) % PAGE == 0 for _, offset, address, _ in loads)


def stripped(path: Path) -> bytes:
    """The file without symbols, or as it is if it couldn't be loaded without them."""
    data = path.read_bytes()
    with tempfile.TemporaryDirectory() as place:
        output = Path(place, "made")
        done = subprocess.run(["strip", "--strip-unneeded", "-o", output, path], check=False)
        if done.returncode or not loadable(output.read_bytes()):
            return data
        return output.read_bytes()


def foreign(data: bytes) -> tuple[bytes, list[str]]:
    """The file without run paths that name a folder outright, and those run paths."""
    if data[:5] != b"\x7fELF\x02":
        return data, []
    order = "<" if data[5] == 1 else ">"
    section = _entries(data, order)
    if section is None:
        return data, []
    start, entries, strings = section
    remaining, gone = [], []
    for tag, value in entries:
        run_path = _text(data, strings + value) if tag in (RPATH, RUNPATH) else ""
        outright = [not folder.startswith("$ORIGIN") for folder in run_path.split(":") if folder]
        if any(outright) and not all(outright):
            raise ValueError(f"mixes folders of both kinds: {run_path}")
        if any(outright):
            gone.append(run_path)
        else:
            remaining.append((tag, value))
    remaining += [(NULL, 0)] * len(gone)
    table = b"".join(struct.pack(f"{order}QQ", *entry) for entry in remaining)
    return data[:start] + table + data[start + len(table) :], gone


def _entries(data: bytes, order: str) -> tuple[int, list[tuple[int, int]], int] | None:
    """Where the dynamic section begins, what it holds, and where its texts begin in the file."""
    headers = list(_headers(data, order))
    dynamic = next((header for header in headers if header[0] == DYNAMIC), None)
    if dynamic is None:
        return None
    _, start, _, size = dynamic
    entries = list(struct.iter_unpack(f"{order}QQ", data[start : start + size // 16 * 16]))
    address = dict(reversed(entries)).get(STRINGS)
    for kind, offset, first, length in headers:
        if kind == LOAD and address is not None and first <= address < first + length:
            return start, entries, offset + address - first
    return None


def _headers(data: bytes, order: str) -> Iterator[tuple[int, int, int, int]]:
    """Of each program header: type, place in the file, address, size in the file."""
    (begin,) = struct.unpack_from(f"{order}Q", data, 32)
    size, number = struct.unpack_from(f"{order}HH", data, 54)
    for index in range(number):
        kind, _, offset, address, _, length = struct.unpack_from(
            f"{order}IIQQQQ", data, begin + index * size
        )
        yield kind, offset, address, length


def _text(data: bytes, start: int) -> str:
    return data[start : data.index(b"\0", start)].decode("utf-8", "replace")


def main() -> None:
    """Change what has to be changed, and say how much that was."""
    saved = changed = 0
    strip = shutil.which("strip") is not None
    for path in sorted(Path(sys.argv[1]).rglob("*")):
        if path.is_symlink() or not path.is_file():
            continue
        with path.open("rb") as file:
            if file.read(4) != b"\x7fELF":
                continue
        is_library = path.suffix == ".so" or ".so." in path.name  # the starter holds more than code
        original = path.read_bytes()
        data = stripped(path) if strip and is_library else original
        try:
            data, gone = foreign(data)
        except ValueError as error:
            raise SystemExit(f"{path} {error}") from None
        saved += len(original) - len(data)
        changed += bool(gone)
        if data != original:
            path.write_bytes(data)
    sys.stdout.write(f"{saved >> 20} MiB of symbols; this machine's folders in {changed} files\n")


if __name__ == "__main__":
    main()
