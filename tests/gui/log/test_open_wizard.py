"""The open wizard on real files, from its guesses to the reader, and the rejected rows."""

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel

from auditor.gui.log import open_wizard
from auditor.gui.log.open_wizard import ATTRIBUTE, TABLE, OpenWizard
from auditor.gui.log.page import RejectedRowsView
from auditor.log.model import LogOrigin, QueryLog, RejectedRow
from auditor.log.reading import reader
from auditor.log.reading.column_mapping import ReadOptions, SniffedLog
from auditor.log.reading.format_detection import AGGREGATED
from tests.gui.app.test_hostile_names import COLUMN, TAG, check
from tests.gui.driving import (
    column_cells,
    keep,
    offered,
    row_cells,
    show,
    texts,
    wait_signal,
    wait_until,
)
from tests.gui.risk import flagged_logs
from tests.narrowing import present

ORIGIN = LogOrigin(
    files=(Path("a.tsv"),),
    format="aol",
    rows_read=1000,
    rejected={"bad time": 2, "wrong number of columns": 30},
    rejects=(
        RejectedRow("a.tsv", 7, 3, "bad time", flagged_logs.HTML),
        RejectedRow("a.tsv", 9, None, "wrong number of columns", flagged_logs.CONTROLS),
        RejectedRow("a.tsv", 11, 3, "bad time", flagged_logs.LONG),
    ),
)


def test_that_reasons_are_counted_and_choosing_one_lists_its_rows_as_plain_text() -> None:
    view = keep(RejectedRowsView(ORIGIN))
    counts = [("All reasons", 32), ("wrong number of columns", 30), ("bad time", 2)]
    assert view.counts.lines == counts
    assert "32 of 1,000 rows (3.2 %)" in view.summary.text()
    assert "The first 3 are listed" in view.summary.text()
    view.show()
    view.grab()
    first, second, third = column_cells(view.kept, 4)
    assert first == flagged_logs.HTML
    assert "␀" in second
    assert len(third) == 201
    assert all(label.textFormat() == Qt.TextFormat.PlainText for label in view.findChildren(QLabel))
    QTest.keyClick(view.reasons, Qt.Key.Key_Down)
    assert column_cells(view.kept, 1) == ["9"]
    QTest.keyClick(view.reasons, Qt.Key.Key_Down)
    rows = [row_cells(view.kept, row)[:4] for row in range(view.kept.rowCount())]
    assert rows == [["a.tsv", "7", "3", "bad time"], ["a.tsv", "11", "3", "bad time"]]


def test_that_a_log_without_rejects_says_so_in_words() -> None:
    view = keep(RejectedRowsView(LogOrigin(rows_read=5)))
    assert "5 rows" in view.summary.text()


AOL = (
    "AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n"
    "142\trentdirect.com\t2006-03-01 07:17:12\t\t\n"
    '142\t"quoted\t2006-03-12 12:31:06\t1\thttp://www.example.com\n'
    "217\tlottery\t2006-03-01 11:58:51\t1\thttp://www.example.org\n"
)
EXCITE = (
    "2A9EABFB35F5B954\t970916105432\t+md foods +proteins\n"
    "BED75271605EBD0C\t970916001949\tyahoo chat\n"
)
CSV = "when;who;said\n2020-01-01 00:00:00;ann;first query\n2020-01-01 00:01:00;bob;café\n"
EVENTS = "user,query,time,event,rank,url\n" + "".join(
    f"u{user},shoes,2020-01-01 00:0{user}:00,{event},{rank},p{rank}\n"
    for user in range(4)
    for event, rank in (("impression", 1), ("impression", 2), ("click", 2))
)

Look = Callable[..., OpenWizard]


def settle(wizard: OpenWizard) -> None:
    wait_until(lambda: not wizard.job.running and not wizard.pause.isActive())


def open_files(*paths: Path, options: ReadOptions | None = None) -> OpenWizard:
    wizard = show(OpenWizard(list(paths), options=options))
    settle(wizard)
    return wizard


@pytest.fixture
def look(tmp_path: Path) -> Look:
    """Opens the wizard on a file with this text."""

    def write(text: str, name: str = "log.csv", **options: Any) -> OpenWizard:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return open_files(path, options=ReadOptions(**options) if options else None)

    return write


def choose(wizard: OpenWizard, *roles: str, first: int = 0) -> None:
    """Give columns these roles, from the first on."""
    for column, role in enumerate(roles, start=first):
        choice = wizard.table.header.choices[column]
        choice.setCurrentIndex(choice.findData(role))


