"""Runs a method in this process."""

import dataclasses
from typing import TypeVar

from auditor.attacks.base import Evidence
from auditor.engine.plan import Plan
from auditor.engine.suppressed_content import suppress_content
from auditor.log.model import QueryLog, UserSample
from auditor.methods.registry import METHODS, find_params
from auditor.methods.sampling import sampled_statement
from auditor.methods.selected_statement import selected_statement
from auditor.methods.suppression import NOTHING
from auditor.methods.synthetic_sessions import shape_reruns
from auditor.params import Params
from auditor.privacy.noise import PreviewRandomness, Randomness, SecureRandomness
from auditor.privacy.release import Anonymized, MethodRerun, Preview, Release
from auditor.privacy.subsampling import draw_coins
from auditor.progress import Progress


def anonymize_log(log: QueryLog, plan: Plan, rng: Randomness, progress: Progress) -> Anonymized:
    """Run the plan's method; a `Release` if `rng` is secure, else a `Preview`."""
    release = apply_method(log, plan.method, plan.params, rng, progress)
    statement = selected_statement(release.statement, plan.selection, plan.method, plan.params)
    release = dataclasses.replace(release, statement=statement)
    return attach_users(release, log, progress) if rng.secure else release


AnyRelease = TypeVar("AnyRelease", bound=Anonymized)


def attach_users(release: AnyRelease, log: QueryLog, progress: Progress) -> AnyRelease:
    """The release with what the log tells of whom its user column stands for."""
    # imported where it is needed: both load Numba, which the window does without at its start
    from auditor.log.equal_histories import doubt_users
    from auditor.log.out_of_core.spilled_log import SpilledLog

    if isinstance(log, SpilledLog):  # accounts are compared in memory
        return release
    statement = release.statement.attach_user_column(doubt_users(log, progress))
    return dataclasses.replace(release, statement=statement)


def make_rerun(
    method: str,
    params: Params,
    seed: int | None,
    *,
    share: float | None = None,
    attacked: bool = False,
) -> MethodRerun:
    """The method as a measure may run it on parts of a log: with noise from `seed` and on.

    Without a seed it draws as a release does; with `share`, on a new sample of the users each time.
    For whoever attacks the method (`attacked`) nothing is suppressed, and days and pages are not
    limited: who sees more can show, or refute, more.
    """
    if attacked:
        neutral_values = {"suppress": NOTHING, "first_day": None, "last_day": None, "corpus": None}
        params = params.replace(
            **{n: neutral_values[n] for n in neutral_values.keys() & params.to_dict().keys()}
        )

    def rerun_method(log: QueryLog, number: int, progress: Progress) -> Anonymized:
        rng = SecureRandomness() if seed is None else PreviewRandomness(seed + number)
        return apply_method(sample_log(log, share, rng), method, params, rng, progress)

    return rerun_method


def repeating_release(
    release: Anonymized, seed: int, *, securely: bool = False, attacked: bool = False
) -> MethodRerun | None:
    """The same for a release that was read: None if its method or parameters aren't known."""
    params = find_params(release.method, release.params)
    if params is None:
        return None
    share = release.statement.sample_share
    rerun = make_rerun(
        release.method,
        params,
        None if securely else seed,
        share=share,
        attacked=attacked or securely,
    )
    if release.synthetic_seed is None:
        return rerun
    return shape_reruns(rerun, release.synthetic_seed)


def give_reruns(evidence: Evidence, release: Anonymized, seed: int) -> Evidence:
    """The evidence with a release, and with its method as far as the release says how it was made.

    What attackers run again draws from `seed` on, and as a release does where that is asked for.
    """
    return dataclasses.replace(
        evidence,
        release=release,
        rerun=repeating_release(release, seed, attacked=True),
        secure_rerun=repeating_release(release, 0, securely=True),
    )


def sample_log(
    log: QueryLog, share: float | None, rng: Randomness, *, loaded: bool = True
) -> QueryLog:
    """The log of the users whom a coin each chose; all of them if `share` is None. O(rows).

    With `loaded` in memory, else where the log is. The sample may be empty: that it never is would
    tell something, too.
    """
    if share is None:
        return log
    coins = draw_coins(len(log.users), share, rng)
    rows = coins[log.user]
    part = QueryLog.rows(log, rows) if loaded else log.rows(rows)
    sample = UserSample(users=len(part.users), of=len(log.users), share=share)
    origin = dataclasses.replace(part.origin, sample=sample)
    return dataclasses.replace(part, origin=origin)


def apply_method(
    log: QueryLog, method: str, params: Params, rng: Randomness, progress: Progress
) -> Anonymized:
    """Run a method with its parameters; of a sample of users, the statement says so."""
    product = METHODS[method].run(log, params, rng=rng, progress=progress)
    product = suppress_content(product, params, progress)
    statement, sample = product.statement, log.origin.sample
    if sample is not None:
        statement = sampled_statement(statement, sample, secure=rng.secure)
    kind = Release if rng.secure else Preview
    return kind(
        method=method,
        params=params.to_dict(),
        content=product.content,
        statement=statement.attach_user_column(log.origin.user_column),
        changes=product.changes,
        truth=product.truth,
    )
