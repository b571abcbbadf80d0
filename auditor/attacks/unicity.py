"""How few known queries single somebody out of a release.

The attacker knows p different queries that a user issued and looks for the released records that
hold some of them: any of the first three together, or the first four, five, and so on. If exactly
one does, and it is the user's, these p queries were enough: the user is singled out, and all else
in the record is read about them. Looking for all p alone would find the fewer the more is known
where a record is but a day or a few searches of somebody. Knowing the rarest queries of
somebody is the worst case, knowing some at random an ordinary one. Where the release has columns
beside its rows, the attacker knows the user's: a record with another value is somebody else's.
Columns may be coarser or spelt otherwise than the log's, so it counts with and without them, and
reports the better way.

* Rate: of the users whose record is known, those of whom some of p queries fit records of theirs
  and no other. Spec 7 says "exactly one record"; where ids change, one user has several, and who
  fits two of their own is singled out all the same. Who issued fewer than p different queries is
  known by all of theirs. The share of all users, of whom some may have no record, stands beside it.
* Baseline: one in the number of records.
* Control: users of the reference log who are not in the raw one, of whom exactly one record holds
  some of their p queries all the same; without a reference the targets, with their own record
  taken away.

On some users of a log, with the release cut to their records, nobody can say which of a user's
queries are the rarest, and only random ones are looked at. Which these are does not depend on other
users, and the records that fit them are those that fit them among all, without those of users who
are not looked at. So whoever is singled out among all is singled out here, and the expected rate is
no lower than that of all.

Source: de Montjoye, Hidalgo, Verleysen and Blondel: Unique in the Crowd (Scientific Reports 2013),
unicity by p points; rate, baseline and control as in Giomi et al.: Anonymeter (PoPETs 2023);
singling out as in WP216 (2014). Cost: O(rows log rows), and for each target the records that hold
the rarest of the p queries.
"""

import functools
import itertools
from dataclasses import dataclass, replace

import numpy as np

from auditor.arrays import Bools, Int32s, Int64s, expand_ranges, find_sorted, mean_of
from auditor.attacks.base import Attack, AttackResult, Evidence
from auditor.attacks.intervals import describe_share, draw_shares
from auditor.attacks.record_linkage.targets import (
    draw_strangers,
    draw_users,
    explain_no_targets,
    released_log,
    why_not,
)
from auditor.errors import MissingInput
from auditor.figures import UserReference
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import NONE, QueryLog
from auditor.messages import as_phrase
from auditor.params import Params
from auditor.privacy.records import RecordTruth, is_readable, records_of
from auditor.progress import Progress

catalogue = MetricCatalogue("attacks", "unicity")

POINTS = (1, 2, 3)
"""Queries known that are always looked at, besides the number that is asked for."""
ORDERS = ("random", "rarest")


@dataclass(frozen=True, kw_only=True)
class UnicityParams(Params, owner="unicity"):
    """How many queries of each target are known, and which."""

    points: int = 3
    known: str = "random"
    targets: int = 2_000


class _ReleasedQueries:
    """Which records hold each query of a release."""

    def __init__(self, released: QueryLog, progress: Progress) -> None:
        progress.stage("indexing records")
        self.queries = released.queries
        pairs = sorted_distinct(released.query.astype(np.int64) << 32 | released.user)
        self.holder = pairs & 0xFFFFFFFF
        self.starts = np.searchsorted(pairs >> 32, np.arange(len(released.queries) + 1))
        self.columns = {name: _list_values(released, name) for name in released.attributes}
        self.attributes = released.attributes

    def find_records(self, queries: Int64s) -> Int64s:
        """The records that hold all of some queries, ascending; −1 is a query that none holds."""
        if not len(queries) or queries.min() < 0:
            return np.zeros(0, dtype=np.int64)
        parts = [self.holder[self.starts[code] : self.starts[code + 1]] for code in queries]
        parts.sort(key=len)
        records = parts[0]
        for other in parts[1:]:
            records = records[find_sorted(records, other) >= 0]
        return records

    def match_columns(self, log: QueryLog) -> dict[str, Int32s]:
        """Of each column that a log has, too, the released code of each of its values or −1."""
        return {
            name: log.attributes[name].texts.match(self.attributes[name].texts)
            for name in self.columns
            if name in log.attributes
        }

    def keep_fitting(self, records: Int64s, user_values: dict[str, Int64s]) -> Int64s:
        """Those of some records that show no value but a user's `user_values`, by column."""
        for name, values in user_values.items():
            starts, codes = self.columns[name]
            size = starts[records + 1] - starts[records]
            strange = ~np.isin(codes[expand_ranges(starts[records], size)], values)
            owner = np.repeat(np.arange(len(records)), size)
            records = records[np.bincount(owner[strange], minlength=len(records)) == 0]
        return records


