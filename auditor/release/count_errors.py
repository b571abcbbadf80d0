"""How exact the counts of a release are, from its method and parameters alone."""

from __future__ import annotations

from collections.abc import Mapping

from auditor.errors import AuditorError
from auditor.log.sentences import sentence
from auditor.methods.registry import METHODS
from auditor.privacy.release import Anonymized


def find_count_errors(release: Anonymized) -> Mapping[str, int]:
    """How far 95 % of its noisy counts are at most from what was counted, by file.

    Empty where nothing is noisy, and where its method or parameters are not known.
    """
    if release.method not in METHODS or release.synthetic_seed is not None:
        return {}
    method = METHODS[release.method]
    try:
        return method.find_errors(method.params.of(release.params))
    except (AuditorError, TypeError):
        return {}


def describe_errors(release: Anonymized) -> str:
    """The same in words; empty where there are none."""
    errors = find_count_errors(release)
    if not errors:
        return ""
    widths = ", ".join(f"{file} ± {width:,}" for file, width in errors.items())
    return sentence("report.count_errors", widths=widths)
