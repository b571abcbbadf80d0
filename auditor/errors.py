"""The one family of errors: each says what is wrong, where, and what to do.

No message may hold query text: errors reach terminals, dialogs and log lines.
"""

from pathlib import Path

from auditor.messages import as_phrase, join_phrases, phrase


class AuditorError(Exception):
    """Something the person at the keyboard can act on.

    ``exit_code`` is what the command line returns for it.
    """

    exit_code = 2
    details: tuple[str, ...] = ()
    """More lines for whoever sits at the terminal; no part of the message."""


class LogFormatError(AuditorError):
    """A log file can't be read, or has more bad rows than the limit allows.

    `columns` says that it may help to name the format or which column is which.
    """

    def __init__(
        self,
        message: str,
        *,
        path: Path | str | None = None,
        line: int | None = None,
        column: int | None = None,
        columns: bool = False,
    ) -> None:
        self.columns = columns
        self.path = None if path is None else Path(path)
        self.line = line
        self.column = column
        places = [] if path is None else [" ".join(Path(path).name.splitlines())]
        if line is not None:
            places.append(phrase("line {line}", line=line))
        if column is not None:
            places.append(phrase("column {column}", column=column))
        super().__init__(
            phrase(
                "{where}: {message}", where=join_phrases(", ", places), message=as_phrase(message)
            )
            if places
            else message
        )


class ParameterError(AuditorError):
    """A parameter is out of bounds, of the wrong type, or unknown."""

    def __init__(self, parameter: str, message: str) -> None:
        self.parameter = parameter
        super().__init__(message)


class MissingInput(AuditorError):
    """A method, attack or measure needs something that the log or the call lacks."""


class ExportRefused(AuditorError):
    """A release may not be written: a preview, a failed gate, a target that isn't empty."""

    exit_code = 1


class PlaceRefused(ExportRefused):
    """A path that may not be written to, since something stands there or it is being read.

    That is bad usage, unlike a gate or an approval that says no.
    """

    exit_code = 2


class ExportFailed(AuditorError):
    """The disk or the system stopped an export; what stood there before still stands."""


class OutputFailed(AuditorError):
    """The result of a command can't be written to standard output."""


class SpillFailed(AuditorError):
    """The disk or the system stopped the working files of a run; nothing was left half done."""


class EngineFailed(AuditorError):
    """Machines of a run were lost, or a task of it failed; nothing was left half done."""


class MemoryExceeded(AuditorError):
    """A run needed more memory than its limit; nothing was left half done."""


class Cancelled(AuditorError):
    """The person asked to stop; nothing was left half done."""

    exit_code = 130

    def __init__(self, message: str = "cancelled") -> None:
        super().__init__(message)


def locate_error(error: BaseException) -> str:
    """File and line of the innermost frame, without any value."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return "an unknown place"
    return f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}"
