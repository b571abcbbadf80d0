"""Columns beside a log: nobody's are rare in a release, and nothing else of it changes."""

import dataclasses
import functools
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import auditor
from auditor.__main__ import main
from auditor.attacks.base import Evidence
from auditor.attacks.registry import ATTACKS
from auditor.engine.backends import local
from auditor.log.model import NONE, Attribute, QueryLog, Vocabulary
from auditor.log.synthetic.generator import synthesize_log
from auditor.methods.entity_allowlist import EntityAllowlistParams
from auditor.methods.frequency_threshold import FrequencyThresholdParams
from auditor.methods.registry import METHODS
from auditor.methods.released_columns import (
    ShownValues,
    shows_rare_values,
    state_values,
    suppress_rare_values,
)
from auditor.privacy.noise import PreviewRandomness
from auditor.privacy.release import Anonymized
from auditor.privacy.statement import Statement
from auditor.release.export import write_released_log
from auditor.release.loading import read_release
from auditor.release.manifest import FORMAT, MANIFEST, verify_folder
from tests.measures.fakes import run_attack
from tests.methods.logs import QUIET, contradiction, expect, log_in, present, run_method, statuses

METHOD = METHODS["frequency-threshold"]
Row = tuple[int, int, int, int]
"""A user, a query, and two values, −1 for none."""


def log_of(rows: list[Row]) -> QueryLog:
    """A log with the columns place and device, in the order of its own rows."""
    ordered = sorted(rows, key=lambda row: row[0])
    plain = QueryLog.from_columns(
        user=[str(user) for user, *_ in ordered],
        query=[f"query {query}" for _, query, *_ in ordered],
        time=range(len(ordered)),
    )
    codes = np.array(ordered, dtype=np.int32)
    return dataclasses.replace(
        plain,
        attributes={
            "place": Attribute(codes[:, 2].copy(), Vocabulary.of("ABCDE")),
            "device": Attribute(codes[:, 3].copy(), Vocabulary.of("pt")),
        },
    )


def shown_by(
    log: QueryLog, names: tuple[str, str] = ("place", "device")
) -> list[tuple[str, str, str | None, str | None]]:
    """User, query and both values of each row, as texts; None for a column that isn't there."""
    columns = [
        [attribute.texts[int(code)] if code != NONE else None for code in attribute.codes]
        if (attribute := log.attributes.get(name)) is not None
        else [None] * len(log)
        for name in names
    ]
    users = [log.users[int(code)] for code in log.user]
    return list(zip(users, [log.queries[int(code)] for code in log.query], *columns, strict=True))


def is_rare(log: QueryLog, group: int, cell: int, linked: bool) -> bool:
    """The definition, counted with sets."""
    users: dict[Any, set[str]] = defaultdict(set)
    rows = shown_by(log)
    for user, query, *values in rows:
        users[query, tuple(values)].add(user)
    few = any(
        len(users[query, tuple(values)]) < cell
        for _, query, *values in rows
        if any(value is not None for value in values)
    )
    groups: dict[Any, set[str]] = defaultdict(set)
    if linked:
        combinations: dict[str, set[Any]] = defaultdict(set)
        for user, _, *values in rows:
            combinations[user] |= {tuple(values)} - {(None, None)}
        for user, combos in combinations.items():
            groups[frozenset(combos)].add(user)
        nothing: Any = frozenset()
    else:
        for user, _, *values in rows:
            groups[tuple(values)].add(user)
        nothing = (None, None)
    return few or (
        groups.keys() != {nothing} and any(len(members) < group for members in groups.values())
    )


def count_candidates(raw: QueryLog, released: QueryLog, linked: bool) -> int:
    """The fewest users who may be somebody whose columns are known, for the worst off."""

    def fits(values: Any, truth: Any) -> bool:
        return all(value in (None, other) for value, other in zip(values, truth, strict=True))

    raw_rows: dict[str, set[Any]] = defaultdict(set)
    rows: dict[str, set[Any]] = defaultdict(set)
    for row, there in zip(shown_by(raw), shown_by(released), strict=True):
        raw_rows[row[0]].add(row[2:])
        rows[there[0]].add(there[2:])
    if linked:
        return min(
            sum(all(any(fits(s, k) for k in mine) for s in theirs) for theirs in rows.values())
            for mine in raw_rows.values()
        )
    return min(
        sum(any(fits(s, row) for s in theirs) for theirs in rows.values())
        for mine in raw_rows.values()
        for row in mine
    )


