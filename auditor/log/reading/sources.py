"""Where the bytes of a log come from: files, folders, zip members, packed and in any encoding.

The first bytes say how a file is compressed, never its name. Whatever is wrong with a file, what
comes out is one `LogFormatError` that names it; nothing here waits on a pipe or a device, and
nothing expands beyond the limits.
"""

from __future__ import annotations

import codecs
import itertools
import lzma
import os
import re
import stat
import zipfile
import zlib
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from auditor import bounded_files
from auditor.bounded_files import UnfitFile
from auditor.errors import LogFormatError
from auditor.fuzzy_search import did_you_mean
from auditor.log.reading.column_mapping import ReadOptions
from auditor.log.reading.decompression import (
    CHUNK,
    MACHINES,
    MOST_EMPTY,
    PieceStream,
    TooManyStreams,
    expand_streams,
    fill_from,
    fill_view,
    is_skippable,
)
from auditor.log.reading.presets.base import LOG_WORDS
from auditor.log.reading.table_files import TABLE_FILES, list_tables, table_kind, table_lines
from auditor.log.sentences import sentence
from auditor.messages import as_phrase, phrase

MOST_MEMBERS = 10_000
"""Members of a zip archive."""

_ACTIVITY = rf"(?i:{'|'.join(LOG_WORDS['activity'])})"
DONATED = re.compile(rf"{_ACTIVITY}\.(json|html)|(Browser)?History(\.json|\.db)?|places\.sqlite")
"""Files of Google Takeout's and of browsers, each in the folders of a donor."""
_NUMBERED = re.compile(r"(?<=^takeout-\d{8}T\d{6}Z)(-\d+)+\.zip$")
"""A Takeout's folder of products' folders, and what differs in the names of its archives."""
_VERSIONED = ("_delta_log", ".hoodie")
"""Folders of tables whose files may be rows that were deleted or replaced: Delta Lake, Hudi."""
FOREIGN = (
    (b"%PDF", "a PDF document"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive; unpack it first"),
    (b"Rar!", "a RAR archive; unpack it first"),
    (b"ORC", "an ORC file; convert it to Parquet"),
    (b"Obj\x01", "an Avro file; convert it to Parquet"),
    (b"\x7fELF", "a program"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
)


@dataclass(frozen=True)
class SourcePart:
    """One stream of rows: a file, or a member of an archive, workbook or database.

    `size` is bytes on disk.

    `stamp` is the whole file's size and time of change when it was found, None if nobody looked.
    `entry` is what the archive's directory says of a member.
    """

    path: Path
    compression: str
    size: int
    member: str | None = None
    stamp: tuple[int, int] | None = None
    entry: zipfile.ZipInfo | None = field(default=None, compare=False, repr=False)

    @property
    def name(self) -> str:
        """What messages call it."""
        if self.member is None:
            return self.path.name
        return f"{self.path.name}:{self.member.rstrip('/').rsplit('/', 1)[-1]}"

    def make_error(self, message: str, line: int | None = None) -> LogFormatError:
        """A `LogFormatError` that names this part."""
        return LogFormatError(message, path=self.name, line=line)


def name_donors(parts: Sequence[SourcePart]) -> list[str]:
    """Whose each part is: the first folder, archive or file in which it differs from the others.

    What one Takeout holds, in however many numbered archives, is one donor's.
    """
    places = []
    for part in parts:
        names = (*part.path.absolute().parts, *filter(None, (part.member or "").split("/")))
        if len(names) > 3 and re.fullmatch(_ACTIVITY, names[-3]):  # a folder of it for each product
            names = names[: -4 if names[-4] == "Takeout" else -3]
        places.append(tuple(_NUMBERED.sub("", name) for name in names))
    ends = itertools.zip_longest(min(places), max(places))
    shared = next((depth for depth, (first, other) in enumerate(ends) if first != other), None)
    if shared is None:
        return [_NUMBERED.sub("", parts[0].path.name)] * len(parts)
    return [place[min(shared, len(place) - 1)] for place in places]


@dataclass
class SourceFiles:
    """The parts of a log in order, and the files named that are not read.

    Attributes
    ----------
    left_out
        Names of what isn't read, each with the reason.
    gathered
        Whether anything came out of a folder or an archive, where files that aren't logs may lie
        about; of files named one by one, all must be logs.
    """

    parts: list[SourcePart] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)
    gathered: bool = False


def find_parts(paths: Path | str | Sequence[Path | str], options: ReadOptions) -> SourceFiles:
    """The parts of files and folders, of files with several tables the chosen one alone.

    Raises `LogFormatError` for what can't be reached.
    """
    inputs = [paths] if isinstance(paths, str | Path) else list(paths)
    if not inputs:
        raise LogFormatError("No file was named. Name a log file or a folder of them.")
    sources = SourceFiles()
    keys: set[tuple[int, int]] = set()
    for path in map(Path, inputs):
        with _clear_errors(path.name or str(path)):
            try:
                status = path.stat()
            except FileNotFoundError:
                names = [p.name for p in path.parent.iterdir()] if path.parent.is_dir() else []
                text = phrase("There is no such file.{meant}", meant=did_you_mean(path.name, names))
                raise LogFormatError(text, path=path) from None
            files = [path]
            if stat.S_ISDIR(status.st_mode):
                sources.gathered, files = True, _list_folder(path, sources.left_out)
            for file in files:
                with _clear_errors(file.name):
                    status = file.stat()
                    key = (status.st_dev, status.st_ino)
                    if key in keys:
                        sources.left_out[file.name] = "the same file again"
                        continue
                    keys.add(key)
                    parts = _parts_of(file, status, options, sources.left_out)
                    sources.gathered = sources.gathered or parts[0].member is not None
                    sources.parts += parts
    return sources


def _list_folder(path: Path, left_out: dict[str, str]) -> list[Path]:
    """The regular files of a folder in the order people count; of those below it, donors' alone."""
    files: list[Path] = []
    folders = 0
    for entry in sorted(path.iterdir(), key=_make_sort_key):
        try:
            mode = entry.stat().st_mode
        except OSError:
            left_out[entry.name] = "it can't be reached"
            continue
        if stat.S_ISDIR(mode):
            if entry.name in _VERSIONED:
                raise LogFormatError(sentence("sources.versioned_table"), path=path)
            folders += 1
            left_out[entry.name] = "a folder"
        elif entry.name.startswith("."):
            left_out[entry.name] = "a hidden file"
        elif stat.S_ISREG(mode):
            files.append(entry)
        else:
            left_out[entry.name] = "not a regular file"
    if not files and (donated := [p for p in path.rglob("*") if DONATED.fullmatch(p.name)]):
        left_out.clear()
        return sorted(donated)
    if not files:
        hint = "It has folders in it: name one of them." if folders else "Name another one."
        text = phrase("The folder holds no file. {hint}", hint=as_phrase(hint))
        raise LogFormatError(text, path=path)
    return files


def _make_sort_key(path: Path) -> tuple[tuple[int, int, str], ...]:
    return tuple(
        (0, int(piece), "") if piece.isdecimal() else (1, 0, piece)
        for piece in re.split(r"(\d+)", path.name)
        if piece
    )


def _parts_of(
    path: Path, status: os.stat_result, options: ReadOptions, left_out: dict[str, str]
) -> list[SourcePart]:
    stamp = stamp_of(status)
    with open_regular(path) as file:
        head = file.read(512)
        kind, tables = compression_of(head), table_kind(path, head)
        if kind != "zip" and not tables:
            return [SourcePart(path, kind, status.st_size if head else 0, stamp=stamp)]
        if not tables:
            return _list_members(path, file, stamp, options, left_out)
        if kind == "zip":
            _check_members(path, file, stamp, options)
    names, hidden = list_tables(tables, path)
    if not names:
        raise LogFormatError("It holds no table.", path=path)
    if options.table is None:
        left_out.update((f"{path.name}:{name}", "a hidden sheet") for name in hidden)
    elif options.table in (*names, *hidden):
        names = [options.table]
    else:
        listed = ", ".join([*names, *hidden][:20])
        text = phrase("It has no table of that name, but {names}.", names=listed)
        raise LogFormatError(text, path=path)
    return [SourcePart(path, tables, status.st_size, name, stamp) for name in names]


def _check_members(
    path: Path, file: BinaryIO, stamp: tuple[int, int], options: ReadOptions
) -> list[zipfile.ZipInfo]:
    """The members of a zip archive; raises `LogFormatError` if they are too many or too large."""
    with zipfile.ZipFile(file) as archive:
        entries = archive.infolist()
        if len(entries) > MOST_MEMBERS:
            text = sentence("sources.archive_holds_members_unpack", most_members=MOST_MEMBERS)
            raise LogFormatError(text, path=path)
        _refuse_overlaps(path, file, entries, archive.start_dir)
        if excess := options.describe_excess(stamp[0], sum(info.file_size for info in entries)):
            raise LogFormatError(excess, path=path)
        return entries


def _list_members(
    path: Path,
    file: BinaryIO,
    stamp: tuple[int, int],
    options: ReadOptions,
    left_out: dict[str, str],
) -> list[SourcePart]:
    """The members of a zip archive, which together keep to the limits.

    No member yields more than the directory says that it holds, so what the directory says in
    sum bounds them all, as long as no two share packed bytes.
    """
    entries = _check_members(path, file, stamp, options)
    parts = []
    for info in entries:
        name = info.filename
        if name.endswith("/") and not info.file_size:
            continue
        if name.startswith("__MACOSX/") or name.rsplit("/")[-1][:1] == ".":
            left_out[f"{path.name}:{name}"] = "a hidden file"
            continue
        if name in ("[Content_Types].xml", "META-INF/MANIFEST.MF"):
            raise LogFormatError("This is an Office document or a program, no log.", path=path)
        part = SourcePart(path, "zip", info.compress_size, name, stamp, info)
        if info.flag_bits & 1:
            raise part.make_error("This member is encrypted. Unpack the archive first.")
        parts.append(part)
    if not parts:
        raise LogFormatError("The archive holds no file.", path=path)
    return sorted(parts, key=lambda part: _make_sort_key(Path(part.member or "")))


def _refuse_overlaps(
    path: Path, file: BinaryIO, entries: list[zipfile.ZipInfo], directory: int
) -> None:
    """Raise `LogFormatError` if two members stand on the same bytes, or bytes are no member's."""
    behind = 0
    places = sorted((info.header_offset, info.compress_size) for info in entries)
    for begin, size in [*places, (directory, -1)]:
        if begin < behind:
            raise LogFormatError(
                "Two members of the zip archive stand on the same bytes: it is damaged, or made to "
                "fill a disk.",
                path=path,
            )
        if begin > behind + _DATA_DESCRIPTOR:
            raise LogFormatError(
                "The zip archive holds bytes that are no member's, as where two archives stand end "
                "to end. Unpack it, and name the folder.",
                path=path,
            )
        if size >= 0:
            file.seek(begin)
            names = file.read(_LOCAL_HEADER)[26:30]
            behind = begin + _LOCAL_HEADER + size
            behind += int.from_bytes(names[:2], "little") + int.from_bytes(names[2:], "little")


def stamp_of(status: os.stat_result) -> tuple[int, int]:
    """Size and time of change of a file, which differ after it is written to."""
    return status.st_size, status.st_mtime_ns


def is_one_time(first: int, second: int) -> bool:
    """Whether two times in nanoseconds may be one.

    Machines that see one file by different ways are told its time in different units: a network's
    file system may know whole seconds where the disk's own knows nanoseconds.
    """
    return any(
        first // unit == second // unit and 0 in (first % unit, second % unit)
        for unit in (1, 100, 1_000, 1_000_000, 1_000_000_000)
    )


def check_unchanged(parts: Iterable[SourcePart]) -> list[str]:
    """Notes on files that only grew since they were found; what came later is not read.

    Raises `LogFormatError` for one that was cut, rewritten or replaced meanwhile: what was read of
    it may be half of one version and half of another.
    """
    notes = []
    for part in {part.path: part for part in parts if part.stamp is not None}.values():
        try:
            size, modified = stamp_of(part.path.stat())
        except OSError:
            raise part.make_error(
                "The file was removed while it was read. Read it again."
            ) from None
        assert part.stamp is not None
        if size == part.stamp[0] and is_one_time(modified, part.stamp[1]):
            continue
        if part.compression != "none" or size <= part.stamp[0]:
            raise part.make_error(
                "The file was changed while it was read. Wait until nobody writes to it, then "
                "read it again."
            )
        notes.append(sentence("sources.grew_while_read_came", name=part.path.name))
    return notes


def compression_of(head: bytes) -> str:
    """The compression that the first bytes announce; "none" without one."""
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return "zip"
    if is_skippable(head):
        return "zstd"
    return next((kind for kind, (magic, _) in MACHINES.items() if head.startswith(magic)), "none")


def check_unpacked(part: SourcePart, head: bytes) -> None:
    """Refuse what is still packed, or isn't rows at all, after unpacking once."""
    packed = compression_of(head) if part.compression != "none" else "none"
    if packed != "none":
        kinds = {"compression": part.compression, "packed": packed}
        raise part.make_error(sentence("sources.packed_twice_unpack_once", **kinds))
    if head[257:262] == b"ustar":
        raise part.make_error("This is a tar archive. Unpack it and name the folder.")
    if part.compression != "none" and head.startswith((b"PAR1", b"ARROW1")):
        raise part.make_error("This is a Parquet or Arrow file inside an archive. Unpack it first.")
    for magic, format_name in FOREIGN:
        if head.startswith(magic):
            raise part.make_error(phrase("This is {what}.", what=as_phrase(format_name)))


def open_regular(path: Path) -> BinaryIO:
    """Open a regular file for reading; a pipe, device or socket is refused without waiting."""
    with _clear_errors(path.name):
        try:
            return bounded_files.open_regular(path)
        except UnfitFile as error:
            if error.__cause__ is not None:
                raise error.__cause__ from None
            raise LogFormatError(
                "This is no regular file but a pipe or a device.", path=path
            ) from None


_LOCAL_HEADER = 30
"""Bytes that stand before the name of each member of a zip archive."""
_DATA_DESCRIPTOR = 24
"""Bytes that may follow a member: its sum and sizes, where they weren't known before."""

_ERRORS = (
    (FileNotFoundError, "There is no such file."),
    (PermissionError, "You may not read this file."),
    (zipfile.BadZipFile, "The zip archive is damaged or cut short."),
    # what zipfile raises for packing that it doesn't know, or a password
    (RuntimeError, "The zip archive is packed in a way that can't be read. Unpack it first."),
    ((EOFError, zlib.error, lzma.LZMAError), "The archive is damaged or cut short."),
    (TooManyStreams, sentence("sources.archive_holds_empty_parts", most_empty=MOST_EMPTY)),
)
"""What is said of what goes wrong with a file."""


@contextmanager
def _clear_errors(name: str) -> Iterator[None]:
    """Turn whatever goes wrong with a file into one clear error."""
    try:
        yield
    except LogFormatError:
        raise
    except (OSError, EOFError, zlib.error, lzma.LZMAError, RuntimeError, ValueError,
            zipfile.BadZipFile) as error:  # fmt: skip
        text = next((text for kind, text in _ERRORS if isinstance(error, kind)), "")
        if not text and isinstance(error, OSError):
            reason = error.strerror or type(error).__name__
            text = phrase("The file can't be read: {what}.", what=as_phrase(reason))
        raise LogFormatError(text or "The file can't be read.", path=name) from None


class SourceStream:
    """A part's bytes, unpacked; use as a context manager.

    `consumed` is how many bytes of the disk have been read, for progress.
    """

    def __init__(self, part: SourcePart, options: ReadOptions, chunk: int = CHUNK) -> None:
        self.part = part
        self.options = options
        self.consumed = 0
        self._chunk = chunk
        self._expanded = 0
        self._table: Generator[bytes] | None = None
        self._file = open_regular(part.path)
        try:
            with _clear_errors(self.part.name):
                self._read = self._choose_reader()
        except LogFormatError:
            self._file.close()
            raise

    def __enter__(self) -> SourceStream:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the file back."""
        self._file.close()
        if self._table is not None:  # else the rows that nobody read complain of a closed database
            self._table.close()

    def readinto(self, view: memoryview) -> int:
        """Fill as much of `view` as comes at once; 0 at the end."""
        with _clear_errors(self.part.name):
            got = self._read(view)
        self._expanded += got
        if self.part.compression != "none" and got:
            excess = self.options.describe_excess(self.consumed, self._expanded)
            if excess:
                raise self.part.make_error(excess)
        return got

    def read(self, size: int) -> bytes:
        """The next `size` bytes, fewer at the end."""
        buffer = bytearray(size)
        return bytes(memoryview(buffer)[: fill_view(self, memoryview(buffer))])

    def _choose_reader(self) -> Callable[[memoryview], int]:
        match self.part.compression:
            case "none":
                return self._read_plain
            case "zip":
                return self._open_member()
            case kind if kind in TABLE_FILES:
                self._table = table_lines(kind, self.part.path, self.part.member or "")
                fill = fill_from(self._table)

                def fill_table(view: memoryview) -> int:
                    self.consumed = self.part.size
                    return fill(view)

                return fill_table
            case kind:
                return fill_from(expand_streams(kind, self._read_packed))

    def _open_member(self) -> Callable[[memoryview], int]:
        """Reads the member where the directory has it, without reading the directory again."""
        entry = self.part.entry
        assert entry is not None
        self._file.seek(entry.header_offset)
        header = self._file.read(_LOCAL_HEADER)
        if len(header) < _LOCAL_HEADER or header[:4] != b"PK\x03\x04":
            raise zipfile.BadZipFile
        names = int.from_bytes(header[26:28], "little") + int.from_bytes(header[28:30], "little")
        start = self._file.seek(names, os.SEEK_CUR)
        member: Any = zipfile.ZipExtFile(self._file, "r", entry)

        def fill(view: memoryview) -> int:
            # At most so much in one call, so that cancel is heard.
            got = member.readinto(view[:CHUNK])
            self.consumed = min(self._file.tell() - start, self.part.size)
            return int(got or 0)

        return fill

    def _read_plain(self, view: memoryview) -> int:
        # A file that grows while it is read is read up to where it ended.
        remaining = self.part.size - self.consumed
        got = self._file.readinto(view[:remaining]) if remaining > 0 else 0  # type: ignore[attr-defined]
        self.consumed += got
        return int(got)

    def _read_packed(self, size: int) -> bytes:
        data = self._file.read(min(size, self._chunk))
        self.consumed += len(data)
        return data


MARK = "\udc80"
"""What a byte that the encoding doesn't have becomes: no UTF-8, so that its row is refused."""

WRONG_ENCODING = "The text isn't in the encoding it should be in."
BINARY_SHARE, BINARY_LEAST = 0.05, 16
"""Share and number of control characters above which a beginning is binary data: random bytes have
a share of 0.1, and a log with a few damaged rows has a handful."""
_CONTROLS = re.compile("[\x00\x02-\x08\x0e-\x1a\x1c-\x1e\x7f]")
"""What no text holds: neither blanks, line ends, form feeds, delimiters, nor colours' escape."""


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
