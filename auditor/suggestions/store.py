"""What searches found, in a private file, so that the same search goes on where it ended.

A run is kept under the digest of its plan, which holds the digest of the log: what gates and goals
read of it and its statement, no query and no row. The file is readable by its owner alone. Private
choices are in the ledger (`release.ledger.private_choices`); a file that holds some or can't be
read is refused: what it says was spent would be forgotten.
"""

from __future__ import annotations

import stat
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from auditor.bounded_files import locked_json, parse_json, read_bounded
from auditor.errors import AuditorError
from auditor.log.sentences import sentence
from auditor.release.ledger.private_choices import PrivateChoices
from auditor.release.ledger.store import data_folder, ledger_path

FORMAT = "auditor suggestions 1"
LARGEST = 1 << 28
MOST_RUNS = 2_000


class SearchStore:
    """Runs by digest, and the private `choices`; paths that are None keep them in memory."""

    def __init__(self, path: Path | None = None, ledger: Path | None = None) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._plain = _read_file(path)
        self.choices = PrivateChoices(ledger)

    @classmethod
    def open_usual(cls, ledger: Path | None = None) -> SearchStore:
        """The file in this person's data folder, and the ledger that is named, or the usual one."""
        return cls(data_folder() / "suggestions.json", ledger_path(ledger))

    def find_run(self, digest: str) -> Mapping[str, Any] | None:
        """What was kept of a run, or None."""
        with self._lock:
            record = self._plain["runs"].get(digest)
        return record if isinstance(record, dict) else None

    def keep_run(self, digest: str, record: Mapping[str, Any]) -> None:
        """Keep a run, and forget the oldest beyond `MOST_RUNS`."""
        with self._lock:
            if self._path is None:
                _add_run(self._plain["runs"], digest, record)
                return
            try:
                with locked_json(self._path) as write:
                    self._plain = _read_file(self._path)  # with what other programs kept meanwhile
                    _add_run(self._plain["runs"], digest, record)
                    write(self._plain)
            except OSError as error:
                facts = {"path": self._path, "strerror": error.strerror}
                raise AuditorError(sentence("suggestions.store_not_writable", **facts)) from None


def _add_run(runs: dict[str, Any], digest: str, record: Mapping[str, Any]) -> None:
    runs[digest] = dict(record)
    while len(runs) > MOST_RUNS:
        runs.pop(next(iter(runs)))


def _read_file(path: Path | None) -> dict[str, Any]:
    empty: dict[str, Any] = {"format": FORMAT, "runs": {}}
    if path is None:
        return empty
    try:
        status = path.lstat()
    except FileNotFoundError:
        return empty
    except OSError as error:
        raise AuditorError(
            sentence("suggestions.store_unreadable", path=path, strerror=error.strerror)
        ) from None
    if not stat.S_ISREG(status.st_mode) or status.st_mode & 0o077 or status.st_size > LARGEST:
        raise AuditorError(sentence("suggestions.store_not_private", path=path))
    try:
        content = parse_json(read_bounded(path, LARGEST, follow=False))
        good = (
            content["format"] == FORMAT
            and isinstance(content["runs"], dict)
            and not content.get("choices")
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        good = False
    if not good:
        raise AuditorError(sentence("suggestions.store_damaged", path=path))
    plain: dict[str, Any] = content
    return plain
