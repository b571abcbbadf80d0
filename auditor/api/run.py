"""The engine from Python: one call from a log to a release."""

from __future__ import annotations

from typing import Any

from auditor.engine.backends import local
from auditor.engine.plan import Intent, resolve
from auditor.log.model import QueryLog
from auditor.privacy.noise import PreviewRandomness, SecureRandomness
from auditor.privacy.release import Preview, Release
from auditor.progress import Progress, silent


def anonymize(
    log: QueryLog, method: str, *, progress: Progress | None = None, **params: Any
) -> Release:
    """Anonymize `log` by the method of that name; its randomness is secure and never stored.

    Raises
    ------
    ParameterError
        There is no such method or parameter, or a value is out of bounds.
    MissingInput
        The log is empty, or lacks what the method needs.
    """
    made = _run(log, method, params, SecureRandomness(), progress)
    assert isinstance(made, Release)
    return made


def preview(
    log: QueryLog, method: str, *, seed: int, progress: Progress | None = None, **params: Any
) -> Preview:
    """The same with noise drawn from a seed: repeatable, for looking at, not for release."""
    made = _run(log, method, params, PreviewRandomness(seed), progress)
    assert isinstance(made, Preview)
    return made


def _run(
    log: QueryLog,
    method: str,
    params: dict[str, Any],
    rng: SecureRandomness | PreviewRandomness,
    progress: Progress | None,
) -> Release | Preview:
    intent = Intent(method=method, attacks=(), measures=()).choose(method).set(**params)
    made = local.anonymize(log, resolve(intent, log), rng, progress or silent())
    assert isinstance(made, Release | Preview)
    return made
