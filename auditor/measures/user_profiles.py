"""What each user issued in the log and in the release: distributions over query strings.

Whose a record is, its id tells, or its rows where ids were changed (`auditor.privacy.records`);
query strings are the same where they are equal letter for letter.
Every row counts, as in the source, where a query with n clicks is n lines. O(n log n) for n rows.
"""

from dataclasses import dataclass

import numpy as np

from auditor.arrays import Bools, Float64s, Int64s
from auditor.log.model import NONE, QueryLog
from auditor.measures.query_counts import match_vocabulary
from auditor.privacy.records import record_owners
from auditor.privacy.release import Anonymized
from auditor.progress import Progress, run_cancellable


@dataclass(frozen=True, eq=False)
class QueryProfiles:
    """The m distinct pairs of a user and a query string in the log, the release, or both."""

    # user, query: codes in the log, `user` ascending; a string that the log lacks has
    # len(log.queries) + its code in the release
    user: Int64s
    query: Int64s
    # before, after: the same as shares
    before: Float64s
    after: Float64s
    # issued_counts, listed: rows of the user in the log and in the release that are this query
    issued_counts: Int64s
    listed: Int64s
    # users, in_release: how many users the log has, and which of them the release has
    users: int
    in_release: Bools
    strangers: int  # records of the release whose users are not in the log, or not known
    evidence: str  # how it is known whose a record is, or why it isn't

    def sum_by_user(self, parts: Float64s) -> Float64s:
        """Sum of a figure of the pairs over each user; shape (users,)."""
        return np.bincount(self.user, parts, minlength=self.users).astype(np.float64)


def pair_profiles(log: QueryLog, release: Anonymized, progress: Progress) -> QueryProfiles:
    """Pair the users and queries of a log with those of its release; raises `Cancelled`."""
    released = release.log
    assert released is not None
    owners = record_owners(log, release, progress)
    owner_of_record = owners.user
    query_codes = match_vocabulary(released.queries, log.queries, "looking for queries", progress)
    new_codes = len(log.queries) + np.arange(len(released.queries))
    code = np.where(query_codes == NONE, new_codes, query_codes)
    width = max(1, len(log.queries) + len(released.queries))
    progress.stage("comparing profiles")

    def count_profile_pairs() -> tuple[Int64s, ...]:
        is_owned = owner_of_record[released.user] != NONE
        old = log.user.astype(np.int64) * width + log.query
        new = (
            owner_of_record[released.user[is_owned]].astype(np.int64) * width
            + code[released.query[is_owned]]
        )
        keys, inverse = np.unique(np.concatenate([old, new]), return_inverse=True)
        before = np.bincount(inverse[: len(old)], minlength=len(keys))
        after = np.bincount(inverse[len(old) :], minlength=len(keys))
        return keys, before, after

    keys, issued_counts, listed = run_cancellable(count_profile_pairs, progress)
    present = np.zeros(len(log.users), dtype=np.bool_)
    present[owner_of_record[owner_of_record != NONE]] = True
    strangers = int(np.count_nonzero(owner_of_record == NONE))
    user, query = keys // width, keys % width
    before, after = (
        part / np.maximum(np.bincount(user, part, minlength=len(log.users)), 1)[user]
        for part in (issued_counts, listed)
    )
    return QueryProfiles(
        user=user,
        query=query,
        before=before,
        after=after,
        issued_counts=issued_counts,
        listed=listed,
        users=len(log.users),
        in_release=present,
        strangers=strangers,
        evidence=owners.evidence,
    )


def cumulative_steps(values: Float64s) -> tuple[Float64s, Float64s]:
    """The share of users up to each value, thinned to at most 200 places."""
    ordered = np.sort(values)
    places = np.unique(np.linspace(0, len(ordered) - 1, min(200, len(ordered))).round())
    index = places.astype(np.int64)
    return ordered[index], (index + 1) / max(len(ordered), 1)
