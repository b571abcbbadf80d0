"""What every attack is: parameters, one `run`, and a result that can be compared.

Every attack says its success rate, the rate that guessing gives, the rate on a control group
that is not in the log where one exists, and a 95 % interval.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol, TypeVar

import numpy as np

from auditor.arrays import Bools, Float64s, Int32s, Int64s, UInt8s, UInt16s, UInt64s, expand_ranges
from auditor.attacks.intervals import wilson_interval
from auditor.attacks.risk.exposed_sessions import ExposedSessions
from auditor.attacks.risk.reasons import name_professional
from auditor.errors import MissingInput
from auditor.figures import Figure, MetricValue, ResultCard, Series, ShortRepr, Table
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.model import QueryLog
from auditor.messages import as_phrase, phrase
from auditor.params import Params
from auditor.privacy.blank_queries import (
    LogPlaces,
    drop_blank_rows,
    drop_released_blank_rows,
    spell_as_released,
)
from auditor.privacy.release import FORM_WORDS, Anonymized, MethodRerun, ReleaseForm
from auditor.progress import Progress

HasUsers = TypeVar("HasUsers", MetricValue, Series)
QUERY_USERS = "query_users"
"""The least number of users of a released query, or of an n-gram."""
EMPTY_RELEASE = "has nothing to attack: the release is empty"
"""Why an attack that reads a release can't run on one that holds nothing."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Evidence:
    """What an attacker, or the auditor in their place, has at hand.

    `release` is None for attacks on the log as it is. `reference` is another raw log,
    `profiles` the path of a table (user, userid, name, zip). `others` are releases of the same or
    an overlapping log, made before or elsewhere. `rerun` is the method that made the
    release, for an auditor who tries it on logs of their own, and `secure_rerun` the same with a
    release's own noise; None where it isn't known. `rule_weights` are what a project has the
    detector's rules count, where not fully. `is_cut` says that log and release are cut to some
    users of a log, so that what is rare in them need not be so among all.
    """

    log: QueryLog
    release: Anonymized | None = None
    reference: QueryLog | None = None
    profiles: Any = None
    others: tuple[Anonymized, ...] = ()
    rerun: MethodRerun | None = None
    secure_rerun: MethodRerun | None = None
    rule_weights: Mapping[str, float] = field(default_factory=dict)
    is_cut: bool = False

    def digest_knowledge(self) -> dict[str, str]:
        """What attackers know besides log and release, each part with its SHA-256.

        Raises `MissingInput` for profiles that can't be read.
        """
        from auditor.attacks.vanity.own_name_queries import digest_profiles

        digests = {}
        if self.reference is not None:
            digests["reference"] = self.reference.digest
        if self.profiles is not None:
            digests["profiles"] = digest_profiles(self.profiles)
        for number, other in enumerate(self.others, 1):
            content = other.log.digest if other.log is not None else str(other.statement.to_dict())
            digests[f"other release {number}"] = hashlib.sha256(content.encode()).hexdigest()
        return digests


