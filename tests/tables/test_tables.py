"""The tables of the security page: a share of every kind each time, all cases with `-m slow`."""

from pathlib import Path

import pytest

from tests.tables import formats, table
from tests.tables.cases import Case, unfit

EVERY = 40
"""One case of so many is run in the daily suite; those of `tampering` need a signed release."""


def some(cases: list[Case]) -> list[Case]:
    """The first case of each kind, and every so many after it."""
    kinds: dict[str, int] = {}
    sample = []
    for case in cases:
        place = kinds.get(case.kind, 0)
        kinds[case.kind] = place + 1
        if place % EVERY == 0:
            sample.append(case)
    return sample


@pytest.mark.parametrize("name", ["hostile", "usage"])
def test_that_some_cases_of_each_kind_end_as_they_should(name: str) -> None:
    chosen = some(table.cases_of(name))
    assert len(chosen) >= 14
    assert table.failures(chosen) == {}


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("name", table.TITLES)
def test_that_every_case_ends_as_it_should(name: str) -> None:
    assert table.failures(table.cases_of(name)) == {}


@pytest.mark.slow
def test_that_the_security_page_has_the_counts() -> None:
    assert table.is_current(table.PAGE, table.HEADING, table.section()), (
        "run python -m tests.tables --write"
    )


def test_that_every_format_opens_with_its_roles_and_its_users() -> None:
    opened = list(formats.open_cases())
    assert [entry.case.title for entry in opened if not entry.right] == []
    assert {entry.case.user for entry in opened} == {"format", "header", "asked"}
    assert table.is_current(formats.PAGE, formats.HEADING, formats.section(opened)), (
        "run python -m tests.tables formats --write"
    )


def test_that_a_format_can_fail(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_bytes(formats.UNNAMED.encode())
    case = formats.FormatCase("asked, though", {"log.csv": b""}, [], "header")
    assert not formats.open_case(case, path).right
    path.write_text("nothing\n", encoding="utf-8")
    assert not formats.open_case(case, path).opens


def test_that_a_case_can_go_wrong(tmp_path: Path) -> None:
    """The judge of cases: an exit code, a query in an error, and what is left behind."""

    def run_case(words: list[object], codes: tuple[int, ...] = (2,), says: str = "") -> str:
        (tmp_path / str(len(list(tmp_path.iterdir())))).mkdir()
        folder = sorted(tmp_path.iterdir())[-1]
        from tests.tables.cases import run

        return run(Case("kind", "name", lambda _: words, codes, says), folder)

    assert run_case(["methods", "nonsense"]) == ""
    assert run_case(["methods"]).startswith("exit 0")
    assert "is not said" in run_case(["methods"], (0,), "no such words")
    assert run_case(["methods"], (0,), "safelog") == ""
    assert unfit("auditor: zebra crossing is no number.") == "a query stands in the error"
    assert unfit("") != ""
    assert unfit("auditor: x\nTraceback") != ""
