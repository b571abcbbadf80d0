"""What the ledger says several releases cost together, against sums and composed losses."""

from pathlib import Path
from typing import Any

import pytest

from tests.policies import policy_text
from tests.reference import composition, logs, product, thresholds


@pytest.fixture
def release(tmp_path: Path) -> Any:
    """``release(method, **params)`` audits, approves, and gives (ε, δ) as stated."""
    crowd = [logs.Row(f"u{n}", "weather", logs.EPOCH + n) for n in range(600)]
    log = product.write(crowd, tmp_path / "log.tsv")  # a release of nothing can't be approved
    policy = tmp_path / "policy.toml"
    gates = "epsilon statement.epsilon most=1000", "some release.queries least=1"
    policy.write_text(policy_text(*gates), encoding="utf-8")
    key = tmp_path / "key.pem"
    parts = [*product.names("attacks"), *product.names("measures")]
    skipped = [word for name in parts for word in ("--skip", name)]

    def approve_release(method: str, **params: object) -> tuple[float, float]:
        folder = tmp_path / f"{method}-{len(list(tmp_path.iterdir()))}"
        options = [part for name, value in params.items() for part in ("-p", f"{name}={value}")]
        words = ("--method", method, *options, "--policy", policy, "--out", folder)
        code, reply = product.call("audit", log, *words, *skipped)
        assert code == 0, reply
        new = () if key.exists() else ("--new-key",)
        code, reply = product.call("approve", folder, "--reviewer", "R. Viewer", "--key", key, *new)
        assert code == 0, reply
        entry = product.call("ledger")[1]["approved"][-1]
        return entry["epsilon"], entry["delta"]

    return approve_release


def total() -> dict[str, Any]:
    """What the ledger says of the one log it has."""
    (log,) = product.call("ledger")[1]["logs"]
    costs: dict[str, Any] = log["total"]
    return costs


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
    costs = total()
    epsilon, delta = composition.together(exact)
    assert (costs["epsilon"], costs["delta"]) == pytest.approx((epsilon, delta), rel=1e-9)
    slack = costs["tight_delta"] - delta
    assert slack > 0
    tight = composition.tight_epsilon([(10.0, 50)], slack)
    assert costs["tight_epsilon"] == pytest.approx(tight, rel=1e-6)
    third = release("zealous", m=3, epsilon=1.5, delta=1e-6)
    costs = total()
    exchanged = [composition.exchanged(*pair) for pair in exact]
    composed = composition.together([*exchanged, third])
    assert (costs["epsilon"], costs["delta"]) == pytest.approx(composed, rel=1e-9)
