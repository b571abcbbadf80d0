"""The project file: what it keeps, what it never holds, and what it makes of hostile files."""

import io
import json
import os
import stat
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from auditor.attacks.base import AttackResult
from auditor.attacks.dp_audit import summary
from auditor.engine.plan import Intent
from auditor.engine.run import Run
from auditor.figures import Axis, Figure, Table, is_storable
from auditor.log.reading.column_mapping import ReadOptions
from auditor.measures.base import MeasureResult
from auditor.messages import Message, NumberText, as_phrase, phrase
from auditor.methods.registry import METHODS
from auditor.privacy.statement import Statement
from auditor.project import file
from auditor.project.file import read_results, strip_result
from auditor.project.model import Project
from auditor.project.values import DataclassReader, JsonNode, ProjectError, plain_params, to_plain
from tests.log.rows import save, zipped
from tests.narrowing import present
from tests.project import example_project


@dataclass(frozen=True)
class StoredNote:
    text: str


def stored(plain: object) -> str:
    node = JsonNode(json.loads(json.dumps({"text": plain})))
    return DataclassReader({}).read(StoredNote, node).text


def test_that_a_message_comes_back_with_its_template_and_arguments() -> None:
    message = phrase("{n:,} of {what}; {name}", n=1200, what=as_phrase("users"), name="a")
    plain = to_plain(StoredNote(phrase("({inner})", inner=message)))
    again = stored(plain["text"])
    assert again == "(1,200 of users; a)"
    assert isinstance(again, Message)
    inner = again.arguments["inner"]
    assert isinstance(inner, Message)
    assert inner.template == "{n} of {what}; {name}"
    assert isinstance(inner.arguments["n"], NumberText)
    assert isinstance(inner.arguments["what"], Message)  # a window in another language looks it up
    assert not isinstance(inner.arguments["name"], Message)


def test_that_a_sentence_without_places_stays_a_text() -> None:
    assert to_plain(StoredNote(phrase("nothing"))) == {"text": "nothing"}
    assert stored("nothing") == "nothing"


@pytest.mark.parametrize(
    "plain",
    [
        {"template": 3, "arguments": {}},
        {"template": "{a}", "arguments": {"a": 3}},
        {"template": "{a}", "arguments": ["a"]},
        {"template": "{a}" * 6_000, "arguments": {"a": "x" * 19_000}},
        {"arguments": {}},
    ],
)
def test_that_what_is_no_message_is_refused(plain: object) -> None:
    with pytest.raises(ProjectError):
        stored(plain)


def test_that_messages_within_messages_end() -> None:
    plain: object = "x"
    for _ in range(200):
        plain = {"template": "{a}{a}", "arguments": {"a": plain}}
    with pytest.raises(ProjectError):
        stored(plain)


def test_that_places_of_a_stored_template_reach_nothing() -> None:
    assert stored({"template": "{a.__class__} {a}", "arguments": {"a": "x"}}) == "{a.__class__} x"


Plain = dict[str, Any]


@pytest.fixture(scope="module")
def project() -> Project:
    return example_project.sitting()


