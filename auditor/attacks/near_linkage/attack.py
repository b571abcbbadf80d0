"""Record linkage by near matches: what the attacker knows is mapped to the nearest released query.

The exact attack (`record-linkage`) compares strings byte for byte, and loses an event to one slip
of memory. Here each known query that does not stand in the release is mapped to the nearest one
that does: the same words in another order, singular for plural, one word more or less, or a
spelling variant. Both attacks are run on the same targets with the same knowledge, and with it
altered as somebody remembers it. `semantic-linkage` does the same in a third way.

An event that was mapped counts its likeness to the power of four, so that it never outweighs an
exact one. Source: beyond the five sources; blocks and cutoffs as usual in record linkage (Christen:
Data Matching, Springer 2012, chapters 4 and 5). Cost: O(rows + released queries · size of their
block), and for each target the records that hold what is known.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from string import ascii_lowercase
from typing import Any, Generic, TypeVar

import numpy as np

from auditor.arrays import Float64s, Int64s, mean_of
from auditor.attacks.base import Attack, AttackResult, Evidence
from auditor.attacks.near_linkage.matching import (
    FEWEST_WORDS,
    LABELS,
    SHORTEST,
    NearKind,
    NearMatches,
    find_near_matches,
)
from auditor.attacks.record_linkage import attack as record_linkage
from auditor.attacks.record_linkage.targets import (
    QUERY,
    AttackerKnowledge,
    LinkageIndex,
    LinkageScores,
    LinkageSummary,
    LinkageTargets,
    build_index,
    build_side,
    released_log,
    score_records,
    why_not,
)
from auditor.figures import Table
from auditor.fuzzy_search import fold_text
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import QueryLog, Vocabulary
from auditor.messages import DisplayText
from auditor.params import Params
from auditor.privacy.records import is_readable
from auditor.progress import Progress
from auditor.resource_files import resource_text

catalogue = MetricCatalogue("attacks", "near_linkage")

MOST_REPLACED = 2
"""Terms of a query that are replaced by synonyms."""


def misremember_strings(strings: Sequence[str], seed: int) -> list[str]:
    """The strings as somebody remembers them who read them once; O(bytes)."""
    rng = np.random.default_rng(seed)
    draws = rng.random((len(strings), 4))
    return [_alter_text(text, draw) for text, draw in zip(strings, draws.tolist(), strict=True)]


def _alter_text(text: str, draw: Sequence[float]) -> str:
    words = fold_text(text).split()
    if not words:
        return text
    changes = ["plural"] + (["slip"] if len(" ".join(words)) > SHORTEST else [])
    changes += ["order"] if len(words) > 1 else []
    changes += ["word"] if len(words) >= FEWEST_WORDS else []
    change = changes[int(draw[0] * len(changes))]
    index = int(draw[1] * len(words))
    plain = altered = " ".join(words)
    if change == "order":
        altered = " ".join([*words[index or 1 :], *words[: index or 1]])
    elif change == "word":
        altered = " ".join([*words[:index], *words[index + 1 :]])
    elif change == "slip":
        altered = _make_slip(plain, draw)
    if altered == plain:  # a letter replaced by itself, equal neighbours that were swapped
        altered = plain[:-1] if plain.endswith("s") else plain + "s"
    return altered


def _make_slip(text: str, draw: Sequence[float]) -> str:
    """One letter left out, doubled, replaced or swapped with the next."""
    letters = [offset for offset, letter in enumerate(text[:-1]) if letter.isalpha()]
    if not letters:
        return text
    offset = letters[int(draw[1] * len(letters))]
    letter, rest = text[offset], text[offset + 1 :]
    other = ascii_lowercase[int(draw[3] * 26)]
    slips = (rest, 2 * letter + rest, other + rest, rest[0] + letter + rest[1:])
    return text[:offset] + slips[int(draw[2] * len(slips))]


@functools.lru_cache(maxsize=1)
def read_synonyms() -> Mapping[str, tuple[str, ...]]:
    """For each term of one or two words the others that mean the same in a search."""
    related: dict[str, dict[str, None]] = {}
    text = resource_text("own/synonyms.txt")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            terms = [term.strip() for term in line.split(",")]
            for term in terms:
                related.setdefault(term, {}).update(dict.fromkeys(terms))
    return {
        term: tuple(other for other in group if other != term) for term, group in related.items()
    }


def paraphrase_strings(strings: Sequence[str], seed: int) -> list[str]:
    """The strings in other words, as far as there are some; the same seed, the same words."""
    draws = np.random.default_rng(seed).random((len(strings), MOST_REPLACED)).tolist()
    return [_replace_words(text, draw) for text, draw in zip(strings, draws, strict=True)]


def _replace_words(text: str, draw: Sequence[float]) -> str:
    table = read_synonyms()
    words = fold_text(text).split()
    output: list[str] = []
    index = replaced = 0
    while index < len(words):
        size = 2 if " ".join(words[index : index + 2]) in table and index + 1 < len(words) else 1
        term = " ".join(words[index : index + size])
        synonyms = table.get(term, ()) if replaced < MOST_REPLACED else ()
        if synonyms:
            output.append(synonyms[int(draw[replaced] * len(synonyms))])
            replaced += 1
        else:
            output.append(term)
        index += size
    return " ".join(output) if replaced else text


STEEPNESS = 4
"""Power of its likeness with which a mapped event counts."""
SHARES = (0.0, 0.5, 1.0)
"""Shares of altered queries that are always looked at."""
MATCHINGS = ("exact matches only", "near matches, too", "matches by meaning, too")

QueryAlteration = Callable[[Sequence[str], int], list[str]]
"""``alter(strings, seed)``: the strings as the attacker has them in mind."""


@dataclass(frozen=True, eq=False)
class KnownQueryMapping:
    """Known queries and what each is taken for, as it was and as it is altered; q queries."""

    knowledge: AttackerKnowledge
    codes: Int64s  # the distinct keys of `knowledge`, ascending
    # strings, altered: each of them as it was issued, and as the attacker has it in mind
    strings: Sequence[str]
    altered: Sequence[str]
    # true, vague: the released query that each of `strings` and of `altered` is nearest to
    true: NearMatches
    vague: NearMatches
    slip: Float64s  # a number from 0 to 1 for each: it is altered where that is below the share

    @classmethod
    def of(
        cls,
        log: QueryLog,
        knowledge: AttackerKnowledge,
        *,
        released: QueryLog,
        alter: QueryAlteration,
        least: float,
        seed: int,
        progress: Progress,
    ) -> KnownQueryMapping:
        codes = sorted_distinct(knowledge.keys)
        strings = log.queries.list_strings(codes)
        altered = alter(strings, seed)
        distinct = list(dict.fromkeys([*strings, *altered]))
        place = {text: index for index, text in enumerate(distinct)}
        matches = find_near_matches(distinct, released.queries, least, progress)
        true, vague = (
            matches.take(np.array([place[text] for text in texts], dtype=np.int64))
            for texts in (strings, altered)
        )
        slip = np.random.default_rng(seed + 1).random(len(codes))
        return cls(knowledge, codes, strings, altered, true, vague, slip)

    def list_mapped_queries(self) -> Int64s:
        """Every released query that something known may be mapped to."""
        places = sorted_distinct(np.concatenate([self.true.place, self.vague.place]))
        return places[places >= 0]

    def choose_places(self, share: float) -> Int64s:
        """The place of each known query among all strings, those as issued and those altered.

        A share of them is altered; shape (q,).
        """
        size = len(self.codes)
        return np.arange(size) + size * (self.slip < share)

    def choose_matches(self, share: float) -> NearMatches:
        """What each known query is taken for if such a share of them is altered."""
        return self.true.join(self.vague).take(self.choose_places(share))

    def rank_records(
        self,
        share: float,
        index: LinkageIndex,
        truth: Int64s | None,
        progress: Progress,
        person: Int64s | None = None,
    ) -> tuple[LinkageScores, ...]:
        """Rank all records for each target in each way; a share of the queries is altered."""
        return tuple(
            score_records(self.translate(share, nearly), index, truth, progress, person)
            for nearly in (False, True)
        )

    def translate(self, share: float, nearly: bool) -> AttackerKnowledge:
        """The knowledge in the release's query codes; a share of the queries is altered."""
        match = self.choose_matches(share)
        is_match = match.kind != NearKind.NONE if nearly else match.kind == NearKind.SAME
        weight = np.where(is_match, match.likeness**STEEPNESS, 0.0)
        row = np.searchsorted(self.codes, self.knowledge.keys)
        return replace_keys(self.knowledge, match.place[row], self.knowledge.counts * weight[row])


