"""What differs between operating systems: file locks, private files, memory, priorities, folders.

`posix` serves Linux and macOS, `windows` serves Windows; both have the same names, and nothing else
in the package asks which system it runs on. What Windows has no equal of (modes of files, opening
without following a link, an exchange of two folders) is said in `windows`, function by function.
"""

import sys

if sys.platform == "win32":
    from auditor.platform.windows import *  # noqa: F403
else:
    from auditor.platform.posix import *  # noqa: F403
