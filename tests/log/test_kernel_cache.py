"""Compiled kernels never outlive the sources of what they call."""

import importlib
import inspect
import os
import stat
import tempfile
from pathlib import Path

import pytest

from auditor.log import kernel_cache
from auditor.log.kernel_cache import drop_stale


def make(path: Path, age: float, text: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    os.utime(path, (1_000_000 - age, 1_000_000 - age))
    return path


def test_that_kernels_older_than_what_they_call_are_dropped(tmp_path: Path) -> None:
    package = tmp_path / "pack"
    make(package / "a_kernels.py", 10)
    make(package / "b_kernels.py", 50, "from pack.a_kernels import f\n")
    make(package / "sub" / "kernels.py", 50, "import math\nfrom pack.b_kernels import (\n  g,\n)\n")
    make(package / "alone_kernels.py", 50)
    stale = [
        make(package / "__pycache__" / "b_kernels.g-3.py311.nbi", 20),
        make(package / "sub" / "__pycache__" / "kernels.h-3.py311.nbi", 20),
    ]
    good = [
        make(package / "__pycache__" / "alone_kernels.f-3.py311.nbi", 20),
        make(package / "__pycache__" / "b_kernels.new-9.py311.nbi", 5),
        make(tmp_path / "bare" / "__pycache__" / "a_kernels.f-3.py311.nbi", 20),
    ]
    assert drop_stale(package) == 2
    assert drop_stale(tmp_path / "bare") == 0  # there are no sources
    assert not any(path.exists() for path in stale)
    assert all(path.exists() for path in good)


@pytest.mark.parametrize("forgiving", [True, False])
def test_that_a_type_that_was_renamed_does_not_end_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forgiving: bool
) -> None:
    from numba.core.caching import IndexDataCacheFile

    import auditor.log.dictionary_kernels  # noqa: F401

    if not forgiving:  # as Numba does by itself
        plain = inspect.getclosurevars(IndexDataCacheFile._load_index).nonlocals["load"]
        monkeypatch.setattr(IndexDataCacheFile, "_load_index", plain)
    monkeypatch.syspath_prepend(tmp_path)
    kernel = (
        "from numba import njit\n@njit(cache=True)\ndef add(pair):\n    return pair[0] + pair[1]\n"
    )
    (tmp_path / f"adding_{forgiving}.py").write_text(kernel)
    for name in ("Pair", "Couple"):
        text = f"from typing import NamedTuple\nclass {name}(NamedTuple):\n    a: int\n    b: int\n"
        (tmp_path / f"pairs_{forgiving}.py").write_text(text)
        importlib.invalidate_caches()
        adding, pairs = (
            importlib.reload(importlib.import_module(f"{module}_{forgiving}"))
            for module in ("adding", "pairs")
        )
        if name == "Pair" or forgiving:
            assert adding.add(getattr(pairs, name)(1, 2)) == 3
        else:
            with pytest.raises(AttributeError, match="Pair"):
                adding.add(getattr(pairs, name)(1, 2))
        vars(pairs).pop(name)


NOWHERE = Path("/proc/nowhere")


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An account that may write to the temporary folder alone; returns that folder."""
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(NOWHERE))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_that_a_service_account_keeps_kernels_in_the_temporary_folder(service: Path) -> None:
    first = kernel_cache.settle_folder(NOWHERE)
    assert first is not None
    assert first.parent == service
    assert stat.S_IMODE(first.stat().st_mode) == 0o700
    assert os.environ.pop("NUMBA_CACHE_DIR") == str(first)
    assert kernel_cache.settle_folder(NOWHERE) == first  # the next run finds them again
    del os.environ["NUMBA_CACHE_DIR"]


@pytest.mark.parametrize("trap", ["open to all", "a link"])
def test_that_kernels_are_not_kept_where_others_may_write(service: Path, trap: str) -> None:
    place = service / f"auditor-kernels-{os.getuid()}"
    if trap == "a link":
        (service / "theirs").mkdir()
        place.symlink_to(service / "theirs")
    else:
        place.mkdir()
        place.chmod(0o777)
    folder = kernel_cache.settle_folder(NOWHERE)
    del os.environ["NUMBA_CACHE_DIR"]
    assert folder not in (None, place)


def test_that_nothing_is_changed_where_numba_finds_a_folder(
    service: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert kernel_cache.settle_folder(service) is None
    monkeypatch.setenv("XDG_CACHE_HOME", str(service / "cache" / "deeper"))
    assert kernel_cache.settle_folder(NOWHERE) is None
    assert "NUMBA_CACHE_DIR" not in os.environ
    assert list(service.iterdir()) == []
