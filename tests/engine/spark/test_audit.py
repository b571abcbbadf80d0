"""An audit on Spark: the local one where the log fits, else whole counts and a sample's attacks."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from auditor.__main__ import main
from auditor.attacks.registry import ATTACKS
from auditor.engine.backends.spark.job import SparkJob
from auditor.engine.plan import Intent
from auditor.log.model import QueryLog
from auditor.log.out_of_core.splits import LogSplits
from auditor.measures.registry import MEASURES
from auditor.progress import silent_progress
from auditor.release.distributed_export import (
    count_content,
    leave_unjudged,
    sketch_splits,
    write_spread_release,
)
from auditor.release.kept_content import ContentFacts, KeptContent
from auditor.release.ledger.history import sketch_log
from auditor.release.loading import read_release
from tests.engine.spark.spark_logs import HARDLY_ANY_NOISE, silence_union

SKIPPED = [name for name in MEASURES if name not in ("volume", "frequencies")]
# Both engines hand the same log to them, and what they make of it is tested with each.
SKIPPED += ["near-linkage", "semantic-linkage", "planted-stems", "structural", "unbundling"]
SKIPPED += ["vanity", "geo-vanity", "entity-exposure", "composition-exposure"]
ROWS = ["--method", "frequency-threshold", "-p", "n=5", "-p", "record-linkage.targets=50"]
DAYS = ["--method", "day-pseudonyms", "-p", "times=exact", "-p", "record-linkage.targets=50"]
DAYS += ["--skip", "mini-session-linkage"]  # it draws which records it compares
CUT = ["--method", "entity-allowlist", "-p", "times=exact", "-p", "k_entity=5"]
CUT += ["-p", "session_queries=3", "-p", "columns=keep", "-p", "group=5"]
CUT += DAYS[-2:]
NUMBERED = ["--method", "numbered-sessions", "--skip", "hash-inversion"]  # words tie by chance
HASHED = ["--method", "token-hashing", *NUMBERED[2:], "-p", "record-linkage.targets=50"]
NOISE = ("b", "b_c", "b_t")
TABLES = ["--method", "safelog", "-p", "K=3", "-p", "K_c=2", "-p", "K_t=2", "-p", "q_f=6"]
TABLES += [word for name in NOISE for word in ("-p", f"{name}={HARDLY_ANY_NOISE}")]
TABLES += ["-p", "dp-audit.runs=100", "-p", "dp-audit.copies=500"]
QUIET = ["-p", "epsilon=100", "-p", "dp-audit.runs=100", "-p", "dp-audit.copies=500"]
DATED = ["--method", "dated-counts", "-p", "q_f=2", "-p", "days=2", *QUIET]
SELECTED = ["--method", "partition-selection", "-p", "q_f=3", *QUIET]
GROUPED = [*SELECTED, "-p", "group_by=country"]
UNION = ["--method", "set-union", "-p", "q_f=6", "-p", "weighting=screened", *QUIET]


Audit = Callable[..., tuple[int, dict[str, Any]]]


@pytest.fixture
def audit(
    spark: Any, path: Path, tmp_path: Path,
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
) -> Audit:  # fmt: skip
    """``audit(out, words)``, with a ledger of its own → the exit code and the JSON."""
    del spark  # the running session is used

    def run(out: str, words: list[str]) -> tuple[int, dict[str, Any]]:
        monkeypatch.setenv("AUDITOR_DATA", str(tmp_path / f"data-{out}"))
        command = ["audit", str(path), "--out", str(tmp_path / out), "--no-pdf", "--json"]
        skipped = [word for name in SKIPPED for word in ("--skip", name)]
        code = main([*command, "--max-rejected", "1", *skipped, *words])
        captured = capsys.readouterr()
        assert captured.out, captured.err
        return code, json.loads(captured.out)

    return run


def gates_of(result: dict[str, Any]) -> dict[str, Any]:
    return {entry["name"]: entry for entry in result["gates"]["results"]}


def judge_alone(result: dict[str, Any]) -> dict[str, Any]:
    """All that was judged, without the moments at which it was."""
    figures = {name: value for name, value in result["gates"]["figures"].items() if name != "made"}
    figures.pop("decided")
    return {**result["gates"], "figures": figures, "verdict": result["verdict"]}


AUDITED = (TABLES, DATED, SELECTED, GROUPED, UNION, DAYS, CUT, NUMBERED, HASHED)


@pytest.mark.parametrize(
    "words", [ROWS, *(pytest.param(words, marks=pytest.mark.slow) for words in AUDITED)]
)
def test_that_a_log_that_fits_is_judged_as_on_one_machine(
    audit: Audit, tmp_path: Path, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    silence_union(monkeypatch)
    results, manifests, names = [], [], []
    for engine in ("local", "spark"):
        results.append(audit(engine, [*words, "--engine", engine]))
        out = tmp_path / engine
        names.append(sorted(f.name for f in (*out.iterdir(), *Path(f"{out}.internal").iterdir())))
        manifests.append(json.loads((out / "manifest.json").read_text()))
    assert results[0][0] == results[1][0]
    assert judge_alone(results[0][1]) == judge_alone(results[1][1])
    assert names[0] == names[1]
    for name in ("method", "params", "content", "changes"):
        assert manifests[0].get(name) == manifests[1].get(name), name
    assert manifests[0]["statement"]["claim"] == manifests[1]["statement"]["claim"]


@pytest.mark.slow
def test_that_a_sample_is_judged_by_the_worse_end_and_passes_no_count(
    audit: Audit, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, result = audit("out", [*ROWS, "--engine", "spark", "--check-users", "50"])
    assert code == 1
    figures, gates = result["gates"]["figures"], gates_of(result)
    linked = figures["attacks"]["record-linkage"]
    users, of = linked["sample"]
    assert users <= 50 < of == figures["users"]
    assert gates["linkage"]["value"] == linked["interval"][1] >= linked["figures"]["rate"]
    assert f"a sample of {users} of {of} users" in gates["linkage"]["evidence"]
    for name in ("names", "identifiers", "planted", "one-history"):
        assert gates[name]["verdict"] == "not measured", name
    assert gates["tried-record-linkage"]["verdict"] == "passed"
    assert not any("figures" in entry for entry in figures["measures"].values())
    command = ["approve", str(tmp_path / "out"), "--reviewer", "A", "--key", "k.pem", "--json"]
    assert main(command) == 1
    assert {"linkage", "planted"} <= set(json.loads(capsys.readouterr().out)["blocking"])


@pytest.mark.slow
@pytest.mark.parametrize("is_told", [True, False])
def test_that_a_release_of_others_is_bounded_by_a_sample_of_its_users(
    audit: Audit, log: QueryLog, tmp_path: Path, is_told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("secrets.token_bytes", lambda size: b"k" * size)
    frame = log.without_blank.to_pandas()[["user", "query", "time"]]
    names = {user: f"p{n * 7919 % 100_003}" for n, user in enumerate(frame["user"].unique())}
    common = frame.groupby("query")["user"].transform("nunique") >= 3
    released = frame[common].assign(user=frame["user"].map(names))
    released.to_csv(tmp_path / "theirs.csv", index=False)
    lines = [f"{name}\t{user}\n" for user, name in names.items()]
    (tmp_path / "truth.tsv").write_text("".join(lines))
    words = ["--release", str(tmp_path / "theirs.csv"), "--check-users", "50"]
    words += ["--truth", str(tmp_path / "truth.tsv")] if is_told else []
    attacks = ("record-linkage", "unicity")
    _, local = audit("local", words)
    code, result = audit("some", [*words, "--engine", "spark"])
    assert code == 1
    if not is_told:
        assert not result["attacks"]
        assert all("needs a truth table" in result["skipped"][name] for name in attacks)
        return
    figures, gates = result["gates"]["figures"], gates_of(result)
    users, of = figures["attacks"]["unicity"]["sample"]
    assert users <= 50 < of == figures["users"]
    for name in attacks:
        assert 0 < local["attacks"][name] <= figures["attacks"][name]["interval"][1], name
    assert gates["linkage"]["value"] == figures["attacks"]["record-linkage"]["interval"][1]
    for name in ("names", "identifiers", "planted", "queries"):
        assert gates[name]["verdict"] == "not measured", name


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "params", "is_added"),
    [
        ("frequency-threshold", {"n": 5}, False),
        ("entity-allowlist", {"forbidden": "mask", "k_entity": 20}, True),
        ("dp-public-key-counts", {"threshold": 0}, True),
    ],
)
def test_that_what_is_counted_on_spark_is_what_one_machine_counts(
    spark: Any, splits: LogSplits, log: QueryLog, tmp_path: Path,
    method: str, params: dict[str, Any], is_added: bool,
) -> None:  # fmt: skip
    if method == "dp-public-key-counts":
        items = tmp_path / "items.tsv"
        absent = [f"never issued {n}" for n in range(30)]
        items.write_text("\n".join(["query", "hot query", *absent]))
        params = params | {"items": str(items)}
    intent = Intent(method=method, attacks=(), measures=()).choose(method).set(**params)
    job, out = SparkJob(spark, splits, intent), tmp_path / "out"
    results: list[Any] = []

    def judge(run: Any, place: Path, facts: Any) -> Any:
        results.extend([*count_content(job, run), sketch_splits(job, log, b"k" * 32)])
        return leave_unjudged(run, place, facts)

    write_spread_release(job, splits.files, out, progress=silent_progress(), judge=judge)
    job.close()
    release = read_release(out)
    local = KeptContent.of(log, release)
    for name in ("queries", "log_queries", "searches", "log_searches", "added", "masked"):
        assert getattr(local, name) == getattr(results[0], name), name
    assert bool(local.added or local.masked) == is_added
    assert results[1] == ContentFacts.of(log, release)
    assert results[2] == sketch_log(log, b"k" * 32, silent_progress())


def test_that_few_attacks_bound_anything_by_a_sample_of_users() -> None:
    kinds: dict[str, set[str]] = {}
    for name in ATTACKS:
        kinds.setdefault(ATTACKS[name].sampled, set()).add(name)
    assert kinds["measured"] == {"record-linkage", "near-linkage", "semantic-linkage"}
    assert kinds["above"] == {"unicity"}
    assert (kinds["found"], kinds["whole"]) == ({"surviving-content"}, {"dp-audit"})
