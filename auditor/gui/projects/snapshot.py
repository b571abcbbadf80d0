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
from auditor.project.file import pack, to_bytes
from auditor.project.model import LogFacts, Project, StoredResults, StoredRun

if TYPE_CHECKING:
    from auditor.gui.state.controller import Controller
    from auditor.gui.state.log_loading import OpenedLog

LOG, PROJECT = "/log", "/project"
"""Keys among a project's places that no bare file name can be."""


@dataclass(frozen=True, eq=False)
class ProjectSnapshot:
    """A sitting: the project, and what its runs have to be judged by a policy."""

    project: Project
    alive: Mapping[str, RunResult]
    log: QueryLog | None
    places: Mapping[str, list[str]]


def taken(
    controller: Controller,
    facts: LogFacts | None,
    path: Path | None,
    policy: str,
    layout: Mapping[str, Any],
) -> ProjectSnapshot:
    """The sitting as it is now; costs microseconds, so that the window's thread can do it.

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
        runs=tuple(record.to_project() for record in controller.runs),
        current=current.letter if current is not None else "",
        notes=controller.notes.all(),
        layout=layout,
    )
    places |= {name: [str(path)] for name, path in files_of(project).items()}
    alive = {r.letter: r.result for r in controller.runs if r.result is not None}
    return ProjectSnapshot(project, alive, opened.log if opened else None, places)


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
    """Turns snapshots into bytes; remembers what it packed, since results never change."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._judged: weakref.WeakKeyDictionary[StoredResults, tuple[str, StoredResults]] = (
            weakref.WeakKeyDictionary()
        )
        self._packed: weakref.WeakKeyDictionary[StoredResults, bytes] = weakref.WeakKeyDictionary()

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
            return to_bytes(project, self._pack, places)

    def _pack(self, results: StoredResults) -> bytes:
        found = self._packed.get(results)
        if found is None:
            found = self._packed[results] = pack(results)
        return found

    def _with_gates(self, run: StoredRun, shot: ProjectSnapshot) -> StoredRun:
        kept, result = run.results, shot.alive.get(run.letter)
        if kept is None:
            return run
        sha256, judged = self._judged.get(kept, ("", kept))
        if result is not None and shot.log is not None:
            sha256, judged = _judge(kept, result, shot.log, shot.project.policy, sha256, judged)
            self._judged[kept] = sha256, judged
        return dataclasses.replace(run, results=judged)


def _judge(
    kept: StoredResults,
    result: RunResult,
    log: QueryLog,
    text: str,
    sha256: str,
    judged: StoredResults,
) -> tuple[str, StoredResults]:
    """The results with the policy's verdicts; those there are if the policy is the same.

    A policy that can't be read leaves a run unjudged: nothing passes by it.
    """
    from auditor.errors import AuditorError
    from auditor.release import gates
    from auditor.release.policy import policy

    try:
        rules = policy.parse_policy(text.encode()) if text else policy.default_policy()
    except AuditorError:
        return "", kept
    if rules.sha256 == sha256:
        return sha256, judged
    facts = gates.facts(rules, gates.judge(result, log, rules))
    return rules.sha256, dataclasses.replace(kept, gates=facts)
