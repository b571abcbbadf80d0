"""Who can be told by their own name: people search for themselves.

A name that somebody goes by, from their userid or profile, leads to the session that asks for it;
and of the names that a session asks for, the one that weighs most is often the user's own. Both
are measured for single users and, as attackers on bundles see it, for bundles of users.

Source: Jones, Kumar, Pang and Tomkins, CIKM 2008, sections 4.1 to 4.4 (Tables 3 and 4, Figures
2 and 3). Its weight 1 / log c of a query issued c times is undefined for a query issued once; here
it is 1 / log(1 + c), and the printed one an option. O(rows + query bytes), and O(m log m) for
the m distinct (user, name query).
"""

from dataclasses import dataclass

import numpy as np

from auditor.arrays import Float64s, Int32s, Int64s
from auditor.attacks import bundle_view
from auditor.attacks.base import Attack, AttackResult, Evidence
from auditor.attacks.bundle_view import BundleParams
from auditor.attacks.detection.entity_detection import detect_entities
from auditor.attacks.detection.kinds import EntityKind
from auditor.attacks.vanity import report, user_names
from auditor.attacks.vanity.own_name_queries import UserProfileTable, columns_of, match_profiles
from auditor.attacks.vanity.report import (
    VanityCurves,
    VanityPropensity,
    VanityResult,
    collect_findings,
    readable_rows,
)
from auditor.attacks.vanity.user_names import (
    NEVER,
    VARIANTS,
    NameQueries,
    UserNames,
    VanityTargets,
    carry_names,
    extract_names,
)
from auditor.errors import MissingInput
from auditor.log.gil_friendly import is_among, sorted_distinct
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import QueryLog
from auditor.messages import as_phrase, phrase
from auditor.progress import Progress

catalogue = MetricCatalogue("attacks", "vanity")

LEASTS = (1, 2)
"""Least numbers of names in Tables 3 and 4."""
PLOTTED = (("either", 2), ("common", 2))
"""Ways whose curves the source's Figures 2 and 3 show."""


@dataclass(frozen=True, kw_only=True)
class VanityParams(BundleParams, owner="vanity"):
    """How names are known and weighed; what bundles are made by, for the curves over bundles."""

    names: str = "either"
    least: int = 2
    idf: str = "smoothed"


def run(
    evidence: Evidence, params: VanityParams, *, rng: np.random.Generator, progress: Progress
) -> AttackResult:
    """Look for users by their names, and for names in users' sessions.

    The rate is the share of users with a name, by the chosen way, whose session is the first of
    all that ask for that name; where the release is bundled, whose bundle is. The baseline is one
    over the number of sessions or bundles; the control is the same rate if everybody were looked
    for by somebody else's name.
    """
    result = measure_vanity(evidence, params, rng, progress)
    in_bundles = result.bundled is not None and result.bundled.released
    judged_curves = result.bundles if in_bundles and result.bundles is not None else result.users
    named_users = result.propensity[params.names, params.least].named_users
    hits = int(np.count_nonzero(judged_curves.of_session == 1))
    return ATTACK.build_result(
        params,
        hits,
        named_users,
        baseline=1.0 / max(1, judged_curves.groups),
        control=judged_curves.by_other / named_users if named_users else None,
        rate_label=catalogue.say(
            "rate_of_bundles" if judged_curves is result.bundles else "rate_of_sessions",
            named=named_users,
        ),
        values=report.build_metrics(result),
        figures=report.draw_figures(result),
        tables=(
            report.extraction_table(result),
            report.propensity_table(result),
            report.recall_table(result),
            report.users_table(evidence.log, result),
        ),
        findings=collect_findings(evidence, result, progress),
        notes=report.write_notes(evidence, result),
        details=report.build_details(result),
    )


def why_no_names(evidence: Evidence) -> str:
    """Why nobody's name can be known, in words; empty if some can.

    Of the profiles it reads the first line; what can't be read is for the attack to complain of.
    """
    if not len(evidence.log):
        return "needs rows: the log is empty"
    if carry_names(evidence.log.users):
        return ""
    if evidence.profiles is None:
        return "needs profiles (user, userid, name): the log's user ids carry no names"
    columns = columns_of(evidence.profiles)
    if columns and not {"userid", "name"} & set(columns):
        return "needs names: the profiles have no column 'userid' or 'name'"
    return ""


