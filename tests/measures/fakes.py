"""Small logs, releases of them made by hand or by a method, and runs of attacks and measures."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from auditor.arrays import Int32s, Int64s
from auditor.attacks.base import Attack, AttackResult, Evidence
from auditor.log.model import QueryLog, Vocabulary
from auditor.measures.base import Measure, MeasureResult
from auditor.methods.registry import METHODS
from auditor.privacy.release import UNKNOWN, Anonymized, MethodRerun, Preview, Tables
from auditor.privacy.statement import Statement
from auditor.progress import Progress, silent_progress
from tests.methods.logs import Row, run_method
from tests.methods.logs import log_of as log_of

NONE = Statement(model="none", claim="nothing", unit="nobody")


def searches(**histories: str) -> list[Row]:
    """Rows of users, each with its time: ``searches(ann="10 rose; 20 my own name")``."""
    parts = [(user, part) for user, text in histories.items() for part in text.split(";")]
    rows = [(user, *part.split(None, 1)) for user, part in parts]
    return [(user, query, int(time), None) for user, time, query in rows]


def log_in_order(*rows: tuple[str, str], step: int = 1) -> QueryLog:
    """A search of each user and query, `step` seconds after the one before."""
    return log_of([(user, query, step * place) for place, (user, query) in enumerate(rows)])


def release_of(content: QueryLog | Tables, **params: Any) -> Preview:
    return Preview(method=UNKNOWN, params=params, content=content, statement=NONE, changes={})


def made_by(method: str, log: QueryLog, seed: int = 1, **values: Any) -> Preview:
    """The preview of a method with these parameters."""
    product = run_method(method, log, seed, **values)
    return Preview(
        method=method,
        params=METHODS[method].params(**values).to_dict(),
        content=product.content,
        statement=product.statement,
        changes=product.changes,
    )


def run_attack(
    attack: Attack,
    evidence: Evidence,
    *,
    seed: int = 0,
    progress: Progress | None = None,
    **values: Any,
) -> AttackResult:
    params, rng = attack.params(**values), np.random.default_rng(seed)
    return attack.run(evidence, params, rng=rng, progress=progress or silent_progress())


def take(
    measure: Measure,
    log: QueryLog,
    release: Anonymized,
    progress: Progress | None = None,
    again: MethodRerun | None = None,
    **values: Any,
) -> MeasureResult:
    params, rng = measure.params(**values), np.random.default_rng(1)
    progress = progress or silent_progress()
    return measure.take(log, release, params, again=again, rng=rng, progress=progress)


def cancelled() -> Progress:
    """The progress of somebody who has asked to stop."""
    progress = Progress()
    progress.cancel()
    return progress


def value(result: AttackResult | MeasureResult, name: str) -> float:
    return next(metric.value for metric in result.values if metric.name == name)


def values_of(result: MeasureResult, prefix: str = "") -> dict[str, float]:
    """All metrics by name, each of which stands there once."""
    values = {metric.name.removeprefix(prefix): metric.value for metric in result.values}
    assert len(values) == len(result.values)
    return values


def tables_of(
    queries: dict[str, int],
    clicks: dict[tuple[str, str], int] | None = None,
    transitions: dict[tuple[str, str], int] | None = None,
) -> Tables:
    """Tables from plain counts; None means that the method releases no such table."""
    names = list(queries)
    pages = list(dict.fromkeys(page for _, page in clicks or {}))
    return Tables(
        queries=Vocabulary.of(names),
        query_count=_counts(queries.values()),
        urls=Vocabulary.of(pages),
        click_query=_codes(names.index(query) for query, _ in clicks or {}),
        click_url=_codes(pages.index(page) for _, page in clicks or {}),
        click_count=_counts((clicks or {}).values()),
        from_query=_codes(names.index(query) for query, _ in transitions or {}),
        to_query=_codes(names.index(query) for _, query in transitions or {}),
        transition_count=_counts((transitions or {}).values()),
        has_clicks=clicks is not None,
        has_transitions=transitions is not None,
    )


def _counts(values: Iterable[int]) -> Int64s:
    return np.array(list(values), dtype=np.int64)


def _codes(values: Iterable[int]) -> Int32s:
    return np.array(list(values), dtype=np.int32)
