"""Every input that fuzzing kept, the seeds, and any bytes at all."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fuzz.targets import HEAD, ROW, TARGETS, seeds

CORPUS = Path(__file__).parent / "corpus"
INPUTS = [
    *((name, f"seed-{number}", data) for name, all_ in seeds().items()
      for number, data in enumerate(all_)),
    *((path.parent.name, path.name, path.read_bytes()) for path in sorted(CORPUS.glob("*/*"))),
]  # fmt: skip


@pytest.mark.parametrize(
    ("target", "data"),
    [(name, data) for name, _, data in INPUTS],
    ids=[f"{name}-{told[:12]}" for name, told, _ in INPUTS],
)
def test_that_what_was_found_once_stays_mended(target: str, data: bytes) -> None:
    TARGETS[target](data)


@given(st.sampled_from(sorted(TARGETS)), st.binary(max_size=300))
def test_that_any_bytes_are_read_or_are_one_clear_error(target: str, data: bytes) -> None:
    TARGETS[target](data)


@given(
    st.integers(0, 255),
    st.lists(st.one_of(st.just(HEAD), st.just(ROW), st.binary(max_size=40)), max_size=8),
)
def test_that_a_log_with_anything_between_its_rows_is_read_or_refused(
    first: int, parts: list[bytes]
) -> None:
    TARGETS["log"](bytes([first]) + b"".join(parts))
