"""That every method has its page, and that pages know nothing of the program."""

import ast
from pathlib import Path

import pytest

from tests.reference import product

FOLDER = Path(__file__).parent
PAGES = sorted(
    path
    for folder in ("methods", "attacks", "measures")
    for path in (FOLDER / folder).glob("*.py")
    if path.stem != "__init__"
) + [FOLDER / name for name in ("logs.py", "thresholds.py", "composition.py")]
PLAIN = {"collections", "datetime", "fractions", "functools", "itertools", "math", "pathlib"}
PLAIN |= {"random", "statistics", "typing", "tests"}


FAMILIES = {
    "public_keys": ("dp-public-key-counts", "dp-relative-index"),
    "threshold_cells": (
        *("query-result-threshold", "click-pairs"),
        *("popularity-score", "trends-index"),
    ),
}
"""Pages of several methods that are one apart from what they count or show."""


@pytest.mark.parametrize("name", product.names("methods"))
def test_that_every_method_has_its_page_and_is_compared(name: str) -> None:
    family = next((stem for stem, names in FAMILIES.items() if name in names), "")
    page = FOLDER / "methods" / f"{family or name.replace('-', '_')}.py"
    assert page.is_file(), f"write tests/reference/methods/{page.name} from the method's source"
    assert len(ast.get_docstring(ast.parse(page.read_text(encoding="utf-8"))) or "") > 80
    compared = [test.read_text(encoding="utf-8") for test in FOLDER.glob("test_*.py")]
    assert any(f'"{name}"' in text and page.stem in text for text in compared)


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
def test_that_a_page_is_plain_python(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    imported = {
        (node.module if isinstance(node, ast.ImportFrom) else alias.name) or ""
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    assert {name.split(".")[0] for name in imported} <= PLAIN
    assert all(name.startswith("tests.reference") for name in imported if "tests" in name)
    assert "tests.reference.product" not in imported