ROWS = st.lists(
    st.tuples(st.integers(0, 12), st.integers(0, 3), st.integers(-1, 4), st.integers(-1, 1)),
    min_size=1,
    max_size=60,
)


@settings(max_examples=100)
@given(ROWS, st.integers(1, 6), st.integers(1, 4), st.booleans())
def test_that_nothing_rare_is_left_and_nothing_else_changes(
    rows: list[Row], group: int, cell: int, linked: bool
) -> None:
    log = log_of(rows)
    released, taken = suppress_rare_values(log, group, cell, linked, QUIET)
    assert not is_rare(released, group, cell, linked)
    assert not released.attributes or not shows_rare_values(released, group, cell, linked)
    assert shows_rare_values(log, group, cell, linked) == is_rare(log, group, cell, linked)
    assert count_candidates(log, released, linked) >= min(group, len(log.users))
    assert released.without_attributes.digest == log.without_attributes.digest
    changed = 0
    for before, after in zip(shown_by(log), shown_by(released), strict=True):
        assert before[:2] == after[:2]
        for old, new in zip(before[2:], after[2:], strict=True):
            assert new in (old, None)
            changed += old != new
    assert changed == taken
    if not is_rare(log, group, cell, linked):
        assert taken == 0
    if released.attributes:
        assert suppress_rare_values(released, group, cell, linked, QUIET)[1] == 0


def test_that_a_rare_query_of_a_user_takes_no_value_from_their_other_rows() -> None:
    log = log_of([*((user, 0, 0, 0) for user in range(4)), (0, 1, 0, 0)])
    released, taken = suppress_rare_values(log, 2, 2, True, QUIET)
    assert taken == 2
    assert {row[2:] for row in shown_by(released) if row[1] == "query 0"} == {("A", "p")}
    assert {row[2:] for row in shown_by(released) if row[1] == "query 1"} == {(None, None)}


@pytest.mark.parametrize("linked", [True, False])
def test_that_the_smallest_group_shows_nothing_where_too_few_users_do(linked: bool) -> None:
    """Without their place alone, three would join the four, and all seven would lose the rest."""
    values = [(0, 0)] * 3 + [(NONE, 0)] * 4 + [(NONE, NONE)]
    log = log_of([(user, 0, *pair) for user, pair in enumerate(values)])
    released, taken = suppress_rare_values(log, 3, 1, linked, QUIET)
    assert taken == 6
    assert [row[2:] for row in shown_by(released)] == (
        [(None, None)] * 3 + [(None, "p")] * 4 + [(None, None)]
    )


def run(log: QueryLog, **values: Any) -> Anonymized:
    params = FrequencyThresholdParams(**values)
    return local.apply_method(log, METHOD.name, params, PreviewRandomness(1), QUIET)


FIVE = [(user, 0, 0, user % 2) for user in range(5)]
FOUR = [(user, 1, 1, 0) for user in range(10, 14)]


def test_that_four_users_are_hidden_where_five_are_wanted() -> None:
    """Five users share a place, and four another; two and three of the five share a device."""
    values = {"columns": "keep", "n": 2, "group": 1, "ids": "drop"}
    of_five = run(log_of(FIVE + FOUR), cell=5, **values)
    assert of_five.log is not None
    assert {row[1:] for row in shown_by(of_five.log)} == {
        ("query 0", "A", None),
        ("query 1", None, None),
    }
    of_four = run(log_of(FIVE + FOUR), cell=4, **values)
    assert of_four.log is not None
    assert ("query 1", "B", "p") in {row[1:] for row in shown_by(of_four.log)}
    assert of_five.changes["column_values_suppressed"] == 5 + 8
    stated = statuses(of_five.statement)["columns are shared"]
    assert stated == "fails", "groups of one user hide nobody"


@pytest.mark.parametrize("times", ["exact", "day", "shuffled"])
@pytest.mark.parametrize("ids", ["keep", "random", "drop"])
def test_that_a_release_with_columns_holds_against_its_log(ids: str, times: str) -> None:
    log = log_of(FIVE * 3 + FOUR)
    release = run(log, columns="keep", n=2, group=4, cell=3, ids=ids, times=times)
    assert release.log is not None
    assert contradiction(METHOD.name, log, release.log, **release.params) == ""
    values = sorted(row[1:3] for row in shown_by(release.log) if row[2])
    assert values == [("query 0", "A")] * 15 + [("query 1", "B")] * 4
    if ids != "drop":
        place = release.log.attributes["place"]
        codes = place.codes.copy()
        codes[0] = 1 - codes[0]  # a row of one user alone
        mutant = dataclasses.replace(
            release.log, attributes={**release.log.attributes, "place": place._replace(codes=codes)}
        )
        assert contradiction(METHOD.name, log, mutant, **release.params)


