"""Carries the engine's events from its threads to the window's.

An engine thread may still be at work while the window and its controller are being deleted, so it
never touches either: it talks to this relay alone, which a closed window leaves behind.
"""

from __future__ import annotations

import contextlib
import threading

from PySide6.QtCore import QCoreApplication, QObject, Signal

from auditor.engine import events


class EventRelay(QObject):
    """Takes events in any thread and tells them by `arrived`; connect that through a queue."""

    arrived = Signal(object)

    def __init__(self) -> None:
        # Owned by the application, not by the controller: it must outlive a thread's last event.
        super().__init__(QCoreApplication.instance())
        self._lock = threading.Lock()
        self._closed = False

    def send(self, event: events.RunEvent) -> None:
        """Pass an event on; does nothing once the relay is closed."""
        with self._lock:
            if not self._closed:
                with contextlib.suppress(RuntimeError):  # the application is gone
                    self.arrived.emit(event)

    def close(self) -> None:
        """Take no more events."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
        self.deleteLater()
