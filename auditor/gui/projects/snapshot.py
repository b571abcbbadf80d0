"""What the window holds, taken in an instant as frozen data, and written in a thread.

No Qt: `written` and `SnapshotPacker` work on what `ProjectSnapshot` holds.
"""

from __future__ import annotations

import dataclasses
import threading
import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from auditor.engine.events import RunResult
from auditor.log.model import QueryLog
from auditor.progress import Progress
from auditor.project.codec import files_of, plain_reading
from auditor.project.file import pack_results, to_bytes
from auditor.project.model import LogFacts, Project, RunRecord

if TYPE_CHECKING:
    from auditor.gui.state.controller import Controller
    from auditor.gui.state.log_loading import OpenedLog

LOG, PROJECT = "/log", "/project"
"""Keys among a project's places that no bare file name can be."""


@dataclass(frozen=True, eq=False)
class ProjectSnapshot:
    """A session of work: the project, and the log that its runs are judged by."""

    project: Project
    records: tuple[RunRecord, ...]
    """The runs themselves, which may go on: for telling them apart, not for looking at."""
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
    records, current = tuple(controller.runs), controller.current
    project = Project(
        intent=controller.intent,
        log=facts,
        policy=policy,
        runs=tuple(dataclasses.replace(record) for record in records),
        current=current.letter if current is not None else "",
        notes=controller.notes.all(),
        layout=layout,
    )
    places |= {name: [str(path)] for name, path in files_of(project).items()}
    return ProjectSnapshot(project, records, opened.log if opened else None, places)


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
        self._judged: weakref.WeakKeyDictionary[RunRecord, _JudgedRun] = weakref.WeakKeyDictionary()
        self._packed: weakref.WeakKeyDictionary[RunResult, bytes] = weakref.WeakKeyDictionary()

    def to_bytes(
        self,
        shot: ProjectSnapshot,
        progress: Progress,
        places: Mapping[str, list[str]] | None = None,
    ) -> bytes:
        """The file of a snapshot, every finished run judged by the policy that was chosen."""
        with self._lock:
            runs = []
            for record, run in zip(shot.records, shot.project.runs, strict=True):
                progress.check()
                outcome = self._with_gates(record, run.outcome, shot) if run.outcome else None
                runs.append(dataclasses.replace(run, outcome=outcome))
            project = dataclasses.replace(shot.project, runs=tuple(runs))
            return to_bytes(project, self._pack, places)

    def _pack(self, result: RunResult) -> bytes:
        found = self._packed.get(result)
        if found is None:
            found = self._packed[result] = pack_results(result)
        return found

    def _with_gates(self, record: RunRecord, result: RunResult, shot: ProjectSnapshot) -> RunResult:
        """The outcome, judged by the policy. One whose release is gone keeps its last verdicts."""
        before = self._judged.get(record)
        if before is not None and before.result.seconds is not result.seconds:
            before = None  # the run was made again
        if result.made is not None and shot.log is not None:
            before = self._judged[record] = _judge(result, shot.log, shot.project.policy, before)
        return before.result if before is not None else result


@dataclass(frozen=True, eq=False)
class _JudgedRun:
    """An outcome with a policy's verdicts, without its release, and which policy that was."""

    sha256: str
    result: RunResult


def _judge(result: RunResult, log: QueryLog, text: str, before: _JudgedRun | None) -> _JudgedRun:
    """The outcome with the policy's verdicts; those there are if the policy is the same.

    A policy that can't be read leaves a run unjudged: nothing passes by it.
    """
    from auditor.errors import AuditorError
    from auditor.release import gates
    from auditor.release.policy import policy

    try:
        rules = policy.parse_policy(text.encode()) if text else policy.default_policy()
    except AuditorError:
        return _JudgedRun("", result.without_release())
    if before is not None and rules.sha256 == before.sha256:
        return before
    facts = gates.gate_facts(rules, gates.judge_gates(result, log, rules))
    return _JudgedRun(rules.sha256, dataclasses.replace(result, made=None, gates=facts))
