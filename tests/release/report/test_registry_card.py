"""The card for the public registry: what a manifest tells, and what it leaves open."""

import json
from pathlib import Path
from typing import Any

import pytest

from auditor.__main__ import main
from auditor.errors import ExportRefused
from auditor.release.manifest import MANIFEST, read_manifest
from auditor.release.report.registry_card import list_open_fields, registry_card
from tests.release.test_approval import PASSING, made, signed

FIELDS = {
    "basic": 8, "dp_variant": 3, "privacy_loss": 5, "deployment_model": 7, "implementation": 6,
    "administrative": 3,
}  # fmt: skip
"""As many fields as each part of the registry's schema of 2026 has, without optional details."""


PURPOSE = "It's a study: # of\u00a0words"
pytestmark = pytest.mark.usefixtures("quick_pages")


@pytest.fixture
def manifest(tmp_path: Path, key: Path) -> dict[str, Any]:
    folder = made(tmp_path, PASSING)
    signed(folder, key, attested={"purpose": PURPOSE, "recipient": "Ann"})
    return read_manifest(folder)


def test_that_a_card_says_what_the_manifest_says_and_what_is_open(manifest: dict[str, Any]) -> None:
    card = registry_card(manifest)
    parts = card["deployment"]
    assert {name: len(part) for name, part in parts.items()} == FIELDS
    statement = manifest["statement"]
    loss = parts["privacy_loss"]
    assert loss["privacy_parameters"]["epsilon"] == statement["epsilon"]
    assert loss["privacy_parameters"].get("delta", 0) == statement.get("delta", 0)
    for row in statement["assumptions"]:
        assert f"{row['name']} ({row['status']})" in parts["deployment_model"]["trust_assumptions"]
    assert parts["basic"]["intended_use"] == PURPOSE
    opened = set(list_open_fields(card))
    assert "deployment.basic.name" in opened
    assert "deployment.basic.intended_use" not in opened
    assert "deployment.privacy_loss.number_of_privacy_units" in opened  # a count of the log


@pytest.mark.parametrize("epsilon", [None, "infinite"])
def test_that_nothing_without_a_finite_epsilon_gets_one(
    manifest: dict[str, Any], epsilon: str | None
) -> None:
    statement = {**manifest["statement"], "epsilon": epsilon}
    with pytest.raises(ExportRefused, match="no finite"):
        registry_card({**manifest, "statement": statement})
    with pytest.raises(ExportRefused, match="no finite"):
        registry_card({**manifest, "statement": {**statement, "model": "k-anonymity"}})


def test_that_a_changed_folder_gets_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = made(tmp_path, PASSING)
    assert main(["card", str(folder)]) == 0
    printed = capsys.readouterr()
    assert set(json.loads(printed.out)) == {"url_slug", "deployment"}
    assert "deployment.basic.name" in printed.err
    assert "nobody has approved" in printed.err
    text = (folder / MANIFEST).read_text("utf-8")
    (folder / MANIFEST).write_text(text.replace('"epsilon": 2', '"epsilon": 1'), "utf-8")
    assert main(["card", str(folder)]) == 1
