"""Reads files that others made: regular ones alone, of bounded size, each opened and read once.

Small JSON files of this person's that several programs change are replaced under a lock.

Whoever needs a small file from outside (a manifest, a signature, a policy, a project, profiles, a
list of queries) gets it here. A pipe or a device is refused without waiting for it, also where it
is put there between the look and the opening; what is read is what is judged, since nobody reads
the file a second time. JSON is taken within limits that keep later code from harm: of depth, of
numbers, of keys that stand twice, of halves of surrogate pairs.
"""

import contextlib
import gzip
import io
import json
import math
import os
import stat
import tempfile
import time
import tomllib
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from auditor import platform
from auditor.messages import DisplayText, as_phrase, phrase

WAIT = 10.0
"""Seconds for which a file is waited that another program changes."""

DEEPEST = 40
"""Lists and objects within each other in JSON that is taken."""

MOST_CONTAINERS = 1_000_000
"""Lists and objects in JSON that is taken: two bytes of it make an object of 64 in memory."""

_LARGEST_NUMBER = 1 << 63


def write_private_file(path: Path, data: bytes) -> None:
    """Write a new file that only its owner may read; nothing is left of one that fails.

    Raises `OSError`, also where something stands there.
    """
    handle = platform.create_private_file(path)
    try:
        with os.fdopen(handle, "wb") as file:
            platform.restrict_to_owner(handle)
            file.write(data)
            file.flush()
            os.fsync(handle)
    except OSError:
        with contextlib.suppress(OSError):
            path.unlink()
        raise


class UnfitFile(ValueError):
    """A file that is refused; its text is the reason, to be read after the file's name: "missing".

    Its cause is the system's error, if there was one.
    """

    @property
    def reason(self) -> DisplayText:
        """Why, to stand in another message."""
        return as_phrase(self.args[0])


def open_regular(path: Path, *, follow: bool = True) -> BinaryIO:
    """Open a regular file, unbuffered; raises `UnfitFile` for anything else.

    Without `follow` a link is refused, too.
    """
    try:
        # A look first: opening a device can act on it. Another one afterwards, at what was opened.
        status = path.stat() if follow else path.lstat()
        if not stat.S_ISREG(status.st_mode):
            raise UnfitFile(phrase("not a regular file"))
        handle = platform.open_for_reading(path, follow=follow)
    except FileNotFoundError as error:
        raise UnfitFile(phrase("missing")) from error
    except OSError as error:
        raise UnfitFile(phrase("unreadable ({strerror})", strerror=error.strerror)) from error
    except UnfitFile:
        raise
    except ValueError as error:  # NUL in the name
        raise UnfitFile(phrase("unreadable")) from error
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise UnfitFile(phrase("not a regular file"))
    return os.fdopen(handle, "rb", buffering=0)


def read_bounded(path: Path, byte_limit: int, *, follow: bool = True) -> bytes:
    """A regular file's content of at most `byte_limit` bytes; raises `UnfitFile`."""
    with open_regular(path, follow=follow) as file:
        pieces, remaining = [], byte_limit + 1
        try:
            while remaining and (piece := file.read(min(remaining, 1 << 20))):
                pieces.append(piece)
                remaining -= len(piece)
        except OSError as error:
            raise UnfitFile(phrase("unreadable ({strerror})", strerror=error.strerror)) from None
    if not remaining:
        raise UnfitFile(phrase("larger than {size}", size=as_phrase(_format_size(byte_limit))))
    return b"".join(pieces)


def read_text(path: Path, byte_limit: int) -> str:
    """A file of UTF-8 text, plain or packed with gzip, of at most `byte_limit` bytes once unpacked.

    A byte-order mark is left out. Raises `UnfitFile`.
    """
    data = read_bounded(path, byte_limit)
    if data[:2] == b"\x1f\x8b":
        try:
            data = gzip.GzipFile(fileobj=io.BytesIO(data)).read(byte_limit + 1)
        except (EOFError, OSError, zlib.error):
            raise UnfitFile(phrase("damaged or cut short")) from None
        if len(data) > byte_limit:
            size = as_phrase(_format_size(byte_limit))
            raise UnfitFile(phrase("larger than {size} once unpacked", size=size))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UnfitFile(phrase("not UTF-8 text (line {line:,})", line=line)) from None


