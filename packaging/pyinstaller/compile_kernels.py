"""Compile the kernels that a bundle ships: ``python compile_kernels.py FOLDER [LEVEL]``.

Without a level, for the one that this processor reaches, in a process of its own, into
``FOLDER/DIGEST``; nothing is done if that is there. A kernel is compiled for the types of its
arguments when it is first called, so every method, attack and measure runs on a small made-up log.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import contents
import processors

USERS, FEW = 300, 100
"""Users of the made-up log, and of the part of it that every choice is tried on."""


def digest(package: Path) -> str:
    """Of all that compiled code depends on but the processor: kernels, numba, Python, and this."""
    from importlib.metadata import version

    checksum = hashlib.sha256(f"{sys.version} {version('numba')} {version('llvmlite')}".encode())
    checksum.update(Path(__file__).read_bytes())
    for path in sorted(package.rglob("*kernels.py")):
        checksum.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes())
    return checksum.hexdigest()[:16]


def package() -> Path:
    """The folder of the installed program."""
    import auditor

    return Path(auditor.__file__).parent


def compile_all(folder: Path) -> None:
    """Every level's kernels, in place only once all are done."""
    target = folder / digest(package())
    if target.is_dir():
        return
    draft = folder / "unfinished" / target.name  # what an interrupted build left is good
    draft.mkdir(parents=True, exist_ok=True)
    level = processors.level(processors.flags())
    subprocess.run([sys.executable, __file__, str(draft), level], check=True)
    draft.rename(target)
    shutil.rmtree(draft.parent)  # with what interrupted builds of other kernels left


def compile_level(folder: Path, level: str) -> None:
    """The kernels for one level, by running all that uses them."""
    import os

    os.environ["NUMBA_CACHE_LOCATOR_CLASSES"] = "shipped_kernels.Locator"
    if level:
        processors.ask_for(level)
    import shipped_kernels

    shipped_kernels.folder = lambda: folder  # type: ignore[assignment]

    from auditor.engine import warm_up
    from auditor.log.reading import reader
    from auditor.log.synthetic.generator import synthesize_log, write_synthetic

    reader.warm_reader()
    warm_up.warm_engine(compiles=True)
    with tempfile.TemporaryDirectory() as place:
        files = write_synthetic(synthesize_log(USERS), Path(place))
        log = reader.read_log(files["log.tsv"])
        read_otherwise(log, Path(place))
        run_all(log, reader.read_log(files["reference.tsv"]), files["profiles.csv"])
    names = [name for name in contents.modules(package()) if name.endswith("kernels")]
    idle = [kernel for name in names for kernel in never_compiled(name, folder)]
    sys.stdout.write(f"{level or 'this processor'}: compiled when first called: {' '.join(idle)}\n")


def read_otherwise(log: Any, folder: Path) -> None:
    """Read a log from what is no table of text."""
    from auditor.log.reading.reader import ReadOptions, read_log
    from auditor.log.writing import write_log

    write_log(log, folder / "log.parquet")
    read_log(folder / "log.parquet")
    rows = (
        {"user": n % 9, "query": f"é {n}", "time": f"2006-03-01 00:00:{n:02}"} for n in range(60)
    )
    text = "\n".join(json.dumps(row) for row in rows)
    nul = json.dumps({"user": 1, "query": "a\0b", "time": "2006-03-01 00:00:00"})
    (folder / "log.jsonl").write_text(f"{text}\n{nul}", encoding="utf-8")
    read_log(folder / "log.jsonl", ReadOptions(max_rejected_share=1.0))
    for form, time in (
        ("epoch_s", "11411712{:02}"),
        ("%d/%b/%Y %H:%M:%S", "01/Mar/2006 00:00:{:02}"),
    ):
        table = "".join(f"{n % 9},words,{time.format(n)}\n" for n in range(60))
        (folder / "times.csv").write_text("user,query,time\n" + table, encoding="utf-8")
        read_log(folder / "times.csv", ReadOptions(time_format=form))


def run_all(log: Any, reference: Any, profiles: Path) -> None:
    """Every method with all that judges it, then each choice that a check or method offers."""
    from auditor.attacks.base import Evidence
    from auditor.attacks.registry import ATTACKS
    from auditor.engine import explanation
    from auditor.engine.plan import Intent, resolve_intent
    from auditor.engine.runner import RunHandle, execute_plan
    from auditor.errors import AuditorError
    from auditor.measures.registry import MEASURES
    from auditor.methods.registry import METHODS
    from auditor.privacy.noise import PreviewRandomness
    from auditor.progress import Progress

    full = Evidence(log=log, reference=reference, profiles=profiles)
    digests = {"reference": "one", "profiles": "some"}

    few = Evidence(log=log.sample_users(FEW, 0), reference=reference, profiles=profiles)

    queries = explanation.beginning_with(few.log, "", 3, Progress())

    def done(intent: Intent, basis: Evidence = few, check: str = "") -> bool:
        """Whether `check`, too, was done: what doesn't suit a method is left out silently."""
        try:
            plan = resolve_intent(intent, basis.log, digests)
            run = execute_plan(plan, basis, PreviewRandomness(0), RunHandle(0), lambda _event: None)
            for query in queries:
                explanation.explain_query(basis.log, run.release, query, Progress())
        except AuditorError:
            return False
        return check not in run.skipped

    for name in METHODS:
        done(Intent(method=name).tune_check("dp-audit", runs=100, copies=100), full)
        for change in others(METHODS[name].params):
            with contextlib.suppress(AuditorError):
                done(Intent(method=name, attacks=(), measures=()).set(**change))
    for registry, kind in ((ATTACKS, "attacks"), (MEASURES, "measures")):
        for check in sorted(set(registry) - {"dp-audit"}):
            for change in others(registry[check].params):
                for name in METHODS:
                    alone: dict[str, Any] = {"attacks": (), "measures": (), kind: (check,)}
                    intent = Intent(method=name, **alone)
                    with contextlib.suppress(AuditorError):
                        if done(intent.tune_check(check, **change), check=check):
                            break


def others(params: Any) -> list[dict[str, Any]]:
    """Each choice, switch and number of `params` changed, alone or with what makes it matter."""
    changes: list[dict[str, Any]] = []
    for spec in params.specs():
        values: list[Any] = [option.value for option in spec.options] or [True, False]
        if spec.slider is not None:
            ends = (end for end in spec.slider if end != spec.default)
            values = [type(spec.default or 0.0)(next(ends))]
        elif spec.kind.value not in ("choice", "flag"):
            continue
        needed = {name: allowed[-1] for name, allowed in spec.when.items()}
        changes += [{**needed, spec.name: value} for value in values if value != spec.default]
    return changes


def never_compiled(name: str, folder: Path) -> list[str]:
    """The kernels of a module that nothing called, so that there is no file of theirs."""
    module = importlib.import_module(name)
    stem = name.rpartition(".")[2]
    return [
        f"{name}.{key}"
        for key, kernel in vars(module).items()
        if getattr(kernel, "__module__", "") == name
        and hasattr(kernel, "signatures")
        and not any((folder / name).glob(f"{stem}.{key}-*.nbi"))
    ]


if __name__ == "__main__":
    if len(sys.argv) > 2:
        compile_level(Path(sys.argv[1]), sys.argv[2])
    else:
        compile_all(Path(sys.argv[1]))