def _list_values(log: QueryLog, name: str) -> tuple[Int64s, Int64s]:
    """Where the values of each user begin, and at the end; and the values, each once."""
    codes = log.attributes[name].codes
    has_value = codes != NONE
    pairs = sorted_distinct(log.user[has_value].astype(np.int64) << 32 | codes[has_value])
    starts = np.searchsorted(pairs >> 32, np.arange(len(log.users) + 1)).astype(np.int64)
    return starts, pairs & 0xFFFFFFFF


def run(
    evidence: Evidence, params: UnicityParams, *, rng: np.random.Generator, progress: Progress
) -> AttackResult:
    """Look for the records that fit what is known of each target."""
    orders = ORDERS[:1] if evidence.is_cut else ORDERS
    if params.known not in orders:
        raise MissingInput(catalogue.say("rarest_of_some"))
    log, (release, released) = evidence.log, released_log(evidence)
    drawn_users = draw_users(len(log.users), params.targets, rng)
    truth = records_of(log, release, drawn_users, progress)
    has_record = truth.record >= 0
    if not has_record.any():
        raise explain_no_targets()
    users, truth = drawn_users[has_record], replace(truth, record=truth.record[has_record])
    views = [_ReleasedQueries(released, progress)]
    reference, outsiders = evidence.reference, None
    if reference is not None:
        outsiders = draw_strangers(reference.users, log.users, params.targets, rng)
    seed = int(rng.integers(1 << 62))
    points = sorted({*POINTS, params.points})
    known = [(order, p) for order in orders for p in points]

    if views[0].match_columns(log):
        views.append(_ReleasedQueries(released.without_attributes, progress))
    ways = [(_single_out(log, users, view, known, truth, seed, progress), view) for view in views]
    singled, index = max(ways, key=lambda way: way[0][params.known, params.points][0].sum())
    hits, columns = {key: hit for key, (hit, _) in singled.items()}, index.match_columns(log)
    if reference is not None and outsiders is not None:
        no_truth = RecordTruth(np.full(len(outsiders), NONE, dtype=np.int64), "")
        singled = _single_out(reference, outsiders, index, known, no_truth, seed, progress)
    wrong = {key: other for key, (_, other) in singled.items()}
    is_hit = hits[params.known, params.points]
    control = wrong[params.known, params.points]
    hit_users = UserReference.from_parts("users", [users[is_hit]])
    rates = {order: np.array([mean_of(hits[order, p]) for p in points]) for order in orders}
    rows = [
        [catalogue.say(order), p, float(rate), mean_of(wrong[order, p])]
        for order in orders
        for p, rate in zip(points, rates[order], strict=True)
    ]
    lines = tuple(
        draw_shares(
            catalogue.say(order),
            np.array(points, dtype=np.float64),
            rates[order],
            np.array([int(hits[order, p].sum()) for p in points]),
            len(users),
        )
        for order in orders
    )
    by_rarest = [
        describe_share(catalogue, f"singled_out_by_{order}", int(hits[order, 1].sum()), len(users))
        for order in orders[1:]
    ]
    of_all = catalogue("singled_out_of_all", int(is_hit.sum()) / len(drawn_users))
    return ATTACK.build_result(
        params,
        int(is_hit.sum()),
        len(users),
        baseline=truth.guess_rate(len(released.users)),
        control=mean_of(control) if len(control) else None,
        rate_label=catalogue.say(
            "rate", points=params.points, known=as_phrase(catalogue.say(params.known))
        ),
        values=(
            describe_share(catalogue, "singled_out", int(is_hit.sum()), len(users), who=hit_users),
            *by_rarest,
            *([of_all] if len(drawn_users) > len(users) else []),
            catalogue("records", len(released.users)),
        ),
        figures=(catalogue.figure("unicity", lines),),
        tables=(catalogue.table("rates", rows),),
        notes=(
            catalogue.say("attempts", users=len(users), records=len(released.users)),
            catalogue.say("control_held_out" if outsiders is None else "control_of_reference"),
            *([catalogue.say("columns_known", names=", ".join(columns))] if columns else []),
        ),
        details={"targets": len(users), "records": len(released.users)},
    )


