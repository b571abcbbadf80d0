"""A run as code that makes it again, and as a notebook."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from auditor.engine.plan import Plan


def export_notebook(
    plan: Plan,
    file: Path | str,
    logs: Sequence[Path | str] = (),
    columns: Mapping[str, str | int] | None = None,
) -> Path:
    """Write a notebook that reads the log, makes the run again and shows its cards and plots.

    Noise is drawn anew: a release can't be made a second time. `logs` are the log's files; where
    they aren't given, the notebook names a file to be replaced. `columns` are the roles that
    somebody gave to columns of the log. Raises `FileExistsError` if `file` stands there.
    """
    code = plan.as_python([str(path) for path in logs], columns)
    cells = [
        _make_text_cell(
            f"# {plan.what.title}\n\nMade by Query Log Privacy Auditor. Noise is drawn anew."
        ),
        *(_make_code_cell(part) for part in code.split("\n\n")),
        _make_code_cell("result.to_pandas()"),
        _make_code_cell("for figure in result.figures[:4]:\n    result.plot(figure.name)"),
    ]
    notebook = {
        "cells": cells,
        "metadata": {"language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    path = Path(file)
    with path.open("x", encoding="utf-8") as target:
        json.dump(notebook, target, indent=1, ensure_ascii=False)
    return path


def _make_text_cell(source: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "id": _make_cell_id(source), "metadata": {}, "source": source}


def _make_code_cell(source: str) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "id": _make_cell_id(source),
        "metadata": {},
        "source": source,
        "execution_count": None,
        "outputs": [],
    }


def _make_cell_id(source: str) -> str:
    import hashlib

    return hashlib.sha256(source.encode()).hexdigest()[:12]
