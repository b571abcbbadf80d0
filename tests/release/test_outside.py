"""Releases of others: every shape is read as what it is, or refused in one sentence."""

import dataclasses
import gzip
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import auditor
from auditor.attacks.base import Evidence
from auditor.attacks.registry import ATTACKS
from auditor.errors import LogFormatError, ParameterError
from auditor.log.model import QueryLog
from auditor.privacy.blank_queries import spell_as_released
from auditor.privacy.identity import says_ids_kept
from auditor.privacy.records import is_readable, records_of
from auditor.privacy.release import Release, Tables
from auditor.privacy.release_times import EXACT, times_of
from auditor.privacy.truth_table import TruthTable
from auditor.progress import silent_progress
from auditor.release.kept_content import ContentFacts, KeptContent, list_forbidden
from auditor.release.outside import read_outside, select_sample
from auditor.release.record import MISSING, ReleaseRecord
from tests.narrowing import present
from tests.release.judging import judge_gate

ROWS = 'pseudonym,query,date\na,maps,2026-01-02\nb,"tax, form",2026-01-03\na,radio,2026-01-02\n'


def read(folder: Path, text: str, name: str = "r.csv", **options: object) -> Release:
    (folder / name).write_text(text, encoding="utf-8")
    return read_outside(folder / name, progress=silent_progress(), **options)  # type: ignore[arg-type]


def test_that_rows_under_ids_are_a_log_with_times_as_coarse_as_they_look(tmp_path: Path) -> None:
    release = read(tmp_path, ROWS)
    log = present(release.log)
    assert (len(log), len(log.users)) == (3, 2)
    assert set(log.queries.list_strings()) == {"maps", "tax, form", "radio"}
    assert release.params == {"times": "day"}
    assert release.statement.model == "none"
    bare = read(tmp_path, "session_id\tquery\ns1\tmaps\ns1\tradio\n", "r.tsv")
    assert (present(bare.log).users.list_strings(), bare.params) == (["s1"], {"times": "shuffled"})
    for kind, times in (
        ("hour", ["2026-01-02 10:00:00"]),
        ("day", ["2026-01-02 00:00:00", "2026-01-02 00:00:01", "2026-01-03 00:00:00"]),
        ("week", ["2026-01-05", "2026-01-19"]),
    ):
        rows = "".join(f"a,maps,{time}\n" for time in times)
        assert read(tmp_path, f"user,query,time\n{rows}").params == {"times": kind}


def test_that_a_release_of_which_most_queries_are_masked_can_be_read(tmp_path: Path) -> None:
    log = QueryLog.from_columns(
        user=["a"] * 4, query=["maps", "jo of ulm", "tea of ulm", "ox of ulm"], time=[0, 60, 90, 99]
    )
    masked = "* of ulm", "tea *", "* of *"
    rows = "".join(f"a,{query},1970-01-01\n" for query in ("maps", *masked))
    assert is_readable(present(read(tmp_path, f"user,query,time\n{rows}").log), log)
    hashed = "user,query,time\na,f3a 9c,1970-01-01\na,b7,1970-01-01\n"
    assert not is_readable(present(read(tmp_path, hashed).log), log)


def test_that_a_release_of_one_week_keeps_the_searches_of_its_days(tmp_path: Path) -> None:
    monday, day = 4 * 86_400, 86_400
    log = QueryLog.from_columns(
        user=["a"] * 3, query=["maps", "ox", "maps"], time=[monday, monday + day, monday + 5 * day]
    )
    rows = "".join(f"a,{query},1970-01-05\n" for query in ("maps", "ox", "tea"))
    kept = KeptContent.of(log, read(tmp_path, f"user,query,time\n{rows}"))
    assert (kept.searches, kept.added) == (2, 1)
    for count, searches in ((1, 1), (2, 2)):  # more than the Monday holds
        counts = read(tmp_path, f"query,date,count\nmaps,1970-01-05,{count}\n")
        assert KeptContent.of(log, counts).searches == searches


