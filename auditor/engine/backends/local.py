"""Runs a method in this process."""

from __future__ import annotations

from auditor.engine.plan import Plan
from auditor.log.model import QueryLog
from auditor.privacy.noise import Randomness
from auditor.privacy.release import Anonymized, Preview, Release
from auditor.progress import Progress


def anonymize(log: QueryLog, plan: Plan, rng: Randomness, progress: Progress) -> Anonymized:
    """Run the plan's method; a `Release` if `rng` is secure, else a `Preview`."""
    product = plan.what.run(log, plan.params, rng=rng, progress=progress)
    kind = Release if rng.secure else Preview
    return kind(
        method=plan.method,
        params=plan.params.to_dict(),
        content=product.content,
        statement=product.statement,
        changes=product.changes,
    )
