"""The project file: a zip of JSON, written beside its place and renamed into it, mode 0600.

``project.json`` holds the version and everything but results, ``results/A.json`` those of run A.
Whatever a file claims of itself is checked while it is read: names, sizes, types, depth, to the
last entry. There is no pickle in it, no path that is followed, and nothing that is run.

What may hold query text isn't stored: of tables and plots those go in whose words are all the
program's own (`own_words`), or that have none but their headings; of details the numbers. A file is
named, and never where it lies; keys and seeds aren't written. What this version doesn't know, or no
longer takes, is left at its default and said in words.
"""

from __future__ import annotations

import contextlib
import dataclasses
import io
import json
import math
import re
import stat
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, TypeVar, get_args

import numpy as np

from auditor import platform
from auditor.attacks.base import AttackResult
from auditor.attacks.dp_audit import summary
from auditor.attacks.registry import ATTACKS
from auditor.bounded_files import UnfitFile, parse_json, read_bounded
from auditor.engine.plan import Intent, Plan, PlanStep, checked_weights
from auditor.engine.run import Run
from auditor.errors import ExportFailed, ExportRefused, LogFormatError, ParameterError
from auditor.figures import Figure, Series, Table, is_storable
from auditor.log.escaping import printable_text
from auditor.log.reading.column_mapping import READ_FLAGS, ReadOptions
from auditor.log.sentences import sentence
from auditor.measures.base import MeasureResult
from auditor.measures.registry import MEASURES
from auditor.messages import phrase
from auditor.methods.registry import METHODS
from auditor.params import ParamKind, Params
from auditor.progress import Progress
from auditor.project.model import REASONS, LogFacts, Places, Project, QueryReview, SessionNote
from auditor.project.values import (
    DataclassReader,
    JsonNode,
    ProjectError,
    is_secret,
    json_number,
    to_plain,
)
from auditor.registry import Registry
from auditor.release.atomic_write import replaced_file, write_file
from auditor.release.kept_content import KeptContent
from auditor.release.record import GateOutcome, GateVerdict
from auditor.version import __version__

LARGEST_POLICY = 1 << 20
LARGEST_SIGNED = 64 << 20

_WORKSPACES = ("log", "protect", "risk", "compare", "release")
_READING = (*READ_FLAGS, "columns", "delimiter", "quoting")
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
    all_params = [params for _, params in project.intent.values]
    all_params += [run.plan.params for run in project.runs]
    paths = [
        getattr(params, spec.name)
        for params in all_params
        for spec in params.specs()
        if spec.kind is ParamKind.PATH and not is_secret(spec.name)
    ]
    return {path.name: path.absolute() for path in paths if path is not None}


def read_project(node: JsonNode, parts: Mapping[str, JsonNode], places: Places) -> Project:
    """The project in plain values, with results by letter in `parts`; raises `ProjectError`."""
    check = SettingsCheck(places)
    reader = DataclassReader(
        {
            LogFacts: _check_log,
            SessionNote: _check_note,
            Intent: check.check_intent,
            Plan: check.check_plan,
        }
    )
    log = node["log"]
    runs = [_decode_run(raw, parts, reader, check) for raw in node["runs"].iterate_entries(10_000)]
    known_runs = tuple(run for run in runs if run is not None)
    letters = [run.letter for run in known_runs]
    if len(set(letters)) < len(letters):
        raise node["runs"].make_error("runs of different letters")
    layout = node["layout"].items()
    return Project(
        intent=reader.read(Intent, node["intent"]),
        log=None if log.missing else reader.read(LogFacts, log),
        policy=node["policy"].read_exact_text("", LARGEST_POLICY),
        runs=known_runs,
        current=node["current"].read_text(""),
        notes=tuple(reader.read(SessionNote, entry) for entry in node["notes"].iterate_entries()),
        review=_decode_review(node["review"], reader),
        signed=node["signed"].read_exact_text("", LARGEST_SIGNED),
        layout={name: entry.one_of(*_WORKSPACES) for name, entry in layout if name == "workspace"},
        warnings=tuple(check.issues),
    )


