"""Hosts with a network between them, made of this machine: namespaces of Linux and a switch.

Each host has a name and an address of its own, a /tmp of its own, and in common with the others the
installed program and one folder. It needs root, and Debian's package iproute2.
"""

import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.engine.spark.standalone import ROOT, Machine

ADDRESSES = "10.83.7"
ENTER = """
set -e
hostname "$1"; names=$2; shift 2
mount --make-rprivate /
mount --bind "$names" /etc/hosts
mount -t tmpfs -o mode=1777 tmpfs /mnt
while [ "$1" != -- ]; do
    case $2 in
        /tmp/*) mkdir -p "/mnt/${2#/tmp/}"; mount --bind "$1" "/mnt/${2#/tmp/}" ;;
        *) [ "$1" = "$2" ] || mount --bind "$1" "$2" ;;
    esac
    shift 2
done
shift
mount --move /mnt /tmp
exec "$@"
"""
"""Name, file of names, what is seen and where, ``--``, command. The process keeps its number."""
LISTEN = """
import socket, sys
heard = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
heard.setsockopt(socket.SOL_SOCKET, 33, 1 << 26)  # SO_RCVBUFFORCE
with open(sys.argv[1], "wb", buffering=0) as file:
    print("listening", flush=True)
    while True:
        file.write(heard.recv(1 << 17))
"""
TOOLS = "ip", "nsenter", "unshare"


def missing() -> str:
    """What keeps this machine from making hosts; empty if nothing does."""
    if not sys.platform.startswith("linux") or os.geteuid() != 0:
        return "needs root on Linux"
    absent = [tool for tool in TOOLS if shutil.which(tool) is None]
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
            *within(self.space), "unshare", "--mount", "--uts",
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
            [*within(self.switch), sys.executable, "-c", LISTEN, str(file)], stdout=subprocess.PIPE
        )
        try:
            assert listener.stdout is not None
            assert listener.stdout.readline() == b"listening\n"
            yield
        finally:
            listener.kill()
            listener.communicate()


def within(space: str) -> list[str]:
    """What goes before a command that is to use the network of this namespace."""
    return ["nsenter", f"--net=/run/netns/{space}"]


def ip(*command: str) -> None:
    """Carry out a command of `ip`; its own words tell what went wrong."""
    subprocess.run(["ip", *command], check=True, stdout=subprocess.DEVNULL)


@contextlib.contextmanager
def network(folder: Path, *names: str) -> Iterator[Network]:
    """Hosts of these names that share `folder`, gone afterwards."""
    mark = f"auditor{os.getpid()}"
    switch = f"{mark}-switch"
    names_file = folder / "hosts"
    addresses = {name: f"{ADDRESSES}.{number}" for number, name in enumerate(names, 1)}
    lines = ["127.0.0.1 localhost", *(f"{address} {name}" for name, address in addresses.items())]
    names_file.write_text("\n".join(lines) + "\n")
    mounts = [str(path) for path in (ROOT, sys.prefix, sys.base_prefix, folder) for _ in "ab"]
    result = Network(
        switch,
        tuple(
            Host(
                name,
                space=f"{mark}-{name}",
                port=f"to-{name}",
                names=str(names_file),
                kept=(*mounts,),
            )
            for name in names
        ),
    )
    with contextlib.ExitStack() as last:
        for space in [switch, *(host.space for host in result.hosts)]:
            ip("netns", "add", space)
            last.callback(ip, "netns", "del", space)
            ip("-n", space, "link", "set", "lo", "up")
        ip("-n", switch, "link", "add", "bridge", "type", "bridge")
        ip("-n", switch, "link", "set", "bridge", "up")
        for host in result.hosts:
            cable = ["type", "veth", "peer", "name", "eth0", "netns", host.space]
            ip("-n", switch, "link", "add", host.port, *cable)
            ip("-n", switch, "link", "set", host.port, "master", "bridge", "up")
            ip("-n", host.space, "addr", "add", f"{addresses[host.name]}/24", "dev", "eth0")
            ip("-n", host.space, "link", "set", "eth0", "up")
        yield result