def _find_names(
    evidence: Evidence, progress: Progress
) -> tuple[UserNames, UserProfileTable | None]:
    """Names of the log's users from their profiles and userids.

    Where the table has no userids, the log's own ids are taken if they look like chosen ones.

    Raises `MissingInput`: nobody's name can be known, or the profiles can't be read.
    """
    if reason := why_no_names(evidence):
        raise MissingInput(phrase("vanity {why}.", why=as_phrase(reason)))
    log = evidence.log
    table = None
    if evidence.profiles is not None:
        table = match_profiles(log, evidence.profiles, progress)
    userids = [""] * len(log.users)
    if table is not None and "userid" in table.columns:
        userids = table.userid
    elif carry_names(log.users):
        userids = log.users.list_strings()
    real = table.name if table is not None else [""] * len(log.users)
    names = extract_names(real, userids, len(log.users), progress)
    if not names.words:
        raise MissingInput("vanity needs names: neither profiles nor user ids hold any.")
    return names, table


def measure_vanity(
    evidence: Evidence, params: VanityParams, rng: np.random.Generator, progress: Progress
) -> VanityResult:
    """Everything that the attack tells, before it is put into words."""
    log = evidence.log
    names, table = _find_names(evidence, progress)
    in_release = report.attacked_users(evidence, progress)
    if in_release is not None:
        names = names.select_users(in_release)
    spots = detect_entities(log.queries, (EntityKind.PERSON,), progress=progress)
    name_queries = user_names.read_name_queries(log.queries, spots, names.words, progress)
    bundled = None
    if not bundle_view.why_not(evidence, params):
        bundled = bundle_view.find_bundles(evidence, params, progress)
    row = readable_rows(evidence, in_release)
    user, query = log.user[row].astype(np.int64), log.query[row]
    progress.stage("own names", 10)
    rows = user_names.count_name_queries(user, query, name_queries, len(log.users))
    propensity, goals, hits = {}, {}, {}
    main = (params.names, params.least)
    for variant, least in sorted({main, *PLOTTED, *((w, k) for k in LEASTS for w in VARIANTS)}):
        progress.advance()
        sets = names.select_names(variant, least)
        goal = goals[variant, least] = user_names.find_targets(sets, name_queries)
        pairs, mask = user_names.find_own_names(user, user, query, name_queries, goal)
        hits[variant, least] = pairs
        if (variant, least) == main:
            own_rows = row[mask]
        propensity[variant, least] = VanityPropensity(
            named_users=int(np.count_nonzero(goal.of_user >= 0)),
            any_match=len(user_names.any_match(rows, name_queries, sets)),
            all_match=len(pairs),
        )
    bundles = None
    if bundled is not None:  # the same with bundles for sessions, over those that are large enough
        events = np.flatnonzero(bundled.large[bundled.bundle])
        bundle, owner = (part[events].astype(np.int64) for part in (bundled.bundle, bundled.user))
        queries = bundled.query[events]
        bundle_rows = user_names.count_name_queries(bundle, queries, name_queries, bundled.count)
        pairs, _ = user_names.find_own_names(bundle, owner, queries, name_queries, goals[main])
        members, large = sorted_distinct(bundle << 32 | owner), int(bundled.large.sum())
        bundles = _compute_ranks(bundle_rows, goals[main], pairs, members, large, params, rng)
    everybody = np.arange(len(log.users), dtype=np.int64)
    if in_release is not None:
        everybody = everybody[in_release]
    everybody = everybody << 32 | everybody

    def rank(key: tuple[str, int]) -> VanityCurves:
        return _compute_ranks(rows, goals[key], hits[key], everybody, len(everybody), params, rng)

    return VanityResult(
        variant=main,
        printed=params.idf == "printed",
        names=names,
        table=table,
        name_queries=name_queries,
        propensity=propensity,
        users=rank(main),
        other_results={variant: rank(variant) for variant in PLOTTED if variant != main},
        bundles=bundles,
        bundled=bundled,
        own_rows=own_rows,
        in_release=in_release,
        strangers=_count_strangers(table, name_queries, log, query, params, progress),
    )