def replace_keys(facts: AttackerKnowledge, keys: Int64s, counts: Float64s) -> AttackerKnowledge:
    """The same knowledge under other keys; equal ones of a target add up, without a count go."""
    target = np.repeat(np.arange(len(facts.events)), np.diff(facts.starts))
    is_counted = counts > 0
    return AttackerKnowledge.of(
        target[is_counted], keys[is_counted], counts[is_counted], facts.rows, facts.events
    )


MappingT = TypeVar("MappingT", bound=KnownQueryMapping)


@dataclass(frozen=True, eq=False)
class LinkageByWay(Generic[MappingT]):
    """One attack in several ways on the same targets, each finding what those before it find."""

    mapping: MappingT  # what each known query is taken for
    # By exact matches alone, by near ones, too, and by meaning, too, where it is looked at.
    outcomes: tuple[LinkageSummary, ...]
    # For each share of altered queries the rate of each way.
    rates: Mapping[float, tuple[float, ...]]

    @property
    def best(self) -> LinkageSummary:
        """The outcome of all ways together."""
        return self.outcomes[-1]

    def build_result(
        self,
        attack: Attack,
        evidence: Evidence,
        params: Any,
        words: MetricCatalogue,
        *,
        only: str,
        mapped: tuple[str, int],
        figure: str,
        table: Table,
        notes: Sequence[DisplayText],
    ) -> AttackResult:
        """The result of the best way: what the weaker ones reach, and what it adds to them.

        `only` is the metric of users whom it alone finds, `mapped` that of queries.
        """
        weaker = dict(zip(("exact", "near"), self.outcomes[:-1], strict=False))
        controls = {name: record_linkage.control_rate(o, params.lead) for name, o in weaker.items()}
        details: dict[str, Any] = {}
        values = []
        for name, outcome in weaker.items():
            rate, interval = outcome.scores.compute_rate(), outcome.scores.compute_interval()
            details[f"{name}_rate"] = rate
            details[f"{name}_interval"] = list(interval)
            details[f"{name}_control"] = controls[name] or 0.0
            values.append(words(f"{name}_rank1", rate, interval=interval))
        chances = [outcome.scores.compute_chance(1) for outcome in self.outcomes]
        values += [
            words(only, mean_of(chances[-1] > np.max(chances[:-1], axis=0))),
            words(*mapped),
            *(
                words(f"{name}_control", control)
                for name, control in controls.items()
                if control is not None
            ),
        ]
        targets = len(self.best.users)
        lines = record_linkage.make_rate_lines(MATCHINGS[: len(self.outcomes)], self.rates, targets)
        return record_linkage.build_result(
            attack,
            evidence,
            params,
            self.best,
            words.say("rate", trials=targets),
            values=values,
            # The rate of each way over the share of altered queries.
            figures=(words.figure(figure, lines, places={"share": 100 * params.share}),),
            table=table,
            notes=notes,
            details=details,
        )


