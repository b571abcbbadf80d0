"""Runs a method in this process."""

from __future__ import annotations

from auditor.engine.plan import Plan
from auditor.errors import ParameterError
from auditor.log.model import QueryLog
from auditor.measures.base import RerunFunction
from auditor.methods.registry import METHODS
from auditor.params import Params
from auditor.privacy.noise import PreviewRandomness, Randomness, SecureRandomness
from auditor.privacy.release import Anonymized, Preview, Release
from auditor.progress import Progress


def anonymize(log: QueryLog, plan: Plan, rng: Randomness, progress: Progress) -> Anonymized:
    """Run the plan's method; a `Release` if `rng` is secure, else a `Preview`."""
    return apply(log, plan.method, plan.params, rng, progress)


def repeating(method: str, params: Params, seed: int) -> RerunFunction:
    """The method as a measure may run it on parts of a log: with noise from `seed` and on."""

    def again(log: QueryLog, number: int, progress: Progress) -> Anonymized:
        return apply(log, method, params, PreviewRandomness(seed + number), progress)

    return again


def repeating_securely(method: str, params: Params) -> RerunFunction:
    """The method on logs that an auditor makes up, with the very sampler of a release."""

    def again(log: QueryLog, number: int, progress: Progress) -> Anonymized:
        del number
        return apply(log, method, params, SecureRandomness(), progress)

    return again


def repeating_release(
    release: Anonymized, seed: int, *, securely: bool = False
) -> RerunFunction | None:
    """The same for a release that was read: None if its method or parameters aren't known."""
    if release.method not in METHODS:
        return None
    try:
        params = METHODS[release.method].params(**release.params)
    except (ParameterError, TypeError):
        return None
    if securely:
        return repeating_securely(release.method, params)
    return repeating(release.method, params, seed)


def apply(
    log: QueryLog, method: str, params: Params, rng: Randomness, progress: Progress
) -> Anonymized:
    """Run a method with its parameters."""
    product = METHODS[method].run(log, params, rng=rng, progress=progress)
    kind = Release if rng.secure else Preview
    return kind(
        method=method,
        params=params.to_dict(),
        content=product.content,
        statement=product.statement,
        changes=product.changes,
    )
