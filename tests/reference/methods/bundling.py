"""Bundling (Jones, Kumar, Pang and Tomkins 2008): which rows must stand under one bundle.

By address: those whose IPv4 addresses agree but for the low bits. By cookie: all rows of a
cookie, in at most so many buckets. By random users: all rows of a user, so many users a bundle at
least, and those who are left over spread evenly.
"""

from tests.reference.logs import Row


def network(address: str, bits: int) -> int:
    """The address with its low bits zeroed, as a number."""
    value = 0
    for part in address.split("."):
        value = value * 256 + int(part)
    return value >> bits << bits


def by_address(rows: list[Row], bits: int) -> dict[str, int]:
    """The network of each user; users here have one address."""
    return {row.user: network(row.ip or "", bits) for row in rows}


def bundle_of(rows: list[Row], released: list[Row]) -> dict[str, set[str]]:
    """The bundles in which each user's rows stand, users being known by queries of their own."""
    users: dict[str, set[str]] = {}
    for row in rows:
        users.setdefault(row.query, set()).add(row.user)
    bundles: dict[str, set[str]] = {row.user: set() for row in rows}
    for row in released:
        if len(users[row.query]) == 1:
            bundles[next(iter(users[row.query]))].add(row.user)
    return bundles
