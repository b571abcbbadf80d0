"""Puts a whole folder in place at once, or leaves what stood there untouched.

A folder is built in ``.auditor-export-…`` beside its target, which nobody else may read and which
the exporter holds locked; every file is forced to disk; then one rename puts it in place. Where
an older folder is replaced, the two are exchanged in one step, so that at every moment the
target is whole: the old one or the new. Where a file system can't exchange, the old one steps
aside first and comes back if anything fails, or at the next export after a crash.

Whatever kills the exporter (a signal, a full disk, a cancel) leaves at worst such a hidden
folder. The next export beside it removes it, if it is ours and no living exporter holds it.
"""

import contextlib
import errno
import json
import os
import re
import secrets
import shutil
import stat
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from auditor import platform
from auditor.bounded_files import parse_json, read_bounded
from auditor.errors import ExportFailed, ExportRefused

_NAME = re.compile(r"\.auditor-export-[0-9a-f]{16}")
_MARKER, _NEW, _OLD, _DONE = "marker", "new", "old", "done"

Replaceable = Callable[[Path], bool]


@contextlib.contextmanager
def staged_folder(target: Path, *, replaceable: Replaceable | None = None) -> Iterator[Path]:
    """Yield an empty folder that becomes `target` when the block ends without an error.

    The parent of `target` is resolved and exists. `replaceable` says whether a filled folder that
    stands there may be replaced: asked once that has stepped aside, so nothing that came in the
    meantime is lost. Without it nothing but an empty folder is replaced.

    Raises `ExportFailed`: the disk is full or the system refused; `target` is as it was;
    `ExportRefused`: something came to stand at `target` in the meantime.
    """
    try:
        clear_leftovers(target.parent)
        outer, lock = _make_folder(target)
        try:
            yield outer / _NEW
            for place, _, names in os.walk(outer / _NEW):
                for name in names:
                    platform.sync_private_file(Path(place, name))
                platform.sync_folder(Path(place))
            _place_folder(outer, target, replaceable)
        finally:
            _discard_folder(outer, target, lock)
            lock.release()
    except OSError as error:
        raise _make_refusal(error, target) from None


@contextlib.contextmanager
def replaced_file(path: Path) -> Iterator[Path]:
    """Yield a name in a hidden folder beside `path`; the file written there takes its place.

    In one step, and from the same kind of folder as a whole export, so that what a killed program
    leaves is removed by the next one. Raises `ExportFailed`; `path` is then as it was.
    """
    try:
        clear_leftovers(path.parent)
        outer, lock = _make_folder(path)
        try:
            new = outer / _NEW / path.name
            yield new
            new.replace(path)
            platform.sync_folder(path.resolve().parent)
        finally:
            _discard_folder(outer, None, lock)
            lock.release()
    except OSError as error:
        raise _make_refusal(error, path) from None


def write_file(path: Path, blocks: Iterable[bytes]) -> None:
    """Write a new file that only its owner may read, and force it to disk."""
    descriptor = platform.create_private_file(path)
    try:
        for block in blocks:
            remaining = memoryview(block)
            while remaining:
                remaining = remaining[os.write(descriptor, remaining) :]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def clear_leftovers(parent: Path) -> int:
    """Clear what crashed exports left in `parent`: ours, and held by no living exporter.

    How many folders they were.
    """
    cleared = 0
    with contextlib.suppress(OSError), os.scandir(parent) as entries:
        for entry in list(entries):
            with contextlib.suppress(OSError):
                if _NAME.fullmatch(entry.name):
                    _recover_one(Path(entry.path))
                    cleared += not os.path.lexists(entry.path)
    return cleared


def _recover_one(outer: Path) -> None:
    status = outer.lstat()
    if not stat.S_ISDIR(status.st_mode) or not platform.is_own(status):
        return
    lock = platform.FolderLock(outer)
    try:
        lock.acquire()
        names = {entry.name for entry in outer.iterdir()} - platform.FOLDER_LOCK_FILES
        target = _target_of(outer / _MARKER)
        if names - {_MARKER, _NEW, _OLD, _DONE} or (target is None and names - {_MARKER}):
            return
        _discard_folder(outer, outer.parent / target if target is not None else None, lock)
    finally:
        lock.release()


