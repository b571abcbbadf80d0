"""Words that a release masks, guessed from the words around them.

A release may put a star in the place of a word, name, address or number that few used. The guesser
learns from users who aren't attacked: those of the reference who are not in the log, or, where
there are none, half of the log's users. It counts which parts of queries (`privacy.entities`) stood
in the same frame (all other words of the query), between the same two neighbours, and beside each
of them; each of these backs off to the next, by Witten and Bell's rule, and at last to how common a
part is. What stands readable anywhere in the release is taken to be allowed: it is not guessed, and
a mask that depends on context is judged too low.

* Rate: hidden words guessed first, of all users' queries that fit a masked row of theirs.
* Baseline: the commonest of the words of its kind (name, place, number, other) that can be guessed.
* Control: the same guesses for frames whose hidden word was drawn from those of all attempts.

A truth table or kept ids must say whose rows are. Source: Witten and Bell 1991, method C, as in
Chen and Goodman 1999. Cost: O(n log n) for n parts of queries, O(attempts × words learned), and the
detector once for each log and its words.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from auditor.arrays import Bools, Float64s, Int64s, expand_ranges, mark_run_starts, mean_of
from auditor.attacks.base import Attack, AttackResult, Evidence
from auditor.attacks.detection.detector import detect_marks
from auditor.attacks.detection.kinds import PII, EntityKind
from auditor.attacks.intervals import describe_share
from auditor.attacks.record_linkage.targets import draw_users, released_log, why_not
from auditor.bit_mixing import mix_numbers
from auditor.figures import UserReference
from auditor.log.gil_friendly import is_among, sorted_distinct
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import NONE, QueryLog, Vocabulary
from auditor.log.text import TokenizedQueries, canonical_tokens, tokenize_strings
from auditor.messages import phrase
from auditor.params import Params
from auditor.privacy.entities import MASK, list_masked, split_entities
from auditor.privacy.records import record_owners
from auditor.progress import Progress

catalogue = MetricCatalogue("attacks", "masked_completion")

KINDS = (phrase("name"), phrase("place"), phrase("number or address"), phrase("other word"))
_UNKNOWN = -1  # as `NONE`: no part that was learned


@dataclass(frozen=True, kw_only=True)
class MaskedCompletionParams(Params, owner="masked-completion"):
    """How many masked queries are attacked."""

    targets: int = 2_000


class HiddenWord(NamedTuple):
    """The parts of a user's query, None for those that the release hides, and one of these."""

    user: int
    frame: tuple[str | None, ...]
    place: int
    word: str


