"""Unpacking gzip, bzip2, xz and zstd piece by piece, each piece of bounded size.

Streams end to end are one. A damaged stream raises what its library raises, one that is cut
short or followed by something else `EOFError`; `sources` turns both into an error that names
the file.
"""

from __future__ import annotations

import bz2
import lzma
import zlib
from collections.abc import Callable, Iterator
from typing import Any

CHUNK = 256 * 1024
XZ_MEMORY = 512 * 2**20


def expander(kind: str, packed: Callable[[int], bytes]) -> Callable[[memoryview], int]:
    """A function that fills views from one or more compressed streams end to end."""
    steps = {"gzip": _gunzip, "bzip2": _bunzip, "xz": _unxz, "zstd": _unzstd}
    pieces = steps[kind](packed)
    rest = memoryview(b"")

    def fill(view: memoryview) -> int:
        nonlocal rest
        while not rest:
            piece = next(pieces, None)
            if piece is None:
                return 0
            rest = memoryview(piece)
        size = min(len(rest), len(view))
        view[:size] = rest[:size]
        rest = rest[size:]
        return size

    return fill


def _next_stream(packed: Callable[[int], bytes], unused: bytes, magic: bytes) -> bytes | None:
    """Bytes of the stream that follows the one that ended, None at the end of the file."""
    while True:
        unused = unused.lstrip(b"\0")  # padding
        if len(unused) >= len(magic):
            break
        more = packed(CHUNK)
        if not more:
            if unused:
                raise EOFError
            return None
        unused += more
    if not unused.startswith(magic):
        raise EOFError
    return unused


def _gunzip(packed: Callable[[int], bytes]) -> Iterator[bytes]:
    data: bytes | None = packed(CHUNK)
    while data is not None:
        machine = zlib.decompressobj(wbits=31)
        while not machine.eof:
            if not data:
                data = packed(CHUNK)
                if not data:
                    raise EOFError
            yield machine.decompress(data, CHUNK * 4)
            data = machine.unconsumed_tail
        data = _next_stream(packed, machine.unused_data, b"\x1f\x8b")


def _streams(
    packed: Callable[[int], bytes], make: Callable[[], Any], magic: bytes
) -> Iterator[bytes]:
    data: bytes | None = packed(CHUNK)
    while data is not None:
        machine = make()
        while not machine.eof:
            if machine.needs_input and not data:
                data = packed(CHUNK)
                if not data:
                    raise EOFError
            yield machine.decompress(data, CHUNK * 4)
            data = b""
        data = _next_stream(packed, machine.unused_data, magic)


def _bunzip(packed: Callable[[int], bytes]) -> Iterator[bytes]:
    return _streams(packed, bz2.BZ2Decompressor, b"BZh")


def _unxz(packed: Callable[[int], bytes]) -> Iterator[bytes]:
    def make() -> lzma.LZMADecompressor:
        return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=XZ_MEMORY)

    return _streams(packed, make, b"\xfd7zXZ\x00")


def _unzstd(packed: Callable[[int], bytes]) -> Iterator[bytes]:
    import zstandard

    # Four bytes can stand for 128 KiB, and nothing bounds what one call gives: feed it little.
    step = 2048
    data = packed(CHUNK)
    try:
        while data:
            if data[1:4] == b"\x2a\x4d\x18" and 0x50 <= data[0] <= 0x5F:
                data = _skip_frame(packed, data)
                continue
            machine = zstandard.ZstdDecompressor(max_window_size=2**27).decompressobj()
            while not machine.eof:
                if not data:
                    data = packed(CHUNK)
                    if not data:
                        raise EOFError
                yield machine.decompress(data[:step])
                data = data[step:]
            data = machine.unused_data + data
            while len(data) < 4:
                more = packed(CHUNK)
                if not more:
                    break
                data += more
    except zstandard.ZstdError:
        raise EOFError from None


def _skip_frame(packed: Callable[[int], bytes], data: bytes) -> bytes:
    while len(data) < 8:
        more = packed(CHUNK)
        if not more:
            raise EOFError
        data += more
    left = 8 + int.from_bytes(data[4:8], "little")
    while len(data) < left:
        left -= len(data)
        data = packed(CHUNK)
        if not data:
            raise EOFError
    return data[left:]
