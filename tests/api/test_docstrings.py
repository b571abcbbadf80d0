"""What the library's documentation has to hold, function by function."""

import inspect
import re
from collections.abc import Callable
from typing import Any

import pytest

import auditor
from auditor.api import parameters
from auditor.attacks.registry import ATTACKS
from auditor.measures.registry import MEASURES
from auditor.methods.registry import METHODS

FUNCTIONS = [
    name
    for name in auditor.__all__
    if name not in parameters.__all__ and inspect.isfunction(getattr(auditor, name))
]


def sections_of(text: str) -> dict[str, str]:
    """The sections of a docstring in NumPy's style."""
    parts = re.split(r"^(\w+)\n-+\n", inspect.cleandoc(text), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_that_every_parameter_and_what_is_returned_is_documented(name: str) -> None:
    function: Callable[..., Any] = getattr(auditor, name)
    sections = sections_of(function.__doc__ or "")
    heads = re.findall(r"^(\S.*)$", sections.get("Parameters", ""), re.MULTILINE)
    names = {part.lstrip("*") for head in heads for part in head.split(", ")}
    assert names == set(inspect.signature(function).parameters)
    assert "Returns" in sections


def test_that_every_method_attack_and_measure_has_typed_parameters() -> None:
    kinds = [
        registry[name].params for registry in (METHODS, ATTACKS, MEASURES) for name in registry
    ]
    ours = [kind for kind in kinds if kind.__module__.startswith("auditor.")]
    assert sorted(parameters.__all__) == sorted(
        kind.__name__.removesuffix("Params") for kind in ours
    )
    for name in parameters.__all__:
        kind = getattr(auditor, name)
        assert kind in ours
        for spec in kind.specs():
            assert f"\n{spec.name} : " in kind.__doc__


def test_that_parameters_are_copied_compared_and_shown_by_what_differs() -> None:
    params = auditor.SafeLog(q_f=40)
    assert repr(params) == "SafeLog(q_f=40)"
    assert params.replace() == params
    assert params.replace(q_f=10) == auditor.SafeLog()
    assert auditor.SafeLog(**params.get_params()) == params
    with pytest.raises(auditor.ParameterError):
        params.replace(q_f=0)
