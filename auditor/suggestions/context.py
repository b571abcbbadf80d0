"""What the parts of one search share: the log, the request, the time left, and what was found."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from auditor.engine.runner import RunHandle
from auditor.log.model import QueryLog
from auditor.messages import DisplayText, as_phrase, join_phrases, phrase
from auditor.methods.registry import METHODS
from auditor.privacy.public_size import round_up_users
from auditor.privacy.selection import ParameterSelection
from auditor.privacy.statement import Statement
from auditor.progress import Progress
from auditor.release.kept_content import KeptContent
from auditor.release.record import GateVerdict
from auditor.release.verdict import ReleaseVerdict
from auditor.suggestions.candidates import SearchCandidate
from auditor.suggestions.reasons import explain_limits
from auditor.suggestions.request import SearchEnd, SearchHearing, SearchRequest
from auditor.suggestions.result import Suggestion
from auditor.suggestions.runs.evaluation import (
    CandidateRunner,
    PassRate,
    expect_verdict,
    find_total,
)
from auditor.suggestions.store import SearchStore


class SearchContext:
    """One search: what it is given, and the suggestions that it has found.

    `looked_at` counts settings that were compared, `pruned` says of methods that were left out
    which check none of their settings can pass. `users` is the public size of the log: settings,
    which go out, depend on no finer number. `too_long` says which full run did not fit into the
    time that was left.
    """

    def __init__(
        self, request: SearchRequest, log: QueryLog, hearing: SearchHearing, store: SearchStore
    ) -> None:
        self.request = request
        self.log = log
        self.hearing = hearing
        self.store = store
        self.end = SearchEnd(hearing.stop, request.budget)
        self.progress = Progress(hearing.report, self.end)
        self.users = round_up_users(max(request.users or 0, len(log.users)))
        self._counters: list[Callable[[], int]] = []
        self.pruned: dict[str, GateVerdict] = {}
        self.too_long: DisplayText = ""
        self.runner = self.runner_on(log)
        self._points: dict[tuple[str, str], Suggestion] = {}

    @property
    def looked_at(self) -> int:
        """Settings that were compared so far."""
        return sum(count() for count in self._counters)

    def count_settings(self, count: Callable[[], int]) -> None:
        """Have what `count` says at any time be part of the settings that were compared."""
        self._counters.append(count)

    @property
    def points(self) -> list[Suggestion]:
        """What was found so far, in the order of finding."""
        return list(self._points.values())

    @property
    def counted(self) -> tuple[str, ...]:
        """The methods with ε that this search looks at."""
        return tuple(name for name in self.request.searched if METHODS[name].families)

    def runner_on(self, log: QueryLog) -> CandidateRunner:
        """What runs settings on the log, or on a part of it."""
        handle = RunHandle(0)
        handle.stop = self.end
        request = self.request
        return CandidateRunner(
            log,
            request.policy,
            request.goal,
            self.store,
            handle,
            self.hearing.event,
            request.earlier,
        )

    def expect_verdict(
        self, candidate: SearchCandidate, statement: Statement, kept: KeptContent
    ) -> ReleaseVerdict:
        """The verdict that is expected of a setting, after earlier releases of the log."""
        earlier, policy = self.request.earlier, self.request.policy
        total = find_total(earlier, candidate.method, candidate.params, statement.to_dict())
        return expect_verdict(statement, kept, policy, self.users, total)

    def add_suggestion(
        self,
        candidate: SearchCandidate,
        utility: float,
        verdict: ReleaseVerdict,
        statement: Statement,
        *,
        selection: ParameterSelection | None = None,
        rate: PassRate | None = None,
        reasons: Sequence[str] = (),
    ) -> Suggestion:
        """Keep a suggestion, in the place of an earlier one of the same setting, and tell of it."""
        found = PassRate() if rate is None else rate
        request = self.request
        binding = explain_limits(
            candidate,
            statement,
            verdict,
            request.policy,
            self.users,
            request.earlier,
            searched=request.mode != "private",
        )
        said = (*reasons, *binding, *filter(None, (found.sentence,)))
        point = Suggestion(
            candidate.method,
            candidate.params,
            candidate.family,
            utility,
            verdict,
            statement,
            said,
            selection,
            rate=found,
        )
        key = json.dumps(point.params.to_dict(), sort_keys=True)
        self._points[point.method, key] = point
        self.hearing.found(point)
        return point

    def drop_expected(self) -> None:
        """Forget what was only expected: more of the log says it better."""
        self._points = {key: one for key, one in self._points.items() if not one.expected}

    def say_pruned(self) -> DisplayText:
        """Which methods were left out, and why."""
        if not self.pruned:
            return ""
        titles = dict.fromkeys(one.gate.title for _, one in sorted(self.pruned.items()))
        said = []
        for title in titles:
            names = [name for name, one in self.pruned.items() if one.gate.title == title]
            methods = [as_phrase(METHODS[name].title) for name in sorted(names)]
            said.append(
                phrase(
                    "“{title}” ({methods})",
                    title=as_phrase(title),
                    methods=join_phrases(", ", methods),
                )
            )
        listed = join_phrases("; ", said)
        return phrase(
            "Left out are methods of which no setting can pass a check: {listed}.", listed=listed
        )