def run(
    evidence: Evidence,
    params: MaskedCompletionParams,
    *,
    rng: np.random.Generator,
    progress: Progress,
) -> AttackResult:
    """Guess what is masked in up to so many queries, as somebody who saw others' queries would."""
    log, (release, released) = evidence.log, released_log(evidence)
    owners = record_owners(log, release, progress)
    # The log that the guesser learns from, and which of its users.
    teacher = log if evidence.reference is None else evidence.reference
    attacked = np.ones(len(log.users), dtype=np.bool_)
    learned = teacher.users.match(log.users) == NONE
    if not learned.any():
        teacher, learned = log, rng.permutation(len(log.users)) < len(log.users) // 2
        attacked = ~learned
    rows = _list_masked(log, released, owners.user, attacked)
    drawn_rows = rows[draw_users(len(rows), params.targets, rng)]
    readable = _list_readable(log, released, progress)
    hidden = _find_hidden(log, released, drawn_rows, readable, progress)
    model = _Guesser(teacher, learned, readable, progress)
    guesses = model.guess(hidden, progress)
    words = Vocabulary.of(dict.fromkeys(target.word for target in hidden))
    word_codes = words.find([target.word for target in hidden])
    truth, kinds = words.match(model.words)[word_codes], _sort_by_kind(words, progress)[word_codes]
    # The commonest word of each of `KINDS`, −1 where none is known; shape (kinds,).
    known_kinds = _sort_by_kind(model.words, progress)
    of_kind = (np.where(known_kinds == kind, model.common, 0) for kind in range(len(KINDS)))
    usual = np.array([int(row.argmax()) if row.any() else _UNKNOWN for row in of_kind])
    hits, usual_hits = (truth >= 0) & (truth == guesses), (truth >= 0) & (truth == usual[kinds])
    drawn_words = np.bincount(truth[truth >= 0], minlength=len(model.words) + 1)
    users = np.array([target.user for target in hidden], dtype=np.int64)
    guessed = sorted_distinct(users[hits])
    masks = [kinds == kind for kind in range(len(KINDS))]
    guessed_users = UserReference.from_parts("users", [guessed])
    return ATTACK.build_result(
        params,
        int(hits.sum()),
        len(hidden),
        baseline=mean_of(usual_hits),
        control=mean_of(drawn_words[guesses] / len(hidden)) if hidden else None,
        rate_label=catalogue.say("rate"),
        values=(
            describe_share(
                catalogue, "users", len(guessed), len(sorted_distinct(users)), who=guessed_users
            ),
        ),
        tables=(
            catalogue.table(
                "kinds",
                [
                    [label, int(mask.sum()), mean_of(hits[mask]), mean_of(usual_hits[mask])]
                    for label, mask in zip(KINDS, masks, strict=True)
                ],
            ),
        ),
        notes=(
            catalogue.say(
                "halves" if teacher is log else "reference", users=int(np.count_nonzero(learned))
            ),
            owners.evidence,
        ),
        details={"attempts": len(hidden), "masked": len(rows)},
    )


def _list_masked(log: QueryLog, released: QueryLog, owner: Int64s, attacked: Bools) -> Int64s:
    """Masked queries of attacked users, each pair (user, released query) as one number."""
    masked = np.zeros(len(released.queries), dtype=np.bool_)
    masked[list_masked(log, released)] = True
    user = owner[released.user]
    rows = np.flatnonzero(masked[released.query] & (user >= 0) & attacked[user])
    return sorted_distinct(user[rows] << 32 | released.query[rows])


def _list_readable(log: QueryLog, released: QueryLog, progress: Progress) -> set[str]:
    """What stands readable in a release: its words, and the parts of queries released whole."""
    words = canonical_tokens(
        tokenize_strings(released.queries, progress), stems=False, drop=(), progress=progress
    ).vocabulary
    parts = split_entities(log.queries, progress)
    verbatim = log.queries.match(released.queries) != NONE
    codes = sorted_distinct(parts.codes[np.repeat(verbatim, parts.compute_lengths())])
    return {*words.list_strings(), *parts.vocabulary.list_strings(codes)}


def _find_hidden(
    log: QueryLog, released: QueryLog, drawn_rows: Int64s, readable: set[str], progress: Progress
) -> list[HiddenWord]:
    """What is hidden in queries of each user from which a masked one of theirs may come."""
    entities = split_entities(log.queries, progress)
    texts = released.queries.list_strings(drawn_rows & 0xFFFFFFFF)
    frames: dict[int, list[list[str]]] = {}
    for user, text in zip((drawn_rows >> 32).tolist(), texts, strict=True):
        frames.setdefault(user, []).append(text.lower().split())
    matches: set[HiddenWord] = set()
    progress.stage("looking for masked queries", len(frames))
    for count, (user, masked) in enumerate(frames.items()):
        progress.update(count)
        queries = sorted_distinct(log.query[log.user_starts[user] : log.user_starts[user + 1]])
        verbatim = log.queries.take(queries).match(released.queries) != NONE
        for query, text in zip(
            queries[~verbatim].tolist(), log.queries.list_strings(queries[~verbatim]), strict=True
        ):
            parts = entities.vocabulary.list_strings(entities[query])
            for frame in masked:
                for split in (parts, text.lower().split()):
                    hides = _fit(split, frame)
                    if hides and readable.isdisjoint(split[i] for i in hides):
                        tokens = tuple(None if i in hides else part for i, part in enumerate(split))
                        matches.update(HiddenWord(user, tokens, i, split[i]) for i in hides)
                        break
    return sorted(matches, key=lambda word: (word.user, word.place, word.word, str(word.frame)))