def read(wizard: OpenWizard) -> QueryLog:
    """The log as it is read with what was set."""
    return reader.read_log(wizard.paths, wizard.collect_options())


@pytest.mark.parametrize(("text", "format", "rows"), [(AOL, "aol", 3), (EXCITE, "excite", 2)])
def test_that_a_known_format_opens_as_it_is(look: Look, text: str, format: str, rows: int) -> None:
    wizard = look(text, "log.txt")
    assert wizard.find_problem() == ""
    assert wizard.format.currentData() == format
    assert wizard.table.rowCount() >= rows
    assert len(read(wizard)) == rows
    assert not wizard.keep_shown.isVisible()  # it knows no results that were shown


def test_that_compressed_files_say_so_and_several_are_counted(tmp_path: Path) -> None:
    paths = [tmp_path / f"part-{number}.txt.gz" for number in (1, 2)]
    for path in paths:
        path.write_bytes(gzip.compress(AOL.replace("217", path.name[5:6]).encode()))
    estimate = open_files(*paths).estimate.text()
    assert "2 files" in estimate
    assert "gz" in estimate


def test_that_a_missing_role_is_named_and_choosing_it_lets_the_log_be_opened(look: Look) -> None:
    wizard = look(CSV)
    assert wizard.delimiter.currentData() == ";"
    assert wizard.table.header.list_roles() == ["time", "", ""]
    assert "“user” and “query”" in wizard.find_problem()
    assert not wizard.open_button.isEnabled()
    choose(wizard, "time", "user", "query")
    assert not wizard.open_button.isEnabled()  # until the reader has looked at it so
    settle(wizard)
    assert wizard.find_problem() == ""
    assert wizard.open_button.isEnabled()
    log = read(wizard)
    assert log.queries.list_strings() == ["first query", "café"]
    assert log.users.list_strings() == ["ann", "bob"]
    rows = wizard.table.rowCount()
    wizard.header.setChecked(False)  # the names are a row, too
    settle(wizard)
    assert wizard.table.rowCount() == rows + 1
    assert present(wizard.table.item(0, 2)).text() == "said"


def test_that_two_columns_cannot_have_one_role(look: Look) -> None:
    wizard = look("user,query,time,asked\nann,rose,2020-01-01 00:00:00,2020-01-01 00:00:01\n")
    assert wizard.find_problem() == ""
    choose(wizard, "time", first=3)
    settle(wizard)
    assert "Two columns" in wizard.find_problem()
    assert not wizard.open_button.isEnabled()


def test_that_the_reader_gets_what_was_set(look: Look, monkeypatch: pytest.MonkeyPatch) -> None:
    requests: list[ReadOptions | None] = []
    sniff_log = reader.sniff_log

    def note_request(paths: list[Path], options: ReadOptions | None) -> SniffedLog:
        requests.append(options)
        return sniff_log(paths, options)

    monkeypatch.setattr(open_wizard, "sniff_log", note_request)
    wizard = look("a,b,c\n" + "ann,rose,01.02.2020\n" * 3)
    assert requests == [None]
    wizard.delimiter.setCurrentIndex(wizard.delimiter.findData(";"))
    settle(wizard)
    wizard.header.setChecked(False)
    settle(wizard)
    wizard.encoding.setEditText("latin-1")
    settle(wizard)
    last = present(requests[-1])
    assert (last.delimiter, last.header, last.encoding) == (";", False, "latin-1")
    wizard.limit.setValue(2.5)
    wizard.times.setEditText("%d.%m.%Y")
    settle(wizard)
    options = wizard.collect_options()
    assert (options.max_rejected_share, options.time_format) == (0.025, "%d.%m.%Y")


@pytest.mark.parametrize(
    ("content", "format", "problem"),
    [
        (b"user,query,time\n" + b"ann,rose,noon\n" * 3, "auto", "How times are written"),
        (b"user,query,time\n", "auto", "It has 0 rows"),
        (b"no object\n", "jsonl", "is a JSON object"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20, "auto", "This is a picture"),
        (b"Query,Clicks,Impressions\n" + b"rose,3,40\n" * 3, "auto", AGGREGATED),
    ],
    ids=["no time", "no row", "no column", "no log", "no user"],
)
def test_that_what_cannot_be_read_is_said_and_keeps_the_log_from_being_opened(
    tmp_path: Path, content: bytes, format: str, problem: str
) -> None:
    path = tmp_path / "log"
    path.write_bytes(content)
    wizard = open_files(path, options=ReadOptions(format=format))
    assert problem in wizard.find_problem()
    assert not wizard.open_button.isEnabled()
    assert not wizard.grab().isNull()


