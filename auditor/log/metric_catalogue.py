"""What a feature says of its results, as data in ``resources/metrics``: metrics, tables, notes.

A file for each kind of feature (attacks, measures, methods) holds by feature a table for each
metric, and under ``tables``, ``figures`` and ``notes`` what these say. Texts are templates (see
`auditor.messages.phrase`). What is worked out at run time is given beside the name.
"""

import functools
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from auditor.figures import Axis, Figure, MetricValue, Series, Table, UserReference
from auditor.messages import DisplayText, phrase
from auditor.resource_files import resource_text

CARD = (
    *("title", "summary", "source", "cost", "guarantee", "weakness"),
    *("people", "unsampled", "because"),
)


@dataclass(frozen=True)
class MetricCatalogue:
    """The words of one feature; called with a name and a value, it gives the `MetricValue`.

    Everything raises KeyError for a name that the catalogue has not; `places` fill the templates.
    """

    kind: Literal["attacks", "measures", "methods"]
    feature: str

    def __call__(
        self,
        name: str,
        value: float,
        /,
        *,
        named: str = "",
        interval: tuple[float, float] | None = None,
        who: UserReference | None = None,
        unit: str = "",
        better: Literal["higher", "lower", ""] = "",
        side: Literal["privacy", "utility", ""] = "",
        **places: Any,
    ) -> MetricValue:
        """The metric `name` with its value; further arguments replace words of the catalogue.

        `named` is the name of one of several metrics that share their words.
        """
        words = self._words[name]
        return MetricValue(
            named or name,
            _fill(words["label"], places),
            value,
            unit=words.get("unit", unit),
            help=_fill(words.get("help", ""), places),
            better=words.get("better", better),
            side=words.get("side", side),
            interval=interval,
            who=who,
        )

    def table(
        self,
        name: str,
        rows: Sequence[Sequence[Any]],
        /,
        *,
        named: str = "",
        columns: Iterable[str] = (),
        units: Iterable[str] = (),
        note: str = "",
        source: str = "",
        who: Mapping[int, UserReference] | None = None,
        row_units: Iterable[str] = (),
        **places: Any,
    ) -> Table:
        """The table `name` with its rows; further arguments replace words of the catalogue."""
        words = self._words["tables"][name]
        return Table(
            named or name,
            _fill(words["title"], places),
            tuple(columns) or tuple(_fill(column, places) for column in words["columns"]),
            rows,
            note=note or _fill(words.get("note", ""), places),
            source=source or words.get("source", ""),
            private=words.get("private", False),
            who=who or {},
            own_words=words.get("own_words", False),
            units=tuple(units) or tuple(words.get("units", ())),
            row_units=tuple(row_units),
        )

    def figure(
        self,
        name: str,
        series: Iterable[Series],
        *,
        named: str = "",
        categories: Sequence[str] = (),
        note: str = "",
        source: str = "",
        own_words: bool = False,
        places: Mapping[str, Any] | None = None,
        **more: Any,
    ) -> Figure:
        """The plot `name` with its axes; `categories` are those of the x axis.

        `more` are further fields of `Figure`; what is given stands for what the catalogue lacks.
        """
        words = self._words["figures"][name]
        filled = places or {}
        x, y = (words[axis] | {"label": _fill(words[axis]["label"], filled)} for axis in "xy")
        return Figure(
            named or name,
            _fill(words["title"], filled),
            Axis(**x, categories=tuple(categories)),
            Axis(**y),
            tuple(series),
            note=note or _fill(words.get("note", ""), filled),
            source=source or words.get("source", ""),
            private=words.get("private", False),
            own_words=own_words or words.get("own_words", False),
            **more,
        )

    def say(self, name: str, /, **places: Any) -> DisplayText:
        """The note `name`."""
        return _fill(self._words["notes"][name], places)

    @property
    def card(self) -> dict[str, Any]:
        """The words by which a feature is chosen: fields of its `Method`, `Attack`, `Measure`."""
        notes = self._words["notes"]
        return {part: notes[part] for part in CARD if part in notes}

    @property
    def _words(self) -> Mapping[str, Any]:
        return _read_catalogue(self.kind)[self.feature]


def _fill(template: str, places: Mapping[str, Any]) -> DisplayText:
    return phrase(template, **places) if places and "{" in template else template


@functools.cache
def _read_catalogue(kind: str) -> Mapping[str, Mapping[str, Any]]:
    return tomllib.loads(resource_text(f"metrics/{kind}.toml"))
