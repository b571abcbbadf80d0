"""Accounts that issue the beginning of a query and bring out what one user added to it.

A method that releases rare refinements of what many users issue can be led: whoever makes many
accounts issue "jane roe" brings out "jane roe divorce", which one user issued, without guessing
it. The method runs once more on the log with accounts of the attacker's added. They issue all but
the last word of queries that one user issued and that stayed back; the rate is the share of these
queries that comes out.

The control is queries of the same kind whose beginnings nobody planted, in the same run. The
baseline is the share of the targets that comes out of a run without any accounts.

Each stem gets one account less than force out a string of the attacker's own (see
`planted_strings`), so that what comes out is no string that a threshold would release.
Source: kΘ-affinity's own warning (`methods.k_theta_affinity`); sybil accounts, Douceur, IPTPS 2002.
Cost: two runs of the method on the log, and three to five on some 60,000 rows.
"""

from dataclasses import dataclass

import numpy as np

from auditor.arrays import Bools, Int64s
from auditor.attacks.base import Attack, AttackResult, Evidence
from auditor.attacks.planted_strings import LADDER, force_strings
from auditor.attacks.planted_strings import explain_unfit as explain_unreadable
from auditor.errors import MissingInput
from auditor.figures import UserReference
from auditor.log.columns import count_query_users
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import NONE, QueryLog, Vocabulary, name_fields
from auditor.log.text import tokenize_strings
from auditor.params import Params
from auditor.privacy.release import Anonymized
from auditor.progress import Progress

catalogue = MetricCatalogue("attacks", "planted_stems")

LISTED = 200
MOST_ROWS = 300_000
"""Rows of accounts: where each stem takes many, fewer queries are attacked."""
DAY = 86_400


@dataclass(frozen=True, kw_only=True)
class PlantedStemsParams(Params, owner="planted-stems"):
    """How many queries are attacked, and with how many accounts."""

    targets: int = 300
    accounts: int = 0


@dataclass(frozen=True, eq=False)
class StemTargets:
    """Queries of one user that stayed back, drawn at random; none is a planted stem."""

    planted: Int64s  # codes of the log's queries
    control: Int64s  # those whose stems are not planted
    stems: tuple[str, ...]  # all but the last word of each of these, which are planted


