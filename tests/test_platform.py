"""The package without what only POSIX has: everything imports, and the core runs."""

import os
import threading
from pathlib import Path

import pytest

from auditor import platform
from tests.narrowing import present
from tests.programs import run_code
from tests.systems import AS_ON_WINDOWS

ROOT = Path(__file__).parent.parent

IMPORTS = """
import importlib, pkgutil
import auditor

names = [found.name for found in pkgutil.walk_packages(auditor.__path__, "auditor.")]
left_out = ("auditor.platform.posix", "auditor.engine.backends.spark", "auditor.__main__")
names = [name for name in names if not name.startswith(left_out)]
for name in names:
    importlib.import_module(name)
print(len(names) > 400)
"""

CORE = """
from pathlib import Path
import sys
import auditor
from auditor import platform
from auditor.attacks.registry import ATTACKS
from auditor.log.gazetteers import sample_log
from auditor.log.out_of_core.working_files import WorkingFiles
from auditor.measures.registry import MEASURES
from auditor.release import signing
from auditor.release.atomic_write import clear_leftovers
from auditor.gui.projects.keeper import RecoverySlot, left_behind

folder = Path(sys.argv[1])
log = auditor.read_log(sample_log()).sample_users(300, 1)
few = {"surviving-content", "volume"}
every = {*ATTACKS, *MEASURES}
result = auditor.audit(log, "frequency-threshold", skip=sorted(every - few))
for overwrite in (False, True):
    made = auditor.save(result, log, folder / "release", overwrite=overwrite)
assert auditor.verify(made) == []
assert not [one for one in folder.iterdir() if one.name.startswith(".auditor")]

key = folder / "key"
public = signing.new_key(key)
assert signing.private_key(key).public_key() == signing.public_key(public)

leftover = folder / ".auditor-export-0123456789abcdef"
(leftover / "new").mkdir(parents=True)
(leftover / "marker").write_text('{"auditor export of": "release"}')
held = platform.FolderLock(leftover)
held.acquire()
clear_leftovers(folder)
assert leftover.exists(), "a living exporter's"
held.release()
clear_leftovers(folder)
assert not leftover.exists()

slot = RecoverySlot.create_in(folder)
slot.file.write_bytes(b"kept")
assert left_behind(folder) == []
slot.release(keep=True)
(again,) = left_behind(folder)
again.release()
assert list((folder / "recovery").iterdir()) == []

assert platform.read_held_memory()[0] > 1 << 20
assert platform.read_free_memory() > 1 << 20
with WorkingFiles(1 << 30, folder) as files:
    values = files.store_values(log.time)
    files.release_pages()
    assert (values == log.time).all()
platform.lower_thread_priority(5)
assert steps[-1] == "SetThreadPriority"
print(len(log.users), "users")
"""


def run_as_on_windows(program: str, *arguments: str) -> str:
    """What a program prints that runs as if the system were Windows."""
    return run_code(
        AS_ON_WINDOWS + program, *arguments, QT_QPA_PLATFORM="offscreen", PYTHONPATH=str(ROOT)
    ).strip()


@pytest.mark.slow
def test_that_every_module_can_be_imported_without_posix() -> None:
    assert run_as_on_windows(IMPORTS) == "True"


@pytest.mark.slow
def test_that_a_log_is_read_anonymized_and_verified_without_posix(tmp_path: Path) -> None:
    users, word = run_as_on_windows(CORE, str(tmp_path)).split()
    assert (word, int(users) > 100) == ("users", True)


def test_that_a_folder_is_held_by_one_process_alone(tmp_path: Path) -> None:
    first, second = platform.FolderLock(tmp_path), platform.FolderLock(tmp_path)
    first.acquire()
    with pytest.raises(BlockingIOError):
        second.acquire()
    waited = threading.Thread(target=lambda: second.acquire(wait=True))
    waited.start()
    first.release()
    waited.join(10)
    assert not waited.is_alive()
    assert second.is_of(tmp_path)
    second.release()


def test_that_memory_and_cores_are_known() -> None:
    resident, of_files = platform.read_held_memory()
    free, total = present(platform.read_free_memory()), present(platform.read_total_memory())
    assert 0 <= of_files <= resident < total
    assert free <= total
    assert 1 <= platform.count_usable_cores() <= (os.cpu_count() or 1)