# --- the log ----------------------------------------------------------------------------------


def _check_log(node: JsonNode, log: LogFacts) -> LogFacts:
    for name in ("rows", "users", "queries"):
        if not node[name].missing:
            node[name].read_integer(0)
    for item in node["names"].iterate_entries(100_000):
        bare_name(item)
    reading: dict[str, Any] = {
        name: {role: part.value for role, part in item.items()} if name == "columns" else item.value
        for name, item in node["reading"].items()
        if name in _READING
    }
    try:
        ReadOptions(**reading)
    except (ParameterError, LogFormatError, TypeError, ValueError, LookupError):
        node = node["reading"]
        raise node.make_error("a way of reading a log that this version knows") from None
    return dataclasses.replace(log, reading=reading)


def plain_reading(options: ReadOptions | None) -> dict[str, Any]:
    """How a log is read, as a project may tell: columns by place, or by a format's names."""
    if options is None:
        return {}
    usual = ReadOptions()
    reading = {
        name: value
        for name in _READING
        if (value := getattr(options, name)) != getattr(usual, name) and name != "columns"
    }
    columns = {
        role: column
        for role, column in options.columns.items()
        if isinstance(column, int) or options.format in _NAMED
    }
    return reading | ({"columns": columns} if columns else {})


# --- runs and notes ---------------------------------------------------------------------------


def _decode_run(
    node: JsonNode, parts: Mapping[str, JsonNode], reader: DataclassReader, check: SettingsCheck
) -> Run | None:
    letter = node["letter"].read_text(longest=4)
    if not (letter.isascii() and letter.isalpha() and letter.isupper()):
        raise node["letter"].make_error("letters from A to Z")
    method = node["plan"]["method"].read_text()
    if method not in set(METHODS):
        check.add_issue(sentence("codec.run_left_version_such", method=method[:40]))
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
    """The sample that was drawn, and how far it is judged."""
    if node.missing:
        return QueryReview()
    review = reader.read(QueryReview, node)
    drawn_counts = Counter(query.stratum for query in review.queries)
    known_strata = {-1, *range(len(review.strata))}
    if any(query.row < 0 for query in review.queries) or not set(drawn_counts) <= known_strata:
        raise node.make_error("queries of its strata")
    if any(drawn_counts[index] > stratum.size for index, stratum in enumerate(review.strata)):
        raise node.make_error("no more queries of a stratum than it has")
    return review


# --- parameters, intents and plans --------------------------------------------------------------


def public_parameters(params: Mapping[str, Any]) -> dict[str, Any]:
    """A result's own account of its parameters, without secrets and places."""
    public: dict[str, Any] = {}
    for name, value in params.items():
        if is_secret(name):
            continue
        plain = value.item() if hasattr(value, "item") else value
        if isinstance(plain, Path):
            public[name] = plain.name
        elif isinstance(plain, str):
            absolute = PurePosixPath(plain).is_absolute() or PureWindowsPath(plain).is_absolute()
            public[name] = PureWindowsPath(plain).name if absolute else plain
        elif plain is None or isinstance(plain, bool | int | float):
            public[name] = json_number(plain) if isinstance(plain, float) else plain
    return public


def bare_name(node: JsonNode) -> str:
    """A file's name, and nothing that could lead anywhere."""
    name = node.read_text(longest=255)
    is_bare = PurePosixPath(name).name == name == PureWindowsPath(name).name
    if not is_bare or name in ("", ".", "..") or name != node.value:
        raise node.make_error("the plain name of a file")
    return name


