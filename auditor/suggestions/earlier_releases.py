"""What earlier releases of a log leave of a policy's ε and δ, from the ledger of approvals.

Releases of one log add up, so what stands in the ledger is taken off what a policy allows for all
of them together. Of methods whose users are exchanged (ZEALOUS) a sum with others counts those
others twice, as `release.ledger.totals` explains.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

from auditor.errors import AuditorError, Cancelled
from auditor.log.model import QueryLog
from auditor.log.sentences import sentence
from auditor.messages import DisplayText
from auditor.methods.statements import EXCHANGED, NEIGHBOURS, UNIT
from auditor.progress import Progress
from auditor.release import internal_folder, signing
from auditor.release.ledger import history as ledger_history
from auditor.release.ledger import log_sketch, store
from auditor.release.ledger.history import LedgerHistory
from auditor.release.ledger.totals import LedgerTotal
from auditor.release.record import ReleaseRecord


@dataclass(frozen=True)
class EarlierReleases:
    """The releases of a log so far, or a text that says why they aren't known."""

    history: LedgerHistory | str

    def add_release(self, record: ReleaseRecord) -> LedgerTotal | str:
        """What all releases add up to with one more."""
        return self.history if isinstance(self.history, str) else self.history.add_release(record)

    def compute_remaining(
        self, epsilon: float, delta: float, *, exchanged: bool
    ) -> tuple[float, float]:
        """What is left of an ε and a δ for all releases together; nothing where they don't add up.

        `exchanged` says that the next release protects a user against being exchanged.
        """
        if isinstance(self.history, str):
            return 0.0, 0.0
        before = self.history.before
        if not before.sums:
            return epsilon, delta
        if len(before.sums) > 1 or before.sums[0].unit != UNIT:
            return (
                (0.0, 0.0)
                if before.whole is None
                else self._left_of_exchanged(epsilon, delta, exchanged=exchanged)
            )
        if before.sums[0].neighbours == EXCHANGED:
            return self._left_of_exchanged(epsilon, delta, exchanged=exchanged)
        assert before.sums[0].neighbours == NEIGHBOURS
        if not exchanged:
            return max(epsilon - before.sums[0].epsilon, 0.0), max(
                delta - before.sums[0].delta, 0.0
            )
        spent = [one for one in before.releases if not one.why]
        twice = math.fsum(2 * one.epsilon for one in spent)
        each = math.fsum((1 + math.exp(min(one.epsilon, 700))) * one.delta for one in spent)
        return max(epsilon - twice, 0.0), max(delta - each, 0.0)

    def _left_of_exchanged(
        self, epsilon: float, delta: float, *, exchanged: bool
    ) -> tuple[float, float]:
        assert not isinstance(self.history, str)
        whole = self.history.before.whole
        assert whole is not None
        rest, rest_delta = max(epsilon - whole.epsilon, 0.0), max(delta - whole.delta, 0.0)
        if exchanged:
            return rest, rest_delta
        return rest / 2, rest_delta / (1 + math.exp(min(rest / 2, 700)))

    @property
    def key(self) -> tuple[float, float, int]:
        """What makes a search another one: ε and δ that were spent, and by how many releases."""
        if isinstance(self.history, str):
            return math.inf, 1.0, 0
        whole = self.history.before.whole
        count = len(self.history.releases)
        return (0.0, 0.0, count) if whole is None else (whole.epsilon, whole.delta, count)

    def list_sentences(self, most: float | None) -> tuple[DisplayText, ...]:
        """What was released before, and what is left of `most`, the ε of all releases together."""
        if isinstance(self.history, str):
            return (sentence("suggestions.earlier_unknown", why=self.history),)
        found = ledger_history.format_history(self.history)
        if most is not None and self.history.before.sums:
            rest, _ = self.compute_remaining(most, 1.0, exchanged=False)
            found.append(sentence("suggestions.epsilon_left", most=most, rest=rest))
        return tuple(found)


def read_earlier(log: QueryLog, path: Path, progress: Progress) -> EarlierReleases | None:
    """The releases of this log, and of logs that share events with it; None if there are none.

    Raises
    ------
    Cancelled
        Somebody asked to stop.
    """
    try:
        state = store.read_ledger(path)
        state.raise_problems()
        if not state.approved:
            return None
        secret = signing.audit_secret(signing.audit_key())
        own = log_sketch.sketch_log(log, secret, progress)
        keyed = internal_folder.keyed_digest(log.digest, secret)
        found = ledger_history.ledger_history(state, log.digest, own=own, keyed=keyed)
    except Cancelled:
        raise
    except AuditorError as error:
        return EarlierReleases(str(error))
    return EarlierReleases(found) if found.releases or found.perhaps else None
