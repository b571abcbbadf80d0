"""What executors compute, without Spark: any blocks of a log come to what the whole does."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from auditor.attacks.hash_inversion.features import count_corpus
from auditor.attacks.risk.session_scoring import score_log
from auditor.attacks.surviving_content import attack
from auditor.attacks.surviving_content import counts as surviving_content_counts
from auditor.engine.backends.spark import rows
from auditor.engine.backends.spark.checks import frequencies, hash_inversion, marked_rows
from auditor.engine.backends.spark.checks import surviving_content as checks_surviving_content
from auditor.log.synthetic.generator import synthesize_log
from auditor.progress import silent_progress

LOG = synthesize_log(40, days=8, seed=3).log


@pytest.mark.parametrize("block", [1 << 18, 300])
def test_that_sessions_are_judged_alike_in_any_blocks(
    block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, "BLOCK", block)
    params = attack.SurvivingContentParams(min_risk=0.1, addresses=False, repeated=False)
    rules = attack.rules_of(params)
    whole = score_log(LOG, None, None, rules, silent_progress())
    told = surviving_content_counts.count_survivors(whole, params.min_risk)
    known = {
        "bits": whole.bits.astype(np.int64),
        "users": whole.users.astype(np.int64),
        "survives": whole.survives,
    }
    every = marked_rows._make_batch(LOG, np.arange(len(LOG)), LOG.query, whole.bits != 0, known, 0)
    order = [("user", "ascending"), ("time", "ascending"), ("place", "ascending")]
    table = pa.Table.from_batches([every]).sort_by(order)
    judge = checks_surviving_content._SparkScorer(rules, np.zeros(64))
    found = pa.Table.from_batches(list(judge(iter(table.to_batches(max_chunksize=111)))))
    frame = found.to_pandas()
    figures = frame[frame.kind == rows.DONE].groupby("query").n.sum().to_dict()
    assert figures["whole"] == told.sessions.whole
    assert figures["flagged"] == told.sessions.flagged > 0
    for name, wanted in (("lines", told.sessions.lines), ("risks", told.sessions.risks)):
        np.testing.assert_array_equal(
            checks_surviving_content._unpack_array(figures, name, wanted), wanted
        )
    pairs = frame[frame.kind == rows.QUERY]
    assert pairs.user.nunique() == told.users_flagged
    assert pairs["query"].nunique() == told.strings_flagged


def test_that_the_company_of_words_adds_up_over_any_batches(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hash_inversion, "_STRINGS", 100)
    n = 90
    wanted = count_corpus(LOG, n, silent_progress())
    terms = wanted.vocabulary.take(wanted.terms)
    counts = np.bincount(LOG.query[LOG.event_starts], minlength=len(LOG.queries))
    table = pa.table({"a": LOG.queries.list_strings(), "n": counts})
    table = table.take(pa.array(np.random.default_rng(0).permutation(len(table))))
    made = hash_inversion._count_blocks(terms, [40, n], n, iter(table.to_batches(max_chunksize=37)))
    frame = pa.Table.from_batches(list(made)).to_pandas()
    added = frame.groupby(["kind", "i", "j"], as_index=False).n.sum()

    def of(kind: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        some = added[added.kind == kind]
        return some.i.to_numpy(), some.j.to_numpy(), some.n.to_numpy()

    together = hash_inversion._make_symmetric(*of(hash_inversion.TOGETHER), n)
    np.testing.assert_array_equal(together.toarray(), wanted.counts.toarray())
    for size in (40, n):
        single = hash_inversion._make_column(*of(hash_inversion.SINGLE), size)
        np.testing.assert_array_equal(single, wanted.build_side(size).single)
    steps = hash_inversion._make_successions(of(hash_inversion.NEXT), of(hash_inversion.ENDS), n)
    known = wanted.build_side(n, ordered=True).steps
    assert known is not None
    np.testing.assert_array_equal(steps.follows.toarray(), known.follows.toarray())
    np.testing.assert_array_equal(steps.ends, known.ends)


LIMITS = {
    "1", "3", "1000", "MOST_NAMES", "_CLASSES", "frequencies.CURVE",  # constants
    "1 << 20", "len(splits.pieces)",  # one row a task, one a split
    "keep", "size", "n", "self.params.top",  # the parameters say how many
    "most",  # passed on, or a constant, or n² of the inversion's n
}  # fmt: skip


def test_that_no_limit_of_what_reaches_the_driver_depends_on_the_log() -> None:
    folder = Path(marked_rows.__file__).parent.parent
    found = set()
    for file in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or len(node.args) < 2:
                continue
            place, name = ("", getattr(node.func, "id", ""))
            if isinstance(node.func, ast.Attribute):
                place, name = ast.unparse(node.func.value), node.func.attr
            if name in ("collect_rows", "collect_columns") and place not in ("pa", "released"):
                found.add(ast.unparse(node.args[1 if place else 2]))
    assert found == LIMITS
    assert inspect.getsource(frequencies).count("most = frequencies.KENDALL_PAIRS") == 1
    assert "most = 2 * whole * whole" in inspect.getsource(hash_inversion.count_corpus_side)