def _single_out(
    log: QueryLog,
    users: Int64s,
    index: _ReleasedQueries,
    known: list[tuple[str, int]],
    truth: RecordTruth,
    seed: int,
    progress: Progress,
) -> dict[tuple[str, int], Bools]:
    """Of whom only records of theirs fit some of p queries, and of whom exactly one other does.

    By the way to know queries and p; shape (2, users) each.
    """
    place = log.queries.match(index.queries).astype(np.int64)
    columns = index.match_columns(log)
    by_column = {name: _list_values(log, name) for name in columns}
    pairs = sorted_distinct(log.query.astype(np.int64) << 32 | log.user)
    holders = np.bincount(pairs >> 32, minlength=len(log.queries))
    rng = np.random.default_rng(seed)
    fits = {way: np.zeros((2, len(users)), np.bool_) for way in known}
    for target, user in enumerate(users.tolist()):
        progress.check()
        # The target's different queries, those that the attacker knows first, by the way to know.
        rows = slice(int(log.user_starts[user]), int(log.user_starts[user + 1]))
        codes = rng.permutation(np.unique(log.query[rows]).astype(np.int64))
        by_rarity = codes[np.argsort(holders[codes], kind="stable")]
        ordered = {"random": place[codes], "rarest": place[by_rarity]}
        user_values = {
            name: columns[name][values[starts[user] : starts[user + 1]]].astype(np.int64)
            for name, (starts, values) in by_column.items()
        }
        for order, p in known:
            queries = ordered[order]
            for known_places in _list_choices(min(p, len(queries))):
                records = index.find_records(queries[known_places])
                records = index.keep_fitting(records, user_values)
                other_records = records[~truth.is_own(target, records)]
                fits[order, p][0, target] |= len(records) > 0 and not len(other_records)
                fits[order, p][1, target] |= len(other_records) == 1
    return fits


@functools.cache
def _list_choices(known_count: int) -> list[list[int]]:
    """Places of some of the known queries: any of the first three, or the first four, five, ..."""
    first = range(min(known_count, 3))
    choices = [list(c) for size in (1, 2, 3) for c in itertools.combinations(first, size)]
    return choices + [list(range(size)) for size in range(4, known_count + 1)]


def explain_unfit(evidence: Evidence) -> str:
    """Why nobody can be singled out by queries, in words; empty if somebody may be."""
    if reason := why_not(evidence):
        return reason
    readable = is_readable(released_log(evidence)[1], evidence.log)
    return "" if readable else "needs released queries that can be read"


ATTACK = Attack(
    **catalogue.card,
    criterion="singling out",
    params=UnicityParams,
    run=run,
    sampled="above",
    applies=("log", "bundles"),
    knows_columns=True,
    unfit=explain_unfit,
)
