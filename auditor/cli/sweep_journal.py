"""What a sweep has come to, kept line by line beside its table, so that a stopped one goes on.

A cell is taken from there only if log, settings, checks, seed, place in the grid and version of
the program are those of the cell that is asked for. No query stands in it.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any

from auditor import platform
from auditor.bounded_files import UnfitFile, read_bounded
from auditor.engine.sweep import ParameterSweep, SweepCell
from auditor.errors import PlaceRefused
from auditor.figures import MetricValue
from auditor.log.model import QueryLog
from auditor.release.export_target import quote_name
from auditor.version import __version__

LARGEST = 1 << 30
"""Bytes of a journal."""


class SweepJournal:
    """The cells of one sweep of one log in ``TABLE.part``; gone once all of them are done."""

    def __init__(self, path: Path, sweep: ParameterSweep, log: QueryLog) -> None:
        self.path = path
        checks = [[name, params.to_dict()] for name, params in sweep.checks]
        parts: list[Any] = [__version__, log.digest, sweep.method, sweep.attacks]
        parts += [sweep.measures, checks]
        parts += [sweep.seed, sweep.equal, sweep.list_cells() if sweep.equal else []]
        self._whole = [*parts, sweep.base.to_dict()]
        self.cells: dict[str, SweepCell] = {}
        self._file: Any = None

    @staticmethod
    def check_place(table: Path, *, resume: bool, overwrite: bool) -> Path:
        """Where the journal of a table stands; raises `PlaceRefused`.

        An older one is kept with `resume`, and removed with `overwrite`.
        """
        path = table.with_name(f"{table.name}.part")
        if resume or not os.path.lexists(path):
            return path
        if not overwrite:
            raise PlaceRefused(
                f"{quote_name(path)} holds what a stopped sweep came to. Go on with --resume, or "
                "begin anew with --overwrite."
            )
        try:
            is_journal = read_bounded(path, LARGEST)[:8] in (b"", b'{"key": ')
        except UnfitFile:
            is_journal = False
        if not is_journal:
            raise PlaceRefused(f"{quote_name(path)} was not made by a sweep. Move it away.")
        path.unlink()
        return path

    def __enter__(self) -> SweepJournal:
        self._read()
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
        self._file = os.fdopen(os.open(self.path, flags, 0o600), "w", encoding="utf-8")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: object, trace: TracebackType | None
    ) -> None:
        self._file.close()
        if kind is None:
            self.path.unlink(missing_ok=True)
        else:
            platform.sync_private_file(self.path)

    def find_key(self, number: int, cell: Mapping[str, Any]) -> str:
        """SHA-256 of all that a cell's result follows from."""
        text = json.dumps([*self._whole, number, dict(cell)], sort_keys=True, default=str)
        return hashlib.sha256(text.encode()).hexdigest()

    def add(self, key: str, cell: SweepCell) -> None:
        """Note a cell that was just done."""
        values = [dataclasses.asdict(replace(value, who=None)) for value in cell.values]
        line = {"key": key, "row": cell.row, "values": values}

        def convert(value: Any) -> Any:
            return value.item() if hasattr(value, "item") else str(value)

        self._file.write(json.dumps(line, default=convert) + "\n")
        self._file.flush()

    def _read(self) -> None:
        """Take what can be read; a line that was cut off, or isn't ours, is done anew."""
        try:
            lines = read_bounded(self.path, LARGEST).splitlines()
        except UnfitFile:
            return
        for line in lines:
            try:
                plain = json.loads(line)
                values = tuple(
                    MetricValue(**item | {"interval": tuple(item.get("interval") or ()) or None})
                    for item in plain["values"]
                )
                self.cells[str(plain["key"])] = SweepCell((), dict(plain["row"]), values)
            except (ValueError, KeyError, TypeError, RecursionError):
                continue
