"""Several files as one log: each is read by its own header, in the roles of one of them.

The file with a header that names the most roles is the reference. The others give the same roles
from columns of the same names, wherever these stand; delimiter, encoding and times are each
file's own. A file without a header has the reference's columns by place if its contents agree.
What can't be mapped is refused, and both headers are named.
"""

import dataclasses
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from auditor.errors import LogFormatError
from auditor.log.reading import column_mapping, column_names
from auditor.log.reading.column_inference import SHARE, Rows, columns_of, share_of, swap_days
from auditor.log.reading.column_mapping import REQUIRED, ColumnLayout, ReadOptions
from auditor.log.reading.format_detection import DetectedFormat
from auditor.log.reading.presets.registry import PRESETS
from auditor.log.reading.search_events import EVENT
from auditor.log.reading.sources import SourcePart, open_regular
from auditor.log.sentences import sentence
from auditor.messages import join_phrases, phrase

DATA_SUFFIXES = (
    ".txt", ".tsv", ".csv", ".log", ".jsonl", ".ndjson", ".json", ".parquet", ".arrow", ".feather",
    ".gz", ".bz2", ".xz", ".zst", ".zip",
)  # fmt: skip
"""Ends of names that say that a file is data: it is read, or the reading stops."""
NAMED_COLUMNS = ("jsonl", "parquet", "arrow")
"""Formats whose every row names its columns."""


@dataclass
class SampledPart:
    """A part, the beginning of it, and what it looks like."""

    part: SourcePart
    head: bytes
    complete: bool
    consumed: int
    guess: DetectedFormat


Inspector = Callable[[SampledPart, ReadOptions], DetectedFormat]
"""Looks at a part again, by other options."""


@dataclass
class AlignedParts:
    """The parts of one log, each with its own layout; `reference` is the one that says the roles.

    `notes` say how parts differ from the reference; `left_out` is as `LogOrigin` has it.
    """

    parts: list[SampledPart]
    reference: DetectedFormat
    notes: list[str] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)


def align_parts(
    samples: list[SampledPart], options: ReadOptions, inspect: Inspector, *, gathered: bool
) -> AlignedParts:
    """Give every part a layout of the same roles; `gathered` parts that are no tables may go.

    Raises `LogFormatError`: a part's columns can't be mapped to those of the reference.
    """
    readable = [sample for sample in samples if sample.guess.layout is not None]
    if not readable:  # what is asked of the part that is most like a log
        roles = [sample.guess.options.columns for sample in samples]
        best = max(range(len(samples)), key=lambda i: ("query" in roles[i], len(roles[i])))
        return AlignedParts([samples[best]], samples[best].guess)
    named = (*NAMED_COLUMNS, *PRESETS)
    reference = max(
        readable,
        key=lambda sample: (
            sample.guess.header or sample.guess.options.format in named,
            len(sample.guess.layout.columns) if sample.guess.layout else 0,
        ),
    )
    aligner = PartAligner(reference, options, inspect)
    aligned = AlignedParts([], reference.guess, aligner.notes)
    for before, sample in zip([samples[0], *samples], samples, strict=False):
        if sample is reference:
            aligned.parts.append(sample)
            continue
        try:
            guess = aligner.align_part(sample)
        except LogFormatError:
            if not gathered or not _may_be_left_out(sample):
                raise
            aligned.left_out[sample.part.name] = "it doesn't look like the query log"
            continue
        if guess.layout is not None and not guess.header and _is_cut(before, sample, guess.layout):
            raise sample.part.make_error(sentence("alignment.cut", name=before.part.name))
        aligned.parts.append(dataclasses.replace(sample, guess=guess))
    return aligned


def unlike_log(part: SourcePart) -> bool:
    """Whether a file may be passed over: not if its name says that it is data."""
    return not (part.member or part.path.name).lower().endswith(DATA_SUFFIXES)


def _may_be_left_out(sample: SampledPart) -> bool:
    """Whether a part of a folder is no table: by its name, and by the width of its rows."""
    name = (sample.part.member or sample.part.path.name).lower()
    table = sample.guess.layout is not None or (
        sample.guess.usual_width >= len(REQUIRED)
        and sum(len(row) == sample.guess.usual_width for row in sample.guess.rows)
        > len(sample.guess.rows) / 2
    )
    return not table and (unlike_log(sample.part) or name.endswith(".txt"))


