"""One sitting at the window: what is done, and where a picture is taken."""

import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from tests.screenshots import guide, looks
from tests.screenshots.stage import Stage

SITTINGS: Mapping[str, Callable[[Path], Stage]] = {
    "opening": guide.opening,
    "comparing": guide.comparing,
    "releasing": guide.releasing,
    "dark": guide.dark,
} | {name: partial(looks.look, name) for name in looks.LOOKS}

if __name__ == "__main__":
    SITTINGS[sys.argv[1]](Path(sys.argv[2])).close()
