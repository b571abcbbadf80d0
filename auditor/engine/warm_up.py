"""Does once, on a log of a few rows, what a first run does, so that the first run needn't wait.

Kernels are compiled or loaded, lists are read, and the sampler is imported. What is made here is
a preview and is thrown away. Cold it takes as long as the kernels compile; seconds afterwards.

``python -m auditor.engine.warm_up`` compiles in a process of its own, beside one that has something
else to do: Numba compiles one kernel at a time in a process, and holds up its other threads.
"""

import atexit
import contextlib
import dataclasses
import functools
import os
import subprocess
import sys
import threading

import numpy as np

from auditor import platform
from auditor.attacks.base import Evidence
from auditor.attacks.registry import ATTACKS
from auditor.engine.plan import Intent, resolve_intent
from auditor.engine.runner import RunHandle, execute_plan
from auditor.errors import AuditorError
from auditor.log.kernel_cache import are_all_compiled, note_all_compiled
from auditor.log.model import QueryLog, Vocabulary
from auditor.log.reading.reader import warm_reader
from auditor.methods.registry import FIRST, METHODS
from auditor.privacy.noise import PreviewRandomness, SecureRandomness
from auditor.progress import Progress

_BESIDE = "--beside"
"""Says to the process that compiles that it ends when its input does, that is, with its parent."""
_COMMAND = ("-m", "auditor.engine.warm_up", _BESIDE)
_BEHIND = 5
"""How far a process that compiles beside a window stands behind it."""


def warm_engine(compiles: bool = False) -> None:
    """Warm the method that is likely first, the sampler, then all other methods.

    Each attack and measure is made once; to compile every kernel (`compiles`), with every method.
    """
    log, checks = tiny_log(), set[str]()
    for name in (FIRST, *(name for name in METHODS if name != FIRST)):
        if compiles:
            checks = set()
        with contextlib.suppress(AuditorError):  # what doesn't suit so small a log is let be
            intent = Intent(method=name)
            for attack in ATTACKS:
                intent = intent.tune_check(attack, **ATTACKS[attack].quick)
            plan = resolve_intent(intent, log)
            if plan.what.outlook is not None:
                plan.what.outlook(log, plan.params, scale=1.0, progress=Progress())
            attacks, measures = (
                tuple(step for step in steps if step.name not in checks)
                for steps in (plan.attacks, plan.measures)
            )
            plan = dataclasses.replace(plan, attacks=attacks, measures=measures)
            execute_plan(
                plan, Evidence(log=log), PreviewRandomness(0), RunHandle(0), lambda _: None
            )
            checks.update(step.name for step in (*attacks, *measures))
        if name == FIRST:
            SecureRandomness().load_sampler()
    if compiles:
        from auditor.methods.noisy_counts import kernels

        note_all_compiled(kernels.emit_pairs)


def is_cold() -> bool:
    """Whether kernels are still to be compiled; imports Numba.

    That those of one method are there says little: a command may have needed no others.
    """
    from auditor.methods.noisy_counts import kernels

    return not are_all_compiled(kernels.emit_pairs)


@functools.cache
def compile_beside() -> subprocess.Popen[bytes] | None:
    """Start a process that compiles everything; None where there is nothing to do, or no Python.

    There is one for each process at most. It ends with this one at the latest, even if this one is
    killed: the system closes the pipe that it waits at.
    """
    if getattr(sys, "frozen", False) or not sys.executable or not is_cold():
        return None
    devnull = subprocess.DEVNULL
    try:
        process = subprocess.Popen(
            [sys.executable, *_COMMAND], stdin=subprocess.PIPE, stdout=devnull, stderr=devnull
        )
    except OSError:
        return None  # then whoever needs a kernel compiles it
    atexit.register(process.kill)
    return process


def wait_for_kernels() -> None:
    """Let another process compile where that is still to be done, and wait for it."""
    if (process := compile_beside()) is not None:
        process.wait()


def tiny_log() -> QueryLog:
    """Twelve users who all ask the same four queries, with and without a click."""
    users, queries = 12, 4
    user = np.repeat(np.arange(users, dtype=np.int32), queries)
    query = np.tile(np.arange(queries, dtype=np.int32), users)
    return QueryLog.from_codes(
        user=user,
        query=query,
        time=1_141_171_200 + 60 * np.arange(len(user), dtype=np.int64),
        url=np.where(query % 2, query // 2, -1).astype(np.int32),
        rank=np.where(query % 2, 1, -1).astype(np.int16),
        users=Vocabulary.of(str(number) for number in range(users)),
        queries=Vocabulary.of(("weather", "train times", "jo@example.org", "42")),
        urls=Vocabulary.of(("http://a.example", "http://b.example")),
    )


def _end_with_input() -> None:
    """End this process, whatever it does, once nobody holds the other end of its input."""
    sys.stdin.buffer.read()
    os._exit(0)


if __name__ == "__main__":
    if _BESIDE in sys.argv:
        threading.Thread(target=_end_with_input, daemon=True).start()
    platform.lower_thread_priority(_BEHIND)
    warm_engine(compiles=True)
    warm_reader()