class SettingsCheck:
    """Gives an intent and a plan their parameters, which are read by the names beside them.

    `issues` are what could not be taken as it stands, in words, each said once.
    """

    def __init__(self, places: Places) -> None:
        self._places = places
        self.issues: list[str] = []

    def add_issue(self, text: str) -> None:
        if text not in self.issues and len(self.issues) < 100:
            self.issues.append(text)

    def check_intent(self, node: JsonNode, intent: Intent) -> Intent:
        """The intent as far as this version knows its parts; raises `ProjectError`."""
        method = intent.method
        if method not in set(METHODS):
            self.add_issue(sentence("settings.version_method_another_chosen", method=method[:40]))
            method = next(iter(METHODS))
        checks = [
            *self._read_pairs(intent.checks, ATTACKS),
            *self._read_pairs(intent.checks, MEASURES),
        ]
        return dataclasses.replace(
            intent,
            method=method,
            values=self._read_pairs(intent.values, METHODS, "method"),
            attacks=self._keep_known(intent.attacks, ATTACKS, "attack"),
            measures=self._keep_known(intent.measures, MEASURES, "measure"),
            checks=tuple(sorted(checks, key=lambda pair: pair[0])),
            rule_weights=_check_weights(node, intent.rule_weights),
        )

    def check_plan(self, node: JsonNode, plan: Plan) -> Plan:
        """The plan with the attacks and measures that this version knows; of a known method."""
        params: Any = plan.params
        attacks, measures = (
            self._read_pairs([(step.name, step.params) for step in steps], registry)
            for steps, registry in ((plan.attacks, ATTACKS), (plan.measures, MEASURES))
        )
        return dataclasses.replace(
            plan,
            params=self._read_params(plan.what.params, params),
            attacks=tuple(PlanStep(*pair) for pair in attacks),
            measures=tuple(PlanStep(*pair) for pair in measures),
            rule_weights=_check_weights(node, plan.rule_weights),
        )

    def _read_pairs(
        self, pairs: Iterable[tuple[str, Any]], registry: Registry[Any], kind: str = ""
    ) -> tuple[tuple[str, Params], ...]:
        """Those of a registry with their parameters; the others are said where they have a kind."""
        pairs = list(pairs)
        if kind:
            self._keep_known([name for name, _ in pairs], registry, kind)
        return tuple(
            (name, self._read_params(registry[name].params, node))
            for name, node in pairs
            if name in set(registry)
        )

    def _keep_known(
        self, names: Iterable[str] | None, registry: Iterable[str], kind: str
    ) -> tuple[str, ...] | None:
        """The names that a registry has, in its order; the others are said."""
        if names is None:
            return None
        for name in names:
            if name not in set(registry):
                lacks = phrase("This version has no {what} '{name}'.", what=kind, name=name[:40])
                self.add_issue(lacks)
        return tuple(name for name in registry if name in names)

    def _read_params(self, kind: type[Params], node: JsonNode) -> Params:
        """Parameters with every value that is still taken; the others stand at their defaults."""
        by_name = {spec.name: spec for spec in kind.specs()}
        values: dict[str, Any] = {  # None is never written
            name: None
            for name, spec in by_name.items()
            if spec.optional and spec.kind is not ParamKind.PATH
        }
        for name, entry in node.items():
            if name not in by_name or is_secret(name):
                places = {"owner": kind.owner, "name": name[:40]}
                self.add_issue(
                    phrase("This version's {owner} has no parameter '{name}'.", **places)
                )
                continue
            spec, value = by_name[name], entry.value
            if spec.kind is ParamKind.PATH:
                file = bare_name(entry["file"])
                value = self._places.get(file)
                if value is None:
                    self.add_issue(sentence("settings.file_computer_choose_again", name=file))
            try:
                values[name] = spec.validate(value, kind.owner)
            except ParameterError:
                values.pop(name, None)
                self.add_issue(sentence("settings.default", owner=kind.owner, label=spec.label))
        try:
            return kind(**values)
        except ParameterError:
            self.add_issue(sentence("settings.parameters_longer_go_together", owner=kind.owner))
            return kind()


def _check_weights(
    node: JsonNode, weights: tuple[tuple[str, float], ...]
) -> tuple[tuple[str, float], ...]:
    """Weights of the detector's rules; one that this version lacks stays and has no effect."""
    try:
        return checked_weights({name[:200]: weight for name, weight in weights})
    except ParameterError:
        raise node["rule_weights"].make_error("weights of rules from 0 to 1") from None


