"""Where the files of ``resources/`` are: the one module that knows."""

import functools
import sys
from pathlib import Path

from auditor.errors import MissingInput


def resource_path(name: str) -> Path:
    """The path of ``resources/name`` in a source tree, an installed wheel or a frozen bundle.

    Raises
    ------
    MissingInput
        Nothing of that name is there: the installation is damaged.
    """
    path = _find_root() / name
    if not path.exists():
        raise MissingInput(f"The installation lacks the resource '{name}'. Install it again.")
    return path


def resource_text(name: str) -> str:
    """What ``resources/name`` holds, a text in UTF-8; raises as `resource_path` does."""
    return resource_path(name).read_text("utf-8")


@functools.cache
def _find_root() -> Path:
    package = Path(__file__).resolve().parent
    bundle = getattr(sys, "_MEIPASS", None)
    places = [] if bundle is None else [Path(bundle, "auditor", "_resources")]
    places += [package / "_resources", package.parent / "resources"]
    for place in places:
        if (place / "LICENSES.md").is_file():
            return place
    raise MissingInput("The installation lacks its resources. Install it again.")
