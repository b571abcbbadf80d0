"""What differs between operating systems: file locks, private files, memory, priorities, folders.

`posix` serves Linux and macOS, `windows` serves Windows; both have the same names, and nothing else
in the package asks which system it runs on. What Windows has no equal of (modes of files, opening
without following a link, an exchange of two folders) is said in `windows`, function by function.
"""

from __future__ import annotations

import sys

if sys.platform == "win32":
    from auditor.platform import windows as _system

    FolderLock = _system.WindowsFolderLock
else:
    from auditor.platform import posix as _system

    FolderLock = _system.PosixFolderLock

FOLDER_LOCK_FILES = _system.FOLDER_LOCK_FILES
NEEDS_DISPLAY = _system.NEEDS_DISPLAY
address_space_limit = _system.address_space_limit
count_usable_cores = _system.count_usable_cores
create_private_file = _system.create_private_file
drop_pages = _system.drop_pages
exchange_folders = _system.exchange_folders
find_cache_home = _system.find_cache_home
find_data_home = _system.find_data_home
find_lasting_temporary_folder = _system.find_lasting_temporary_folder
is_others_to_read = _system.is_others_to_read
is_others_to_write = _system.is_others_to_write
is_own = _system.is_own
is_world_writable = _system.is_world_writable
lock_file = _system.lock_file
lower_thread_priority = _system.lower_thread_priority
move_folder = _system.move_folder
name_user = _system.name_user
open_for_reading = _system.open_for_reading
open_lock_file = _system.open_lock_file
reaches_display = _system.reaches_display
read_free_memory = _system.read_free_memory
read_held_memory = _system.read_held_memory
read_memory_limits = _system.read_memory_limits
read_total_memory = _system.read_total_memory
remove_locked_file = _system.remove_locked_file
restrict_to_owner = _system.restrict_to_owner
sync_folder = _system.sync_folder
sync_private_file = _system.sync_private_file
