"""Token hashing: every word of every query becomes a keyed hash; the same word, the same hash.

Each white-space token t becomes the first 64 bits of HMAC-SHA-256(key, t), in hex. The key comes
from the operating system and dies with the run. It hides what a word is and keeps how often and
beside which others it stands, which is enough to find many words again (`hash-inversion`).
Source: Kumar, Novak, Pang and Tomkins, WWW 2007, section 3.1. Cost: O(bytes of distinct
queries) and one HMAC, about a microsecond, for each distinct token, user and URL.
"""

import binascii
import hmac
import itertools
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, final

import numpy as np

from auditor.arrays import Int32s, Int64s, UInt8s
from auditor.bounded_files import write_private_file
from auditor.errors import ParameterError
from auditor.log.lifetime_cache import LifetimeCache
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import NONE, QueryLog, Vocabulary
from auditor.log.sentences import sentence
from auditor.log.text import TokenizedQueries, join_tokens, tokenize_strings
from auditor.messages import as_phrase, join_phrases, phrase
from auditor.methods.base import ExpectedRelease, Method, SparkSupport
from auditor.methods.explanation.explanation import Explanation, ExplanationRequest, code_of
from auditor.methods.frequency_threshold import unique_users
from auditor.methods.noisy_counts import outlook
from auditor.methods.released_columns import (
    SUPPRESSED,
    expect_columns,
    state_columns,
    suppress_rare_values,
)
from auditor.methods.released_ids import NO_USER
from auditor.methods.statements import ids_kept
from auditor.params import Params
from auditor.privacy.randomness import Randomness
from auditor.privacy.release import Product
from auditor.privacy.statement import Statement, Status, assume
from auditor.privacy.truth_table import TruthTable
from auditor.progress import Progress, run_cancellable

_counts = LifetimeCache[QueryLog, tuple[Vocabulary, Int64s, Int64s]]()

MOST_WORDS = 100


def explain(request: ExplanationRequest, params: Any, progress: Progress) -> Explanation:
    """The rank of each of its words by frequency, which hashing keeps; O(bytes) once a log.

    The key is gone with the run, so nobody can say which hashes are the words'.
    """
    words, counts, ranked = _counts.get(
        request.log, None, lambda: _count_words(request.log, progress)
    )
    rows = []
    lone_words = 0
    typed = list(dict.fromkeys(request.text.split()))
    for word in typed[:MOST_WORDS]:
        code = code_of(words, word)
        if code < 0:
            rows.append([word, 0, "not in the log", "–"])
            continue
        count = int(counts[code])
        below = int(np.searchsorted(ranked, count, side="left"))
        same_count = int(np.searchsorted(ranked, count, side="right")) - below
        rank = len(ranked) - below - same_count + 1
        lone_words += same_count == 1
        rows.append([word, count, rank, same_count - 1])
    text = "Nobody in this log issued it."
    if len(request.rows):
        gone = "is in a file that is not read" if params.key_file else "was forgotten"
        text = sentence(
            "token_hashing.hashing_drops_query_rows", rows=len(request.rows), gone=as_phrase(gone)
        )
    if lone_words:
        note = sentence(
            "token_hashing.different_words_occur_often", alone=lone_words, typed=len(typed)
        )
        text = join_phrases(" ", (text, note))
    return Explanation(
        outcome=text,
        chance=float(bool(len(request.rows))),
        values=(
            describe_metric("telling_words", float(lone_words)),
            describe_metric("words", float(len(counts))),
        ),
        tables=(describe_metric.table("words", rows),),
        notes=("No value of any parameter changes whether a query is released.",),
        released=len(request.rows) > 0,
    )


def _count_words(log: QueryLog, progress: Progress) -> tuple[Vocabulary, Int64s, Int64s]:
    """The log's words, how often each occurs in its rows, and these numbers in order."""
    tokens = tokenize_strings(log.queries, progress)
    counts = tokens.count_occurrences(np.bincount(log.query, minlength=len(log.queries)))
    progress.check()
    return tokens.vocabulary, counts, np.sort(counts)


describe_metric = MetricCatalogue("methods", "token_hashing")

_HASHES = 20_000  # about 25 ms of HMACs
_DIGITS = 16


@dataclass(frozen=True, kw_only=True)
class TokenHashingParams(Params, owner="token-hashing"):
    """What stays readable or in place beside the hashed words."""

    order: str = "kept"
    users: str = "hashed"
    urls: str = "dropped"
    times: str = "exact"
    columns: str = "drop"
    group: int = 1_000
    cell: int = 5
    key_file: Path | None = None


