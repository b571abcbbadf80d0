"""What columns are usually called, by role: data in ``resources/column_names.toml``."""

import re
import tomllib
from collections.abc import Mapping
from typing import Final

from auditor.resource_files import resource_text

_NAMES: Final = tomllib.loads(resource_text("column_names.toml"))
NAMES: Final[Mapping[str, tuple[str, ...]]] = {r: tuple(n) for r, n in _NAMES["usual"].items()}
"""Column names by role, lower case and without anything but letters and digits."""
ALIKE: Final = {role: (*names, *_NAMES["alike"].get(role, ())) for role, names in NAMES.items()}
"""The same with names like them, for the order of suggestions alone."""
VAGUE_QUERIES: Final = ("search", "keyword", "keywords", "term", "terms", "text")
"""Names of a query that may be something else beside a better one."""


def plain_name(name: str) -> str:
    """A column's name in lower case, its letters and digits alone."""
    return re.sub(r"[\W_]+", "", name.lower())


def role_of(name: str) -> str | None:
    """The role that a column's name suggests, if any."""
    plain = plain_name(name)
    return next((role for role, names in NAMES.items() if plain in names), None)
