"""What every test has in common."""

import gc
import itertools
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# Containers often forbid it; then each process that a test starts would compile all it imports.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
os.environ.pop("AUDITOR_LEDGER", None)  # the person's own, into which whole modules' fixtures wrote
gc.set_threshold(10_000, 10, 10)  # parsing all sources took four times as long with the usual 700

# A cold import or a first compilation inside an example is no failure.
for profile, examples in (("suite", 30), ("thorough", 200)):
    settings.register_profile(
        profile,
        deadline=None,
        max_examples=examples,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
    )
settings.load_profile("suite")  # the hosted workflow adds --hypothesis-profile thorough

_places = itertools.count()

TESTS = Path(__file__).parent
THOROUGH = {
    "api/test_frames.py", "api/test_printed_forms.py", "api/test_run.py", "api/test_run_as_code.py",
    "api/test_session.py", "attacks", "bench", "cli/test_all_at_once.py", "cli/test_cli.py",
    "cli/test_detect.py", "cli/test_judge.py", "cli/test_ledger.py", "cli/test_lost_answers.py",
    "cli/test_output.py", "cli/test_overwriting.py", "cli/test_suggest.py", "cli/test_terminal.py",
    "engine/spark", "engine/test_expected_suppression.py", "fuzz", "gui/app", "gui/compare",
    "gui/help", "gui/log", "gui/projects", "gui/protect", "gui/release", "gui/risk", "gui/suggest",
    "gui/test_adding_a_method.py", "log/out_of_core/test_spilled_log.py",
    "log/reading/test_formats.py", "log/reading/test_hostile.py", "log/reading/test_properties.py",
    "log/synthetic/test_generator.py", "log/test_columns.py", "log/user_distance/test_distance.py",
    "measures/retrieval/test_retrieval.py", "measures/test_similarity.py",
    "measures/test_user_measures.py", "methods/explanation/test_explanation.py",
    "methods/k_delta/test_k_delta.py", "methods/k_delta/test_outlook.py",
    "methods/microaggregation", "methods/n_grams", "methods/noisy_counts/test_grouped_queries.py",
    "methods/noisy_counts/test_histograms.py", "methods/noisy_counts/test_outlook.py",
    "methods/noisy_counts/test_period_units.py", "methods/set_union/test_adaptive_weights.py",
    "methods/test_dated_counts.py", "methods/test_every_method.py",
    "methods/test_k_theta_affinity.py", "methods/test_public_keys.py",
    "methods/test_released_columns.py", "methods/test_sampling.py",
    "methods/test_suppression.py", "methods/test_synthetic_sessions.py",
    "privacy/test_accounting.py", "privacy/test_noise.py",
    "privacy/test_selection.py", "privacy/verification/test_k_delta.py", "reference",
    "release/ledger/test_other_releases.py", "release/ledger/test_store.py", "release/report",
    "release/test_approval.py", "release/test_crash.py", "release/test_feedback_file.py",
    "release/test_foreign.py", "release/test_leaks.py", "release/test_one_record.py",
    "release/test_outside.py", "release/test_recheck.py", "release/test_todays_policies.py",
    "screenshots", "suggestions", "tables", "test_blank_queries.py", "test_conformance.py",
    "test_faults.py", "test_language.py", "test_lazy_imports.py", "test_packaging.py",
    "test_platform.py", "test_registry.py", "test_security.py", "test_smoke.py", "test_wheel.py"
}  # fmt: skip
"""Files and folders that `--fast` leaves out: each takes more than a second and a half or so, most
of them because they compile kernels, start processes or open the window."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--fast`."""
    parser.addoption(
        "--fast", action="store_true", help="only the tests for daily work, under a minute"
    )


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With `--fast`, don't even import what is left out."""
    if not config.getoption("fast") or not collection_path.is_relative_to(TESTS):
        return None
    return True if collection_path.relative_to(TESTS).as_posix() in THOROUGH else None


def pytest_configure(config: pytest.Config) -> None:
    """Let one of several workers compile a kernel while the others wait for it."""
    if "PYTEST_XDIST_WORKER" in os.environ and sys.platform != "win32":
        assert config.cache is not None
        _compile_in_turn(config.cache.mkdir("kernels"))


def _compile_in_turn(locks: Path) -> None:
    """Lock each kernel across processes while numba compiles it or loads it from its cache."""
    import fcntl

    from numba.core.compiler_lock import global_compiler_lock
    from numba.core.dispatcher import Dispatcher

    compile_kernel = Dispatcher.compile

    def compile_or_load(kernel: Any, signature: Any) -> Any:
        name = f"{kernel.py_func.__module__}.{kernel.py_func.__qualname__}"
        # The lock of this process's threads comes first: who holds it waits for no other thread.
        with global_compiler_lock, (locks / name).open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            return compile_kernel(kernel, signature)

    setattr(Dispatcher, "compile", compile_or_load)  # noqa: B010


@pytest.fixture(autouse=True)
def _ledger_of_nobody(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Keep the person's own ledger and audit key out of the tests; each test has its own."""
    place: Path = tmp_path_factory.getbasetemp() / f"nobody-{next(_places)}"
    monkeypatch.setenv("AUDITOR_DATA", str(place))
