"""What differs between operating systems: file locks, private files, memory, priorities, folders.

`posix` serves Linux and macOS, `windows` serves Windows; both have the same names, and nothing else
in the package asks which system it runs on. What Windows has no equal of (modes of files, opening
without following a link, an exchange of two folders) is said in `windows`, function by function.
"""

from __future__ import annotations

import sys

if sys.platform == "win32":
    from auditor.platform.windows import (
        FOLDER_LOCK_FILES,
        NEEDS_DISPLAY,
        address_space_limit,
        count_usable_cores,
        create_private_file,
        drop_pages,
        exchange_folders,
        find_cache_home,
        find_data_home,
        find_lasting_temporary_folder,
        is_others_to_read,
        is_others_to_write,
        is_own,
        is_world_writable,
        lock_file,
        lower_thread_priority,
        move_folder,
        name_user,
        open_for_reading,
        open_lock_file,
        reaches_display,
        read_free_memory,
        read_held_memory,
        read_memory_limits,
        read_total_memory,
        remove_locked_file,
        restrict_to_owner,
        sync_folder,
        sync_private_file,
    )
    from auditor.platform.windows import WindowsFolderLock as FolderLock
else:
    from auditor.platform.posix import (
        FOLDER_LOCK_FILES,
        NEEDS_DISPLAY,
        address_space_limit,
        count_usable_cores,
        create_private_file,
        drop_pages,
        exchange_folders,
        find_cache_home,
        find_data_home,
        find_lasting_temporary_folder,
        is_others_to_read,
        is_others_to_write,
        is_own,
        is_world_writable,
        lock_file,
        lower_thread_priority,
        move_folder,
        name_user,
        open_for_reading,
        open_lock_file,
        reaches_display,
        read_free_memory,
        read_held_memory,
        read_memory_limits,
        read_total_memory,
        remove_locked_file,
        restrict_to_owner,
        sync_folder,
        sync_private_file,
    )
    from auditor.platform.posix import PosixFolderLock as FolderLock

__all__ = [
    "FOLDER_LOCK_FILES",
    "NEEDS_DISPLAY",
    "FolderLock",
    "address_space_limit",
    "count_usable_cores",
    "create_private_file",
    "drop_pages",
    "exchange_folders",
    "find_cache_home",
    "find_data_home",
    "find_lasting_temporary_folder",
    "is_others_to_read",
    "is_others_to_write",
    "is_own",
    "is_world_writable",
    "lock_file",
    "lower_thread_priority",
    "move_folder",
    "name_user",
    "open_for_reading",
    "open_lock_file",
    "reaches_display",
    "read_free_memory",
    "read_held_memory",
    "read_memory_limits",
    "read_total_memory",
    "remove_locked_file",
    "restrict_to_owner",
    "sync_folder",
    "sync_private_file",
]