def test_that_counts_by_date_keep_the_searches_of_their_days_alone(tmp_path: Path) -> None:
    day = 86_400
    log = QueryLog.from_columns(
        user=["a"] * 4, query=["maps", "maps", "ox", "maps"], time=[0, day, day, 4 * day]
    )
    for dates, share in (("1970-01-02", 0.5), ("1970-01-05\nmaps,1970-01-12", 0.25)):
        release = read(tmp_path, f"query,date\nox,{dates[:10]}\nmaps,{dates}\n")
        assert KeptContent.of(log, release).share == share


def test_that_exact_times_of_rows_without_ids_are_counted(tmp_path: Path) -> None:
    log = QueryLog.from_columns(user=["a", "b"], query=["maps", "ox"], time=[0, 60])
    texts = ["1970-01-01T10:00:00+00:00", "1/1/1970 0:00", "1795824001", "19700101", "25569.5"]
    rows = "query,time\n" + "".join(f"maps,{text}\n" for text in texts)
    for text, exact in ((rows, 3), ("query,time\nmaps,1970-01-01\n", 0), ("query\nmaps\n", None)):
        facts = ContentFacts.of(log, read(tmp_path, text))
        assert facts.exact_times == exact
        assert facts.persistent_ids == (None if exact is None else 0)


def test_that_columns_beside_the_rows_are_read_and_forbidden_ones_stand_out(tmp_path: Path) -> None:
    rows = "pseudonym,query,time,country,ip,Cookie\na,maps,2026-01-02,US,81.2.x.x,c1\n"
    log = present(read(tmp_path, rows).log)
    assert log.attributes["country"].texts.list_strings() == ["US"]
    assert set(list_forbidden(log.columns)) == {"ip_address", "cookie"}


COUNTRIES = """pseudonym,query,time,country
a,maps,2026-01-01,US
b,maps,2026-01-01,US
c,maps,2026-01-01,DE
d,maps,2026-01-02,DE
"""
UNTIMED = "id,query,device\na,maps,x\nb,maps,y\n"
OWNERS = {"a": "ann", "b": "bob", "c": "cid", "d": "cid"}


@pytest.mark.parametrize(
    ("text", "owners", "verdict"),
    [
        (COUNTRIES, OWNERS, "failed"),
        (COUNTRIES, None, "not measured"),
        (UNTIMED, {"a": "ann", "b": "bob"}, "failed"),
        (UNTIMED, None, "not measured"),
        ("query,device,count\nmaps,x,3\n", OWNERS, "not measured"),
    ],
)
def test_that_columns_are_counted_by_users_where_a_truth_table_names_them(
    tmp_path: Path, text: str, owners: dict[str, str] | None, verdict: str
) -> None:
    truth = None if owners is None else TruthTable.of(owners)
    statement = read(tmp_path, text, truth=truth).statement
    figure = "statement.measured.smallest_column_group"
    check = judge_gate(ReleaseRecord(statement), figure, least=5)
    assert (check.verdict, check.value) == (verdict, 1 if verdict == "failed" else None)


@pytest.mark.parametrize(
    ("text", "forbidden"),
    [
        ("user,query,IP,signed_in,url\na,maps,81.2.3.4,1,\n", {"ip_address", "signed_in"}),
        ("query,count,cookie\nmaps,3,c1\n", {"cookie"}),
    ],
)
def test_that_forbidden_columns_stand_out_without_times(
    tmp_path: Path, text: str, forbidden: set[str]
) -> None:
    log = QueryLog.from_columns(user=["a"], query=["maps"], time=[0])
    facts = ContentFacts.of(log, read(tmp_path, text))
    assert set(present(facts.forbidden_columns)) == forbidden


def test_that_ids_of_a_few_users_are_not_theirs_for_a_row_in_common(tmp_path: Path) -> None:
    """One of three users has a query in common with whoever has their number in the release."""
    log = QueryLog.from_columns(user=["1", "2", "3"], query=["a", "b", "c"], time=[9] * 3)
    release = read(tmp_path, "user,query,time\n1,a,1970-01-02\n2,x,1970-01-02\n3,y,1970-01-02\n")
    assert select_sample(release, log, silent_progress()) is None