@dataclass(frozen=True, eq=False, kw_only=True)
class FlaggedFindings(ShortRepr):
    """Flagged sessions of the raw log, as columns; m sessions, s marks."""

    # start, stop: rows of the raw log that the session spans; shape (m,)
    start: Int64s
    stop: Int64s
    # reason, reasons: bit set over `reasons`, which are words; shape (m,)
    reason: UInt64s
    risk: Float64s  # in [0, 1], higher is worse; shape (m,)
    # surviving, flagged: how many of the session's marked queries stand verbatim in the release (0
    # without one), and how many there are; shape (m,)
    surviving: Int32s
    flagged: Int32s
    reasons: tuple[str, ...]
    # mark_query, mark_start, mark_stop, mark_reason: which characters of which distinct query are
    # marked and why: query codes (ascending), positions in characters, and index into `reasons`;
    # shape (s,)
    mark_query: Int32s
    mark_start: Int32s
    mark_stop: Int32s
    mark_reason: UInt8s
    # Which of the raw log's queries stand verbatim in the release; shape (queries,).
    survives: Bools
    # Whom the attack exposes, all of them, where `start` lists only the riskiest or also lists
    # sessions of which nothing is left in the release; None where it is the same.
    everybody: ExposedSessions | None = None
    # Index into `reasons` of the one that counts most in each session's risk; None where reasons
    # aren't weighed; shape (m,).
    decided: UInt8s | None = None
    # Which of the detector's rules made each mark (`detector.rule_names`); None where the marks are
    # of no such rule; shape (s,).
    mark_rule: UInt16s | None = None
    # Whether all private persons whom a session names stand beside a profession that people consult
    # ("dr", "attorney"); None where nobody looked; shape (m,).
    professional: Bools | None = None
    # The same with every rule counting fully, where the project has changed some rule's weight.
    full: FlaggedFindings | None = None
    # Users with a mark that tells something of somebody, each with all that they issued in the
    # place of a session, the riskiest first; None where an attack judges sessions alone.
    people: FlaggedFindings | None = None
    least: float = 0.0  # risk from which `people` count as exposed; 0 where all of them do

    def describe(self) -> str:
        """How many sessions and marks there are."""
        return f"{len(self):,} sessions, {len(self.mark_query):,} marks"

    def find_reasons(self) -> dict[str, Bools]:
        """Reason → rows that have it, for reasons that some row has; each of shape (m,)."""
        bits = (
            (reason, self.reason >> np.uint64(bit) & np.uint64(1) == 1)
            for bit, reason in enumerate(self.reasons)
        )
        return {reason: has for reason, has in bits if has.any()}

    @property
    def exposed(self) -> ExposedSessions:
        """All sessions that the attack exposes, by row."""
        if self.everybody is not None:
            return self.everybody
        return ExposedSessions.of(self.start, self.stop, self.reason, self.risk)

    def __len__(self) -> int:
        return len(self.start)

    def move_to_log(self, places: LogPlaces) -> FlaggedFindings:
        """The same findings in rows and codes of the log that `places` are of."""
        everybody = self.everybody
        if everybody is not None:
            start, stop = _move_rows(everybody.rows, everybody.stops, places)
            everybody = ExposedSessions.of(start, stop, everybody.reason, everybody.risk)
        start, stop = _move_rows(self.start, self.stop, places)
        first, last = (
            np.searchsorted(self.mark_query, places.codes, side=side) for side in ("left", "right")
        )
        marks = expand_ranges(first, last - first)
        query = np.repeat(np.arange(len(first), dtype=self.mark_query.dtype), last - first)
        mark_start, mark_stop = self.mark_start[marks], self.mark_stop[marks]
        for code in sorted_distinct(query[places.find_shifted()[query]]).tolist():
            characters = places.find_characters(code)
            own = slice(*np.searchsorted(query, [code, code + 1]))
            mark_start[own] = characters[mark_start[own]]
            mark_stop[own] = characters[mark_stop[own] - 1] + 1
        return replace(
            self,
            start=start,
            stop=stop,
            survives=places.spread(self.survives),
            everybody=everybody,
            mark_query=query,
            mark_start=mark_start,
            mark_stop=mark_stop,
            mark_reason=self.mark_reason[marks],
            mark_rule=None if self.mark_rule is None else self.mark_rule[marks],
            full=None if self.full is None else self.full.move_to_log(places),
            people=None if self.people is None else self.people.move_to_log(places),
        )

    def list_marks(self, query: int) -> list[tuple[int, int, str]]:
        """(start, stop, reason) of every mark in the distinct query `query`."""
        code = np.array([query, query + 1], self.mark_query.dtype)  # else all is copied
        low, high = np.searchsorted(self.mark_query, code)
        return [
            (int(self.mark_start[i]), int(self.mark_stop[i]), self.reasons[self.mark_reason[i]])
            for i in range(low, high)
        ]

    def list_reasons(self, index: int) -> list[str]:
        """The reasons of one session, in words; first the one that decided, where it is known."""
        bits = int(self.reason[index])
        texts = [text for bit, text in enumerate(self.reasons) if bits >> bit & 1]
        if self.decided is not None:
            main = self.reasons[int(self.decided[index])]
            texts.sort(key=lambda text: text != main)
        if self.professional is not None and self.professional[index]:
            return [name_professional(text) for text in texts]
        return texts


def _move_rows(start: Int64s, stop: Int64s, places: LogPlaces) -> tuple[Int64s, Int64s]:
    """Sessions' first rows and the rows after them, in the log that `places` are of."""
    return places.find_rows(start), places.find_rows(stop - 1) + 1


def _move_users(place: HasUsers, places: LogPlaces) -> HasUsers:
    """A metric or series that refers to users, rows or queries of the log `places` are of."""
    return place if place.who is None else replace(place, who=place.who.convert(places.find_codes))


