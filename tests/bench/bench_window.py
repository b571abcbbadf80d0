"""Start-up of the window and of ``--help``, and how soon a picture follows a slider.

Run: ``python -m tests.bench.bench_window [start] [slider]`` (both without a word). Start-up is
from the start of the process to its first paint, against an empty `QMainWindow` and against
``python -c pass``; *cold* is after the files of the interpreter's packages were dropped from the
page cache. Slider-to-picture is from the slider's step to the end of the paint that shows the
expectation in plots and figures, and to that of the last text (statement, advice, verdict), against
the bare call of the method's own `outlook`.
"""

import gc
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtWidgets import QApplication

from auditor.gui.app.main_window import MainWindow
from auditor.gui.state import log_loading
from auditor.log.synthetic.generator import synthesize_log
from auditor.methods.registry import METHODS
from auditor.progress import Progress
from tests.bench.measuring import peak_memory
from tests.bench.windows import open_window, wait_for
from tests.narrowing import present

EMPTY = """
import sys
from PySide6.QtWidgets import QApplication, QMainWindow
class Window(QMainWindow):
    def paintEvent(self, event):
        super().paintEvent(event)
        print("painted", flush=True)
        QApplication.instance().quit()
app = QApplication(sys.argv[:1])
window = Window()
window.resize(1600, 960)
window.show()
app.exec()
"""
OURS = """
import sys
from auditor.gui.app import application as start
from auditor.gui.app.main_window import MainWindow
def painted(self, event):
    super(MainWindow, self).paintEvent(event)
    print("painted", flush=True)
    app.quit()
MainWindow.paintEvent = painted
app = start.make_application(sys.argv[:1])
window = start.make_window(app)
window.show()
app.exec()
"""
SIZES = (2_000, 33_500)
"""Users of the logs, which then hold about 64,000 and 1.08 M events."""
TURNS = 7
STEPS = 60
SETTINGS: dict[str, dict[str, Sequence[Any]]] = {
    "safelog": {
        "b": np.linspace(2.0, 40.0, STEPS).tolist(),
        "q_f": np.unique(np.linspace(2, 60, STEPS).astype(int)).tolist(),
        "K": np.unique(np.linspace(2, 400, STEPS).astype(int)).tolist(),
    },
    "frequency-threshold": {"n": list(range(2, 2 + STEPS))},
}


def main() -> None:
    words = sys.argv[1:] or ["start", "slider"]
    if "start" in words:
        starting()
    if "slider" in words:
        for users in SIZES:
            sliding(users)


# start-up


def starting() -> None:
    """Time whole processes."""
    first_paint = {"window": ["-c", OURS], "empty QMainWindow": ["-c", EMPTY]}
    helps = {"auditor --help": ["-m", "auditor", "--help"], "python -c pass": ["-c", "pass"]}
    for title, commands in (("first paint", first_paint), ("process", helps)):
        cold = {name: _once(command, cold=True) for name, command in commands.items()}
        warm: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(TURNS):  # in turns, so that a busy moment meets all of them
            for name, command in commands.items():
                warm[name].append(_once(command))
        ours, base = commands
        for name in commands:
            print(f"{title}: {name}: warm {_spread(warm[name])}, cold {cold[name]:.2f} s")
        ratio = np.median(warm[ours]) / np.median(warm[base])
        print(f"ratio {ours} / {base}: {ratio:.2f}")