def matches_table(name: str, rows: Sequence[tuple[DisplayText, int]]) -> Table:
    """How many distinct known queries are found in which way."""
    return catalogue.table("matches", [list(row) for row in rows], named=name)


def link_in_ways(
    evidence: Evidence,
    params: Any,
    map_queries: Callable[..., MappingT],
    altered: float,
    rng: np.random.Generator,
    progress: Progress,
) -> LinkageByWay[MappingT]:
    """Draw targets, map what is known of them to the release, and rank all records in each way.

    ``map_queries(log, known, seed=…)`` is the way of matching; `altered` is the share of known
    queries that are altered.
    """
    _, released = released_log(evidence)
    targets = LinkageTargets.draw(evidence, params.targets, params.share, rng, progress)
    mapping, outside = map_queries(evidence.log, targets.knowledge, seed=targets.seed), None
    queries = mapping.list_mapped_queries()
    if targets.outsiders is not None and evidence.reference is not None:
        outside = map_queries(evidence.reference, targets.outsiders, seed=targets.seed)
        queries = np.concatenate([queries, outside.list_mapped_queries()])
    side = build_side(released, released, True, (QUERY,), progress)
    index = build_index(side, sorted_distinct(queries), "likelihood", progress)
    scores = {
        share: mapping.rank_records(share, index, targets.record, progress, targets.truth.person)
        for share in sorted({*SHARES, altered})
    }
    strangers: Sequence[LinkageScores | None] = [None] * len(scores[altered])
    if outside is not None:
        strangers = outside.rank_records(altered, index, None, progress)
    return LinkageByWay(
        mapping,
        tuple(
            LinkageSummary(
                **vars(targets), scores=own, shares={targets.share: own}, strangers=foreign
            )
            for own, foreign in zip(scores[altered], strangers, strict=True)
        ),
        {share: tuple(rank.compute_rate() for rank in ranks) for share, ranks in scores.items()},
    )


