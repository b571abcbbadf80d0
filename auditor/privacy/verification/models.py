"""Definitions of anonymity that any log can be held against, with their parameters.

Each check knows a log, not the method that made it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from auditor.errors import ParameterError
from auditor.log.model import QueryLog
from auditor.log.sentences import sentence
from auditor.params import Params
from auditor.privacy.verification import k_delta, user_k
from auditor.progress import Progress


@dataclass(frozen=True, kw_only=True)
class UserKParams(Params, owner="user-k"):
    """How many users must have the same record."""

    k: int = 2


@dataclass(frozen=True, kw_only=True)
class KDeltaModelParams(Params, owner="k-delta", words="k-delta-model"):
    """How many users must be how alike."""

    k: int = 2
    delta: float = 0.5
    epsilon: float = 0.0
    m: int | None = None

    def check(self) -> None:
        """Refuse m above k."""
        if self.m is not None and self.m > self.k:
            raise ParameterError(
                "m", sentence("verification.m_above_k", owner=self.owner, k=self.k)
            )


@dataclass(frozen=True, eq=False)
class VerifiedModel:
    """Whether a definition holds, for which users it doesn't, and what was measured besides."""

    failing: tuple[str, ...]
    users: int
    facts: Mapping[str, Any]

    @property
    def holds(self) -> bool:
        return not self.failing


@dataclass(frozen=True, eq=False)
class AnonymityModel:
    """One definition: its name, its parameters, whether clusters of queries matter, the check.

    ``check(log, params, clicked, progress)``; `clicked` is another log whose clicks tell how
    alike queries are, or None for the log's own.
    """

    name: str
    params: type[Params]
    clustered: bool
    check: Callable[[QueryLog, Any, QueryLog | None, Progress], VerifiedModel]


def _user_k(
    log: QueryLog,
    params: UserKParams,
    clicked: QueryLog | None,  # noqa: ARG001 (no cluster matters here)
    progress: Progress,
) -> VerifiedModel:
    verdict = user_k.verify_user_k(log, params.k, progress=progress)
    facts = {"smallest": verdict.smallest, "groups": verdict.groups}
    return VerifiedModel(verdict.names, len(log.users), facts)


def _k_delta(
    log: QueryLog, params: KDeltaModelParams, clicked: QueryLog | None, progress: Progress
) -> VerifiedModel:
    verdict = k_delta.verify_k_delta(
        log, params.k, params.delta, params.epsilon, params.m, clicked=clicked, progress=progress
    )
    facts = {
        "distance": verdict.worst,
        "smallest": verdict.smallest,
        "clusters": verdict.clusters,
        "wide_clusters": len(verdict.wide),
    }
    return VerifiedModel(verdict.names, len(log.users), facts)


MODELS: Mapping[str, AnonymityModel] = {
    "k-delta": AnonymityModel("k-delta", KDeltaModelParams, True, _k_delta),
    "user-k": AnonymityModel("user-k", UserKParams, False, _user_k),
}
