"""A real run on a synthetic log: its release tells what was released and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

from auditor.attacks.base import Evidence
from auditor.engine.plan import Intent, resolve_intent
from auditor.engine.runner import RunHandle, execute_plan
from auditor.log.synthetic.generator import synthesize_log
from auditor.privacy.noise import SecureRandomness
from auditor.progress import silent_progress
from auditor.release.export import write_release
from auditor.release.manifest import MANIFEST, verify_folder
from auditor.release.report.html import document_of, page_of


def test_that_no_unreleased_query_stands_in_any_byte_of_a_release(tmp_path: Path) -> None:
    log = synthesize_log(120, days=10, seed=3, progress=silent_progress()).log
    intent = Intent(method="safelog").set(q_f=20, c_f=20, b=0.3, delta=0.01, transitions=False)
    plan = resolve_intent(intent.tune_check("dp-audit", runs=100, copies=100), log)
    result = execute_plan(plan, Evidence(log=log), SecureRandomness(), RunHandle(1), lambda _: None)
    folder = write_release(result, log, tmp_path / "out", progress=silent_progress())
    assert verify_folder(folder) == []

    released = set(result.release.local_content.queries.list_strings())
    assert released, "an empty release proves nothing"
    # Shorter queries can be words of the report itself.
    telling = [q for q in log.queries.list_strings() if len(q) >= 16 and len(q.split()) >= 3]
    hidden = [q for q in telling if q not in released]
    assert len(hidden) > 200
    text = "\n".join(path.read_text() for path in folder.iterdir())
    assert [query for query in hidden if query in text] == []
    assert set(json.loads((folder / MANIFEST).read_text())["measures"]) == {
        measured.measure for measured in result.measures
    }
    inside = page_of(document_of(result, log, edition="internal"))
    assert any(query in inside for query in hidden), "the internal edition shows flagged sessions"
