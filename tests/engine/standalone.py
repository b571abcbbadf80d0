"""A cluster of Spark's own kind on this machine: a master, a worker, two executors, a secret."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import pyspark

HOME = Path(pyspark.__file__).parent
ROOT = Path(__file__).parents[2]
SMALL = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
DEFAULTS = f"""
spark.authenticate true
spark.authenticate.secret {secrets.token_hex(16)}
spark.network.crypto.enabled true
spark.cores.max 2
spark.executor.cores 1
spark.executor.memory 480m
spark.driver.memory 600m
spark.executor.extraJavaOptions {SMALL}
spark.driver.extraJavaOptions {SMALL}
spark.sql.codegen.wholeStage false
"""


def until(true: Callable[[], object], seconds: float, what: str) -> None:
    """Wait for something; an AssertionError says what never came."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, f"{what}: not within {seconds} s"
        time.sleep(0.02)


@dataclass
class Cluster:
    """Its address, its processes, and the folder that they keep what they say in."""

    folder: Path
    url: str = ""
    daemons: list[subprocess.Popen[bytes]] = field(default_factory=list)
    runs: list[subprocess.Popen[str]] = field(default_factory=list)

    @property
    def environment(self) -> dict[str, str]:
        """What daemons and runs find the cluster's settings by."""
        return os.environ | {
            "SPARK_HOME": str(HOME),
            "SPARK_CONF_DIR": str(self.folder),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_DAEMON_MEMORY": "200m",
            "SPARK_DAEMON_JAVA_OPTS": SMALL,
            "PYTHONPATH": str(ROOT),
            "PYSPARK_PYTHON": sys.executable,
        }

    def daemon(self, name: str, *more: str, ready: str) -> str:
        """Start one and wait for what it says when it is ready."""
        said = self.folder / f"{name}.txt"
        with said.open("wb") as file:
            spark = [str(HOME / "bin" / "spark-class"), f"org.apache.spark.deploy.{name}"]
            self.daemons.append(
                subprocess.Popen([*spark, "--host", "127.0.0.1", "--webui-port", "0", *more],
                                 stdout=file, stderr=file, env=self.environment)
            )  # fmt: skip
        until(lambda: re.search(ready, said.read_text()), 180, f"{name} is ready")
        found = re.search(ready, said.read_text())
        assert found is not None
        return found[0]

    def executors(self) -> list[psutil.Process]:
        """The executors that live."""
        found = []
        for daemon in self.daemons:
            children: list[psutil.Process] = []
            with contextlib.suppress(psutil.Error):
                children = psutil.Process(daemon.pid).children()
            for child in children:
                with contextlib.suppress(psutil.Error):  # it has just ended
                    if "org.apache.spark.executor" in " ".join(child.cmdline()):
                        found.append(child)
        return found

    def said(self) -> str:
        """All that executors said."""
        files = (self.folder / "work").rglob("std*")
        return "".join(file.read_text(errors="replace") for file in files if file.is_file())

    def start(self, log: Path, out: Path, method: str, **params: object) -> subprocess.Popen[str]:
        """The program's own command, on this cluster."""
        given = [part for name, value in params.items() for part in ("-p", f"{name}={value}")]
        run = subprocess.Popen(
            [sys.executable, "-m", "auditor", "anonymize", str(log), "--max-rejected", "1",
             "--engine", "spark", "--master", self.url, "--method", method, *given,
             "--out", str(out)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=self.environment,
        )  # fmt: skip
        self.runs.append(run)
        return run

    def rest(self) -> None:
        """End what a test left running, so that the next one finds both cores free."""
        for run in self.runs:
            if run.poll() is None:
                run.kill()
                run.communicate()
        self.runs.clear()
        until(lambda: not self.executors(), 900, "executors end")


@contextlib.contextmanager
def standalone(folder: Path, *settings: str) -> Iterator[Cluster]:
    """A cluster that is gone afterwards, whatever became of it."""
    folder.mkdir(mode=0o700)
    (folder / "spark-defaults.conf").write_text(DEFAULTS + "\n".join(settings))
    made = Cluster(folder)
    try:
        made.url = made.daemon("master.Master", "--port", "0", ready=r"spark://127\.0\.0\.1:\d+")
        made.daemon(
            "worker.Worker", "--cores", "2", "--memory", "2g", "--work-dir", str(folder / "work"),
            made.url, ready="Successfully registered with master",
        )  # fmt: skip
        yield made
    finally:
        for process in [*made.runs, *made.executors(), *made.daemons]:
            with contextlib.suppress(psutil.Error, OSError):
                process.kill()
        for daemon in made.daemons:
            daemon.wait()
