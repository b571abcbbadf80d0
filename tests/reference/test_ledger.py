"""What the ledger says several releases cost together, against sums and composed losses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.reference import composition, logs, product, thresholds

POLICY = """format = "auditor policy 1"
name = "any"

[[gate]]
name = "epsilon"
title = "There is an ε"
figure = "statement.epsilon"
most = 1000
"""


@pytest.fixture
def release(tmp_path: Path) -> Any:
    """``release(method, **params)`` audits, approves, and gives (ε, δ) as stated."""
    log = product.write(logs.random_log(3, rows=30), tmp_path / "log.tsv")
    policy = tmp_path / "policy.toml"
    policy.write_text(POLICY, encoding="utf-8")
    key = tmp_path / "key.pem"

    def made(method: str, **params: object) -> tuple[float, float]:
        folder = tmp_path / f"{method}-{len(list(tmp_path.iterdir()))}"
        asked = [part for name, value in params.items() for part in ("-p", f"{name}={value}")]
        words = ("--method", method, *asked, "--policy", policy, "--out", folder)
        code, said = product.call("audit", log, *words)
        assert code == 0, said
        new = () if key.exists() else ("--new-key",)
        code, said = product.call("approve", folder, "--reviewer", "R. Viewer", "--key", key, *new)
        assert code == 0, said
        entry = product.call("ledger")[1]["approved"][-1]
        return entry["epsilon"], entry["delta"]

    return made


def total() -> dict[str, Any]:
    """What the ledger says of the one log it has."""
    (log,) = product.call("ledger")[1]["logs"]
    found: dict[str, Any] = log["total"]
    return found


@pytest.mark.slow
def test_that_the_ledger_adds_up_and_composes_as_the_page(release: Any) -> None:
    noise = {"clicks": "false", "transitions": "false", "delta": 1e-5}
    first = release("safelog", q_f=20, b=10, **noise)
    second = release("safelog", q_f=30, b=10, **noise)
    K = [thresholds.threshold(q_f, 1e-5, 10.0, once=True) for q_f in (20, 30)]
    exact = [
        (q_f / 10.0, thresholds.delta(q_f, least, 10.0, once=True))
        for q_f, least in zip((20, 30), K, strict=True)
    ]
    for stated, expected in zip((first, second), exact, strict=True):
        assert stated == pytest.approx(expected, rel=1e-9)
    said = total()
    epsilon, delta = composition.together(exact)
    assert (said["epsilon"], said["delta"]) == pytest.approx((epsilon, delta), rel=1e-9)
    slack = said["tight_delta"] - delta
    assert slack > 0
    tight = composition.tight_epsilon([(10.0, 50)], slack)
    assert said["tight_epsilon"] == pytest.approx(tight, rel=1e-6)
    third = release("zealous", m=3, epsilon=1.5, delta=1e-6)
    said = total()
    exchanged = [composition.exchanged(*one) for one in exact]
    wanted = composition.together([*exchanged, third])
    assert (said["epsilon"], said["delta"]) == pytest.approx(wanted, rel=1e-9)
