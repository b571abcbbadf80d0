"""What the ledger knows of one log: its releases, those of overlapping logs, and the totals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from auditor.errors import AuditorError, Cancelled
from auditor.log.model import QueryLog
from auditor.log.sentences import sentence
from auditor.messages import error_message
from auditor.progress import Progress
from auditor.release import internal_folder
from auditor.release.ledger import log_sketch, store
from auditor.release.ledger.log_sketch import RelatedLog
from auditor.release.ledger.sentences import write_sentences
from auditor.release.ledger.spent_budget import from_plain, spent_of
from auditor.release.ledger.store import LedgerEntry, LedgerState
from auditor.release.ledger.totals import LedgerTotal, total_of
from auditor.release.record import ReleaseRecord


@dataclass(frozen=True)
class LedgerHistory:
    """Approved releases of a log, and of logs that share events with it: all of these add up.

    `written` are all releases of these logs that were written; those that were not approved cost
    nothing here, since nobody knows whether they were handed out. `perhaps` are logs that share
    user ids alone; theirs are not added. `sampled` says whether parts and other forms of the log
    would have been recognised at all.
    """

    digest: str
    releases: tuple[LedgerEntry, ...]
    overlapping: tuple[RelatedLog, ...] = ()
    perhaps: tuple[RelatedLog, ...] = ()
    sampled: bool = False
    written: tuple[LedgerEntry, ...] = ()

    @property
    def unapproved(self) -> tuple[LedgerEntry, ...]:
        """Releases that were written and not approved."""
        approved = {entry.body.get("release") for entry in self.releases}
        return tuple(one for one in self.written if one.body.get("release") not in approved)

    @property
    def before(self) -> LedgerTotal:
        """What stands in the ledger."""
        return total_of(from_plain(entry.body) for entry in self.releases)

    def add_release(self, record: ReleaseRecord) -> LedgerTotal:
        """The same with one release more."""
        return total_of([*(from_plain(entry.body) for entry in self.releases), spent_of(record)])

    def describe_links(self) -> list[str]:
        """Which logs were taken together, and what could not be recognised."""
        found = [
            sentence("ledger.shares_events", share=100 * one.share) for one in self.overlapping
        ]
        found += [sentence("ledger.shares_users", share=100 * one.share) for one in self.perhaps]
        if self.unapproved:
            count = len(self.unapproved)
            found.append(
                sentence("ledger.pending_many" if count > 1 else "ledger.pending_one", count=count)
            )
        if not self.sampled:
            found.append(
                "Only the very same log was recognised. Parts and other forms of it are recognised "
                "if the log itself is at hand."
            )
        return found

    def to_dict(self, total: LedgerTotal | None = None) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "digest": self.digest,
            "total": (total or self.before).to_dict(),
            "entries": [entry.number for entry in self.releases],
            "unapproved": [entry.number for entry in self.unapproved],
            "overlapping": [_link_to_dict(one) for one in self.overlapping],
            "perhaps_the_same_users": [_link_to_dict(one) for one in self.perhaps],
            "parts_recognised": self.sampled,
        }


def ledger_history(
    state: LedgerState,
    digest: str,
    *,
    without: str = "",
    own: Mapping[str, Any] | None = None,
    keyed: str = "",
) -> LedgerHistory:
    """The history of the log with this digest; `own` are its samples where they were taken.

    `without` leaves out a release, by the digest of its manifest. `keyed` is another name of the
    log, its digest under somebody's key: entries under either name are of one log.
    """
    links = log_sketch.find_related(state, digest, own)
    overlapping = [one for one in links if one.by == "events"]
    together = find_joined_names(state, digest, keyed, links)
    listed = [
        entry
        for entry in state.approved
        if names_of(entry) & together and entry.body.get("release") != without
    ]
    released = _find_names(state, {name for entry in state.approved for name in names_of(entry)})
    return LedgerHistory(
        digest,
        tuple(listed),
        tuple(one for one in overlapping if one.digest in released),
        tuple(one for one in links if one.by == "users" and one.digest in released),
        own is not None or log_sketch.find_sketch(state, digest) is not None,
        tuple(
            entry
            for entry in state.written
            if names_of(entry) & together and entry.body.get("release") != without
        ),
    )


def find_joined_names(
    state: LedgerState, digest: str, keyed: str = "", links: Iterable[RelatedLog] | None = None
) -> set[str]:
    """All names of a log and of those that share events with it, which are taken for one."""
    related = log_sketch.find_related(state, digest) if links is None else links
    events = {one.digest for one in related if one.by == "events"}
    return _find_names(state, ({digest, keyed} | events) - {""})


def remember_log(log: QueryLog, path: Path, secret: bytes, progress: Progress) -> LedgerState:
    """Enter a log's samples, if they are not there yet, and read the ledger."""
    found = log_sketch.sketch_log(log, secret, progress)
    state = store.read_ledger(path)
    state.raise_problems()
    if log_sketch.find_sketch(state, log.digest, found["key"]) is not None:
        return state
    with store.open_for_append(path) as writer:
        if log_sketch.find_sketch(writer.state, log.digest, found["key"]) is None:
            entry = log_sketch.sketch_entry(log, found, store.current_time())
            entry["log"]["keyed"] = internal_folder.keyed_digest(log.digest, secret)
            writer.append(entry)
        return writer.state


