"""Policies: read as they are meant or refused whole, edited, and what follows from their limits."""

import dataclasses
import math
import tomllib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import auditor
from auditor.attacks.detection.kinds import PII
from auditor.errors import ParameterError
from auditor.log.synthetic.generator import synthesize_log
from auditor.methods.registry import METHODS
from auditor.methods.statements import UNIT
from auditor.methods.suppression import IDENTIFIERS, NAMES, NOTHING
from auditor.privacy.statement import Statement
from auditor.release import gates
from auditor.release.gates import find_suppression, is_on_content, judge_record
from auditor.release.policy.editing import OFF, GateDraft, PolicyDraft
from auditor.release.policy.policy import (
    ANY,
    Gate,
    Policy,
    bounded_advantage,
    bundled_text,
    default_policy,
    find_complaint,
    find_metric,
    gate_catalogue,
    gate_words,
    parse_policy,
    policy_from,
    read_bundled,
    read_policy,
)
from auditor.release.record import AttackRecord, GateVerdict, ReleaseRecord
from auditor.suggestions.estimates import planted_chances
from auditor.suggestions.limits import PolicyLimits
from tests.narrowing import present
from tests.policies import policy_text
from tests.release import fakes

# Reading


HEAD = policy_text(name="ours")
GATE = '[[gate]]\nname = "epsilon"\nfigure = "statement.epsilon"\nmost = 3\n'