@pytest.fixture(scope="module")
def saved(project: Project, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("saved") / "sitting.qlpa"
    file.write_project_file(path, file.to_bytes(project))
    return path


def parts(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def other_file(tmp_path: Path, entries: dict[str, bytes]) -> Path:
    return save(tmp_path / "other.qlpa", zipped(entries))


def changed(saved: Path, tmp_path: Path, change: Callable[[Plain], object]) -> Path:
    """The file with its main part changed."""
    entries = parts(saved)
    plain = json.loads(entries[file.MAIN])
    change(plain)
    return other_file(tmp_path, entries | {file.MAIN: json.dumps(plain).encode()})


def refused(path: Path) -> str:
    with pytest.raises(ProjectError) as error:
        file.read_project_file(path)
    message = str(error.value)
    assert len(message) < 400
    assert "\n" not in message
    return message


# --- what it keeps ----------------------------------------------------------------------------


def test_that_what_was_saved_is_there_again(project: Project, saved: Path) -> None:
    places = {"pool.txt": Path("/home/jane.doe/lists/pool.txt")}
    again, remembered = file.read_project_file(saved, places)
    assert not remembered
    assert again.warnings == ()
    assert again.intent.params == project.intent.params
    for name in ("log", "notes", "review", "signed", "policy", "layout"):
        assert getattr(again, name) == getattr(project, name), name
    assert again.intent.rule_weights == project.intent.rule_weights == (("person:name", 0.5),)
    assert again.current == "A"
    first, second = again.runs
    assert first.plan.digest == project.runs[0].plan.digest
    assert first.pinned
    assert (second.name, second.state, second.message) == ("second", "failed", "It failed.")
    assert second.outcome is None


def test_that_figures_come_back_to_the_last_digit(project: Project, saved: Path) -> None:
    runs = project.runs[0], file.read_project_file(saved)[0].runs[0]
    before, after = (present(run.outcome) for run in runs)
    assert after.statement == before.statement
    assert after.gates["results"] == before.gates["results"]
    assert [v.name for v in after.values] == [v.name for v in before.values]
    np.testing.assert_array_equal([v.value for v in after.values], [v.value for v in before.values])
    volume, same = (
        next(measure for measure in outcome.measures if measure.measure == "volume")
        for outcome in (before, after)
    )
    assert same.tables[0].columns == volume.tables[0].columns
    assert same.tables[0].units == volume.tables[0].units == ("", "", "", "", "share")
    assert [list(row) for row in same.tables[0].rows] == [list(r) for r in volume.tables[0].rows]
    for series, other in zip(same.figures[0].series, volume.figures[0].series, strict=True):
        np.testing.assert_array_equal(series.y, other.y)
    assert after.flagged == before.flagged
    assert set(after.flagged) == {"surviving-content", "record-linkage"}


def test_that_numbers_without_end_and_missing_ones_survive(saved: Path) -> None:
    outcome = file.read_project_file(saved)[0].runs[0].outcome
    last = present(outcome).attacks[-1]
    assert np.isnan(last.interval[1])
    assert np.isinf(last.values[0].value)
    (table,) = last.tables
    assert np.isnan(table.rows[0][1])
    assert table.rows[1] == (2, (0.5, 1))
    assert last.details == {"count": 7}


def test_that_saving_what_was_read_changes_nothing(saved: Path) -> None:
    once = file.to_bytes(file.read_project_file(saved)[0])
    path = saved.with_name("twice.qlpa")
    file.write_project_file(path, once)
    assert file.to_bytes(file.read_project_file(path)[0]) == once


# --- what it never holds ----------------------------------------------------------------------


def bytes_of(saved: Path) -> bytes:
    return saved.read_bytes() + b"".join(parts(saved).values())


def test_that_no_word_of_the_log_stands_in_a_project(saved: Path) -> None:
    everything = bytes_of(saved)
    leaked = [word for word in example_project.secrets() if word in everything]
    assert leaked == []


def test_that_the_secrets_would_be_found(project: Project) -> None:
    """The run does show queries: the test above would see them if they were written."""
    outcome = present(project.runs[0].outcome)
    results: list[MeasureResult | AttackResult] = [*outcome.measures, *outcome.attacks]
    private = [table for result in results for table in result.tables if table.private]
    assert any("zorblatt" in str(cell) for t in private for row in t.rows for cell in row)
    # The careless attack's figure and two of its tables are withheld, too.
    assert strip_result(outcome).withheld >= len(private) + 3


def test_that_neither_seed_nor_place_nor_time_stands_in_it(saved: Path) -> None:
    everything = bytes_of(saved)
    for word in (b"987654321", b"seed", b"/home", b"jane", str(Path.home()).encode() + b"/"):
        assert word not in everything
    with zipfile.ZipFile(saved) as archive:
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


NAMED = Axis("x", categories=("word",))


@pytest.mark.parametrize(
    ("part", "storable"),
    [
        (Table("t", "t", ("n",), [[1], [2.5], [None], [True], [(1, 2)]]), True),
        (Table("t", "t", ("n",), [["word"]]), False),
        (Table("t", "t", ("n",), [[object()]]), False),
        (Table("t", "t", ("n",), [[(1, ["word"])]]), False),
        (Table("t", "t", ("n",), [["word"]], own_words=True), True),
        (Table("t", "t", ("n",), [["word"]], own_words=True, private=True), False),
        (Figure("f", "f", NAMED, Axis("y"), ()), False),
        (Figure("f", "f", NAMED, Axis("y"), (), own_words=True), True),
    ],
)
def test_that_an_unknown_kind_of_cell_is_not_kept(part: Table | Figure, storable: bool) -> None:
    assert is_storable(part) == storable


def test_that_nobody_else_may_read_a_project(saved: Path) -> None:
    assert stat.S_IMODE(saved.stat().st_mode) == 0o600
    saved.chmod(0o644)
    file.write_project_file(saved, saved.read_bytes())
    assert stat.S_IMODE(saved.stat().st_mode) == 0o600
    assert {path.suffix for path in saved.parent.iterdir()} == {".qlpa"}


def test_that_a_failed_save_leaves_what_stood_there(
    saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = saved.read_bytes()

    def full(_path: Path, _blocks: object) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(file, "write_file", full)
    with pytest.raises(ProjectError, match="not enough room"):
        file.write_project_file(saved, b"other")
    assert saved.read_bytes() == before


# --- other versions ---------------------------------------------------------------------------


def test_that_a_file_of_this_version_opens_whoever_saved_it() -> None:
    places = {"pool.txt": Path("/home/jane.doe/lists/pool.txt")}
    project, _ = file.read_project_file(Path(__file__).with_name("v3.qlpa"), places)
    assert project.warnings == ()
    assert project.intent.method == "safelog"
    assert project.intent.params.K == 80  # type: ignore[attr-defined]
    assert [run.letter for run in project.runs] == ["A", "B"]
    outcome = present(project.runs[0].outcome)
    measures = {measure.measure for measure in outcome.measures} - {"site-clustering"}
    assert measures == {"volume", "frequencies", "profile-exposure"}
    assert outcome.measures[0].figures[0].x.label
    assert present(outcome.statement).assumptions[0].status == "holds"
    assert sum(outcome.flagged.values()) > 0
    assert {value.name for value in outcome.values} > {"surviving-content.rate"}
    assert outcome.gates["results"]
    assert [note.dismissed for note in project.notes] == ["", "public", ""]
    assert present(project.log).users == example_project.USERS


@pytest.mark.parametrize("version", [file.VERSION - 1, file.VERSION + 1])
def test_that_another_version_is_refused_by_its_number(
    version: int, saved: Path, tmp_path: Path
) -> None:
    path = changed(saved, tmp_path, lambda plain: plain.update(version=version))
    message = refused(path)
    assert f"version {version}" in message
    assert f"version {file.VERSION}" in message


def test_that_what_this_version_lacks_is_said_and_the_rest_is_there(
    saved: Path, tmp_path: Path
) -> None:
    def change(plain: Plain) -> None:
        plain["intent"]["values"]["safelog"] |= {"gone": 3, "q_f": "many"}
        plain["intent"]["values"]["lost-method"] = {}
        plain["runs"][1]["plan"]["method"] = "lost-method"

    project, _ = file.read_project_file(changed(saved, tmp_path, change))
    text = " ".join(project.warnings)
    assert "'gone'" in text
    assert "lost-method" in text
    assert "pool.txt is not where it was" in text
    assert project.intent.params.K == 80  # type: ignore[attr-defined]
    assert [run.letter for run in project.runs] == ["A"]


def test_that_every_methods_parameters_come_back() -> None:
    check = file.SettingsCheck({})
    for name in METHODS:
        params = METHODS[name].params()
        values: Any = JsonNode(json.loads(json.dumps(plain_params(params))))
        intent = Intent(method=name, values=((name, values),))
        assert check.check_intent(JsonNode({}), intent).params == params, name
    assert check.issues == []


# --- hostile files ----------------------------------------------------------------------------

WRONG: dict[str, Callable[[Plain], object]] = {
    "text for a number": lambda p: p["log"].update(rows="many"),
    "a negative count": lambda p: p["log"].update(users=-1),
    "a list for an object": lambda p: p.update(intent=[]),
    "an object for a list": lambda p: p.update(runs={}),
    "a letter that is a path": lambda p: p["runs"][0].update(letter="../A"),
    "one letter twice": lambda p: p["runs"][1].update(letter="A"),
    "an unknown state": lambda p: p["runs"][0].update(state="great"),
    "results that are missing": lambda p: p["runs"][1].update(results=True),
    "a note before the log": lambda p: p.update(notes=[{"start": -1, "stop": 2}]),
    "a note of nothing": lambda p: p.update(notes=[{"start": 5, "stop": 5}]),
    "a reason of one's own": lambda p: p.update(
        notes=[{"start": 1, "stop": 2, "dismissed": "because zorblatt"}]
    ),
    "a log file elsewhere": lambda p: p["log"].update(names=["../../etc/passwd"]),
    "a parameter file elsewhere": lambda p: p["intent"]["values"]["safelog"].update(
        pool_file={"file": "/etc/passwd"}
    ),
    "a way of reading that is none": lambda p: p["log"].update(reading={"format": "pickle"}),
    "an unknown codec": lambda p: p["log"].update(reading={"encoding": "rot13"}),
    "a workspace that is none": lambda p: p["layout"].update(workspace="inside"),
    "a huge number": lambda p: p["log"].update(rows=10**400),
    "no version": lambda p: p.pop("version"),
    "a version of text": lambda p: p.update(version="1"),
    "version 0": lambda p: p.update(version=0),
    "another format": lambda p: p.update(format="auditor release 1"),
    "endless text": lambda p: p["runs"][0].update(name="x" * 30_000),
    "a reviewed row before the log": lambda p: p["review"]["queries"].append({"row": -1}),
    "an answer of one's own": lambda p: p["review"]["queries"][0].update(answer="perhaps"),
    "a review of no stratum": lambda p: p["review"].update(strata=[]),
    "more reviewed than there are": lambda p: p["review"]["strata"][0].update(size=0),
}


@pytest.mark.parametrize("what", WRONG)
def test_that_what_is_not_as_it_must_be_is_refused_in_words(
    what: str, saved: Path, tmp_path: Path
) -> None:
    assert refused(changed(saved, tmp_path, WRONG[what]))


BROKEN: dict[str, Callable[[bytes], bytes]] = {
    "nothing": lambda _data: b"",
    "no zip": lambda _data: b"AnonID\tQuery\n1\tzorblatt\n",
    "half of it": lambda data: data[: len(data) // 2],
    "a byte turned over": lambda data: data[:100] + bytes([data[100] ^ 255]) + data[101:],
    "a pickle": lambda _data: b"\x80\x04\x95\x10\x00\x00\x00\x00\x00\x00\x00\x8c\x02os\x94.",
}


@pytest.mark.parametrize("what", BROKEN)
def test_that_a_damaged_file_is_refused_in_words(what: str, saved: Path, tmp_path: Path) -> None:
    path = tmp_path / "broken.qlpa"
    path.write_bytes(BROKEN[what](saved.read_bytes()))
    assert "zorblatt" not in refused(path)


def test_that_neither_a_bomb_nor_many_parts_are_unpacked(
    saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(file, "LARGEST_PART", 1 << 20)
        path = other_file(tmp_path, parts(saved) | {"results/A.json": b" " * (2 << 20)})
        assert path.stat().st_size < 100_000
        assert "unpacks to more" in refused(path)
    monkeypatch.setattr(file, "LARGEST_WHOLE", 3 << 20)
    more = {f"results/{letter}.json": b" " * (1 << 20) for letter in "CDEFG"}
    assert "unpacks to more" in refused(other_file(tmp_path, parts(saved) | more))
    monkeypatch.setattr(file, "MOST_PARTS", 4)
    assert "more parts" in refused(other_file(tmp_path, parts(saved) | more))


def unlike_series(saved: Path) -> bytes:
    """Results with a series of fewer values than places."""
    plain = json.loads(parts(saved)["results/A.json"])
    series = plain["measures"][0]["figures"][0]["series"][0]
    series["y"] = series["y"][:-1]
    return json.dumps(plain).encode()


LEADING_OUT = ("../out.json", "/etc/out.json", "results/../A.json", "results/a.json", "A.pickle")
ODD_PARTS: dict[str, tuple[str, Callable[[Path], bytes], str]] = {
    **{name: (name, lambda _: b"{}", "parts that none") for name in LEADING_OUT},
    "endless lists": (
        "results/A.json",
        lambda _: b"[" + b"[]," * 6_000_000 + b"[]]",
        "This project",
    ),
    "no number": ("results/A.json", lambda _: b"NaN", "This project"),
    "unlike lengths": ("results/A.json", unlike_series, "as many y"),
}


@pytest.mark.parametrize("what", ODD_PARTS)
def test_that_a_part_that_leads_out_of_the_file_or_is_odd_is_refused(
    what: str, saved: Path, tmp_path: Path
) -> None:
    name, make, words = ODD_PARTS[what]
    assert words in refused(other_file(tmp_path, parts(saved) | {name: make(saved)}))


def test_that_a_project_does_not_say_where_files_lie(
    project: Project, saved: Path, tmp_path: Path
) -> None:
    # Only a recovery file of one's own does: else its author chooses what the program reads.
    places = {file.PLACES: b'{"log": ["/etc/passwd"], "pool.txt": ["/etc/shadow"]}'}
    path = other_file(tmp_path, parts(saved) | places)
    assert "parts that none" in refused(path)
    _, remembered = file.read_project_file(path, recovery=True)
    assert remembered["log"] == ["/etc/passwd"]


def test_that_a_part_that_stands_twice_is_refused(saved: Path, tmp_path: Path) -> None:
    data = io.BytesIO(saved.read_bytes())
    with zipfile.ZipFile(data, "a") as archive, pytest.warns(UserWarning, match="Duplicate name"):
        archive.writestr(file.MAIN, b"{}")
    path = tmp_path / "twice.qlpa"
    path.write_bytes(data.getvalue())
    assert "parts that none" in refused(path)


def test_that_giants_are_refused(tmp_path: Path) -> None:
    giant = tmp_path / "giant.qlpa"
    with giant.open("wb") as stream:
        stream.truncate(file.LARGEST + 1)
    refused(giant)


def test_that_markup_and_control_characters_become_harmless(saved: Path, tmp_path: Path) -> None:
    evil = "<b>x</b>\u202eevil\x1b[31m"

    def change(plain: Plain) -> None:
        plain["runs"][1]["name"] = evil
        plain["runs"][1]["message"] = evil

    run = file.read_project_file(changed(saved, tmp_path, change))[0].runs[1]
    for text in (run.name, run.message):
        assert "<b" not in text
        assert "\u202e" not in text
        assert "\x1b" not in text


def test_that_columns_are_kept_by_place_alone() -> None:
    options = ReadOptions(format="delimited", columns={"user": 0, "query": "jane roe", "time": 2})
    assert file.plain_reading(options)["columns"] == {"user": 0, "time": 2}
    named = ReadOptions(format="jsonl", columns={"user": "uid", "query": "q", "time": "t"})
    assert file.plain_reading(named)["columns"] == {"user": "uid", "query": "q", "time": "t"}
    assert file.plain_reading(None) == {}


def audited(**details: object) -> Run:
    """Results with an audit of the claimed ε."""
    fields = {
        "sampled_epsilon": 0.33,
        "audited_epsilon": "infinite",
        "limit": 7.3,
        "runs": 1000,
        "confidence": 0.95,
        "bounds": {"unseen": {"epsilon": 0.3, "impossible": 0.25}, "pages": {"epsilon": 0.1}},
        "claims": [{"claim": "as stated", "epsilon": "infinite", "delta": 1e-6}],
    } | details
    claim = Statement("differential privacy", "A claim.", "one user", epsilon=5.8, delta=1e-6)
    attack = AttackResult(
        attack="dp-audit",
        params={},
        rate=0.3,
        baseline=0.0,
        interval=(0.2, 0.4),
        details={name: value for name, value in fields.items() if value is not None},
        own_details=True,
    )
    return Run(example_project.finished().plan, statement=claim, attacks=(attack,))


def again(result: Run) -> Run:
    results = read_results(JsonNode(json.loads(file.pack_results(result))))
    return Run(result.plan, **results)


def test_that_an_audit_says_the_same_of_the_claim_when_it_is_opened_again() -> None:
    before = audited()
    after = again(before)
    assert json.dumps(after.attacks[0].details) == json.dumps(before.attacks[0].details)
    summaries = [
        summary.summarize_audit(present(run.statement), run.attacks) for run in (before, after)
    ]
    assert summaries[0] == summaries[1]
    assert summaries[1].endless
    assert summaries[1].impossible == 0.25


@pytest.mark.parametrize(
    "wrong", [{"bounds": None}, {"bounds": 3}, {"limit": "wide"}, {"runs": "many"}]
)
def test_that_an_audit_that_cannot_be_read_is_left_out(wrong: dict[str, object]) -> None:
    after = again(audited(**wrong))
    assert after.attacks == ()
    assert after.statement is not None


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_that_nothing_of_any_run_lets_a_word_of_the_log_out(method: str) -> None:
    """Every attack and measure that applies, on the log full of secrets."""
    data = file.pack_results(example_project.everything(method))
    assert [word for word in example_project.secrets() if word in data] == []
