"""Where an export may go: the place itself, and whether what stands there may be replaced.

One rule for everything that the program writes where somebody says: what stands there is replaced
only if it was asked for (``--overwrite``) and is of the same kind, and nothing that the very
command reads is ever written to.
"""

import contextlib
import os
from collections.abc import Callable, Iterable
from pathlib import Path

from auditor.errors import ExportFailed, PlaceRefused
from auditor.log.escaping import shorten_text
from auditor.log.sentences import sentence
from auditor.messages import phrase


def check_folder(
    folder: Path,
    replaceable: Callable[[Path], bool],
    *,
    overwrite: bool,
    inputs: Iterable[Path] = (),
) -> Path:
    """The path to fill where nothing, an empty folder, or a replaceable one stands."""
    target = resolve_target(folder)
    refuse_inputs(target, inputs)
    if os.path.lexists(target) and not replaceable(target):
        raise PlaceRefused(sentence("export.folder_holds_other_things", target=quote_name(target)))
    if target.is_dir() and not overwrite and folder_entries(target):
        raise PlaceRefused(_describe_conflict(target))
    return target


def check_file(path: Path, inputs: Iterable[Path] = (), *, overwrite: bool) -> Path:
    """The file to write where nothing, or with `overwrite` an older file, stands.

    Raises `ExportRefused`, and `ExportFailed` where nothing may be written.
    """
    target = resolve_target(path)
    refuse_inputs(target, inputs)
    if target.is_dir() or (target.exists() and not target.is_file()):
        raise PlaceRefused(phrase("{target} is no file. Name a file.", target=quote_name(target)))
    if os.path.lexists(target) and not overwrite:
        raise PlaceRefused(_describe_conflict(target))
    return target


def refuse_inputs(target: Path, inputs: Iterable[Path]) -> None:
    """Raise `ExportRefused` if a place to write to is, or holds, something that is read."""
    refusal = PlaceRefused(sentence("export.would_overwrite_log", target=quote_name(target)))
    for path in inputs:
        source = Path(os.path.realpath(path))  # links in a circle are no error here
        if Path(os.path.realpath(target)) == source:
            raise refusal
        for place in (source, *source.parents):
            with contextlib.suppress(OSError):
                # The very same folder also where names differ in case, and that means nothing.
                if target.samefile(place):
                    raise refusal


def _describe_conflict(target: Path) -> str:
    return sentence("export.stands_there", target=quote_name(target))


def resolve_target(folder: Path) -> Path:
    """The path with its parent resolved and made, the last name as it is."""
    if folder.name in ("", ".."):
        folder = folder.resolve()
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        parent = folder.parent.resolve(strict=True)
        with contextlib.suppress(FileNotFoundError):
            (parent / folder.name).lstat()
    except (OSError, RuntimeError, ValueError):
        raise ExportFailed(
            phrase("{folder} can't be made there. Name another place.", folder=quote_name(folder))
        ) from None
    if not os.access(parent, os.W_OK | os.X_OK):
        raise ExportFailed(sentence("export.beside_not_writable", folder=quote_name(folder)))
    return parent / folder.name


def folder_entries(folder: Path) -> list[str]:
    try:
        return sorted(entry.name for entry in folder.iterdir())
    except OSError:
        raise ExportFailed(
            phrase("{folder} can't be read. Choose another folder.", folder=quote_name(folder))
        ) from None


def quote_name(path: Path) -> str:
    return f"'{shorten_text(path.name or str(path))}'"
