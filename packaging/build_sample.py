"""Make the sample log under ``resources/sample`` anew: ``python packaging/build_sample.py``.

The same program gives the same files.
"""

from __future__ import annotations

import gzip
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
USERS, DAYS, SEED = 5_000, 30, 2006


def main() -> None:
    """Write the four files, compressed without a time stamp."""
    sys.path.insert(0, str(ROOT))
    from auditor.log.synthetic.generator import synthesize_log, write_synthetic

    target = ROOT / "resources" / "sample"
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        synthetic = synthesize_log(USERS, days=DAYS, seed=SEED)
        for name, path in write_synthetic(synthetic, Path(folder)).items():
            data = gzip.compress(path.read_bytes(), 9, mtime=0)
            (target / f"{name}.gz").write_bytes(data)
            sys.stdout.write(f"{name}.gz: {len(data):,} bytes\n")


if __name__ == "__main__":
    main()