def _fit(parts: list[str], frame: list[str]) -> list[int]:
    """Which parts of a query are hidden in a masked one; none if it can't come from this one."""
    place, hidden = 0, []
    for number, part in enumerate(parts):
        if frame[place : place + 1] == [MASK]:
            hidden.append(number)
            place += 1
            continue
        words = part.split()
        if frame[place : place + len(words)] != words:
            return []
        place += len(words)
    return hidden if place == len(frame) else []


class _Guesser:
    """What parts of queries stand where, among some users' queries; a query counts by its users.

    `words` are the parts that can be guessed or stand beside one, `common` how often each that
    isn't readable occurs.
    """

    def __init__(self, log: QueryLog, users: Bools, readable: set[str], progress: Progress) -> None:
        parts = split_entities(log.queries, progress)
        rows = users[log.user]
        pairs = sorted_distinct(log.query[rows].astype(np.int64) << 32 | log.user[rows])
        query, query_users = np.unique(pairs >> 32, return_counts=True)
        sizes = parts.compute_lengths()[query]
        codes = parts.codes[expand_ranges(parts.offsets[query], sizes)].astype(np.int64)
        corpus = TokenizedQueries(
            codes.astype(np.int32), np.append(0, np.cumsum(sizes)), parts.vocabulary
        )
        self.words = parts.vocabulary
        hideable = self.words.match(Vocabulary.of(readable)) == NONE
        guessed = hideable[codes]
        self._keys = {name: key[guessed] for name, key in self._find_keys(corpus).items()}
        self._word, self._often = codes[guessed], np.repeat(query_users, sizes)[guessed]
        self.common = np.bincount(self._word, self._often, minlength=len(self.words))
        self._base = self.common / max(1.0, self.common.sum())

    def _find_keys(self, parts: TokenizedQueries) -> dict[str, Int64s]:
        """By context the number of that in which each part stands, −1 if it isn't known whole."""
        end, hole = len(self.words), len(self.words) + 1
        codes, owner = parts.codes.astype(np.int64), parts.find_owners()
        place = np.arange(len(codes)) - parts.offsets[owner]
        padded = np.append(codes, end)
        left = np.where(place > 0, padded[np.arange(len(codes)) - 1], end)
        last = place + 1 == parts.compute_lengths()[owner]
        right = np.where(last, end, padded[np.arange(len(codes)) + 1])
        both = np.where((left < 0) | (right < 0), _UNKNOWN, left * hole + right)
        salt = mix_numbers(place.astype(np.uint64))
        term, gap = (
            mix_numbers(part.astype(np.uint64) ^ salt) for part in (codes, codes * 0 + end)
        )
        totals = np.zeros(len(parts), dtype=np.uint64)
        np.add.at(totals, owner, term)
        unknown = np.bincount(owner, codes < 0, minlength=len(parts))[owner] > (codes < 0)
        frame = ((totals[owner] - term + gap) >> np.uint64(1)).astype(np.int64)
        frame[unknown] = _UNKNOWN
        return {"left": left, "right": right, "both": both, "frame": frame}

    def guess(self, hidden: list[HiddenWord], progress: Progress) -> Int64s:
        """The likeliest part for each hidden one, the first of several; shape (hidden,)."""
        texts = Vocabulary.of(dict.fromkeys(part for item in hidden for part in item.frame if part))
        code_of = dict(zip(texts.list_strings(), texts.match(self.words).tolist(), strict=True))
        codes = [code_of.get(part or "", _UNKNOWN) for item in hidden for part in item.frame]
        sizes = np.array([len(item.frame) for item in hidden], dtype=np.int64)
        offsets = np.append(0, np.cumsum(sizes))
        frames = TokenizedQueries(np.array(codes, dtype=np.int32), offsets, self.words)
        positions = offsets[:-1] + np.array([item.place for item in hidden], dtype=np.int64)
        sought = {name: key[positions] for name, key in self._find_keys(frames).items()}
        tables = {name: self._count(name, key) for name, key in sought.items()}
        guesses = np.full(len(hidden), _UNKNOWN, dtype=np.int64)
        if not self.common.any():
            return guesses
        best: dict[tuple[int, ...], int] = {}
        progress.stage("guessing words", len(hidden))
        for number, keys in enumerate(
            zip(*(sought[name].tolist() for name in tables), strict=True)
        ):
            progress.update(number)
            if keys not in best:
                left, right, both, frame = (
                    (*tables[name], key) for name, key in zip(tables, keys, strict=True)
                )
                neighbours = (_back_off(self._base, *left) + _back_off(self._base, *right)) / 2
                best[keys] = int(np.argmax(_back_off(_back_off(neighbours, *both), *frame)))
            guesses[number] = best[keys]
        return guesses

    def _count(self, name: str, sought: Int64s) -> tuple[Int64s, Int64s, Int64s]:
        """Of a context's sought numbers, each word that stands there, and how often; by number."""
        is_sought = is_among(self._keys[name], sought[sought >= 0])
        key, word, counts = (
            self._keys[name][is_sought],
            self._word[is_sought],
            self._often[is_sought],
        )
        order = np.lexsort((word, key))
        key, word = key[order], word[order]
        first = np.flatnonzero(mark_run_starts(key, word))
        total = np.add.reduceat(counts[order], first) if len(first) else counts[:0]
        return key[first], word[first], total


