"""What the window holds, taken in an instant as frozen data, and written in a thread.

No Qt: `written` and `SnapshotPacker` work on what `ProjectSnapshot` holds.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from auditor.engine.run import Run
from auditor.project.codec import files_of, plain_reading
from auditor.project.file import pack_results, to_bytes
from auditor.project.model import LogFacts, Project

if TYPE_CHECKING:
    from auditor.gui.state.controller import Controller
    from auditor.gui.state.log_loading import OpenedLog

LOG, PROJECT = "/log", "/project"
"""Keys among a project's places that no bare file name can be."""


@dataclass(frozen=True, eq=False)
class ProjectSnapshot:
    """A session of work: the project, and where its files lie."""

    project: Project
    places: Mapping[str, list[str]]


def take_snapshot(
    controller: Controller,
    facts: LogFacts | None,
    path: Path | None,
    policy: str,
    layout: Mapping[str, Any],
) -> ProjectSnapshot:
    """The workspace as it is now; costs microseconds, so that the window's thread can do it.

    `facts` tell of the project's log where it isn't open; `path` is where it was saved.
    """
    opened = controller.opened
    places = {PROJECT: [str(path)]} if path is not None else {}
    if opened is not None:
        facts = facts_of(controller)
        places[LOG] = [str(path.absolute()) for path in opened.log.origin.files]
    current = controller.current
    project = Project(
        intent=controller.intent,
        log=facts,
        policy=policy,
        runs=tuple(run.copy() for run in controller.runs),
        current=current.letter if current is not None else "",
        notes=controller.notes.list_notes(),
        review=controller.feedback.review,
        signed=controller.feedback.signed,
        layout=layout,
    )
    places |= {name: [str(path)] for name, path in files_of(project).items()}
    return ProjectSnapshot(project, places)


def facts_of(controller: Controller) -> LogFacts | None:
    """What a project says of the log that is open."""
    opened = controller.opened
    if opened is None:
        return None
    return LogFacts.of(
        opened.log,
        opened.title,
        sample=is_sample(opened),
        reading=plain_reading(controller.options),
    )


def is_sample(opened: OpenedLog) -> bool:
    """Whether that is the log that comes with the program."""
    from auditor.log import gazetteers

    return opened.log.origin.files == (gazetteers.sample_log(),)


class SnapshotPacker:
    """Turns snapshots into bytes; remembers what it packed of each run."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._packed: dict[str, _PackedRun] = {}

    def to_bytes(
        self, shot: ProjectSnapshot, places: Mapping[str, list[str]] | None = None
    ) -> bytes:
        """The file of a snapshot."""
        with self._lock:
            return to_bytes(shot.project, self._pack_run, places)

    def _pack_run(self, run: Run) -> bytes:
        found = self._packed.get(run.letter)
        if found is None or found.seconds is not run.seconds or found.gates is not run.gates:
            found = _PackedRun(run.seconds, run.gates, pack_results(run))
            self._packed[run.letter] = found
        return found.data


@dataclass(frozen=True, eq=False)
class _PackedRun:
    """The bytes of the run that took these seconds and was judged so."""

    seconds: Mapping[str, float]
    gates: Mapping[str, Any]
    data: bytes