def _is_cut(before: SampledPart, sample: SampledPart, layout: ColumnLayout) -> bool:
    """Whether a row begins at the end of one file and goes on in the next, without a header.

    The first has no line end then, and both pieces together have the columns of a row, which one of
    them alone has not.
    """
    part, most = before.part, before.guess.options.max_line_bytes
    if part.compression != "none" or not layout.width:
        return False
    with open_regular(part.path) as file:
        file.seek(max(0, part.size - most))
        last = file.read(most).rpartition(b"\n")[2]
    first = sample.head.partition(b"\n")[0]

    def is_row(piece: bytes) -> bool:
        outside = re.sub(rb'"[^"]*"?', b"", piece) if layout.quoting else piece
        return outside.count(layout.delimiter.encode()) + 1 in (layout.width, layout.short_width)

    return bool(last) and is_row(last + first) and not (is_row(last) and is_row(first))


class PartAligner:
    """Reads parts in the roles of a reference; `notes` say how they differ from it."""

    def __init__(self, reference: SampledPart, options: ReadOptions, inspect: Inspector) -> None:
        self._reference = reference
        self._options = options
        self._inspect = inspect
        self.notes: list[str] = []

    def align_part(self, sample: SampledPart) -> DetectedFormat:
        """What `sample` is, read in the roles of the reference; raises `LogFormatError`."""
        base, options = self._reference.guess, self._options
        form = base.options.format
        if form in PRESETS:
            if sample.guess.options.format == form and sample.guess.layout is not None:
                return sample.guess
            second_guess = self._inspect(sample, dataclasses.replace(options, format=form))
            if second_guess.layout is None or not second_guess.rows:
                raise self._make_mismatch(sample)
            return second_guess
        columns = {role: base.names[place] for role, place in _places_of(base).items()}
        has_header = None if sample.guess.options.format in NAMED_COLUMNS else True
        for delimiter in self._list_delimiters() if options.header is not False else ():
            changes = dataclasses.replace(
                options, columns={}, time_format=base.options.time_format, delimiter=delimiter
            )
            try:
                header = self._inspect(sample, dataclasses.replace(changes, header=has_header))
            except LogFormatError:
                continue
            present = _find_names(columns, header.names)
            if not present.keys() >= {*REQUIRED, EVENT} & columns.keys():
                continue
            changes = dataclasses.replace(changes, columns=present)
            if header.options.format not in NAMED_COLUMNS:
                changes = dataclasses.replace(changes, header=True)
            guess = self._with_own_times(sample, changes)
            if guess is not None and guess.layout is None and guess.problems:
                raise sample.part.make_error(join_phrases(" ", guess.problems))
            if guess is None or guess.layout is None:
                break
            self.notes += [
                phrase("{name} has no column for the {role}", name=sample.part.name, role=role)
                for role in columns
                if role not in present
            ]
            guess.user = base.user
            return guess
        if form in NAMED_COLUMNS or options.header:
            raise self._make_mismatch(sample)
        return self._align_by_place(sample)

    def _list_delimiters(self) -> list[str | None]:
        """What a part may be delimited by: as was said, else as the reference, else as it looks."""
        option = self._options.delimiter
        return list(dict.fromkeys((option or self._reference.guess.options.delimiter, option)))

    def _with_own_times(self, sample: SampledPart, changes: ReadOptions) -> DetectedFormat | None:
        """The part read by `changes`; by times of its own where the reference's don't fit."""
        option = self._options.time_format
        for form in dict.fromkeys((changes.time_format, option)):
            guess = self._inspect(sample, dataclasses.replace(changes, time_format=form))
            if guess.layout is None or option is not None or guess.exact_rows is not None:
                return guess
            place, time_format = _places_of(guess)["time"], guess.options.time_format or ""
            values = [value for value in columns_of(guess.rows, len(guess.names))[place] if value]
            if not values or share_of(values, time_format) >= SHARE:
                guess.other_time = swap_days(values, time_format)
                return guess
        return None

    def _align_by_place(self, sample: SampledPart) -> DetectedFormat:
        """A part without a header, by the reference's places; raises if its contents differ."""
        base, options = self._reference.guess, self._options
        assert base.layout is not None
        if sample.guess.header and _looks_named(sample.guess.names):
            raise self._make_mismatch(sample)
        if base.header:
            first = self._inspect(sample, dataclasses.replace(options, columns={}, header=True))
            # Some of the reference's names, but not those that are needed.
            if len(set(first.names) & set(base.names)) * 2 > len(set(base.names)):
                raise self._make_mismatch(sample)
        places = _places_of(base)
        for delimiter in self._list_delimiters():
            changes = dataclasses.replace(
                options,
                format=base.options.format,
                columns=places,
                header=False,
                delimiter=delimiter,
                time_format=base.options.time_format,
            )
            guess = self._with_own_times(sample, changes)
            if guess is None or guess.layout is None:
                continue
            widths = (base.layout.width, base.layout.short_width)
            if guess.usual_width in widths and _same_contents(guess.rows, base.rows, places):
                guess.layout = dataclasses.replace(
                    guess.layout,
                    width=base.layout.width,
                    short_width=base.layout.short_width,
                    header=base.layout.header,
                )
                guess.names, guess.user = base.names, base.user
                if base.header:
                    names = {"name": sample.part.name, "reference": self._reference.part.name}
                    self.notes.append(sentence("alignment.header_read_order", **names))
                return guess
        raise self._make_mismatch(sample)

    def _make_mismatch(self, sample: SampledPart) -> LogFormatError:
        if sample.guess.layout is None and not sample.guess.names:
            return sample.part.make_error(join_phrases(" ", sample.guess.problems))
        return sample.part.make_error(
            sentence(
                "alignment.columns_aren_those_here",
                name=self._reference.part.name,
                columns=_describe_columns(sample.guess),
                others=_describe_columns(self._reference.guess),
            )
        )


