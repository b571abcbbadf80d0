"""Released strings whose support is not independent, and how many accounts force a string out.

A threshold counts users, and users can be made up. Three questions are answered:

* Which released queries, or n-grams, come from few parties though several users issued them
  (accounts with nearly equal histories, one burst of accounts that did nothing else, one address
  range)? That is the rate; the control is the same log with times and addresses dealt out anew,
  where only chance joins users.
* How many accounts does somebody need to force a string of their own into a release?
* Who holds all accounts behind a string but one: how surely do they learn that somebody else
  issued it (the n − 1 attack)? Without noise, always.

The last two run the release's method on logs of planted strings and need a method that is known.
Source: n − 1 attacks on query restrictions, Denning and Schlörer, 1983; sybil accounts, Douceur,
IPTPS 2002. Cost: O(rows · log rows), and three to five runs of the method on some 60,000 rows.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from auditor.arrays import Bools, mean_of
from auditor.attacks.base import QUERY_USERS, Attack, AttackResult, Evidence
from auditor.attacks.intervals import wilson_interval
from auditor.attacks.planted_strings.canaries import (
    ForcedStrings,
    force_strings,
    needs_clicks,
    plant_words,
)
from auditor.attacks.planted_strings.support import (
    PartyRules,
    ReleasedStrings,
    StringSupport,
    count_shuffled_support,
    count_support,
)
from auditor.figures import MetricValue
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import NONE, QueryLog
from auditor.params import Params
from auditor.privacy.release import Anonymized, DistributedProduct
from auditor.progress import Progress

catalogue = MetricCatalogue("attacks", "planted_strings")

LISTED = 200


@dataclass(frozen=True, kw_only=True)
class PlantedStringsParams(Params, owner="planted-strings"):
    """When users count as one party."""

    burst: int = 10
    few: int = 2
    ranges: bool = True
    fewest: int = 3
    repeats: int = 1


def run(
    evidence: Evidence,
    params: PlantedStringsParams,
    *,
    rng: np.random.Generator,
    progress: Progress,
) -> AttackResult:
    """Count independent support, and plant strings where the method is known."""
    log, release = evidence.log, evidence.release
    assert release is not None
    # What of the release can be read in the log: whole queries, or n-grams where it holds them.
    ngrams = release.tables is not None and release.tables.ngrams
    if release.tables is not None and ngrams:
        released_strings = ReleasedStrings.of_ngrams(log, release.tables.queries, progress)
    else:
        released_strings = ReleasedStrings.of_queries(
            log, log.queries.match(release.local_content.queries) != NONE
        )
    rules = PartyRules(60 * params.burst, params.few, params.ranges)
    support = count_support(log, released_strings, rules, progress)
    users = support.users[support.users > 0]
    fewest = {QUERY_USERS: int(users.min())} if ngrams and len(users) else {}
    chance = count_shuffled_support(log, released_strings, rules, rng, progress)
    forced = None
    if evidence.rerun is not None:
        seed = int(rng.integers(1 << 30))
        rerun = plant_words(evidence.rerun, release)
        clicked = needs_clicks(release)
        forced = force_strings(rerun, params.repeats, seed, progress, clicked=clicked)
    trials = int(support.is_judged(params.fewest).sum())
    dependent = support.is_dependent(params.fewest)
    hits = int(dependent.sum())
    by_chance = mean_of(chance.is_dependent(params.fewest)[chance.is_judged(params.fewest)])
    codes = np.flatnonzero(dependent)
    lost = support.users[codes] - support.parties[codes]
    codes = codes[np.argsort(-lost, kind="stable")][:LISTED]
    rows = [
        [released_strings.texts[code], int(support.users[code]), int(support.parties[code])]
        for code in codes.tolist()
    ]
    return ATTACK.build_result(
        params,
        hits,
        trials,
        baseline=by_chance,
        control=by_chance,
        rate_label=catalogue.say("rate", judged=trials, fewest=params.fewest),
        values=tuple(_build_metrics(released_strings, support, dependent, forced)),
        tables=(
            catalogue.table(
                "dependent-queries", rows, who={-1: released_strings.refer_to(codes[:, None])}
            ),
        ),
        notes=tuple(_write_notes(log, release, params, support, forced)),
        details=_build_details(forced) | {"dependent": hits, "judged": trials} | fewest,
    )


def _build_metrics(
    strings: ReleasedStrings, support: StringSupport, dependent: Bools, forced: ForcedStrings | None
) -> Iterator[MetricValue]:
    equal = support.of_one_history
    users, of_equal = (strings.refer_to([np.flatnonzero(flags)]) for flags in (dependent, equal))
    yield catalogue("dependent", int(dependent.sum()), who=users)
    yield catalogue("one_party", int((dependent & (support.parties == 1)).sum()))
    yield catalogue("equal_histories", int(equal.sum()), who=of_equal)
    if forced is not None and forced.accounts is not None:
        yield catalogue("accounts_to_force", forced.accounts)
        yield catalogue("n_minus_one", forced.advantage, interval=_advantage_interval(forced))


def _advantage_interval(forced: ForcedStrings) -> tuple[float, float]:
    """95 % at least, of a difference of two shares: each within its own 97.5 % interval."""
    n, z = forced.copies, 2.2414
    low, high = (wilson_interval(round(share * n), n, z) for share in (forced.before, forced.after))
    if forced.accounts == 1:
        low = (0.0, 0.0)
    return max(0.0, high[0] - low[1]), max(0.0, high[1] - low[0])


def _build_details(forced: ForcedStrings | None) -> dict[str, float]:
    if forced is None:
        return {}
    if forced.accounts is None:  # more accounts than were tried may do it, and show anything
        return {"n_minus_one_low": 0.0, "n_minus_one_high": 1.0}
    low, high = _advantage_interval(forced)
    return {
        "accounts_to_force": forced.accounts,
        "n_minus_one": forced.advantage,
        "n_minus_one_low": low,
        "n_minus_one_high": high,
    }


def _write_notes(
    log: QueryLog,
    release: Anonymized,
    params: PlantedStringsParams,
    support: StringSupport,
    forced: ForcedStrings | None,
) -> Iterator[str]:
    ngrams = release.tables is not None and release.tables.ngrams
    is_in_log = (
        support.users > 0 if ngrams else release.local_content.queries.match(log.queries) >= 0
    )
    # Many released strings that the log lacks: the release is of another log.
    if missing := int(np.count_nonzero(~is_in_log)):
        yield catalogue.say("missing_strings", missing=missing, released=len(is_in_log))
    yield "The control is the same log with times and addresses dealt out anew."
    if log.ip is None or not params.ranges:
        yield "Address ranges were not looked at."
    if forced is None:
        yield "The method is not known or refuses planted strings alone: none were planted."
    elif forced.accounts is None:
        yield "No number of accounts that was tried forced a string out."
    else:
        shares = {"after": 100 * forced.after, "before": 100 * forced.before}
        yield catalogue.say("forced", accounts=forced.accounts, **shares)
    if ngrams:
        yield "Every planted string is one word, which takes the fewest accounts."


def explain_unfit(evidence: Evidence) -> str:
    """Why nothing can be said of released strings, in words; empty if it can."""
    release = evidence.release
    if release is None:
        return "needs a release"
    if isinstance(release.content, DistributedProduct):
        return "needs a release in memory"
    queries = release.local_content.queries
    if not len(evidence.log):
        return "needs queries, and the log has none"
    if not len(queries):
        return "needs released queries, and the release has none"
    if release.tables is not None and release.tables.ngrams:
        return ""  # words of a query can always be read
    sample = np.linspace(0, len(queries) - 1, min(200, len(queries))).astype(np.int64)
    if not (queries.take(sample).match(evidence.log.queries) >= 0).any():
        return "needs released queries that stand in the log and can be read"
    return ""


ATTACK = Attack(
    **catalogue.card,
    criterion="inference",
    params=PlantedStringsParams,
    run=run,
    counts=(QUERY_USERS,),
    unfit=explain_unfit,
)
