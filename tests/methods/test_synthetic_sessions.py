"""Synthetic sessions of released tables: their counts, their marks, and that they see no log."""

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import auditor
from auditor.engine.backends.local import repeating_release
from auditor.errors import MissingInput
from auditor.log.model import NONE, QueryLog
from auditor.log.writing import write_log
from auditor.measures.query_counts import tabulate_log
from auditor.methods.synthetic_sessions import ALONE, LONGEST, generate_sessions
from auditor.privacy.release import DatedCounts, Preview, Tables
from tests.measures.fakes import tables_of
from tests.methods.logs import QUIET, clicks_of, log_of, present, queries_of, transitions_of
from tests.reference.product import call

DAY = 86_400


def generate(tables: Tables, seed: int = 0) -> QueryLog:
    return generate_sessions(tables, seed, QUIET)


def test_that_the_sessions_have_the_released_counts() -> None:
    released = {("rose", "fern"): 20, ("fern", "moss"): 10, ("moss", "rose"): 5}
    garden, wood = "garden.example", "wood.example"
    clicks = {("rose", garden): 40, ("rose", wood): 30, ("fern", wood): 7}
    tables = tables_of(
        {"rose": 50, "fern": 30, "moss": 20, "oak": 0},
        clicks | {("oak", garden): 6, ("moss", garden): -2},
        released | {("rose", "rose"): 9, ("rose", "oak"): 4},
    )
    for seed in range(5):
        result = tabulate_log(generate(tables, seed), None, QUIET)
        assert queries_of(result) == {"rose": 50, "fern": 30, "moss": 20}
        assert clicks_of(result) == clicks
        steps = transitions_of(result)
        assert set(steps) == set(released)
        assert all(steps[pair] <= released[pair] for pair in steps)
        assert sum(steps.values()) >= 31  # a circle that closes by chance loses one step


def test_that_no_more_transitions_are_walked_than_there_are_events() -> None:
    queries = {"rose": 6, "fern": 4, "moss": 9}
    pairs = [("rose", "fern"), ("rose", "moss"), ("fern", "moss")]
    tables = tables_of(queries, None, dict.fromkeys(pairs, 100))
    for seed in range(10):
        result = tabulate_log(generate(tables, seed), None, QUIET)
        assert queries_of(result) == queries
        steps = Counter(transitions_of(result))
        assert steps["rose", "fern"] + steps["rose", "moss"] <= 6
        assert steps["rose", "moss"] + steps["fern", "moss"] <= 9


def test_that_circles_are_opened_and_long_walks_cut() -> None:
    circle = {("rose", "fern"): 400, ("fern", "rose"): 400}
    walked = generate(tables_of({"rose": 400, "fern": 400}, None, circle))
    lengths = np.bincount(walked.user)
    assert len(walked) == 800
    assert lengths.max() <= LONGEST
    assert lengths.mean() > 20
    assert (np.diff(walked.query)[np.diff(walked.user) == 0] != 0).all()


def test_that_who_follows_does_not_depend_on_who_went_before() -> None:
    """Events of one query forget how they were reached: that is what makes the walk Markov's."""
    pairs = [("rose", "moss"), ("fern", "moss"), ("moss", "oak")]
    queries = {"rose": 40, "fern": 40, "moss": 80, "oak": 80}
    tables = tables_of(queries, None, dict.fromkeys(pairs, 40))
    walks = Counter[tuple[str, bool]]()
    for seed in range(60):
        log = generate(tables, seed)
        words = log.queries.list_strings()
        for user in range(len(log.users)):
            walk = [words[code] for code in log.query[log.user == user]]
            if walk[0] in ("rose", "fern"):
                walks[walk[0], len(walk) > 2] += 1
    for start in ("rose", "fern"):
        onward = walks[start, True] / (walks[start, True] + walks[start, False])
        assert onward == pytest.approx(0.5, abs=0.04)  # 2,400 walks: four standard errors


