"""The policy in the window: every gate told, edited, judged at once, and in force when used."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings

from auditor.gui.release.policy_editor import PolicyEditor
from auditor.gui.state.verdicts import KEY, PolicyKeeper
from auditor.log.model import QueryLog
from auditor.release.policy.policy import default_policy, gate_catalogue, parse_policy, read_bundled
from tests.gui.driving import enter, show, texts, wait_until
from tests.release import fakes

OURS = (
    'format = "auditor policy 1"\nname = "ours"\n\n# by the board\n[[gate]]\nname = "epsilon"\n'
    'figure = "statement.epsilon"\nmost = 3\n'
)
Editor = Callable[..., PolicyEditor]


@pytest.fixture
def keeper() -> Iterator[PolicyKeeper]:
    QSettings().remove(KEY)
    yield PolicyKeeper()
    QSettings().remove(KEY)


@pytest.fixture
def log() -> QueryLog:
    return fakes.raw_log()


@pytest.fixture
def edit(keeper: PolicyKeeper, log: QueryLog) -> Editor:
    def make(*, run: bool = False) -> PolicyEditor:
        editor = show(PolicyEditor(keeper, (fakes.run_result(log), log) if run else None))
        wait_until(lambda: editor.draft is not None)
        settle(editor)
        return editor

    return make


def settle(editor: PolicyEditor) -> None:
    wait_until(lambda: not any(job.running for job in editor.jobs.values()))


def test_that_every_gate_of_any_policy_is_told_with_meaning_and_limits(edit: Editor) -> None:
    editor = edit()
    assert set(editor.rows) == {gate.name for gate in gate_catalogue()}
    for policy in read_bundled().values():
        assert {gate.name for gate in policy.gates} <= set(editor.rows)
    in_force = {gate.name: gate for gate in default_policy().gates}
    for name, row in editor.rows.items():
        assert row.box.isChecked() == (name in in_force)
        assert row.box.accessibleDescription()
        if name in in_force and in_force[name].most is not None:
            assert float(row.fields["most"].text()) == pytest.approx(in_force[name].most)
    assert "Audit of ε (dp-audit)" in texts(editor.rows["audit"])
    row = editor.rows["n-minus-one"]  # a limit that follows moves with its base
    assert "advantage(epsilon)" in row.follows.text()
    row.fields["most"].editingFinished.emit()  # left without a change: it still follows
    enter(editor.rows["epsilon"].fields["most"], "2")
    assert float(row.fields["most"].text()) == pytest.approx(0.761594155956)
    assert float(editor.rows["total-epsilon"].fields["most"].text()) == 2


def test_that_the_run_is_judged_anew_as_soon_as_a_limit_changes(edit: Editor) -> None:
    editor = edit(run=True)
    row = editor.rows["epsilon"]
    assert row.verdict.text() == "✓ passed"
    enter(row.fields["most"], "2")
    settle(editor)
    assert row.verdict.text() == "✗ failed"
    assert "wanted at most 2" in row.evidence.text()
    assert editor.message.text().startswith("✗ The run that is open fails")
    editor.undo.click()
    settle(editor)
    assert row.verdict.text() == "✓ passed"
    assert row.fields["most"].text() == "10"
    editor.redo.click()
    assert row.fields["most"].text() == "2"
    row.box.click()
    settle(editor)
    assert row.verdict.text() == ""
    assert not row.limits.isEnabled()


def test_that_the_ledger_counts_when_the_run_is_judged(edit: Editor, log: QueryLog) -> None:
    fakes.approve_release(log, epsilon=50)
    row = edit(run=True).rows["total-epsilon"]
    assert row.verdict.text() == "✗ failed"
    assert row.evidence.text().startswith("This run: 50")


@pytest.mark.parametrize(("text", "number"), [("1,000", 1000), ("2.5", 2.5)])
def test_that_a_limit_is_read_as_a_number(edit: Editor, text: str, number: float) -> None:
    field = edit().rows["epsilon"].fields["most"]
    enter(field, text)
    assert float(field.text()) == number


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("abc", "epsilon.most must be a number"),
        ("-1", "epsilon.most must be a number in [0, inf)"),
        ("", "epsilon needs 'least' or 'most'"),
        ("inf", "epsilon.most must be a number in [0, inf)"),
    ],
)
def test_that_a_wrong_limit_is_said_by_its_key(edit: Editor, text: str, message: str) -> None:
    editor = edit()
    row = editor.rows["epsilon"]
    enter(row.fields["most"], text)
    assert message in row.complaint.text()
    assert message in editor.message.text()
    assert not editor.use.isEnabled()
    assert not editor.save.isEnabled()
    enter(row.fields["most"], "3")
    assert not row.complaint.text()
    assert editor.use.isEnabled()


def test_that_nothing_is_in_force_before_it_is_used(edit: Editor, keeper: PolicyKeeper) -> None:
    calls: list[None] = []
    keeper.changed.connect(lambda: calls.append(None))
    editor = edit()
    enter(editor.rows["epsilon"].fields["most"], "2")
    assert keeper.text == ""
    editor.reject()
    assert not calls
    again = edit()
    enter(again.rows["epsilon"].fields["most"], "2")
    enter(again.name, "ours")
    again.use.click()
    assert len(calls) == 1
    rules = keeper.load_policy()
    assert rules.name == "ours"
    assert next(gate for gate in rules.gates if gate.name == "epsilon").most == 2
    assert PolicyKeeper().text == keeper.text


def test_that_the_default_can_be_had_back(edit: Editor, keeper: PolicyKeeper) -> None:
    keeper.use_policy(OURS)
    editor = edit()
    assert editor.name.text() == "ours"
    assert not editor.rows["audit"].box.isChecked()
    editor.start.setCurrentIndex(0)
    editor.start.activated.emit(0)
    settle(editor)
    assert editor.rows["audit"].box.isChecked()
    editor.use.click()
    assert keeper.text == ""
    assert keeper.load_policy().name == "default"


def test_that_a_file_is_edited_and_saved_with_its_comments(edit: Editor, tmp_path: Path) -> None:
    """A count of sessions has a box for feedback, too."""
    source, target = tmp_path / "in.toml", tmp_path / "out.toml"
    gate = (
        '\n# sessions\n[[gate]]\nname = "sessions"\n'
        'figure = "attack.surviving-content.sessions_surviving"\nmost = 0\n'
    )
    source.write_text(OURS + gate, encoding="utf-8")
    editor = edit()
    editor.load_file(source)
    wait_until(lambda: "sessions" in editor.rows)
    assert editor.name.text() == "ours"
    assert editor.rows["epsilon"].feedback.isHidden()
    box = editor.rows["sessions"].feedback
    assert not box.isHidden()
    assert not box.isChecked()
    enter(editor.rows["epsilon"].fields["most"], "2")
    box.click()
    editor.save_file(target)
    wait_until(lambda: editor.message.text() == "✓ Saved.")
    changed = OURS.replace("most = 3", "most = 2") + gate + "feedback = true\n"
    assert target.read_text(encoding="utf-8") == changed
    first, second = parse_policy(target.read_bytes()).gates
    assert (first.most, second.feedback) == (2, True)
    editor.undo.click()
    assert not editor.rows["sessions"].feedback.isChecked()
    source.write_text(OURS.replace("most", "mots"), encoding="utf-8")
    before = editor.draft
    editor.load_file(source)  # what is no policy changes nothing
    wait_until(lambda: "mots" in editor.message.text())
    assert editor.draft is before
