"""What is heavy is imported when it is needed, and not before."""

from tests.programs import run_code

STEPS = """
import importlib.metadata, sys

def loaded():
    return {name.split(".")[0] for name in sys.modules}

heavy = {"numpy", "pandas", "pyarrow", "scipy", "PySide6", "numba"}
import auditor
dir(auditor)
assert not loaded() & heavy, "the package"

from auditor.cli.parser import parse_arguments
try:
    parse_arguments(["--help"])
except SystemExit:
    pass
assert not loaded() & heavy, "help"

import auditor.privacy.accounting
from auditor.privacy.composition import Mechanism, tight_epsilon
tight_epsilon([Mechanism(10, 100)], 1e-6)
assert not loaded() & {"scipy", "dp_accounting", "pandas"}, "the sum of losses"

from auditor.privacy.noise import SecureRandomness
rng = SecureRandomness()
assert "opendp" not in loaded(), "a sampler that draws nothing"
rng.load_sampler()
assert "opendp" in loaded()

def refuse(**_):
    raise SystemExit("looked for entry points")

importlib.metadata.entry_points = refuse
from auditor.attacks.registry import ATTACKS
from auditor.methods.registry import METHODS
METHODS["korolova"]
assert "zealous" in METHODS
ATTACKS["semantic-linkage"]
assert not loaded() & {"wordllama", "tokenizers", "safetensors"}, "an attack that is listed"
"""


def test_that_each_step_imports_no_more_than_it_needs() -> None:
    run_code(STEPS)
