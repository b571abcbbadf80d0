"""The tables, figures and numbers of the five sources, made again: on a log, or by their formulas.

What there is to make stands in ``resources/reproduce``, a file for each source. A number that
follows from parameters alone is compared with the printed one; a table of a log is that of another
log here, and the printed figures stand beside it.
"""

import functools
import importlib
import re
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from auditor.attacks.base import Evidence
from auditor.attacks.registry import ATTACKS
from auditor.engine.backends import local
from auditor.engine.runner import RunHandle
from auditor.engine.sweep import ParameterSweep, SweepAxis, run_sweep
from auditor.errors import ParameterError
from auditor.figures import Figure, ShortRepr, Table
from auditor.log.model import QueryLog
from auditor.measures.registry import MEASURES
from auditor.messages import phrase
from auditor.methods.registry import METHODS
from auditor.params import Params
from auditor.privacy.noise import PreviewRandomness
from auditor.progress import Progress
from auditor.resource_files import resource_path, resource_text

SOURCES = tuple(sorted(path.stem for path in resource_path("reproduce").glob("*.toml")))
"""The sources, by the method that each proposes."""
USERS = 1_000
"""Users of the synthetic log that tables are made of where nobody names another."""

Verdict = Literal["equal", "deviates", "another log", "not made"]


@dataclass(frozen=True)
class SourceItem:
    """A table, figure or number of a source, and what makes it."""

    source: str
    name: str
    title: str
    facts: Mapping[str, Any]
    deviation: str

    @property
    def names(self) -> tuple[str, ...]:
        """What it is asked for by."""
        return (self.name, *self.facts.get("also", ()))

    @property
    def command(self) -> str:
        """What makes it at the terminal, or which function works it out."""
        facts = self.facts
        if "call" in facts:
            return str(facts["call"]).replace(":", ".")
        texts = {
            name: str(value).lower() if isinstance(value, bool) else str(value)
            for name, value in facts.get("params", {}).items()
        }
        options = [word for name, text in texts.items() for word in ("-p", f"{name}={text}")]
        if "attack" in facts:
            inputs = ("--reference", "OLDER", "--profiles", "PEOPLE")
            return " ".join(("auditor", "attack", facts["attack"], "LOG", *inputs, *options))
        arguments = ("LOG", "--method", facts["method"], *options)
        if "sweep" in facts or "over" in facts:
            axes = facts.get("sweep", facts.get("over"))
            words = [word for axis in axes for word in ("--grid", axis)]
            words += [word for name in facts.get("measures", ()) for word in ("--measure", name)]
            words += ["--equal"] if facts.get("equal") else []
            return " ".join(("auditor", "sweep", *arguments, *words))
        release = " ".join(("auditor", "anonymize", *arguments, "--out", "RELEASE"))
        if "measure" not in facts:
            return " ".join((release, "--dry-run"))
        return "; ".join((release, " ".join(("auditor measure", facts["measure"], "LOG RELEASE"))))


@dataclass(frozen=True, eq=False)
class Reproduction(ShortRepr):
    """The outcome for an item: tables and figures, or values beside the printed ones.

    `why` says why it deviates or was not made, `log` of which log tables are.
    """

    item: SourceItem
    verdict: Verdict
    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()
    values: tuple[Any, ...] = ()
    printed: tuple[Any, ...] = ()
    why: str = ""
    log: str = ""

    def describe(self) -> str:
        """The item, and how it came out."""
        return f"{self.item.source}, {self.item.name}: {self.verdict}"


def find_items(source: str, text: str | None = None) -> list[SourceItem]:
    """The items of a source or, for "all", of every one; only those that answer to `text`.

    Raises `ParameterError` if there is no such source or item.
    """
    if source not in (*SOURCES, "all"):
        choices = ", ".join((*SOURCES, "all"))
        raise ParameterError(
            "source",
            phrase("There is no source '{name}', only {known}.", name=source[:80], known=choices),
        )
    items = [i for name in (SOURCES if source == "all" else (source,)) for i in _read_source(name)]
    if text is None:
        return items
    label = _squeeze(text)  # as typed: "3", "table 3" or "fig3"
    labels = {label, f"table{label}", f"figure{label}"}
    matches = [item for item in items if not labels.isdisjoint(map(_squeeze, item.names))]
    if not matches:
        choices = ", ".join(name for item in items for name in item.names)
        raise ParameterError(
            "table",
            phrase(
                "{source} has no '{name}'. It has: {known}.",
                source=source,
                name=text[:80],
                known=choices,
            ),
        )
    return matches


@functools.cache
def _read_source(name: str) -> tuple[SourceItem, ...]:
    plain = tomllib.loads(resource_text(f"reproduce/{name}.toml"))
    return tuple(
        SourceItem(plain["title"], item["name"], item["title"], item, plain["deviation"])
        for item in plain["item"]
    )