def _compute_ranks(
    rows: user_names.NameQueryCounts,
    goal: VanityTargets,
    pairs: Int64s,
    members: Int64s,
    groups: int,
    params: VanityParams,
    rng: np.random.Generator,
) -> VanityCurves:
    """Ranks of everybody who asks for their own name; the best of their groups counts.

    `pairs` are the (group, user) in which users ask for it, `members` all that there are.
    """
    printed = params.idf == "printed"
    score = rows.times * user_names.inverse_frequency(rows.by_anybody, printed)
    searches, rank = user_names.rank_users(rows, goal, printed, rng)
    group, user = pairs >> 32, pairs & 0xFFFFFFFF
    ranked_users, inverse = np.unique(user, return_inverse=True)

    def find_best_ranks(ranks: Int64s) -> Int64s:
        least = np.full(len(ranked_users), NEVER, dtype=np.int64)
        np.minimum.at(least, inverse, ranks)
        return least

    def find_shares(missed: Float64s) -> Float64s:
        shares: Float64s = np.sum(1 - missed, axis=0) / max(1, len(ranked_users))
        return shares

    of_user = goal.of_user
    named_users = np.flatnonzero(of_user >= 0)
    other = np.full(len(of_user), -1, dtype=np.int64)
    of_name, name_misses = user_names.ranks_of_names(rows, goal, pairs, score, rng)
    of_session = user_names.find_least_values(searches, rank, of_user[user] << 32 | group)
    searchers = np.bincount(searches >> 32, minlength=goal.count)[of_user[ranked_users]]
    name_missed = np.ones((len(ranked_users), user_names.RANKS))
    np.multiply.at(name_missed, inverse, name_misses)
    # The control: names are handed round by chance, and users count who come first for another's.
    other[named_users] = of_user[rng.permutation(named_users)]
    member = members & 0xFFFFFFFF
    is_other = (other[member] >= 0) & (other[member] != of_user[member])
    member = member[is_other]
    by_other = other[member] << 32 | members[is_other] >> 32
    ranks = user_names.find_least_values(searches, rank, by_other)
    return VanityCurves(
        users=ranked_users,
        of_name=find_best_ranks(of_name),
        of_session=find_best_ranks(of_session),
        name_by_chance=find_shares(name_missed),
        session_by_chance=find_shares(user_names.compute_misses(np.bincount(inverse), searchers)),
        searchers=searchers,
        groups=groups,
        named_users=len(named_users),
        by_other=len(sorted_distinct(member[ranks == 1])),
    )


def _count_strangers(
    table: UserProfileTable | None,
    name_queries: NameQueries,
    log: QueryLog,
    query: Int32s,
    params: VanityParams,
    progress: Progress,
) -> tuple[int, int]:
    """Of people with a name who are not in the log: how many, and how many are searched for.

    `query` are the queries of the events that an attacker can read.
    """
    if table is None or not table.strangers:
        return 0, 0
    userids, real_names = (list(column) for column in zip(*table.strangers, strict=True))
    names = extract_names(real_names, userids, len(userids), progress)
    spots = name_queries.spots
    foreign_queries = user_names.read_name_queries(log.queries, spots, names.words, progress)
    goal = user_names.find_targets(names.select_names(params.names, params.least), foreign_queries)
    sought = np.zeros(goal.count, dtype=np.bool_)
    sought[goal.which[is_among(goal.query, sorted_distinct(query))]] = True
    has_target = goal.of_user >= 0
    return int(has_target.sum()), int(sought[goal.of_user[has_target]].sum())


ATTACK = Attack(
    **catalogue.card,
    criterion="singling out",
    intruder=True,
    params=VanityParams,
    run=run,
    unfit=why_no_names,
)