# --- results ------------------------------------------------------------------------------------

Part = TypeVar("Part", MeasureResult, AttackResult)


def strip_result(result: Run) -> Run:
    """What of a run's results is stored: neither its release nor a word of the log."""
    return dataclasses.replace(
        result,
        anonymized=None,
        cache={},
        measures=tuple(map(_strip_part, result.measures)),
        attacks=tuple(map(_strip_part, result.attacks)),
        withheld=result.withheld + sum(not is_storable(item) for item in _plots_and_tables(result)),
    )


def without_plots(result: Run) -> Run:
    """The same without plots and tables, which are counted among what was left out."""
    no_pictures: dict[str, Any] = {"figures": (), "tables": ()}
    return dataclasses.replace(
        result,
        measures=tuple(dataclasses.replace(part, **no_pictures) for part in result.measures),
        attacks=tuple(dataclasses.replace(part, **no_pictures) for part in result.attacks),
        withheld=result.withheld + len(_plots_and_tables(result)),
    )


def _plots_and_tables(result: Run) -> list[Figure | Table]:
    parts: list[MeasureResult | AttackResult] = [*result.measures, *result.attacks]
    return [item for part in parts for items in (part.figures, part.tables) for item in items]


def _strip_part(part: Part) -> Part:
    """Storable plots and tables; details that are numbers, or all that somebody speaks for."""
    details = part.details
    if not (isinstance(part, AttackResult) and part.own_details):
        numeric = bool | int | float | np.number | np.bool_
        details = {name: value for name, value in details.items() if isinstance(value, numeric)}
    figures, tables = filter(is_storable, part.figures), filter(is_storable, part.tables)
    return dataclasses.replace(
        part,
        params=public_parameters(part.params),
        figures=tuple(dataclasses.replace(item, own_words=True) for item in figures),
        tables=tuple(dataclasses.replace(item, own_words=True) for item in tables),
        details=details,
    )


def read_results(node: JsonNode) -> dict[str, Any]:
    """The fields of a run that hold its results; raises `ProjectError`."""
    reader = DataclassReader(
        {
            AttackResult: lambda _node, result: dataclasses.replace(result, own_details=True),
            Figure: lambda _node, figure: dataclasses.replace(figure, own_words=True),
            Table: _check_table,
            Series: _check_series,
        }
    )
    plain = dict(node.value) if isinstance(node.value, dict) else {}
    plain["measures"] = _known_parts(node["measures"], "measure", MEASURES)
    plain["attacks"] = _known_parts(node["attacks"], "attack", ATTACKS)
    values = reader.read_fields(Run, JsonNode(plain, node.place), "results")
    for count in (*node["flagged"].items(), ("withheld", node["withheld"])):
        if not count[1].missing:
            count[1].read_integer(0)
    statement, attacks = values.get("statement"), []
    for attack in values.get("attacks", ()):
        if attack.attack == summary.NAME and statement is not None:
            try:  # what stands beside the claim is told from an audit's details
                summary.summarize_details(statement, attack.details)
            except (KeyError, TypeError, ValueError, AttributeError):
                continue
        attacks.append(attack)
    values["attacks"] = tuple(attacks)
    values["gates"] = _check_gates(node["gates"], values.get("gates", {}))
    return values


def _known_parts(parts: JsonNode, key: str, registry: Iterable[str]) -> list[Any]:
    """Those parts that this version can still name; a title is wanted for each."""
    names = set(registry)
    return [part.value for part in parts.iterate_entries() if part[key].read_text() in names]


def _check_series(node: JsonNode, series: Series) -> Series:
    ends = [end for end in (series.y, series.low, series.high) if end is not None]
    if any(len(end) != len(series.x) for end in ends) or len(ends) == 2:  # one end of an interval
        raise node.make_error("a series with as many y, and as many ends of intervals, as x")
    return series


