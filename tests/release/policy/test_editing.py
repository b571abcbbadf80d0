"""A policy edited and written back: what it means, what people wrote in it, and what is refused."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.errors import ParameterError
from auditor.release.policy.editing import OFF, GateDraft, PolicyDraft
from auditor.release.policy.policy import (
    ANY,
    Gate,
    bundled_text,
    find_complaint,
    find_metric,
    gate_catalogue,
    parse_policy,
    read_bundled,
)

OURS = """# Ours, decided in May.
format = "auditor policy 1"
name = "ours"  # the house's
note = "a note"

# Why three: the board said so.
[[gate]]
name = "epsilon"
figure = "statement.epsilon"
most = 3  # not more
why = "so"

[[gate]]
name = "k"
figure = "statement.measured.k"
least = 5
"""
TEXTS = st.text(max_size=12).map(str.strip)


def find_entry(draft: PolicyDraft, name: str) -> GateDraft:
    return next(entry for entry in draft.entries if entry.gate.name == name)


def with_limit(draft: PolicyDraft, name: str, bound: str, limit: float | None) -> PolicyDraft:
    return draft.with_entry(find_entry(draft, name).with_limit(bound, limit))


def test_that_limits_are_changed_in_place_and_all_else_stays() -> None:
    text, same = with_limit(PolicyDraft.of(OURS), "epsilon", "most", 2.5).format_text()
    assert same
    assert text == OURS.replace("most = 3 ", "most = 2.5 ")
    assert parse_policy(text.encode()).gates[0].most == 2.5


def test_that_a_gate_turned_off_sleeps_in_the_file_and_wakes_again() -> None:
    draft = PolicyDraft.of(OURS)
    off = draft.with_entry(GateDraft(find_entry(draft, "epsilon").gate, on=False))
    text, same = off.format_text()
    assert same
    assert "# Why three" in text
    assert f'{OFF}name = "epsilon"' in text
    assert [gate.name for gate in parse_policy(text.encode()).gates] == ["k"]
    again = PolicyDraft.of(text)
    assert not find_entry(again, "epsilon").on
    assert find_entry(again, "epsilon").gate == find_entry(draft, "epsilon").gate
    awake, same = again.with_entry(GateDraft(find_entry(again, "epsilon").gate)).format_text()
    assert same
    assert awake == OURS


def test_that_gates_of_the_catalogue_are_offered_asleep_and_can_be_added() -> None:
    other = Gate("audit", "Audited", "attack.dp-audit.refuted", most=0.0, why='a "why" of \\ two')
    draft = PolicyDraft.of(OURS, [other, Gate("k", "Another k", "statement.measured.k", least=9)])
    on = {"epsilon": True, "k": True, "audit": False}
    assert {entry.gate.name: entry.on for entry in draft.entries} == on
    text, same = draft.with_entry(GateDraft(other)).format_text()
    assert same
    assert text.startswith(OURS.rstrip())
    assert parse_policy(text.encode()).gates[2].most == 0


def test_that_a_limit_can_go_and_come() -> None:
    both = with_limit(PolicyDraft.of(OURS), "k", "most", 9.0)
    upper = with_limit(both, "k", "least", None)
    for changed, text in ((both, "at least 5 and at most 9"), (upper, "at most 9")):
        assert parse_policy(changed.format_text()[0].encode()).gates[1].requirement == text


def test_that_an_unusual_file_is_written_anew_and_that_is_said() -> None:
    odd = OURS.replace('note = "a note"', 'note = """\nname = "x"\n"""').replace("\n[[gate]]", "")
    with pytest.raises(ParameterError):
        PolicyDraft.of(odd)
    inline = (
        'format = "auditor policy 1"\nname = "ours"\n# lost\n'
        'gate = [{name = "epsilon", figure = "statement.epsilon", most = 3}]\n'
    )
    text, same = with_limit(PolicyDraft.of(inline), "epsilon", "most", 2.0).format_text()
    assert not same
    assert "lost" not in text
    assert parse_policy(text.encode()).gates[0].most == 2


@given(TEXTS, TEXTS, st.floats(0, 1e12), TEXTS)
def test_that_whatever_is_entered_is_read_back(name: str, note: str, most: float, why: str) -> None:
    gate = Gate("it", "It", "statement.epsilon", most=most, why=why)
    for source in ("", OURS):
        draft = PolicyDraft(name, note, (GateDraft(gate),), source)
        policy = draft.build_policy()
        copy = parse_policy(PolicyDraft(name, note, (GateDraft(gate),)).format_text()[0].encode())
        assert policy.gates[0].most == most
        assert policy.gates == copy.gates
        assert (policy.name, policy.note) == (copy.name, copy.note)


@pytest.mark.parametrize(
    ("gate", "message"),
    [
        (Gate("e", "", "statement.epsilon", most=-1.0), "e.most must be a number in [0, inf)"),
        (Gate("f", "", "statement.failing", most=0.5), "f.most must be a whole number"),
        (Gate("l", "", "attack.record-linkage.rate", most=1.5), "l.most must be a number in [0,"),
        (Gate("h", "", "attack.attribute-inference.homogeneous", most=5.0), "h.most must be a"),
        (Gate("n", "", "statement.epsilon"), "n needs 'least' or 'most'"),
        (Gate("b", "", "statement.epsilon", most=1.0, least=2.0), "b.least must not be above"),
        (Gate("i", "", "statement.epsilon", most=math.inf), "i.most must be a number"),
    ],
)
def test_that_a_limit_that_makes_no_sense_is_refused_by_its_key(gate: Gate, message: str) -> None:
    draft = PolicyDraft("p", "", (GateDraft(gate),))
    assert message in draft.list_complaints()[gate.name]
    with pytest.raises(ParameterError, match=gate.name):
        draft.build_policy()
    assert PolicyDraft("p", "", (GateDraft(gate, on=False),)).list_complaints().keys() == {""}


def test_that_every_bundled_policy_is_read_and_every_gate_of_it_is_told() -> None:
    policies = read_bundled()
    assert next(iter(policies)) == "default"
    assert {"public", "research-partner"} <= set(policies)
    for name, policy in policies.items():
        assert policy.note, name
        for gate in policy.gates:
            assert not find_complaint(gate), (name, gate.name)
            metric = find_metric(gate.figure)
            assert metric.meaning.endswith("."), gate.figure
            alone = ("statement.", "ledger.", "release.", "content.", "attested.", "attack.worst.")
            assert metric.runs or gate.figure.startswith(alone)
            assert gate.why
        draft = PolicyDraft.of(bundled_text(name))
        assert draft.format_text() == (bundled_text(name), True)
    with pytest.raises(ParameterError):
        bundled_text("../report/style.css")


def test_that_every_figure_can_have_a_gate_that_needs_a_limit_first() -> None:
    gates = {gate.figure: gate for gate in gate_catalogue()}
    assert gates.keys() >= {"statement.unknown", "ledger.releases", "attack.vanity.rate"}
    names = [gate.name for gate in gates.values() if not gate.requirement]
    assert len(set(names)) == len(names) > 10
    unknown = gates["statement.unknown"]
    draft = PolicyDraft.of(OURS, gates.values())
    assert not find_entry(draft, unknown.name).on
    on = draft.with_entry(GateDraft(unknown))
    assert "needs 'least' or 'most'" in on.list_complaints()[unknown.name]
    policy = draft.with_entry(GateDraft(unknown).with_limit("most", 6.0)).build_policy()
    assert policy.gates[-1].figure == "statement.unknown"
    assert "statement-unknown" not in draft.format_text()[0]


def test_that_the_public_policy_asks_for_no_less_than_the_default() -> None:
    policies = read_bundled()
    default = {gate.name: gate for gate in policies["default"].gates}
    for gate in policies["public"].gates:
        if gate.most is not None and gate.figure == default[gate.name].figure:
            assert gate.most <= (default[gate.name].most or 0), gate.name


def test_that_a_figure_nobody_told_of_is_shown_by_its_name() -> None:
    assert "“new total”" in find_metric("statement.measured.new_total").meaning
    assert find_metric("ledger.something").bounds == ANY
    assert find_metric("measure.retrieval.map_kept").runs.endswith("(retrieval)")
