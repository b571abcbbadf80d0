"""The project file: a zip of JSON, written beside its place and renamed into it, mode 0600.

``project.json`` holds the version and everything but results, ``results/A.json`` those of run A.
Whatever a file claims of itself is checked while it is read: names, sizes, types, depth. There is
no pickle in it, no path that is followed, and nothing that is run.
"""

import contextlib
import io
import json
import re
import stat
import zipfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from auditor import platform
from auditor.bounded_files import UnfitFile, parse_json, read_bounded
from auditor.engine.run import Run
from auditor.errors import ExportFailed, ExportRefused
from auditor.log.escaping import printable_text
from auditor.log.sentences import sentence
from auditor.messages import phrase
from auditor.progress import Progress
from auditor.project.codec import plain_project, read_project, strip_result, without_plots
from auditor.project.model import Places, Project
from auditor.project.values import JsonNode, ProjectError, to_plain
from auditor.release.atomic_write import replaced_file, write_file
from auditor.version import __version__

SUFFIX = ".qlpa"
FORMAT = "auditor project"
VERSION = 3
MAIN = "project.json"
PLACES = "places.json"
"""Where files lie on this machine: in recovery files alone, which nobody else may read."""

LARGEST = 128 << 20
"""Bytes of the largest file that is opened."""

LARGEST_PART = 64 << 20
LARGEST_WHOLE = 256 << 20
"""Bytes of one part, and of all of them, once unpacked; ours have some hundred thousand a run."""

MOST_PARTS = 10_002

SMALL, DENSEST = 16 << 20, 100
"""Bytes that any project may unpack to, and how many times its own size a larger one may."""
_PART = re.compile(r"results/([A-Z]{1,4})\.json")
_MOMENT = (1980, 1, 1, 0, 0, 0)
"""What a zip says of when its parts were made: nothing."""

_COMPRESSION = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)

Pack = Callable[[Run], bytes]


# --- writing ----------------------------------------------------------------------------------


def pack_results(result: Run) -> bytes:
    """A run's results as the bytes of its part; without plots and tables if they are huge."""
    run = strip_result(result)
    data = _encode_json(to_plain(run, "results"))
    if len(data) <= LARGEST_PART:
        return data
    return _encode_json(to_plain(without_plots(run), "results"))


def to_bytes(
    project: Project, packed: Pack = pack_results, places: Mapping[str, list[str]] | None = None
) -> bytes:
    """The whole file. `packed` may remember what it gave before: results never change."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:

        def add(name: str, data: bytes) -> None:
            entry = zipfile.ZipInfo(name, _MOMENT)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (stat.S_IFREG | 0o600) << 16
            archive.writestr(entry, data)

        header = {"format": FORMAT, "version": VERSION, "program": __version__}
        add(MAIN, _encode_json(header | plain_project(project)))
        for run in project.runs:
            if run.outcome is not None:
                add(f"results/{run.letter}.json", packed(run.outcome))
        if places is not None:
            add(PLACES, _encode_json(dict(places)))
    return buffer.getvalue()


FileStamp = tuple[int, int, int]


def stamp_of(path: Path) -> FileStamp | None:
    """What tells a file from one that was written to its place later; None if it isn't there."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns, status.st_size


def write_project_file(
    path: Path, data: bytes, *, standing: FileStamp | None = None
) -> FileStamp | None:
    """Put a private file in place, over none but `standing`; its stamp. Raises `ProjectError`."""
    if path.is_dir():
        raise ProjectError(
            phrase("'{name}' is a folder. Choose another name.", name=printable_text(path.name))
        )
    try:
        with contextlib.ExitStack() as stack:
            # Nobody else saves a project there, where a folder is locked without a file in it.
            if not platform.FOLDER_LOCK_FILES:
                with contextlib.suppress(OSError):
                    lock = platform.FolderLock(path.parent)
                    stack.callback(lock.release)
                    lock.acquire(wait=True)
            new = stack.enter_context(replaced_file(path))
            write_file(new, [data])
            if standing is not None and stamp_of(path) not in (None, standing):
                raise ProjectError(
                    sentence("file.project_saved_another_window", name=printable_text(path.name))
                )
            return stamp_of(new)
    except (ExportFailed, ExportRefused) as error:
        raise ProjectError(phrase("The project was not saved. {error}", error=error)) from None


