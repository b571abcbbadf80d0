"""Runs a search in the background and tells the page of every suggestion as it comes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from auditor.gui.state.worker import BackgroundJob, Tell
from auditor.log.model import QueryLog
from auditor.progress import Progress

if TYPE_CHECKING:
    from auditor.suggestions.request import SearchHearing, SearchRequest
    from auditor.suggestions.result import Suggestions
    from auditor.suggestions.store import SearchStore

Search = Callable[["SearchRequest", QueryLog, "SearchHearing", "SearchStore"], "Suggestions"]


class SuggestionSearch(QObject):
    """One search at a time; what it found is kept in this person's private file."""

    found = Signal(object)
    """A suggestion."""
    progressed = Signal(object, object, object)
    ended = Signal(object)
    """The suggestions."""
    failed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.search: Search | None = None
        """What searches in the place of the usual search."""
        self._job: BackgroundJob | None = None

    @property
    def running(self) -> bool:
        """Whether suggestions may still come."""
        return self._job is not None

    def start(self, make_request: Callable[[Progress], Any], log: QueryLog) -> None:
        """Search a log; `make_request` runs in the thread: it reads policy and ledger."""
        self.drop()
        search = self.search

        def search_log(progress: Progress, tell: Tell) -> Any:
            from auditor.suggestions.request import SearchHearing
            from auditor.suggestions.search import suggest_release
            from auditor.suggestions.store import SearchStore

            hearing = SearchHearing.from_progress(progress, found=tell)
            request, store = make_request(progress), SearchStore.open_usual()
            return (search or suggest_release)(request, log, hearing, store)

        job = self._job = BackgroundJob("suggest", search_log)
        job.partial.connect(self.found)
        job.progressed.connect(self.progressed)
        job.done.connect(self._report_end)
        job.failed.connect(self._report_failure)
        job.cancelled.connect(lambda: self._report_failure(""))
        job.start()

    def cancel(self) -> None:
        """Stop soon; what was found is told of."""
        if self._job is not None:
            self._job.cancel()

    def drop(self) -> None:
        """Stop and hear nothing more."""
        if self._job is not None:
            self._job.drop()
            self._job = None

    def _report_end(self, found: Any) -> None:
        self._job = None
        self.ended.emit(found)

    def _report_failure(self, why: str) -> None:
        self._job = None
        self.failed.emit(why)
