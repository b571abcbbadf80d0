"""Logs and bundles for the tests of fibers that are learned."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

from auditor.arrays import Int32s
from auditor.attacks.bundle_view import BundledLog, BundleParams, arrange_events, partition_log
from auditor.attacks.unbundling.candidate_pairs import SeenBundles, rewrites_of
from auditor.attacks.unbundling.fibers import join_fibers, word_keys, words_of
from auditor.attacks.unbundling.query_texts import texts_of
from auditor.attacks.unbundling.scores import score_labels, truth_of
from auditor.log.bundles import BundlePartition
from auditor.log.model import QueryLog
from auditor.log.synthetic.generator import synthesize_log
from auditor.progress import silent_progress

QUIET = silent_progress()


@dataclass(frozen=True, kw_only=True)
class Params(BundleParams, owner="fiber-tests"):
    """Bundles as these tests want them."""


@dataclass(frozen=True, eq=False)
class Case:
    log: QueryLog
    seen: SeenBundles

    @property
    def bundled(self) -> BundledLog:
        return self.seen.bundled


def bundled_by(log: QueryLog, **values: object) -> BundledLog:
    params = Params(**values)  # type: ignore[arg-type]
    by, parts = partition_log(log, params, QUIET)
    return arrange_events(log, parts, params.min_queries, by, None, QUIET)


@functools.cache
def synthetic(users: int = 500, group: int = 10, seed: int = 3) -> tuple[Case, Case]:
    """A log in bundles of users put together by chance, and its reference likewise."""
    world = synthesize_log(users, seed=seed)
    reference = bundled_by(world.reference, by="random-users", group=group)
    log = bundled_by(world.log, by="random-users", group=group)
    learned = np.zeros(len(world.reference.users), dtype=np.bool_)
    learned[: len(learned) // 2] = True
    half = rewrites_of(world.reference, QUIET, without=learned)
    rewrites = rewrites_of(world.reference, QUIET).translate_codes(world.log.queries)
    known_texts = texts_of(world.reference.queries, reference, QUIET, clicks=world.reference)
    texts = texts_of(world.log.queries, log, QUIET, clicks=world.log)
    return (
        Case(world.log, SeenBundles(log, texts, rewrites)),
        Case(world.reference, SeenBundles(reference, known_texts, half)),
    )


def small(*events: tuple[str, str, int], bundles: tuple[int, ...] | None = None) -> Case:
    """(user, query, second) by user and time; one bundle, or one for each user."""
    log = QueryLog.from_columns(
        user=[user for user, _, _ in events],
        query=[query for _, query, _ in events],
        time=[second for _, _, second in events],
    )
    of = np.zeros(len(log.users), np.int32) if bundles is None else np.array(bundles, np.int32)
    parts = BundlePartition(of[log.user], int(of.max()) + 1)
    bundled = arrange_events(log, parts, 1, "random-users", None, QUIET)
    texts = texts_of(log.queries, bundled, QUIET, clicks=log)
    return Case(log, SeenBundles(bundled, texts, rewrites_of(log, QUIET)))


def by_words(case: Case) -> Int32s:
    """Fibers of queries that share a word."""
    words = words_of(case.log.queries, QUIET)
    return join_fibers(case.bundled, [word_keys(words)], QUIET)


def f_of(bundled: BundledLog, labels: Int32s, apart: np.ndarray | None = None) -> float:
    """Mean F over bundles with a heavy user."""
    return float(score_labels(bundled, truth_of(bundled, apart=apart), labels, QUIET).f.mean())
