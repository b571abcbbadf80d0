"""Synthetic sessions of released tables: their counts, their marks, and that they see no log."""

from __future__ import annotations

import collections
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import auditor
from auditor.__main__ import main
from auditor.errors import MissingInput
from auditor.log.model import NONE, QueryLog, Vocabulary
from auditor.measures.log_tables import tabulate_log
from auditor.methods.synthetic_sessions import ALONE, LONGEST, generate_sessions
from auditor.privacy.release import DatedCounts, Preview, Tables
from tests.methods.logs import QUIET, present

TEXTS = ("rose", "fern", "moss", "oak")
PAGES = ("garden.example", "wood.example")
DAY = 86_400


def tables_of(
    counts: list[int],
    steps: dict[tuple[int, int], int] | None = None,
    clicks: dict[tuple[int, int], int] | None = None,
    dated: dict[tuple[int, int], int] | None = None,
) -> Tables:
    steps, clicks, dated = steps or {}, clicks or {}, dated or {}
    tables = Tables(
        queries=Vocabulary.of(TEXTS[: len(counts)]),
        query_count=np.array(counts, dtype=np.int64),
        urls=Vocabulary.of(PAGES),
        click_query=np.array([q for q, _ in clicks], dtype=np.int32),
        click_url=np.array([u for _, u in clicks], dtype=np.int32),
        click_count=np.array(list(clicks.values()), dtype=np.int64),
        from_query=np.array([a for a, _ in steps], dtype=np.int32),
        to_query=np.array([b for _, b in steps], dtype=np.int32),
        transition_count=np.array(list(steps.values()), dtype=np.int64),
        has_clicks=bool(clicks),
        has_transitions=bool(steps),
    )
    dates = DatedCounts(
        np.array([q for q, _ in dated], dtype=np.int32),
        np.array([DAY * day for _, day in dated], dtype=np.int64),
        np.array(list(dated.values()), dtype=np.int64),
    )
    return tables.with_dates("day", dates) if dated else tables


def generate(tables: Tables, seed: int = 0) -> QueryLog:
    return generate_sessions(tables, seed, QUIET)


def counts_of(log: QueryLog) -> tuple[dict[str, int], dict[Any, int], dict[Any, int]]:
    """Queries, clicks and transitions of a log, by text."""
    tables, queries = tabulate_log(log, None, QUIET), log.queries.list_strings()
    clicks = zip(tables.click_query, tables.click_url, tables.click_count.tolist(), strict=True)
    steps = zip(tables.from_query, tables.to_query, tables.transition_count.tolist(), strict=True)
    return (
        dict(zip(queries, tables.query_count.tolist(), strict=True)),
        {(queries[q], log.urls[int(u)]): n for q, u, n in clicks},
        {(queries[a], queries[b]): n for a, b, n in steps},
    )


def test_that_the_sessions_have_the_released_counts() -> None:
    tables = tables_of(
        [50, 30, 20, 0],
        {(0, 1): 20, (1, 2): 10, (2, 0): 5, (0, 0): 9, (0, 3): 4},
        {(0, 0): 40, (0, 1): 30, (1, 1): 7, (3, 0): 6, (2, 0): -2},
    )
    for seed in range(5):
        queries, clicks, steps = counts_of(generate(tables, seed))
        assert queries == {"rose": 50, "fern": 30, "moss": 20}
        assert clicks == {
            ("rose", "garden.example"): 40,
            ("rose", "wood.example"): 30,
            ("fern", "wood.example"): 7,
        }
        released = {("rose", "fern"): 20, ("fern", "moss"): 10, ("moss", "rose"): 5}
        assert set(steps) == set(released)
        assert all(steps[pair] <= released[pair] for pair in steps)
        assert sum(steps.values()) >= 31  # a circle that closes by chance loses one step


def test_that_no_more_transitions_are_walked_than_there_are_events() -> None:
    tables = tables_of([6, 4, 9], {(0, 1): 100, (0, 2): 100, (1, 2): 100})
    for seed in range(10):
        queries, _, steps = counts_of(generate(tables, seed))
        assert queries == {"rose": 6, "fern": 4, "moss": 9}
        assert steps.get(("rose", "fern"), 0) + steps.get(("rose", "moss"), 0) <= 6
        assert steps.get(("rose", "moss"), 0) + steps.get(("fern", "moss"), 0) <= 9


def test_that_circles_are_opened_and_long_walks_cut() -> None:
    walked = generate(tables_of([400, 400], {(0, 1): 400, (1, 0): 400}))
    lengths = np.bincount(walked.user)
    assert len(walked) == 800
    assert lengths.max() <= LONGEST
    assert lengths.mean() > 20
    assert (np.diff(walked.query)[np.diff(walked.user) == 0] != 0).all()


