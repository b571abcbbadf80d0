"""The ledger on the command line, and what `approve` and `verify` make of it."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import auditor
from auditor.errors import ExportRefused
from auditor.log.reading.reader import read_log
from auditor.progress import silent_progress
from auditor.release import export, signing
from auditor.release.ledger import store
from auditor.release.manifest import MANIFEST, internal_folder
from auditor.release.policy.policy import Policy
from tests.policies import policy_text
from tests.release import fakes
from tests.release.judging import judged_record
from tests.release.test_approval import PASSING, SOME, made

pytestmark = pytest.mark.usefixtures("quick_pages")


@pytest.fixture
def approve(call: Any, tmp_path: Path) -> Any:
    signing.new_key(tmp_path / "key.pem")

    def run(folder: Path, *words: object) -> Any:
        key = tmp_path / "key.pem"
        return call("approve", folder, "--reviewer", "R. Viewer", "--key", key, *words)

    return run


def test_that_an_empty_ledger_says_so_and_is_fine(call: Any) -> None:
    code, answer = call("ledger")
    assert (code, answer["ok"], answer["entries"], answer["logs"]) == (0, True, 0, [])
    assert not store.ledger_path().exists()
    assert call("ledger", "--verify")[0] == 0


def test_that_an_emptied_ledger_is_told_from_one_that_was_never_made(printed: Any) -> None:
    """A file without a byte is what is left of a ledger that somebody emptied, too."""
    assert "There is no ledger" in printed("ledger")
    path = store.ledger_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(mode=0o600)
    output = printed("ledger")
    assert "holds no entry: none was ever written, or all were taken out" in output
    assert "--release FOLDER" in output


def test_that_the_ledger_lists_releases_with_their_total(
    call: Any, approve: Any, tmp_path: Path, printed: Any
) -> None:
    folders = [made(tmp_path / name, PASSING) for name in ("one", "two")]
    approvals = [approve(folder) for folder in folders]
    assert [code for code, _ in approvals] == [0, 0]
    numbers = [answer["ledger"]["entry"] for _, answer in approvals]
    code, answer = call("ledger", "--release", folders[0], "--release", folders[1])
    assert (code, answer["problems"]) == (0, [])
    (log,) = answer["logs"]
    assert log["entries"] == numbers
    assert log["total"]["without_guarantee"] == 2  # the fake has an assumption that fails
    assert "epsilon" not in log["total"]
    assert [entry["reviewer"] for entry in answer["approved"]] == ["R. Viewer"] * 2
    assert answer["approved"][0]["why"] == "an assumption of its ε fails: no τ"
    (named,) = call("ledger", folders[0])[1]["logs"]
    assert (named["digest"], named["entries"]) == (log["digest"], numbers)
    assert "no total" in printed("ledger")


def test_that_a_second_approval_of_one_release_is_listed_with_its_own_terms(
    call: Any, approve: Any, tmp_path: Path, printed: Any
) -> None:
    folder, copy, terms = made(tmp_path, PASSING), tmp_path / "copy", tmp_path / "terms.toml"
    shutil.copytree(folder, copy)
    shutil.copytree(internal_folder(folder), internal_folder(copy))
    for place, recipient in ((folder, "A"), (copy, "B")):
        terms.write_text(f'recipient = "{recipient}"', "utf-8")
        assert approve(place, "--attest", terms)[0] == 0
    answer = call("ledger")[1]
    assert answer["logs"][0]["total"]["releases"] == 1  # its cost counts once
    assert [entry["attested"]["recipient"] for entry in answer["approved"]] == ["A", "B"]
    assert len(auditor.ledger().to_pandas()) == 2
    assert printed("ledger").count("(approved again)") == 1


def test_that_another_ledger_can_be_named(
    call: Any, approve: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other, third = tmp_path / "other.sqlite", tmp_path / "third.sqlite"
    assert approve(made(tmp_path / "one", PASSING), "--ledger", other)[0] == 0
    assert len(call("ledger", "--ledger", other)[1]["approved"]) == 1
    assert call("ledger")[1]["approved"] == []
    monkeypatch.setenv("AUDITOR_LEDGER", str(third))
    assert approve(made(tmp_path / "two", PASSING))[0] == 0
    assert call("ledger")[1]["ledger"] == str(third)
    assert len(call("ledger", "--ledger", other)[1]["approved"]) == 1


def test_that_a_broken_ledger_is_reported_and_stops_approvals(
    call: Any, approve: Any, tmp_path: Path
) -> None:
    folder, waiting = (made(tmp_path / name, PASSING) for name in ("one", "two"))
    before = (waiting / MANIFEST).read_bytes()
    assert approve(folder)[0] == 0
    with closing(sqlite3.connect(store.ledger_path())) as connection:
        connection.execute("DROP TRIGGER entries_update")
        connection.execute("UPDATE entries SET body = replace(body, 'R. Viewer', 'Nobody')")
        connection.commit()
    code, answer = call("ledger", "--verify")
    assert code == 1
    assert answer["problems"][0] == "ledger: its own rules were changed (entries_update)"
    assert "was changed after it was written" in answer["problems"][1]
    assert "logs" not in call("ledger")[1]
    code, verified = call("verify", folder)  # which is whole, whatever became of the ledger
    assert (code, verified["approved"]) == (0, True)
    assert call("verify", folder, "--ledger", store.ledger_path())[0] == 1
    assert approve(waiting)[0] == 1
    assert (waiting / MANIFEST).read_bytes() == before
    with pytest.raises(ExportRefused, match="rules were changed"):
        made(tmp_path / "three", PASSING)


def test_that_a_ledger_that_lost_a_release_is_found_by_it(
    call: Any, approve: Any, tmp_path: Path
) -> None:
    folder = made(tmp_path / "one", PASSING)
    assert call("ledger", "--release", folder)[0] == 1  # not signed
    assert approve(folder)[0] == 0
    store.ledger_path().unlink()
    assert call("ledger", "--verify")[0] == 1  # what is remembered beside the audit key is gone
    code, answer = call("ledger", "--verify", "--release", folder)
    assert code == 1
    assert any("another ledger" in problem for problem in answer["problems"])


def test_that_a_total_over_the_limit_needs_a_reason(
    call: Any, approve: Any, tmp_path: Path
) -> None:
    policy = tmp_path / "ours.toml"
    gates = ("total ledger.without_guarantee most=1", "some release.queries least=1")
    policy.write_text(policy_text(*gates), "utf-8")
    options = ("--policy", policy)
    assert approve(made(tmp_path / "one", PASSING), *options)[0] == 0
    second = made(tmp_path / "two", PASSING)
    code, answer = approve(second, *options)
    assert (code, answer["approved"], answer["blocking"]) == (1, False, ["total"])
    assert len(call("ledger")[1]["approved"]) == 1
    code, answer = approve(second, *options, "--override", "total=the board agreed")
    assert (code, answer["overrides"]) == (0, [{"gate": "total", "reason": "the board agreed"}])
    assert answer["policy"]["source"] == "named at the approval"
    (_, last) = call("ledger")[1]["approved"]
    assert last["overridden"] == ["total"]


def test_that_a_release_of_another_machine_needs_its_audit_key(
    approve: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = tmp_path / "theirs"
    with monkeypatch.context() as patch:
        patch.setenv("AUDITOR_DATA", str(theirs))
        folder = made(tmp_path / "one", PASSING)
    assert approve(folder)[0] == 1
    assert approve(folder, "--audit-key", theirs / f"{signing.AUDIT_KEY}.pub")[0] == 0


def test_that_the_log_itself_is_checked_and_remembered(
    call: Any, approve: Any, tmp_path: Path
) -> None:
    words = ("maps", "weather", "trains", "news", "music")
    rows = [f"{n % 7}\t{words[n % 5]}\t2006-03-01 00:00:{n:02d}\n" for n in range(60)]
    path = tmp_path / "log.tsv"
    path.write_text("user\tquery\ttime\n" + "".join(rows))
    log = read_log([path], progress=silent_progress())
    rules = Policy("ours", "", (PASSING, SOME), "0" * 64)
    result = fakes.run_result(log, mode="published")
    record = judged_record(result, log, rules)
    folder = export.write_release(
        result, log, tmp_path / "out", progress=silent_progress(), record=record
    )
    code, _ = approve(folder, "--log", path)
    assert code == 1  # its ε is not what safelog has with these parameters
    assert approve(folder)[0] == 0
    part = tmp_path / "part.tsv"
    part.write_text("user\tquery\ttime\n" + "".join(rows[:30]))
    assert call("ledger", path)[1]["logs"][0]["total"]["releases"] == 1
    (history,) = call("ledger", part)[1]["logs"]
    assert history["total"]["releases"] == 1
    assert history["overlapping"] == [{"digest": log.digest, "share": 1.0}]