def test_that_released_days_are_the_days_of_the_rows() -> None:
    expected = {("rose", 13_000): 5, ("rose", 13_001): 2, ("fern", 13_004): 3}
    dates = DatedCounts(
        np.array([0, 0, 1], dtype=np.int32),
        np.array([day * DAY for _, day in expected]),
        np.array(list(expected.values())),
    )
    log = generate(tables_of({"rose": 7, "fern": 3}).with_dates("day", dates))
    rows = zip(log.queries.list_strings(log.query), (log.time // DAY).tolist(), strict=True)
    assert Counter(rows) == expected


STEPS = {("rose", "fern"): 25}
TABLES = tables_of({"rose": 50, "fern": 50}, {("rose", "garden.example"): 9}, STEPS)


def test_that_times_without_dates_ids_and_ranks_say_nothing_but_the_order() -> None:
    log = generate(TABLES)
    assert log.time.min() >= 0
    assert log.time.max() < 366 * DAY
    assert set(np.diff(log.time)[np.diff(log.user) == 0].tolist()) == {60}
    assert all(name.startswith("synthetic-") for name in log.users.list_strings())
    assert (log.rank == NONE).all()


def test_that_a_seed_repeats_the_sessions_and_another_one_changes_them() -> None:
    assert generate(TABLES, 3).digest == generate(TABLES, 3).digest
    assert generate(TABLES, 3).digest != generate(TABLES, 4).digest


def test_that_nothing_released_gives_an_empty_log() -> None:
    assert len(generate(tables_of({}))) == len(generate(tables_of({"rose": 0, "fern": -3}))) == 0


def crowd(*extra: tuple[str, str, int]) -> QueryLog:
    rows = [(f"u{n}", text, 10 * n) for n in range(300) for text in ("rose", "fern")]
    return log_of([*rows, *extra])


def test_that_logs_of_one_release_have_one_synthetic_log() -> None:
    """What the tables don't tell can't matter: it is a function of them and of the seed."""
    params: dict[str, Any] = {"q_f": 5, "k": 2, "epsilon": 3.0, "delta": 1e-9}
    previews = [
        auditor.preview(log, "partition-selection", seed=1, **params)
        for log in (crowd(), crowd(("zz", "a secret of one's own", 5)))
    ]
    first, second = (queries_of(present(preview.tables)) for preview in previews)
    assert first == second
    digests = {present(auditor.synthesize_release(each, seed=7).log).digest for each in previews}
    assert len(digests) == 1


def test_that_a_preview_stays_a_preview_and_a_log_is_refused() -> None:
    preview = auditor.preview(crowd(), "set-union", seed=1, epsilon=4.0)
    shaped = auditor.synthesize_release(preview)
    assert isinstance(shaped, Preview)
    assert [a.status for a in shaped.statement.assumptions if a.name == ALONE] == ["holds"]
    assert (shaped.statement.epsilon, shaped.statement.delta) == (
        preview.statement.epsilon,
        preview.statement.delta,
    )
    with pytest.raises(MissingInput, match="log already"):
        auditor.synthesize_release(shaped)
    with pytest.raises(MissingInput, match="Save the release first"):
        auditor.synthesize_release(preview, "anywhere")


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("safelog", {"q_f": 2, "c_f": 2}),
        ("zealous", {}),
        ("set-union", {"epsilon": 4.0}),
        ("partition-selection", {"epsilon": 4.0}),
        ("dated-counts", {"epsilon": 8.0, "q_f": 1, "protected_unit": "day"}),
    ],
)
def test_that_a_method_with_tables_is_measured_as_what_it_releases(
    method: str, params: dict[str, Any]
) -> None:
    """Measures that run the method anew get sessions, too, not the tables."""
    log = crowd()
    shaped = auditor.synthesize_release(auditor.anonymize(log, method, **params))
    assert shaped.log is not None
    assert shaped.tables is None
    assert shaped.method == method
    again = present(repeating_release(shaped, 0))
    assert again(log, 0, QUIET).log is not None
    assert auditor.measure("volume", log, shaped).values


