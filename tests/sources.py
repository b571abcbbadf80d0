"""The program's modules, each parsed once for all tests that look at its source."""

import ast
import functools
import gc
from pathlib import Path

import auditor

PACKAGE = Path(auditor.__file__).parent


@functools.cache
def tree_of(path: Path) -> ast.Module:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    gc.freeze()  # it stays, and searching it for cycles again and again took most of the time
    return tree


@functools.cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """Every node of a module; most tests look at all of them."""
    return tuple(ast.walk(tree_of(path)))