def test_that_the_rows_of_a_sample_are_taken_where_something_tells_whose_they_are(
    tmp_path: Path,
) -> None:
    some = [str(user) for user in range(1, 31)]
    log = QueryLog.from_columns(user=some, query=[f"q{user}" for user in some], time=[9] * 30)
    own = [(user, f"q{user}") for user in range(1, 101)]
    others = [(101 - user, query) for user, query in own]
    truth = TruthTable.of({str(101 - int(user)): user for user in some})
    for rows, table, is_told in ((own, None, True), (others, None, False), (others, truth, True)):
        text = "".join(f"{user},{query},1970-01-02\n" for user, query in rows)
        release = read(tmp_path, f"user,query,time\n{text}", truth=table)
        part = select_sample(release, log, silent_progress())
        assert (part is not None) == is_told
        if part is not None:
            assert present(part.log).queries.list_strings() == [f"q{user}" for user in some]
            assert present(part.truth).find_owners(log, present(part.log)).min() >= 0


WITHHELD = ["signed_in", "filters"]


@pytest.mark.parametrize("name", ["r.csv", "r.csv.gz", "r.jsonl", "folder", "wide.csv"])
def test_that_forbidden_columns_stand_out_in_every_form(tmp_path: Path, name: str) -> None:
    more = [f"more{number}" for number in range(20 if name == "wide.csv" else 0)]
    names = ["user", "query", "time", *more, *WITHHELD]
    rows = [["a", "maps", "2026-01-02", *more, "1", "x"], ["b", "ox", "2026-01-03", *more, "", ""]]
    frame = pd.DataFrame(rows, columns=names)
    path = tmp_path / name
    if name == "folder":
        path.mkdir()
        frame.drop(columns=WITHHELD).to_csv(path / "a.csv", index=False)
        frame.to_csv(path / "b.csv", index=False)
    elif name == "r.jsonl":
        frame.to_json(path, orient="records", lines=True)
    else:
        frame.to_csv(path, index=False)
    release = read_outside(path, progress=silent_progress())
    facts = ContentFacts.of(present(release.log), release)
    assert set(present(facts.forbidden_columns)) == set(WITHHELD)


def test_that_no_column_is_denied_that_may_have_no_name(tmp_path: Path) -> None:
    log = QueryLog.from_columns(user=["a"], query=["maps"], time=[0])
    row = '{"user": "a", "query": "maps", "time": "2026-01-02"}\n'
    bare = read(tmp_path, "1\tmaps\tD1\n", "p.tsv", columns={"user": 0, "query": 1})
    for release in (bare, read(tmp_path, row * 1_000, "r.jsonl")):
        facts = ContentFacts.from_dict(ContentFacts.of(log, release).to_dict())
        value, why = facts.find_figure("forbidden_columns", "2026-02-02")
        assert value is None
        assert why.startswith(MISSING)


def test_that_lower_case_counts_hold_queries_typed_with_capitals(tmp_path: Path) -> None:
    log = QueryLog.from_columns(user=["a"], query=["Maps"], time=[0])
    for released, typed in (("maps", "maps"), ("Maps", "Maps")):
        release = read(tmp_path, f"query,count\n{released},20\n")
        assert spell_as_released(log, release).queries.list_strings() == [typed]


def test_that_lower_case_rows_hold_queries_typed_with_capitals(tmp_path: Path) -> None:
    log = QueryLog.from_columns(user=["a", "a"], query=["Maps", "Tax form"], time=[0, 86_400])
    rows = "id,query,time\nx,{},1970-01-01\nx,{},1970-01-02\n"
    release = read(tmp_path, rows.format("maps", "tax form"))
    content = KeptContent.of(log, release)
    assert (content.queries, content.share, content.added) == (2, 1.0, 0)
    assert is_readable(present(release.log), spell_as_released(log, release))
    assert not ATTACKS["composition-exposure"].why_not(Evidence(log=log, release=release))
    hashed = read(tmp_path, rows.format("0a1f", "77bc 0d2e"))
    assert spell_as_released(log, hashed) is log


