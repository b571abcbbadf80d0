"""Spark against the local engine: its laws of noise, what it brings home, refuses and survives.

One session of two cores serves all tests. Releases are compared in `test_same_release`.
"""

import ast
import json
import os
import random
import shutil
import signal
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from scipy import stats

from auditor.__main__ import main
from auditor.api.run import anonymize
from auditor.engine.backends.spark import rows, run_context, session
from auditor.engine.backends.spark.job import SparkJob, list_methods
from auditor.engine.backends.spark.methods import sets
from auditor.engine.backends.spark.methods.logs import format_lines
from auditor.engine.backends.spark.run_context import SparkRunContext
from auditor.engine.backends.spark.session import (
    SETTINGS,
    describe_cause,
    map_in_arrow,
    run_action,
    spark_settings,
)
from auditor.engine.distributed_results import DistributedTable
from auditor.engine.plan import Intent
from auditor.errors import Cancelled, EngineFailed, LogFormatError, ParameterError
from auditor.log.model import QueryLog
from auditor.log.out_of_core.splits import LogSplits, plan_splits
from auditor.log.reading.reader import read_log
from auditor.log.writing import tsv_heading
from auditor.methods.registry import METHODS
from auditor.methods.set_union.method import SetUnionNoise
from auditor.privacy.noise import noisy_at_least
from auditor.progress import Progress, silent_progress
from auditor.release.distributed_export import WORK
from auditor.release.export import write_released_log
from tests.engine.spark.spark_logs import (
    HARDLY_ANY_NOISE,
    HEADING,
    OPTIONS,
    Compare,
    cut_log,
    run,
    silence_union,
    watch,
    write_lines,
)
from tests.engine.spark.test_same_release import histories_of
from tests.narrowing import present

QUIET = dict.fromkeys(("b", "b_c", "b_t"), HARDLY_ANY_NOISE)
STRICT = {"K": 3, "K_c": 2, "K_t": 2, "q_f": 6, "c_f": 4, **QUIET}