def _once(arguments: list[str], *, cold: bool = False) -> float:
    """Seconds until the child paints, or ends where it paints nothing."""
    if cold:
        _forget_files()
    began = time.perf_counter()
    with subprocess.Popen([sys.executable, *arguments], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        if "-c" in arguments and "painted" in arguments[-1]:
            assert child.stdout.readline().strip() == "painted"
            took = time.perf_counter() - began
            child.stdout.read()
            child.wait()
            return took
        child.stdout.read()
        assert child.wait() == 0
    return time.perf_counter() - began


def _forget_files() -> None:
    """Ask the system to drop the packages' files from its page cache, where it can."""
    if not hasattr(os, "posix_fadvise"):
        return
    for place in {Path(p) for p in sys.path if p.endswith("site-packages")}:
        for file in place.rglob("*"):
            if file.is_file():
                handle = os.open(file, os.O_RDONLY)
                os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
                os.close(handle)


# slider to picture


def sliding(users: int) -> None:
    """Move sliders of a window that holds a synthetic log."""
    app, window = open_window(1600, 960)
    log = synthesize_log(users, days=30, seed=1).log
    opened = log_loading.prepare_log(log, "synthetic", Progress())
    window.controller.adopt_log(opened)
    window.tune_by_hand()  # where the sliders and the pictures are
    _rest(app)
    print(
        f"log: {len(log):,} events, {len(log.users):,} users; previews see "
        f"{len(opened.sample):,} events"
    )
    for method, parameters in SETTINGS.items():
        for name, values in parameters.items():
            _slide(app, window, method, name, values)
    print(f"peak memory {peak_memory():.2f} GiB")
    window.close()
    window.deleteLater()
    app.processEvents()


def _slide(
    app: QApplication, window: MainWindow, method: str, name: str, values: Sequence[Any]
) -> None:
    """Move one slider."""
    controller, outlook = window.controller, METHODS[method].outlook
    assert outlook is not None
    controller.intents.choose_method(method)
    controller.intents.reset()
    answers: list[Any] = []
    controller.expected.connect(answers.append)
    wait_for(app, lambda: not controller.looking)
    blocked, painted, texts, bare, cpu = [], [], [], [], []
    gc.collect()
    for value in values:
        if getattr(controller.intent.params, name) == value:
            continue
        answers.clear()
        began, burnt = time.perf_counter(), time.process_time()
        controller.intents.set(name, value)
        app.processEvents()
        blocked.append(time.perf_counter() - began)
        params = controller.intent.params
        wait_for(app, partial(_has_come, answers, params))
        wait_for(app, lambda: not controller.turns.drawing)
        app.processEvents()  # the paint of the last piece of what has come
        painted.append(time.perf_counter() - began)
        wait_for(app, lambda: not controller.turns.busy)
        app.processEvents()
        texts.append(time.perf_counter() - began)
        cpu.append(time.process_time() - burnt)
        opened = present(controller.opened)
        began = time.perf_counter()
        outlook(opened.sample, params, scale=opened.scale, progress=Progress())
        bare.append(time.perf_counter() - began)
    controller.expected.disconnect(answers.append)
    print(
        f"{method} {name}: picture after {_percentiles(painted)}, text after "
        f"{_percentiles(texts)}, CPU {_percentiles(cpu)}, "
        f"slider's own step {_percentiles(blocked)}; bare outlook {_percentiles(bare)}; "
        f"ratio picture / outlook {np.median(painted) / np.median(bare):.1f}"
    )


def _has_come(answers: list[Any], params: Any) -> bool:
    return bool(answers) and answers[-1].plan.params == params


def _rest(app: QApplication, seconds: float = 60.0) -> None:
    """Wait for what opening a log begins: the content of the log, and compiled kernels."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        burnt, until = time.process_time(), time.perf_counter() + 1.0
        while time.perf_counter() < until:
            app.processEvents()
            time.sleep(0.02)
        if time.process_time() - burnt < 0.2:
            return


def _percentiles(seconds: list[float]) -> str:
    p50, p95 = np.percentile(seconds, [50, 95]) * 1000
    return f"p50 {p50:.1f} p95 {p95:.1f} ms"


def _spread(seconds: list[float]) -> str:
    ends = f"{min(seconds):.2f}–{max(seconds):.2f}"
    return f"median {np.median(seconds):.2f} s (of {len(seconds)}: {ends})"


if __name__ == "__main__":
    main()