def _check_table(node: JsonNode, table: Table) -> Table:
    if any(len(row) != len(table.columns) for row in table.rows):
        raise node["rows"].make_error("rows as long as there are columns")
    if len(table.units) > len(table.columns) or len(table.row_units) > len(table.rows):
        raise node["units"].make_error("no more units than columns, or rows")
    return dataclasses.replace(table, rows=[tuple(row) for row in table.rows], own_words=True)


def _check_gates(node: JsonNode, gates: Mapping[str, Any]) -> dict[str, Any]:
    """How a policy judged a run, as `gates.gate_facts` has it; empty where none did."""
    if not gates:
        return {}
    try:
        results = [GateVerdict.from_dict(row).to_dict() for row in gates["results"]]
        content = KeptContent.from_dict(gates.get("kept", {})).to_dict()
        has_outcomes = {row["verdict"] for row in results} <= {*get_args(GateOutcome)}
        has_counts = all(0 <= n < math.inf for name, n in content.items() if name != "basis")
    except (AttributeError, KeyError, OverflowError, TypeError, ValueError):
        has_outcomes = has_counts = False
    if not (has_outcomes and has_counts):
        raise node.make_error("values that this version knows, and that go together")
    texts = {key: str(gates.get(key, "")) for key in ("policy", "unit", "sha256", "note")}
    facts = {**texts, "passed": node["passed"].read_flag(), "results": results}
    return facts | ({"kept": content} if content else {})


SUFFIX = ".qlpa"
FORMAT = "auditor project"
VERSION = 3
MAIN = "project.json"
PLACES = "places.json"
"""Where files lie on this machine: in recovery files alone, which nobody else may read."""

LARGEST = 128 << 20
"""Bytes of the largest file that is opened."""

LARGEST_PART = 64 << 20
LARGEST_WHOLE = 256 << 20
"""Bytes of one part, and of all of them, once unpacked; ours have some hundred thousand a run."""

MOST_PARTS = 10_002

SMALL, DENSEST = 16 << 20, 100
"""Bytes that any project may unpack to, and how many times its own size a larger one may."""
_PART = re.compile(r"results/([A-Z]{1,4})\.json")
_MOMENT = (1980, 1, 1, 0, 0, 0)
"""What a zip says of when its parts were made: nothing."""

_COMPRESSION = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)

Pack = Callable[[Run], bytes]


# --- writing ----------------------------------------------------------------------------------


def pack_results(result: Run) -> bytes:
    """A run's results as the bytes of its part; without plots and tables if they are huge."""
    run = strip_result(result)
    data = _encode_json(to_plain(run, "results"))
    if len(data) <= LARGEST_PART:
        return data
    return _encode_json(to_plain(without_plots(run), "results"))


def to_bytes(
    project: Project, packed: Pack = pack_results, places: Mapping[str, list[str]] | None = None
) -> bytes:
    """The whole file. `packed` may remember what it gave before: results never change."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:

        def add(name: str, data: bytes) -> None:
            entry = zipfile.ZipInfo(name, _MOMENT)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (stat.S_IFREG | 0o600) << 16
            archive.writestr(entry, data)

        header = {"format": FORMAT, "version": VERSION, "program": __version__}
        add(MAIN, _encode_json(header | plain_project(project)))
        for run in project.runs:
            if run.outcome is not None:
                add(f"results/{run.letter}.json", packed(run.outcome))
        if places is not None:
            add(PLACES, _encode_json(dict(places)))
    return buffer.getvalue()


FileStamp = tuple[int, int, int]


def stamp_of(path: Path) -> FileStamp | None:
    """What tells a file from one that was written to its place later; None if it isn't there."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns, status.st_size


def write_project_file(
    path: Path, data: bytes, *, standing: FileStamp | None = None
) -> FileStamp | None:
    """Put a private file in place, over none but `standing`; its stamp. Raises `ProjectError`."""
    if path.is_dir():
        raise ProjectError(
            phrase("'{name}' is a folder. Choose another name.", name=printable_text(path.name))
        )
    try:
        with contextlib.ExitStack() as stack:
            # Nobody else saves a project there, where a folder is locked without a file in it.
            if not platform.FOLDER_LOCK_FILES:
                with contextlib.suppress(OSError):
                    lock = platform.FolderLock(path.parent)
                    stack.callback(lock.release)
                    lock.acquire(wait=True)
            new = stack.enter_context(replaced_file(path))
            write_file(new, [data])
            if standing is not None and stamp_of(path) not in (None, standing):
                raise ProjectError(
                    sentence("file.project_saved_another_window", name=printable_text(path.name))
                )
            return stamp_of(new)
    except (ExportFailed, ExportRefused) as error:
        raise ProjectError(phrase("The project was not saved. {error}", error=error)) from None


