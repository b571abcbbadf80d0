"""A run as code that makes it again, and as a notebook."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from auditor.engine.plan import Plan
from auditor.platform import create_private_file

if TYPE_CHECKING:
    from auditor.log.reading.column_mapping import ReadOptions


def export_notebook(
    plan: Plan,
    file: Path | str,
    logs: Sequence[Path | str] = (),
    columns: Mapping[str, str | int] | None = None,
    *,
    options: ReadOptions | None = None,
    reference: Sequence[Path | str] = (),
    profiles: Path | str = "",
) -> Path:
    """Write a notebook that reads the log, makes the run again and shows its cards and plots.

    Noise is drawn anew: a release can't be made a second time.

    Parameters
    ----------
    plan
        What the run does; see `auditor.plan`.
    file
        The notebook; nothing may stand there (`FileExistsError`).
    logs, columns, options, reference, profiles
        As those of `Plan.as_python`: the files that the notebook reads, and how.

    Returns
    -------
    pathlib.Path
        The notebook.
    """
    code = plan.as_python(
        [str(path) for path in logs],
        columns,
        options=options,
        reference=[str(path) for path in reference],
        profiles=str(profiles),
    )
    heading = f"# {plan.what.title}\n\nMade by Query Log Privacy Auditor. Noise is drawn anew."
    last_cells = (
        "result.to_pandas()",
        "for figure in result.figures[:4]:\n    result.plot(figure.name)",
    )
    cells: list[dict[str, Any]] = [
        {"cell_type": "markdown", "source": heading},
        *(
            {"cell_type": "code", "source": part, "execution_count": None, "outputs": []}
            for part in (*code.split("\n\n"), *last_cells)
        ),
    ]
    for cell in cells:
        cell |= {"id": hashlib.sha256(cell["source"].encode()).hexdigest()[:12], "metadata": {}}
    notebook = {
        "cells": cells,
        "metadata": {"language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    path = Path(file)
    # what comes of it, and where the log lies, is for whoever made it
    with os.fdopen(create_private_file(path), "w", encoding="utf-8") as target:
        json.dump(notebook, target, indent=1, ensure_ascii=False)
    return path