def test_that_safelog_releases_what_it_does_on_one_machine(
    compare: Compare, log: QueryLog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    collected = watch(monkeypatch)
    result, _ = compare("safelog", **STRICT)
    fetched = sum(collected)
    assert (len(result.log), len(result.log.users), result.log.clicks, result.log.period) == (
        len(log), len(log.users), log.clicks, log.period
    )  # fmt: skip
    assert dict(result.log.origin.rejected) == dict(log.origin.rejected)
    rejects = [(r.line, r.reason, r.column) for r in result.log.origin.rejects]
    assert rejects == [(r.line, r.reason, r.column) for r in log.origin.rejects]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out", "out.internal"]
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    rows_written = (tmp_path / "out" / "queries.tsv").read_bytes().count(b"\n") - 1
    assert manifest["content"]["rows"]["queries.tsv"] == rows_written
    assert "seed" not in json.dumps(manifest["params"])
    # All but the refused rows, which are bounded by an option: what came to the driver is few.
    assert fetched - len(rejects) < 60


@pytest.mark.slow
@pytest.mark.parametrize("ids", ["keep", "drop"])
def test_that_a_log_is_escaped_as_on_one_machine(spark: Any, tmp_path: Path, ids: str) -> None:
    queries = ["plain", "back\\\\slash", "\x1b[2J", "turned \u202e about", "\u2028"]
    rows_of_all = [
        f"u\x7f{user}\t{query}\t2006-03-01 00:00:0{user}\t\t"
        for user in range(3) for query in queries[: 5 if ids == "keep" else 2]
    ]  # fmt: skip
    path = write_lines(tmp_path / "acting.tsv", HEADING, rows_of_all)
    run(spark, plan_splits(path), tmp_path / "out", "frequency-threshold", n=2, ids=ids)
    local = anonymize(read_log(path), "frequency-threshold", n=2, ids=ids)
    assert local.log is not None
    (tmp_path / "local").mkdir()
    facts = write_released_log(local.log, tmp_path / "local", "tsv", silent_progress())
    written = (tmp_path / "out" / "log.tsv").read_bytes()
    assert written == (tmp_path / "local" / "log.tsv").read_bytes()
    content = json.loads((tmp_path / "out" / "manifest.json").read_text())["content"]
    assert content.get("encoding") == facts.get("encoding")
    assert ("encoding" in facts) == (ids == "keep")


@pytest.mark.slow
def test_that_bundles_are_as_large_as_on_one_machine(spark: Any, tmp_path: Path) -> None:
    draw = random.Random(3)
    lines = []
    for _ in range(1500):
        user = draw.randrange(60)
        address = "" if draw.random() < 0.05 else f"10.0.{user % 7}.{draw.randrange(9)}"
        cookie = "" if draw.random() < 0.05 else f"c{user}"
        when = f"2006-03-01 00:00:{draw.randrange(60):02d}"
        click = "1\thttp://a.org" if draw.random() < 0.3 else "\t"
        lines.append(f"u{user}\tq{draw.randrange(30)}\t{when}\t{click}\t{address}\t{cookie}")
    splits, log = cut_log(write_lines(tmp_path / "addresses.tsv", f"{HEADING}\tIP\tCookie", lines))
    settings: list[dict[str, Any]] = [
        {"by": "ip-mask", "bits": 8},
        {"by": "random-users", "group": 6},
    ]
    for by in settings:
        folder = tmp_path / by["by"]
        release = run(spark, splits, folder, "bundling", **by).result.release
        local = anonymize(log, "bundling", **by)
        content, released = present(local.log), read_log(folder / "log.tsv")
        assert len(released) == len(log)
        assert released.users.list_strings() == [str(n + 1) for n in range(len(content.users))]
        assert (released.ip, released.cookie) == (None, None)
        assert release.changes["bundles"] == local.changes["bundles"]
        if by["by"] == "ip-mask":
            assert release.statement.to_dict() == local.statement.to_dict()
            assert dict(release.changes) == dict(local.changes)
            assert sorted_histories(released) == sorted_histories(content)


def sorted_histories(log: QueryLog) -> list[list[Any]]:
    return sorted((sorted(rows, key=str) for rows in histories_of(log).elements()), key=str)


@pytest.mark.slow
def test_that_noise_of_the_executors_has_the_law_of_the_discrete_laplace(
    spark: Any, splits: LogSplits, tmp_path: Path
) -> None:
    scale, count, least = 2.0, 3, 4
    frame = spark.range(0, 12_000, 1, 2).selectExpr("cast(id as string) a", "cast(3 as bigint) n")

    def noise(counts: Any, rng: Any, _progress: Any) -> Any:
        return noisy_at_least(counts, scale, least, rng, silent_progress())

    work = SparkRunContext(spark, splits, tmp_path, silent_progress())
    drawn = [work.draw_table(frame, noise, name).frame for name in "ab"]
    draws = [Counter(row["n"] for row in noisy.collect()) for noisy in drawn]
    assert draws[0] != draws[1], "the same noise twice"
    ratio = np.exp(-1 / scale)
    values = np.arange(least, least + 8)
    chance = (1 - ratio) / (1 + ratio) * ratio ** np.abs(values - count)
    observed = np.array([draws[0][value] + draws[1][value] for value in values.tolist()])
    rest = 24_000 - observed.sum()
    expected = np.append(24_000 * chance, 24_000 * (1 - chance.sum()))
    assert stats.chisquare(np.append(observed, rest), expected).pvalue > 1e-6


# --- what goes wrong --------------------------------------------------------------------------


@pytest.mark.slow
def test_that_a_lost_file_leaves_no_half_release(spark: Any, path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.tsv"
    shutil.copy(path, copy)
    splits = plan_splits(copy, OPTIONS)
    copy.unlink()
    with pytest.raises(LogFormatError, match=r"copy\.tsv"):
        run(spark, splits, tmp_path / "out", "safelog", K=3)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize(("victim", "deaths"), [("worker", 1), ("worker", 9), ("daemon", 1)])
def test_that_a_lost_worker_costs_a_second_try_or_the_release_never_half_of_it(
    compare: Compare, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, victim: str, deaths: int
) -> None:
    graves = tmp_path / "graves"
    graves.mkdir()

    draw_table = SparkRunContext.draw_table

    def draw_deadly(work: Any, counts: Any, noise: Any, name: str) -> Any:
        def draw(count: Any, *rest: Any) -> Any:
            place = Path(graves)
            if len(list(place.iterdir())) < deaths:
                (place / f"{os.getpid()}").touch()
                os.kill(os.getppid() if victim == "daemon" else os.getpid(), signal.SIGKILL)
            return noise(count, *rest)

        return draw_table(work, counts, draw, name)

    monkeypatch.setattr(SparkRunContext, "draw_table", draw_deadly)
    only: dict[str, Any] = STRICT | {"clicks": False, "transitions": False}
    if deaths == 1:
        compare("safelog", **only)
        assert sorted(p.name for p in tmp_path.iterdir()) == ["graves", "out", "out.internal"]
    else:
        with pytest.raises(EngineFailed, match="Nothing was released"):
            compare("safelog", **only)
        assert [p.name for p in tmp_path.iterdir()] == ["graves"]


LOST: list[tuple[str, dict[str, Any]]] = [
    ("partition-selection", {"epsilon": 100.0, "q_f": 3, "k": 4}),
    ("dated-counts", {"epsilon": 100.0, "q_f": 2, "days": 2, "last_day": 20060302}),
    ("dated-counts", {"epsilon": 100.0, "q_f": 2, "days": 2, "group_by": "country"}),
    ("click-pairs", {"k": 3}),
    ("frequency-threshold", {"n": 5, "ids": "keep"}),
    ("numbered-sessions", {"top_queries": 1}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("method", "params"), LOST)
def test_that_workers_lost_while_drawing_and_while_writing_change_no_release(
    compare: Compare, tmp_path: Path, method: str, params: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    check = session.check_folder

    def check_dying(folder: str) -> None:
        grave = tmp_path / ("drawing" if Path(folder).name == WORK else "writing")
        if not grave.exists():
            grave.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        check(folder)

    monkeypatch.setattr(run_context, "check_folder", check_dying)
    compare(method, **params)
    assert (tmp_path / "writing").exists()
    assert (tmp_path / "drawing").exists() == METHODS[method].randomised


@pytest.mark.slow
def test_that_later_rounds_follow_from_what_the_second_try_of_a_round_drew(
    compare: Compare, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    grave = tmp_path / "grave"

    class DeadlyNoise(SetUnionNoise):
        def draw_round(self, *arguments: Any) -> Any:
            drawn = super().draw_round(*arguments)
            if not grave.exists():
                grave.touch()
                os.kill(os.getpid(), signal.SIGKILL)
            return drawn

    params: dict[str, Any] = {"weighting": "screened", "q_f": 6, "epsilon": 8.0}
    derive_quietly = silence_union(monkeypatch)
    monkeypatch.setattr(
        sets, "derive_noise", lambda params: DeadlyNoise(**vars(derive_quietly(params)))
    )
    compare("set-union", **params)
    assert grave.exists()


@pytest.mark.slow
def test_that_a_dying_worker_ends_the_run_and_its_error_holds_no_text(spark: Any) -> None:
    def die(batches: Any) -> Any:
        for _ in batches:
            raise ValueError("somebody's query")
        yield

    frame = map_in_arrow(spark.range(0, 2, 1, 1), die, "id long")
    with pytest.raises(EngineFailed, match=r"ValueError at test_spark\.py:\d+") as caught:
        run_action(spark, frame.count, silent_progress())
    assert "somebody" not in str(caught.value)


def test_that_what_spark_says_of_its_settings_is_told(spark: Any) -> None:
    with pytest.raises(Exception, match="An error occurred") as caught:
        spark.sparkContext._jvm.java.util.ArrayList().get(3)
    expected = "java.lang.IndexOutOfBoundsException: Index 3 out of bounds for length 0"
    assert describe_cause(caught.value) == expected
    assert describe_cause(ValueError("no process")) == "ValueError"


@pytest.mark.slow
def test_that_a_cancel_is_heard(spark: Any) -> None:
    progress = Progress()
    progress.cancel()
    with pytest.raises(Cancelled):
        run_action(spark, lambda: 1, progress)


def test_that_the_driver_refuses_more_rows_than_were_agreed(
    spark: Any, splits: LogSplits, tmp_path: Path
) -> None:
    work = SparkRunContext(spark, splits, tmp_path, silent_progress())
    with pytest.raises(RuntimeError, match="more than 5 rows"):
        work.collect_rows(spark.range(6), 5)


def test_that_rows_reach_the_driver_in_two_ways_and_those_of_a_release_in_one() -> None:
    folder = Path(session.__file__).parent
    fetching = {"collect", "toPandas", "toLocalIterator", "take", "head", "first", "toArrow"}
    fetches = []
    for file in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and node.attr in fetching:
                inner = ast.unparse(node.value)
                if inner not in ("pairs", "keys") and (node.attr != "take" or "frame" in inner):
                    fetches.append(f"{file.name}: {ast.unparse(node)}")
    assert fetches == [
        "run_context.py: frame.limit(row_limit + 1).collect", "run_context.py: frame.toArrow"
    ]  # fmt: skip
    callers = {
        file.relative_to(folder).as_posix()
        for file in folder.rglob("*.py")
        if "collect_log_rows(" in file.read_text(encoding="utf-8")
    }
    assert callers == {"run_context.py", "collected_log.py"}


def test_that_connections_are_encrypted_where_there_is_a_secret_and_what_is_set_stays() -> None:
    for master in ("local[2]", "yarn", "k8s://https://host:443"):  # where Spark makes one
        assert spark_settings(master, {}) == SETTINGS
    bare = spark_settings("spark://host:7077", {})
    assert "spark.authenticate" not in bare
    assert "spark.network.crypto.enabled" not in bare
    assert bare["spark.io.encryption.enabled"] == "true"
    options = {"spark.authenticate.secret": "x", "spark.ui.enabled": "true"}
    settings = spark_settings("spark://host:7077", options)
    assert settings["spark.network.crypto.enabled"] == "true"
    assert "spark.ui.enabled" not in settings


def test_that_rows_without_any_cookie_have_a_field_for_it() -> None:
    columns = {"kind": [rows.ROW], "user": ["u"], "time": [0], "place": [0], "query": ["a"]}
    columns |= {"url": [None], "rank": [-1], "ip": [None], "cookie": [None]}
    table = pa.Table.from_batches([rows.make_batch(columns, rows.ROWS)])
    for cookie in (False, True):
        sheet = DistributedTable("log.tsv", tsv_heading(False, ip=False, cookie=cookie), 1)
        fields = format_lines(sheet, table).rstrip(b"\n").split(b"\t")
        assert len(fields) == len(sheet.heading)


LOCAL_ALONE: list[tuple[str, list[str], str]] = [
    ("frequency-threshold", ["--preview-seed", "0"], "preview"),
    ("frequency-threshold", ["--sample-users", "0"], "--sample-users"),
    ("safelog", ["--sample-users", "0.5"], "leave --sample-users out"),
    # kΘ-affinity among them: its stems are shared by all queries of a log
    *((name, [], f"The Spark engine has no {name}; it has safelog")
      for name in sorted(set(METHODS) - set(list_methods()))),
]  # fmt: skip


@pytest.mark.parametrize(("method", "words", "message"), LOCAL_ALONE)
def test_that_what_one_machine_alone_can_do_is_refused_before_a_session(
    method: str, words: list[str], message: str, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.delattr(session, "open_session")
    log, out = tmp_path / "log.tsv", tmp_path / "out"
    log.write_text("AnonID\tQuery\tQueryTime\n1\trose\t2006-03-01 00:00:00\n")
    command = ["anonymize", str(log), "--method", method, "--engine", "spark", "--out", str(out)]
    assert main([*command, *words]) == 2
    errors = capsys.readouterr().err
    assert message in errors
    assert words or "--engine local" in errors
    assert not out.exists()


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("k-delta", {}, "`engine` local"),
    ("safelog", {"suppress": "names"}, "The Spark engine suppresses no strings"),
    ("korolova", {"suppress": "names"}, "The Spark engine suppresses no strings"),
    ("korolova", {"protected_unit": "day"}, "protects whole histories only"),
    ("trends-index", {"T": 5, "sample": 0.5}, "draws no sample"),
    ("numbered-sessions", {"times": "day"}, "can't release times of numbered-sessions"),
    ("token-hashing", {"columns": "keep", "times": "exact"}, "Use `engine` local"),
    ("day-pseudonyms", {"columns": "drop", "times": "shuffled"}, "Use `engine` local"),
    ("entity-allowlist", {"columns": "drop", "times": "shuffled"}, "Use `engine` local"),
]


@pytest.mark.parametrize(("method", "params", "words"), REFUSED)
def test_that_what_spark_can_not_release_is_refused(
    method: str, params: dict[str, Any], words: str
) -> None:
    intent = Intent(method=method).choose(method).set(**params)
    with pytest.raises(ParameterError, match=words):
        SparkJob(None, None, intent)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="lets every rule of the detector count fully"):
        SparkJob(None, None, Intent(method="safelog").weigh_rules({"person:name": 0.5}))  # type: ignore[arg-type]