def test_that_counts_and_pairs_are_tables(tmp_path: Path) -> None:
    def list_counts(table: Tables) -> dict[str, int]:
        return dict(zip(table.queries.list_strings(), table.query_count.tolist(), strict=True))

    counts = present(read(tmp_path, 'query,noisy_count\nmaps,20\nradio,"1,300"\nmaps,1\n').tables)
    assert list_counts(counts) == {"maps": 21, "radio": 1_300}
    assert not counts.has_clicks
    orcas = "1\tmaps\tD1\thttp://m\n2\tmaps\tD1\thttp://m\n3\tradio\tD2\t\n"
    pairs = present(read(tmp_path, orcas, "p.tsv", columns={"query": 1, "url": 3}).tables)
    assert list_counts(pairs) == {"maps": 2, "radio": 1}
    assert [pairs.urls[int(code)] for code in pairs.click_url] == ["http://m"]
    assert pairs.click_count.tolist() == [2]
    assert pairs.queries[int(pairs.click_query[0])] == "maps"
    place = tmp_path / "t.parquet"
    pd.DataFrame({"keyword": ["maps"], "url": [None], "users": [7]}).to_parquet(place)
    table = present(read_outside(place, progress=silent_progress()).tables)
    assert table.query_count.tolist() == [7]
    assert not len(table.click_url), "nothing is no page"


def test_that_a_packed_log_is_read_as_logs_are(tmp_path: Path) -> None:
    rows = "AnonID\tQuery\tQueryTime\n1\tmaps\t2006-03-01 10:00:01\n2\tradio\t2006-03-01 10:00:02\n"
    (tmp_path / "r.tsv.gz").write_bytes(gzip.compress(rows.encode()))
    release = read_outside(tmp_path / "r.tsv.gz", progress=silent_progress())
    assert (len(present(release.log)), release.params) == (2, {"times": "exact"})


@pytest.mark.parametrize(
    ("text", "columns", "message"),
    [
        ("", None, "is empty"),
        ("a,b\n1,2\n", None, "--release-columns query=COLUMN"),
        ("query,count\n", None, "holds no rows"),
        ("query,count\nmaps,many\n", None, "line 2"),
        ("query,count\nmaps,inf\n", None, "line 2"),
        ("user,query\na,maps\n,radio\n", None, "rows without an id: 1"),
        ("query,count\nmaps,3\n", {"query": "nothing"}, "no column nothing"),
        ("query,count\nmaps,3\n", {"query": 9}, "no column 9"),
        ("query,count\nmaps,3\n", {"rank": 0}, "is one of user, query"),
    ],
)
def test_that_what_cannot_be_read_is_refused(
    tmp_path: Path, text: str, columns: dict[str, str | int] | None, message: str
) -> None:
    with pytest.raises((LogFormatError, ParameterError), match=message):
        read(tmp_path, text, columns=columns)


def test_that_bytes_and_missing_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "b.csv").write_bytes(b"query,count\n\xff\xfe,3\n")
    (tmp_path / "z.parquet").write_bytes(b"PAR1 nothing")
    for name in ("b.csv", "z.parquet", "none.csv"):
        with pytest.raises(LogFormatError):
            read_outside(tmp_path / name, progress=silent_progress())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no released id"),
        ("id\tuser\n", "holds no released id"),
        ("a\tann\nb\n", "line 2"),
        ("a,ann\na,bob\n", "line 2"),
    ],
)
def test_that_a_truth_table_names_one_user_for_each_id(
    tmp_path: Path, text: str, message: str
) -> None:
    (tmp_path / "t.tsv").write_text(text)
    with pytest.raises(LogFormatError, match=message):
        TruthTable.read(tmp_path / "t.tsv")
    (tmp_path / "t.tsv").write_text("r1\tuser\nr2\tann\n")
    assert TruthTable.read(tmp_path / "t.tsv").ids.list_strings() == ["r1", "r2"]
    (tmp_path / "t.tsv").write_bytes(b"\xff")
    with pytest.raises(LogFormatError, match="UTF-8"):
        TruthTable.read(tmp_path / "t.tsv")


def test_that_a_heading_of_any_size_is_read_whole_or_refused(tmp_path: Path) -> None:
    many = ",".join(f"spalte_{number}_ä" for number in range(8_000))
    release = read(tmp_path, f"user,query,date,{many}\na,x,2026-01-02{',1' * 8_000}\n")
    assert present(release.log).users.list_strings() == ["a"]
    with pytest.raises(LogFormatError, match="first line"):
        read(tmp_path, "x" * (1 << 20) + "é,user,query\n")


