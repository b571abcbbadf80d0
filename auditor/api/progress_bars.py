"""Progress bars for notebooks and terminals, as a progress object that any function takes."""

from __future__ import annotations

from typing import Any

from auditor.progress import Progress


def show_progress(**settings: Any) -> Progress:
    """A progress that draws a bar for each stage of work: ``progress=auditor.show_progress()``.

    A widget in a notebook that has them, text elsewhere (`tqdm.auto`). A bar goes when its stage
    is done. Interrupting the kernel stops the work as usual.

    Parameters
    ----------
    **settings
        For `tqdm`.

    Returns
    -------
    Progress
        Its ``cancel()`` stops the work from another thread.
    """
    return Progress(_ProgressBars(settings))


class _ProgressBars:
    """Draws (stage, done, total) as one bar after another."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self._settings = {"leave": False, **settings}
        self._stage: tuple[str, int] | None = None
        self._bar: Any = None

    def __call__(self, stage: str, done: int, total: int) -> None:
        from tqdm.auto import tqdm

        if self._stage != (stage, total) or (self._bar is not None and done < self._bar.n):
            if self._bar is not None:
                self._bar.close()
            self._stage = (stage, total)
            self._bar = tqdm(desc=stage, total=total or None, **self._settings)
        self._bar.update(done - self._bar.n)
        if total and done >= total:
            self._bar.close()
            self._bar, self._stage = None, None
