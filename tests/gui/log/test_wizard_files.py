"""The open wizard on real files, through the reader itself."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel

from auditor.gui.log.open_wizard import ATTRIBUTE, TABLE, OpenWizard
from auditor.log.model import QueryLog
from auditor.log.reading.reader import ReadOptions, read_log
from auditor.progress import Progress
from tests.gui.driving import show, wait_signal, wait_until
from tests.gui.log.test_open_wizard import choose, settled
from tests.narrowing import present

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
Look = Callable[..., OpenWizard]
CSV = "when;who;said\n2020-01-01 00:00:00;ann;first query\n2020-01-01 00:01:00;bob;second\n"


def opened(*paths: Path, options: ReadOptions | None = None) -> OpenWizard:
    wizard = show(OpenWizard(list(paths), options=options))
    settled(wizard)
    return wizard


@pytest.fixture
def look(tmp_path: Path) -> Look:
    """Opens the wizard on a file with this text."""

    def write(text: str, name: str = "log.csv", options: ReadOptions | None = None) -> OpenWizard:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return opened(path, options=options)

    return write


def read(wizard: OpenWizard) -> QueryLog:
    """The log as it is read with what was set."""
    return read_log(wizard.paths, wizard.collect_options(), progress=Progress())


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
    wizard = opened(*paths)
    assert "2 files" in wizard.estimate.text()
    assert "gz" in wizard.estimate.text()


def test_that_a_csv_with_odd_names_opens_once_its_columns_are_set(look: Look) -> None:
    wizard = look(CSV)
    assert wizard.delimiter.currentData() == ";"
    for column, role in enumerate(("time", "user", "query")):
        choose(wizard, column, role)
    wait_until(lambda: wizard.find_problem() == "")
    log = read(wizard)
    assert log.queries.list_strings() == ["first query", "second"]
    assert log.users.list_strings() == ["ann", "bob"]
    rows = wizard.table.rowCount()
    wizard.header.setChecked(False)  # the names are a row, too
    settled(wizard)
    assert wizard.table.rowCount() == rows + 1
    assert present(wizard.table.item(0, 2)).text() == "said"


def test_that_what_was_noticed_of_a_file_is_said_in_german(german: None, look: Look) -> None:
    wizard = look("".join(f"{row};x{row};{7 * row}\n" for row in range(40)))
    heads = [present(wizard.table.horizontalHeaderItem(place)).text() for place in range(3)]
    assert heads == ["Spalte 1", "Spalte 2", "Spalte 3"]
    text = "\n".join(label.text() for label in wizard.findChildren(QLabel))
    assert "Spalte 1: 40 verschiedene in 40 Zeilen" in text
    assert "Spalte 3 gilt ihrem Inhalt nach" in text
    assert "column" not in text


def test_that_a_parquet_file_is_mapped_by_its_names(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = tmp_path / "log.parquet"
    table = {"a": [1577836800, 1577836860], "b": ["ann", "bob"], "c": ["first", "second"]}
    pq.write_table(pa.table(table), path)
    wizard = opened(path)
    assert wizard.format.currentData() == "parquet"
    for column, role in enumerate(("time", "user", "query")):
        choose(wizard, column, role)
    assert dict(wizard.collect_options().columns) == {"time": "a", "user": "b", "query": "c"}
    assert read(wizard).queries.list_strings() == ["first", "second"]


def test_that_a_file_that_is_no_log_is_refused_in_words(tmp_path: Path) -> None:
    path = tmp_path / "picture.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20)
    wizard = opened(path)
    assert wizard.find_problem()
    assert not wizard.open_button.isEnabled()
    assert not wizard.grab().isNull()


def test_that_the_parameter_of_a_web_servers_log_is_chosen_from_those_there(look: Look) -> None:
    line = (
        "192.0.2.{n} - - [10/Oct/2020:13:55:{n:02} -0700] "
        '"GET /s?page=1&term=red+{n} HTTP/1.1" 200 5 "-" "x"'
    )
    wizard = look("".join(line.format(n=n) + "\n" for n in range(20)), "access.log")
    names = [wizard.parameter.itemData(index) for index in range(wizard.parameter.count())]
    assert sorted(names) == ["", "page", "term"]
    assert "(20)" in wizard.parameter.itemText(names.index("term"))
    assert "parameter" in wizard.find_problem()
    assert not wizard.open_button.isEnabled()
    wizard.parameter.setCurrentIndex(names.index("term"))
    settled(wizard)
    assert wizard.find_problem() == ""
    assert wizard.parameter.currentData() == "term"
    assert sorted(read(wizard).queries.list_strings())[:2] == ["red 0", "red 1"]


def test_that_columns_are_suggested_by_their_names_and_none_is_chosen(look: Look) -> None:
    rows = "".join(f"u{n % 3},red shoes {n},in the morning,x{n % 2}\n" for n in range(30))
    wizard = look("user_id,query,server_time_of_event,shop\n" + rows)
    assert "time" not in wizard.table.header.list_roles()
    assert "“time” may be “server_time_of_event”" in wizard.find_problem()
    assert "shop" not in wizard.find_problem()


def test_that_kept_columns_keep_their_names_and_may_become_coarser(
    look: Look, tmp_path: Path
) -> None:
    table = tmp_path / "countries.csv"
    table.write_text("Bonn,DE\nRome,IT\n", encoding="utf-8")
    columns = {"user": "who", "query": "said", "time": "when", "country": "geo"}
    wizard = look(
        "when,who,said,geo,agent\n2020-01-01 00:00:00,ann7,first query,Bonn,iPhone\n"
        "2020-01-01 00:01:00,bob9,second,Rome,X11\n",
        options=ReadOptions(columns=columns, coarsen=f"country={table}", spellings="merge"),
    )
    choose(wizard, 4, "device")
    settled(wizard)
    assert wizard.find_problem() == ""
    options = wizard.collect_options()
    assert dict(options.columns) == {"time": 0, "user": 1, "query": 2, "country": 3, "agent": 4}
    assert options.spellings == "merge"
    attributes = read(wizard).attributes
    texts = {name: column.texts.list_strings() for name, column in attributes.items()}
    assert texts == {"agent": ["phone", "desktop"], "country": ["DE", "IT"]}
    again = opened(*wizard.paths, options=options)
    assert again.table.header.list_roles() == ["time", "user", "query", str(table), "device"]
    assert dict(again.collect_options().columns) == dict(options.columns)


EVENTS = "user,query,time,event,rank,url\n" + "".join(
    f"u{user},shoes,2020-01-01 00:0{user}:00,{event},{rank},p{rank}\n"
    for user in range(4)
    for event, rank in (("impression", 1), ("impression", 2), ("click", 2))
)


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
        choose(wizard, 3, TABLE)
    assert wizard.table.header.list_roles()[3] == ATTRIBUTE, "kept, until a table is there"
    wizard.take_table(3, [table])
    settled(wizard)
    for level, values in (("region", ["NW", "Lazio"]), ("country", ["DE", "IT"])):
        choose(wizard, 3, f"{table}#{level}")
        settled(wizard)
        assert read(wizard).attributes["city"].texts.list_strings() == values
    again = opened(*wizard.paths, options=wizard.collect_options())
    assert again.collect_options().coarsen == f"city={table}#country"
    table.write_text("city\n", encoding="utf-8")
    again.take_table(3, [table])
    assert "places.csv" in again.find_problem()
