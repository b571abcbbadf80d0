"""Which sessions are at risk, why, and what of them anybody can still read in a release.

Each session of the raw log (one user, no long pause) is searched for what points at a person
and for what they would not want known; then every such query string is looked up, byte for byte,
in the release. The cost is O(rows + query bytes); see `auditor.attacks.risk.session_scoring` for
memory.

Risk: 1 − Π(1 − w · s · (1 + ρ) / 2) over the session's reasons, where w is the reason's weight
(`auditor.attacks.risk.reasons`), s grows with the distinct queries that give the reason (1 under
the source's rules), and ρ = 1 / (users who issued the rarest string that gives it). It lies in
[0, 1), grows with every further reason and query, and with the rarity of each string. The reason
of the greatest w · s · (1 + ρ) / 2 decided, and is named first.

Source: entities and combinations, Kumar et al., WWW 2007, section 5 (tables 6 and 7). The
identifiers, the risk, the look-up in the release and the default rules are beyond it; the source's
own are the choice ``rules=source``.
"""

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from auditor.arrays import Bools, Int64s
from auditor.attacks.base import Attack, AttackResult, Evidence, FlaggedFindings
from auditor.attacks.detection.kinds import SOURCE_KINDS, EntityKind
from auditor.attacks.detection.languages import describe_uncovered
from auditor.attacks.risk import reasons as why
from auditor.attacks.risk.exposed_sessions import ExposedSessions
from auditor.attacks.risk.session_scoring import (
    JudgedRows,
    ScoringRules,
    SessionScores,
    find_consulted,
    has_query,
    score_log,
)
from auditor.attacks.surviving_content import nearly as near
from auditor.attacks.surviving_content.report import (
    build_metrics,
    by_kind,
    by_risk,
    describe_released_ids,
    queries_table,
    sessions_table,
)
from auditor.figures import MetricValue, Table
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.params import Params
from auditor.progress import Progress

catalogue = MetricCatalogue("attacks", "surviving_content")

MOST_FINDINGS = 200_000
"""Sessions kept for the flagged-sessions table, the riskiest first; all are counted."""


NO_WEIGHTS: Mapping[str, float] = MappingProxyType({})

MISTAKES = (
    "Detection makes errors of both kinds: a phrase may be taken for a name, and a name that "
    "is in no list is missed. Open the sessions before you rely on the counts."
)
OF_TABLES = "The release is tables: a string counts as surviving if it is in them."
NO_RELEASE = "There is no release here: what is told is what the input holds."
SHARED = "The reference log shares users with the input, so the control is too high."


@dataclass(frozen=True, kw_only=True)
class SurvivingContentParams(Params, owner="surviving-content"):
    """What is looked for and when a session counts as flagged."""

    rules: str = "default"
    gap: int = 30
    non_star: int = 10
    frequency: float = 0.006
    min_risk: float = 0.3
    person: bool = True
    place: bool = True
    company: bool = True
    adult: bool = True
    revealing: bool = True
    email: bool = True
    phone: bool = True
    ssn: bool = True
    card: bool = True
    street: bool = True
    ip: bool = True
    plate: bool = True
    coordinates: bool = True
    health: bool = True
    sexuality: bool = True
    religion: bool = True
    politics: bool = True
    union: bool = True
    ethnicity: bool = True
    genetic: bool = True
    crime: bool = True
    money: bool = True
    minors: bool = True
    distress: bool = True
    user_id: bool = True
    addresses: bool = True
    repeated: bool = True
    unique: bool = True
    own_name: bool = True

    nearly: bool = True

    @property
    def kinds(self) -> frozenset[EntityKind]:
        """The kinds that are switched on, of those that the rules know."""
        available = SOURCE_KINDS if self.rules == "source" else EntityKind
        return frozenset(kind for kind in available if getattr(self, kind.name.lower()))


def run(
    evidence: Evidence,
    params: SurvivingContentParams,
    *,
    rng: np.random.Generator,  # noqa: ARG001  nothing here is random
    progress: Progress,
) -> AttackResult:
    """Flag sessions of the raw log and look their strings up in the release.

    The rate is the share of users at risk of whom a marked string stands in the release; the
    baseline, what it would be were their strings ordinary ones, issued by as many users. The
    control is the rate on the users of the reference log, judged by the same rules, whose
    strings can be in the release only because others issued them, too. Without a release the rate
    is the share of all users who are at risk, and the baseline is 0.
    """
    log, release = evidence.log, evidence.release
    rules = rules_of(params, evidence.rule_weights)
    scores = score_log(log, release, evidence.profiles, rules, progress)
    control, near_control = None, None
    if release is not None and evidence.reference is not None:
        other = score_log(evidence.reference, release, None, rules, progress)
        exposed, people = other.count_exposed()
        control = exposed / people if people else 0.0
        if params.nearly:
            near_control = near.compare_nearly(evidence.reference, release, other, progress)
    extra_metrics: list[MetricValue] = []
    tables: tuple[Table, ...] = ()
    if release is not None:
        extra_metrics += describe_released_ids(log, release, scores.users == 1, progress)
        if params.nearly:
            survival = near.compare_nearly(log, release, scores, progress)
            extra_metrics += near.build_metrics(survival, near_control)
            tables = (near.verdicts_table(survival, scores),)
    if params.nearly and params.own_name:
        extra_metrics += near.own_names(evidence, rules.kinds, progress)
    notes = _write_notes(evidence, int(scores.flagged.sum()), progress)
    released = release is not None
    result = _build_result(params, scores, released, control, extra_metrics, tables, notes)
    if rules.rule_weights:
        full_rules = dataclasses.replace(rules, rule_weights=())
        full = score_log(log, release, evidence.profiles, full_rules, progress)
        unweighted = _build_result(params, full, released, control, extra_metrics)
        # The result under a project's weights, with what all rules counting fully would give.
        flagged = int(full.flagged.sum())
        assert result.findings is not None
        assert unweighted.findings is not None
        note = catalogue.say(
            "changed_weights", rule_weights=len(rules.rule_weights), flagged=flagged
        )
        return dataclasses.replace(
            result,
            findings=dataclasses.replace(result.findings, full=unweighted.findings),
            unweighted=dataclasses.replace(unweighted, findings=None),
            notes=(*result.notes, note),
            details={**result.details, "sessions_flagged_with_all_rules": flagged},
        )
    return result