def test_that_answers_stay_when_the_files_could_not_be_read_for_a_while(look: Look) -> None:
    wizard = look("user,query,time\nann,café,2020-01-01 00:00:00\n")
    choose(wizard, "query", "user")
    settle(wizard)
    wizard.spellings.setCurrentIndex(1)
    wizard.limit.setValue(0.5)
    before = wizard.collect_options()
    for encoding, problem in (
        ("utf-16", "isn't in the encoding"),
        ("utf-9", "must be the name of a text encoding"),
        ("utf-8", ""),
    ):
        wizard.encoding.setEditText(encoding)
        settle(wizard)
        assert problem in wizard.find_problem()
        assert wizard.open_button.isEnabled() == (problem == "")
    after = wizard.collect_options()
    assert after.spellings == before.spellings != ReadOptions().spellings
    assert after.max_rejected_share == 0.005
    assert after.columns == before.columns
    assert before.columns["query"] == 0


def test_that_hostile_cells_and_names_are_plain_and_everything_has_a_name(look: Look) -> None:
    text = f"{COLUMN}\twhat\twhen\n7\t{flagged_logs.HTML}\t2020-01-01 00:00:00\n"
    wizard = look(text, f"{TAG}log.csv")
    check(wizard)
    cell = present(wizard.table.item(0, 1))
    assert (cell.text(), cell.toolTip()) == (flagged_logs.HTML, "")
    assert present(wizard.table.horizontalHeaderItem(0)).text() == COLUMN
    for label in wizard.findChildren(QLabel):
        caption = label.buddy() is not None and "<" not in label.text()
        assert caption or label.textFormat() == Qt.TextFormat.PlainText
    for choice in wizard.findChildren(QComboBox):
        assert choice.accessibleName()
    wizard.grab()


def test_that_what_was_noticed_of_a_file_is_said_in_german(german: None, look: Look) -> None:
    wizard = look("".join(f"{row};x{row};{7 * row}\n" for row in range(40)))
    heads = [present(wizard.table.horizontalHeaderItem(place)).text() for place in range(3)]
    assert heads == ["Spalte 1", "Spalte 2", "Spalte 3"]
    text = texts(wizard)
    assert "Spalte 1: 40 verschiedene in 40 Zeilen" in text
    assert "Spalte 3 gilt ihrem Inhalt nach" in text
    assert "column" not in text


def test_that_a_parquet_file_is_mapped_by_its_names(tmp_path: Path) -> None:
    path = tmp_path / "log.parquet"
    table = {"a": [1577836800, 1577836860], "b": ["ann", "bob"], "c": ["first", "second"]}
    pq.write_table(pa.table(table), path)
    wizard = open_files(path)
    assert wizard.format.currentData() == "parquet"
    choose(wizard, "time", "user", "query")
    assert dict(wizard.collect_options().columns) == {"time": "a", "user": "b", "query": "c"}
    assert read(wizard).queries.list_strings() == ["first", "second"]


def test_that_the_parameter_of_a_web_servers_log_is_chosen_from_those_there(look: Look) -> None:
    line = (
        "192.0.2.{n} - - [10/Oct/2020:13:55:{n:02} -0700] "
        '"GET /s?page=1&term=red+{n} HTTP/1.1" 200 5 "-" "x"\n'
    )
    wizard = look("".join(line.format(n=n) for n in range(20)), "access.log")
    names = offered(wizard.parameter)
    assert sorted(names) == ["", "page", "term"]
    assert "(20)" in wizard.parameter.itemText(names.index("term"))
    assert "parameter" in wizard.find_problem()
    assert not wizard.open_button.isEnabled()
    wizard.parameter.setCurrentIndex(names.index("term"))
    settle(wizard)
    assert wizard.find_problem() == ""
    assert wizard.parameter.currentData() == "term"
    assert sorted(read(wizard).queries.list_strings())[:2] == ["red 0", "red 1"]


