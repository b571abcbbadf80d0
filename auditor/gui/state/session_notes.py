"""What somebody says of flagged sessions: notes, and dismissals for one of a few reasons.

A session is known by its rows in the log. Every change is a step that can be undone.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence

from PySide6.QtCore import QObject, Signal

from auditor.gui.risk.dismissals import Rows
from auditor.gui.widgets import formats
from auditor.project.model import SessionNote

Edit = Callable[[str, Callable[[], None], Callable[[], None]], None]

LONGEST = 2_000
"""Characters of a note."""


class SessionNotes(QObject):
    """The notes on one log."""

    changed = Signal()

    def __init__(self, edit: Edit, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._edit = edit
        self._notes: dict[Rows, SessionNote] = {}

    def __len__(self) -> int:
        return len(self._notes)

    def list_notes(self) -> tuple[SessionNote, ...]:
        """Every note, as the log runs."""
        return tuple(self._notes[rows] for rows in sorted(self._notes))

    def get(self, start: int, stop: int) -> SessionNote:
        """What is said of a session; an empty note if nothing is."""
        return self._notes.get((start, stop)) or SessionNote(start=start, stop=stop)

    def write_note(self, start: int, stop: int, text: str) -> None:
        """Say something of a session."""
        text = " ".join(text.split())[:LONGEST]
        self._change_note(
            dataclasses.replace(self.get(start, stop), text=text), self.tr("note on a session")
        )

    def dismiss_session(self, start: int, stop: int, reason: str) -> None:
        """Put a session away for a reason; none takes it back."""
        what = self.tr("dismissal of a session") if reason else self.tr("return of a session")
        note = self.get(start, stop)
        stays = note.confirmed and not reason
        self._change_note(dataclasses.replace(note, dismissed=reason, confirmed=stays), what)

    def dismiss_all(self, sessions: Sequence[Rows], reason: str) -> None:
        """Put several sessions away for one reason, in one step; none takes them back."""
        before = [self.get(*rows) for rows in sessions]
        after = [
            dataclasses.replace(note, dismissed=reason, confirmed=note.confirmed and not reason)
            for note in before
        ]
        if after == before:
            return
        text = (
            self.tr("dismissal of {count} sessions")
            if reason
            else self.tr("return of {count} sessions")
        )
        self._edit(
            text.format(count=formats.format_count(len(sessions))),
            lambda: self._put_notes(*after),
            lambda: self._put_notes(*before),
        )

    def confirm_all(self, sessions: Sequence[Rows], *, right: bool = True) -> None:
        """Say of several sessions that they are a risk, or no more, in one step."""
        before = [self.get(*rows) for rows in sessions]
        after = [
            dataclasses.replace(note, confirmed=right, dismissed="" if right else note.dismissed)
            for note in before
        ]
        if after == before:
            return
        self._edit(
            self.tr("confirmation of {count} sessions").format(
                count=formats.format_count(len(sessions))
            ),
            lambda: self._put_notes(*after),
            lambda: self._put_notes(*before),
        )

    def restore_notes(self, notes: Iterable[SessionNote]) -> None:
        """Have these notes and no others; no step of the history."""
        self._notes = {(note.start, note.stop): note for note in notes if not note.empty}
        self.changed.emit()

    @property
    def starts(self) -> tuple[int, ...]:
        """First rows of the sessions that something is said of."""
        return tuple(start for start, _ in self._notes)

    @property
    def dismissed(self) -> tuple[Rows, ...]:
        """Rows of the sessions that were put away."""
        return tuple(rows for rows, note in self._notes.items() if note.dismissed)

    def _change_note(self, note: SessionNote, text: str) -> None:
        before = self.get(note.start, note.stop)
        if note != before:
            self._edit(text, lambda: self._put_notes(note), lambda: self._put_notes(before))

    def _put_notes(self, *notes: SessionNote) -> None:
        for note in notes:
            if note.empty:
                self._notes.pop((note.start, note.stop), None)
            else:
                self._notes[note.start, note.stop] = note
        self.changed.emit()