def _build_result(
    params: SurvivingContentParams,
    scores: SessionScores,
    released: bool,
    control: float | None,
    extra_metrics: Iterable[MetricValue],
    tables: tuple[Table, ...] = (),
    notes: tuple[str, ...] = (),
) -> AttackResult:
    """The attack from a survey; `extra_metrics` and `tables` are what else was counted."""
    exposed, at_risk = scores.count_exposed()
    baseline = 0.0
    if released and at_risk:
        users = scores.log.user[scores.people.start[scores.at_risk]]
        baseline = 1.0 - float(scores.user_missed[users].mean())
    return ATTACK.build_result(
        params,
        exposed if released else at_risk,
        at_risk if released else len(scores.log.users),
        baseline=baseline,
        control=control,
        rate_label="users at risk of whom a marked string survives verbatim"
        if released
        else "users at risk by all that they issued",
        values=(*build_metrics(scores, released), *extra_metrics),
        figures=(by_kind(scores, released), by_risk(scores, params.min_risk)),
        tables=(sessions_table(scores), queries_table(scores), *tables),
        findings=_build_findings(scores, released, params.min_risk),
        notes=notes,
    )


def rules_of(
    params: SurvivingContentParams, rule_weights: Mapping[str, float] = NO_WEIGHTS
) -> ScoringRules:
    """What the parameters ask for; a project's weights are of the default rules alone."""
    weighed = params.rules != "source"
    return ScoringRules(
        kinds=params.kinds,
        gap_seconds=60 * params.gap,
        non_star=params.non_star,
        rare_below=params.frequency,
        min_risk=params.min_risk,
        unique=params.unique,
        own_name=params.own_name,
        addresses=params.addresses,
        repeated=params.repeated,
        variant=params.rules,
        rule_weights=tuple(sorted(rule_weights.items())) if weighed else (),
    )


def _build_findings(scores: SessionScores, released: bool, least: float) -> FlaggedFindings:
    """The riskiest flagged sessions, ties in the order of the log; and people, by all they issued.

    Who searched for a place or a company alone is not among the people.

    Exposed are those of which the release still shows a marked query, for the reasons that this
    gives; without a release all of them.
    """
    sessions = scores.session_rows
    flagged = np.flatnonzero(scores.flagged)
    exposed = flagged[sessions.standing[flagged] > 0] if released else flagged
    reason = sessions.reason[exposed]
    if released:
        reason = np.where(sessions.remaining[exposed] != 0, sessions.remaining[exposed], reason)
    everybody = ExposedSessions.of(
        sessions.start[exposed], sessions.stop[exposed], reason, sessions.risk[exposed]
    )
    consulted = find_consulted(scores)
    people = _list_findings(scores, scores.people, scores.list_people(), consulted)
    listed = _list_findings(scores, sessions, flagged, consulted)
    people = dataclasses.replace(people, least=least)
    return dataclasses.replace(listed, everybody=everybody, people=people)


def _list_findings(
    scores: SessionScores, rows: JudgedRows, places: Int64s, flags_of_names: tuple[Bools, Bools]
) -> FlaggedFindings:
    """Those at some `places` of what was judged, the riskiest first; flags of `find_consulted`."""
    order = places[np.argsort(-rows.risk[places], kind="stable")][:MOST_FINDINGS]
    spans = rows.start[order], rows.stop[order]
    consulted, personal = (has_query(scores.log, queries, *spans) for queries in flags_of_names)
    return FlaggedFindings(
        start=rows.start[order],
        stop=rows.stop[order],
        reason=rows.reason[order],
        risk=rows.risk[order],
        surviving=rows.standing[order],
        flagged=rows.marked[order],
        reasons=why.LABELS,
        mark_query=scores.spots.query,
        mark_start=scores.spots.start,
        mark_stop=scores.spots.stop,
        mark_reason=scores.mark_reason,
        survives=scores.survives,
        decided=rows.decided[order],
        mark_rule=scores.spots.rule,
        professional=consulted & ~personal,
    )


def _write_notes(evidence: Evidence, flagged: int, progress: Progress) -> tuple[str, ...]:
    log, release, reference = evidence.log, evidence.release, evidence.reference
    uncovered = describe_uncovered(log.queries, progress)
    notes = [MISTAKES, uncovered] if uncovered else [MISTAKES]
    if flagged > MOST_FINDINGS:
        notes.append(catalogue.say("most_findings", flagged=flagged, most_findings=MOST_FINDINGS))
    if release is None:
        return (*notes, NO_RELEASE)
    if release.log is None:
        notes.append(OF_TABLES)
    if reference is not None and (reference.users.match(log.users) >= 0).any():
        notes.append(SHARED)
    return tuple(notes)


ATTACK = Attack(
    **catalogue.card,
    criterion="singling out",
    params=SurvivingContentParams,
    run=run,
    zero_trials_tell=True,
    sampled="found",
    reads="strings",
    without_users=True,
)
