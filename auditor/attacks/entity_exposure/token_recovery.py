"""From an inversion to a reading: what each word of the attacked log was taken for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from auditor.arrays import Int32s, Int64s
from auditor.attacks.base import Evidence
from auditor.attacks.entity_exposure.partial_views import PartialReading
from auditor.attacks.hash_inversion.alignment import align_rows, labels_of
from auditor.attacks.hash_inversion.attack import recover_mapping
from auditor.attacks.hash_inversion.ground_truth import InversionProblem
from auditor.attacks.hash_inversion.params import HashInversionParams
from auditor.log.model import QueryLog
from auditor.log.text import TokenizedQueries, tokenize_strings
from auditor.privacy.release_times import times_of
from auditor.progress import Progress


@dataclass(frozen=True, eq=False)
class RecoveredTokens:
    """A reading, and how its log lies in the raw one.

    Attributes
    ----------
    rows
        int64 raw rows of the reading's log, or None where its rows are not the raw log's.
    known
        Whether the true words are known, so that `PartialReading.right` means something.
    told
        What was compared with what.
    """

    reading: PartialReading
    rows: Int64s | None
    known: bool
    told: str


def by_inversion(
    evidence: Evidence, n: int, rng: np.random.Generator, progress: Progress
) -> RecoveredTokens:
    """Run the hash inversion with its defaults at vocabulary size n and read the log with it.

    Where the log was split, only the part that was not the attacker's reference is read.

    Raises
    ------
    MissingInput
        There is nothing to invert, or the release can't be split and no reference is given.
    Cancelled
        Somebody asked to stop.
    """
    recovered = recover_mapping(evidence, HashInversionParams(n=n), rng=rng, progress=progress)
    game, mapping = recovered.game, recovered.outcome.mapping
    raw, release = evidence.log, evidence.release.log if evidence.release is not None else None
    words = game.tokens.vocabulary.take(game.tokens.terms[: recovered.outcome.pair.shape[1]])
    if release is not None and not game.known:
        reading = _of_hashes(release, game, mapping, progress)
        return RecoveredTokens(PartialReading(release, *reading, words), None, False, game.told)
    rows = np.arange(len(raw), dtype=np.int64)
    if game.split is not None:
        rows = np.flatnonzero(~game.split)
    log = raw if game.split is None else raw.rows(rows)
    if release is None:
        return RecoveredTokens(
            PartialReading(log, *_of_hashes(log, game, mapping, progress), words),
            rows, game.known, game.told,
        )  # fmt: skip
    found = tokenize_strings(log.queries, progress)
    assert evidence.release is not None
    pairs = align_rows(raw, release, progress, times=times_of(evidence.release.params))
    guess = np.full(len(found.vocabulary), -1, dtype=np.int32)
    if pairs is not None and game.hash_label is not None:
        labels = labels_of(raw, release, pairs, progress)[1]
        whole = tokenize_strings(raw.queries, progress).vocabulary
        label = labels[found.vocabulary.match(whole)]
        by_label = np.full(int(max(label.max(initial=0), game.hash_label.max())) + 1, -1, np.int32)
        known = game.hash_label[: len(mapping)] >= 0
        by_label[game.hash_label[: len(mapping)][known]] = mapping[known]
        guess = np.where(label >= 0, by_label[np.maximum(label, 0)], -1).astype(np.int32)
    return RecoveredTokens(PartialReading(log, found, guess, words), rows, True, game.told)


def _of_hashes(
    log: QueryLog, game: InversionProblem, mapping: Int32s, progress: Progress
) -> tuple[TokenizedQueries, Int32s]:
    """The tokens of the attacked log and the rank of the word that each is taken for."""
    found = tokenize_strings(log.queries, progress)
    hashes = game.hashes.vocabulary.take(game.hashes.terms[: len(mapping)])
    code = hashes.match(found.vocabulary)
    guess = np.full(len(found.vocabulary), -1, dtype=np.int32)
    guess[code[code >= 0]] = mapping[code >= 0]
    return found, guess
