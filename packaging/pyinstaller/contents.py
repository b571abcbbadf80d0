"""What goes into the bundle and what stays out; read by `auditor.spec` and by the tests.

Methods, attacks and measures are imported by name when asked for, so PyInstaller can't see them
by following imports: every module of the package is listed instead.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

SYSTEM: str = sys.platform
LINUX = SYSTEM.startswith("linux")

QT = (
    "QtCore",
    "QtGui",
    "QtWidgets",
    "QtSvg",
    "QtPrintSupport",
    "QtOpenGL",  # this and the next: pyqtgraph imports them by name
    "QtOpenGLWidgets",
)
"""The parts of Qt that may come along, if something imports them."""

QT_PLUGINS_ELSEWHERE = {
    "win32": (
        *("platforms/qwindows", "platforms/qoffscreen", "styles/"),
        *("imageformats/qsvg", "imageformats/qico", "iconengines/qsvgicon"),
    ),
    "darwin": (
        *("platforms/libqcocoa", "platforms/libqoffscreen", "styles/"),
        *("imageformats/libqsvg", "imageformats/libqicns", "iconengines/libqsvgicon"),
    ),
}
"""The same for the systems whose windows need other plugins; by `sys.platform`."""

QT_PLUGINS = QT_PLUGINS_ELSEWHERE.get(SYSTEM) or (
    "platforms/libqxcb",
    "platforms/libqwayland",
    "platforms/libqoffscreen",
    "platforms/libqminimal.so",
    "platforminputcontexts/libcompose",
    "platforminputcontexts/libibus",
    "platformthemes/libqxdgdesktopportal",
    "imageformats/libqsvg",
    "iconengines/libqsvgicon",
    "printsupport/",
    "xcbglintegrations/",
    "wayland-decoration-client/",
    "wayland-graphics-integration-client/",
    "wayland-shell-integration/",
)
"""Beginnings of the plugins that the window can use, below Qt's folder of plugins."""

EXTRAS = ("pyspark", "wordllama")
"""What only an extra brings: the bundle does without, and says so where it is asked for."""

EXCLUDED = (
    # other ways to draw, to run and to test
    "tkinter",
    "_tkinter",
    "IPython",
    "ipykernel",
    "pytest",
    "setuptools",
    "pkg_resources",
    "pip",
    "wheel",
    "PyQt5",
    "PyQt6",
    "PySide2",
    "matplotlib.tests",
    "matplotlib.testing",
    "pylab",
    "pandas.tests",
    "scipy.datasets",
    "sklearn.datasets.data",
    "sklearn.tests",
    *EXTRAS,
    # whose libraries are under the GPL
    "readline",
    "_gdbm",
    # of pyqtgraph what isn't a plot
    "pyqtgraph.opengl",
    "pyqtgraph.examples",
    "pyqtgraph.jupyter",
    # of pyarrow what moves data over networks and between engines
    "pyarrow.tests",
    "pyarrow.flight",
    "pyarrow._flight",
    "pyarrow.gandiva",
    "pyarrow.substrait",
    "pyarrow._substrait",
    "pyarrow._s3fs",
    "pyarrow._gcsfs",
    "pyarrow._azurefs",
    "pyarrow._hdfs",
    "pyarrow._orc",
    "pyarrow.orc",
    "pyarrow.cuda",
    # numba's own tests and its way to other processors
    "numba.tests",
    "numba.cuda",
    "llvmlite.tests",
)
"""Modules left out, each with everything below it."""

LIBRARIES_OUT = re.compile(
    r"libarrow_(python_)?(flight|gandiva|s3|gcs|azure)"
    r"|numba/np/ufunc/tbbpool"
    r"|libQt6(Qml|Quick|Labs|Lottie|Designer|Help|Test|UiTools|Sql|3D|WebEngine|VirtualKeyboard)"
    r"|libQt6(WaylandCompositor|EglF[Ss]|Network)"
    r"|pyarrow/libarrow_python\w*\.so(\.\d+\.\d+\.\d+)?$"
    r"|PIL/_(avif|webp)|^(pillow\.libs/)?lib(avif|webp(demux|mux)?|sharpyuv)-[0-9a-f]{8}\."
)
"""Shared libraries that only what is excluded would load, and second copies under other names."""

LEFT_TO_THE_SYSTEM = frozenset(("libcups.so.2",))
"""Libraries of the system that, with all they ask for, stay its own: without CUPS no printer."""

HOOKS_OUT = (
    # has matplotlib look for fonts anew at each start, in a temporary folder
    "pyi_rth_mplconfig",
    # imports Qt for every command; Qt finds its plugins beside itself
    *(("pyi_rth_pyside6",) if LINUX else ()),
)
"""What PyInstaller would run before the program."""

COPIED_METADATA = ("numpy", "scipy", "pandas", "pyarrow", "numba", "opendp", "dp-accounting")
"""Distributions whose version a manifest tells."""


def modules(package: Path) -> list[str]:
    """Every module below `package` (the folder `auditor`), by its full name."""
    other = "posix" if SYSTEM == "win32" else "windows"
    names = []
    for path in sorted(set(package.rglob("*.py")) - {package / "platform" / f"{other}.py"}):
        parts = path.relative_to(package.parent).with_suffix("").parts
        names.append(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    return names


def extensions(package: Path) -> list[str]:
    """The compiled modules right in the folder `package`, by their full names."""
    files = (path for end in ("so", "pyd") for path in package.glob(f"*.{end}"))
    names = {path.name.split(".")[0] for path in files}
    return sorted(f"{package.name}.{name}" for name in names)


def excluded_qt(folder: Path) -> list[str]:
    """The modules of Qt in `folder` (PySide6's) that stay out."""
    ends = ("abi3.so", "pyd")
    names = {path.name.split(".")[0] for end in ends for path in folder.glob(f"Qt*.{end}")}
    return sorted(f"PySide6.{name}" for name in names - set(QT))


def is_wanted(target: str) -> bool:
    """Whether a file belongs in the bundle; `target` is its place there."""
    target = target.replace("\\", "/")
    if LIBRARIES_OUT.search(target):
        return False
    _, of_qt, plugin = target.replace("PySide6/plugins/", "PySide6/Qt/plugins/").partition(
        "/Qt/plugins/"
    )
    if of_qt:
        return plugin.startswith(QT_PLUGINS)
    if "/Qt/translations/" in target:
        return bool(re.search(r"/qt(base)?_\w+\.qm$", target))
    return not re.search(r"/Qt/(qml|metatypes|resources)/|/tests/|\.pyi?$|\.pxd$|\.pyx$", target)
