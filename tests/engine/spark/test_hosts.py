"""A cluster of several hosts, whose network is listened to, and fails.

What tests of processes that are killed can't show: here nobody is told that a host is gone, it goes
on by itself, and may come back.
"""

import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from auditor.log.model import QueryLog
from tests.engine.spark.cluster_runs import (
    EXACT,
    NOISY,
    PATIENCE,
    drawing,
    drawn_in,
    ended,
    of_one_draw,
    same,
    working,
)
from tests.engine.spark.hosts import Network, missing, network
from tests.engine.spark.standalone import Cluster, standalone, until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(3000),
    pytest.mark.skipif(bool(missing()), reason=missing()),  # only root can make hosts
]

SILENCE = 20
QUICK = (
    f"spark.network.timeout {SILENCE}s",
    "spark.network.timeoutInterval 5s",
    "spark.executor.heartbeatInterval 2s",
    "spark.auditor.wait 60",
)
"""So that a host is given up after seconds; Spark's own setting is two minutes."""


NAMES = "desk", "left", "right"


@pytest.fixture
def shared(tmp_path: Path, parts: Path) -> Path:
    """The folder that all hosts see, with the log in it."""
    folder = tmp_path / "shared"
    shutil.copytree(parts, folder / "log")
    return folder


@pytest.fixture
def hosts(shared: Path) -> Iterator[Network]:
    with network(shared, *NAMES) as result:
        yield result


def on(hosts: Network, shared: Path, *settings: str, **more: Any) -> Any:
    """A cluster with a worker on each host but the first, where its master and its runs are."""
    desk, *others = hosts.hosts
    return standalone(shared / "spark", *settings, driver=desk, workers=others, **more)


def wait_for_work(cluster: Cluster, name: str) -> None:
    """Until a task of Python runs on this host."""

    def there() -> bool:
        assert cluster.runs[-1].poll() is None, cluster.runs[-1].communicate()
        return any(name in process.cmdline() for process in working(cluster))

    until(there, PATIENCE, f"work on {name}")


@pytest.mark.parametrize("secret", [True, False], ids=["secret", "none"])
def test_that_hosts_release_what_one_machine_does_and_their_network_hears_nothing_with_a_secret(
    hosts: Network, shared: Path, whole: QueryLog, secret: bool
) -> None:
    heard = shared / "heard"
    with on(hosts, shared, secret=secret) as cluster, hosts.heard(heard):
        output = ended(cluster.start(shared / "log", shared / "out", "safelog", **EXACT), 0)
        worked = [
            "".join(file.read_text(errors="replace") for file in place.rglob("std*"))
            for place in (cluster.folder / "work").iterdir()
        ]
    same(shared / "out", whole, **EXACT)
    assert len(worked) == 2
    assert all("Running task" in words for words in worked), "both hosts have work"
    assert ("not encrypted" in output) == (not secret)
    passed = heard.read_bytes()
    assert len(passed) > 100_000
    texts = (text for text in whole.queries.list_strings() if text.strip())
    overheard = [text for text in texts if text.encode() in passed]
    assert bool(overheard) == (not secret), overheard[:3]


def test_that_a_host_that_falls_silent_costs_its_tasks_again(
    hosts: Network, shared: Path, whole: QueryLog
) -> None:
    with on(hosts, shared, *QUICK) as cluster:
        run = cluster.start(shared / "log", shared / "out", "safelog", **EXACT)
        wait_for_work(cluster, "right")
        hosts.cut(hosts.hosts[2])
        ended(run, 0)
    same(shared / "out", whole, **EXACT)


def test_that_a_host_that_comes_back_does_not_draw_for_a_second_time(
    hosts: Network, shared: Path
) -> None:
    with on(hosts, shared, *QUICK) as cluster:
        run = cluster.start(shared / "log", shared / "out", "safelog", **NOISY)
        queries = drawing(shared, "queries", run)
        hosts.cut(hosts.hosts[2])
        drawn = drawn_in(queries)
        time.sleep(SILENCE * 1.5)
        assert run.poll() is None, "the host was missed by nobody"
        hosts.mend(hosts.hosts[2])
        ended(run, 0)
    of_one_draw(shared / "out", drawn)


def test_that_a_run_cut_off_from_all_hosts_ends_in_bounded_time_and_they_give_up(
    hosts: Network, shared: Path
) -> None:
    with on(hosts, shared, *QUICK) as cluster:
        run = cluster.start(shared / "log", shared / "out", "safelog", **EXACT)
        wait_for_work(cluster, "left")
        hosts.cut(hosts.hosts[0])
        assert "no machine for this run in 60 seconds" in ended(run, 2)
        names = {place.name for place in shared.iterdir()}
        assert names == {"hosts", "log", "spark"}, "something was released"
        until(lambda: not cluster.executors(), PATIENCE, "executors end")