def releases_before(
    log: QueryLog,
    path: Path,
    secret: bytes,
    progress: Progress,
    *,
    keep: bool = True,
    without: str = "",
) -> LedgerHistory | str:
    """The releases of this log so far, or why that isn't known.

    With `keep`, the log's samples are entered; else the ledger stays as it is. `without` leaves
    out a release, by the digest of its manifest: one that is signed already.
    """
    keyed = internal_folder.keyed_digest(log.digest, secret)
    try:
        if keep:
            state = remember_log(log, path, secret, progress)
            return ledger_history(state, log.digest, without=without, keyed=keyed)
        state = store.read_ledger(path)
        state.raise_problems()
        own = log_sketch.sketch_log(log, secret, progress)
        return ledger_history(state, log.digest, without=without, own=own, keyed=keyed)
    except Cancelled:
        raise
    except AuditorError as error:
        return error_message(error)


def known_logs(state: LedgerState) -> list[str]:
    """The digests of all logs of which something was written or approved, the first one first."""
    found: list[str] = []
    seen: set[str] = set()
    for entry in (*state.approved, *state.written):
        if not names_of(entry) & seen:
            seen |= _find_names(state, names_of(entry))
            found.append(log_of(entry))
    return found


def log_of(entry: LedgerEntry) -> str:
    """The digest of the log that an entry tells of."""
    told = entry.body.get("log")
    return str(told.get("digest", "")) if isinstance(told, dict) else ""


def format_history(history: LedgerHistory, total: LedgerTotal | None = None) -> list[str]:
    """The total and what was taken together, in sentences."""
    return [*write_sentences(total or history.before), *history.describe_links()]


def names_of(entry: LedgerEntry) -> set[str]:
    """The digest of the log that an entry tells of, and that under the key of who audited it."""
    told = entry.body.get("log")
    found = {told.get("digest"), told.get("keyed")} if isinstance(told, dict) else set()
    return {str(name) for name in found if name}


def digest_of(state: LedgerState, keyed: str, secret: bytes) -> str:
    """The digest of a log that is known by its keyed one: from the ledger, else that itself."""
    for entry in state.entries:
        digest = log_of(entry)
        if digest and internal_folder.keyed_digest(digest, secret) == keyed:
            return digest
    return keyed


def _find_names(state: LedgerState, names: set[str]) -> set[str]:
    """All names under which the ledger has the logs of these names."""
    found = set(names)
    while True:
        more = {name for e in state.entries if names_of(e) & found for name in names_of(e)}
        if more <= found:
            return found
        found |= more


def _link_to_dict(one: RelatedLog) -> dict[str, Any]:
    return {"digest": one.digest, "share": one.share}
