"""Longer sentences that people read, as data in ``resources/sentences``.

Each file holds tables of templates (see `auditor.messages.phrase`), a table for each subject. What
stands in a place ``{name!t}`` is translated with the sentence.
"""

import functools
import tomllib
from collections.abc import Mapping
from typing import Any

from auditor.messages import DisplayText, phrase
from auditor.resource_files import resource_path


def sentence(key: str, /, **places: Any) -> DisplayText:
    """The sentence ``subject.name`` with its places filled. Raises KeyError for an unknown key."""
    return phrase(read_sentences()[key], **places)


@functools.cache
def read_sentences() -> Mapping[str, str]:
    """Every template, by ``subject.name``."""
    files = sorted(resource_path("sentences").glob("*.toml"))
    tables = [tomllib.loads(file.read_text("utf-8")) for file in files]
    return {
        f"{subject}.{name}": template
        for table in tables
        for subject, templates in table.items()
        for name, template in templates.items()
    }