def parse_toml(text: str) -> dict[str, Any]:
    """What TOML says; raises `UnfitFile` for what is none."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UnfitFile(phrase("no TOML: {error}", error=str(error)[:200])) from None
    except RecursionError:
        raise UnfitFile(phrase("no TOML: nested too deep")) from None
    except ValueError:  # what Python says of a number of 5,000 digits
        raise UnfitFile(phrase("no TOML: a number that is too long")) from None


def parse_json(data: bytes) -> Any:
    """What JSON says; raises `UnfitFile` for what is none, or goes beyond the limits."""
    if data.count(b"[") + data.count(b"{") > MOST_CONTAINERS:
        raise UnfitFile(phrase("not valid JSON (too many lists and objects)"))
    try:
        text = data.decode("utf-8-sig")
        plain = json.loads(
            text,
            object_pairs_hook=_refuse_duplicates,
            parse_constant=_no_constant,
            parse_int=_parse_integer,
            parse_float=_parse_real,
        )
    except json.JSONDecodeError as error:
        position = phrase("line {line:,}, column {column:,}", line=error.lineno, column=error.colno)
        raise UnfitFile(phrase("not valid JSON ({where})", where=as_phrase(position))) from None
    except UnfitFile:
        raise
    except UnicodeDecodeError:
        raise UnfitFile(phrase("not valid JSON (not UTF-8 text)")) from None
    except RecursionError:
        raise UnfitFile(phrase("not valid JSON (nested too deep)")) from None
    if is_deeper(plain, DEEPEST):
        raise UnfitFile(phrase("not valid JSON (nested too deep)"))
    try:
        if "\\u" in text:
            json.dumps(plain, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        raise UnfitFile(phrase("not valid JSON (half a surrogate pair)")) from None
    return plain


@contextlib.contextmanager
def locked_json(path: Path) -> Iterator[Callable[[Any], None]]:
    """Hold a JSON file of this person's, made with its folder; yields what replaces its content.

    Whoever reads it within the block and writes what came of that loses no change of another
    program. Raises `OSError`; the file is then as it was.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = platform.open_lock_file(path.with_name(f".{path.name}.lock"))
    try:
        _wait_for_lock(lock)
        yield lambda plain: _replace_json(path, plain)
    finally:
        os.close(lock)


def _wait_for_lock(lock: int) -> None:
    end = time.monotonic() + WAIT
    while True:
        try:
            return platform.lock_file(lock)
        except BlockingIOError:
            if time.monotonic() > end:
                raise
            time.sleep(0.02)
        except OSError:  # some network file systems can't lock
            return None


def _replace_json(path: Path, plain: Any) -> None:
    handle, scratch = tempfile.mkstemp(dir=path.parent, prefix=f".{path.stem}-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            json.dump(plain, out)
            out.flush()
            os.fsync(out.fileno())
        Path(scratch).replace(path)
    except BaseException:
        Path(scratch).unlink(missing_ok=True)
        raise


def is_deeper(plain: Any, depth: int) -> bool:
    """Whether lists and objects stand in each other deeper than `depth`."""
    level = [plain]
    for _ in range(depth):
        level = [
            inner
            for outer in level
            if isinstance(outer, dict | list)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return False
    return True


def _refuse_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    plain = dict(pairs)
    if len(plain) != len(pairs):
        raise UnfitFile(phrase("not valid JSON (a key stands twice)"))
    return plain


def _no_constant(_name: str) -> None:
    raise UnfitFile(phrase("not valid JSON (NaN or Infinity)"))


def _parse_integer(digits: str) -> int:
    number = int(digits) if len(digits) <= 20 else _LARGEST_NUMBER
    if not -_LARGEST_NUMBER <= number < _LARGEST_NUMBER:
        raise UnfitFile(phrase("not valid JSON (a number beyond 64 bits)"))
    return number


def _parse_real(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise UnfitFile(phrase("not valid JSON (a number beyond 64 bits)"))
    return number


def _format_size(size: int) -> DisplayText:
    if size >= 1 << 20:
        return phrase("{megabytes:,} MB", megabytes=size >> 20)
    return phrase("{kilobytes:,} kB", kilobytes=size >> 10)
