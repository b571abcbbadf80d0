"""A project as plain values for JSON, and back; what is read is checked to the last entry."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from auditor.engine.plan import Intent, Plan
from auditor.engine.run import Run
from auditor.errors import LogFormatError, ParameterError
from auditor.log.reading.column_mapping import ReadOptions
from auditor.log.sentences import sentence
from auditor.methods.registry import METHODS
from auditor.project import settings
from auditor.project.dataclass_codec import DataclassReader, to_plain
from auditor.project.model import REASONS, LogFacts, Places, Project, QueryReview, SessionNote
from auditor.project.reading import JsonNode, ProjectError
from auditor.project.results import read_results
from auditor.project.settings import GatheredSettings, SettingsCheck

LARGEST_POLICY = 1 << 20
LARGEST_SIGNED = 64 << 20

_WORKSPACES = ("log", "protect", "risk", "compare", "release")
_READING = (
    "format", "columns", "delimiter", "header", "quoting", "encoding", "time_format",
    "time_zone", "table", "spellings", "shared_ids", "since", "until", "only_users",
    "coarsen",
)  # fmt: skip
_NAMED = ("parquet", "arrow", "jsonl", "web-server", "w3c")
"""Formats whose columns have names of their own: in others a name could be a row's text."""


def plain_project(project: Project) -> dict[str, Any]:
    """All but the results of runs, which stand in entries of their own."""
    return {
        "intent": to_plain(project.intent),
        "log": None if project.log is None else to_plain(project.log),
        "policy": project.policy,
        "runs": [
            to_plain(run) | {"plan": to_plain(run.plan), "results": run.outcome is not None}
            for run in project.runs
        ],
        "current": project.current,
        "notes": [to_plain(note) for note in project.notes if not note.empty],
        **({"review": to_plain(project.review)} if project.review.queries else {}),
        **({"signed": project.signed} if project.signed else {}),
        "layout": dict(project.layout),
    }


def files_of(project: Project) -> dict[str, Path]:
    """The files that a project names, for this machine's own memory."""
    found: dict[str, Path] = {}
    plans = [run.plan for run in project.runs]
    held = [params for _, params in project.intent.values]
    held += [plan.params for plan in plans]
    for params in held:
        found |= settings.files_of(params)
    return {name: path.absolute() for name, path in found.items()}


def read_project(node: JsonNode, parts: Mapping[str, JsonNode], places: Places) -> Project:
    """The project in plain values, with results by letter in `parts`; raises `ProjectError`."""
    said = GatheredSettings()
    check = SettingsCheck(places, said)
    reader = DataclassReader(
        {
            LogFacts: _check_log,
            SessionNote: _check_note,
            Intent: check.check_intent,
            Plan: check.check_plan,
        }
    )
    log = node["log"]
    runs = [_decode_run(one, parts, reader, said) for one in node["runs"].iterate_entries(10_000)]
    kept = tuple(run for run in runs if run is not None)
    letters = [run.letter for run in kept]
    if len(set(letters)) < len(letters):
        raise node["runs"].make_error("runs of different letters")
    return Project(
        intent=reader.read(Intent, node["intent"]),
        log=None if log.missing else reader.read(LogFacts, log),
        policy=node["policy"].read_exact_text("", LARGEST_POLICY),
        runs=kept,
        current=node["current"].read_text(""),
        notes=tuple(reader.read(SessionNote, one) for one in node["notes"].iterate_entries()),
        review=_decode_review(node["review"], reader),
        signed=node["signed"].read_exact_text("", LARGEST_SIGNED),
        layout=_decode_layout(node["layout"]),
        warnings=tuple(said),
    )


# --- the log ----------------------------------------------------------------------------------


def _check_log(node: JsonNode, log: LogFacts) -> LogFacts:
    for name in ("rows", "users", "queries"):
        if not node[name].missing:
            node[name].read_integer(0)
    for one in node["names"].iterate_entries(100_000):
        settings.bare_name(one)
    return dataclasses.replace(log, reading=_encode_reading(node["reading"]))


def plain_reading(options: ReadOptions | None) -> dict[str, Any]:
    """How a log is read, as a project may tell: columns by place, or by a format's names."""
    if options is None:
        return {}
    usual = ReadOptions()
    told = {
        name: value
        for name in _READING
        if (value := getattr(options, name)) != getattr(usual, name) and name != "columns"
    }
    columns = {
        role: column
        for role, column in options.columns.items()
        if isinstance(column, int) or options.format in _NAMED
    }
    return told | ({"columns": columns} if columns else {})


def _encode_reading(node: JsonNode) -> dict[str, Any]:
    kept = {name: one for name, one in node.items() if name in _READING}
    values: dict[str, Any] = {
        name: {role: part.value for role, part in one.items()} if name == "columns" else one.value
        for name, one in kept.items()
    }
    try:
        ReadOptions(**values)
    except (ParameterError, LogFormatError, TypeError, ValueError, LookupError):
        raise node.make_error("a way of reading a log that this version knows") from None
    return values


# --- runs and notes ---------------------------------------------------------------------------


def _decode_run(
    node: JsonNode, parts: Mapping[str, JsonNode], reader: DataclassReader, said: GatheredSettings
) -> Run | None:
    letter = node["letter"].read_text(longest=4)
    if not (letter.isascii() and letter.isalpha() and letter.isupper()):
        raise node["letter"].make_error("letters from A to Z")
    method = node["plan"]["method"].read_text()
    if method not in set(METHODS):
        said.add_sentence(sentence("codec.run_left_version_such", method=method[:40]))
        return None
    plan = reader.read(Plan, node["plan"])
    has = node["results"].read_flag()
    if has and letter not in parts:
        raise ProjectError(sentence("codec.project_damaged_results_run", letter=letter))
    results = read_results(parts[letter]) if has else {}
    run = reader.read(Run, node, plan=plan, reopened=True, **results)
    if has and run.active:  # it was made again when the project was saved
        run.state = "finished"
    elif run.active or (run.state == "finished" and not has):
        run.state = "cancelled"  # it was at work when the project was saved
    return run


def _check_note(node: JsonNode, note: SessionNote) -> SessionNote:
    node["start"].read_integer(0)
    if note.stop <= note.start:
        raise node.make_error("a session of one row at least")
    if not node["dismissed"].missing:
        node["dismissed"].one_of("", *REASONS)
    if note.confirmed and note.dismissed:
        raise node.make_error("a session that is confirmed or dismissed, not both")
    return note


def _decode_review(node: JsonNode, reader: DataclassReader) -> QueryReview:
    """The sample that was drawn, and how far it is judged; projects of older versions have none."""
    if node.missing:
        return QueryReview()
    review = reader.read(QueryReview, node)
    drawn = Counter(one.stratum for one in review.queries)
    if any(one.row < 0 for one in review.queries) or not set(drawn) <= {
        -1,
        *range(len(review.strata)),
    }:
        raise node.make_error("queries of its strata")
    if any(drawn[at] > one.size for at, one in enumerate(review.strata)):
        raise node.make_error("no more queries of a stratum than it has")
    return review


# --- layout -----------------------------------------------------------------------------------


def _decode_layout(node: JsonNode) -> dict[str, Any]:
    """Which workspace was shown. Files of earlier versions tell of panels that are gone."""
    if node.missing or node["workspace"].missing:
        return {}
    return {"workspace": node["workspace"].one_of(*_WORKSPACES)}