@dataclass(frozen=True, kw_only=True)
class NearLinkageParams(Params, owner="near-linkage"):
    """What the attacker knows, how well they remember it, and what they take for near."""

    share: float = 0.5
    misremembered: float = 0.0
    likeness: float = 0.85
    targets: int = 500
    lead: float = 1.5


def run(
    evidence: Evidence, params: NearLinkageParams, *, rng: np.random.Generator, progress: Progress
) -> AttackResult:
    """Link users to records with near matches, and without, on the same targets."""
    map_queries = partial(
        KnownQueryMapping.of,
        released=released_log(evidence)[1],
        alter=misremember_strings,
        least=params.likeness,
        progress=progress,
    )
    linkage = link_in_ways(evidence, params, map_queries, params.misremembered, rng, progress)
    matches = linkage.mapping.choose_matches(params.misremembered)
    kinds = np.bincount(matches.kind, minlength=len(NearKind))
    labels = {**LABELS, NearKind.NONE: "no match"}
    return linkage.build_result(
        ATTACK,
        evidence,
        params,
        catalogue,
        only="found_only_nearly",
        mapped=("mapped", int(kinds[NearKind.SAME + 1 :].sum())),
        figure="linkage-by-memory",
        table=matches_table(
            "kinds-of-match", [(label, int(kinds[kind])) for kind, label in labels.items()]
        ),
        notes=(catalogue.say("exact_rate", exact=100 * linkage.outcomes[0].scores.compute_rate()),),
    )


def explain_unfit(evidence: Evidence) -> str:
    """Why nothing can be linked by near matches, in words; empty if it can."""
    if reason := why_not(evidence):
        return reason
    _, released = released_log(evidence)
    if is_readable(released, evidence.log) or _shares_words(released, evidence.log):
        return ""
    return "needs released queries that can be read"


def _shares_words(released: QueryLog, log: QueryLog) -> bool:
    """Whether most words of a sample of the released queries are words of the log's queries.

    Queries may have been rewritten; hashed words are none of the log's.
    """

    def collect_words(queries: Vocabulary, query_limit: int) -> set[str]:
        places = np.linspace(0, len(queries) - 1, min(query_limit, len(queries))).astype(np.int64)
        return {word for text in queries.list_strings(places) for word in fold_text(text).split()}

    released_words = collect_words(released.queries, 200)
    return 2 * len(released_words & collect_words(log.queries, 20_000)) > len(released_words)


ATTACK = Attack(
    **MetricCatalogue("attacks", "near_linkage").card,
    criterion="linkability",
    intruder=True,
    params=NearLinkageParams,
    run=run,
    sampled="measured",
    applies=("log", "hashes", "bundles"),
    unfit=explain_unfit,
)