@dataclass(frozen=True, eq=False, kw_only=True)
class AttackResult(ResultCard):
    """What an attack achieved. `interval` is the 95 % one around `rate`."""

    attack: str
    params: Mapping[str, Any]
    rate: float
    baseline: float
    interval: tuple[float, float]
    control: float | None = None
    # The rate's hits and trials; None where it is a mean and no share.
    counts: tuple[float, float] | None = None
    rate_label: str = "success rate"
    values: tuple[MetricValue, ...] = ()
    figures: tuple[Figure, ...] = ()
    tables: tuple[Table, ...] = ()
    findings: FlaggedFindings | None = None
    notes: tuple[str, ...] = field(default=())
    # Further keys of its JSON: plain values that scripts read.
    details: Mapping[str, Any] = field(default_factory=dict)
    # Whether nothing in them comes from the log: a project keeps others' numbers alone.
    own_details: bool = False
    unweighted: AttackResult | None = field(default=None, metadata={"stored": False})
    """The same with every rule of the detector counting fully, where a project weighs them."""

    def move_to_log(self, places: LogPlaces) -> AttackResult:
        """The same with all that it refers to in rows and codes of the log `places` are of."""

        def move_table(table: Table) -> Table:
            references = {
                column: references.convert(places.find_codes)
                for column, references in table.who.items()
            }
            return replace(table, who=references)

        def move_figure(figure: Figure) -> Figure:
            return replace(
                figure, series=tuple(_move_users(series, places) for series in figure.series)
            )

        return replace(
            self,
            values=tuple(_move_users(value, places) for value in self.values),
            figures=tuple(map(move_figure, self.figures)),
            tables=tuple(map(move_table, self.tables)),
            findings=None if self.findings is None else self.findings.move_to_log(places),
            unweighted=None if self.unweighted is None else self.unweighted.move_to_log(places),
        )

    def card_title(self) -> str:
        """The attack."""
        return phrase("Attack: {attack}", attack=self.attack)

    def card_lines(self) -> tuple[str, ...]:
        """What it achieved against guessing, and its notes."""
        low, high = self.interval
        line = phrase(
            "{rate_label}: {rate:.4g} ({low:.4g} to {high:.4g}, 95 %)",
            rate_label=as_phrase(self.rate_label),
            rate=self.rate,
            low=low,
            high=high,
        )
        return (
            phrase(
                "{line}; guessing reaches {baseline:.4g}.",
                line=as_phrase(line),
                baseline=self.baseline,
            ),
            *self.notes,
        )


Criterion = Literal["", "singling out", "linkability", "inference"]
"""The three risks of the Article 29 Working Party's Opinion 05/2014, of which an attack is one."""


class AttackFunction(Protocol):
    """``run(evidence, params, rng=…, progress=…)``; `rng` is seeded by whoever calls.

    Raises `MissingInput` for evidence that lacks what it needs, and `Cancelled`.
    """

    def __call__(
        self, evidence: Evidence, params: Any, *, rng: np.random.Generator, progress: Progress
    ) -> AttackResult: ...


class BlankFreeAttack:
    """An attack on logs and releases without blank rows; what it tells is of the log as read."""

    def __init__(self, attack: Attack) -> None:
        self._attack, self._run = attack, attack.run

    def __call__(
        self, evidence: Evidence, params: Any, *, rng: np.random.Generator, progress: Progress
    ) -> AttackResult:
        """Attack the log without blank rows, and map the result back to the whole log.

        Raises `MissingInput` where the attack doesn't apply to that.
        """
        log = evidence.log
        cleaned = spell_as_released(drop_blank_rows(log, progress), evidence.release)
        release, reference = evidence.release, evidence.reference
        if reference is not None:
            reference = spell_as_released(drop_blank_rows(reference, progress), release)
        view = replace(
            evidence,
            log=cleaned,
            release=release and drop_released_blank_rows(release, progress),
            reference=reference,
            others=tuple(drop_released_blank_rows(other, progress) for other in evidence.others),
        )
        if reason := self._attack.why_not(view):
            name = self._attack.name
            raise MissingInput(phrase("{attack} {why}.", attack=name, why=as_phrase(reason)))
        result = self._run(view, params, rng=rng, progress=progress)
        released = release.log if release is not None else None
        if released is not None and released.attributes and not self._attack.knows_columns:
            unknown = phrase(
                "The attacker doesn't know {names}.", names=", ".join(released.attributes)
            )
            result = replace(result, notes=(*result.notes, unknown))
        return result if cleaned is log else result.move_to_log(LogPlaces.of(log, cleaned))