@final
class HashKey:
    """32 secret bytes that can't be printed, copied or stored by accident."""

    __slots__ = ("_secret",)

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def __repr__(self) -> str:
        return "Key(…)"

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TypeError("a key is never stored or copied")

    def hash_message(self, message: bytes) -> bytes:
        """The first 64 bits of HMAC-SHA-256 under this key."""
        return hmac.digest(self._secret, message, "sha256")[: _DIGITS // 2]

    def save(self, target: Path) -> None:
        """Write the key in hex to a new file that only its owner may read."""
        try:
            write_private_file(target, f"{self._secret.hex()}\n".encode("ascii"))
        except OSError as error:
            message = sentence("token_hashing.key_saved_name_new", strerror=error.strerror)
            raise ParameterError("key_file", message) from None


def new_key(rng: Randomness) -> HashKey:
    """A key for one run."""
    if rng.secure:
        return HashKey(secrets.token_bytes(32))
    return HashKey(rng.integers(1 << 63, 4).tobytes())  # a preview repeats itself; it's no release


def run(
    log: QueryLog, params: TokenHashingParams, *, rng: Randomness, progress: Progress
) -> Product:
    """Hash every token of the log, and ids and URLs as asked.

    Raises `ParameterError`: `key_file` exists or can't be written; `Cancelled`.
    """
    progress.check()
    suppressed_values = 0
    if has_columns := bool(log.attributes):
        linked = params.users != "dropped"
        log, suppressed_values = suppress_rare_values(
            log, params.group, params.cell, linked, progress
        )
    key = new_key(rng)
    released, words = hash_log(log, params, key, progress)
    statement = _build_statement(released, params, len(words), rng.secure, progress)
    progress.check()
    if params.key_file is not None and rng.secure:
        key.save(params.key_file)
    changes = {
        "rows": len(log),
        "tokens_hashed": len(words),
        "queries_merged": len(log.queries) - len(released.queries),
        "users_changed": 0 if params.users == "kept" else len(log.users),
        "clicks_changed": 0 if params.urls == "kept" else log.clicks,
    }
    if has_columns:
        statement = state_columns(statement, log, params, suppressed_values, linked)
        changes[SUPPRESSED] = suppressed_values
    truth = None
    if params.users == "hashed":
        names = hash_users(log.users, key, progress)
        truth = TruthTable(names, log.users, np.arange(len(names), dtype=np.int64))
    return Product(content=released, statement=statement, changes=changes, truth=truth)


def hash_log(
    log: QueryLog, params: TokenHashingParams, key: HashKey, progress: Progress
) -> tuple[QueryLog, UInt8s]:
    """The log with every token hashed, and ids and URLs as asked; and the hashes of its words.

    Each part of a log by itself gives the same.
    """
    tokens = tokenize_strings(log.queries, progress)
    words = _hash_strings(tokens.vocabulary, b"", key, "hashing tokens", progress)
    codes = _sort_by_hash(tokens, words, progress) if params.order == "hidden" else tokens.codes
    hashed = TokenizedQueries(codes, tokens.offsets, _build_vocabulary(words))
    query_of, queries = join_tokens(hashed, progress)
    return _build_released_log(log, params, query_of, queries, key, progress), words


def _hash_strings(
    words: Vocabulary, domain: bytes, key: HashKey, stage: str, progress: Progress
) -> UInt8s:
    """The hash of each string; uint8, shape (len(words), 8).

    `domain` keeps ids and URLs apart from tokens: it ends in a blank, which no token holds.
    """
    data, offsets = words.data.tobytes(), words.offsets
    pieces = []
    for start, stop in progress.blocks(stage, len(words), _HASHES):
        ends = offsets[start : stop + 1].tolist()
        pieces.append(
            b"".join(key.hash_message(domain + data[a:b]) for a, b in itertools.pairwise(ends))
        )
    return np.frombuffer(b"".join(pieces), dtype=np.uint8).reshape(-1, _DIGITS // 2)


def hash_users(users: Vocabulary, key: HashKey, progress: Progress) -> Vocabulary:
    """The released id of each user, in the order of the users."""
    return _build_vocabulary(_hash_strings(users, b"user ", key, "hashing users", progress))


def _sort_by_hash(tokens: TokenizedQueries, hashes: UInt8s, progress: Progress) -> Int32s:
    """Each query's token codes in the order of their hashes."""
    order = np.argsort(hashes.copy().view(">u8").ravel(), kind="stable")
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    owners = tokens.find_owners()
    progress.stage("shuffling the order")
    in_order = run_cancellable(lambda: np.lexsort((rank[tokens.codes], owners)), progress)
    return tokens.codes[in_order]


def _build_released_log(
    log: QueryLog,
    params: TokenHashingParams,
    query_of: Int32s,
    queries: Vocabulary,
    key: HashKey,
    progress: Progress,
) -> QueryLog:
    """The released log; users stand in the order of their hashes, so it tells nothing."""
    user, users = log.user, log.users
    if params.users == "dropped":
        user = np.zeros(len(log), dtype=np.int32)
        users = Vocabulary.of((NO_USER,) if len(log) else ())
    elif params.users == "hashed":
        hashes = _hash_strings(log.users, b"user ", key, "hashing users", progress)
        order = np.argsort(hashes.copy().view(">u8").ravel(), kind="stable")
        place = np.empty(len(order), dtype=np.int32)
        place[order] = np.arange(len(order), dtype=np.int32)
        user, users = place[log.user], _build_vocabulary(hashes[order])
    url, urls, rank = log.url, log.urls, log.rank
    if params.urls == "dropped":
        url, urls, rank = np.full_like(url, NONE), Vocabulary.of(()), np.full_like(rank, NONE)
    elif params.urls == "hashed":
        urls = _build_vocabulary(
            _hash_strings(log.urls, b"url ", key, "hashing clicked pages", progress)
        )
    keep_ids = params.users == "kept"
    progress.check()
    return QueryLog.from_codes(
        user=user,
        query=np.take(query_of, log.query),
        time=log.time,
        url=url,
        rank=rank,
        users=users,
        queries=queries,
        urls=urls,
        ip=log.ip if keep_ids else None,
        cookie=log.cookie if keep_ids else None,
        cookies=log.cookies if keep_ids else None,
        attributes=log.attributes,
    )


def _build_vocabulary(hashes: UInt8s) -> Vocabulary:
    digits = np.frombuffer(bytearray(binascii.hexlify(hashes.tobytes())), dtype=np.uint8)
    return Vocabulary(digits, np.arange(len(hashes) + 1, dtype=np.int64) * _DIGITS)


def _build_statement(
    log: QueryLog, params: TokenHashingParams, words: int, secure: bool, progress: Progress
) -> Statement:
    unique = unique_users(log, progress) if params.users != "dropped" else 0
    figures = HashedOutlook(words, len(log.users), log.clicks, unique)
    return statement_of(params, figures, secure)


@dataclass(frozen=True)
class HashedOutlook:
    """Figures of the released rows, for the statement's evidence; `words` are distinct tokens."""

    words: int
    users: int
    clicks: int
    unique: int


def statement_of(params: TokenHashingParams, figures: HashedOutlook, secure: bool) -> Statement:
    """What hashing hides and what it doesn't."""
    together, unique = params.users != "dropped", figures.unique
    assumptions = [
        assume(
            "token_hashing.hashes_cant_be_turned_back",
            "fails",
            "frequencies and co-occurrences are kept: Kumar et al. inverted 99 % of the 1,000 most "
            "frequent hashes of 3 million queries; the attack hash-inversion measures it on this "
            "log",
        ),
        assume(
            "token_hashing.users_cant_be_told_apart",
            "fails" if together and unique else "holds",
            sentence("token_hashing.users_set_hashed_queries", unique=unique, users=figures.users)
            if together
            else "no two rows stand under one user's id",
        ),
    ]
    if params.users == "kept":
        assumptions.append(ids_kept())
    if params.order == "kept":
        evidence = "order is kept; it tells first from last names and phrases from their parts"
        assumptions.append(assume("token_hashing.word_order_tells_nothing", "fails", evidence))
    if params.urls != "dropped" and figures.clicks:
        evidence = phrase(
            "{clicks:,} clicks stay readable"
            if params.urls == "kept"
            else "{clicks:,} clicks stay as hashes, which link equal pages",
            clicks=figures.clicks,
        )
        assumptions.append(assume("token_hashing.clicked_pages_tell_nothing", "fails", evidence))
    status: Status = "holds"
    evidence = "256 bits from the operating system, forgotten with the run"
    if not secure:
        status, evidence = "fails", "preview: the key was drawn from seeded randomness"
    elif params.key_file is not None:
        status, evidence = "unknown", "the key was saved to a file at the steward's wish"
    assumptions.append(assume("token_hashing.the_key_stays_secret", status, evidence))
    return Statement(
        model="pseudonymity",
        claim=sentence("token_hashing.different_words_replaced_keyed", words=figures.words),
        unit="one word",
        assumptions=tuple(assumptions),
        measured={"words": float(figures.words)}
        | ({"unique_users": float(unique)} if unique else {}),
    )


def estimate_release(
    log: QueryLog, params: TokenHashingParams, *, scale: float, progress: Progress
) -> ExpectedRelease:
    """What stays visible through any hash: how often each word stands in the log."""
    tokens = tokenize_strings(log.queries, progress)
    occurrences = tokens.count_occurrences(log.searches_by_query)
    figure = outlook.values_by_rank(describe_metric, "visible", "occurrences", occurrences * scale)
    single = float(np.count_nonzero(occurrences == 1)) / max(len(occurrences), 1)
    values = (
        describe_metric("expected.words", float(len(occurrences))),
        describe_metric("expected.single", single),
    )
    statement = _build_statement(log, params, len(occurrences), True, progress)
    statement = expect_columns(statement, log, params)
    return ExpectedRelease(statement=statement, values=values, figures=(figure,))


METHOD = Method(
    **describe_metric.card,
    without_users=True,
    main=("order", "users", "urls", "times", "columns"),
    params=TokenHashingParams,
    yields="log",
    hides="hashes",
    randomised=False,
    run=run,
    spark=SparkSupport("logs.release_hashed"),
    outlook=estimate_release,
    explain=explain,
)
