"""Searches know methods by their facts alone: no name of one stands in them."""

import dataclasses
import re
from pathlib import Path
from typing import get_args

import pytest

import auditor.suggestions
from auditor.log.synthetic.generator import synthesize_log
from auditor.methods import zealous
from auditor.methods.registry import METHODS
from auditor.methods.setting_families import SettingFamily
from auditor.privacy.randomness import PreviewRandomness
from auditor.privacy.release import ReleaseForm
from auditor.suggestions.candidates import list_dp_methods, list_families, list_public_candidates
from auditor.suggestions.limits import PolicyLimits
from auditor.suggestions.request import SearchHearing
from auditor.suggestions.search import suggest_release
from auditor.suggestions.store import SearchStore
from tests.suggestions.searches import parse_gates, request

POLICY = parse_gates("epsilon statement.epsilon most=8")


class AddedParams(zealous.ZealousParams, owner="added"):
    """Those of ZEALOUS, under a name that no search has heard of."""


METHOD = dataclasses.replace(
    zealous.METHOD,
    name="added",
    title="Added",
    params=AddedParams,
    families=(
        SettingFamily(
            "all",
            "m",
            lambda m, epsilon, delta: AddedParams(m=m, epsilon=epsilon, delta=delta),
            bounded=True,
        ),
    ),
)


def test_that_no_search_names_a_method() -> None:
    folder = Path(auditor.suggestions.__file__).parent
    names = set(METHODS) - set(get_args(ReleaseForm))
    classes = (rf"\b{METHODS[name].params.__name__}\b" for name in METHODS)
    named = re.compile("|".join([*(rf'"{re.escape(name)}"' for name in names), *classes]))
    files = [path.name for path in folder.rglob("*.py") if named.search(path.read_text("utf-8"))]
    assert files == []


def test_that_an_added_method_is_searched_by_its_facts_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    modules = {**METHODS.modules, "added": "tests.suggestions.test_facts"}
    monkeypatch.setattr(METHODS, "modules", modules)
    assert "added" in list_dp_methods(bounded=True)
    limits = PolicyLimits.of(POLICY, 300)
    assert limits.of_method("added") == limits.of_method("zealous")
    added, original = (list_families(limits, (name,))[0] for name in ("added", "zealous"))
    for mine, theirs in zip(added.iterate_candidates(), original.iterate_candidates(), strict=True):
        assert mine.params.to_dict() == theirs.params.to_dict()
    assert len(list_public_candidates(limits, ("added",))) == 10
    log = synthesize_log(60, days=4, seed=1).log
    private = request(policy=POLICY, methods=("added",), mode="private")
    result = suggest_release(private, log, SearchHearing(), SearchStore(), PreviewRandomness(1))
    (point,) = result.points
    assert point.method == "added"
    assert point.statement.epsilon is not None
