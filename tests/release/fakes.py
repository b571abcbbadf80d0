"""A small log with planted secrets, and believable results of runs on it."""

import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from auditor.attacks.base import AttackResult, FlaggedFindings
from auditor.engine.plan import Plan
from auditor.engine.run import Run
from auditor.figures import Axis, Figure, MetricValue, PlotMark, PlotZone, Series, Table
from auditor.log.model import LogOrigin, QueryLog, Vocabulary
from auditor.measures.base import MeasureResult
from auditor.methods.registry import METHODS
from auditor.methods.statements import NEIGHBOURS, UNIT
from auditor.privacy.release import (
    Anonymized,
    CellFigure,
    CellKey,
    CellTable,
    Preview,
    Release,
    Tables,
)
from auditor.privacy.statement import Assumption, Statement, Term
from auditor.release.ledger import store
from auditor.release.ledger.totals import SpentBudget, to_plain
from tests.programs import run_code

SECRETS = ("zebulon quarkmeister divorce", "4012-888-secret", "user-77215")
"""Two queries and a user of the raw log that no release and no report may show."""

HOSTILE = "<script>alert('x')</script>&amp; $\\alpha$ \u202eevil"

STATEMENT = Statement(
    model="differential privacy",
    claim="Whether any one user is in the log changes the odds of any release by at most 18.",
    unit="one user's whole history",
    neighbours="logs that differ in one user",
    epsilon=2.9,
    delta=1e-6,
    tight_epsilon=2.1,
    tight_note="privacy-loss distribution",
    terms=(Term("selection", 2.0, 1e-6, "q_f/b"), Term("counts", 0.9, 0.0, "q_f/b_q")),
    assumptions=(
        Assumption("independent limits", "Users are limited one by one.", "holds", "by design"),
        Assumption("public pool", "The pool comes from elsewhere.", "unknown"),
        Assumption("no τ", "Nothing is dropped for being rare.", "fails", "τ = 5"),
    ),
    measured={"K_c": 155.0},
)


def raw_log(folder: Path | None = None) -> QueryLog:
    """Rows of four users; read from ``raw-aol.txt`` in `folder`, if there is one."""
    files: tuple[Path, ...] = ()
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        files = (folder / "raw-aol.txt",)
        files[0].write_text("\n".join(SECRETS))
    return QueryLog.from_columns(
        user=["a", "a", "b", "c", "c", SECRETS[2]],
        query=["weather", SECRETS[0], "weather", "maps", SECRETS[1], "weather"],
        time=[10, 20, 30, 40, 50, 60],
        url=["w.example", None, "w.example", "m.example", None, "w.example"],
        origin=LogOrigin(files=files, format="aol", rows_read=6),
    )


def tables() -> Tables:
    """Three released queries, one of which would break a careless table."""
    return Tables(
        queries=Vocabulary.of(["maps", "weather", "=1+1\ttab\nline"]),
        query_count=np.array([2, 3, 2]),
        urls=Vocabulary.of(["w.example", "m.example"]),
        click_query=np.array([0, 1], dtype=np.int32),
        click_url=np.array([1, 0], dtype=np.int32),
        click_count=np.array([4, 9]),
        from_query=np.array([1], dtype=np.int32),
        to_query=np.array([0], dtype=np.int32),
        transition_count=np.array([-1]),
        has_clicks=True,
        has_transitions=True,
    )


def cells(number: str = "views") -> Tables:
    """Three released cells of two queries, one of which has no page and no position."""
    words, pages = Vocabulary.of(["maps", "=1+1\ttab"]), Vocabulary.of(["m.example"])
    keys = (
        CellKey("query", np.array([1, 1, 0], dtype=np.int32), words),
        CellKey("url", np.array([-1, 0, 0], dtype=np.int32), pages),
    )
    figures = (
        CellFigure(number, np.array([7, 5, 5])),
        CellFigure("position", np.array([np.nan, 2.0, 1.25])),
    )
    return Tables.of_cells(CellTable("cells.tsv", keys, figures))


def anonymized(content: QueryLog | Tables | None = None, *, preview: bool = False) -> Anonymized:
    kind = Preview if preview else Release
    return kind(
        method="safelog",
        params={"q_f": 10},
        content=tables() if content is None else content,
        statement=STATEMENT,
        changes={"queries_dropped": 2, "clicks_kept": 4},
    )