def test_that_a_log_too_small_for_any_column_says_that_none_is_released() -> None:
    release = run(log_of(FIVE), columns="keep", n=2, group=1_000)
    assert not present(release.log).attributes
    assert release.changes["column_values_suppressed"] == 10
    assert "nothing is released: too few users share any combination" in release.statement.claim


@pytest.mark.parametrize("order", ["kept", "hidden"])
def test_that_hashed_words_stand_beside_columns_that_nobody_is_rare_in(order: str) -> None:
    log = log_of(FIVE * 2 + FOUR)
    values: dict[str, Any] = {"columns": "keep", "group": 4, "cell": 4, "order": order}
    product = run_method("token-hashing", log, **values)
    content = log_in(product.content)
    assert not is_rare(content, 4, 4, linked=True)
    assert {row[2:] for row in shown_by(content)} == {("A", None), ("B", "p")}
    assert product.changes["column_values_suppressed"] == 10
    for statement in (product.statement, expect("token-hashing", log, **values).statement):
        assert "columns are shared" in statuses(statement)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("frequency-threshold", {"n": 2}),
        ("token-hashing", {}),
        ("day-pseudonyms", {}),
        ("entity-allowlist", {"k_entity": 2}),
    ],
)
def test_that_some_columns_are_never_released(name: str, values: dict[str, Any]) -> None:
    log = log_of(FIVE)
    place, device = log.attributes.values()
    withheld = ("signed_in", "input_mode", "filters", "filters_shown")
    device = device._replace(texts=Vocabulary.of(["yes", "1"]))
    log = dataclasses.replace(log, attributes={"place": place} | dict.fromkeys(withheld, device))
    values = {**values, "columns": "keep", "group": 2}
    product = run_method(name, log, **values)
    assert list(log_in(product.content).attributes) == ["place"]
    for statement in (product.statement, expect(name, log, **values).statement):
        assert "place" in statement.claim
        assert not [column for column in withheld if column in statement.claim]


def test_that_columns_are_dropped_unless_somebody_keeps_them() -> None:
    release = run(log_of(FIVE), n=2)
    assert not present(release.log).attributes
    assert "columns are shared" not in statuses(release.statement)
    before = expect("frequency-threshold", log_of(FIVE), columns="keep", n=2).statement
    assert statuses(before)["columns are shared"] == "unknown", "only the release shows it"


def test_that_a_method_of_others_is_shown_no_column_however_its_run_is_decorated() -> None:
    logs: list[QueryLog] = []

    def run_any(log: QueryLog, params: Any, *, rng: Any, progress: Any) -> Any:
        logs.append(log)
        return METHOD.run(log, params, rng=rng, progress=progress)

    for example in (run_any, METHOD.run):
        decorated = functools.wraps(example)(run_any)
        other = dataclasses.replace(METHOD, name="others", run=decorated)
        copy = dataclasses.replace(other, title="The same again")
        for method in (other, copy):
            params = FrequencyThresholdParams(n=2)
            method.run(log_of(FIVE), params, rng=PreviewRandomness(1), progress=QUIET)
    assert len(logs) == 4
    assert not any(log.attributes for log in logs)


def test_that_no_count_is_promised_where_no_rule_counts() -> None:
    empty, facts = Statement(model="none", claim="", unit=""), ShownValues(("country",), 9, 0, 7)
    (allowed,) = state_values(empty, facts, EntityAllowlistParams(columns="keep")).assumptions
    (frequent,) = state_values(empty, facts, FrequencyThresholdParams(cell=3)).assumptions
    assert (allowed.status, frequent.status) == ("fails", "holds")
    assert "fewer than 3" in frequent.text
    assert "fewer than 1 " not in allowed.text
    assert "no rule" in allowed.text


def write_manifest(folder: Path, content: dict[str, Any]) -> None:
    """So much of a manifest as it takes to read a release."""
    facts = {"format": FORMAT, "method": "frequency-threshold", "content": content, "files": {}}
    (folder / MANIFEST).write_text(json.dumps(facts), "utf-8")


