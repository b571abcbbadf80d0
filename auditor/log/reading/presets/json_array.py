"""An array of JSON objects, turned into lines of one object each as it streams by."""

from __future__ import annotations

import codecs
import json
from typing import Protocol

CHUNK = 1 << 18
MOST = 8 << 20
"""Bytes of the longest element that is looked for."""
_SPACE = " \t\r\n,"


class ReadableBytes(Protocol):
    """What elements are read from."""

    @property
    def consumed(self) -> int: ...

    def readinto(self, view: memoryview) -> int: ...


def is_array(head: bytes) -> bool:
    """Whether a text begins like an array of objects."""
    text = head.removeprefix(codecs.BOM_UTF8).lstrip()
    return text.startswith(b"[") and text[1:].lstrip().startswith(b"{")


class JsonArrayStream:
    """Elements of an array, each on a line of its own; what isn't JSON is one line that isn't."""

    def __init__(self, stream: ReadableBytes) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
        self._scan = json.JSONDecoder()
        self._text = ""
        self._begun = False
        self._ended = False
        self._rest = memoryview(b"")

    @property
    def consumed(self) -> int:
        """Bytes of the disk read so far."""
        return self._stream.consumed

    def readinto(self, view: memoryview) -> int:
        """Fill as much of `view` as comes at once; 0 at the end."""
        while not self._rest and not self._ended:
            buffer = bytearray(CHUNK)
            got = self._stream.readinto(memoryview(buffer))
            self._text += self._decoder.decode(bytes(buffer[:got]), not got)
            self._ended = not got
            lines = self._split_elements()
            if (self._ended and self._text.strip(_SPACE)) or len(self._text) > MOST:
                lines.append(self._text)  # cut short, or no JSON: one bad line, and no more
                self._ended = True
            self._rest = memoryview(
                "".join(line.replace("\n", " ").replace("\r", " ") + "\n" for line in lines).encode(
                    "utf-8", "surrogateescape"
                )
            )
        size = min(len(self._rest), len(view))
        view[:size] = self._rest[:size]
        self._rest = self._rest[size:]
        return size

    def _split_elements(self) -> list[str]:
        found: list[str] = []
        text, place = self._text, 0
        if not self._begun:
            text = text.lstrip("\ufeff" + _SPACE)
            self._begun = text.startswith("[")
            text = text[1:] if self._begun else text
        while self._begun:
            while place < len(text) and text[place] in _SPACE:
                place += 1
            if text.startswith("]", place):
                text, place, self._ended = "", 0, True
                break
            try:
                _, end = self._scan.raw_decode(text, place)
            except (ValueError, RecursionError):
                break
            if end == len(text) and not self._ended:
                break  # a number may go on
            found.append(text[place:end])
            place = end
        self._text = text[place:]
        return found


class HeldBytes:
    """Bytes in memory as a stream."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.consumed = 0

    def readinto(self, view: memoryview) -> int:
        """Fill `view`; 0 at the end."""
        piece = self._data[self.consumed : self.consumed + len(view)]
        view[: len(piece)] = piece
        self.consumed += len(piece)
        return len(piece)


def array_lines(head: bytes, complete: bool) -> bytes:
    """The whole elements of the beginning of an array as lines."""
    stream = JsonArrayStream(HeldBytes(head))
    made = bytearray()
    view = memoryview(bytearray(CHUNK))
    while got := stream.readinto(view):
        made += view[:got]
    if not complete:  # the last line is what was cut
        made = made[: made.rfind(b"\n", 0, len(made) - 1) + 1]
    return bytes(made)
