"""Explaining a released log: under whom one query stands, and what was added and taken away."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from auditor.arrays import Int64s, mark_run_starts
from auditor.bit_mixing import mix_numbers
from auditor.figures import MetricValue, Table
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import NONE, QueryLog
from auditor.messages import as_phrase, join_phrases, phrase
from auditor.methods.explanation.explanation import ExplanationRequest, TurningPoint
from auditor.params import Params
from auditor.privacy.records import RecordOwners, record_owners
from auditor.progress import Progress

describe_metric = MetricCatalogue("methods", "explanation")

MOST_ROWS = 100
"""Rows of a table of an explanation."""


@dataclass(frozen=True, eq=False)
class ReleasedStanding:
    """Events of one query by whose they are, before and after."""

    # Codes of the log's users who have any, ascending; −1 for records whose owner isn't known, one
    # entry each; shape (entries,).
    user: Int64s
    record: Int64s  # the code in the release, −1 where the user has none
    # before, after: events of the query there
    before: Int64s
    after: Int64s
    owners: RecordOwners  # how it is known whose a record is

    @property
    def has_owners(self) -> bool:
        """Whether what was added and taken away can be told user by user."""
        return self.owners.has_owners or not len(self.record)

    def count_added(self) -> int:
        """Events that stand under somebody who did not make them; a lower bound if unknown."""
        return int(np.maximum(self._compute_difference(), 0).sum())

    def count_suppressed(self) -> int:
        """Events that were taken away; a lower bound if unknown."""
        return int(np.maximum(-self._compute_difference(), 0).sum())

    def _compute_difference(self) -> Int64s:
        if self.has_owners:
            return self.after - self.before
        return np.array([int(self.after.sum()) - int(self.before.sum())])


def events_by_user(request: ExplanationRequest) -> Int64s:
    """Distinct (user, time) of the query for each of ``request.users``; O(its rows)."""
    log, rows = request.log, request.rows
    user, time = log.user[rows].astype(np.int64), log.time[rows]
    new = mark_run_starts(user, time)  # rows are in order of user and time
    counts: Int64s = np.bincount(
        np.searchsorted(request.users, user[new]), minlength=len(request.users)
    )
    return counts


def find_standing(
    request: ExplanationRequest, progress: Progress
) -> tuple[ReleasedStanding, ExplanationRequest]:
    """Where the query stands before and after, and where its rows are in the release.

    O(rows), for finding out whose records are whose.
    """
    log, released = request.log, request.released
    released_request = ExplanationRequest.of(released, request.text)
    assert request.release is not None
    owners = record_owners(log, request.release, progress)
    place = np.full(len(log.users), NONE, dtype=np.int64)
    owned = np.flatnonzero(owners.user >= 0)
    place[owners.user[owned]] = owned
    before, after = events_by_user(request), events_by_user(released_request)
    holder = owners.user[released_request.users]
    users = np.union1d(request.users, holder[holder >= 0])
    lost = np.flatnonzero(holder < 0)
    user = np.concatenate((users, np.full(len(lost), -1, dtype=np.int64)))
    record = np.concatenate((place[users], released_request.users[lost]))
    first = np.zeros(len(user), dtype=np.int64)
    first[np.searchsorted(users, request.users)] = before
    last = np.zeros(len(user), dtype=np.int64)
    has_owner = holder >= 0
    last[np.searchsorted(users, holder[has_owner])] = after[has_owner]
    last[len(users) :] = after[lost]
    return ReleasedStanding(user, record, first, last, owners), released_request


def row_values(standing: ReleasedStanding) -> tuple[MetricValue, ...]:
    """What was added, suppressed and attributed to whom, as figures."""
    least = "" if standing.has_owners else ", at least"
    help = (
        ""
        if standing.has_owners
        else phrase("More can't be told: {told}.", told=as_phrase(standing.owners.evidence))
    )
    extra, gone = float(standing.count_added()), float(standing.count_suppressed())
    values = [
        MetricValue(
            "added", phrase("events added{least}", least=as_phrase(least)), extra, "events", help
        ),
        MetricValue(
            "suppressed",
            phrase("events suppressed{least}", least=as_phrase(least)),
            gone,
            "events",
            help,
        ),
    ]
    if standing.has_owners:
        had, has = standing.before > 0, standing.after > 0
        borrowed = float(np.count_nonzero(~had & has & (standing.user >= 0)))
        lost = float(np.count_nonzero(had & ~has))
        values += [describe_metric("borrowed", borrowed), describe_metric("lost", lost)]
    return tuple(values)


def users_table(
    request: ExplanationRequest, standing: ReleasedStanding, group: Int64s | None, meaning: str
) -> Table:
    """Each user with the query: asked, released, and their group; most changed first.

    `group` numbers each record's group, None where it isn't known; `meaning` is what a group is.
    """
    change = np.abs(standing.after - standing.before)
    order = np.lexsort((-standing.before, -change))[:MOST_ROWS]
    sizes = np.bincount(group) if group is not None else None
    rows = []
    for index in order.tolist():
        user, record = int(standing.user[index]), int(standing.record[index])
        row: list[object] = [
            request.log.users[user] if user >= 0 else "not known",
            request.released.users[record] if record >= 0 else "none",
            int(standing.before[index]) if user >= 0 else "not known",
            int(standing.after[index]),
        ]
        if group is not None and sizes is not None:
            group_number = int(group[record]) if record >= 0 else -1
            row += (
                [group_number + 1, int(sizes[group_number])] if group_number >= 0 else ["none", 0]
            )
        rows.append(row)
    columns: tuple[str, ...] = ("user in the log", "id in the release")
    columns += ("events in the log", "events released")
    note = (
        phrase("{Told}.", told=as_phrase(standing.owners.evidence))
        if standing.owners.evidence
        else ""
    )
    if group is not None:
        columns += ("group", "users in it")
        note = join_phrases(" ", filter(None, (note, meaning)))
    if len(standing.user) > MOST_ROWS:
        rest_note = phrase(
            "The {most} most changed of {users:,}.", most=MOST_ROWS, users=len(standing.user)
        )
        note = join_phrases(" ", filter(None, (note, rest_note)))
    return Table(
        name="users", title="Users who have it", columns=columns, rows=rows, note=note,
        private=True,
    )  # fmt: skip


def only_running_tells(
    params: Params, names: Iterable[str], reason: str
) -> tuple[TurningPoint, ...]:
    """Parameters whose effect on one query can't be solved for."""
    return tuple(
        TurningPoint(name, params.spec(name).label, getattr(params, name), why=reason)
        for name in names
        if params.matters(name)
    )


def equal_records(log: QueryLog, progress: Progress) -> Int64s:
    """A number for each user, equal for equal sets of rows without ids; O(rows log users).

    Rows are compared by 128-bit sums over them: two different records agree by chance with a
    probability of about 2⁻¹²⁸ a pair.
    """
    total = np.zeros((len(log.users), 2), dtype=np.uint64)
    for start, stop in progress.blocks("comparing records", len(log), 1 << 20):
        rows = slice(start, stop)
        bits = np.zeros(stop - start, dtype=np.uint64)
        for column in (log.query, log.time, log.url, log.rank):
            bits = mix_numbers(bits ^ column[rows].astype(np.int64).view(np.uint64))
        np.add.at(total[:, 0], log.user[rows], bits)
        np.add.at(total[:, 1], log.user[rows], mix_numbers(bits))
    _, number = np.unique(total, axis=0, return_inverse=True)
    codes: Int64s = number.ravel().astype(np.int64)
    return codes
