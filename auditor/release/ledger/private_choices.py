"""What was spent on choosing parameters privately, in the ledger: locked, and for joined logs.

Each private choice on a log is an entry with its ε and its answer. The same search of the very same
log gets the same answer again and pays once; every other one adds up, also on a log that holds a
part of this one, as the ledger joins them. Two programs may search at once: the second one to
finish finds the entry of the first, and what it drew itself is dropped before anybody sees it.
"""

import contextlib
import dataclasses
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from auditor.errors import ExportFailed, ExportRefused
from auditor.log.model import QueryLog
from auditor.privacy.selection import ParameterSelection, digest_setting
from auditor.progress import Progress, silent_progress
from auditor.release import signing
from auditor.release.ledger import history, store
from auditor.release.ledger.store import CHOICE, LedgerEntry, LedgerState
from auditor.release.manifest import keyed_digest

Answer = Mapping[str, Any]


class PrivateChoices:
    """The private choices of the ledger at `path`; with None they are kept in memory.

    Methods raise `ExportRefused` or `ExportFailed` where the ledger can't be read or written.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._memory: dict[str, dict[str, Answer]] = {}

    def find_answer(self, log: QueryLog, search: str) -> Answer | None:
        """The answer of a search of this very log, if it was given before."""
        if self._path is None:
            return self._memory.get(log.digest, {}).get(search)
        entry = _find_entry(self._read_state(), log, search)
        return None if entry is None else entry.body["answer"]

    def sum_spent(self, log: QueryLog, progress: Progress) -> tuple[float, int]:
        """ε of all private choices on this log and those joined with it, and their number."""
        answers = self._list_answers(log, progress)
        return math.fsum(float(answer["epsilon"]) for answer in answers), len(answers)

    def find_selection(self, log: QueryLog, progress: Progress) -> ParameterSelection | None:
        """What a run states of all choices on this log and those joined with it; None without one.

        The setting is that of the last choice.
        """
        answers = self._list_answers(log, progress)
        if not answers:
            return None
        last = answers[-1]
        return ParameterSelection(
            "private",
            math.fsum(float(answer["epsilon"]) for answer in answers),
            int(last.get("candidates", 0)),
            len(answers),
            digest_setting(str(last.get("method")), last.get("params", {})),
        )

    def keep_answer(
        self, log: QueryLog, search: str, answer: Answer, progress: Progress
    ) -> tuple[Answer, float, int]:
        """Keep an answer before anybody sees it; the one that counts, and `sum_spent` after it.

        `answer["epsilon"]` is what it cost. If the same search was answered meanwhile, that answer
        counts.
        """
        if self._path is None:
            first = self._memory.setdefault(log.digest, {}).setdefault(search, dict(answer))
            return first, *self.sum_spent(log, progress)
        secret = _secret()
        history.remember_log(log, self._path, secret, progress)
        with store.open_for_append(self._path) as writer:
            entry = _find_entry(writer.state, log, search)
            if entry is None:
                digests = {"digest": log.digest, "keyed": keyed_digest(log.digest, secret)}
                body: dict[str, Any] = {"kind": CHOICE, "at": store.current_time(), "log": digests}
                body |= {"search": search, "epsilon": float(answer["epsilon"])}
                entry = writer.append(body | {"answer": dict(answer)})
            names = history.find_joined_names(writer.state, log.digest)
            choices = history.list_choices(writer.state, names)
            spent = math.fsum(float(choice.body["epsilon"]) for choice in choices)
            return entry.body["answer"], spent, len(choices)

    def update_selection(
        self, selection: ParameterSelection | None, log: QueryLog, progress: Progress | None = None
    ) -> ParameterSelection | None:
        """The selection at the ε spent on the log so far, never below its own.

        Where none is given, that of the ledger: whoever sets parameters by hand saw its answers. A
        ledger that can't be read says nothing here; no release is written without one.
        """
        if selection is None:
            with contextlib.suppress(ExportFailed, ExportRefused):
                return self.find_selection(log, progress or silent_progress())
            return None
        if selection.look != "private":
            return selection
        spent, count = self.sum_spent(log, progress or silent_progress())
        return dataclasses.replace(
            selection,
            epsilon=max(selection.epsilon, spent),
            searches=max(selection.searches, count),
        )

    def _list_answers(self, log: QueryLog, progress: Progress) -> list[Answer]:
        """Of all choices on this log and those joined with it; the ledger stays as it is."""
        if self._path is None:
            return list(self._memory.get(log.digest, {}).values())
        state = self._read_state()
        if not any(entry.kind == CHOICE for entry in state.entries):
            return []  # needs no sample of the log
        secret = _secret()
        links = history.find_related(state, log.digest, history.sketch_log(log, secret, progress))
        keyed = keyed_digest(log.digest, secret)
        names = history.find_joined_names(state, log.digest, keyed, links)
        return [entry.body["answer"] for entry in history.list_choices(state, names)]

    def _read_state(self) -> LedgerState:
        assert self._path is not None
        state = store.read_ledger(self._path)
        state.raise_problems()
        return state


def _find_entry(state: LedgerState, log: QueryLog, search: str) -> LedgerEntry | None:
    return next(
        (
            entry
            for entry in state.entries
            if entry.kind == CHOICE
            and entry.body.get("search") == search
            and history.log_of(entry) == log.digest
        ),
        None,
    )


def _secret() -> bytes:
    return signing.audit_secret(signing.audit_key())
