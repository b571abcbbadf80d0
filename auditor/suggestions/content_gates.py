"""Gates on what can be read in a release, decided from the chance that each query is released.

Such a gate counts flagged sessions of which an identifying query stands in the release. Which
queries these are follows from the log alone. For a table of queries whose chances of being released
are known, so are the sessions that will be counted: nothing has to be drawn, run or attacked.
Clicked addresses that identify somebody count like queries, where a setting releases clicks.
Chances of different queries are taken for independent, as the noise of each is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from auditor.arrays import Array, Float64s, Int64s
from auditor.attacks.detection.detector import rule_names
from auditor.attacks.registry import ATTACKS
from auditor.attacks.risk import reasons as why
from auditor.attacks.risk.clicked_identifiers import ClickedIdentifiers, find_clicked_identifiers
from auditor.attacks.risk.session_scoring import SessionScores, clicked_kinds, score_log
from auditor.attacks.surviving_content.attack import SurvivingContentParams, rules_of
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.model import QueryLog
from auditor.progress import Progress
from auditor.release.policy.policy import Gate, Policy
from auditor.release.policy.remedies import CONTENT, is_on_content
from auditor.suggestions.waiting import wait_for_loading

DRAWS = 300
"""Drawn releases from which a gate that allows some sessions is judged."""
_SEED = 5
_WHOLE = 0xFFFFFFFF


@dataclass(frozen=True, eq=False)
class HiddenQueries:
    """The queries and addresses that a gate wants kept back: identifying ones of flagged sessions.

    `queries` and `addresses` are codes of the log. Strings are the queries and, behind them, the
    addresses: pair i says that session ``session[i]`` is counted if string ``place[i]`` is
    released. Chances are of the strings; shape (strings,).
    """

    gate: Gate
    queries: Int64s
    session: Int64s
    place: Int64s
    sessions: int
    addresses: Int64s = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    def expected_sessions(self, chance: Float64s) -> float:
        """Sessions that are expected to be counted."""
        with np.errstate(divide="ignore"):
            hidden = np.log1p(-np.minimum(chance, 1.0))
        none = np.bincount(self.session, hidden[self.place], minlength=self.sessions)
        return float(-np.expm1(none).sum())

    def pass_chance(self, chance: Float64s) -> float:
        """How likely a release passes the gate."""
        most = self.gate.most or 0.0
        if most < 1:
            with np.errstate(divide="ignore"):
                return float(np.exp(np.log1p(-np.minimum(chance, 1.0)).sum()))
        likely = chance[self.place] > 1e-9
        session, place = self.session[likely], self.place[likely]
        rng = np.random.default_rng(_SEED)
        counts = [
            len(sorted_distinct(session[(rng.random(len(chance)) < chance)[place]]))
            for _ in range(DRAWS)
        ]
        # Where all draws pass, one more is taken to fail, so that the margin counts.
        from scipy.special import ndtr

        middle, off = float(np.mean(counts)), float(np.std(counts)) + 1e-9
        return float(ndtr((most + 0.5 - middle) / off))


def predicted_gates(policy: Policy) -> tuple[Gate, ...]:
    """The gates of a policy that `find_hidden` can speak of."""
    return tuple(filter(is_on_content, policy.checks))


def find_hidden(
    log: QueryLog, policy: Policy, params: SurvivingContentParams | None, progress: Progress
) -> tuple[HiddenQueries, ...]:
    """What each such gate wants kept back; O(rows + bytes of queries).

    `params` are those of the attack as it will be made.

    Raises
    ------
    Cancelled
        Somebody asked to stop.
    """
    gates = predicted_gates(policy)
    if not gates:
        return ()
    usual = ATTACKS[CONTENT].params()
    assert isinstance(usual, SurvivingContentParams)
    wait_for_loading(rule_names, progress)
    rules = rules_of(params or usual)
    found = score_log(log, None, None, rules, progress)
    clicked = find_clicked_identifiers(log, None, clicked_kinds(rules), rules.non_star, progress)
    return tuple(_hidden_of(log, found, clicked, gate) for gate in gates)


def _hidden_of(
    log: QueryLog, found: SessionScores, clicked: ClickedIdentifiers, gate: Gate
) -> HiddenQueries:
    mask = 0
    for bit, label in enumerate(why.LABELS):
        mask |= (not gate.reasons or label in gate.reasons) << bit
    reason = found.reason.astype(np.uint64)
    wanted = np.flatnonzero(found.flagged & ((reason & np.uint64(mask)) != 0))
    sizes = (found.stop - found.start)[wanted].astype(np.int64)
    session = np.repeat(np.arange(len(wanted)), sizes)
    within = np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    row = found.start[wanted][session] + within
    query = log.query[row].astype(np.int64)
    identifying = np.uint64(why.IDENTIFYING)
    has = (reason[wanted] & identifying) != 0
    counts = np.where(has, identifying, ~np.uint64(0))[session]
    kept = (found.bits[query] & counts) != 0
    pairs = (session[kept] << 32) | query[kept]
    if len(clicked):
        place = clicked.find_rows(log, 0)[row]
        here = np.flatnonzero(place >= 0)
        here = here[(clicked.bits[place[here]] & counts[here]) != 0]
        pairs = np.append(pairs, (session[here] << 32) | (len(log.queries) + place[here]))
    pairs = sorted_distinct(pairs)
    strings, place = np.unique(pairs & _WHOLE, return_inverse=True)
    first = int(np.searchsorted(strings, len(log.queries)))
    return HiddenQueries(
        gate,
        strings[:first],
        pairs >> 32,
        place.astype(np.int64),
        len(wanted),
        clicked.url[strings[first:] - len(log.queries)],
    )


ChanceOf = Callable[[Array], Float64s]
"""The chance of being released of some of a log's queries, or addresses, by their codes."""


def chance_to_pass(
    hidden: tuple[HiddenQueries, ...], chance_of: ChanceOf, of_addresses: ChanceOf | None = None
) -> float:
    """The chance that a release passes all of these gates, taken for independent of each other.

    Without `of_addresses` the release has none.
    """
    passes = 1.0
    for one in hidden:
        clicked = np.zeros(len(one.addresses))
        if of_addresses is not None and len(one.addresses):
            clicked = of_addresses(one.addresses)
        passes *= one.pass_chance(np.append(chance_of(one.queries), clicked))
    return passes