@pytest.mark.parametrize("form", ["tsv", "parquet"])
def test_that_written_columns_are_read_again(tmp_path: Path, form: Any) -> None:
    log = log_of(FIVE + FOUR)
    strange = Vocabulary.of(("a\tb", 'say "x"', "line\nend", "é\u200b", "-"))
    place = log.attributes["place"]._replace(texts=strange)
    log = dataclasses.replace(log, attributes={"position": place, "anonid": place})
    facts = write_released_log(log, tmp_path, form, QUIET)
    write_manifest(tmp_path, facts)
    again = present(read_release(tmp_path).log)
    names = ("position", "anonid")
    assert shown_by(again, names) == shown_by(log, names)
    assert again.attributes.keys() == set(names)


def test_that_a_foreign_manifest_names_no_column_that_can_not_be(tmp_path: Path) -> None:
    facts = write_released_log(log_of(FIVE), tmp_path, "tsv", QUIET)
    write_manifest(tmp_path, facts | {"attributes": ["Qury\x1b"]})
    with pytest.raises(auditor.LogFormatError, match="names columns that no release has"):
        read_release(tmp_path)


def write_log_of(rows: list[Row], path: Path) -> Path:
    lines = ["AnonID,Query,QueryTime,geo,ua"]
    for place, (user, query, where, device) in enumerate(rows):
        lines.append(
            f"user{user},query {query},2006-03-01 10:{place // 60:02}:{place % 60:02},"
            f"{'ABCDE'[where]},{'pt'[device]}"
        )
    path.write_text("\n".join([*lines, ""]), "utf-8")
    return path


def test_that_the_command_line_releases_columns(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log, out = write_log_of(FIVE * 2 + FOUR, tmp_path / "log.csv"), tmp_path / "release"
    named = ["--columns", "user=AnonID,place=geo,device=ua"]
    options = ["-p", "columns=keep", "-p", "n=2", "-p", "group=4", "-p", "cell=3"]
    call = ["anonymize", str(log), *named, "--method", "frequency-threshold", *options]
    assert main([*call, "--out", str(out), "--quiet"]) == 0
    heading = (out / "log.tsv").read_text("utf-8").splitlines()[0].split("\t")
    assert heading[-2:] == ["place", "device"] or heading[-2:] == ["device", "place"]
    assert verify_folder(out) == []
    released = present(read_release(out).log)
    assert {row[2] for row in shown_by(released)} <= {"A", "B", None, "p", "t"}
    assert not shows_rare_values(released, 4, 3, linked=True)
    capsys.readouterr()


def test_that_singling_out_knows_the_columns() -> None:
    """One query is everybody's; a column that one user alone has tells them apart all the same."""
    rows = [(user, 0, 0 if user else 1, 0) for user in range(6)]
    log = log_of(rows)
    open_release = run(log, columns="keep", n=1, group=1, cell=1, ids="keep")
    closed = run(log, columns="keep", n=1, group=2, cell=1, ids="keep")
    without = run(log, n=1, ids="keep")
    shown, hidden, bare = (
        run_attack(ATTACKS["unicity"], Evidence(log=log, release=release))
        for release in (open_release, closed, without)
    )
    assert [result.counts for result in (shown, hidden, bare)] == [(1, 6), (0, 6), (0, 6)]
    assert any("place, device" in note for note in shown.notes)
    assert not any("place" in note for note in bare.notes)


def test_that_linkage_knows_the_columns_and_is_never_misled_by_them() -> None:
    rows = [(user, query, user % 5, user % 2) for user in range(10) for query in range(3)]
    log = log_of(rows)

    def rate(**values: Any) -> float:
        release = run(log, n=1, ids="keep", **values)
        return run_attack(ATTACKS["record-linkage"], Evidence(log=log, release=release)).rate

    plain = rate()
    assert rate(columns="keep", group=1, cell=1) == pytest.approx(1.0)
    assert plain == pytest.approx(0.1)
    assert rate(columns="keep", group=4, cell=1) >= plain


def test_that_every_attack_and_measure_copes_with_columns() -> None:
    synthetic = synthesize_log(200, days=10, seed=4)
    place = Attribute(synthetic.log.user % 2, Vocabulary.of("AB"))
    log = dataclasses.replace(synthetic.log, attributes={"place": place})
    params = auditor.FrequencyThreshold(n=2, columns="keep", group=5, cell=1)
    run = auditor.audit(log, params, reference=synthetic.reference)
    assert list(present(run.release.log).attributes) == ["place"]
    assert {"unicity", "record-linkage", "planted-stems", "differencing"} <= {
        result.attack for result in run.attacks
    } | set(run.skipped)
    unknown = "The attacker doesn't know place."
    note = {result.attack: unknown in result.notes for result in run.attacks}
    assert (note["unicity"], note["record-linkage"], note["near-linkage"]) == (False, False, True)
