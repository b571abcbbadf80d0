"""Warming up does what a run does and leaves nothing behind."""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from auditor.attacks.base import Evidence
from auditor.engine import warm_up
from auditor.engine.plan import Intent, Plan, resolve_intent
from auditor.engine.runner import RunHandle, execute_plan
from auditor.log import kernel_cache
from auditor.methods.registry import FIRST, METHODS
from auditor.privacy.randomness import PreviewRandomness, SecureRandomness
from tests.narrowing import present


def test_that_warming_runs_every_method_and_warms_the_sampler(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ran: list[str] = []
    checks: list[str] = []

    def note(plan: Plan, *_: object) -> None:
        ran.append(plan.method)
        checks.extend(step.name for step in (*plan.attacks, *plan.measures))

    monkeypatch.setattr(warm_up, "execute_plan", note)
    warmed: list[object] = []
    monkeypatch.setattr(SecureRandomness, "load_sampler", lambda self: warmed.append(self))
    noted: list[object] = []
    monkeypatch.setattr(warm_up, "note_all_compiled", noted.append)
    warm_up.warm_engine()
    assert not noted  # not every kernel was needed
    assert sorted(ran) == sorted(METHODS)
    assert ran[0] == FIRST
    assert len(warmed) == 1
    assert len(checks) == len(set(checks))
    warm_up.warm_engine(compiles=True)
    assert len(noted) == 1
    assert len(checks) > 2 * len(set(checks))


def test_that_only_a_cold_start_compiles_in_another_process(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from auditor.methods.noisy_counts import kernels

    monkeypatch.setattr(warm_up, "_COMMAND", ("-c", "raise SystemExit(3)"))
    where = SimpleNamespace(
        __name__="emit_pairs",
        py_func=kernels.emit_pairs.py_func,
        signatures=(),
        stats=SimpleNamespace(cache_path=str(tmp_path)),
    )
    monkeypatch.setattr(kernels, "emit_pairs", where)
    warm_up.compile_beside.cache_clear()
    assert warm_up.is_cold()
    process = present(warm_up.compile_beside())
    assert process.stdin is not None
    assert process.wait(30) == 3
    process.stdin.close()
    kernel_cache.note_all_compiled(where)
    assert not warm_up.is_cold()
    assert warm_up.compile_beside() is process
    warm_up.compile_beside.cache_clear()
    assert warm_up.compile_beside() is None
    warm_up.compile_beside.cache_clear()


def test_that_compiling_beside_a_window_ends_when_the_window_is_killed(tmp_path: Path) -> None:
    code = (
        "import time; from auditor.engine import warm_up; "
        "warm_up.is_cold = lambda: True; print(warm_up.compile_beside().pid, flush=True); "
        "time.sleep(300)"
    )
    cold = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env=cold) as window:
        assert window.stdout is not None
        child = psutil.Process(int(window.stdout.readline()))
        assert child.is_running()
        window.kill()
    child.wait(60)  # it would compile for minutes


def test_that_a_changed_kernel_is_compiled_beside_the_window_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    source = tmp_path / "some_kernels.py"
    source.touch()
    monkeypatch.setattr(kernel_cache, "PACKAGE", tmp_path)
    kernel = SimpleNamespace(stats=SimpleNamespace(cache_path=str(tmp_path)))
    assert not kernel_cache.are_all_compiled(kernel)
    kernel_cache.note_all_compiled(kernel)
    assert kernel_cache.are_all_compiled(kernel)
    os.utime(source, ns=(1, 1))
    assert not kernel_cache.are_all_compiled(kernel)


@pytest.mark.slow
def test_that_the_first_method_survives_the_small_log_to_the_end() -> None:
    events: list[object] = []
    log = warm_up.tiny_log()
    plan = resolve_intent(Intent(method=FIRST), log)
    result = execute_plan(
        plan, Evidence(log=log), PreviewRandomness(0), RunHandle(0), events.append
    )
    assert result.measures
    assert result.attacks
