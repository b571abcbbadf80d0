"""Spark against the local engine: the same rows where nothing is drawn, the same laws elsewhere.

One session of two cores serves all tests. With a scale of 0.01 the discrete Laplace is 0 but for
a chance of e^−100, so whole releases can be compared, file by file.
"""

from __future__ import annotations

import ast
import dataclasses
import itertools
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
from auditor.log.out_of_core.working_files import WorkingFiles
from auditor.log.reading.reader import read_log
from auditor.log.writing import tsv_heading, write_log
from auditor.methods.n_grams import method as n_grams
from auditor.methods.registry import METHODS
from auditor.methods.set_union.rounds import SetUnionNoise
from auditor.privacy.noise import noisy_at_least
from auditor.progress import Progress, silent_progress
from auditor.release.distributed_export import WORK
from auditor.release.export import write_released_log
from auditor.release.manifest import verify_folder
from tests.engine.spark.spark_logs import (
    HARDLY_ANY_NOISE,
    OPTIONS,
    cut_log,
    run,
    same_run,
    same_tables,
    silence_union,
    watch,
)
from tests.narrowing import present

QUIET = dict.fromkeys(("b", "b_c", "b_t"), HARDLY_ANY_NOISE)
STRICT = {"K": 3, "K_c": 2, "K_t": 2, "q_f": 6, "c_f": 4, **QUIET}
COUNTING: list[tuple[str, dict[str, Any]]] = [
    # as published, and its rare queries
    ("safelog", {"mode": "published", "tau": 4, "K": 5, "q_f": 7, "c_f": 5, **QUIET,
                 "b_q": HARDLY_ANY_NOISE}),
    # with every clicked page
    ("korolova", {"K": 4, "q_f": 5, "c_f": 3, "counting_unit": "rows", "clicks": "observed",
                  "b": HARDLY_ANY_NOISE, "b_q": HARDLY_ANY_NOISE, "b_c": HARDLY_ANY_NOISE}),
    # a plan alone, of which Spark and working files know nothing: at this ε' its noise is 0
    ("zealous", {"epsilon": 900.0, "delta": 1e-9}),
    ("zealous", {"epsilon": 900.0, "delta": 1e-9, "tau": 3}),
]  # fmt: skip