def test_that_who_follows_does_not_depend_on_who_went_before() -> None:
    """Events of one query forget how they were reached: that is what makes the walk Markov's."""
    tables = tables_of([40, 40, 80, 80], {(0, 2): 40, (1, 2): 40, (2, 3): 40})
    walks = collections.Counter[tuple[str, bool]]()
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
    tables = tables_of([7, 3], dated={(0, 13_000): 5, (0, 13_001): 2, (1, 13_004): 3})
    log = generate(tables)
    rows = zip(log.queries.list_strings(log.query), (log.time // DAY).tolist(), strict=True)
    expected = {("rose", 13_000): 5, ("rose", 13_001): 2, ("fern", 13_004): 3}
    assert collections.Counter(rows) == expected


def test_that_without_dates_all_times_lie_in_1970_and_say_the_order_alone() -> None:
    log = generate(tables_of([50, 50], {(0, 1): 50}))
    assert log.time.min() >= 0
    assert log.time.max() < 366 * DAY
    assert set(np.diff(log.time)[np.diff(log.user) == 0].tolist()) == {60}


def test_that_every_row_is_marked_and_no_rank_is_made_up() -> None:
    log = generate(tables_of([9, 9], {(0, 1): 4}, {(0, 1): 3}))
    assert all(name.startswith("synthetic-") for name in log.users.list_strings())
    assert (log.rank == NONE).all()


def test_that_a_seed_repeats_the_sessions_and_another_one_changes_them() -> None:
    tables = tables_of([50, 50], {(0, 1): 25}, {(0, 0): 9})
    assert generate(tables, 3).digest == generate(tables, 3).digest
    assert generate(tables, 3).digest != generate(tables, 4).digest


def test_that_nothing_released_gives_an_empty_log() -> None:
    assert len(generate(tables_of([]))) == 0
    assert len(generate(tables_of([0, -3]))) == 0


def crowd(*extra: tuple[str, str, int]) -> QueryLog:
    rows = [(f"u{n}", text, 10 * n + k) for n in range(300) for k, text in enumerate(TEXTS[:2])]
    users, queries, times = zip(*rows, *extra, strict=True)
    return QueryLog.from_columns(user=users, query=queries, time=times)


def test_that_logs_of_one_release_have_one_synthetic_log() -> None:
    """What the tables don't tell can't matter: it is a function of them and of the seed."""
    log, other = crowd(), crowd(("zz", "a secret of one's own", 5))
    params: dict[str, Any] = {"q_f": 5, "k": 2, "epsilon": 3.0, "delta": 1e-9}
    previews = [
        auditor.preview(each, "partition-selection", seed=1, **params) for each in (log, other)
    ]
    first, second = (present(preview.tables) for preview in previews)
    assert first.queries.list_strings() == second.queries.list_strings()
    assert np.array_equal(first.query_count, second.query_count)
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
    from auditor.engine.backends.local import repeating_release

    again = present(repeating_release(shaped, 0))
    assert again(log, 0, QUIET).log is not None
    assert auditor.measure("volume", log, shaped).values


def test_that_the_verb_reads_nothing_but_the_release(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from auditor.log.writing import write_log

    logs, release, target = tmp_path / "raw", tmp_path / "release", tmp_path / "made"
    logs.mkdir()
    write_log(crowd(), logs / "log.tsv")
    arguments = ["--method", "set-union", "-p", "epsilon=4", "--out", str(release), "-q"]
    assert main(["anonymize", str(logs / "log.tsv"), *arguments]) == 0
    capsys.readouterr()
    opened: list[str] = []
    watching = True

    def listen(event: str, args: tuple[Any, ...]) -> None:
        if watching and event == "open" and isinstance(args[0], str):
            opened.append(args[0])

    sys.addaudithook(listen)
    assert main(["synthesize-release", str(release), "--out", str(target), "--json"]) == 0
    watching = False
    answer = json.loads(capsys.readouterr().out)
    assert (answer["synthetic"], answer["method"]) == (True, "set-union")
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
    again = auditor.synthesize_release(release)
    assert again.log is not None
    loaded = auditor.load_release(target)
    assert loaded.log is not None
    assert loaded.synthetic_seed == 0
    assert sorted(loaded.log.queries.list_strings()) == sorted(again.log.queries.list_strings())

    assert main(["synthesize-release", str(target), "--out", str(tmp_path / "twice")]) == 2
    assert main(["synthesize-release", str(release), "--out", str(target)]) == 2
    assert main(["synthesize-release", str(release), "--out", str(target), "--overwrite"]) == 0
    capsys.readouterr()


def test_that_a_refused_release_is_refused_in_the_shape_of_a_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from auditor.log.writing import write_log

    raw, release, target = tmp_path / "log.tsv", tmp_path / "release", tmp_path / "made"
    write_log(crowd(), raw)
    method = ["--method", "korolova", "-p", "K=1", "-p", "b=0.01", "-q"]
    assert main(["audit", str(raw), *method, "--skip", "dp-audit", "--out", str(release)]) == 1
    capsys.readouterr()
    assert main(["synthesize-release", str(release), "--out", str(target), "--json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    source = json.loads((release / "manifest.json").read_text(encoding="utf-8"))
    facts = json.loads((target / "manifest.json").read_text(encoding="utf-8"))
    assert facts["verdict"] == source["verdict"] == answer["verdict"]
    assert facts["verdict"]["state"] != "can-be-released"
    assert "cannot be released" in facts["note"]
    # The number of one user's strings is for whoever holds the evidence, and in no file.
    evidence = json.loads((tmp_path / "release.internal" / "evidence.json").read_text())
    values = evidence["attacks"]["surviving-content"]["values"]
    assert answer["single_user_strings"] == values["single_user_strings_surviving"]
    assert "single_user" not in (target / "manifest.json").read_text(encoding="utf-8")

    assert main(["verify", str(target), "--json"]) == 0
    verified = json.loads(capsys.readouterr().out)
    assert verified["synthetic"]
    assert verified["verdict"] == source["verdict"]

    with (release / "queries.tsv").open("a", encoding="utf-8") as tables:
        tables.write("a string that was never released\t9\n")
    assert main(["synthesize-release", str(release), "--out", str(tmp_path / "other")]) == 1
    assert not (tmp_path / "other").exists()
