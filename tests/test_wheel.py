"""The wheel holds everything that the program reads at run time."""

import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from auditor.version import __version__
from tests.programs import run_python

ROOT = Path(__file__).parent.parent

SCRIPT = """
from pathlib import Path
import auditor
from auditor.log import gazetteers
from auditor.resource_files import resource_path
assert "site" in auditor.__file__, auditor.__file__
assert Path(auditor.__file__).with_name("py.typed").exists()
assert len(gazetteers.last_names()) > 80_000
assert gazetteers.sample_log().exists()
assert resource_path("docs/architecture.md").exists()
print("found")
"""


def test_that_the_wheel_takes_the_package_and_its_resources_along() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel == {"packages": ["auditor"], "force-include": {"resources": "auditor/_resources"}}
    assert (ROOT / "auditor" / "py.typed").exists()


@pytest.mark.slow
def test_that_an_installed_wheel_finds_its_resources(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir"]
    subprocess.run([*build, tmp_path, ROOT], check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.name.split("-")[1] == __version__
    site = tmp_path / "site"
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        archive.extractall(site)
    texts = ("licences", "fonts/OFL.txt", "icons/lucide/LICENSE", "LICENSES.md")
    for place in texts:
        source = ROOT / "resources" / place
        for file in source.iterdir() if source.is_dir() else (source,):
            inside = file.relative_to(ROOT / "resources").as_posix()
            assert f"auditor/_resources/{inside}" in names
    isolated = f"import sys; sys.path.insert(0, {str(site)!r})\n{SCRIPT}"
    done = run_python("-c", isolated, cwd=tmp_path)
    assert done.stdout.strip() == "found", done.stderr
    alone = {"PYTHONPATH": str(site), "PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    for arguments, expected in (
        (("--version",), __version__),
        (("methods", "safelog"), "q_f"),
        (("inspect", str(site / "auditor" / "_resources" / "sample" / "log.tsv.gz")), "5,000"),
    ):
        run = subprocess.run(
            [sys.executable, "-m", "auditor", *arguments],
            cwd=tmp_path, env=alone, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert run.returncode == 0, run.stderr
        assert expected in run.stdout + run.stderr
