"""Runs a method in this process."""

from __future__ import annotations

import dataclasses

from auditor.engine.plan import Plan
from auditor.engine.suppressed_content import suppress_content
from auditor.errors import ParameterError
from auditor.log.equal_histories import doubt_users
from auditor.log.model import QueryLog, UserSample
from auditor.log.out_of_core.spilled_log import SpilledLog
from auditor.measures.base import RerunFunction
from auditor.methods.registry import METHODS
from auditor.methods.sampling import sampled_statement
from auditor.methods.selected_statement import selected_statement
from auditor.methods.suppression import NOTHING, suppression_level
from auditor.methods.synthetic_sessions import shape_reruns
from auditor.params import Params
from auditor.privacy.noise import PreviewRandomness, Randomness, SecureRandomness
from auditor.privacy.release import Anonymized, Preview, Release
from auditor.privacy.subsampling import draw_coins
from auditor.progress import Progress


def anonymize_log(log: QueryLog, plan: Plan, rng: Randomness, progress: Progress) -> Anonymized:
    """Run the plan's method; a `Release` if `rng` is secure, else a `Preview`."""
    made = apply_method(log, plan.method, plan.params, rng, progress)
    statement = selected_statement(made.statement, plan.selection, plan.method, plan.params)
    if rng.secure and not isinstance(log, SpilledLog):  # accounts are compared in memory
        statement = statement.attach_user_column(doubt_users(log, progress))