def written(folder: Path, text: str) -> Path:
    path = folder / "policy.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_that_a_policy_is_read_as_written(tmp_path: Path) -> None:
    policy = read_policy(written(tmp_path, HEAD + 'note = "n"\n' + GATE + "least = 0.5\n"))
    assert (policy.name, policy.note) == ("ours", "n")
    assert policy.gates == (Gate("epsilon", "epsilon", "statement.epsilon", 3.0, 0.5),)
    assert policy.gates[0].requirement == "at least 0.5 and at most 3"
    assert len(policy.sha256) == 64


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "format"),
        ("format = 'auditor policy 2'\n" + GATE, "format"),
        (HEAD, r"\[\[gate\]\]"),
        (HEAD + "gate = 3\n", r"\[\[gate\]\]"),
        (HEAD + "extra = 1\n" + GATE, "'extra'"),
        (HEAD + GATE + "mots = 1\n", "'mots'"),
        (HEAD + GATE + GATE, "more than one gate 'epsilon'"),
        (HEAD + GATE.replace("most = 3", ""), "needs 'most' or 'least'"),
        (HEAD + GATE.replace("3", "nan"), "finite number"),
        (HEAD + GATE.replace("3", "true"), "finite number"),
        (HEAD + GATE.replace("3", "'3'"), "does not follow"),
        (HEAD + GATE.replace('"epsilon"', '"Big ε"'), "small letters"),
        (HEAD + GATE.replace("statement.epsilon", "statement.epsilo"), "which no run has"),
        (HEAD + GATE.replace("statement.epsilon", "attack.linkage.rate"), "does not exist"),
        (HEAD + GATE.replace("statement.epsilon", "measure.rate"), "which no run has"),
        (HEAD + GATE + 'reasons = ["x"]\n', "no attack gives"),
        (HEAD + GATE + 'reasons = ["payment card"]\n', "go with"),
        (HEAD + GATE + "reasons = 3\n", "list of texts"),
        (HEAD + GATE + "title = 3\n", "needs a text"),
        ("format = ", "no TOML"),
        (HEAD + 'requires = "vanity"\n' + GATE, "list of names"),
        (HEAD + "requires = [1]\n" + GATE, "list of names"),
        (HEAD + 'requires = ["linkage"]\n' + GATE, "does not exist"),
    ],
)
def test_that_a_policy_not_meant_so_is_refused_whole(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(ParameterError, match=words) as raised:
        read_policy(written(tmp_path, text))
    assert raised.value.parameter == "policy"


@pytest.mark.parametrize(
    ("figure", "limits"),
    [
        ("attack.record-linkage.rate", "most = 5"),
        ("release.searches_share", "least = 50"),
        ("statement.strength", "least = 7"),
        ("release.queries", "least = 50\nmost = 10"),
        ("statement.measured.smallest_colum_group", "most = 3"),
    ],
)
def test_that_a_limit_that_no_figure_can_have_is_refused_in_a_file_alone(
    tmp_path: Path, figure: str, limits: str
) -> None:
    text = GATE.replace("statement.epsilon", figure).replace("most = 3", limits)
    with pytest.raises(ParameterError, match=r"epsilon\..*(most|least)|which no run has"):
        read_policy(written(tmp_path, HEAD + text))
    rules = tomllib.loads(text)["gate"]
    assert policy_from({"rules": rules}).gates[0].figure == figure


def test_that_policies_know_every_number_that_a_statement_has() -> None:
    log = synthesize_log(60, days=3, seed=4, attributes=True).log
    for method in METHODS:
        measured = auditor.preview(log, method, seed=1).statement.measured
        assert measured.keys() <= set(gate_words("measured")["names"]), method


def test_that_bundled_policies_go_by_their_names_where_no_file_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert [read_policy(Path(name)).name for name in ("default", "public")] == ["default", "public"]
    with pytest.raises(ParameterError, match="can't be read"):
        read_policy(Path("somewhere/public"))
    with pytest.raises(ParameterError, match="the bundled: default, dma-6-11, open-data, public"):
        read_policy(Path("pubic"))
    Path("public").write_text(HEAD + GATE + "least = 0.5\n", encoding="utf-8")
    assert len(read_policy(Path("public")).gates) == 1


def test_that_no_policy_file_is_an_error_and_not_the_default(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="can't be read"):
        read_policy(tmp_path / "missing.toml")
    (tmp_path / "huge.toml").write_bytes(b"#" * (1 << 20) + b"\n")
    with pytest.raises(ParameterError, match="larger"):
        read_policy(tmp_path / "huge.toml")
    (tmp_path / "odd.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ParameterError, match="no TOML"):
        read_policy(tmp_path / "odd.toml")


def test_that_a_manifest_keeps_required_attacks_and_which_limits_follow(tmp_path: Path) -> None:
    policy = read_policy(written(tmp_path, HEAD + 'requires = ["vanity"]\n' + GATE))
    assert policy.requires == ("vanity",)
    policy = dataclasses.replace(default_policy(), requires=policy.requires)
    record = dataclasses.replace(ReleaseRecord(fakes.STATEMENT), policy=policy)
    again = policy_from(gates.gate_facts(record))
    assert (again.requires, again.gates) == (policy.requires, policy.gates)


# Editing and writing back


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


# Limits that follow from a policy's table


POLICIES = read_bundled()
N_MINUS_ONE = "attack.planted-strings.n_minus_one"


def limit_of(policy: Policy, figure: str) -> float:
    return next(gate.most or gate.least or 0.0 for gate in policy.gates if gate.figure == figure)


CALCULATED = [
    name
    for name in METHODS
    if METHODS[name].law or METHODS[name].weight_law
    if "epsilon" in {spec.name for spec in METHODS[name].params.specs()}
]
"""Methods that take an ε and whose chances are known without a run."""


@pytest.mark.parametrize("name", POLICIES)
def test_that_limits_that_follow_are_those_of_the_table(name: str) -> None:
    policy = POLICIES[name]
    assert policy.unit == "history"
    epsilon = policy.limits.get("epsilon")
    for gate in policy.gates:
        limit = gate.least if gate.most is None else gate.most
        if gate.figure in ("statement.epsilon", "ledger.epsilon"):
            assert limit == epsilon
        if gate.figure in ("statement.delta_users", "ledger.delta_users"):
            assert limit == policy.limits["delta_users"]
        if gate.figure == N_MINUS_ONE:
            assert epsilon is not None
            assert limit == math.tanh(epsilon / 2)
        if gate.figure == "attack.attribute-inference.lead" and "k" in policy.limits:
            assert limit == 1 / policy.limits["k"]


@pytest.mark.parametrize("name", POLICIES)
def test_that_every_kind_of_identifier_fails(name: str) -> None:
    gate = next(gate for gate in POLICIES[name].gates if gate.name == "identifiers")
    assert set(gate.reasons) == {kind.label for kind in PII}


@pytest.mark.parametrize(
    "name", [name for name in POLICIES if POLICIES[name].limits.get("epsilon")]
)
@pytest.mark.parametrize("method", CALCULATED)
def test_that_what_a_method_shows_within_epsilon_is_no_second_gate(name: str, method: str) -> None:
    """The exact law of every method with ε, at the ε that the policy allows."""
    params = METHODS[method].params()
    epsilon, delta = POLICIES[name].limits["epsilon"], getattr(params, "delta", 0.0)
    chances = present(planted_chances(params.replace(epsilon=epsilon), np.arange(2_000.0)))
    advantage = float(np.diff(chances).max())
    assert 0 < advantage <= bounded_advantage(epsilon, delta)
    for verdict in judge(POLICIES[name], epsilon, advantage, delta=delta):
        assert verdict.verdict == "passed"


def judge(
    policy: Policy,
    epsilon: float | None,
    value: float | None,
    low: float | None = None,
    delta: float = 0.0,
) -> list[GateVerdict]:
    """The verdicts on what planted strings show, of a release with this ε or with none."""
    figures = {"n_minus_one_low": 0.0, "n_minus_one_high": 1.0}
    if value is not None:
        figures = {"n_minus_one": value}
    if value is not None and low is not None:
        figures |= {"n_minus_one_low": low, "n_minus_one_high": min(1.0, 2 * value - low)}
    statement = Statement("none", "", UNIT)
    if epsilon is not None:
        statement = Statement("differential privacy", "", UNIT, epsilon=epsilon, delta=delta)
    attacks = {"planted-strings": AttackRecord("planted-strings", figures=figures)}
    record = ReleaseRecord(statement, attacks=attacks)
    checks = judge_record(record, policy).judged
    return [check for check in checks if check.gate.figure == N_MINUS_ONE]


@pytest.mark.parametrize(
    ("epsilon", "value", "low", "verdict"),
    [
        (2.0, 0.759, 0.74, "passed"),  # tanh(1) = 0.762
        (2.0, 0.77, 0.75, "passed"),  # above it by what counting may be off
        (2.0, 0.9, 0.88, "failed"),  # more than ε = 2 allows: its claim is false
        (12.0, 1.0, 0.99, "failed"),  # beyond the policy's ε nothing is evidence
        (None, 1.0, 0.99, "failed"),  # a threshold without noise
        (None, 0.4, 0.3, "passed"),
    ],
)
def test_that_a_figure_within_the_stated_epsilon_is_evidence(
    epsilon: float | None, value: float, low: float, verdict: str
) -> None:
    (check,) = judge(POLICIES["default"], epsilon, value, low)
    assert check.verdict == verdict
    assert check.gate.requirement == "at most 99.991 %"
    if epsilon == 2:
        assert f"({100 * low:.3g} to " in check.evidence
        assert ("more than" in check.evidence) == (verdict == "failed")


@pytest.mark.parametrize(("epsilon", "verdict"), [(2.0, "passed"), (None, "not measured")])
def test_that_only_epsilon_bounds_what_no_number_of_accounts_showed(
    epsilon: float | None, verdict: str
) -> None:
    (check,) = judge(POLICIES["default"], epsilon, None)
    assert check.verdict == verdict


def test_that_another_limit_moves_all_that_follow_from_it_and_the_file_says_so() -> None:
    smaller = with_limit(PolicyDraft.of(bundled_text("default.toml")), "epsilon", "most", 2.0)
    text, same = smaller.format_text()
    assert same
    assert 'most = "advantage(epsilon)"' in text
    for policy in (smaller.build_policy(), parse_policy(text.encode())):
        assert policy.limits["epsilon"] == 2
        assert limit_of(policy, N_MINUS_ONE) == math.tanh(1)
        assert limit_of(policy, "ledger.epsilon") == 2
    policy = with_limit(smaller, "n-minus-one", "most", 0.5).build_policy()
    assert limit_of(policy, N_MINUS_ONE) == 0.5
    assert policy.limits["epsilon"] == 2
    anew = dataclasses.replace(smaller, source="").build_policy()
    assert anew.gates == smaller.build_policy().gates


@pytest.mark.parametrize("limit", ["omega", "advantage(omega)", "e(epsilon)", "epsilon)", ""])
def test_that_a_limit_from_which_nothing_follows_is_refused(limit: str) -> None:
    text = bundled_text("default.toml").replace('"advantage(epsilon)"', f'"{limit}"')
    with pytest.raises(ParameterError, match="n-minus-one"):
        parse_policy(text.encode())


# What helps a failed check on released content


CONTENT_GATES = [gate for gate in default_policy().checks if is_on_content(gate)]


def failed(gate: Gate, verdict: str = "failed") -> GateVerdict:
    return GateVerdict(gate, verdict, 3.0, "3, wanted at most 0")  # type: ignore[arg-type]


def test_that_a_failed_check_on_content_points_at_what_it_needs() -> None:
    assert len(CONTENT_GATES) >= 2
    usual = METHODS["safelog"].params()
    assert find_suppression(map(failed, CONTENT_GATES), usual) == NAMES
    mails = dataclasses.replace(CONTENT_GATES[0], reasons=("e-mail address", "phone number"))
    assert find_suppression([failed(mails)], usual) == IDENTIFIERS
    # What is set already is no help, and neither is a method without the parameter.
    less = usual.replace(suppress=IDENTIFIERS)
    assert not find_suppression([failed(mails)], less)
    assert find_suppression([failed(CONTENT_GATES[0])], less) == NAMES
    assert not find_suppression(map(failed, CONTENT_GATES), usual.replace(suppress=NAMES))
    assert not find_suppression(map(failed, CONTENT_GATES), METHODS["k-delta"].params())


@pytest.mark.parametrize(
    ("reason", "suppressed"),
    [("e-mail address", IDENTIFIERS), ("private person's name and an adult term", NAMES)],
)
def test_that_a_policy_says_what_has_to_be_suppressed(reason: str, suppressed: str) -> None:
    policy = default_policy()
    gate = dataclasses.replace(CONTENT_GATES[0], reasons=(reason,))
    for rules, level in ((policy.gates, NAMES), ((gate,), suppressed), ((), NOTHING)):
        policy = dataclasses.replace(policy, gates=rules)
        assert PolicyLimits.of(policy, 1_000).suppress == level


def test_that_other_checks_point_at_nothing() -> None:
    usual = METHODS["safelog"].params()
    others = [gate for gate in default_policy().checks if gate not in CONTENT_GATES]
    assert not find_suppression(map(failed, others), usual)
    assert not find_suppression([failed(gate, "passed") for gate in CONTENT_GATES], usual)
    assert not find_suppression([], usual)
