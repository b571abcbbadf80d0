"""Work off the UI thread: a `BackgroundJob` runs a function in a thread and answers in signals.

Nobody waits for a job. Whoever no longer wants one calls `drop`, and from that moment hears
nothing more of it, however much it had already sent: the decision is taken in the UI thread.
"""

from __future__ import annotations

import functools
import logging
import threading
import time
import traceback
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, Qt, QTimer, Signal, Slot

from auditor import platform
from auditor.errors import AuditorError, Cancelled, LogFormatError
from auditor.gui.app.translation import tr, translate_text
from auditor.messages import error_message
from auditor.progress import Progress

NICE = 5
"""How far threads of work stand behind the window's: each has a third of its weight.

Not further: where other programs keep the machine busy, the window would wait for a thread that
has the interpreter and isn't let on.
"""

_log = logging.getLogger(__name__)


def give_way() -> None:
    """Let the window's thread, and other programs, go before the thread that calls this.

    On Linux threads that the caller begins stand back, too; macOS has no such priority.
    """
    platform.lower_thread_priority(NICE)


_started: set[BackgroundJob] = set()
"""Jobs whose threads may not have ended. A thread drops its last reference to a job when it ends,
and with it whatever the work holds; widgets among it must die in the UI thread, which drops them
afterwards."""
_SOON = 50
"""Milliseconds after its last word in which a job's thread has ended."""


def _release_ended() -> None:
    """In the UI thread: let go of jobs whose threads have ended."""
    _started.difference_update([job for job in _started if not job.at_work])


def _release_when_over(job: BackgroundJob) -> None:
    """Delete a job that has said its last word, once its thread has ended, too.

    Not before: the thread may still be on its way back from the signal with that word.
    """
    _release_ended()
    if job in _started:
        QTimer.singleShot(_SOON, functools.partial(_release_when_over, job))
    else:
        job.deleteLater()


class JobProgress(Progress):
    """The progress of a `BackgroundJob`, whose work may send parts of its result."""

    def __init__(self, send: Callable[[str, Any], None], stop: threading.Event) -> None:
        super().__init__(lambda *state: send("progressed", state), stop)
        self._send = send

    def tell(self, part: Any) -> None:
        """Send a part of the result: `partial` follows in the UI thread."""
        self._send("partial", (part,))


Work = Callable[[JobProgress], Any]


class BackgroundJob(QObject):
    """One piece of background work; make and start it in the UI thread.

    ``work(progress)`` runs in a thread called `name`; `progress.tell` sends a `partial`. The
    signals arrive in the UI thread, in order; the last is one of `done`, `failed` (with words for
    people) and `cancelled`.
    """

    progressed = Signal(object, object, object)  # counts may exceed Qt's 32-bit int
    partial = Signal(object)
    done = Signal(object)
    failed = Signal(str)
    cancelled = Signal()

    _sent = Signal(str, object)

    def __init__(self, name: str, work: Work) -> None:
        # Owned by the application, not by Python: the last reference may be dropped in the
        # thread, and a QObject must die in the thread that it lives in.
        super().__init__(QCoreApplication.instance())
        self._name = name
        self._work = work
        self._stop = threading.Event()
        self._dropped = False
        self._ended = False
        self.columns = False
        """Whether, after `failed`, it may help to say which column of a file is which."""
        self._sent.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    @property
    def running(self) -> bool:
        return not self._ended and not self._dropped

    def start(
        self,
        done: Callable[[Any], object] | None = None,
        failed: Callable[[str], object] | None = None,
    ) -> BackgroundJob:
        """Begin; the signals may have been connected before, too."""
        for signal, slot in ((self.done, done), (self.failed, failed)):
            if slot is not None:
                signal.connect(slot)
        self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
        _release_ended()
        _started.add(self)
        self._thread.start()
        return self

    @property
    def at_work(self) -> bool:
        return self._thread.is_alive()

    def cancel(self) -> None:
        """Ask the work to stop; `cancelled` follows, or `done` if it was faster."""
        self._stop.set()

    def drop(self) -> None:
        """Stop the work and ignore its result."""
        self._dropped = True
        self._stop.set()

    def _run(self) -> None:
        give_way()
        try:
            result = self._work(JobProgress(self._send, self._stop))
        except Cancelled:
            self._send("cancelled", ())
        # A compiled library's panic, too: the window lives on, and says what happened.
        except BaseException as error:
            self.columns = isinstance(error, LogFormatError) and error.columns
            self._send("failed", (describe_error(error),))
        else:
            self._send("done", (result,))

    def _send(self, kind: str, content: tuple[Any, ...]) -> None:
        try:
            self._sent.emit(kind, content)
        except RuntimeError:  # the application is gone, and nobody is left to hear it
            self._stop.set()

    @Slot(str, object)
    def _deliver(self, kind: str, content: tuple[Any, ...]) -> None:
        last = kind in ("done", "failed", "cancelled")
        if not self._dropped:
            self._ended = last
            getattr(self, kind).emit(*content)
        if last:
            self._ended = True
            QTimer.singleShot(_SOON, functools.partial(_release_when_over, self))