def _places_of(guess: DetectedFormat) -> dict[str, int]:
    return column_mapping.column_places(guess.options.columns, guess.names, len(guess.names))


def _find_names(columns: Mapping[str, str], names: Sequence[str]) -> dict[str, str]:
    """The columns by role as a header calls them, in whatever case and with whatever blanks."""
    spelled = Counter(name.strip().casefold() for name in names)
    own = {name.strip().casefold(): name for name in names}
    present = {}
    for role, name in columns.items():
        plain = name.strip().casefold()
        if column_mapping.has_column(names, name):
            present[role] = name
        elif spelled[plain] == 1:
            present[role] = own[plain]
    return present


def _same_contents(rows: Rows, other_rows: Rows, places: Mapping[str, int]) -> bool:
    """Whether columns hold what they hold in the reference, and no other role's values.

    Users and queries are compared by their values and by how values are made up of letters and
    digits: files that were cut from one agree, files with other columns don't.
    """
    width = max(map(len, other_rows), default=0)
    columns, other_columns = columns_of(rows, width), columns_of(other_rows, width)
    if not columns or not other_columns or not columns[0] or not other_columns[0]:
        return True
    user, query = places["user"], places["query"]

    def likeness(place: int, other: int) -> float:
        values, vocabulary = columns[place], set(other_columns[other])
        shapes = Counter(map(_shape_of, other_columns[other]))
        share = [shapes[_shape_of(value)] / len(other_columns[other]) for value in values]
        return sum(value in vocabulary for value in values) / len(values) + sum(share) / len(values)

    straight = likeness(user, user) + likeness(query, query)
    return straight > likeness(user, query) + likeness(query, user)


def _shape_of(value: str) -> str:
    """A value with letters, digits and blanks each as one sign, runs of them once."""
    plain = re.sub(r"[^\W\d_]+", "a", value)
    return re.sub(r"\s+", " ", re.sub(r"\d+", "9", plain))[:20]


def _describe_columns(guess: DetectedFormat) -> str:
    """A header's names, or the number of columns where the first row may be a user's."""
    if guess.options.format in PRESETS:
        return PRESETS[guess.options.format].title
    if _looks_named(guess.names) and (guess.header or guess.options.format in NAMED_COLUMNS):
        return ", ".join(name[:40] for name in guess.names[:20])
    return phrase("{columns} columns without names", columns=len(guess.names))


def _looks_named(names: Sequence[str]) -> bool:
    """Whether names are a header's, and not the first row of a log: two roles are among them."""
    return len({column_names.role_of(name) for name in names} - {None}) >= 2
