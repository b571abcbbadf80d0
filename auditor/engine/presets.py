"""Settings of deployed and ordered releases, by name: plans that come with the program."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from auditor.log.sentences import sentence
from auditor.messages import DisplayText, as_phrase, join_phrases
from auditor.resource_files import resource_path, resource_text


@dataclass(frozen=True)
class ReleasePreset:
    """A method with parameters, for whom they are known, and what nobody published."""

    name: str
    title: str
    method: str
    columns: tuple[str, ...]
    sources: tuple[str, ...]
    unknown: tuple[str, ...]
    params: Mapping[str, Any] = field(default_factory=dict)
    policy: str = ""

    @property
    def notes(self) -> tuple[DisplayText, ...]:
        """What it is, the columns it had, what it leaves open, and from where it is known."""
        unknown = join_phrases("; ", map(as_phrase, self.unknown))
        columns = sentence("presets.columns", columns=", ".join(self.columns))
        return (
            sentence("presets.title", name=self.name, title=self.title),
            *([columns] if self.columns else []),
            *([sentence("presets.unknown", unknown=unknown)] if self.unknown else []),
            sentence("presets.sources", sources="; ".join(self.sources)),
        )


def preset_files() -> dict[str, Path]:
    return {file.stem: file for file in sorted(resource_path("presets").glob("*.toml"))}


def read_preset(name: str) -> ReleasePreset:
    """One by its name; raises KeyError where there is none."""
    plain = tomllib.loads(resource_text(f"presets/{preset_files()[name].name}"))
    description = plain.pop("about")
    columns, sources, unknown = (
        tuple(description.get(key, ())) for key in ("columns", "sources", "unknown")
    )
    return ReleasePreset(
        name, description["title"], **plain, columns=columns, sources=sources, unknown=unknown
    )