class LatestJob:
    """The newest piece of work of one kind: starting another one drops the one before."""

    def __init__(self) -> None:
        self._job: BackgroundJob | None = None

    @property
    def running(self) -> bool:
        return self._job is not None

    def start(
        self,
        name: str,
        work: Work,
        done: Callable[[Any], object],
        failed: Callable[[str], object] | None = None,
        *,
        partial: Callable[[Any], object] | None = None,
        cancelled: Callable[[], None] | None = None,
        progressed: Callable[[str, int, int], None] | None = None,
    ) -> None:
        """Begin in a thread; by the time that an end is told, the work counts as over."""
        self.drop()
        job = self._job = BackgroundJob(name, work)
        for signal in (job.done, job.failed, job.cancelled):
            signal.connect(self._forget)
        signals = job.partial, job.cancelled, job.progressed
        for signal, slot in zip(signals, (partial, cancelled, progressed), strict=True):
            if slot is not None:
                signal.connect(slot)
        job.start(done, failed)

    def cancel(self) -> None:
        if self._job is not None:
            self._job.cancel()

    def drop(self) -> None:
        if self._job is not None:
            self._job.drop()
            self._job = None

    def _forget(self, *_what: Any) -> None:
        self._job = None


class LatestValue:
    """What was made last, kept as long as the same key is asked for."""

    _kept: tuple[Any, Any] = (None, None)

    def find(self, key: object, make: Callable[[], Any]) -> Any:
        """The value of a key, made anew where the last one was of another; in any thread."""
        latest = self._kept
        if latest[0] != key:
            latest = self._kept = key, make()
        return latest[1]


def describe_error(error: BaseException) -> str:
    """What to tell people of an error: what happened and where, never what a value was."""
    if isinstance(error, AuditorError):
        return translate_text(error_message(error))
    if isinstance(error, MemoryError):
        return tr("Not enough memory. Close other programs, or take a sample of the users.")
    if isinstance(error, OSError) and error.strerror:
        place = f" ({Path(str(error.filename)).name})" if error.filename else ""
        return f"{error.strerror}{place}."
    origin = tr("an unknown place")
    for frame in traceback.extract_tb(error.__traceback__)[-1:]:
        origin = f"{Path(frame.filename).name}:{frame.lineno}"
    _log.error("%s at %s", type(error).__name__, origin)
    return tr("Internal error: {error} at {where}.").format(
        error=type(error).__name__, where=origin
    )


PATIENCE = 0.12
"""Seconds that text waits for pictures at most: while a slider is dragged, nobody reads it."""


class UiScheduler(QObject):
    """Pieces in the order in which they were first asked for; text beside pictures comes after."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: dict[Hashable, Callable[[], object]] = {}
        self._texts: dict[Hashable, tuple[float, Callable[[], object]]] = {}
        """Pieces that come later, with when they were first asked for."""
        self._painting = False
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self._run_next)

    @property
    def busy(self) -> bool:
        """Whether a piece waits."""
        return bool(self._waiting or self._texts)

    @property
    def drawing(self) -> bool:
        """Whether a piece waits that isn't text."""
        return bool(self._waiting)

    def run_soon(self, piece: Callable[[], object], key: Hashable = None) -> None:
        """Run a piece in a later turn of the event loop, replacing one with the same `key`.

        The last of many steps is drawn, and not later than the first would have been.
        """
        self._waiting[piece if key is None else key] = piece
        if not self._timer.isActive():
            self._timer.start()

    def run_later(self, piece: Callable[[], object], whose: Hashable = None) -> None:
        """Do a piece, as `run_soon`, once no other waits, or after `PATIENCE`: for text."""
        key = piece if whose is None else whose
        since = self._texts[key][0] if key in self._texts else time.monotonic()
        self._texts[key] = since, piece
        if not self._timer.isActive():
            self._timer.start()

    def run_now(self, piece: Callable[[], object], key: Hashable) -> None:
        """Do a piece at once, in place of the one that waits for the same."""
        self._waiting.pop(key, None)
        self._texts.pop(key, None)
        piece()

    def clear(self) -> None:
        self._waiting.clear()
        self._texts.clear()
        self._painting = False
        self._timer.stop()

    def _run_next(self) -> None:
        self._painting = not self._painting
        if not self._painting:
            if self.busy:
                self._timer.start()
            return
        self._timer.start()  # also when the piece fails
        first = next(iter(self._texts), None)
        overdue = first is not None and time.monotonic() - self._texts[first][0] > PATIENCE
        if self._waiting and not overdue:
            self._waiting.pop(next(iter(self._waiting)))()
        elif first is not None:
            self._texts.pop(first)[1]()
