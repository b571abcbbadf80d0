"""What the first window does without, so that it is there soon."""

from __future__ import annotations

import os
import subprocess
import sys

OPEN = """
import sys
from auditor.gui.app import application
app = application.make_application(["auditor"])
window = application.make_window(app)
window.show()
app.processEvents()
print(*sorted(name for name in ("pyqtgraph", "matplotlib", "pandas") if name in sys.modules))
"""


def test_that_nothing_that_draws_plots_is_loaded_before_the_first_paint(tmp_path: object) -> None:
    home = os.environ | {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", OPEN], env=home, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []
