"""Run → code → run: the code of a plan makes the same plan again, whatever stands in it."""

import dataclasses
import inspect
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

import auditor
from auditor.__main__ import main
from auditor.attacks.adversaries import ADVERSARIES
from auditor.attacks.registry import ATTACKS
from auditor.cli.arguments import (
    assume_attackers,
    log_paths,
    reading_options,
    selection_of,
    sort_pairs,
)
from auditor.cli.parser import parse_arguments
from auditor.cli.suggest import adopted_intent
from auditor.engine.plan import CheckSelection, Intent, Plan, resolve_intent, select_checks
from auditor.engine.presets import preset_files, read_preset
from auditor.log.model import QueryLog
from auditor.log.synthetic.generator import synthesize_log
from auditor.measures.registry import MEASURES
from auditor.methods.registry import METHODS
from auditor.params import ParamKind, Params
from auditor.privacy.selection import ParameterSelection
from auditor.release.policy.policy import read_bundled

PROFILES = "user,name\n1,jo roe\n"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("run-as-code")
    synthetic = synthesize_log(20, days=2, seed=1).log
    synthetic.to_pandas()[["user", "query", "time"]].to_csv(folder / "log.csv", index=False)
    (folder / "profiles.csv").write_text(PROFILES, "utf-8")
    return {"log": str(folder / "log.csv"), "profiles": str(folder / "profiles.csv")}


@pytest.fixture(scope="module")
def log(files: dict[str, str]) -> QueryLog:
    return auditor.read_log(files["log"])


def draw_values(draw: Any, params: type[Params]) -> dict[str, Any]:
    """Values for some parameters of a method, attack or measure, each within its bounds."""
    values: dict[str, Any] = {}
    for spec in params.specs():
        if spec.kind is ParamKind.PATH or not draw(st.booleans()):
            continue
        if spec.optional and draw(st.booleans()):
            values[spec.name] = None
        elif spec.kind is ParamKind.CHOICE:
            values[spec.name] = draw(st.sampled_from([option.value for option in spec.options]))
        elif spec.kind is ParamKind.FLAG:
            values[spec.name] = draw(st.booleans())
        elif spec.slider is not None:
            low, high = spec.slider
            number: Any = st.integers if spec.kind is ParamKind.INTEGER else st.floats
            values[spec.name] = draw(number(low, high))
    return values


def some_of(names: Any) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(sorted(names)), unique=True, max_size=4)


@st.composite
def draw_intents(draw: Any) -> tuple[Intent, CheckSelection]:
    """What somebody may have set in the window or at the terminal."""
    method = draw(st.sampled_from(sorted(METHODS)))
    intent = Intent(method=method)
    try:
        intent = intent.set(**draw_values(draw, METHODS[method].params))
        if draw(st.booleans()):
            intent = intent.assume_adversary(draw(st.sampled_from([a.name for a in ADVERSARIES])))
        for name in draw(some_of([*ATTACKS, *MEASURES])):
            registry: Any = ATTACKS if name in ATTACKS else MEASURES
            intent = intent.tune_check(name, **draw_values(draw, registry[name].params))
    except auditor.AuditorError:  # values that don't go together
        intent = Intent(method=method)
    weights = draw(st.dictionaries(st.sampled_from(["person:name", "health:disease"]),
                                   st.floats(0, 1), max_size=2))  # fmt: skip
    private = draw(st.floats(0.01, 3))
    selection = draw(st.sampled_from([None, ParameterSelection("open", candidates=3),
                                      ParameterSelection("private", private, 40, 2)]))  # fmt: skip
    changes = {
        "attacks": draw(st.none() | some_of(ATTACKS).map(tuple)),
        "measures": draw(st.none() | some_of(MEASURES).map(tuple)),
        "selection": selection,
    }
    intent = dataclasses.replace(intent.weigh_rules(weights), **changes)
    added = draw(some_of(ATTACKS)), draw(some_of(MEASURES))
    skipped = set(draw(some_of([*ATTACKS, *MEASURES]))) - {*added[0], *added[1]}
    return intent, CheckSelection(
        quick=draw(st.booleans()),
        attacks=tuple(added[0]),
        measures=tuple(added[1]),
        skipped=tuple(skipped),
    )


def run_code(code: str, monkeypatch: pytest.MonkeyPatch) -> Plan:
    """What the code would have audited."""
    plans: list[Plan] = []

    def note(log: QueryLog, method: str, **arguments: Any) -> None:
        plans.append(auditor.plan(log, method, **arguments))

    with monkeypatch.context() as patch:
        patch.setattr("auditor.api.run.audit", note)
        exec(compile(code, "copied", "exec"), {})
    return plans[0]


def parse_plan(text: str, folder: Path) -> Any:
    """The arguments of ``auditor audit --plan FILE`` for a file of this text."""
    (folder / "run.toml").write_text(text, "utf-8")
    words = ["audit", "--plan", str(folder / "run.toml"), "--out", str(folder / "out")]
    return parse_arguments(words)


def run_plan_file(text: str, folder: Path, log: QueryLog, digests: dict[str, str]) -> Plan:
    """What ``auditor audit --plan FILE`` would make."""
    arguments = parse_plan(text, folder)
    sort_pairs(arguments)
    intent = assume_attackers(arguments, adopted_intent(arguments, attacks=None))
    selection = selection_of(arguments, quick=False)
    return select_checks(resolve_intent(intent, log, digests), intent, selection, log)


@given(chosen=draw_intents(), names=st.sets(st.sampled_from(["reference", "profiles"])))
def test_that_the_code_and_the_file_of_a_run_make_the_same_plan(
    chosen: tuple[Intent, CheckSelection],
    names: set[str],
    log: QueryLog,
    files: dict[str, str],
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    intent, selection = chosen
    paths: dict[str, Any] = {name: files.get(name, files["log"]) for name in names}
    evidence: dict[str, Any] = {name: log if name == "reference" else paths[name] for name in names}
    given_digests = dict(auditor.plan(log, "safelog", **evidence).knowledge)
    try:
        plan = select_checks(resolve_intent(intent, log, given_digests), intent, selection, log)
    except auditor.ParameterError:  # groups larger than the log
        reject()
    if "reference" in paths:
        paths["reference"] = [paths["reference"]]
    again = run_code(plan.as_python([files["log"]], **paths), monkeypatch)
    assert again.to_dict() == plan.to_dict()
    assert again.digest == plan.digest
    plan = dataclasses.replace(plan, rule_weights=())  # which a file can't say
    folder = tmp_path_factory.mktemp("plan")
    again = run_plan_file(plan.as_toml([files["log"]]), folder, log, given_digests)
    assert again.to_dict() == plan.to_dict()


def test_that_the_code_reads_the_log_as_it_was_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "odd.txt"
    path.write_bytes("7;caf\xe9;2024-01-01\n8;tea;2024-01-02\n".encode("latin-1"))
    options = auditor.ReadOptions(
        format="delimited", delimiter=";", header=False, encoding="latin-1",
        columns={"user": 0, "query": 1, "time": 2},
    )  # fmt: skip
    plan = auditor.plan(auditor.read_log(path, options), "frequency-threshold", n=2)
    assert run_code(plan.as_python([str(path)], options=options), monkeypatch).digest == plan.digest
    arguments = parse_plan(plan.as_toml([path.name], options=options), tmp_path)
    again = auditor.read_log(log_paths(arguments), reading_options(arguments))
    assert again.digest == plan.log_digest


def test_that_a_plan_keeps_the_policy_and_columns_of_any_name(tmp_path: Path) -> None:
    path = tmp_path / "odd.tsv"
    path.write_text("who,is it\t2\t0\tcountry\n7\t2024-01-01\tred\tDE\n", "utf-8")
    options = auditor.ReadOptions(
        format="delimited", delimiter="\t", time_zone="Europe/Berlin", quoting=False,
        columns={"user": "who,is it", "time": "2", "query": 2, "country": "country"},
    )  # fmt: skip
    plan = auditor.plan(auditor.read_log(path, options), "frequency-threshold", n=2)
    text = plan.as_toml([path.name], options=options, policy="open-data")
    assert "how else it was read: quoting=False" in text
    arguments = parse_plan(text, tmp_path)
    assert arguments.policy == "open-data"
    read = reading_options(arguments)
    assert read == dataclasses.replace(options, quoting=None)
    assert auditor.read_log(log_paths(arguments), read).digest == plan.log_digest


def test_that_a_value_that_is_unset_stays_so(
    log: QueryLog, files: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = auditor.plan(log, "frequency-threshold", checks={"retrieval": {"tested": None}})
    assert plan.digest != auditor.plan(log, "frequency-threshold").digest
    assert run_plan_file(plan.as_toml([files["log"]]), tmp_path, log, {}).digest == plan.digest
    assert run_code(plan.as_python([files["log"]]), monkeypatch).digest == plan.digest


@pytest.mark.parametrize("name", preset_files())
@pytest.mark.parametrize("verb", ["audit", "anonymize"])
def test_that_a_bundled_plan_sets_a_deployed_release(
    name: str, verb: str, log: QueryLog, files: dict[str, str]
) -> None:
    preset = read_preset(name)
    arguments = parse_arguments([verb, files["log"], "--plan", name, "--out", "x"])
    assert arguments.method == preset.method
    assert log_paths(arguments) == [Path(files["log"])]
    intent = adopted_intent(arguments, attacks=None)
    expected = METHODS[preset.method].params(**preset.params)
    assert resolve_intent(intent, log, {}).params == expected
    policy = preset.policy or None if verb == "audit" else None
    assert getattr(arguments, "policy", None) == policy
    assert not preset.policy or preset.policy in read_bundled()
    assert preset.title
    assert preset.sources
    assert preset.notes[0].startswith(f"{name}: ")
    changed = parse_arguments(["audit", "a", "--plan", name, "--policy", "public", "--out", "x"])
    assert changed.policy == "public"


def test_that_nobody_says_of_the_dma_what_no_text_publishes() -> None:
    preset = read_preset("dma-2026")
    params = METHODS["entity-allowlist"].params(**preset.params)
    plain = params.to_dict()
    assert (plain["k_entity"], plain["window"], plain["life"], plain["group"]) == (50, 13, 5, 1_000)
    for name in ("max_words", "max_characters", "session_queries", "session_gap"):
        assert plain.get(name) is None
        assert any(name in text for text in preset.unknown)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("method = ", "no TOML"),
        ("methodd = 'safelog'", "Did you mean 'method'"),
        ("plan = 'other.toml'", "no option here"),
        ("params = 3", "are a table"),
        ("log = 'nowhere.tsv'\nmethod = 'safelog'\n[params]\nq_g = 3", "no parameter 'q_g'"),
        ("log = 'x.tsv'\nmethod = 'safelog'\n[selection]\nlook = 'all'", "[selection]"),
        (f"log = {'1' * 5_000}", "no TOML"),
        ("log = " + "[" * 3_000, "no TOML"),
        ("log = '--version'\nmethod = 'safelog'", "--version: There is no such file"),
        ("log = 'x'\nmethod = ['a', 'b']", "There is no method 'b'"),
        ("log = 'x'\nmethod = 'safelog'\noverwrite = 'yes'", "overwrite"),
        ("log = 'x'\nmethod = 'safelog'\ncolumns = { user = [1] }", "columns"),
        ("log = 'x'\nmethod = 'safelog'\ncolumns = '{'", "columns"),
        ("log = 'x'\nmethod = 'safelog'\nattack = { vanity = 1 }", "takes no table"),
        ("log = 'x'\nmethod = 'safelog'\n[params]\nq_f = nan", "q_f"),
        ("log = 'x'\nmethod = 'safelog'\n[params]\nq_f = 2024-01-01", "q_f"),
        ("log = 'x'\nmethod = 'safelog'\n[params.nobody]\na = 1", "nobody"),
        ("log = 'x'\n\"me\\u001bthod\" = 'safelog'", "no option here"),
        ("log = 'x'\nmethod = 'safelog'\nprofiles = \"a\\u0000b\"", "NUL"),
        ("log = 'x'\nmethod = 'safelog'\n[params]\nq_f = \"a\\u0000b\"", "NUL"),
    ],
)
def test_that_a_plan_that_cannot_be_is_one_error(
    tmp_path: Path, text: str, part: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "run.toml").write_text(text, "utf-8")
    try:
        code = main(["audit", "--plan", str(tmp_path / "run.toml"), "--out", str(tmp_path / "out")])
    except SystemExit as end:
        code = int(str(end.code))
    assert code == 2
    message = capsys.readouterr().err
    assert part in message
    assert "Traceback" not in message
    assert "\x1b" not in message


def test_that_what_a_private_choice_cost_is_part_of_the_code(log: QueryLog) -> None:
    selection = auditor.ParameterSelection("private", 0.5, 12)
    code = auditor.plan(log, "zealous", selection=selection, adversary="family").as_python()
    assert "selection=auditor.ParameterSelection(" in code
    assert "epsilon=0.5" in code
    assert "adversary='family'" in code


def test_that_no_parameter_of_a_method_is_called_as_an_argument_of_an_audit() -> None:
    taken = {*inspect.signature(auditor.audit).parameters} - {"params"}
    assert {*inspect.signature(auditor.plan).parameters} <= taken | {"params"}
    for name in METHODS:
        assert not taken & {spec.name for spec in METHODS[name].params.specs()}, name