def figures() -> tuple[Figure, ...]:
    """One public figure with hostile words, one private one."""
    x = np.array([1.0, 2.0, 3.0])
    return (
        Figure(
            "curve",
            HOSTILE,
            Axis("b", "events"),
            Axis(HOSTILE, scale="log"),
            (Series("ε", x, x), Series(HOSTILE, x, x[::-1], low=x - 0.5, high=x + 0.5)),
            marks=(PlotMark("x", 2.0, HOSTILE, "optimum"),),
            zones=(PlotZone("y", 2.0, 9.0, "too much", "bad"),),
            note=HOSTILE,
        ),
        Figure(
            "top-original",
            "Commonest queries",
            Axis("query", categories=(SECRETS[0], "weather", "maps")),
            Axis("count"),
            (Series("original", np.arange(3.0), x, "bars"),),
            private=True,
        ),
    )


def findings(log: QueryLog) -> FlaggedFindings:
    """The first user's session, flagged for the words of the first secret."""
    code = int(log.queries.find([SECRETS[0]])[0])
    return FlaggedFindings(
        start=np.array([0]),
        stop=np.array([2]),
        reason=np.array([1], dtype=np.uint64),
        risk=np.array([0.93]),
        surviving=np.zeros(1, dtype=np.int32),
        flagged=np.ones(1, dtype=np.int32),
        reasons=("name of a person",),
        mark_query=np.array([code], dtype=np.int32),
        mark_start=np.array([0], dtype=np.int32),
        mark_stop=np.array([len("zebulon quarkmeister")], dtype=np.int32),
        mark_reason=np.zeros(1, dtype=np.uint8),
        survives=log.queries.match(Vocabulary.of(["weather", "maps"])) >= 0,
    )


def run_result(
    log: QueryLog,
    *,
    content: QueryLog | Tables | None = None,
    preview: bool = False,
    method: str = "safelog",
    epsilon_value: float = 0.4,
    **params: Any,
) -> Run:
    """A run with one measure and one attack, public and private tables and figures in both."""
    measure = MeasureResult(
        measure="volume",
        params={"seed": 4711, "file": "/home/somebody/lists/pool.txt"},
        values=(
            MetricValue(
                "kept", "queries kept", epsilon_value, "%", better="higher", side="utility"
            ),
            MetricValue("nothing", "no value", float("nan")),
        ),
        figures=figures(),
        tables=(
            Table("sizes", "Sizes", ("part", "rows"), [["queries", 3], ["=cmd|' /C calc'!A0", 1]]),
            Table("top", "Top queries", ("query",), [[SECRETS[0]]], private=True),
        ),
        notes=("Counts are noisy.",),
    )
    attack = AttackResult(
        attack="surviving-content",
        params={},
        rate=0.25,
        baseline=0.1,
        control=0.12,
        interval=(0.2, 0.3),
        values=(MetricValue("inf", "bound", float("inf"), side="privacy"),),
        tables=(Table("who", "Who", ("user",), [[SECRETS[2]]], private=True),),
        findings=findings(log),
    )
    what = METHODS[method]
    return Run(
        plan=Plan(log_digest=log.digest, method=method, params=what.params(**params)),
        anonymized=anonymized(content, preview=preview),
        measures=(measure,),
        attacks=(attack,),
        skipped={"frequencies": "does not apply to a release of tables"},
    )


def approve_release(log: QueryLog, epsilon: float) -> None:
    """Enter an approved release of this log in the ledger."""
    spent = SpentBudget("safelog", UNIT, NEIGHBOURS, epsilon=epsilon, delta=0.0)
    body = {"kind": store.APPROVED, "release": "ab" * 32, "log": {"digest": log.digest}}
    with store.open_for_append(store.ledger_path()) as writer:
        writer.append(body | {"reviewer": "Ada", "at": store.current_time()} | to_plain(spent))


def quick_report(patch: pytest.MonkeyPatch) -> None:
    """A short page in place of the drawn ones, where only the writing of files is tested."""
    patch.setattr("auditor.release.export.document_of", lambda *_, **__: None)
    patch.setattr("auditor.release.export.page_of", lambda *_, **__: "<!doctype html>" + "x" * 5000)


def leave_out_pictures(patch: pytest.MonkeyPatch) -> None:
    """An empty picture in place of each drawing, where facts stand in words."""
    empty = '<svg width="1" height="1" viewBox="0 0 1 1"></svg>'
    for module in ("html", "drawing"):
        patch.setattr(f"auditor.release.report.{module}.figure_svg", lambda *_, **__: empty)


def run_program(code: str, *arguments: object, **environment: str) -> list[str]:
    """The words that a process of its own prints; fails where it does."""
    return run_code(code, *arguments, OMP_NUM_THREADS="1", **environment).split()


def module(**members: Any) -> types.ModuleType:
    """A module that holds only these members."""
    result = types.ModuleType("made")
    vars(result).update(members)
    return result
