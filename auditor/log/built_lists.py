"""Word lists in the form in which they are searched, built once and kept for the next run.

Building takes seconds, reading what was built a tenth of one. It stands in the person's cache
folder, in a folder that nobody else may write to: whoever writes there says what is a name. It
holds what the program's own lists say, and nothing of a log.
"""

import functools
import hashlib
import os
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar, get_origin, get_type_hints

import numpy as np

from auditor import platform
from auditor.arrays import Array
from auditor.log.kernel_cache import PACKAGE, is_private
from auditor.resource_files import resource_path

T = TypeVar("T")

_SOURCES = ("attacks/detection/*.py", "log/*.py")
_LISTS = ("detection", "names", "places", "words")


def keep_between_runs(name: str) -> Callable[[Callable[[], T]], Callable[[], T]]:
    """Make a function that builds something of the lists build it once, for later processes too.

    What it returns is made of arrays, collections of lines, numbers, and classes of such fields.
    """

    def decorate(build: Callable[[], T]) -> Callable[[], T]:
        @functools.cache
        @functools.wraps(build)
        def find_or_build() -> T:
            folder = platform.find_cache_home() / "query-log-auditor"
            with suppress(OSError):
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not is_private(folder):
                return build()
            path = folder / f"{name}-{_describe_sources()}.npz"
            with suppress(Exception):  # missing or damaged: what that raises is anybody's guess
                stored: T = _restore(get_type_hints(build)["return"], "", np.load(path))
                return stored
            built = build()
            with suppress(OSError):  # where nothing can be written, it is built again anyway
                _write(path, built)
                for older in folder.glob(f"{name}-*.npz"):
                    if older != path:
                        older.unlink(missing_ok=True)
            return built

        return find_or_build

    return decorate


def _flatten(value: Any, place: str, arrays: dict[str, Array]) -> None:
    """Put what a value is made of under names that say where it stood."""
    names = _name_fields(type(value))
    for name in names:
        _flatten(getattr(value, name), f"{place}.{name}", arrays)
    if not names:
        lines = isinstance(value, tuple | frozenset | set)
        text = "\n".join(value).encode() if lines else b""
        arrays[place] = np.frombuffer(text, np.uint8) if lines else np.asarray(value)


def _restore(kind: Any, place: str, arrays: Mapping[str, Array]) -> Any:
    """The value of that kind that `_flatten` took apart."""
    if names := _name_fields(kind):
        kinds = get_type_hints(kind)
        return kind(**{name: _restore(kinds[name], f"{place}.{name}", arrays) for name in names})
    array = arrays[place]
    if get_origin(kind) is np.ndarray:
        return array
    if kind is int:
        return int(array)
    lines = array.tobytes().decode().split("\n")
    return tuple(lines) if get_origin(kind) is tuple else frozenset(lines)


def _name_fields(kind: Any) -> tuple[str, ...]:
    """The fields of a named tuple or data class; empty for everything else."""
    return getattr(kind, "_fields", ()) or tuple(getattr(kind, "__dataclass_fields__", ()))


def _write(path: Path, built: Any) -> None:
    """Write a file atomically: other processes read the old one, or none, until it is complete."""
    arrays: dict[str, Array] = {}
    _flatten(built, "", arrays)
    handle, name = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            np.savez(file, **arrays)  # type: ignore[arg-type]
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


@functools.cache
def _describe_sources() -> str:
    """A digest of all that what is built depends on: code, lists, versions."""
    files = [path for pattern in _SOURCES for path in PACKAGE.glob(pattern)]
    files += [path for name in _LISTS for path in resource_path(name).iterdir()]
    files.append(resource_path("companies.txt.gz"))
    file_facts = (
        (path.name, (stat := path.stat()).st_size, stat.st_mtime_ns) for path in sorted(files)
    )
    state = repr((version("query-log-privacy-auditor"), *file_facts))
    return hashlib.sha256(state.encode()).hexdigest()[:32]
