"""Hosts with a network between them, made of this machine: namespaces of Linux and a switch.

Each host has a name and an address of its own, a /tmp of its own, and in common with the others the
installed program and one folder. It needs root and `ip` (Debian: iproute2).
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.engine.standalone import ROOT, Machine

ADDRESSES = "10.83.7"
ENTER = """
set -e
hostname "$1"; names=$2; shift 2
mount --make-rprivate /
mount --bind "$names" /etc/hosts
mount -t tmpfs -o mode=1777 tmpfs /mnt
while [ "$1" != -- ]; do
    case $1 in /tmp/*) mkdir -p "/mnt/${1#/tmp/}"; mount --bind "$1" "/mnt/${1#/tmp/}" ;; esac
    shift
done
shift
mount --move /mnt /tmp
exec "$@"
"""
"""Name, file of names, what stays of /tmp, ``--``, command. The process keeps its number."""
LISTEN = """
import socket, sys
heard = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
heard.setsockopt(socket.SOL_SOCKET, 33, 1 << 26)  # SO_RCVBUFFORCE
with open(sys.argv[1], "wb", buffering=0) as file:
    print("listening", flush=True)
    while True:
        file.write(heard.recv(1 << 17))
"""


def missing() -> str:
    """What keeps this machine from making hosts; empty if nothing does."""
    if not sys.platform.startswith("linux") or os.geteuid() != 0:
        return "needs root on Linux"
    absent = [tool for tool in ("ip", "nsenter", "unshare") if shutil.which(tool) is None]
    return f"needs {', '.join(absent)}" if absent else ""


@dataclass(frozen=True)
class Host(Machine):
    """One of them: `name`, by which the others find it."""

    space: str = ""
    port: str = ""
    names: str = ""
    kept: tuple[str, ...] = ()
    local_ip: str | None = None

    def command(self, command: list[str]) -> list[str]:
        """The same command, carried out there."""
        return [
            "nsenter", f"--net=/run/netns/{self.space}", "unshare", "--mount", "--uts",
            "sh", "-c", ENTER, "sh", self.name, self.names, *self.kept, "--", *command,
        ]  # fmt: skip


@dataclass(frozen=True)
class Network:
    """Hosts and the switch that joins them."""

    switch: str
    hosts: tuple[Host, ...]

    def cut(self, host: Host) -> None:
        """Pull its cable: nobody is told, nothing is refused, no answer comes."""
        ip("-n", self.switch, "link", "set", host.port, "down")

    def mend(self, host: Host) -> None:
        """Put it in again."""
        ip("-n", self.switch, "link", "set", host.port, "up")

    @contextlib.contextmanager
    def heard(self, file: Path) -> Iterator[None]:
        """Write down all that passes the switch meanwhile."""
        listener = subprocess.Popen(
            ["nsenter", f"--net=/run/netns/{self.switch}", sys.executable, "-c", LISTEN, str(file)],
            stdout=subprocess.PIPE,
        )
        try:
            assert listener.stdout is not None
            assert listener.stdout.readline() == b"listening\n"
            yield
        finally:
            listener.kill()
            listener.communicate()


def ip(*command: str) -> None:
    """Carry out a command of `ip`; its own words tell what went wrong."""
    subprocess.run(["ip", *command], check=True, stdout=subprocess.DEVNULL)


@contextlib.contextmanager
def network(folder: Path, *names: str) -> Iterator[Network]:
    """Hosts of these names that share `folder`, gone afterwards."""
    mark = f"auditor{os.getpid()}"
    switch = f"{mark}-switch"
    told = folder / "hosts"
    addresses = {name: f"{ADDRESSES}.{number}" for number, name in enumerate(names, 1)}
    lines = ["127.0.0.1 localhost", *(f"{address} {name}" for name, address in addresses.items())]
    told.write_text("\n".join(lines) + "\n")
    kept = tuple(map(str, (ROOT, sys.prefix, sys.base_prefix, folder)))
    made = Network(
        switch,
        tuple(
            Host(name, space=f"{mark}-{name}", port=f"to-{name}", names=str(told), kept=kept)
            for name in names
        ),
    )
    spaces = [switch, *(host.space for host in made.hosts)]
    try:
        for space in spaces:
            ip("netns", "add", space)
            ip("-n", space, "link", "set", "lo", "up")
        ip("-n", switch, "link", "add", "bridge", "type", "bridge")
        ip("-n", switch, "link", "set", "bridge", "up")
        for host in made.hosts:
            cable = ["type", "veth", "peer", "name", "eth0", "netns", host.space]
            ip("-n", switch, "link", "add", host.port, *cable)
            ip("-n", switch, "link", "set", host.port, "master", "bridge", "up")
            ip("-n", host.space, "addr", "add", f"{addresses[host.name]}/24", "dev", "eth0")
            ip("-n", host.space, "link", "set", "eth0", "up")
        yield made
    finally:
        for space in spaces:
            with contextlib.suppress(subprocess.CalledProcessError):
                ip("netns", "del", space)
