"""A method that hides users among k refuses a log of fewer users before it runs."""

import pytest

from auditor.engine.plan import Intent, resolve_intent
from auditor.errors import ParameterError
from auditor.gui.state.intent_editor import IntentEditor
from auditor.log.synthetic.generator import synthesize_log
from auditor.methods.registry import METHODS
from tests.methods.logs import expect

LOG = synthesize_log(12, days=2, seed=3).log
GROUPED = [name for name in METHODS if METHODS[name].grouped]


@pytest.mark.parametrize("name", GROUPED)
def test_that_an_expectation_promises_no_groups_that_a_log_is_too_small_for(name: str) -> None:
    with pytest.raises(ParameterError, match="12 users, fewer than k = 13"):
        expect(name, LOG, k=13)
    assert expect(name, LOG, 2.0, k=13).statement.unit
    enough, too_many = (
        Intent(method=name, values=((name, METHODS[name].params.of({"k": k})),)) for k in (12, 13)
    )
    with pytest.raises(ParameterError, match="fewer than k = 13"):
        resolve_intent(too_many, LOG)
    assert resolve_intent(enough, LOG)


@pytest.mark.parametrize("name", GROUPED)
def test_that_a_slider_does_not_go_beyond_the_users_of_the_log(name: str) -> None:
    editor = IntentEditor(name)
    refusals: list[tuple[str, str]] = []
    editor.refused.connect(lambda parameter, why: refusals.append((parameter, str(why))))
    editor.set("k", 500)
    assert editor.intent.params.to_dict()["k"] == 500  # no log is open
    editor.users = 151
    editor.set("k", 499)
    editor.set_all({"k": 152})
    assert [parameter for parameter, _ in refusals] == ["k", "k"]
    assert "151" in refusals[0][1]
    editor.set("k", 151)
    assert editor.intent.params.to_dict()["k"] == 151
