"""Coarser values of the columns kept beside a log, in place before anything else sees them.

By a rule (the device of a user agent, the base language of a tag) or by a table of one's own: a
column of values, and one for each level, like a city's region and its country. A value that the
rule or the table doesn't have is taken away:
it would stand finer than all others. Which value a row gets depends on that row alone.
O(rows + distinct values).
"""

import csv
import dataclasses
import re
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

from auditor.bounded_files import UnfitFile, read_text
from auditor.errors import ParameterError
from auditor.log.model import NONE, Attribute, QueryLog, Vocabulary, number_by_appearance
from auditor.log.sentences import sentence

LEVEL = "#"
"""What stands between a table's path and the level that is taken."""
LARGEST_TABLE = 1 << 26
"""Bytes of a table of coarser values."""
_DEVICES = (
    ("bot", re.compile(r"(?i)bot\b|crawl|spider|slurp|^(curl|wget|python|java)\b")),
    ("tv", re.compile(r"(?i)smart-?tv|\btv\b|appletv|playstation|xbox|nintendo")),
    ("tablet", re.compile(r"(?i)ipad|tablet|kindle|silk/|android(?!.*mobi)")),
    ("phone", re.compile(r"(?i)mobi|phone|ipod|android|opera mini|blackberry")),
    ("desktop", re.compile(r"(?i)windows nt|macintosh|x11|cros|linux|desktop")),
)
"""Kinds of devices by what stands in a user agent, the first that fits."""
_LANGUAGE = re.compile(r"\s*([A-Za-z]{2,3})(?![A-Za-z0-9])")


RULES: Mapping[str, Callable[[str], str]] = {
    "device": lambda agent: next((kind for kind, shape in _DEVICES if shape.search(agent)), ""),
    "language": lambda tag: base[1].lower() if (base := _LANGUAGE.match(tag)) else "",
}


def read_coarsening(text: str | None) -> dict[str, tuple[str, Callable[[str], str]]]:
    """For each column of ``column=rule,column=table.csv`` what that is called, and what it does.

    Raises `ParameterError` for a text of another form, or a table that can't be read.
    """
    return {
        name: (Path(source).name, RULES[source] if source in RULES else _read_table(source))
        for name, source in split_coarsening(text).items()
    }


def split_coarsening(text: str | None) -> dict[str, str]:
    """The rule or the table's path by column; raises `ParameterError` for another form."""
    sources: dict[str, str] = {}
    for pair in text.split(",") if text else ():
        name, _, source = (part.strip() for part in pair.partition("="))
        if not name or not source or name in sources:
            raise ParameterError("coarsen", sentence("coarsening.form", rules=", ".join(RULES)))
        sources[name] = source
    return sources


def list_levels(path: Path) -> list[str]:
    """The names of a table's columns behind its values; raises `ParameterError` if it has none."""
    levels = [name.strip() for row in _read_rows(path)[:1] for name in row[1:]]
    if not levels:
        raise ParameterError("coarsen", sentence("coarsening.row", name=path.name, row=1))
    return levels


def _read_rows(path: Path) -> list[list[str]]:
    try:
        lines = read_text(path, LARGEST_TABLE).removeprefix("\ufeff").splitlines()
    except UnfitFile as error:
        raise ParameterError(
            "coarsen", sentence("coarsening.table", name=path.name, error=error.reason)
        ) from None
    delimiter = next((mark for mark in "\t;" if lines and mark in lines[0]), ",")
    return list(csv.reader(lines, delimiter=delimiter))


def _read_table(source: str) -> Callable[[str], str]:
    """What a table says of a value, in its second column or that of the level named behind a #."""
    is_path = Path(source).is_file() or LEVEL not in source
    name, _, level = (source, "", "") if is_path else source.rpartition(LEVEL)
    path = Path(name)
    rows, levels = _read_rows(path), list_levels(path)
    if (level or len(levels) > 1) and level not in levels:
        message = sentence("coarsening.level", name=path.name, levels=", ".join(levels[:10]))
        raise ParameterError("coarsen", message)
    place = 1 + levels.index(level) if level else 1
    table: dict[str, str] = {}
    for number, row in enumerate(rows, 1):
        if row and (
            len(row) != len(levels) + 1
            or table.setdefault(row[0].strip(), row[place].strip()) != row[place].strip()
        ):
            raise ParameterError("coarsen", sentence("coarsening.row", name=path.name, row=number))
    return lambda value: table.get(value.strip(), "")


def coarsen_attributes(log: QueryLog, text: str | None) -> QueryLog:
    """The log with coarser values of the columns that a text names; see `read_coarsening`.

    Raises `ParameterError` for a column that isn't kept beside the log, too.
    """
    if not text:
        return log
    attributes, origin = dict(log.attributes), log.origin
    notes, coarsened = [], dict(origin.coarsened)
    for name, (source, coarsen) in read_coarsening(text).items():
        if name not in attributes:
            raise ParameterError("coarsen", sentence("coarsening.unknown", name=name))
        codes, texts = attributes[name]
        values = [coarsen(value) for value in texts.list_strings()]
        number: dict[str, int] = {}
        new = [number.setdefault(value, len(number)) if value else NONE for value in values]
        new_codes = np.array([*new, NONE], dtype=np.int32)[codes]
        attributes[name] = Attribute(*number_by_appearance(new_codes, Vocabulary.of(number)))
        lost = int(np.count_nonzero(codes != NONE) - np.count_nonzero(new_codes != NONE))
        coarsened[name] = source
        counts = {"values": len(texts), "coarser": len(number), "lost": lost}
        notes.append(sentence("coarsening.done", name=name, way=source, **counts))
    origin = dataclasses.replace(origin.add_notes(*notes), coarsened=coarsened)
    return dataclasses.replace(log, attributes=attributes, origin=origin)
