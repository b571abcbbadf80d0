"""Text in other encodings, turned into UTF-8 with line feeds as it streams by."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

from auditor.log.reading.decompression import CHUNK, PieceStream
from auditor.log.reading.sources import SourceStream

MARK = "\udc80"
"""What a byte that the encoding doesn't have becomes: no UTF-8, so that its row is refused."""

WRONG_ENCODING = "The text isn't in the encoding it should be in."
BINARY_SHARE, BINARY_LEAST = 0.05, 16
"""Share and number of control characters above which a beginning is binary data: random bytes have
a share of 0.1, and a log with a few damaged rows has a handful."""
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
"""What no text holds: neither blanks, line ends, form feeds, nor the escape of colours."""


def _mark_bad(error: UnicodeError) -> tuple[str, int]:
    if isinstance(error, UnicodeDecodeError):
        return MARK, max(error.end, error.start + 1)
    raise error


codecs.register_error("auditor-mark", _mark_bad)


def is_utf8(data: bytes) -> bool:
    """Whether bytes are whole characters of UTF-8."""
    if data.isascii():
        return True
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def is_binary(text: str) -> bool:
    """Whether what was read as a text is none: too many of its characters are controls."""
    return len(_CONTROLS.findall(text)) > max(BINARY_LEAST, BINARY_SHARE * len(text))


class TranscodedStream(PieceStream):
    """A stream turned into UTF-8 with line feeds, bytes that can't be as `MARK`."""

    def __init__(self, stream: SourceStream, encoding: str | None, returns: bool) -> None:
        super().__init__(stream)
        self._decoder = codecs.getincrementaldecoder(encoding)("auditor-mark") if encoding else None
        self._returns = returns

    def _iterate_pieces(self) -> Iterator[bytes]:
        ended = False
        while not ended:
            raw = self._stream.read(CHUNK)
            ended = len(raw) < CHUNK
            if self._decoder is not None:
                try:
                    text = self._decoder.decode(raw, ended)
                except UnicodeError:
                    raise self._stream.part.make_error(WRONG_ENCODING) from None
                raw = text.encode("utf-8", "surrogatepass")
            if self._returns:
                raw = raw.replace(b"\r", b"\n")
            yield raw
