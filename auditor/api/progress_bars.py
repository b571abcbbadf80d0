"""A progress bar for notebooks and terminals, as a progress object that any function takes."""

from typing import Any

from auditor.progress import Progress


def show_progress(**settings: Any) -> Progress:
    """A progress that draws one bar a call: ``auditor.audit(…, progress=auditor.show_progress())``.

    A widget in a notebook that has them, text elsewhere (`tqdm.auto`). The bar names the stage and
    goes with the object. Interrupting the kernel stops the work as usual.

    Parameters
    ----------
    **settings
        For `tqdm`.

    Returns
    -------
    Progress
        Its ``cancel()`` stops the work from another thread.
    """
    return Progress(_ProgressBar(settings))


class _ProgressBar:
    """Draws (stage, done, total) as one bar, which begins anew with each stage."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self._settings = {"leave": False, **settings}
        self._stage: tuple[str, int] | None = None
        self._bar: Any = None

    def __call__(self, stage: str, done: int, total: int) -> None:
        from tqdm.auto import tqdm

        if self._bar is None:
            self._bar = tqdm(desc=stage, total=total or None, **self._settings)
        elif self._stage != (stage, total) or done < self._bar.n:
            self._bar.reset(total or None)
            self._bar.set_description(stage)
        self._stage = (stage, total)
        self._bar.update(done - self._bar.n)

    def __del__(self) -> None:
        if self._bar is not None:
            self._bar.close()
