"""A session of work on a log full of secrets, run for real, to be kept in a project."""

import dataclasses
import functools
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from auditor.attacks.base import AttackResult, Evidence
from auditor.attacks.registry import ATTACKS as ATTACK_REGISTRY
from auditor.attacks.risk.query_sample import QueryStratum
from auditor.engine.plan import Intent, PlanStep, resolve_intent
from auditor.engine.run import Run
from auditor.engine.runner import RunHandle, execute_plan
from auditor.figures import Axis, Figure, MetricValue, Series, Table
from auditor.log.model import QueryLog
from auditor.measures.registry import MEASURES as MEASURE_REGISTRY
from auditor.privacy.noise import SecureRandomness
from auditor.project.model import LogFacts, Project, QueryReview, ReviewedQuery, SessionNote
from auditor.release import gates
from auditor.release.policy import policy
from auditor.release.record import ReleaseRecord

NAMES = ("zorblatt", "quuxley", "frimbledon")
"""Words of no language: where one stands in a file, it came out of the log."""

USERS, ROWS = 60, 6


@functools.cache
def secret_log() -> QueryLog:
    """Every user, query and page holds a secret word."""
    user, query, time, url = [], [], [], []
    for u in range(USERS):
        for r in range(ROWS):
            shared = r < ROWS // 2
            user.append(f"user-{NAMES[u % 3]}-{u}")
            query.append(f"{NAMES[r % 3]} news" if shared else f"{NAMES[r % 3]} of street {u} {r}")
            time.append(1_141_171_200 + 86_400 * r + 60 * u)
            url.append(f"http://{NAMES[r % 3]}.example/{r}" if r % 2 else None)
    return QueryLog.from_columns(user=user, query=query, time=time, url=url)


def secrets() -> list[bytes]:
    """What may stand in no project of that log."""
    log = secret_log()
    texts = (log.users, log.queries, log.urls)
    words = [word for vocabulary in texts for word in vocabulary.list_strings()]
    return [word.encode() for word in (*words, *NAMES)]


ATTACKS = ("surviving-content", "record-linkage")
MEASURES = ("volume", "frequencies", "site-clustering", "profile-exposure")


def execute(method: str, attacks: Iterable[str], measures: Iterable[str], **more: Any) -> Run:
    """A real run on the log."""
    log = secret_log()
    intent = Intent(method=method, attacks=tuple(attacks), measures=tuple(measures))
    plan, noise = resolve_intent(intent, log), SecureRandomness()
    return execute_plan(plan, Evidence(log=log, **more), noise, RunHandle(1), lambda _event: None)


@functools.cache
def finished(method: str = "frequency-threshold") -> Run:
    """A real run, with the attacks and measures that show what they found."""
    run = execute(method, ATTACKS, MEASURES)
    run = dataclasses.replace(run, attacks=(*run.attacks, careless()))
    record = gates.judge_record(ReleaseRecord.of_run(run, secret_log()), policy.default_policy())
    facts = gates.gate_facts(record, figures=False)
    return dataclasses.replace(run, anonymized=None, gates=facts, letter="A", pinned=True)


def everything(method: str) -> Run:
    """What every attack and measure that applies makes of a method's run."""
    return execute(method, ATTACK_REGISTRY, MEASURE_REGISTRY, reference=secret_log())


def careless() -> AttackResult:
    """An attack by somebody who marks nothing as private, and puts query text everywhere."""
    place = Axis("place", categories=NAMES)
    numbers = Series("n", np.arange(3.0), np.arange(3.0), "bars")
    return AttackResult(
        attack="surviving-content",
        params={"word": 3, "reference_file": Path("/home/jane/reference.tsv")},
        rate=0.5,
        baseline=0.1,
        interval=(0.4, float("nan")),
        values=(MetricValue("x", "x", float("inf")),),
        figures=(Figure("f", "f", place, Axis("y"), (numbers,)),),
        tables=(
            Table("t", "t", ("n", "query"), [[1, "zorblatt news"]]),
            Table("u", "u", ("n", "queries"), [[1, ("quuxley", 2)]]),
            Table("v", "v", ("n", "share"), [[1, float("nan")], [2, (0.5, 1)]]),
        ),
        details={"best": "frimbledon news", "deep": {"zorblatt": 1}, "count": 7},
    )


def sitting() -> Project:
    """Two runs, notes, a policy, settings of several methods and checks."""
    run = finished()
    intent = (
        Intent(method="safelog")
        .set(K=80, pool_file=Path("/home/jane.doe/lists/pool.txt"))
        .tune_check("retrieval", seed=987654321)
        .weigh_rules({"person:name": 0.5})
    )
    log = secret_log()
    plan = dataclasses.replace(run.plan, params=intent.params, method="safelog")
    plan = dataclasses.replace(
        plan, attacks=(PlanStep("record-linkage", ATTACK_REGISTRY["record-linkage"].params()),)
    )
    failed = Run(plan, letter="B", state="failed", message="It failed.", name="second")
    return Project(
        intent=intent,
        log=LogFacts.of(log, "secret.tsv"),
        policy='format = "auditor policy 1"\n\tname = "<b>ours</b>"\n',
        runs=(run, failed),
        current="A",
        notes=(
            SessionNote(start=0, stop=6, text="look at this", dismissed=""),
            SessionNote(start=6, stop=12, dismissed="public"),
            SessionNote(start=12, stop=18, confirmed=True),
        ),
        review=QueryReview(
            strata=(
                QueryStratum(name="marked", marked=True, size=3),
                QueryStratum(name="1 word, one user", marked=False, size=40),
            ),
            queries=(
                ReviewedQuery(row=0, stratum=0, answer="yes"),
                ReviewedQuery(row=7, stratum=1, answer="no"),
                ReviewedQuery(row=9, stratum=1),
                ReviewedQuery(row=3, answer="skip"),
            ),
        ),
        signed='{"format": "auditor feedback 1", "log": "0000"}',
        layout={"workspace": "compare"},
    )