def run(
    evidence: Evidence, params: PlantedStemsParams, *, rng: np.random.Generator, progress: Progress
) -> AttackResult:
    """Plant stems and count what comes out."""
    log, release, rerun = evidence.log, evidence.release, evidence.rerun
    assert release is not None
    assert rerun is not None
    targets = draw_targets(log, release, params.targets, rng, progress)
    if not len(targets.planted):
        return ATTACK.build_result(
            params,
            0,
            0,
            baseline=0.0,
            rate_label="queries of one user that stayed back and come out",
            notes=(catalogue.say("nothing_to_bring_out"),),
            details={"brought_out": 0, "targets": 0},
        )
    seed = int(rng.integers(1 << 30))
    accounts = params.accounts
    if not accounts:
        # One less than force out a string of one's own; the most that were tried if none does.
        forced = force_strings(rerun, 1, seed + 2, progress)
        if forced is None:
            raise MissingInput(
                "planted-stems can't tell how many accounts it takes: the method refuses a log of "
                "planted strings alone. Set accounts."
            )
        accounts = LADDER[-1] if forced.accounts is None else max(1, forced.accounts - 1)
    if len(targets.planted) * accounts > MOST_ROWS:
        targets = draw_targets(log, release, max(1, MOST_ROWS // accounts), rng, progress)
    out = _mark_out(rerun(plant_stems(log, targets.stems, accounts), seed, progress), log)
    usual = _mark_out(rerun(log, seed + 1, progress), log)
    brought, tried = targets.planted[out[targets.planted]], len(targets.planted)
    hits = len(brought)
    places = np.flatnonzero(out[targets.planted])[:LISTED]
    codes = targets.planted[places]
    stems = (targets.stems[place] for place in places.tolist())
    rows = list(zip(log.queries.list_strings(codes.tolist()), stems, strict=True))
    return ATTACK.build_result(
        params,
        hits,
        tried,
        baseline=float(usual[targets.planted].mean()),
        control=float(out[targets.control].mean()) if len(targets.control) else None,
        rate_label=catalogue.say("rate", tried=tried),
        values=(
            catalogue("brought_out", hits, who=UserReference.from_parts("queries", [brought])),
            catalogue("accounts", accounts),
        ),
        tables=(
            catalogue.table(
                "brought-out", rows, who={-1: UserReference.from_list("queries", codes)}
            ),
        ),
        notes=(catalogue.say("control", control=len(targets.control)),),
        details={"brought_out": hits, "targets": tried, "accounts": accounts},
    )


def draw_targets(
    log: QueryLog, release: Anonymized, limit: int, rng: np.random.Generator, progress: Progress
) -> StemTargets:
    """Draw queries of one user and of several words that were not released; O(rows)."""
    users = count_query_users(log, progress)
    words = tokenize_strings(log.queries, progress).compute_lengths()
    is_added = log.queries.match(release.local_content.queries) == NONE
    candidates = rng.permutation(
        np.flatnonzero(is_added & (users == 1) & (words > 1)).astype(np.int64)
    )
    size = min(limit, (len(candidates) + 1) // 2)
    # A query that is the beginning of another one would be issued by the accounts themselves.
    code_of, used = _read_texts(log, candidates[:size])
    planted = np.array([code_of[text] for text in code_of if text not in used], dtype=np.int64)
    planted.sort()
    texts = log.queries.list_strings(planted.tolist())
    stems = tuple(text.rsplit(None, 1)[0] for text in texts)
    used = set(stems)
    others, _ = _read_texts(log, candidates[size : size + 2 * limit])
    control = [
        code
        for text, code in others.items()
        if text not in used and text.rsplit(None, 1)[0] not in used
    ]
    return StemTargets(planted, np.sort(np.array(control[:limit], dtype=np.int64)), stems)


def _read_texts(log: QueryLog, codes: Int64s) -> tuple[dict[str, int], set[str]]:
    """The code of each query's text, and all of their stems."""
    texts = log.queries.list_strings(codes.tolist())
    code_of = dict(zip(texts, codes.tolist(), strict=True))
    return code_of, {text.rsplit(None, 1)[0] for text in texts}


def plant_stems(log: QueryLog, stems: tuple[str, ...], accounts: int) -> QueryLog:
    """The log with every stem issued by so many accounts of its own, one search each."""
    distinct = list(dict.fromkeys(stems))
    code = log.queries.find(distinct).astype(np.int64)
    new = np.flatnonzero(code == NONE)
    code[new] = len(log.queries) + np.arange(len(new))
    queries = [*log.queries.list_strings(), *(distinct[place] for place in new.tolist())]
    planted_users = len(distinct) * accounts
    name = "planted-account"
    while (log.users.find([f"{name}-{number}" for number in range(planted_users)]) != NONE).any():
        name += "-"
    users = [*log.users.list_strings(), *(f"{name}-{number}" for number in range(planted_users))]
    begin = int(log.time[0]) // DAY * DAY

    new_rows = {
        "user": np.arange(len(log.users), len(users)),
        "query": np.repeat(code, accounts),
        "time": begin + np.arange(planted_users) % DAY,
    }
    columns = {}
    for name, column in log.columns.items():
        unknown = np.full(planted_users, 0 if name == "ip" else NONE)
        columns[name] = np.append(column, new_rows.get(name, unknown).astype(column.dtype))
    words = {"user": Vocabulary.of(users), "query": Vocabulary.of(queries)}
    return QueryLog(**name_fields(columns, log.vocabularies | words), origin=log.origin)


def _mark_out(release: Anonymized, log: QueryLog) -> Bools:
    """Which of the log's queries a release holds."""
    return np.asarray(log.queries.match(release.local_content.queries) != NONE)


def explain_unfit(evidence: Evidence) -> str:
    """Why nothing can be brought out by stems, in words; empty if it can."""
    release = evidence.release
    if release is not None and release.statement.model != "none":
        return (
            "has nothing to bring out: what one user adds to others' queries is covered by this "
            "release's guarantee, or nothing stays back"
        )
    if reason := explain_unreadable(evidence):
        return reason
    if evidence.rerun is None:
        return "needs the method and its parameters, which this release does not name"
    return ""


ATTACK = Attack(
    **catalogue.card,
    criterion="inference",
    params=PlantedStemsParams,
    run=run,
    zero_trials_tell=True,
    needs=("release",),
    applies=("log",),
    unfit=explain_unfit,
)
