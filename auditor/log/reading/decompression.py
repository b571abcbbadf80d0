"""Unpacking gzip, bzip2, xz and zstd piece by piece, each piece of bounded size.

Streams end to end are one. A damaged stream raises what its library raises, one that is cut
short or followed by something else `EOFError`; `sources` turns both into an error that names
the file.
"""

import bz2
import lzma
import sys
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from typing import Any

CHUNK = 256 * 1024
XZ_MEMORY = 512 * 2**20
ZSTD_WINDOW = 27
"""Logarithm of the bytes that a stream may look back."""
MOST_EMPTY = 10_000
"""Streams that hold nothing, in one file: programs write a few, and each one costs time."""

_LONGEST_START = 8
"""Bytes that say what a stream is."""
_FED = 16 * 1024
"""Packed bytes given to a decompressor at once: what it leaves over is copied."""


class TooManyStreams(ValueError):
    """A file holds more empty streams than any program writes."""


def fill_from(pieces: Iterator[bytes]) -> Callable[[memoryview], int]:
    """A function that fills views from pieces of bytes."""
    remaining = memoryview(b"")

    def fill(view: memoryview) -> int:
        nonlocal remaining
        while not remaining:
            piece = next(pieces, None)
            if piece is None:
                return 0
            remaining = memoryview(piece)
        size = min(len(remaining), len(view))
        view[:size] = remaining[:size]
        remaining = remaining[size:]
        return size

    return fill


def fill_view(stream: Any, view: memoryview) -> int:
    """Fill a view by as many reads as it takes; how many bytes came, fewer only at the end."""
    done = 0
    while done < len(view) and (got := stream.readinto(view[done:])):
        done += got
    return done


class PieceStream(ABC):
    """A stream made of the `pieces` of another one's bytes; `stream` has `consumed`."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self.pieces = self._iterate_pieces()
        self._fill = fill_from(self.pieces)

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


def expand_streams(kind: str, read_more: Callable[[int], bytes]) -> Iterator[bytes]:
    """The bytes of compressed streams end to end, perhaps with zeros between them.

    `read_more` gives at most so many of the next packed bytes, none at the end.
    """
    magic, make = MACHINES[kind]
    is_zstd, data, empty_streams = kind == "zstd", b"", 0
    errors = (load_zstd().ZstdError,) if is_zstd else ()
    while True:
        data = data if is_zstd else data.lstrip(b"\0")
        while len(data) < _LONGEST_START and (piece := read_more(_FED)):
            data = data + piece if is_zstd else (data + piece).lstrip(b"\0")
        if not data:
            return
        # Frames to be passed over expand to nothing, and programs write any number of them.
        is_passed_over = is_zstd and is_skippable(data)
        if not is_passed_over and not data.startswith(magic):
            raise EOFError
        machine, is_empty = make(), True
        while not machine.eof:
            if not data and getattr(machine, "needs_input", True):
                data = read_more(_FED)
                if not data:
                    raise EOFError
            try:
                piece = machine.decompress(data, CHUNK * 4)
            except errors:
                raise EOFError from None
            data = getattr(machine, "unconsumed_tail", b"")
            is_empty = is_empty and not piece
            yield piece
        data = machine.unused_data
        empty_streams += is_empty and not is_passed_over
        if empty_streams > MOST_EMPTY:
            raise TooManyStreams


def is_skippable(data: bytes) -> bool:
    """Whether bytes begin with a frame of zstd's that is to be passed over."""
    return data[1:4] == b"\x2a\x4d\x18" and 0x50 <= data[0] <= 0x5F


def load_zstd() -> Any:
    """Python's module for zstd, or its backport where Python has none yet."""
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    return zstd


def _make_unzstd() -> Any:
    zstd = load_zstd()
    return zstd.ZstdDecompressor(options={zstd.DecompressionParameter.window_log_max: ZSTD_WINDOW})


MACHINES: Mapping[str, tuple[bytes, Callable[[], Any]]] = {
    "gzip": (b"\x1f\x8b", lambda: zlib.decompressobj(wbits=31)),
    "bzip2": (b"BZh", bz2.BZ2Decompressor),
    "xz": (b"\xfd7zXZ\0", lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=XZ_MEMORY)),
    "zstd": (b"\x28\xb5\x2f\xfd", _make_unzstd),
}
"""How a stream begins, and what expands it."""
