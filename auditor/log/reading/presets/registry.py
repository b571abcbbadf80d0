"""The known formats by name, and which of them a text is of."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from auditor.log.reading.presets import json_presets, line_presets
from auditor.log.reading.presets.base import LogPreset

PRESETS: Mapping[str, LogPreset] = MappingProxyType(
    {preset.name: preset for preset in (*json_presets.PRESETS, *line_presets.PRESETS)}
)


def detect_preset(lines: Sequence[str]) -> LogPreset | None:
    """The format that the first lines of a text are of, if one is known."""
    return next((preset for preset in PRESETS.values() if preset.detect(lines)), None)
