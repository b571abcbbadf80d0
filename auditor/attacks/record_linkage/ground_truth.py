"""Whether anybody can say if a linked record is the right one, in words."""

from __future__ import annotations

from auditor.attacks.base import Evidence
from auditor.privacy.identity import kept_ids
from auditor.privacy.records import rows_tell
from auditor.progress import silent_progress


def why_not(evidence: Evidence) -> str:
    """Why nothing can be linked, in words; empty if it can. O(rows), without sorting."""
    release = evidence.release
    if release is None:
        return "needs a release"
    if release.log is None:
        return "needs a release that is a log: tables hold no records of users"
    if not len(evidence.log) or not len(release.log):
        return "needs rows on either side: there is nothing to link"
    if len(release.log.users) < 2:
        return "needs two records at least: here all rows stand under one id"
    if kept_ids(evidence.log, release, silent_progress()) is not None:
        return ""
    if not rows_tell(evidence.log, release, silent_progress()):
        return (
            "can't tell whose record is whose: ids were changed, and the rows are no longer "
            "those of the log"
        )
    return ""
