"""The command line's contract: verbs, exit codes, and JSON alone on standard output."""

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from auditor.attacks.registry import ATTACKS
from auditor.measures.registry import MEASURES
from auditor.methods.registry import METHODS
from auditor.release.loading import read_release
from tests.policies import policy_text
from tests.release import fakes

TSV = """AnonID\tQuery\tQueryTime\tItemRank\tClickURL
1\tcar decals\t2006-03-03 23:20:12\t4\thttp://www.decals.example
1\tcar decals\t2006-03-03 23:20:12\t1\thttp://www.modern.example
1\tbad row\tnot a time\t\t
2\tcar decals\t2006-03-04 10:00:00\t\t
2\t=cmd()\t2006-03-04 10:01:00\t\t
3\tcar decals\t2006-03-05 10:00:00\t1\thttp://www.decals.example
"""


MANY_BAD = ("--max-rejected", "0.5")


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.tsv"
    path.write_text(TSV, encoding="utf-8")
    return path


def test_that_inspect_gives_the_keys_of_the_contract_and_says_whom_the_log_protects(
    answer: Any, printed: Any, log: Path
) -> None:
    facts = answer("inspect", log, *MANY_BAD)
    assert facts["format"] == "aol"
    assert (facts["rows"], facts["users"], facts["queries"], facts["clicks"]) == (5, 3, 2, 3)
    assert sum(facts["rejected"].values()) == 1
    assert facts["rejects"][0]["line"] == 4
    assert (facts["start"], facts["end"]) == ("2006-03-03T23:20:12Z", "2006-03-05T10:00:00Z")
    lines = printed("inspect", log, *MANY_BAD).splitlines()
    assert lines[0] == "5 rows of 3 users, 2006-03-03 to 2006-03-05; 1 more could not be read"
    assert lines[1].startswith("Protects   One user is one value of the column")
    assert any(line.startswith("  log.tsv line 4") for line in lines)


def test_that_inspect_names_languages_and_which_of_them_no_list_covers(
    answer: Any, printed: Any, tmp_path: Path
) -> None:
    queries = ["previsão do tempo amanhã", "cheap flights to rome", "wie lange kocht ein ei"]
    rows = [f"u{n}\t{query}\t2020-01-0{n} 10:00:00" for n in range(1, 9) for query in queries]
    file = tmp_path / "log.tsv"
    file.write_text("\n".join(["user\tquery\ttime", *rows]), "utf-8")
    shares = answer("inspect", file)["languages"]
    third = pytest.approx(1 / 3, abs=0.02)
    assert shares == dict.fromkeys(("English", "German", "Portuguese"), third)
    (line,) = (line for line in printed("inspect", file).split("\n") if "Languages" in line)
    assert "Portuguese 33 % (no list" in line
    assert "German 33 % (" not in line


