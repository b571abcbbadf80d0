"""What every test has in common."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# A cold import or a first compilation inside an example is no failure.
settings.register_profile(
    "suite",
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("suite")