def test_that_parameters_of_other_kinds_say_nothing_of_times_and_ids(tmp_path: Path) -> None:
    release = read(tmp_path, "user,query,date\na,x,2026-01-02\n")
    release = dataclasses.replace(release, params={"times": ["day"], "ids": ["keep"], "users": {}})
    assert times_of(release.params) == EXACT
    assert says_ids_kept(release) is None


def test_that_a_truth_table_tells_whose_every_record_is(tmp_path: Path) -> None:
    log = QueryLog.from_columns(user=["ann", "bob", "cid"], query=["x"] * 3, time=[0, 1, 2])
    (tmp_path / "truth.csv").write_text("ID,User\na1,ann\na2,ann\nb1,bob\nq,nobody here\n")
    truth = TruthTable.read(tmp_path / "truth.csv")
    rows = "user,query,date\na1,x,2026-01-02\na2,y,2026-01-03\nb1,x,2026-01-02\nz,x,2026-01-02\n"
    release = read(tmp_path, rows, truth=truth)
    records = records_of(log, release, np.arange(3), silent_progress())
    ids = present(release.log).users.list_strings()
    assert [ids[code] if code >= 0 else "" for code in records.record] == ["a1", "b1", ""]
    everybody = np.arange(len(ids))
    assert [ids[code] for code in everybody[records.is_own(0, everybody)]] == ["a1", "a2"]
    assert [ids[code] for code in everybody[records.is_own(1, everybody)]] == ["b1"]
    assert not records.is_own(2, everybody).any()
    assert records.guess_rate(4) == pytest.approx((2 + 1) / 2 / 4)


def test_that_python_judges_a_file_of_others(tmp_path: Path) -> None:
    log = auditor.load_sample().sample_users(300, 1)
    frame = log.to_pandas()[["user", "query", "time"]]
    frame["time"] = frame["time"].astype(str).str[:10]
    ids = {f"{user}/{day}" for user, day in zip(frame["user"], frame["time"], strict=True)}
    truth = {key: key.partition("/")[0] for key in ids}
    frame["user"] = frame["user"].astype(str) + "/" + frame["time"]
    frame.to_csv(tmp_path / "days.csv", index=False)
    release = auditor.load_release(tmp_path / "days.csv", truth=truth)
    result = auditor.attack("record-linkage", log, release)
    assert result.rate > 0.9  # raw queries: any day's record gives somebody away
    assert result.baseline > 1 / len(ids)
    with pytest.raises(ParameterError, match="truth table"):
        auditor.attack("record-linkage", log, auditor.load_release(tmp_path / "days.csv"))


def test_that_a_file_or_row_that_would_not_be_judged_is_an_error(tmp_path: Path) -> None:
    folder = tmp_path / "release"
    folder.mkdir()
    rows = ROWS + "".join(f"c{n},maps,2026-01-02\n" for n in range(40))
    (folder / "a.csv").write_text(rows.replace("pseudonym", "user").replace("date", "time"))
    for name in ("mapping", ".hidden.csv"):
        (folder / name).write_text("a\tAnn\n")
    with pytest.raises(LogFormatError, match=r"hidden\.csv, mapping"):
        read_outside(folder, progress=silent_progress())
    with pytest.raises(LogFormatError, match="line 45"):
        read(tmp_path, rows + "d,maps, john smith,2026-01-02\n")
    assert len(present(read(tmp_path, rows + "\n").log)) == 43, "a blank line releases nothing"


def test_that_quotes_between_tabs_are_part_of_a_query(tmp_path: Path) -> None:
    phrases = ('"phrase 10', "maps", "radio", '"phrase 50')
    counts = read(tmp_path, "query\tcount\n" + "".join(f"{q}\t5\n" for q in phrases), "c.tsv")
    assert {*present(counts.tables).queries.list_strings()} == {*phrases}
    log = read(tmp_path, "user\tquery\n" + "".join(f"{q[-1]}\t{q}\n" for q in phrases), "l.tsv").log
    assert len(present(log)) == 4
    quoted = read(tmp_path, '"query"\t"count"\n"maps\tand more"\t"5"\n', "q.tsv")
    assert present(quoted.tables).queries.list_strings() == ["maps\tand more"]
