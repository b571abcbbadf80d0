"""Opening a log for a run: in memory where it fits, in working files where it doesn't.

Which of the two is decided before anything is loaded, from the beginning of the files and from
what the method was measured to take. What can't be done in the memory there is, is said then.
"""

import argparse
import contextlib
import dataclasses
import shutil
from collections.abc import Iterator
from pathlib import Path

from auditor.cli.arguments import load_log, log_paths, reading_options
from auditor.cli.console import Console
from auditor.engine.backends.local import sample_log
from auditor.engine.costs import CostEstimator
from auditor.engine.plan import Plan
from auditor.errors import Cancelled, MemoryExceeded, ParameterError, SpillFailed
from auditor.log.memory import MemoryWatch, available_memory, format_size, size_of
from auditor.log.model import QueryLog
from auditor.log.out_of_core.working_files import WorkingFiles, describe_failure
from auditor.log.reading.reader import sniff_log
from auditor.log.sentences import sentence
from auditor.measures.registry import MEASURES
from auditor.methods.registry import METHODS
from auditor.privacy.noise import PreviewRandomness, SecureRandomness
from auditor.privacy.subsampling import checked_share

SHARE = 0.8
"""Of the memory that is free, what a run may count on."""
_TRUSTED = 4
"""A measured figure is followed up to so many times the rows that were measured."""
_BESIDE = 1.5
"""What a method is taken to need beside the log where nothing was measured near its size."""
COINS = 1 << 64
"""Added to a preview's seed for the coins: no preview's noise is drawn from such a seed."""
_ROW_ON_DISK = 70
"""Bytes of working files a row takes at most: columns, and twice while they are sorted."""


@contextlib.contextmanager
def open_log(arguments: argparse.Namespace, console: Console) -> Iterator[QueryLog]:
    """The log that the arguments name, or the sample of its users that they ask for.

    Raises `ParameterError`: a method that needs the log in memory was asked to do with less than
    that; `SpillFailed`: the disk has no room for working files; `MemoryExceeded`: what was said by
    --memory is not enough, as it turned out.
    """
    fixed, free = arguments.memory is not None, available_memory()
    budget = None if free is None else int(free * SHARE)
    budget = size_of(arguments.memory) if fixed else budget
    share = checked_share(1.0 if arguments.sample_users is None else float(arguments.sample_users))
    need, reads, disk = _estimate_needs(arguments)
    fits = budget is None or need * share <= budget
    streams = METHODS[arguments.method].streams
    if budget is not None and not fits and not streams:
        message = sentence(
            "memory.shortage",
            method=arguments.method,
            needed=format_size(need * share),
            budget=format_size(budget),
            share=max(round(0.9 * budget / (need * share), 2), 0.01),
            others=", ".join(name for name in METHODS if METHODS[name].streams),
        )
        if fixed:
            raise ParameterError("memory", message)
        console.print_note(message)
    with contextlib.ExitStack() as stack:
        if fixed and budget is not None:
            stack.enter_context(_kept_to(budget, console))
        if budget is None or (reads if share < 1 else need) <= budget or not (streams or fixed):
            log = load_log(log_paths(arguments), reading_options(arguments), console)
        else:
            spill = WorkingFiles(budget, Path(arguments.spill) if arguments.spill else None)
            _check_disk(spill.folder, disk)
            console.print_note(
                sentence(
                    "memory.working_files",
                    needed=format_size(need),
                    budget=format_size(budget),
                    disk=format_size(disk),
                    folder=spill.folder,
                )
            )
            stack.enter_context(spill)
            log = load_log(log_paths(arguments), reading_options(arguments), console, spill=spill)
        yield log if share == 1 else _sample_users(log, share, arguments, console, in_memory=fits)


@contextlib.contextmanager
def _kept_to(budget: int, console: Console) -> Iterator[None]:
    """Cancel the work inside when it holds more memory than this."""
    watch = MemoryWatch(budget, console.progress.cancel)
    try:
        with watch:
            yield
    except Cancelled:
        if not watch.over:
            raise
        raise MemoryExceeded(sentence("memory.stopped", budget=format_size(budget))) from None


def trim_plan(plan: Plan, log: QueryLog) -> Plan:
    """The plan without what would bring a log in working files back into memory."""
    from auditor.log.out_of_core.spilled_log import SpilledLog  # its kernels take time to import

    if not isinstance(log, SpilledLog):
        return plan
    omitted = {
        step.name: "would need the log in memory; take it by itself where there is enough"
        for step in (*plan.measures, *plan.attacks)
        if step.name not in MEASURES or not MEASURES[step.name].streams
    }
    measures = tuple(step for step in plan.measures if step.name not in omitted)
    return dataclasses.replace(
        plan, measures=measures, attacks=(), omitted=(*plan.omitted, *omitted.items())
    )


def _estimate_needs(arguments: argparse.Namespace) -> tuple[int, int, int]:
    """Bytes that the run takes in memory, those of reading alone, and of working files."""
    head = sniff_log(log_paths(arguments), reading_options(arguments))
    cost = CostEstimator.load_shipped().estimate_part(
        "method", arguments.method, head.estimated_rows
    )
    roomy = int(head.estimated_peak * _BESIDE)
    trusted = cost is not None and 0 < cost.beyond <= _TRUSTED
    need = max(cost.bytes, head.estimated_peak) if cost is not None and trusted else roomy
    return need, head.estimated_peak, head.estimated_rows * _ROW_ON_DISK + head.estimated_memory


def _check_disk(folder: Path, needed_bytes: int) -> None:
    try:
        free = shutil.disk_usage(folder).free
    except OSError as error:
        raise describe_failure(error, folder) from None
    if free < needed_bytes:
        raise SpillFailed(
            sentence(
                "memory.disk",
                needed=format_size(needed_bytes),
                name=folder.name or folder,
                free=format_size(free),
            )
        )


def _sample_users(
    log: QueryLog, share: float, arguments: argparse.Namespace, console: Console, *, in_memory: bool
) -> QueryLog:
    """The users whom a coin each chose; drawn anew for every release, seeded for a preview.

    With `in_memory` a sample of a log in working files comes into memory, else it stays there.
    """
    seed = arguments.preview_seed
    # The coins' seed is not that of the noise: both together would not be independent.
    rng = SecureRandomness() if seed is None else PreviewRandomness(seed + COINS)
    subset = sample_log(log, share, rng, loaded=in_memory)
    sample = subset.origin.sample
    assert sample is not None
    console.print_note(
        sentence("memory.sample", users=sample.users, of=sample.of, error=sample.error)
    )
    return subset
