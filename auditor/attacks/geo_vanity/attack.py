"""Who can be placed by what they ask for near their home.

A query that names a place gives a postal code: the one in it, or the one at the middle of the
city. A user is placed if enough of their queries give a code that begins as their home's does.

Source: Jones, Kumar, Pang and Tomkins, CIKM 2008, section 4.5, Table 5; its classifier of places
was a product, ours is `auditor.attacks.detection.places`. The control, somebody else's home, is
beyond it. O(rows + query bytes).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from auditor.arrays import Int8s, Int32s, Int64s
from auditor.attacks.base import Attack, AttackResult, Evidence
from auditor.attacks.detection.places import PlaceMatches, classify_places
from auditor.attacks.geo_vanity import report
from auditor.attacks.geo_vanity.report import DIGITS, GeoVanityResult, count_reached
from auditor.attacks.vanity.findings import seen_rows
from auditor.attacks.vanity.own_name_queries import columns_of
from auditor.attacks.vanity.profiles import read_profiles
from auditor.errors import MissingInput
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import NONE
from auditor.messages import as_phrase
from auditor.params import ParamOption, Params, choice, integer, real
from auditor.progress import Progress

catalogue = MetricCatalogue("attacks", "geo_vanity")

DEALS = 5
"""Times that homes are dealt to users at random for the control."""


@dataclass(frozen=True, kw_only=True)
class GeoVanityParams(Params, owner="geo-vanity"):
    """What counts as a search for one's home."""

    digits: int = integer(
        3,
        3,
        5,
        label="Digits of the postal code that agree",
        unit="digits",
        ends=("same region", "same neighbourhood"),
        help="How many leading digits of the postal code must be those of the user's home. Three "
        "are a city or a few counties, five a part of a town.",
    )
    confidence: float = real(
        0.5,
        0.0,
        0.99,
        label="Confidence in a place, at least",
        slider=(0.0, 0.95),
        ends=("more places", "more certain places"),
        help="How certain it must be that a query means this place. A low value counts words "
        "like “reading” and “mobile” as places, too.",
    )
    least: int = integer(
        1,
        1,
        1_000,
        label="Queries for a place, at least",
        unit="queries",
        slider=(1, 20),
        ends=("searched for once", "searched for often"),
        help="How many of a user's queries must give a matching code. Somebody who searches "
        "for one place often is rarely a traveller.",
    )
    codes: str = choice(
        "middle",
        (
            ParamOption(
                "middle", "the city's middle", "One guess for each city, as in the source."
            ),
            ParamOption("any", "any of the city", "The home agrees with one of the city's codes."),
        ),
        label="Codes of a city",
        help="A city has many postal codes. One of them is a fair guess at a home; any of "
        "them shows whether a user searches for their own city, and finds more by "
        "chance, too.",
    )


def run(
    evidence: Evidence, params: GeoVanityParams, *, rng: np.random.Generator, progress: Progress
) -> AttackResult:
    """Count users who ask for places near their homes.

    The rate is the share of users with a known home that are placed. The baseline is what is
    known without a query: the share of users who live where most do. The control is the rate
    with homes dealt to users at random.
    """
    found = measure_homes(evidence, params, rng, progress)
    trials = len(found.users)
    hits = int(count_reached(found, params.digits, params.confidence, params.least))
    return ATTACK.build_result(
        params,
        hits,
        trials,
        baseline=report.commonest_share(found, params.digits),
        control=report.by_chance(found, params.digits, params.confidence, params.least),
        rate_label=catalogue.say(
            "rate",
            trials=trials,
            least=as_phrase(report.format_threshold(params.least)),
            digits=params.digits,
        ),
        values=report.build_metrics(found, params),
        figures=(report.by_queries(found, params), report.by_confidence(found, params)),
        tables=(report.table_5(found), report.users_table(evidence.log, found, params)),
        findings=report.collect_findings(evidence, found, params, progress),
        notes=report.write_notes(evidence, found),
        details={"users": trials, "place_queries": len(found.row)},
    )


def measure_homes(
    evidence: Evidence, params: GeoVanityParams, rng: np.random.Generator, progress: Progress
) -> GeoVanityResult:
    """Which events name a place, and how many digits of each user's home that gives."""
    log = evidence.log
    if evidence.profiles is None:
        raise MissingInput("geo-vanity needs profiles with the column 'zip'.")
    table = read_profiles(log, evidence.profiles, progress)
    home = encode_homes(table.zip)
    users = np.flatnonzero(home >= 0)
    if not len(users):
        raise MissingInput("geo-vanity needs postal codes: no user of the log has one.")
    places = classify_places(log.queries, progress)
    row = seen_rows(evidence)
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
    whole = any_code & ~places.exact[query]
    place = places.place[query].astype(np.int64)
    owner = np.repeat(np.arange(len(lists.labels)), np.diff(lists.zip_starts))
    keys = owner * 100_000 + lists.zips
    for some in DIGITS:
        size = 10 ** (5 - some)
        same = code // size == home // size
        if any_code:
            low = place * 100_000 + home // size * size
            inside = np.searchsorted(keys, low) < np.searchsorted(keys, low + size)
            same = np.where(whole, inside, same)
        digits[same & (home >= 0)] = some
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
    name="geo-vanity",
    cost="O(rows + bytes of queries)",
    title="Geographic vanity",
    summary="Finds where users live from the places they search for.",
    source="Jones, Kumar, Pang and Tomkins: Vanity fair: privacy in querylog bundles, "
    "CIKM 2008, section 4.5",
    params=GeoVanityParams,
    run=run,
    unfit=_explain_unfit,
    needs=("profiles",),
)
