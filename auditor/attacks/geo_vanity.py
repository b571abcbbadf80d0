"""Who can be placed by what they ask for near their home.

A query that names a place gives a postal code: the one in it, or the one at the middle of the
city. A user is placed if enough of their queries give a code that begins as their home's does.

Source: Jones, Kumar, Pang and Tomkins, CIKM 2008, section 4.5, Table 5; its classifier of places
was a product, ours is `auditor.attacks.detection.places`. The control, somebody else's home, is
beyond it. O(rows + query bytes).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from auditor.arrays import Bools, Float64s, Int8s, Int32s, Int64s, mark_run_starts
from auditor.attacks.base import Attack, AttackResult, Evidence, FlaggedFindings
from auditor.attacks.bundle_view import bundled_release
from auditor.attacks.detection.places import PlaceMatches, classify_places
from auditor.attacks.intervals import describe_share, draw_shares
from auditor.attacks.vanity.own_name_queries import columns_of, match_profiles
from auditor.attacks.vanity.report import (
    UNCHANGED_ONLY,
    attacked_users,
    describe_attacked,
    estimate_percentage,
    open_sessions,
    readable_rows,
)
from auditor.errors import MissingInput
from auditor.figures import Figure, MetricValue, Series, Table, UserReference
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import NONE, QueryLog
from auditor.messages import as_phrase, phrase
from auditor.params import Params
from auditor.progress import Progress

catalogue = MetricCatalogue("attacks", "geo_vanity")

DIGITS = (3, 4, 5)
CONFIDENCES = (0.1, 0.3, 0.5, 0.7, 0.9)
LEASTS = (1, 2, 5, 10)
"""The grid of Table 5."""
LISTED = 1_000
MOST_QUERIES = 20
REASONS = (
    "searches for a place near their home",
    "shares 4 digits of the postal code",
    "shares 5 digits of the postal code",
    "the place that the user searches for most",
)
SOURCE = "Jones et al. 2008, Table 5"


@dataclass(frozen=True, eq=False, kw_only=True)
class GeoVanityResult:
    """Place queries of users whose home is known; e events."""

    places: PlaceMatches
    # Postal code of each user's home, −1 where unknown or the user isn't in the release; shape
    # (users of the log,).
    home: Int64s
    users: Int64s  # users with one
    # row, user, confidence, zip: where each event stands in the log, whose it is, how sure the
    # place is, and the postal code that it gives; shape (e,)
    row: Int64s
    user: Int64s
    confidence: Float64s
    zip: Int64s
    agrees: Int8s  # leading digits shared with the home: 0, 3, 4 or 5; shape (e,)
    dealt: tuple[Int8s, ...]  # the same with homes dealt at random, several times
    # Which users may be in the release; None where nothing tells; shape (users of the log,).
    in_release: Bools | None

    def count_queries(self, sure: float, digits: int = 0, agrees: Int8s | None = None) -> Int64s:
        """How often each user asks for a place so surely, and sharing so many digits with a home.

        Homes are the users' own unless `agrees` is of others; shape (users of the log,).
        """
        shared = self.agrees if agrees is None else agrees
        hit = (shared >= digits) & (self.confidence >= sure)
        return np.bincount(self.user[hit], minlength=len(self.home)).astype(np.int64)

    def count_reached(self, sure: float, digits: int, leasts: Iterable[float]) -> list[Int64s]:
        """Users who ask so many times or more, by each of `leasts`; then with homes dealt."""
        times = [self.count_queries(sure, digits, agrees) for agrees in (self.agrees, *self.dealt)]
        return [np.array([np.count_nonzero(n >= least) for least in leasts]) for n in times]


def table_5(result: GeoVanityResult) -> Table:
    """The share of users over digits, confidence and least queries, and by chance."""
    trials = len(result.users)
    rows = []
    for digits in DIGITS:
        for sure in CONFIDENCES:
            reached, *dealt = result.count_reached(sure, digits, LEASTS)
            chances = np.mean(dealt, axis=0) / trials
            for least, hits, chance in zip(LEASTS, reached.tolist(), chances.tolist(), strict=True):
                rows.append(
                    [digits, sure, least, hits, *estimate_percentage(hits, trials),
                     round(100 * chance, 3)]
                )  # fmt: skip
    return catalogue.table("own-places", rows)


def format_threshold(least: int) -> str:
    """A least number of times, in words."""
    return "once or more" if least == 1 else phrase("{least:,} times or more", least=least)


def _draw_figure(
    result: GeoVanityResult,
    name: str,
    points: Float64s,
    count: Callable[[int], Sequence[Int64s]],
    **places: Any,
) -> Figure:
    """For each number of digits who is reached over `points`, and with homes dealt at random.

    ``count(digits)`` are those numbers of users.
    """
    trials = len(result.users)
    series = []
    for digits in DIGITS:
        label = phrase("{digits} digits", digits=digits)
        hits, *controls = count(digits)
        series.append(draw_shares(label, points, hits / trials, hits, trials))
        other = phrase("{name}, another's home", name=as_phrase(label))
        series.append(Series(other, points, np.mean(controls, axis=0) / trials))
    return catalogue.figure(name, series, source=SOURCE, places=places)


def draw_figures(result: GeoVanityResult, params: GeoVanityParams) -> tuple[Figure, Figure]:
    """The share of users over the least number of queries, and over a place's confidence."""
    sure, numbers = params.confidence, np.arange(1, MOST_QUERIES + 1, dtype=np.float64)
    confidences = np.round(np.arange(0.0, 1.0, 0.1), 1)

    def count_by_confidence(digits: int) -> Sequence[Int64s]:
        reached = (result.count_reached(level, digits, [params.least]) for level in confidences)
        return [np.concatenate(counts) for counts in zip(*reached, strict=True)]

    return (
        _draw_figure(
            result,
            "places-by-queries",
            numbers,
            lambda digits: result.count_reached(sure, digits, numbers),
            confidence=sure,
        ),
        _draw_figure(
            result,
            "places-by-confidence",
            confidences,
            count_by_confidence,
            least=as_phrase(format_threshold(params.least)),
        ),
    )


