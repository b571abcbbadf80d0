"""Unpacking gzip, bzip2, xz and zstd piece by piece, each piece of bounded size.

Streams end to end are one. A damaged stream raises what its library raises, one that is cut
short or followed by something else `EOFError`; `sources` turns both into an error that names
the file.
"""

from __future__ import annotations

import bz2
import functools
import lzma
import sys
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any

CHUNK = 256 * 1024
XZ_MEMORY = 512 * 2**20
ZSTD_WINDOW = 27
"""Logarithm of the bytes that a stream may look back."""
MOST_EMPTY = 10_000
"""Streams that hold nothing, in one file: programs write a few, and each one costs time."""

_FED = 16 * 1024
"""Packed bytes given to a decompressor at once: what it leaves over is copied."""


class TooManyStreams(ValueError):
    """A file holds more empty streams than any program writes."""


def open_expander(kind: str, packed: Callable[[int], bytes]) -> Callable[[memoryview], int]:
    """A function that fills views from one or more compressed streams end to end."""
    source = _PackedBytes(packed)
    if kind in ("gzip", "zstd"):
        return fill_from(_gunzip(source) if kind == "gzip" else _unzstd(source))
    xz = functools.partial(lzma.LZMADecompressor, lzma.FORMAT_XZ, memlimit=XZ_MEMORY)
    make, magic = (bz2.BZ2Decompressor, b"BZh") if kind == "bzip2" else (xz, b"\xfd7zXZ\x00")
    return fill_from(_expand_streams(source, lambda: _expand_stream(source, make()), magic))


def fill_from(pieces: Iterator[bytes]) -> Callable[[memoryview], int]:
    """A function that fills views from pieces of bytes."""
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


def fill_view(stream: Any, view: memoryview) -> int:
    """Fill a view by as many reads as it takes; how many bytes came, fewer only at the end."""
    done = 0
    while done < len(view) and (got := stream.readinto(view[done:])):
        done += got
    return done


class PieceStream(ABC):
    """A stream made of another one's bytes, piece by piece; `stream` has `consumed`."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._fill = fill_from(self._iterate_pieces())

    @property
    def consumed(self) -> int:
        """Bytes of the disk read so far."""
        return int(self._stream.consumed)

    def readinto(self, view: memoryview) -> int:
        """Fill as much of `view` as comes at once; 0 at the end."""
        return self._fill(view)

    @abstractmethod
    def _iterate_pieces(self) -> Iterator[bytes]:
        """The pieces one after the other."""


class _PackedBytes:
    """The packed bytes of a file: what was taken too much can be given back."""

    def __init__(self, more: Callable[[int], bytes]) -> None:
        self._more = more
        self._held = b""
        self._at = 0
        self._empty = 0

    def take_bytes(self, most: int) -> bytes:
        """The next bytes, `most` of them at the most; none only at the end of the file."""
        if self._at == len(self._held):
            self._held, self._at = self._more(CHUNK), 0
        piece = self._held[self._at : self._at + most]
        self._at += len(piece)
        return piece

    def give_back(self, count: int) -> None:
        """Put back the last bytes of the piece that was taken last."""
        self._at -= count

    def peek_bytes(self, size: int) -> bytes:
        """The next `size` bytes, which stay where they are; fewer at the end of the file."""
        while len(self._held) - self._at < size:
            more = self._more(CHUNK)
            if not more:
                break
            self._held, self._at = self._held[self._at :] + more, 0
        return self._held[self._at : self._at + size]

    def skip(self, size: int) -> None:
        """Pass over bytes that must be there."""
        while size:
            piece = self.take_bytes(min(size, CHUNK))
            if not piece:
                raise EOFError
            size -= len(piece)

    def skip_padding(self) -> None:
        """Pass over zeros."""
        while piece := self.take_bytes(_FED):
            if rest := piece.lstrip(b"\0"):
                self.give_back(len(rest))
                return

    def count_empty(self) -> None:
        """Note that a stream held nothing; raises `TooManyStreams`."""
        self._empty += 1
        if self._empty > MOST_EMPTY:
            raise TooManyStreams


def _gunzip(packed: _PackedBytes) -> Iterator[bytes]:
    def expand_one() -> Iterator[bytes]:
        machine = zlib.decompressobj(wbits=31)
        data = b""
        while not machine.eof:
            data = data or _take_piece(packed, _FED)
            yield machine.decompress(data, CHUNK * 4)
            data = machine.unconsumed_tail
        packed.give_back(len(machine.unused_data))

    return _expand_streams(packed, expand_one, b"\x1f\x8b")


def _expand_stream(packed: _PackedBytes, machine: Any) -> Iterator[bytes]:
    """One stream of bzip2, xz or zstd."""
    while not machine.eof:
        data = _take_piece(packed, _FED) if machine.needs_input else b""
        yield machine.decompress(data, CHUNK * 4)
    packed.give_back(len(machine.unused_data))


def _expand_streams(
    packed: _PackedBytes, stream: Callable[[], Iterator[bytes]], magic: bytes
) -> Iterator[bytes]:
    """Streams end to end, perhaps with zeros between them."""
    while True:
        yield from _count_empty_streams(packed, stream())
        packed.skip_padding()
        start = packed.peek_bytes(len(magic))
        if not start:
            return
        if start != magic:
            raise EOFError


def _unzstd(packed: _PackedBytes) -> Iterator[bytes]:
    zstd = load_zstd()
    window = {zstd.DecompressionParameter.window_log_max: ZSTD_WINDOW}
    try:
        while start := packed.peek_bytes(8):
            if start[1:4] == b"\x2a\x4d\x18" and 0x50 <= start[0] <= 0x5F:
                if len(start) < 8:
                    raise EOFError
                packed.skip(8 + int.from_bytes(start[4:], "little"))
                continue
            machine = zstd.ZstdDecompressor(options=window)
            yield from _count_empty_streams(packed, _expand_stream(packed, machine))
    except zstd.ZstdError:
        raise EOFError from None


def load_zstd() -> Any:
    """Python's module for zstd, or its backport where Python has none yet."""
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    return zstd


def _count_empty_streams(packed: _PackedBytes, pieces: Iterator[bytes]) -> Iterator[bytes]:
    """The pieces of one stream, which is counted if there is nothing in them."""
    empty = True
    for piece in pieces:
        empty = empty and not piece
        yield piece
    if empty:
        packed.count_empty()


def _take_piece(packed: _PackedBytes, most: int) -> bytes:
    data = packed.take_bytes(most)
    if not data:
        raise EOFError
    return data