def _target_of(marker: Path) -> str | None:
    """The name that a marker of ours holds, or None for anything else."""
    try:
        content = parse_json(read_bounded(marker, 4096, follow=False))
        name = content["auditor export of"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return name if isinstance(name, str) and name == Path(name).name and name != ".." else None


def _make_folder(target: Path) -> tuple[Path, platform.FolderLock]:
    """A locked, private folder beside `target`, with its marker and the folder to fill."""
    while True:
        outer = target.parent / f".auditor-export-{secrets.token_hex(8)}"
        outer.mkdir(mode=0o700)
        try:
            lock = platform.FolderLock(outer)
        except FileNotFoundError:
            continue  # another export took it for a leftover, as below
        try:
            with contextlib.suppress(OSError):  # some network file systems can't lock a folder
                lock.acquire(wait=True)
            # Another export may have taken the folder for a leftover before it was locked.
            if not lock.is_of(outer):
                lock.release()
                continue
            marker = json.dumps({"auditor export of": target.name})
            write_file(outer / _MARKER, [marker.encode("utf-8", "backslashreplace")])
            (outer / _NEW).mkdir(mode=0o700)
        except OSError:
            _discard_folder(outer, None, lock)
            raise
        return outer, lock


def _place_folder(outer: Path, target: Path, replaceable: Replaceable | None) -> None:
    """Put the new folder in place and force that to disk, or put everything back."""
    new, old = outer / _NEW, outer / _OLD
    aside: Path | None = None
    if replaceable is None or not (target.is_dir() and any(target.iterdir())):
        # A move replaces nothing but an empty folder, whatever came to stand there meanwhile.
        platform.move_folder(new, target)
    elif platform.exchange_folders(new, target):
        aside = new
    else:
        target.rename(old)
        aside = old
    try:
        if aside is not None and replaceable is not None and not replaceable(aside):
            raise OSError(errno.ENOTEMPTY, "not to be replaced")
        if aside == old:
            new.rename(target)
        platform.sync_folder(target.parent)
    except BaseException:
        if aside is None:
            target.rename(new)
        elif aside == new:
            platform.exchange_folders(new, target)
        else:
            if not new.exists():
                target.rename(new)
            old.rename(target)
        raise


def _discard_folder(outer: Path, target: Path | None, lock: platform.FolderLock) -> None:
    """Remove what an export leaves behind, but never the only copy of an older release.

    The marker goes last, so that a removal that is stopped can be taken up again, and the lock
    before the folder, since its file may stand there.
    """
    with contextlib.suppress(OSError):
        if target is not None and (outer / _OLD).exists():
            # Renamed before it is removed: nobody may take half a release for the older one.
            (outer / _OLD).rename(outer / _DONE if os.path.lexists(target) else target)
        for name in (_NEW, _DONE):
            shutil.rmtree(outer / name, ignore_errors=True)
        (outer / _MARKER).unlink(missing_ok=True)
    lock.release()
    with contextlib.suppress(OSError):
        outer.rmdir()


def _make_refusal(error: OSError, target: Path) -> ExportFailed | ExportRefused:
    place, advice = f"'{target.name}'", ""
    kind: type[ExportFailed | ExportRefused] = ExportFailed
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT | errno.EFBIG:
            reason = f"There is not enough room on the disk for {place}."
            advice = " Free some space or choose a folder on another disk."
        case errno.EACCES | errno.EPERM | errno.EROFS:
            reason = f"Nothing may be written beside {place}."
            advice = " Choose a folder that belongs to you."
        case errno.ENOTSUP:
            reason = f"The disk of {place} keeps no file to its owner, as FAT and some shares."
            advice = " Choose a folder on another disk, and copy the release from there."
        case errno.ENOTEMPTY | errno.EEXIST | errno.ENOTDIR:
            reason = f"Something else came to stand at {place} during the export."
            advice, kind = " Choose another folder.", ExportRefused
        case number:
            cause = os.strerror(number) if number else type(error).__name__
            reason = f"The system stopped the export to {place}: {cause}."
    return kind(f"{reason} What stood there before is untouched.{advice}")
