"""The known formats by name."""

from collections.abc import Mapping
from types import MappingProxyType

from auditor.log.reading.presets import json_presets, line_presets
from auditor.log.reading.presets.base import LogPreset

PRESETS: Mapping[str, LogPreset] = MappingProxyType(
    {preset.name: preset for preset in (*json_presets.PRESETS, *line_presets.PRESETS)}
)