def find_top_regions(result: GeoVanityResult, params: GeoVanityParams) -> tuple[Int64s, Int64s]:
    """Users who ask for a place, and the postal code region that each asks for most.

    Regions weigh by the confidence of their queries; ties go to the smaller code.
    """
    is_confident = result.confidence >= params.confidence
    region = result.zip[is_confident] // 10 ** (5 - params.digits)
    keys, inverse = np.unique(result.user[is_confident] << 20 | region, return_inverse=True)
    weight = np.bincount(inverse, result.confidence[is_confident], minlength=len(keys))
    user = keys >> 20
    order = np.lexsort((keys, -weight, user))
    best = order[mark_run_starts(user[order])]
    return user[best], keys[best] & ((1 << 20) - 1)


def build_metrics(result: GeoVanityResult, params: GeoVanityParams) -> tuple[MetricValue, ...]:
    """The figures that matter most."""
    trials = len(result.users)
    users, region = find_top_regions(result, params)
    right = int(np.count_nonzero(result.home[users] // 10 ** (5 - params.digits) == region))
    placed = {d: result.count_reached(params.confidence, d, [params.least])[0] for d in DIGITS}
    return (
        describe_share(catalogue, "ask_place", len(users), trials),
        describe_share(catalogue, "most_is_home", right, len(users)),
        *(
            describe_share(catalogue, "placed", int(hits), trials, named=f"placed_{d}", digits=d)
            for d, (hits,) in placed.items()
        ),
    )


def users_table(log: QueryLog, result: GeoVanityResult, params: GeoVanityParams) -> Table:
    """Those who ask most often for their home."""
    times = result.count_queries(params.confidence, params.digits)
    totals = result.count_queries(params.confidence)
    order = np.argsort(-times, kind="stable")[:LISTED]
    order = order[times[order] >= params.least]
    rows = [[log.users[int(user)], int(times[user]), int(totals[user])] for user in order.tolist()]
    return catalogue.table(
        "placed-users", rows, who={-1: UserReference.from_list("users", order.astype(np.int32))}
    )


def collect_findings(
    evidence: Evidence, result: GeoVanityResult, params: GeoVanityParams, progress: Progress
) -> FlaggedFindings:
    """Sessions that ask for the user's home; the risk is its share of their queries for places."""
    log, places = evidence.log, result.places
    times = result.count_queries(params.confidence, params.digits)
    totals = result.count_queries(params.confidence)
    hit = (result.agrees >= params.digits) & (result.confidence >= params.confidence)
    hit &= times[result.user] >= params.least
    user = result.user[hit]
    top_region = np.full(len(result.home), -1, dtype=np.int64)
    users_of_region, region = find_top_regions(result, params)
    top_region[users_of_region] = region
    is_top = result.zip[hit] // 10 ** (5 - params.digits) == top_region[user]
    bits = np.ones(len(user), dtype=np.uint64)
    for bit, has_reason in enumerate((result.agrees[hit] >= 4, result.agrees[hit] >= 5, is_top), 1):
        bits[has_reason] |= np.uint64(1 << bit)
    rows = result.row[hit]
    query = sorted_distinct(log.query[rows])
    marks = (query.astype(np.int32), places.start[query], places.stop[query])
    risk = times[user] / np.maximum(totals[user], 1)
    return open_sessions(evidence, rows, bits, risk, REASONS, marks, progress)


def write_notes(evidence: Evidence, result: GeoVanityResult) -> tuple[str, ...]:
    """What must be known to read the figures rightly."""
    notes = [catalogue.say("baseline"), catalogue.say("gazetteer")]
    is_released = result.in_release
    unknown = (len(result.home) if is_released is None else np.count_nonzero(is_released)) - len(
        result.users
    )
    if unknown:
        notes.append(catalogue.say("no_postal_code", unknown=unknown))
    notes += describe_attacked(result.in_release)
    if evidence.release is not None and bundled_release(evidence) is None:
        notes.append(UNCHANGED_ONLY)
    return tuple(notes)


DEALS = 5
"""Times that homes are dealt to users at random for the control."""


@dataclass(frozen=True, kw_only=True)
class GeoVanityParams(Params, owner="geo-vanity"):
    """What counts as a search for one's home."""

    digits: int = 3
    confidence: float = 0.5
    least: int = 1
    codes: str = "middle"


def run(
    evidence: Evidence, params: GeoVanityParams, *, rng: np.random.Generator, progress: Progress
) -> AttackResult:
    """Count users who ask for places near their homes.

    The rate is the share of users with a known home that are placed. The baseline is what is
    known without a query: the share of users who live where most do. The control is the rate
    with homes dealt to users at random.
    """
    result = measure_homes(evidence, params, rng, progress)
    trials = len(result.users)
    (hits,), *dealt = result.count_reached(params.confidence, params.digits, [params.least])
    size = 10 ** (5 - params.digits)
    return ATTACK.build_result(
        params,
        int(hits),
        trials,
        # The share of users whose home begins as most homes do.
        baseline=float(np.bincount(result.home[result.users] // size).max()) / trials,
        control=float(np.mean(dealt)) / trials,
        rate_label=catalogue.say(
            "rate",
            trials=trials,
            least=as_phrase(format_threshold(params.least)),
            digits=params.digits,
        ),
        values=build_metrics(result, params),
        figures=draw_figures(result, params),
        tables=(table_5(result), users_table(evidence.log, result, params)),
        findings=collect_findings(evidence, result, params, progress),
        notes=write_notes(evidence, result),
        details={"users": trials, "place_queries": len(result.row)},
    )


def measure_homes(
    evidence: Evidence, params: GeoVanityParams, rng: np.random.Generator, progress: Progress
) -> GeoVanityResult:
    """Which events name a place, and how many digits of each user's home that gives."""
    log = evidence.log
    if evidence.profiles is None:
        raise MissingInput("geo-vanity needs profiles with the column 'zip'.")
    table = match_profiles(log, evidence.profiles, progress)
    home = encode_homes(table.zip)
    if not (home >= 0).any():
        raise MissingInput("geo-vanity needs postal codes: no user of the log has one.")
    in_release = attacked_users(evidence, progress)
    if in_release is not None:
        home[~in_release] = NONE
    users = np.flatnonzero(home >= 0)
    if not len(users):
        raise MissingInput("geo-vanity needs postal codes: no user of the release has one.")
    places = classify_places(log.queries, progress)
    row = readable_rows(evidence, in_release)
    row = row[(places.zip[log.query[row]] >= 0) & (home[log.user[row]] >= 0)]
    query, user = log.query[row], log.user[row]
    progress.stage("homes", 1 + DEALS)
    dealt = []
    for _ in range(DEALS):
        progress.advance()
        other = np.full(len(home), NONE, dtype=np.int64)
        other[users] = home[rng.permutation(users)]
        dealt.append(count_common_digits(places, query, other[user], params.codes == "any"))
    return GeoVanityResult(
        places=places,
        home=home,
        users=users,
        row=row,
        user=user.astype(np.int64),
        confidence=places.confidence[query].astype(np.float64),
        zip=places.zip[query].astype(np.int64),
        agrees=count_common_digits(places, query, home[user], params.codes == "any"),
        dealt=tuple(dealt),
        in_release=in_release,
    )


def encode_homes(texts: list[str]) -> Int64s:
    """Postal codes as numbers, −1 for none; shape (len(texts),).

    "02118-1234" counts as "02118"; of a number that lost its leading zeros in a spreadsheet
    they are put back.
    """
    codes = np.full(len(texts), NONE, dtype=np.int64)
    for user, text in enumerate(texts):
        code = text.partition("-")[0].strip().removesuffix(".0")
        if code.isascii() and code.isdigit() and 3 <= len(code) <= 5:
            codes[user] = int(code)
    return codes


def count_common_digits(places: PlaceMatches, query: Int32s, home: Int64s, any_code: bool) -> Int8s:
    """Leading digits, 0 or 3 to 5, that a query's code shares with a home; shape of `query`.

    With `any_code` the best of all codes of the query's city, unless the query holds a code.
    """
    digits = np.zeros(len(query), dtype=np.int8)
    code = places.zip[query].astype(np.int64)
    lists = places.gazetteer
    by_city = any_code & ~places.exact[query]
    place = places.place[query].astype(np.int64)
    owner = np.repeat(np.arange(len(lists.labels)), np.diff(lists.zip_starts))
    keys = owner * 100_000 + lists.zips
    for digit_count in DIGITS:
        size = 10 ** (5 - digit_count)
        is_same = code // size == home // size
        if any_code:
            low = place * 100_000 + home // size * size
            is_inside = np.searchsorted(keys, low) < np.searchsorted(keys, low + size)
            is_same = np.where(by_city, is_inside, is_same)
        digits[is_same & (home >= 0)] = digit_count
    return digits


def _explain_unfit(evidence: Evidence) -> str:
    """Why it doesn't apply, in words; empty if it does."""
    if not len(evidence.log):
        return "needs rows: the log is empty"
    columns = columns_of(evidence.profiles)
    if columns and "zip" not in columns:
        return "needs homes: the profiles have no column 'zip'"
    return ""


ATTACK = Attack(
    **catalogue.card,
    criterion="singling out",
    intruder=True,
    params=GeoVanityParams,
    run=run,
    unfit=_explain_unfit,
    needs=("profiles",),
)
