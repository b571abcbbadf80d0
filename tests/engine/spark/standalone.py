"""A cluster of Spark's own kind: a master, workers, two executors, a secret; here or on hosts."""

import contextlib
import os
import re
import secrets
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import pyspark

HOME = Path(pyspark.__file__).parent
ROOT = Path(__file__).parents[3]
SMALL = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
SECRET = (
    "spark.authenticate true",
    f"spark.authenticate.secret {secrets.token_hex(16)}",
    "spark.network.crypto.enabled true",
)
DEFAULTS = f"""
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


@dataclass(frozen=True)
class Machine:
    """Where processes of a cluster run: this machine, unless another kind says where."""

    name: str = "127.0.0.1"
    local_ip: str | None = "127.0.0.1"

    def command(self, command: list[str]) -> list[str]:
        """The same command, carried out there."""
        return command


THIS_MACHINE = Machine()


@dataclass
class Cluster:
    """Its address, its processes, and the folder that they keep what they say in."""

    folder: Path
    driver: Machine = THIS_MACHINE
    url: str = ""
    daemons: list[subprocess.Popen[bytes]] = field(default_factory=list)
    runs: list[subprocess.Popen[str]] = field(default_factory=list)

    def environment(self, machine: Machine) -> dict[str, str]:
        """What daemons and runs find the cluster's settings by."""
        local = {"SPARK_LOCAL_IP": machine.local_ip} if machine.local_ip else {}
        return (
            os.environ
            | local
            | {
                "SPARK_HOME": str(HOME),
                "SPARK_CONF_DIR": str(self.folder),
                "SPARK_DAEMON_MEMORY": "200m",
                "SPARK_DAEMON_JAVA_OPTS": SMALL,
                "PYTHONPATH": str(ROOT),
                "PYSPARK_PYTHON": sys.executable,
            }
        )

    def daemon(self, machine: Machine, name: str, *more: str, ready: str) -> str:
        """Start one and wait for what it says when it is ready."""
        output = self.folder / f"{name}-{machine.name}.txt"
        spark = [str(HOME / "bin" / "spark-class"), f"org.apache.spark.deploy.{name}"]
        command = [*spark, "--host", machine.name, "--webui-port", "0", *more]
        with output.open("wb") as file:
            self.daemons.append(
                subprocess.Popen(machine.command(command), stdout=file, stderr=file,
                                 env=self.environment(machine))
            )  # fmt: skip
        until(lambda: re.search(ready, output.read_text()), 180, f"{name} is ready")
        match = re.search(ready, output.read_text())
        assert match is not None
        return match[0]

    def executors(self) -> list[psutil.Process]:
        """The executors that live."""
        processes = []
        for daemon in self.daemons:
            children: list[psutil.Process] = []
            with contextlib.suppress(psutil.Error):
                children = psutil.Process(daemon.pid).children()
            for child in children:
                with contextlib.suppress(psutil.Error):  # it has just ended
                    if "org.apache.spark.executor" in " ".join(child.cmdline()):
                        processes.append(child)
        return processes

    def said(self) -> str:
        """All that executors said."""
        files = (self.folder / "work").rglob("std*")
        return "".join(file.read_text(errors="replace") for file in files if file.is_file())

    def start(self, log: Path, out: Path, method: str, **params: object) -> subprocess.Popen[str]:
        """The program's own command, on this cluster."""
        options = [part for name, value in params.items() for part in ("-p", f"{name}={value}")]
        command = [
            sys.executable, "-m", "auditor", "anonymize", str(log), "--max-rejected", "1",
            "--engine", "spark", "--master", self.url, "--method", method, *options,
            "--out", str(out),
        ]  # fmt: skip
        run = subprocess.Popen(
            self.driver.command(command), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, env=self.environment(self.driver),
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
def standalone(
    folder: Path,
    *settings: str,
    secret: bool = True,
    driver: Machine = THIS_MACHINE,
    workers: Sequence[Machine] = (THIS_MACHINE,),
) -> Iterator[Cluster]:
    """A cluster that is gone afterwards, whatever became of it; its master is where runs begin."""
    folder.mkdir(mode=0o700)
    lines = [DEFAULTS, *(SECRET if secret else ()), *settings]
    (folder / "spark-defaults.conf").write_text("\n".join(lines))
    cluster = Cluster(folder, driver)
    try:
        address = rf"spark://{re.escape(driver.name)}:\d+"
        cluster.url = cluster.daemon(driver, "master.Master", "--port", "0", ready=address)
        for worker in workers:
            cluster.daemon(
                worker, "worker.Worker", "--cores", str(2 // len(workers)), "--memory", "2g",
                "--work-dir", str(folder / "work" / worker.name),
                cluster.url, ready="Successfully registered with master",
            )  # fmt: skip
        yield cluster
    finally:
        for process in [*cluster.runs, *cluster.executors(), *cluster.daemons]:
            with contextlib.suppress(psutil.Error, OSError):
                process.kill()
        for daemon in cluster.daemons:
            daemon.wait()
