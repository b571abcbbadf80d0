"""What the window holds, taken in an instant as frozen data, and written in a thread.

No Qt: `written` and `SnapshotPacker` work on what `ProjectSnapshot` holds.
"""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from auditor.engine.run import Run
from auditor.log.model import QueryLog
from auditor.progress import Progress
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
    """A session of work: the project, and the log that its runs are judged by."""

    project: Project
    log: QueryLog | None
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
    return ProjectSnapshot(project, opened.log if opened else None, places)


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
    """Turns snapshots into bytes; remembers what it judged and packed of each run."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._judged: dict[str, _JudgedRun] = {}
        self._packed: dict[str, _PackedRun] = {}

    def to_bytes(
        self,
        shot: ProjectSnapshot,
        progress: Progress,
        places: Mapping[str, list[str]] | None = None,
    ) -> bytes:
        """The file of a snapshot, every finished run judged by the policy that was chosen."""
        with self._lock:
            runs = []
            for run in shot.project.runs:
                progress.check()
                runs.append(self._with_gates(run, shot))
            project = dataclasses.replace(shot.project, runs=tuple(runs))
            return to_bytes(project, self._pack_run, places)

    def _pack_run(self, run: Run) -> bytes:
        found = self._packed.get(run.letter)
        if found is None or found.seconds is not run.seconds or found.gates is not run.gates:
            found = _PackedRun(run.seconds, run.gates, pack_results(run))
            self._packed[run.letter] = found
        return found.data

    def _with_gates(self, run: Run, shot: ProjectSnapshot) -> Run:
        """The run, judged by the policy. One whose release is gone keeps its last verdicts."""
        if run.outcome is not run:
            return run
        before = self._judged.get(run.letter)
        if before is not None and before.seconds is not run.seconds:
            before = None  # another run, or made again
        if run.made is not None and shot.log is not None:
            before = self._judged[run.letter] = _judge_run(
                run, shot.log, shot.project.policy, before
            )
        return dataclasses.replace(run, gates=before.gates) if before is not None else run


@dataclass(frozen=True, eq=False)
class _JudgedRun:
    """A policy's verdicts on the run that took these seconds, and which policy that was."""

    seconds: Mapping[str, float]
    sha256: str
    gates: Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class _PackedRun:
    """The bytes of the run that took these seconds and was judged so."""

    seconds: Mapping[str, float]
    gates: Mapping[str, Any]
    data: bytes


def _judge_run(run: Run, log: QueryLog, text: str, before: _JudgedRun | None) -> _JudgedRun:
    """The policy's verdicts; those there are if the policy is the same.

    Those of the window count the ledger, too; a run that it has not judged yet is judged without.
    A policy that can't be read leaves a run unjudged: nothing passes by it.
    """
    from auditor.errors import AuditorError
    from auditor.release import gates
    from auditor.release.policy import policy
    from auditor.release.record import ReleaseRecord

    try:
        rules = policy.parse_policy(text.encode()) if text else policy.default_policy()
    except AuditorError:
        return _JudgedRun(run.seconds, "", {})
    if run.gates.get("sha256") == rules.sha256:
        return _JudgedRun(run.seconds, rules.sha256, run.gates)
    if before is not None and rules.sha256 == before.sha256:
        return before
    record = gates.judge_record(ReleaseRecord.of_run(run, log), rules)
    facts = gates.gate_facts(record, figures=False)
    return _JudgedRun(run.seconds, rules.sha256, facts)
