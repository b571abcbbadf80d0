"""Take the builder's own folders out of programs and libraries: ``python run_paths.py FOLDER``.

A library may say where the loader shall look for others. What a Python built on this machine says
is a folder of this machine; on another one, somebody else could put a library there. Run paths
relative to the library itself (``$ORIGIN``) stay. Knows 64-bit ELF of either byte order.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Iterator
from pathlib import Path

DYNAMIC, LOAD = 2, 1
NULL, STRINGS, RPATH, RUNPATH = 0, 5, 15, 29


def foreign(data: bytes) -> tuple[bytes, list[str]]:
    """The file without run paths that name a folder outright, and those run paths."""
    if data[:5] != b"\x7fELF\x02":
        return data, []
    order = "<" if data[5] == 1 else ">"
    found = _entries(data, order)
    if found is None:
        return data, []
    start, entries, strings = found
    kept, gone = [], []
    for tag, value in entries:
        said = _text(data, strings + value) if tag in (RPATH, RUNPATH) else ""
        outright = [not one.startswith("$ORIGIN") for one in said.split(":") if one]
        if any(outright) and not all(outright):
            raise ValueError(f"mixes folders of both kinds: {said}")
        if any(outright):
            gone.append(said)
        else:
            kept.append((tag, value))
    kept += [(NULL, 0)] * len(gone)
    table = b"".join(struct.pack(f"{order}QQ", *one) for one in kept)
    return data[:start] + table + data[start + len(table) :], gone


def _entries(data: bytes, order: str) -> tuple[int, list[tuple[int, int]], int] | None:
    """Where the dynamic section begins, what it holds, and where its texts begin in the file."""
    headers = list(_headers(data, order))
    dynamic = next((one for one in headers if one[0] == DYNAMIC), None)
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
    """Change what has to be changed, and say how many files that were."""
    changed = 0
    for path in sorted(Path(sys.argv[1]).rglob("*")):
        if path.is_symlink() or not path.is_file():
            continue
        with path.open("rb") as file:
            if file.read(4) != b"\x7fELF":
                continue
        try:
            data, gone = foreign(path.read_bytes())
        except ValueError as error:
            raise SystemExit(f"{path} {error}") from None
        if gone:
            path.write_bytes(data)
            changed += 1
    sys.stdout.write(f"Took this machine's folders out of {changed} files.\n")


if __name__ == "__main__":
    main()