def _encode_json(plain: Any) -> bytes:
    return json.dumps(plain, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode(
        "utf-8",
        "replace",  # half a surrogate pair, which JSON can't say
    )


# --- reading ----------------------------------------------------------------------------------


def read_project_file(
    path: Path,
    places: Places | None = None,
    progress: Progress | None = None,
    *,
    recovery: bool = False,
) -> tuple[Project, dict[str, list[str]]]:
    """The project in a file, and the places that it remembers if it is a recovery file.

    `places` says where files that it names lie on this machine; only a recovery file of this
    person's own may say that, too. Raises `ProjectError`.
    """
    progress = progress or Progress()
    progress.stage("reading the project")
    try:
        data = read_bounded(path, LARGEST)
    except UnfitFile as error:
        raise ProjectError(
            phrase("The project can't be read: it is {error}.", error=error.reason)
        ) from None
    parts = _unpack_parts(data, progress, {MAIN, PLACES} if recovery else {MAIN})
    main = JsonNode(_parse_part(parts[MAIN], MAIN) if MAIN in parts else None)
    if not isinstance(main.value, dict) or main.value.get("format") != FORMAT:
        raise ProjectError("This file is no project of this program. Choose another file.")
    if (version := main["version"].read_integer(1)) != VERSION:
        raise ProjectError(
            sentence("file.project_other_version", version=version, version_2=VERSION)
        )
    progress.stage("checking the project", len(parts))
    outcomes: dict[str, JsonNode] = {}
    for name, data in parts.items():
        if match := _PART.fullmatch(name):
            outcomes[match[1]] = JsonNode(_parse_part(data, name), name)
        progress.advance()
    places_node = JsonNode(_parse_part(parts[PLACES], PLACES) if PLACES in parts else None, PLACES)
    remembered = {
        name: [part.read_text() for part in entry.iterate_entries(100_000)]
        for name, entry in places_node.items()
    }
    paths = {name: Path(raw[0]) for name, raw in remembered.items() if raw} | dict(places or {})
    return read_project(main, outcomes, paths), remembered


def is_project(path: Path) -> bool:
    """Whether a file is meant to be a project, by its name."""
    return path.suffix.lower() == SUFFIX


def _unpack_parts(data: bytes, progress: Progress, known_names: set[str]) -> dict[str, bytes]:
    """The parts of a zip, unpacked within limits that don't trust what it says of itself."""
    parts: dict[str, bytes] = {}
    budget = min(LARGEST_WHOLE, max(SMALL, len(data) * DENSEST))
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
            if len(entries) > MOST_PARTS:
                raise ProjectError("This project has more parts than any of ours.")
            for entry in entries:
                progress.check()
                name = entry.filename
                expected = _PART.fullmatch(name) or name in known_names
                if name in parts or not expected or entry.compress_type not in _COMPRESSION:
                    raise ProjectError("This project has parts that none of ours has.")
                with archive.open(entry) as file:
                    byte_limit = min(budget, LARGEST_PART)
                    parts[name] = file.read(byte_limit + 1)
                if len(parts[name]) > byte_limit:
                    raise ProjectError("This project unpacks to more than is taken in.")
                budget -= len(parts[name])
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ValueError, OSError):
        # a RuntimeError for packing that zipfile doesn't know, or a password
        raise ProjectError(
            "This project is damaged, or no project of this program: it can't be unpacked."
        ) from None
    return parts


def _parse_part(data: bytes, name: str) -> Any:
    try:
        return parse_json(data)
    except UnfitFile as error:
        raise ProjectError(
            phrase("This project is damaged: {name} is {error}.", name=name, error=error.reason)
        ) from None