def test_that_a_log_is_several_files_a_pattern_or_the_standard_input(
    answer: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for month, user in ((1, "ann"), (2, "bob")):
        text = f"user,query,time\n{user},red shoes,2026-0{month}-03 10:00:00\n"
        (tmp_path / f"{month}.csv").write_text(text, encoding="utf-8")
    several = answer("inspect", tmp_path / "1.csv", tmp_path / "2.csv")
    pattern = answer("inspect", tmp_path / "?.csv")
    assert several == pattern
    assert (several["rows"], several["users"], several["files"]) == (2, 2, ["1.csv", "2.csv"])
    out, bundled = tmp_path / "out", ("--policy", "public", "--method", "day-pseudonyms")
    plan = answer(
        "audit", tmp_path / "1.csv", tmp_path / "2.csv", *bundled, "--out", out, "--dry-run"
    )
    assert plan["rows"] == 2  # what else a command reads is no part of the log
    piped = io.TextIOWrapper(io.BytesIO((tmp_path / "1.csv").read_bytes()))
    monkeypatch.setattr("sys.stdin", piped)
    alone = answer("inspect", "-", "--time-zone", "Europe/Berlin")
    assert (alone["rows"], alone["start"]) == (1, "2026-01-03T10:00:00")


def test_that_nobody_is_protected_until_somebody_said_whom(
    answer: Any, refused: Any, tmp_path: Path
) -> None:
    path, out = tmp_path / "log.csv", tmp_path / "release"
    rows = [f"shop,client-{n % 5},2024-05-0{1 + n % 8} 10:00:00,red shoes" for n in range(60)]
    path.write_text("application,who,timestamp,keywords\n" + "\n".join(rows), encoding="utf-8")
    message = refused("inspect", path, "--json")
    assert "Whom does the log protect?" in message
    assert "who: 5 distinct in 60 rows, for example c••••••0" in message
    assert "application: 1 distinct in 60 rows" in message
    assert "all rows have the same value" in message
    assert "client-" not in message
    named = ("--columns", "user=who,query=keywords")
    facts = answer("inspect", path, *named)
    assert facts["users"] == 5
    assert facts["user_column"]["name"] == "who"
    assert facts["user_column"]["chosen"] == "person"
    result = answer("anonymize", path, *named, "--method", "safelog", "--out", out)
    assert "“who”: whoever opened the log chose it" in result["statement"]["user_column"]["text"]
    assert read_release(out).statement.user_column is not None
    assert "“who”" in (out / "report.html").read_text(encoding="utf-8")


def test_that_a_release_is_made_measured_attacked_and_verified(
    call: Any, answer: Any, printed: Any, log: Path, tmp_path: Path
) -> None:
    out = tmp_path / "release"
    how = ("--method", "frequency-threshold", "-p", "n=2", "--out", out)
    assert answer("anonymize", log, *MANY_BAD, *how)["statement"]["model"] == "none"
    manifest = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
    keys = {"method", "params", "statement", "changes", "measures", "files", "versions"}
    assert keys <= set(manifest)
    assert manifest["params"]["n"] == 2
    assert set(manifest["files"]) >= {"log.tsv", "report.html"}
    data = (out / "log.tsv").read_bytes()
    assert b"=cmd()" not in data
    verified = answer("verify", out)
    assert (verified["ok"], verified["problems"], verified["signed"]) == (True, [], False)
    assert answer("measure", "volume", log, out, *MANY_BAD)["measure"] == "volume"
    attacked = answer("attack", "surviving-content", log, out, *MANY_BAD)
    assert {"attack", "params", "rate", "baseline", "interval"} <= set(attacked)
    (out / "log.tsv").write_bytes(bytes([data[0] ^ 1]) + data[1:])
    assert call("verify", out)[0] == 1
    assert "signed" not in printed("verify", out / "none", code=1)


@pytest.fixture
def crowd(tmp_path: Path) -> Path:
    """Sixty users who share six queries, with addresses and cookies: enough for every method."""
    lines = ["AnonID\tQuery\tQueryTime\tItemRank\tClickURL\tIP\tCookie"]
    for user in range(60):
        for step in range(5):
            query = f"query number {(user + step * step) % 6}"
            when = f"2006-03-{1 + step:02d} 10:{user:02d}:00"
            click = f"1\thttp://page{(user + step) % 4}.example" if step % 2 else "\t"
            lines.append(f"{user}\t{query}\t{when}\t{click}\t10.0.{user % 3}.{user}\tc{user}")
    path = tmp_path / "crowd.tsv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def doubles(tmp_path: Path) -> Path:
    """Ann and Bob have one record; Cid asked the same at other times, Dot something else."""
    path = tmp_path / "doubles.tsv"
    path.write_text(
        "user\tquery\ttime\turl\n"
        "ann\trose\t2006-03-04 10:00:00\thttp://www.a.example\n"
        "ann\ttulip\t2006-03-04 11:00:00\t\n"
        "bob\trose\t2006-03-04 10:00:00\thttp://www.a.example\n"
        "bob\ttulip\t2006-03-04 11:00:00\t\n"
        "cid\trose\t2006-03-05 10:00:00\thttp://www.a.example\n"
        "cid\ttulip\t2006-03-05 12:00:00\t\n"
        "dot\troses\t2006-03-05 10:00:00\thttp://www.a.example\n",
        encoding="utf-8",
    )
    return path


def test_that_anybodys_log_is_held_against_user_k_and_failing_users_are_named(
    call: Any, printed: Any, doubles: Path
) -> None:
    verify = ("verify", "--model", "user-k", doubles, "-p", "k=2")
    failing = {"failing_users": ["cid", "dot"], "smallest": 1, "groups": 3}
    facts = {"ok": False, "model": "user-k", "k": 2, "users": 4} | failing
    assert call(*verify) == (1, facts)
    output = printed(*verify, code=1)
    assert "fails for 2 of 4 users" in output
    assert "cid" in output
    assert "rose" not in output


@pytest.mark.parametrize(
    ("values", "code", "failing", "distance"),
    [
        (("k=3",), 1, ["dot"], 0.5),  # whose rose is half of theirs
        (("k=3", "epsilon=0.5"), 0, [], None),
        (("k=5",), 1, None, "infinite"),
    ],
)
def test_that_anybodys_log_is_held_against_k_delta(
    call: Any, doubles: Path, values: tuple[str, ...], code: int, failing: Any, distance: Any
) -> None:
    """Ann, Bob and Cid have equal shares whenever they asked."""
    words = [word for value in ("delta=0.5", *values) for word in ("-p", value)]
    ended, facts = call("verify", "--model", "k-delta", doubles, *words)
    assert (ended, facts["ok"]) == (code, code == 0)
    assert (facts["model"], f"k={facts['k']}", facts["delta"]) == ("k-delta", values[0], 0.5)
    assert failing is None or facts["failing_users"] == failing
    assert distance is None or facts["distance"] == distance


def test_that_clusters_may_come_from_another_logs_clicks(call: Any, tmp_path: Path) -> None:
    bare, clicked = tmp_path / "bare.tsv", tmp_path / "clicked.tsv"
    rows = "user\tquery\ttime{0}\na\trose\t2006-03-04{1}\nb\troses\t2006-03-04{1}\n"
    bare.write_text(rows.format("", ""))
    clicked.write_text(rows.format("\turl", "\thttp://x.example"))
    verify = ("verify", "--model", "k-delta", bare, "-p", "k=2")
    code, facts = call(*verify)
    assert (code, len(facts["failing_users"])) == (1, 2)
    assert call(*verify, "--clicks", clicked)[1]["ok"]


@pytest.mark.parametrize(
    ("method", "model", "values"),
    [("k-delta", "k-delta", ("k=2", "size=exact")), ("microaggregation", "user-k", ("k=3",))],
)
def test_that_released_folders_pass_the_definition_they_claim(
    answer: Any, doubles: Path, tmp_path: Path, method: str, model: str, values: tuple[str, ...]
) -> None:
    out = tmp_path / "release"
    chosen = [word for value in values for word in ("-p", value)]
    answer("anonymize", doubles, "--method", method, *chosen, "--out", out)
    clicks = ("--clicks", doubles) if model == "k-delta" else ()
    assert answer("verify", "--model", model, out, "-p", values[0], *clicks)["ok"]


def test_that_a_sweep_over_k_has_the_points_of_every_curve(
    answer: Any, doubles: Path, tmp_path: Path
) -> None:
    out = tmp_path / "grid.parquet"
    grid = ("sweep", doubles, "--method", "microaggregation", "--grid", "k=1,2,4", "--out", out)
    checks = ("--measure", "similarity", "--measure", "frequencies", "--attack", "record-linkage")
    answer(*grid, *checks)
    frame = pd.read_parquet(out)
    assert frame["k"].tolist() == [1, 2, 4]
    assert frame["similarity.nearest_after"].tolist()[-1] == 1
    assert frame["similarity.added_per_user"].notna().all()
    assert frame["record-linkage.rank1"].is_monotonic_decreasing
    assert frame["seconds"].min() > 0
    # Figs. 7 and 8: the log's most frequent queries and words, at each k.
    assert [list(row) for row in frame["frequencies.top_queries_log"]] == [[3, 3, 1]] * 3
    assert list(frame["frequencies.top_queries_released"][0]) == [3, 3, 1]
    assert [len(row) for row in frame["frequencies.top_words_released"]] == [3, 3, 3]
    text = " ".join(map(str, frame.to_numpy().ravel()))
    assert "rose" not in text
    assert "tulip" not in text


def skip_all_but(*names: str) -> list[str]:
    skipped = [name for name in (*ATTACKS, *MEASURES) if name not in names]
    return [word for name in skipped for word in ("--skip", name)]


@pytest.mark.usefixtures("quick_pages")
def test_that_an_audit_judges_by_a_policy_and_its_exit_code_says_so(
    call: Any, crowd: Path, tmp_path: Path
) -> None:
    rules = tmp_path / "policy.toml"
    gates = ("kept statement.epsilon most=3", "some release.queries least=1")
    rules.write_text(policy_text(*gates), "utf-8")
    base = ["audit", crowd, "--method", "zealous", "-p", "delta=0.01", "--policy", rules]
    base += ["--no-pdf", "--set", "surviving-content.min_risk=0.3"]
    base += skip_all_but("surviving-content")
    code, facts = call(*base, "-p", "epsilon=2", "--out", tmp_path / "one")
    assert (code, facts["gates"]["passed"]) == (0, True)
    assert facts["verdict"]["state"] == "can-be-released"
    assert facts["verdict"]["kept"]["queries"] > 0
    assert facts["gates"]["results"][0]["value"] == 2
    code, facts = call(*base, "-p", "epsilon=4", "--out", tmp_path / "two")
    assert (code, facts["gates"]["passed"]) == (1, False)
    assert facts["verdict"]["state"] == "cannot-be-released"
    manifest = json.loads((tmp_path / "two" / "manifest.json").read_text())
    assert manifest["verdict"]["state"] == "cannot-be-released"
    assert manifest["attacks"]["surviving-content"]["params"]["min_risk"] == 0.3
    evidence = json.loads((tmp_path / "two.internal" / "evidence.json").read_text())
    assert evidence["gates"]["results"][0]["verdict"] == "failed"
    assert "rate" in evidence["attacks"]["surviving-content"]


@pytest.mark.usefixtures("quick_pages")
def test_that_a_release_is_approved_signed_and_verified_with_a_key(
    call: Any, printed: Any, crowd: Path, tmp_path: Path
) -> None:
    rules, folder, key = tmp_path / "policy.toml", tmp_path / "release", tmp_path / "key.pem"
    gates = ("small statement.epsilon most=1", "some release.queries least=1")
    rules.write_text(policy_text(*gates), "utf-8")
    how = ["--policy", rules, "--no-pdf", "--out", folder, *skip_all_but()]
    assert call("audit", crowd, "--method", "zealous", "-p", "delta=0.01", *how)[0] == 1
    approval = ("approve", folder, "--reviewer", "R. Viewer", "--key", key)
    code, answer = call(*approval, "--new-key")
    assert (code, answer["approved"], answer["blocking"]) == (1, False, ["small"])
    assert answer["verdict"]["state"] == "cannot-be-released"
    override = ("--new-key", "--override", "small=for a closed circle")
    for wrong in (
        ("--reviewer", "\u200b ", *override),
        ("--new-key", "--override", "small=\u200b "),
        ("--key", folder / "key.pem", *override),
    ):
        assert call(*approval, *wrong)[0] == 2
    assert not key.exists()  # none is made for what is refused
    assert not (folder / "key.pem").exists()  # nor where it would be given away
    code, answer = call(*approval, *override)
    assert (code, answer["approved"]) == (0, True)
    assert answer["verdict"]["overridden"] == ["small"]
    assert answer["overrides"] == [{"gate": "small", "reason": "for a closed circle"}]
    public = ("--public-key", f"{key}.pub")
    code, verified = call("verify", folder, *public)
    assert (code, verified.pop("verdict")["overridden"]) == (0, ["small"])
    assert verified["key_fingerprint"] == answer["key_fingerprint"]
    facts = ("ok", "signed", "identified", "approved")
    assert all(verified[fact] is True for fact in facts)
    assert (verified["problems"], verified["overridden"]) == ([], ["small"])
    assert call("verify", folder)[0] == 0
    text = printed("verify", folder)
    assert "Can be released with 1 check overridden" in text
    assert "small" in text
    manifest = folder / "manifest.json"
    manifest.write_bytes(manifest.read_bytes().replace(b"closed", b"public"))
    assert call("verify", folder, *public)[0] == 1
    assert call(*approval)[0] == 1
    assert call(*approval, "--override", "small")[0] == 2


OF_EACH_KIND = (
    *("safelog", "n-grams", "dated-counts", "click-pairs", "frequency-threshold"),
    *("token-hashing", "bundling"),
)
"""Releases of counts, n-grams, dates and cells, of a readable log, of hashes and of bundles."""


@pytest.mark.parametrize("method", METHODS)
def test_that_every_method_makes_a_release_that_reads_back(
    answer: Any, crowd: Path, tmp_path: Path, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if method not in OF_EACH_KIND:  # whose reports are drawn
        fakes.quick_report(monkeypatch)
    out = tmp_path / "release"
    answer("anonymize", crowd, "--method", method, "--out", out)
    assert answer("verify", out)["ok"]
    release = read_release(out)
    assert release.method == method
    if method not in OF_EACH_KIND:
        return
    output = answer("measure", "all", crowd, out)
    assert list(output["results"]) == [m for m in MEASURES if not MEASURES[m].why_not(release)]


def test_that_a_preview_writes_figures_and_no_release(
    answer: Any, log: Path, tmp_path: Path
) -> None:
    how = ("anonymize", log, *MANY_BAD, "--method", "safelog", "--preview-seed", "3", "--out")
    first, second = answer(*how, tmp_path / "look"), answer(*how, tmp_path / "again")
    assert "not a release" in first["preview"]
    assert first["content_sha256"] == second["content_sha256"]
    assert [path.name for path in (tmp_path / "look").iterdir()] == ["preview.json"]


def test_that_a_sweep_ties_parameters_tunes_measures_and_draws(
    answer: Any, log: Path, tmp_path: Path
) -> None:
    out, plots = tmp_path / "grid.csv", tmp_path / "plots"
    result = answer(
        *("sweep", log, *MANY_BAD, "--method", "safelog", "-p", "mode=published"),
        *("-p", "tau=1", "-p", "K=1", "--grid", "q_f=c_f=1,2", "--equal"),
        *("--measure", "retrieval", "-p", "retrieval.folds=2", "--out", out, "--plots", plots),
    )
    assert [(row["q_f"], row["c_f"]) for row in result["rows"]] == [(1, 1), (2, 2)]
    assert {"users", "rows_used", "epsilon", "retrieval.coverage"} <= result["rows"][0].keys()
    assert (plots / "epsilon.svg").read_text(encoding="utf-8").startswith("<")
    assert "q_f = c_f" in (plots / "retrieval.coverage.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("verb", "registry"), [("methods", METHODS), ("attacks", ATTACKS), ("measures", MEASURES)]
)
def test_that_a_listing_names_everything_with_bounds_and_help(
    answer: Any, verb: str, registry: Any
) -> None:
    entries = answer(verb)
    assert [entry["name"] for entry in entries] == list(registry)
    assert answer(verb, entries[-1]["name"]) == entries[-1]
    numbers = [s for e in entries for s in e["params"] if s["kind"] in ("integer", "real")]
    assert all(s["low"] <= s.get("default", s["low"]) <= s["high"] for s in numbers)


def test_that_an_interrupt_exits_with_130_and_leaves_nothing(tmp_path: Path) -> None:
    lines = [f"{n % 997}\tquery {n % 5000}\t2006-03-04 10:01:00\t\t\n" for n in range(200_000)]
    log = tmp_path / "log.tsv"
    log.write_text("AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n" + "".join(lines))
    out = tmp_path / "release"
    command = [sys.executable, "-m", "auditor", "anonymize", str(log), "--method", "safelog"]
    process = subprocess.Popen(
        [*command, "--out", str(out)], stderr=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stderr is not None
    process.stderr.readline()
    time.sleep(0.05)
    os.kill(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert b"Traceback" not in err
    assert [path.name for path in tmp_path.iterdir()] == ["log.tsv"]
