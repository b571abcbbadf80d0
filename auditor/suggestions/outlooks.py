"""What each method is expected to keep of a log, with the parameters that it has."""

from collections.abc import Callable

from auditor.engine.plan import Intent
from auditor.errors import AuditorError
from auditor.log.model import QueryLog
from auditor.messages import DisplayText, error_message
from auditor.methods.registry import METHODS
from auditor.progress import Progress

AFTER_RUN = "known only after a run"
NOTHING = "nothing is kept"


def expect_methods(
    log: QueryLog,
    sample: QueryLog,
    scale: float,
    intent: Intent,
    tell: Callable[[tuple[str, DisplayText]], object],
    progress: Progress,
) -> None:
    """Tell by method what is expected to be kept, from a sample that is `scale` times smaller."""
    from auditor.release.record import ReleaseRecord

    for name in METHODS:
        method, params = METHODS[name], intent.choose(name).params
        if method.outlook is None:
            continue
        progress.check()
        try:
            outlook = method.outlook(sample, params, scale=scale, progress=progress)
        except AuditorError as error:  # what the method needs, this log may not have
            tell((name, error_message(error)))
        else:
            kept_facts = ReleaseRecord.of_outlook(outlook, log, method).kept
            tell((name, NOTHING if kept_facts.empty else kept_facts.short or AFTER_RUN))