@dataclass(frozen=True, eq=False, kw_only=True)
class Attack:
    """One attack as the registry, the command line and the window know it.

    `needs` names parts of `Evidence` besides the log, `unfit` says in words why the attack
    doesn't apply to evidence that has them, or nothing if it does. `cost` is what it takes, in
    rows, users and whatever else it grows with. `applies` says to which forms of a release it can
    apply at all, so that the time of a run is known before there is one. `effort` says how many
    times as long it takes with some parameters as with its defaults, where that is known. `reads`
    says what of flagged sessions it finds in a release: their strings, or tokens that it recovered.
    `without_users` says that it tells something of a set of queries without users, and
    `told_by_epsilon` that its rate is of guesses between neighbouring logs, which (ε, δ) bounds.
    `knows_columns` says that it uses columns that stand beside the released rows.
    `quick` are values of its parameters with which it does everything once and ends soon.
    `criterion` is the risk that it tries, `intruder` says that somebody with a motive and no more
    than general knowledge could make it. `people` goes on from "3 of 40": what became of users,
    where its hits and trials are users. `in_worst` says whether it may be called the worst attack.
    `zero_trials_tell` says that it looks for its trials in the whole log, so that none is a
    finding: nobody is there who could be attacked. `counts` are numbers of a release's statement
    that are its figures, too, for releases whose statement has none.

    `sampled` says what it tells on some users of a log and what was released of them: a rate that
    is no lower than that of all users, by proof ("above") or as measured ("measured"), examples
    that bound nothing ("found"), the very same as on all since it looks at no user ("whole"), or
    nothing, as `unsampled` explains.
    """

    name: str = ""  # that of its parameters, unless it is given
    title: str
    summary: str
    source: str
    params: type[Params]
    run: AttackFunction
    cost: str = ""
    needs: tuple[str, ...] = ()
    applies: tuple[ReleaseForm, ...] = ("log", "tables", "hashes", "bundles", "n-grams")
    unfit: Callable[[Evidence], str] | None = None
    effort: Callable[[Any], float] | None = None
    reads: Literal["", "strings", "tokens"] = ""
    without_users: bool = False
    told_by_epsilon: bool = False
    knows_columns: bool = False
    criterion: Criterion = ""
    intruder: bool = False
    people: str = ""
    in_worst: bool = True
    zero_trials_tell: bool = False
    counts: tuple[str, ...] = ()
    quick: Mapping[str, float] = field(default_factory=dict)
    sampled: Literal["", "above", "measured", "found", "whole"] = ""
    unsampled: str = "may find less among some of the users than among all"

    @property
    def bounds_all(self) -> bool:
        """Whether gates take the rate on a sample of users for no lower than that of all."""
        return self.sampled in ("above", "measured")

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", self.name or self.params.owner)
        # The one place where rows of blank queries are kept from attacks.
        if not isinstance(self.run, BlankFreeAttack):
            object.__setattr__(self, "run", BlankFreeAttack(self))

    def build_result(self, params: Params, hits: float, trials: int, **parts: Any) -> AttackResult:
        """The result of so many hits in so many trials; `parts` are what else it has to say.

        Rate and 95 % interval (Wilson's) are worked out here; without trials the rate is 0.
        """
        return AttackResult(
            attack=self.name,
            params=params.to_dict(),
            rate=hits / trials if trials else 0.0,
            interval=wilson_interval(hits, trials),
            counts=(hits, trials),
            **parts,
        )

    def why_not_form(self, form: ReleaseForm) -> str:
        """Why it applies to no release of this form, in words; empty if it may apply."""
        if form in self.applies:
            return ""
        return phrase("does not apply to a release of {kind}", kind=as_phrase(FORM_WORDS[form]))

    def why_not(self, evidence: Evidence) -> str:
        """Why it can't run on this evidence, in words; empty if it can."""
        missing = [name for name in self.needs if getattr(evidence, name) is None]
        if missing:
            return phrase("needs {missing}", missing=as_phrase(" and ".join(missing)))
        release = evidence.release
        reads_content = not self.told_by_epsilon  # an audit of ε runs the method again
        if reads_content and release is not None and release.is_empty:
            return EMPTY_RELEASE
        if release is not None and release.log is not None:
            log = spell_as_released(evidence.log, release)
            evidence = evidence if log is evidence.log else replace(evidence, log=log)
        if self.unfit is not None and (reason := self.unfit(evidence)):
            return reason
        ngrams = release is not None and release.tables is not None and release.tables.ngrams
        return self.why_not_form("n-grams") if ngrams else ""