def _encode_json(plain: Any) -> bytes:
    return json.dumps(plain, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode(
        "utf-8",
        "replace",  # half a surrogate pair, which JSON can't say
    )


# --- reading ----------------------------------------------------------------------------------


def read_project_file(
    path: Path,
    places: Places | None = None,
    progress: Progress | None = None,
    *,
    recovery: bool = False,
) -> tuple[Project, dict[str, list[str]]]:
    """The project in a file, and the places that it remembers if it is a recovery file.

    `places` says where files that it names lie on this machine; only a recovery file of this
    person's own may say that, too. Raises `ProjectError`.
    """
    progress = progress or Progress()
    progress.stage("reading the project")
    try:
        data = read_bounded(path, LARGEST)
    except UnfitFile as error:
        raise ProjectError(
            phrase("The project can't be read: it is {error}.", error=error.reason)
        ) from None
    parts = _unpack_parts(data, progress, {MAIN, PLACES} if recovery else {MAIN})
    main = JsonNode(_parse_part(parts[MAIN], MAIN) if MAIN in parts else None)
    if not isinstance(main.value, dict) or main.value.get("format") != FORMAT:
        raise ProjectError("This file is no project of this program. Choose another file.")
    if (version := main["version"].read_integer(1)) != VERSION:
        raise ProjectError(
            sentence("file.project_other_version", version=version, version_2=VERSION)
        )
    progress.stage("checking the project", len(parts))
    outcomes: dict[str, JsonNode] = {}
    for name, data in parts.items():
        if match := _PART.fullmatch(name):
            outcomes[match[1]] = JsonNode(_parse_part(data, name), name)
        progress.advance()
    places_node = JsonNode(_parse_part(parts[PLACES], PLACES) if PLACES in parts else None, PLACES)
    remembered = {
        name: [part.read_text() for part in entry.iterate_entries(100_000)]
        for name, entry in places_node.items()
    }
    paths = {name: Path(raw[0]) for name, raw in remembered.items() if raw} | dict(places or {})
    return read_project(main, outcomes, paths), remembered


def _unpack_parts(data: bytes, progress: Progress, known_names: set[str]) -> dict[str, bytes]:
    """The parts of a zip, unpacked within limits that don't trust what it says of itself."""
    parts: dict[str, bytes] = {}
    budget = min(LARGEST_WHOLE, max(SMALL, len(data) * DENSEST))
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
            if len(entries) > MOST_PARTS:
                raise ProjectError("This project has more parts than any of ours.")
            for entry in entries:
                progress.check()
                name = entry.filename
                expected = _PART.fullmatch(name) or name in known_names
                if name in parts or not expected or entry.compress_type not in _COMPRESSION:
                    raise ProjectError("This project has parts that none of ours has.")
                with archive.open(entry) as file:
                    byte_limit = min(budget, LARGEST_PART)
                    parts[name] = file.read(byte_limit + 1)
                if len(parts[name]) > byte_limit:
                    raise ProjectError("This project unpacks to more than is taken in.")
                budget -= len(parts[name])
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ValueError, OSError):
        # a RuntimeError for packing that zipfile doesn't know, or a password
        raise ProjectError(
            "This project is damaged, or no project of this program: it can't be unpacked."
        ) from None
    return parts


def _parse_part(data: bytes, name: str) -> Any:
    try:
        return parse_json(data)
    except UnfitFile as error:
        raise ProjectError(
            phrase("This project is damaged: {name} is {error}.", name=name, error=error.reason)
        ) from None