def test_that_columns_are_suggested_by_their_names_and_none_is_chosen(look: Look) -> None:
    rows = "".join(f"u{n % 3},red shoes {n},in the morning,x{n % 2}\n" for n in range(30))
    wizard = look("user_id,query,server_time_of_event,shop\n" + rows)
    assert "time" not in wizard.table.header.list_roles()
    assert "“time” may be “server_time_of_event”" in wizard.find_problem()
    assert "shop" not in wizard.find_problem()


def test_that_kept_columns_keep_names_and_may_become_coarser(look: Look, tmp_path: Path) -> None:
    table = tmp_path / "countries.csv"
    table.write_text("Bonn,DE\nRome,IT\n", encoding="utf-8")
    wizard = look(
        "when,who,said,geo,agent\n2020-01-01 00:00:00,ann7,first query,Bonn,iPhone\n"
        "2020-01-01 00:01:00,bob9,second,Rome,X11\n",
        columns={"user": "who", "query": "said", "time": "when", "country": "geo"},
        coarsen=f"country={table}",
        spellings="merge",
    )
    choose(wizard, "device", first=4)
    settle(wizard)
    assert wizard.find_problem() == ""
    options = wizard.collect_options()
    assert dict(options.columns) == {"time": 0, "user": 1, "query": 2, "country": 3, "agent": 4}
    assert options.spellings == "merge"
    attributes = read(wizard).attributes
    values = {name: column.texts.list_strings() for name, column in attributes.items()}
    assert values == {"agent": ["phone", "desktop"], "country": ["DE", "IT"]}
    again = open_files(*wizard.paths, options=options)
    assert again.table.header.list_roles() == ["time", "user", "query", str(table), "device"]
    assert dict(again.collect_options().columns) == dict(options.columns)


def test_that_what_searches_showed_is_kept_where_that_is_ticked(look: Look) -> None:
    wizard = look(EVENTS)
    assert wizard.keep_shown.isVisible()
    assert not wizard.keep_shown.isChecked()
    for ticked in (False, True):
        wizard.keep_shown.setChecked(ticked)
        log = read(wizard)
        assert len(log) == 4
        assert ("results_shown" in log.attributes) is ticked


def test_that_a_level_of_a_table_makes_a_kept_column_coarser(look: Look, tmp_path: Path) -> None:
    table = tmp_path / "places.csv"
    table.write_text("city,region,country\nBonn,NW,DE\nRome,Lazio,IT\n", encoding="utf-8")
    rows = "u1,tax,2026-01-01 10:00:00,Bonn\nu2,tax,2026-01-02 10:00:00,Rome\n"
    wizard = look("user,query,time,city\n" + rows)
    with wait_signal(wizard.table.header.table_wanted):
        choose(wizard, TABLE, first=3)
    assert wizard.table.header.list_roles()[3] == ATTRIBUTE, "kept, until a table is there"
    wizard.take_table(3, [table])
    settle(wizard)
    for level, values in (("region", ["NW", "Lazio"]), ("country", ["DE", "IT"])):
        choose(wizard, f"{table}#{level}", first=3)
        settle(wizard)
        assert read(wizard).attributes["city"].texts.list_strings() == values
    again = open_files(*wizard.paths, options=wizard.collect_options())
    assert again.collect_options().coarsen == f"city={table}#country"
    table.write_text("city\n", encoding="utf-8")
    again.take_table(3, [table])
    assert "places.csv" in again.find_problem()


def test_that_the_estimate_says_rows_and_memory_and_warns_beyond_the_computer() -> None:
    text = open_wizard.describe_estimate(10, "gzip", 2**31, 36_389_567, 3 * 2**30)
    facts = ("10 files", "2.0 GiB", "gzip", "36,000,000 rows", "3.0 GiB")
    assert sorted(facts, key=text.index) == list(facts)
    assert "none" not in open_wizard.describe_estimate(1, "none", 10, 1, 1)
    assert open_wizard.too_large(2**60)
    assert open_wizard.too_large(1) == ""


def test_that_roles_and_columns_are_each_other_s_inverse() -> None:
    names = ["a", "b", "c", "d"]
    roles = ["time", "", "user", "query"]
    for form in ("delimited", "parquet"):
        columns = open_wizard.columns_of(roles, names, form)
        assert open_wizard.roles_of(columns, names) == roles
    assert open_wizard.columns_of(roles, names, "jsonl") == {"time": "a", "user": "c", "query": "d"}
    assert open_wizard.roles_of({"user": "nowhere", "query": 9}, names) == ["", "", "", ""]