def _back_off(prior: Float64s, keys: Int64s, words: Int64s, counts: Int64s, key: int) -> Float64s:
    """The chance of each word in a context, of which as much as it has words is the prior's."""
    span = slice(*np.searchsorted(keys, [key, key + 1]))
    distinct, total = len(words[span]), int(counts[span].sum())
    if not distinct:
        return prior
    mixed = prior * distinct
    mixed[words[span]] += counts[span]
    return mixed / (distinct + total)


def _sort_by_kind(words: Vocabulary, progress: Progress) -> Int64s:
    """Which of `KINDS` each word is; shape (words,)."""
    import pyarrow.compute as pc

    bits = detect_marks(words, progress=progress).build_bit_sets(len(words))
    digits = pc.match_substring_regex(words.as_arrow(), r"\d").to_numpy(zero_copy_only=False)
    has = {kind: (bits >> np.uint64(kind) & np.uint64(1)).astype(np.bool_) for kind in EntityKind}
    number = digits | np.any([has[kind] for kind in PII], axis=0)
    kinds = np.select([has[EntityKind.PERSON], number, has[EntityKind.PLACE]], [0, 2, 1], 3)
    return kinds.astype(np.int64)


def explain_unfit(evidence: Evidence) -> str:
    """Why nothing can be guessed, in words; empty if something can."""
    release = evidence.release
    if release is not None and release.log is not None:
        if not len(list_masked(evidence.log, release.log)):
            return "needs masked words: no released query has a star for one"
        if release.truth is None and len(release.log.users) > len(evidence.log.users):
            return "needs a truth table: nobody can tell whose masked queries are"
    return why_not(evidence)


ATTACK = Attack(
    **catalogue.card,
    criterion="inference",
    params=MaskedCompletionParams,
    run=run,
    applies=("log",),
    in_worst=False,  # its rate is of words, and others say what becomes of people
    unfit=explain_unfit,
)