def reproduce_items(
    items: Sequence[SourceItem], evidence: Evidence | None, progress: Progress
) -> Iterator[Reproduction]:
    """Make each item when it is asked for, of the evidence's log or of a synthetic one."""
    with tempfile.TemporaryDirectory() as folder:
        is_synthetic = evidence is None
        if evidence is None and any("values" not in item.facts for item in items):
            from auditor.log.synthetic.generator import synthesize_log, write_synthetic

            dataset = synthesize_log(USERS, seed=0, progress=progress)
            write_synthetic(dataset, Path(folder))
            profiles = Path(folder) / "profiles.csv"
            evidence = Evidence(log=dataset.log, reference=dataset.reference, profiles=profiles)
        releases: dict[str, Any] = {}
        for item in items:
            progress.check()
            progress.stage(item.name)
            if "values" in item.facts:
                yield _compare_values(item, progress)
                continue
            assert evidence is not None
            result = _make_item(item, evidence, releases, progress)
            if is_synthetic:  # nobody's queries are in it
                tables = tuple(replace(table, private=False) for table in result.tables)
                figures = tuple(replace(figure, private=False) for figure in result.figures)
                result = replace(result, tables=tables, figures=figures)
            yield result


def _compare_values(item: SourceItem, progress: Progress) -> Reproduction:
    """The printed numbers beside those that the program has for the same parameters."""
    facts = item.facts
    printed = tuple(facts["values"])
    if "call" in facts:
        module, name = facts["call"].split(":")
        function = getattr(importlib.import_module(module), name)
        results = [function(*arguments) for arguments in facts["arguments"]]
    else:
        kind = METHODS[facts["method"]].params
        base = kind().replace(**facts["params"])
        axes = tuple(SweepAxis.parse(kind, text) for text in facts.get("over", ()))
        cells = ParameterSweep(method=facts["method"], base=base, axes=axes).list_cells()
        results = [_find_metric(item, base.replace(**cell), progress) for cell in cells]
    values = tuple(sorted(value) if isinstance(value, tuple) else value for value in results)
    tolerance = facts.get("within", 0)
    equal = all(
        value == other if isinstance(other, list) else abs(value - other) <= tolerance
        for value, other in zip(values, printed, strict=True)
    )
    reason = facts.get("why", "") if equal else facts.get("why", "The value is another one.")
    verdict: Verdict = "equal" if equal else "deviates"
    return Reproduction(item, verdict, values=values, printed=printed, why=reason)


def _find_metric(item: SourceItem, params: Params, progress: Progress) -> float:
    """A figure of what a method states or expects; of a log that is named, or of any."""
    queries = item.facts.get("queries", {"somebody": "something"})
    rows = [
        (user, text, n) for user, words in queries.items() for n, text in enumerate(words.split())
    ]
    user, query, time = zip(*rows, strict=True)
    log = QueryLog.from_columns(user=list(user), query=list(query), time=list(time))
    outlook = METHODS[item.facts["method"]].outlook
    assert outlook is not None
    expected = outlook(log, params, scale=1.0, progress=progress)
    metrics: dict[str, Any] = {value.name: value.value for value in expected.values}
    statement = expected.statement
    metrics |= {"epsilon": statement.epsilon, "delta": statement.delta} | dict(statement.measured)
    return float(metrics[item.facts["metric"]])


def _make_item(
    item: SourceItem, evidence: Evidence, releases: dict[str, Any], progress: Progress
) -> Reproduction:
    facts, log = item.facts, evidence.log
    summary = phrase("{rows:,} rows of {users:,} users", rows=len(log), users=len(log.users))
    shows = facts.get("shows", ())
    result: Any
    if "attack" in facts:
        attack = ATTACKS[facts["attack"]]
        if reason := attack.why_not(evidence):
            return Reproduction(item, "not made", why=f"{attack.name} {reason}.", log=summary)
        params = attack.params().replace(**facts["params"])
        result = attack.run(evidence, params, rng=np.random.default_rng(0), progress=progress)
    elif "measure" in facts:
        key = f"{facts['method']} {facts['params']}"
        if key not in releases:
            params = METHODS[facts["method"]].params().replace(**facts["params"])
            noise = PreviewRandomness(0)
            releases[key] = local.apply_method(log, facts["method"], params, noise, progress)
        measure = MEASURES[facts["measure"]]
        if reason := measure.why_not(releases[key]):
            return Reproduction(item, "not made", why=f"{measure.name} {reason}.", log=summary)
        result = measure.take(
            log,
            releases[key],
            measure.params(),
            again=local.repeating_release(releases[key], 0),
            rng=np.random.default_rng(0),
            progress=progress,
        )
    else:
        kind = METHODS[facts["method"]].params
        sweep = ParameterSweep(
            method=facts["method"],
            base=kind().replace(**facts.get("params", {})),
            axes=tuple(SweepAxis.parse(kind, text) for text in facts["sweep"]),
            measures=tuple(facts["measures"]),
            equal=bool(facts.get("equal")),
        )
        columns = facts["columns"]
        cells = run_sweep(sweep, log, RunHandle(0), lambda _: progress.check())
        rows = [[*cell.place, *(cell.row.get(name) for name in columns)] for cell in cells]
        heads = (*(axis.title for axis in sweep.axes), *columns)
        table = Table(_squeeze(item.name), item.title, heads, rows, own_words=True)
        return Reproduction(item, "another log", (table,), log=summary)
    tables = tuple(output for output in result.tables if output.name in shows or "*" in shows)
    figures = tuple(output for output in result.figures if output.name in shows or "*" in shows)
    if not tables and not figures:
        return Reproduction(item, "not made", why=" ".join(result.notes), log=summary)
    return Reproduction(item, "another log", tables, figures, log=summary)


def _squeeze(text: str) -> str:
    """What is left of a name: "Fig. 3" and "figure 3" are one."""
    plain = re.sub(r"[^a-z0-9αδε]", "", text.lower())
    return re.sub(r"^fig(ure)?", "figure", plain)
