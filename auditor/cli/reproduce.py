"""The verb that makes a source's tables, figures and numbers again."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from auditor.attacks.base import Evidence
from auditor.cli.arguments import input_paths, load_log, load_named_log
from auditor.cli.console import Console, table_lines, tables_to_dict
from auditor.engine.reproduction import Reproduction, find_items, reproduce_items
from auditor.errors import ParameterError
from auditor.release.export import write_table
from auditor.release.export_target import check_folder
from auditor.release.report.drawing import write_figures

_LABELS = {"equal": "✓ equal", "deviates": "✗ deviates", "another log": "· another log"}


def reproduce_source(arguments: argparse.Namespace, console: Console) -> int:
    """Print what was made beside what is printed; 1 if a number that can be equal is not."""
    items = find_items(arguments.source, arguments.table_of_source)
    folder = None if arguments.out is None else Path(arguments.out)
    if folder is not None:
        inputs = input_paths(arguments) if arguments.log is not None else []
        check_folder(folder, Path.is_dir, overwrite=arguments.overwrite, inputs=inputs)
    evidence = None
    if arguments.log is None and (arguments.reference or arguments.profiles):
        raise ParameterError("log", "Name a log as well: the synthetic one has its own of both.")
    if arguments.log is not None:
        older = arguments.reference
        evidence = Evidence(
            log=load_named_log(arguments, console),
            reference=load_log([Path(older)], None, console) if older else None,
            profiles=Path(arguments.profiles) if arguments.profiles else None,
        )
    runs: list[Reproduction] = []
    for run in reproduce_items(items, evidence, console.progress):
        runs.append(run)
        console.report_units(len(runs), len(items))
        console.begin_phase(f"{run.item.source}: {run.item.name}")
    if folder is not None:
        import pandas as pd

        folder.mkdir(parents=True, exist_ok=True)
        for run in runs:
            for table in (table for table in run.tables if not table.private):
                write_table(table.to_pandas(), folder / f"{table.name}.csv")
            write_figures((figure for figure in run.figures if not figure.private), folder)
        summary = pd.DataFrame([_list_facts(run, tables=False) for run in runs])
        write_table(summary.astype(str), folder / "reproduction.csv")
    facts = [_list_facts(run) for run in runs]
    texts: list[str] = []
    for source in dict.fromkeys(run.item.source for run in runs):
        group = [run for run in runs if run.item.source == source]
        deviation = [f"{source}. {group[0].item.deviation}"]
        texts += [*(deviation if any(run.log for run in group) else ()), *map(_describe, group)]
    text = "\n\n".join(texts)
    counts = {kind: sum(run.verdict == kind for run in runs) for kind in (*_LABELS, "not made")}
    line = ", ".join(f"{number} {kind}" for kind, number in counts.items() if number)
    console.print_result({"items": facts, "counts": counts}, f"{len(runs)} items: {line}\n\n{text}")
    return 1 if counts["deviates"] else 0


def _list_facts(run: Reproduction, *, tables: bool = True) -> dict[str, Any]:
    item = run.item
    facts: dict[str, Any] = {"source": item.source, "item": item.name, "title": item.title}
    facts |= {"verdict": run.verdict, "command": item.command}
    if run.printed:
        facts |= {"printed": list(run.printed), "values": list(run.values)}
    if "published" in item.facts:
        facts["published"] = item.facts["published"]
    facts |= {name: text for name, text in (("why", run.why), ("log", run.log)) if text}
    if tables:
        facts["tables"] = tables_to_dict(run.tables)
    return facts


def _describe(run: Reproduction) -> str:
    item = run.item
    lines = [
        f"{item.source}, {', '.join(item.names)}: {item.title}",
        f"  {_LABELS.get(run.verdict, '– not made')}{f': {run.why}' if run.why else ''}",
    ]
    if run.printed:
        lines.append(f"  printed   {_list_values(run.printed)}")
        lines.append(f"  here      {_list_values(run.values)}")
    if "published" in item.facts:
        lines.append(f"  published {item.facts['published']}")
    if run.log:
        lines.append(f"  here      on {run.log}")
    lines.append(f"  by        {item.command}")
    lines += table_lines(run.tables)
    figures = (figure for figure in run.figures if not figure.private)
    lines += [f"  figure {figure.name}: {figure.title} (--out draws it)" for figure in figures]
    return "\n".join(lines)


def _list_values(values: Sequence[Any]) -> str:
    return ", ".join(" ".join(item) if isinstance(item, list) else f"{item:.6g}" for item in values)
