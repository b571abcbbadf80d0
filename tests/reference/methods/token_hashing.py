"""Token hashing (Kumar, Novak, Pang and Tomkins 2007): what hashing every token must conserve.

Every white-space token becomes a hash of 16 hexadecimal digits; the same token the same hash, and
different tokens different ones, across the whole log. Nothing else of an event changes.
"""

from tests.reference.logs import Row


def one_to_one(pairs: list[tuple[str, str]]) -> bool:
    """Whether the left always gives the same right, and the right the same left."""
    forward, back = dict(pairs), {right: left for left, right in pairs}
    return all(forward[left] == right and back[right] == left for left, right in pairs)


def is_hash(text: str) -> bool:
    """16 lower-case hexadecimal digits."""
    return len(text) == 16 and set(text) <= set("0123456789abcdef")


def token_pairs(raw: list[Row], hashed: list[Row]) -> list[tuple[str, str]]:
    """Each token of the rows beside its hash, the rows standing in the same order."""
    pairs: list[tuple[str, str]] = []
    for before, after in zip(raw, hashed, strict=True):
        pairs += zip(before.query.split(), after.query.split(), strict=True)
    return pairs