def test_that_the_verb_reads_nothing_but_the_release(tmp_path: Path) -> None:
    logs, release, target = tmp_path / "raw", tmp_path / "release", tmp_path / "made"
    logs.mkdir()
    write_log(crowd(), logs / "log.tsv")
    method = ("--method", "set-union", "-p", "epsilon=4")
    assert call("anonymize", logs / "log.tsv", *method, "--out", release)[0] == 0
    opened: list[str] = []
    watching = True

    def listen(event: str, args: tuple[Any, ...]) -> None:
        if watching and event == "open" and isinstance(args[0], str):
            opened.append(args[0])

    sys.addaudithook(listen)
    code, answer = call("synthesize-release", release, "--out", target)
    watching = False
    assert (code, answer["synthetic"], answer["method"]) == (0, True, "set-union")
    ours = [Path(name) for name in opened if str(tmp_path) in name]
    assert release / "manifest.json" in ours
    assert not any(logs in path.parents for path in ours)
    assert answer["verdict"]["state"] == "not-checked"
    assert "single_user_strings" not in answer  # nothing was attacked, so nobody counted them

    assert auditor.verify(target) == []
    facts = json.loads((target / "manifest.json").read_text(encoding="utf-8"))
    assert facts["content"]["synthetic"]["seed"] == 0
    assert "synthetic" in facts["note"].lower()
    assert facts["statement"]["claim"].startswith("Synthetic log")
    rows = (target / "log.tsv").read_text(encoding="utf-8").splitlines()
    assert len(rows) == 1 + answer["rows"]
    assert all(row.startswith("synthetic-") for row in rows[1:])
    again, loaded = auditor.synthesize_release(release), auditor.load_release(target)
    assert loaded.synthetic_seed == 0
    texts = [sorted(present(part.log).queries.list_strings()) for part in (again, loaded)]
    assert texts[0] == texts[1]

    assert call("synthesize-release", target, "--out", tmp_path / "twice")[0] == 2
    assert call("synthesize-release", release, "--out", target)[0] == 2
    assert call("synthesize-release", release, "--out", target, "--overwrite")[0] == 0


def test_that_a_refused_release_is_refused_in_the_shape_of_a_log(tmp_path: Path) -> None:
    raw, release, target = tmp_path / "log.tsv", tmp_path / "release", tmp_path / "made"
    write_log(crowd(), raw)
    method = ("--method", "korolova", "-p", "K=1", "-p", "b=0.01", "--skip", "dp-audit")
    assert call("audit", raw, *method, "--out", release)[0] == 1
    code, answer = call("synthesize-release", release, "--out", target)
    assert code == 1
    source, facts = (
        json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        for folder in (release, target)
    )
    assert facts["verdict"] == source["verdict"] == answer["verdict"]
    assert facts["verdict"]["state"] != "can-be-released"
    assert "cannot be released" in facts["note"]
    # The number of one user's strings is for whoever holds the evidence, and in no file.
    evidence = json.loads((tmp_path / "release.internal" / "evidence.json").read_text())
    values = evidence["attacks"]["surviving-content"]["values"]
    assert answer["single_user_strings"] == values["single_user_strings_surviving"]
    assert "single_user" not in (target / "manifest.json").read_text(encoding="utf-8")

    code, verified = call("verify", target)
    assert (code, verified["synthetic"], verified["verdict"]) == (0, True, source["verdict"])

    with (release / "queries.tsv").open("a", encoding="utf-8") as tables:
        tables.write("a string that was never released\t9\n")
    assert call("synthesize-release", release, "--out", tmp_path / "other")[0] == 1
    assert not (tmp_path / "other").exists()