def test_that_safelog_releases_what_it_does_on_one_machine(
    spark: Any, splits: LogSplits, log: QueryLog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    collected = watch(monkeypatch)
    result, _ = same_run(spark, splits, log, tmp_path / "out", "safelog", **STRICT)
    fetched = sum(collected)
    assert (len(result.log), len(result.log.users), result.log.clicks, result.log.period) == (
        len(log), len(log.users), log.clicks, log.period
    )  # fmt: skip
    assert dict(result.log.origin.rejected) == dict(log.origin.rejected)
    rejects = [(r.line, r.reason, r.column) for r in result.log.origin.rejects]
    assert rejects == [(r.line, r.reason, r.column) for r in log.origin.rejects]
    assert verify_folder(tmp_path / "out") == []
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out", "out.internal"]
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    rows_written = (tmp_path / "out" / "queries.tsv").read_bytes().count(b"\n") - 1
    assert manifest["content"]["rows"]["queries.tsv"] == rows_written
    assert "seed" not in json.dumps(manifest["params"])
    # All but the refused rows, which are bounded by an option: what came to the driver is few.
    assert fetched - len(rejects) < 60


NOISELESS: list[tuple[str, dict[str, Any]]] = [
    ("partition-selection", {"epsilon": 100.0, "q_f": 3, "k": 4}),
    ("dated-counts", {"epsilon": 100.0, "q_f": 2, "days": 2, "last_day": 20060302}),
    ("set-union", {"weighting": "screened", "q_f": 6, "epsilon": 8.0}),
    ("dated-counts", {"epsilon": 100.0, "q_f": 3, "step": "week", "protected_unit": "day"}),
    ("set-union", {"q_f": 4, "epsilon": 8.0}),
    ("set-union", {"rounds": 3, "q_f": 6, "epsilon": 8.0}),
    ("set-union", {"weighting": "adaptive", "rounds": 2, "q_f": 5, "epsilon": 8.0}),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("method", "params"), NOISELESS)
def test_that_sets_of_queries_are_those_of_one_machine(
    spark: Any, splits: LogSplits, log: QueryLog, tmp_path: Path, method: str,
    params: dict[str, Any], monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """At ε = 100 the truncated noise is 0; set union's own scales are made so small that it is."""
    silence_union(monkeypatch)
    result, _ = same_run(spark, splits, log, tmp_path / "out", method, **params)
    assert 3 < result.result.release.changes["queries_released"] < len(log.queries)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out", "out.internal"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "params", [{"longest": 2, "q_f": 4, "epsilon": 8.0}, {"longest": 4, "q_f": 9, "epsilon": 20.0}]
)
def test_that_n_grams_are_those_of_one_machine(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, params: dict[str, Any]
) -> None:
    draw = random.Random(2)
    lines = ["AnonID\tQuery\tQueryTime"]
    for _ in range(700):
        words = [f"w{int(draw.expovariate(0.6))}é" for _ in range(draw.randint(1, 6))]
        text = draw.choice([" ", "  "]).join(words) if draw.random() < 0.95 else " "
        lines.append(f"u{draw.randrange(50)}\t{text}\t2006-03-01 00:00:{draw.randint(10, 59)}")
    (tmp_path / "log.tsv").write_text("\n".join(lines), encoding="utf-8")
    derive = n_grams.derive_noise
    monkeypatch.setattr(
        n_grams,
        "derive_noise",
        lambda params: dataclasses.replace(derive(params), sigma=HARDLY_ANY_NOISE),
    )
    splits = plan_splits(tmp_path / "log.tsv", size=4096)
    log = read_log(tmp_path / "log.tsv")
    result, _ = same_run(spark, splits, log, tmp_path / "out", "n-grams", **params)
    assert result.result.release.changes[f"released_of_length_{params['longest']}"] > 3


@pytest.mark.slow
@pytest.mark.parametrize(("method", "params"), COUNTING)
def test_that_counting_plans_release_the_same_on_every_executor(
    spark: Any, splits: LogSplits, path: Path, log: QueryLog, tmp_path: Path, method: str,
    params: dict[str, Any],
) -> None:  # fmt: skip
    same_run(spark, splits, log, tmp_path / "out", method, **params)
    if method == "zealous":
        with WorkingFiles(1 << 30) as spill:
            spilled = read_log(path, OPTIONS, spill=spill)
            same_tables(tmp_path / "out", anonymize(spilled, method, **params))


@pytest.mark.slow
def test_that_rows_of_frequent_queries_are_kept_to_the_byte(
    spark: Any, splits: LogSplits, log: QueryLog, tmp_path: Path
) -> None:
    params: dict[str, Any] = {"n": 5, "ids": "keep"}
    _, local = same_run(spark, splits, log, tmp_path / "out", "frequency-threshold", **params)
    assert local.log is not None
    write_log(local.log, tmp_path / "local.tsv")
    assert (tmp_path / "out" / "log.tsv").read_bytes() == (tmp_path / "local.tsv").read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("ids", ["keep", "drop"])
def test_that_a_log_is_escaped_as_on_one_machine(spark: Any, tmp_path: Path, ids: str) -> None:
    path = tmp_path / "acting.tsv"
    queries = ["plain", "back\\\\slash", "\x1b[2J", "turned \u202e about", "\u2028"]
    rows_of_all = [
        f"u\x7f{user}\t{query}\t2006-03-01 00:00:0{user}\t\t"
        for user in range(3) for query in queries[: 5 if ids == "keep" else 2]
    ]  # fmt: skip
    path.write_text("\n".join(["AnonID\tQuery\tQueryTime\tItemRank\tClickURL", *rows_of_all]))
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
def test_that_random_numbers_are_a_renaming_that_differs_each_time(
    spark: Any, splits: LogSplits, log: QueryLog, tmp_path: Path
) -> None:
    local = present(anonymize(log, "frequency-threshold", n=9, ids="keep").log)
    run(spark, splits, tmp_path / "out", "frequency-threshold", n=9)
    released = read_log(tmp_path / "out" / "log.tsv")
    assert sorted(released.users.list_strings(), key=int) == [
        str(k + 1) for k in range(len(local.users))
    ]
    assert histories(released) == histories(local)


def histories(log: QueryLog) -> Counter[tuple[Any, ...]]:
    """Everybody's rows without her id."""
    query = log.queries.list_strings(log.query)
    url = ["" if code < 0 else log.urls[code] for code in log.url.tolist()]
    records = list(zip(log.time.tolist(), query, url, log.rank.tolist(), strict=True))
    ends = log.user_starts.tolist()
    return Counter(tuple(records[a:b]) for a, b in itertools.pairwise(ends))


@pytest.mark.slow
def test_that_hashed_words_stand_where_words_stood(
    spark: Any, splits: LogSplits, log: QueryLog, tmp_path: Path
) -> None:
    _, local = same_run(spark, splits, log, tmp_path / "out", "token-hashing", urls="hashed")
    assert local.log is not None
    released = read_log(tmp_path / "out" / "log.tsv")
    assert shape(released) == shape(local.log)
    assert not set(released.queries.list_strings()) & set(local.log.queries.list_strings()), (
        "one key twice"
    )
    assert released.users.list_strings() == sorted(released.users.list_strings())


@pytest.mark.slow
def test_that_bundles_are_as_large_as_on_one_machine(spark: Any, tmp_path: Path) -> None:
    path = tmp_path / "addresses.tsv"
    draw = random.Random(3)
    lines = ["AnonID\tQuery\tQueryTime\tItemRank\tClickURL\tIP\tCookie"]
    for _ in range(1500):
        user = draw.randrange(60)
        address = "" if draw.random() < 0.05 else f"10.0.{user % 7}.{draw.randrange(9)}"
        cookie = "" if draw.random() < 0.05 else f"c{user}"
        when = f"2006-03-01 00:00:{draw.randrange(60):02d}"
        click = "1\thttp://a.org" if draw.random() < 0.3 else "\t"
        lines.append(f"u{user}\tq{draw.randrange(30)}\t{when}\t{click}\t{address}\t{cookie}")
    path.write_text("\n".join(lines))
    splits, log = cut_log(path)
    settings: tuple[dict[str, Any], ...] = (
        {"by": "ip-mask", "bits": 8},
        {"by": "random-users", "group": 6},
    )
    for number, by in enumerate(settings):
        folder = tmp_path / f"out{number}"
        result = run(spark, splits, folder, "bundling", **by)
        local = anonymize(log, "bundling", **by)
        assert local.log is not None
        released = read_log(folder / "log.tsv")
        assert len(released) == len(log)
        assert released.users.list_strings() == [str(n + 1) for n in range(len(local.log.users))]
        assert released.ip is None
        assert released.cookie is None
        if by["by"] == "ip-mask":
            assert result.result.release.statement.to_dict() == local.statement.to_dict()
            assert dict(result.result.release.changes) == dict(local.changes)
            assert sorted(map(sorted, rows_of(released))) == sorted(map(sorted, rows_of(local.log)))
        else:
            assert result.result.release.changes["bundles"] == local.changes["bundles"]


def rows_of(log: QueryLog) -> list[list[Any]]:
    """The rows of every bundle."""
    return [list(rows) for rows in histories(log).elements()]


def shape(log: QueryLog) -> Any:
    """What no key changes: how often words and pages stand, and how long histories are."""
    words: Counter[str] = Counter()
    for text in log.queries.list_strings(log.query):
        words.update(text.split())
    pages = Counter(log.url.tolist())
    sizes = sorted(np.diff(log.user_starts).tolist())
    return sorted(words.values()), sorted(pages.values()), sizes, sorted(log.time.tolist())


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
    spark: Any,
    splits: LogSplits,
    log: QueryLog,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    victim: str,
    deaths: int,
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
        run(spark, splits, tmp_path / "out", "safelog", **only)
        same_tables(tmp_path / "out", anonymize(log, "safelog", **only))
        assert sorted(p.name for p in tmp_path.iterdir()) == ["graves", "out", "out.internal"]
    else:
        with pytest.raises(EngineFailed, match="Nothing was released"):
            run(spark, splits, tmp_path / "out", "safelog", **only)
        assert [p.name for p in tmp_path.iterdir()] == ["graves"]


LOST: list[tuple[str, dict[str, Any]]] = [
    NOISELESS[0],
    NOISELESS[1],
    ("dated-counts", {"epsilon": 100.0, "q_f": 2, "days": 2, "group_by": "country"}),
    ("click-pairs", {"k": 3}),
    ("frequency-threshold", {"n": 5, "ids": "keep"}),
    ("numbered-sessions", {"top_queries": 1}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("method", "params"), LOST)
def test_that_workers_lost_while_drawing_and_while_writing_change_no_release(
    spark: Any, splits: LogSplits, log: QueryLog, tmp_path: Path, method: str,
    params: dict[str, Any], monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    check = session.check_folder

    def check_dying(folder: str) -> None:
        grave = tmp_path / ("drawing" if Path(folder).name == WORK else "writing")
        if not grave.exists():
            grave.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        check(folder)

    monkeypatch.setattr(run_context, "check_folder", check_dying)
    same_run(spark, splits, log, tmp_path / "out", method, **params)
    assert (tmp_path / "writing").exists()
    assert (tmp_path / "drawing").exists() == METHODS[method].randomised


@pytest.mark.slow
def test_that_later_rounds_follow_from_what_the_second_try_of_a_round_drew(
    spark: Any, splits: LogSplits, log: QueryLog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
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
    run(spark, splits, tmp_path / "out", "set-union", **params)
    assert grave.exists()
    same_tables(tmp_path / "out", anonymize(log, "set-union", **params))


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
    import threading

    stop = threading.Event()
    stop.set()
    with pytest.raises(Cancelled):
        run_action(spark, lambda: 1, Progress(cancelled=stop))


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


@pytest.mark.parametrize("master", ["local[2]", "yarn", "k8s://https://host:443"])
def test_that_connections_are_encrypted_wherever_spark_makes_a_secret(master: str) -> None:
    assert spark_settings(master, {}) == SETTINGS


def test_that_a_cluster_without_a_secret_is_used_as_it_is_and_what_somebody_said_stays() -> None:
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


@pytest.mark.parametrize("words", [["--preview-seed", "0"], ["--sample-users", "0"]])
def test_that_a_refused_option_is_refused_with_the_value_0(
    tmp_path: Path, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "open_session", _refuse_session)
    path = tmp_path / "log.tsv"
    path.write_text("AnonID\tQuery\tQueryTime\tItemRank\tClickURL\nu\ta\t2026-03-01\t\t\n")
    command = ["anonymize", str(path), "--method", "frequency-threshold", "--engine", "spark"]
    assert main([*command, "--out", str(tmp_path / "out"), *words]) == 2


@pytest.mark.parametrize("method", sorted(set(METHODS) - set(list_methods())))
def test_that_every_method_which_spark_has_not_is_refused_before_a_session(
    method: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """kΘ-affinity among them: its stems are shared by all queries of a log."""
    monkeypatch.setattr(session, "open_session", _refuse_session)
    log, out = tmp_path / "log.tsv", tmp_path / "out"
    log.write_text("AnonID\tQuery\tQueryTime\n1\trose\t2006-03-01 00:00:00\n")
    words = ["anonymize", str(log), "--method", method, "--engine", "spark", "--out", str(out)]
    assert main(words) == 2
    message = capsys.readouterr().err
    assert f"The Spark engine has no {method}; it has safelog" in message
    assert "--engine local" in message
    assert not out.exists()


def _refuse_session(*args: Any) -> None:
    raise AssertionError("no session is needed to refuse")


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("k-delta", {}, "`engine` local"),
    ("safelog", {"suppress": "names"}, "The Spark engine suppresses no strings"),
    ("korolova", {"suppress": "names"}, "The Spark engine suppresses no strings"),
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


def test_that_spark_refuses_weights_of_rules() -> None:
    intent = Intent(method="safelog").weigh_rules({"person:name": 0.5})
    with pytest.raises(ParameterError, match="lets every rule of the detector count fully"):
        SparkJob(None, None, intent)  # type: ignore[arg-type]
