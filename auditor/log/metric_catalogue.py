"""What metrics are called: their labels, helps, units and sides, as data in ``resources/metrics``.

A file for each kind of feature (attacks, measures, methods) holds a table for each metric of each
feature. Its ``label`` and ``help`` are templates (see `auditor.messages.phrase`). A metric whose
name or words are worked out at run time is a `MetricValue` written out.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from auditor.figures import MetricValue, UserReference
from auditor.log.gazetteers import resource_path
from auditor.messages import DisplayText, phrase


@dataclass(frozen=True)
class MetricCatalogue:
    """The metrics of one feature; called with a name and a value, it gives the `MetricValue`."""

    kind: Literal["attacks", "measures", "methods"]
    feature: str

    def __call__(
        self,
        name: str,
        value: float,
        *,
        interval: tuple[float, float] | None = None,
        who: UserReference | None = None,
        unit: str = "",
        better: Literal["higher", "lower", ""] = "",
        side: Literal["privacy", "utility", ""] = "",
        **places: Any,
    ) -> MetricValue:
        """The metric `name`; what is given beside the value stands for what the catalogue lacks.

        `places` fill the templates of label and help. Raises KeyError for a name that the
        catalogue has not.
        """
        words = _read_catalogue(self.kind)[self.feature][name]
        return MetricValue(
            name,
            _fill(words["label"], places),
            value,
            unit=words.get("unit", unit),
            help=_fill(words.get("help", ""), places),
            better=words.get("better", better),
            side=words.get("side", side),
            interval=interval,
            who=who,
        )


def _fill(template: str, places: Mapping[str, Any]) -> DisplayText:
    return phrase(template, **places) if places and "{" in template else template


@functools.cache
def _read_catalogue(kind: str) -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
    return tomllib.loads(resource_path(f"metrics/{kind}.toml").read_text("utf-8"))
