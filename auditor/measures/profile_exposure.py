"""How much of a user's profile the release exposes under their id: PEL and SPI.

PEL (profile exposure level, Navarro-Arribas et al. 2012, section 4.1) is I(φ, φ')/H(φ) · 100. As
the source's figures ask for, I is the sum of −p log₂ p over the strings of φ that stand in φ',
and H the same over all of φ. Where H = 0 it is 100 if the one string stands there and 0 if not.
Frequent strings come first into a group's list, so this lies above 100/k. Beside it stands the
level by occurrences, where a string that was asked n times and is listed m times gives m/n of its
information: on microaggregated logs that is the 100/k of the source's Fig. 3.

SPI (sensitive-aware privacy index, after Carpineto & Romano 2018) is a Jensen-Shannon divergence
between φ and φ' in which sensitive strings weigh more: Σ w·(p log₂(p/m) + q log₂(q/m)) with
m = (p + q)/2, divided by Σ w·(p + q), in per cent; 100 where nothing is shared. Weights come from
word lists, not from the authors' classifier. A user who isn't in the release has PEL 0, SPI 100.

What each user issued in the log and in the release is a distribution over query strings. Whose a
record is, its id tells, or its rows where ids were changed (`auditor.privacy.records`); strings are
the same where they are equal letter for letter. Every row counts, as in the source, where a query
with n clicks is n lines.

PEL trusts that strings are equal: read it with the record-linkage rate. O(n log n) for n rows.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from auditor.arrays import Bools, Float64s, Int64s
from auditor.figures import PERCENT, Figure, PlotMark, Series
from auditor.log import gazetteers
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import NONE, QueryLog, Vocabulary
from auditor.log.text import SPACE
from auditor.measures.base import Measure, MeasureContext, MeasureResult
from auditor.measures.query_counts import match_vocabulary
from auditor.messages import as_phrase, phrase
from auditor.params import Params
from auditor.privacy.information import exposed_percent, information_bits
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


catalogue = MetricCatalogue("measures", "profile_exposure")


def find_sensitive(queries: Vocabulary, progress: Progress) -> Bools:
    """Whether each query holds a term of the lists; shape (len(queries),)."""
    import pyarrow.compute as pc

    terms = sorted(gazetteers.adult_terms() | gazetteers.revealing_terms())
    spelled = "|".join(f"(?:{SPACE})+".join(map(re.escape, term.split())) for term in terms)
    pattern = f"(?:^|{SPACE})(?:{spelled})(?:{SPACE}|$)"
    match = partial(pc.match_substring_regex, queries.as_arrow(), pattern, ignore_case=True)
    progress.stage("looking for sensitive terms")
    marks: Bools = run_cancellable(match, progress).to_numpy(zero_copy_only=False)
    return marks


@dataclass(frozen=True, kw_only=True)
class ProfileExposureParams(Params, owner="profile-exposure"):
    """How much strings that are not sensitive count in SPI."""

    other_weight: float = 0.1


def user_exposure(pairs: QueryProfiles) -> Float64s:
    """PEL of every user in per cent; shape (users,)."""
    bits = information_bits(pairs.before)
    shared = (pairs.before > 0) & (pairs.after > 0)
    total = pairs.sum_by_user(bits)
    exposed = pairs.sum_by_user(np.where(shared, bits, 0.0))
    any_shared = pairs.sum_by_user(shared.astype(np.float64)) > 0
    return exposed_percent(exposed, total, any_shared)


def by_occurrence(pairs: QueryProfiles) -> Float64s:
    """PEL of every user by how often their strings stand there, in per cent; shape (users,)."""
    part = np.minimum(1.0, pairs.listed / np.maximum(pairs.issued_counts, 1))
    bits = information_bits(pairs.before)
    plain = 100 * pairs.sum_by_user(np.where(pairs.before > 0, part, 0.0))
    total = pairs.sum_by_user(bits)
    return np.where(
        total > 0, exposed_percent(pairs.sum_by_user(bits * part), total, plain > 0), plain
    )


def privacy_index(pairs: QueryProfiles, weight: Float64s) -> Float64s:
    """SPI of every user in per cent, with a weight for each pair; shape (users,)."""
    p, q = pairs.before, pairs.after
    middle = (p + q) / 2
    divergence = sum(part * np.log2(np.where(part > 0, part / middle, 1.0)) for part in (p, q))
    total = pairs.sum_by_user(weight * (p + q))
    index = 100 * pairs.sum_by_user(weight * divergence) / np.where(total > 0, total, 1)
    return np.where(pairs.in_release, np.clip(index, 0, 100), 100.0)


def run(
    log: QueryLog, release: Anonymized, params: ProfileExposureParams, context: MeasureContext
) -> MeasureResult:
    """PEL and SPI of every user of the log, and their means."""
    progress = context.progress
    assert release.log is not None
    pairs = pair_profiles(log, release, progress)
    if not pairs.in_release.any():
        return MEASURE.build_result(
            params,
            notes=(phrase("No profile can be compared: {told}.", told=as_phrase(pairs.evidence)),),
        )
    level, by_occurrences = user_exposure(pairs), by_occurrence(pairs)
    marked = np.concatenate(
        [find_sensitive(log.queries, progress), find_sensitive(release.log.queries, progress)]
    )
    weight = np.where(marked[pairs.query], 1.0, params.other_weight)
    index = privacy_index(pairs, weight)
    is_issued = pairs.before > 0
    touched = pairs.sum_by_user((is_issued & marked[pairs.query]).astype(np.float64)) > 0
    values = [
        catalogue("exposure.pel", float(level.mean())),
        catalogue("exposure.pel_p95", float(np.percentile(level, 95))),
        catalogue("exposure.pel_occurrences", float(by_occurrences.mean())),
        catalogue("exposure.spi", float(index.mean())),
    ]
    if touched.any():
        values.append(catalogue("exposure.spi_sensitive_users", float(index[touched].mean())))
    parts = (5, 25, 50, 75, 95)
    rows = [
        ["PEL", float(level.mean()), *np.percentile(level, parts).tolist()],
        ["SPI", float(index.mean()), *np.percentile(index, parts).tolist()],
    ]
    return MEASURE.build_result(
        params,
        values,
        figures=_draw_figures(release, level, by_occurrences, index),
        tables=(
            catalogue.table(
                "exposure",
                [[row[0], *(round(number, 3) for number in row[1:])] for row in rows],
                columns=(
                    "measure",
                    "mean (%)",
                    *(phrase("{part}th percentile (%)", part=part) for part in parts),
                ),
                units=("", PERCENT, *[PERCENT] * len(parts)),
            ),
        ),
        notes=_write_notes(pairs),
    )


def _draw_figures(
    release: Anonymized, level: Float64s, levels: Float64s, index: Float64s
) -> tuple[Figure, ...]:
    percent, users = cumulative_steps(level)
    index_points, also = cumulative_steps(index)
    spread = catalogue.figure(
        "exposure-users",
        (
            Series("PEL (less is more private)", percent, users, kind="steps"),
            Series("SPI (more is more private)", index_points, also, kind="steps"),
        ),
        marks=(PlotMark("x", float(level.mean()), "mean PEL", "current"),),
    )
    k = release.params.get("k")
    if not isinstance(k, int) or k < 1:
        return (spread,)
    grid = np.arange(2, max(10, k) + 1, dtype=np.float64)
    point = np.array([float(k)])
    steps = catalogue.figure(
        "exposure-k",
        (
            Series("k-anonymity: 100 / k", grid, 100 / grid),
            Series("this release", point, np.array([level.mean()]), kind="points"),
            Series("this release, by occurrences", point, np.array([levels.mean()]), kind="points"),
        ),
    )
    return (steps, spread)


def _write_notes(pairs: QueryProfiles) -> Iterator[str]:
    yield "PEL alone is weak evidence: read it together with the rate of record linkage."
    if "changed" in pairs.evidence:
        yield catalogue.say("changed_ids", told=as_phrase(pairs.evidence))
    if missing := int(np.count_nonzero(~pairs.in_release)):
        yield catalogue.say("missing_user" if missing == 1 else "missing_users", missing=missing)
    if strangers := pairs.strangers:
        yield catalogue.say("stranger" if strangers == 1 else "strangers", strangers=strangers)


MEASURE = Measure(**catalogue.card, params=ProfileExposureParams, run=run, applies=("log",))
