"""What a test expects to be there, as a type checker wants it."""

from typing import TypeVar

T = TypeVar("T")


def present(value: T | None) -> T:
    """The value; fails where there is none."""
    assert value is not None
    return value
