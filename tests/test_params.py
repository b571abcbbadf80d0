import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.errors import ParameterError
from auditor.measures.registry import MEASURES
from auditor.params import ParamOption, Params, choice, flag, integer, path, real


@dataclass(frozen=True, kw_only=True)
class Example(Params, owner="example"):
    k: int = integer(5, 2, 50, label="Group size", help="Users per group.")
    delta: float = real(1e-6, 0, 1, closed="neither", label="Delta", help="Chance of failure.")
    mode: str = choice(
        "a", [ParamOption("a", "A"), ParamOption("b", "B")], label="Mode", help="Which."
    )
    pool: bool = flag(False, label="Pool", help="Add one.", when={"mode": ("b",)})
    K: float | None = real(None, 0, 1e6, label="K", help="Threshold.", optional="solved from δ")
    file: Path | None = path(label="File", help="A list.")


def test_that_defaults_are_valid_and_none_is_kept_where_it_is_not_the_default() -> None:
    assert Example().to_dict() == {"k": 5, "delta": 1e-6, "mode": "a", "pool": False}
    every = MEASURES["retrieval"].params().replace(tested=None)
    assert type(every).of(every.to_dict()) == every
    assert [Example(mode=mode).matters("pool") for mode in "ab"] == [False, True]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"k": 1}, "The 'k' parameter of example must be an integer in [2, 50]. Got 1 instead."),
        ({"k": 2.5}, "an integer in [2, 50]. Got 2.5"),
        ({"k": True}, "Got True"),
        ({"delta": 0.0}, "a number in (0, 1). Got 0.0"),
        ({"delta": math.nan}, "Got nan"),
        ({"delta": math.inf}, "Got inf"),
        ({"mode": "c"}, "one of 'a', 'b'. Got 'c'"),
        ({"mode": "x" * 10_000}, "one of 'a', 'b'. Got 'x"),
        ({"pool": 1}, "true or false. Got 1"),
        ({"K": -1}, "or none (solved from δ). Got -1"),
    ],
)
def test_that_a_wrong_value_is_refused_with_what_was_wanted(
    changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(ParameterError) as caught:
        Example(**changes)
    assert message in str(caught.value)
    assert len(str(caught.value)) < 250
    assert caught.value.parameter == next(iter(changes))


@dataclass(frozen=True, kw_only=True)
class Described(Params, owner="described", words="safelog"):
    """Fields whose words stand in files, in a module that does not postpone annotations."""

    q_f: int = 5
    b: float = 2.0
    clicks: bool = True
    pool_file: Path | None = None


def test_that_fields_that_files_describe_have_the_kinds_of_their_types() -> None:
    kinds = {spec.name: spec.kind.name for spec in Described.specs()}
    assert kinds == {"q_f": "INTEGER", "b": "REAL", "clicks": "FLAG", "pool_file": "PATH"}


def test_that_typed_values_are_read_and_an_unknown_name_lists_the_known_ones() -> None:
    typed = Example.parse({"k": "7", "delta": "1e-9", "pool": "yes", "K": "none", "file": "a.txt"})
    assert typed == Example(k=7, delta=1e-9, pool=True, K=None, file=Path("a.txt"))
    with pytest.raises(ParameterError, match=r"example has no parameter 'q'\. It has: k, delta"):
        Example.parse({"q": "1"})


def test_that_numpy_scalars_become_plain_numbers() -> None:
    scalars: dict[str, Any] = {"k": np.int64(7), "K": np.float32(7)}
    params = Example(**scalars)
    assert (type(params.k), type(params.K)) == (int, float)


@given(st.integers() | st.floats(allow_nan=True) | st.text() | st.none() | st.booleans())
def test_that_any_value_is_either_within_bounds_or_refused(value: Any) -> None:
    try:
        params = Example(k=value)
    except ParameterError:
        return
    assert isinstance(params.k, int)
    assert 2 <= params.k <= 50
