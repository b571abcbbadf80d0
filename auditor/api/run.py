"""The engine from Python: from a log to releases, attacks, measures and audits."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from auditor.attacks.adversaries import USUAL, find_adversary
from auditor.attacks.base import AttackResult, Evidence
from auditor.attacks.registry import ATTACKS
from auditor.engine import explanation
from auditor.engine import sweep as engine_sweep
from auditor.engine.backends import local
from auditor.engine.events import RunEvent, StageProgress
from auditor.engine.explanation import ExplanationAnswer
from auditor.engine.plan import CheckSelection, Intent, Plan, resolve_intent, select_checks
from auditor.engine.reproduction import Reproduction, find_items, reproduce_items
from auditor.engine.run import Run
from auditor.engine.runner import RunHandle, execute_plan
from auditor.errors import MissingInput, ParameterError
from auditor.log.model import QueryLog
from auditor.measures.base import MeasureResult
from auditor.measures.registry import MEASURES
from auditor.methods.registry import METHODS
from auditor.params import Params
from auditor.privacy.noise import PreviewRandomness, SecureRandomness
from auditor.privacy.release import Anonymized, Preview, Release
from auditor.privacy.selection import ParameterSelection
from auditor.privacy.truth_table import TruthTable
from auditor.progress import Progress, silent_progress
from auditor.release import approval, export, gates, signing, synthetic_log
from auditor.release import feedback as feedback_file
from auditor.release.feedback import StewardFeedback
from auditor.release.ledger.other_releases import decide_for_run
from auditor.release.ledger.private_choices import PrivateChoices
from auditor.release.ledger.store import ledger_path
from auditor.release.policy.policy import Policy, load_policy
from auditor.release.record import ReleaseRecord
from auditor.release.verdict import ReleaseVerdict, measured_verdict
from auditor.release.verify import verify_release

if TYPE_CHECKING:
    import pandas as pd


def anonymize(
    log: QueryLog, method: str | Params, *, progress: Progress | None = None, **params: Any
) -> Release:
    """Anonymize a log; the randomness is secure and never stored.

    Parameters
    ----------
    log
        The log.
    method
        Its name (see `list_methods`), or its parameters: ``auditor.SafeLog(q_f=40)``.
    progress
        Hears of the work and may cancel it; see `show_progress`.
    **params
        Its parameters by name; they go before those of an object.

    Returns
    -------
    Release
        Its `to_pandas` is the released data, its `statement` what is guaranteed. See `save`.

    Raises
    ------
    ParameterError
        There is no such method or parameter, or a value is out of bounds.
    MissingInput
        The log is empty, or lacks what the method needs.
    """
    release = _run_method(log, method, params, SecureRandomness(), progress)
    assert isinstance(release, Release)
    return release


def preview(
    log: QueryLog,
    method: str | Params,
    *,
    seed: int,
    progress: Progress | None = None,
    **params: Any,
) -> Preview:
    """`anonymize` with noise drawn from a seed: repeatable, for looking at, not for release.

    Parameters
    ----------
    log, method, progress, **params
        As those of `anonymize`, which raises the same errors.
    seed
        The same seed gives the same preview.

    Returns
    -------
    Preview
        As a release, but `save` refuses it.
    """
    release = _run_method(log, method, params, PreviewRandomness(seed), progress)
    assert isinstance(release, Preview)
    return release


def plan(
    log: QueryLog,
    method: str | Params,
    *,
    reference: QueryLog | None = None,
    profiles: Path | str | None = None,
    others: Sequence[Anonymized] = (),
    attacks: Sequence[str] | None = None,
    measures: Sequence[str] | None = None,
    skip: Sequence[str] = (),
    adversary: str = USUAL,
    checks: Mapping[str, Mapping[str, Any]] | None = None,
    selection: ParameterSelection | None = None,
    rule_weights: Mapping[str, float] | None = None,
    **params: Any,
) -> Plan:
    """What `audit` does with the same arguments.

    Parameters
    ----------
    log, method, reference, profiles, others, attacks, measures, skip, adversary, checks
        As those of `audit`.
    selection, rule_weights, **params
        As those of `audit`.

    Returns
    -------
    Plan
        Its `digest` is the same for the same run, and `as_python` writes it as code.
    """
    evidence = _make_evidence(log, reference, profiles, others)
    name, params = _split_params(method, params)
    intent = Intent(
        method=name,
        attacks=None if attacks is None or attacks else (),
        measures=None if measures is None or measures else (),
        selection=selection,
    ).set(**params)
    intent = intent.assume_adversary(adversary).weigh_rules(rule_weights or {})
    for check, values in (checks or {}).items():
        intent = intent.tune_check(check, **values)
    check_selection = CheckSelection(
        attacks=tuple(attacks or ()), measures=tuple(measures or ()), skipped=tuple(skip)
    )
    full_plan = resolve_intent(intent, log, evidence.digest_knowledge())
    return select_checks(full_plan, intent, check_selection, log)


def attack(
    name: str | Params,
    log: QueryLog,
    release: Anonymized | None = None,
    *,
    reference: QueryLog | None = None,
    profiles: Path | str | None = None,
    others: Sequence[Anonymized] = (),
    adversary: str = USUAL,
    seed: int = 0,
    progress: Progress | None = None,
    **params: Any,
) -> AttackResult:
    """One attack on a log, or on a release of it; repeatable by its seed.

    Parameters
    ----------
    name
        Its name (see `list_attacks`), or its parameters: ``auditor.RecordLinkage(share=0.5)``.
    log
        The log.
    release
        The release that is attacked; None for the log as it is.
    reference, profiles, others, adversary
        As those of `audit`.
    seed
        The same seed gives the same result.
    progress
        As that of `anonymize`.
    **params
        Its parameters by name; they go before an object's, and both before the adversary's.

    Returns
    -------
    AttackResult
        Hits, trials, rate with interval, baseline and control, as tables and plots too.

    Raises
    ------
    ParameterError
        There is no such attack or parameter, or it lacks something.
    """
    import numpy as np

    name, params = _split_params(name, params)
    entry = ATTACKS[name]
    evidence = _make_evidence(log, reference, profiles, others)
    if release is not None:
        evidence = local.give_reruns(evidence, release, 0)
    if reason := entry.why_not(evidence):
        raise ParameterError(name, f"{name} {reason}.")
    attack_params = find_adversary(adversary).make_params(entry.name).replace(**params)
    return entry.run(
        evidence,
        attack_params,
        rng=np.random.default_rng(seed),
        progress=progress or silent_progress(),
    )


def measure(
    name: str | Params,
    log: QueryLog,
    release: Anonymized,
    *,
    seed: int = 0,
    progress: Progress | None = None,
    **params: Any,
) -> MeasureResult:
    """One measure of a release against its log; repeatable by its seed.

    Parameters
    ----------
    name
        Its name (see `list_measures`), or its parameters: ``auditor.Retrieval(folds=5)``.
    log, release
        The log, and a release of it.
    seed, progress, **params
        As those of `attack`.

    Returns
    -------
    MeasureResult
        Its values, as a table and plots too.

    Raises
    ------
    ParameterError
        There is no such measure or parameter, or it doesn't apply.
    """
    import numpy as np

    name, params = _split_params(name, params)
    entry = MEASURES[name]
    if reason := entry.why_not(release):
        raise ParameterError(name, f"{name} {reason}.")
    return entry.take(
        log,
        release,
        entry.params().replace(**params),
        again=local.repeating_release(release, 0),
        rng=np.random.default_rng(seed),
        progress=progress or silent_progress(),
    )


@dataclass(eq=False, kw_only=True)
class AuditedRun(Run):
    """A run and the answer to whether its release may go out, by a policy."""

    verdict: ReleaseVerdict
    policy: Policy
    feedback: StewardFeedback | None = None

    def card_lines(self) -> tuple[str, ...]:
        """The verdict, the answer first."""
        return self.verdict.sentences

    def card_details(self) -> Mapping[str, Sequence[str]]:
        """The checks that are not passed, and the statement."""
        return {"Checks": self.verdict.details, "Statement": super().card_lines()}


def audit(
    log: QueryLog,
    method: str | Params,
    *,
    policy: Policy | Path | str | None = None,
    reference: QueryLog | None = None,
    profiles: Path | str | None = None,
    others: Sequence[Anonymized] = (),
    attacks: Sequence[str] | None = None,
    measures: Sequence[str] | None = None,
    skip: Sequence[str] = (),
    adversary: str = USUAL,
    checks: Mapping[str, Mapping[str, Any]] | None = None,
    selection: ParameterSelection | None = None,
    rule_weights: Mapping[str, float] | None = None,
    feedback: StewardFeedback | None = None,
    progress: Progress | None = None,
    **params: Any,
) -> AuditedRun:
    """A release with every measure and attack that applies, and its verdict; nothing is written.

    Parameters
    ----------
    log, method, progress, **params
        As those of `anonymize`.
    policy
        A policy, its file, or None for the bundled one. Checks by the ledger wait for `approve`.
    reference, profiles, others
        A log that an attacker may hold, a table of people's names and homes, and other releases.
    attacks, measures
        Names of what is added to what a run of this log has by itself; an empty list leaves all of
        that kind out, None none.
    skip
        Names of what is left out.
    adversary
        Who attacks: usual, colleague, family, advertiser, provider or company.
    checks
        Name of an attack or measure → parameters of it, which go before those of the adversary.
    selection
        How `suggest` chose the parameters by looking at this log: what that cost is then part of
        the statement. Without it, what the ledger has of private choices on this log.
    rule_weights
        Has rules of the detector count less (0 for not at all) when sessions are judged; see
        `auditor.detect` for their names. Checks count all rules fully where `feedback` hasn't the
        same weights under a signature.
    feedback
        What a steward said of this log's marks (`read_feedback`); its signed weights are taken
        where `rule_weights` gives none.

    Returns
    -------
    AuditedRun
        Its `verdict` answers whether it may be released, and `save` writes it as a folder.

    Raises
    ------
    ParameterError
        There is no such method, parameter, attack or measure, or a value is out of bounds.
    MissingInput
        The log is empty, or lacks what the method or a named check needs.
    """
    rules = load_policy(policy)
    progress = progress or silent_progress()
    if rule_weights is None and feedback is not None:
        rule_weights = feedback.counting_weights
    choices = PrivateChoices(ledger_path())
    selection = choices.update_selection(selection, log, progress)
    planned = plan(
        log,
        method,
        reference=reference,
        profiles=profiles,
        others=others,
        attacks=attacks,
        measures=measures,
        skip=skip,
        adversary=adversary,
        checks=checks,
        selection=selection,
        rule_weights=rule_weights,
        **params,
    )

    def listen(event: RunEvent) -> None:
        if isinstance(event, StageProgress):
            progress.report(event.stage, event.done, event.total)
        progress.check()

    evidence = _make_evidence(log, reference, profiles, others)
    result = execute_plan(planned, evidence, SecureRandomness(), RunHandle(0), listen)
    decide_for_run(result)
    fields = {field.name: getattr(result, field.name) for field in dataclasses.fields(result)}
    record = _judge_run(result, log, rules, feedback)
    return AuditedRun(**fields, verdict=measured_verdict(record), policy=rules, feedback=feedback)


def _judge_run(
    result: Run, log: QueryLog, rules: Policy, feedback: StewardFeedback | None
) -> ReleaseRecord:
    secret = signing.audit_secret(signing.audit_key()) if feedback is not None else b""
    return gates.judge_record(ReleaseRecord.of_run(result, log, feedback, secret), rules)


def save(
    result: Run | Release,
    log: QueryLog,
    folder: Path | str,
    *,
    policy: Policy | Path | str | None = None,
    feedback: StewardFeedback | None = None,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> Path:
    """Write a run, or a release, as a release folder with its verdict, for `approve` to sign.

    Parameters
    ----------
    result
        What `audit` or `anonymize` gave. That no attack was made on a release is then judged, too.
    log
        The log it was made from.
    folder
        Where it is written; it must not be there, or be empty.
    policy, feedback
        As those of `audit`, which gave them already where they are None.
    overwrite
        Whether an older release there is replaced.
    progress
        As that of `anonymize`.

    Returns
    -------
    pathlib.Path
        The folder.

    Raises
    ------
    ExportRefused
        It is a preview, the folder isn't empty, or the feedback is about another log.
    """
    if isinstance(result, Anonymized):
        # A run that made this release, and tried nothing on it.
        intent = Intent(method=result.method, attacks=(), measures=()).set(**result.params)
        result = Run(resolve_intent(intent, log), result)
    if isinstance(result, AuditedRun):
        policy = result.policy if policy is None else policy
        feedback = result.feedback if feedback is None else feedback
    record = _judge_run(result, log, load_policy(policy), feedback)
    return export.write_release(
        result,
        log,
        Path(folder),
        progress=progress or silent_progress(),
        overwrite=overwrite,
        record=record,
    )


def sweep(
    log: QueryLog,
    method: str | Params,
    grid: Mapping[str, Sequence[Any]],
    *,
    attacks: Sequence[str] = (),
    measures: Sequence[str] | None = None,
    seed: int = 0,
    progress: Progress | None = None,
    **params: Any,
) -> pd.DataFrame:
    """A grid of parameters, one row each with all that came of it; seeded, for comparing.

    Parameters
    ----------
    log, method, seed, progress, **params
        As those of `preview`.
    grid
        Parameter → its values; every combination is made.
    attacks, measures
        Names of what is tried on each; None for every measure that applies.

    Returns
    -------
    pandas.DataFrame
        A row for each combination: its parameters, what is stated, and every value.

    Raises
    ------
    ParameterError
        A name or a value is wrong, or the grid has more than 10,000 rows; nothing was made then.
    """
    import pandas as pd

    name, params = _split_params(method, params)
    kind = METHODS[name].params
    axes = tuple(
        engine_sweep.SweepAxis((kind.spec(axis).name,), engine_sweep.take_values(values))
        for axis, values in grid.items()
    )
    settings = engine_sweep.ParameterSweep(
        method=name,
        base=kind().replace(**params),
        axes=axes,
        attacks=tuple(key for key in attacks if ATTACKS[key]),
        measures=None if measures is None else tuple(key for key in measures if MEASURES[key]),
        seed=seed,
    )
    progress = progress or silent_progress()
    rows = []
    for cell in engine_sweep.run_sweep(settings, log, RunHandle(0), lambda _: progress.check()):
        rows.append(cell.row)
        progress.report("settings", len(rows), settings.cell_count)
    return pd.DataFrame(rows)


def reproduce(
    source: str,
    log: QueryLog | None = None,
    *,
    table: str | None = None,
    reference: QueryLog | None = None,
    profiles: Path | str | None = None,
    progress: Progress | None = None,
) -> list[Reproduction]:
    """The tables, figures and numbers of a source, made again.

    Parameters
    ----------
    source
        token-hashing, bundling, k-delta, safelog, microaggregation, or all.
    log
        The log that tables are made of; 1,000 synthetic users by default.
    table
        One of them alone, like "table 3", "3" or "fig 5".
    reference, profiles, progress
        As those of `attack`.

    Returns
    -------
    list of Reproduction
        For each item its `verdict`, `tables`, `figures`, or `values` beside the `printed` ones.

    Raises
    ------
    ParameterError
        There is no such source or item.
    """
    items = find_items(source, table)
    if log is None and (reference is not None or profiles is not None):
        raise ParameterError("log", "Name a log as well: the synthetic one has its own of both.")
    evidence = None if log is None else _make_evidence(log, reference, profiles, ())
    return list(reproduce_items(items, evidence, progress or silent_progress()))


def explain(
    log: QueryLog, release: Anonymized, query: str, *, progress: Progress | None = None
) -> ExplanationAnswer:
    """Why a query is in a release or isn't; counts of the original log, not to be passed on.

    Parameters
    ----------
    log, release
        The log, and a release of it.
    query
        The text of the query.
    progress
        As that of `anonymize`.

    Returns
    -------
    ExplanationAnswer
        The answer in sentences, and what would change it.
    """
    return explanation.explain_query(log, release, query, progress or silent_progress())


def read_feedback(path: Path | str) -> StewardFeedback:
    """A feedback file that the window's Risk page saved, its signature checked.

    Parameters
    ----------
    path
        The file.

    Returns
    -------
    StewardFeedback
        For `audit`. Its `summary()` has each rule's precision and what the judged sample says of
        precision and of what is missed, with 95 % intervals.
    """
    return feedback_file.read_feedback(Path(path))


def load_release(
    folder: Path | str,
    *,
    columns: Mapping[str, str | int] | None = None,
    truth: Path | str | Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> Release:
    """A release as attacks and measures see it; taken at its word, see `verify`.

    Parameters
    ----------
    folder
        The release's folder; or a file of rows, pairs or counts that somebody else released.
    columns
        Which of that file's columns are user (any id that rows stand under), query, time, url and
        count, by name or place from 0; told by their names otherwise.
    truth
        Whose the released ids are: a mapping to the log's users, or a file of two columns.
    progress
        As that of `anonymize`.

    Returns
    -------
    Release
        For `attack`, `measure` and `explain`.

    Raises
    ------
    LogFormatError, ParameterError
        It can't be read, or has no such column.
    """
    from auditor.release.outside import read_outside

    table = None
    if truth is not None:
        is_mapping = isinstance(truth, Mapping)
        table = TruthTable.of(dict(truth)) if is_mapping else TruthTable.read(Path(truth))  # type: ignore[arg-type]
    progress = progress or silent_progress()
    return read_outside(Path(folder), columns, truth=table, progress=progress)


def synthesize_release(
    release: Anonymized | Path | str,
    out: Path | str | None = None,
    *,
    seed: int = 0,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> Anonymized:
    """A synthetic log of a release's tables; what they guarantee holds for it, too.

    Nothing but the tables is read, and a preview's sessions are a preview.

    Parameters
    ----------
    release
        A release, or the folder of one; only of a folder something can be written.
    out
        The folder that is written; None for nothing.
    seed
        The same seed gives the same sessions, and anybody may know it.
    overwrite, progress
        As those of `save`.

    Returns
    -------
    Anonymized
        The sessions as a log.

    Raises
    ------
    MissingInput
        The release is a log already, or no folder although something shall be written.
    """
    progress = progress or silent_progress()
    if isinstance(release, Path | str):
        if out is None:
            return synthetic_log.shape_folder(Path(release), seed, progress)
        return synthetic_log.write_synthetic_release(
            Path(release), Path(out), progress=progress, seed=seed, overwrite=overwrite
        )
    if out is not None:
        raise MissingInput(
            "Save the release first, then name its folder: only that can be written."
        )
    return synthetic_log.shape_release(release, seed, progress)


def verify(
    folder: Path | str, public_key: Path | str | None = None, *, progress: Progress | None = None
) -> list[str]:
    """Everything in which a release folder isn't what its manifest says.

    Parameters
    ----------
    folder
        The release's folder.
    public_key
        A key that you have from the signer: then also whether its owner signed the release.
    progress
        As that of `anonymize`.

    Returns
    -------
    list of str
        A sentence for each difference; empty if there is none.
    """
    trusted = None if public_key is None else signing.public_key(Path(public_key))
    return list(verify_release(Path(folder), progress or silent_progress(), trusted).problems)


def new_key(file: Path | str) -> Path:
    """Make a key pair for `approve`: the private one in `file`, the public one beside it.

    Where the environment has ``AUDITOR_KEY_PASSPHRASE``, that protects the private key.

    Parameters
    ----------
    file
        Where the private key is written; nothing may stand there.

    Returns
    -------
    pathlib.Path
        The file of the public key, which `verify` takes.

    Raises
    ------
    ExportRefused
        Something stands there already, or can't be written.
    """
    return signing.new_key(Path(file))


def approve(
    folder: Path | str,
    *,
    reviewer: str,
    key: Path | str,
    overrides: Mapping[str, str] | None = None,
    attested: Mapping[str, Any] | None = None,
    ledger: Path | str | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Sign a release that was judged by a policy and record it in the ledger.

    Parameters
    ----------
    folder
        What `save` wrote.
    reviewer
        Whose decision it is.
    key
        The file of a private key; see `new_key`.
    overrides
        Check → why it may fail, for checks that are not passed.
    attested
        Field → value of what the reviewer attests of the contract: ``purpose``, ``audits`` and so
        on. Nothing of it is measured.
    ledger
        The ledger's file; None for the usual one of this account.
    progress
        As that of `anonymize`.

    Returns
    -------
    dict
        The manifest as it was signed.

    Raises
    ------
    ExportRefused
        A check failed that `overrides` gives no reason for.
    """
    return approval.approve_folder(
        Path(folder),
        reviewer=reviewer,
        key=signing.private_key(Path(key)),
        overrides=dict(overrides or {}),
        attested=attested,
        progress=progress or silent_progress(),
        ledger_file=None if ledger is None else Path(ledger),
    )


def _make_evidence(
    log: QueryLog,
    reference: QueryLog | None,
    profiles: Path | str | None,
    others: Sequence[Anonymized],
) -> Evidence:
    path = None if profiles is None else Path(profiles)
    return Evidence(log=log, reference=reference, profiles=path, others=tuple(others))


def _split_params(what: str | Params, values: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The name of what is asked for, and its values: those of an object, then those given."""
    if isinstance(what, Params):
        return what.owner, what.get_params() | values
    return what, values


def _run_method(
    log: QueryLog,
    method: str | Params,
    values: dict[str, Any],
    rng: SecureRandomness | PreviewRandomness,
    progress: Progress | None,
) -> Release | Preview:
    name, params = _split_params(method, values)
    intent = Intent(method=name, attacks=(), measures=()).choose(name).set(**params)
    data = local.anonymize_log(log, resolve_intent(intent, log), rng, progress or silent_progress())
    assert isinstance(data, Release | Preview)
    return data
