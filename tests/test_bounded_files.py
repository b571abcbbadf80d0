"""Reading what others made: regular files of bounded size, JSON within limits, nothing waits."""

import gzip
import json
import os
import signal
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.attacks.vanity.own_name_queries import columns_of, read_profiles
from auditor.bounded_files import UnfitFile, parse_json, read_bounded, read_text
from auditor.cli.verbs import _read_queries  # the reader behind --query-file
from auditor.errors import AuditorError
from auditor.log.model import Vocabulary
from auditor.measures.site_clustering import read_labels
from auditor.methods import korolova
from auditor.methods.noisy_counts import query_pool
from auditor.progress import silent_progress
from auditor.project.file import read_project_file
from auditor.release import signing
from auditor.release.loading import read_release
from auditor.release.manifest import verify_folder
from auditor.release.policy.policy import read_policy


@pytest.fixture(autouse=True)
def _nothing_waits() -> Iterator[None]:
    """A pipe that somebody waits on ends the test instead of the afternoon."""
    signal.alarm(120)
    yield
    signal.alarm(0)


def fifo(folder: Path) -> Path:
    os.mkfifo(folder / "pipe")
    return folder / "pipe"


def linked(folder: Path) -> Path:
    (folder / "link").symlink_to("/dev/zero")
    return folder / "link"


def unreadable(folder: Path) -> Path:
    return folder / "no" / "file"


STRANGE: dict[str, Callable[[Path], Path]] = {
    "a pipe": fifo,
    "a device": lambda _: Path("/dev/zero"),
    "a link to a device": linked,
    "a folder": lambda folder: folder,
    "nothing": unreadable,
    "a name with NUL": lambda folder: folder / "a\0b",
}


def in_folder(read: Callable[[Path], Any], name: str) -> Callable[[Path], Any]:
    """Reads a folder in which a file of that name is the strange one."""

    def act(path: Path) -> Any:
        folder = Path(tempfile.mkdtemp())
        (folder / name).symlink_to(path)
        return read(folder)

    return act


def verified(folder: Path) -> None:
    """Raise what is wrong with a release folder."""
    if problems := verify_folder(folder):
        raise AuditorError(problems[0])


READERS: dict[str, Callable[[Path], Any]] = {
    "profiles": read_profiles,
    "a pool": lambda path: query_pool.load_pool("file", path, 1, silent_progress()),
    "public results": lambda path: korolova.read_results(
        path, Vocabulary.of(("a",)), silent_progress()
    ),
    "labels of sites": lambda path: read_labels(path, pages=False),
    "a policy": read_policy,
    "queries": lambda path: _read_queries(str(path)),
    "a public key": signing.public_key,
    "a private key": signing.private_key,
    "a project": read_project_file,
}


@pytest.mark.parametrize("kind", STRANGE)
@pytest.mark.parametrize("reader", READERS)
def test_that_every_reader_refuses_what_is_no_regular_file(
    reader: str, kind: str, tmp_path: Path
) -> None:
    with pytest.raises(AuditorError) as caught:
        READERS[reader](STRANGE[kind](tmp_path))
    assert "\n" not in str(caught.value)
    assert columns_of(STRANGE["a folder"](tmp_path)) == ()


@pytest.mark.parametrize("kind", ["a pipe", "a device", "a link to a device"])
@pytest.mark.parametrize("read", [read_release, verified], ids=["read", "verify"])
def test_that_no_manifest_is_a_pipe_or_a_device(
    read: Callable[[Path], Any], kind: str, tmp_path: Path
) -> None:
    with pytest.raises(AuditorError):
        in_folder(read, "manifest.json")(STRANGE[kind](tmp_path))


def test_that_a_pipe_that_comes_between_the_look_and_the_opening_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "policy.toml"
    path.write_text("x")
    opened = os.open

    def swapped(name: Any, *arguments: Any) -> int:
        path.unlink()
        os.mkfifo(path)
        return opened(name, *arguments)

    monkeypatch.setattr(os, "open", swapped)
    with pytest.raises(UnfitFile, match="not a regular file"):
        read_bounded(path, 100)


def test_that_sizes_are_limits_before_and_after_unpacking(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"x" * 100)
    assert read_bounded(path, 100) == b"x" * 100
    with pytest.raises(UnfitFile, match="larger than"):
        read_bounded(path, 99)
    path.write_bytes(gzip.compress(b"y" * 60) + gzip.compress(b"z" * 40))
    assert read_text(path, 100) == "y" * 60 + "z" * 40
    with pytest.raises(UnfitFile, match="once unpacked"):
        read_text(path, 99)
    for broken in (path.read_bytes()[:-3], b"\x1f\x8b"):
        path.write_bytes(broken)
        with pytest.raises(UnfitFile, match="cut short"):
            read_text(path, 100)


def test_that_a_byte_order_mark_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "profiles.csv"
    path.write_bytes("\ufeffuser,name\n7,Ann Lee\n".encode())
    assert read_profiles(path) == {"7": "Ann Lee"}
    assert columns_of(path) == ("user", "name")


@pytest.mark.parametrize(
    "text",
    [
        "[" * 41 + "]" * 41,
        "[" * 100_000,
        '{"a": ' * 60 + "1" + "}" * 60,
        "1" + "0" * 400,
        "-9223372036854775809",
        "9223372036854775808",
        "1e400",
        "NaN",
        "-Infinity",
        '"\\ud800"',
        '{"\\udfff": 1}',
        '{"a": 1, "a": 2}',
        "[" + "[]," * 1_000_000 + "[]]",
        "",
        "\udcff",
    ],
    ids=lambda text: ascii(text[:12]),
)
def test_that_json_beyond_the_limits_is_refused(text: str) -> None:
    with pytest.raises(UnfitFile, match="not valid JSON"):
        parse_json(text.encode("utf-8", "surrogateescape"))


@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers(-(2**63), 2**63 - 1)
        | st.floats(allow_nan=False, allow_infinity=False)
        | st.text(st.characters(exclude_categories=["Cs"])),
        lambda inner: st.lists(inner) | st.dictionaries(st.text("ab\ud83d\ude00"[:2]), inner),
    )
)
def test_that_all_other_json_is_taken_as_it_is(plain: Any) -> None:
    for ascii_alone in (True, False):
        data = json.dumps(plain, ensure_ascii=ascii_alone).encode()
        assert parse_json(data) == plain


@pytest.mark.parametrize(
    "text",
    [
        "a = " + "[" * 10_000,
        "a = " + "1" * 5_000,
        'format = "auditor policy 1"\n[[gate]]\nname = "a"\nfigure = "statement.epsilon"\n'
        f"most = 1{'0' * 400}\n",
        'format = "auditor policy 1"\n[[gate]]\nname = "a"\nfigure = "statement.epsilon"\n'
        "most = 1e400\n",
        "a" * (1 << 20) + "a",
        "\0",
    ],
    ids=["deep", "many digits", "beyond floats", "infinite", "large", "no text"],
)
def test_that_a_policy_made_to_harm_is_one_clear_error(text: str, tmp_path: Path) -> None:
    path = tmp_path / "policy.toml"
    path.write_text(text)
    with pytest.raises(AuditorError, match="The policy"):
        read_policy(path)
