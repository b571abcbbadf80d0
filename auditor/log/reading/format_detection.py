"""What a log looks like from its first quarter of a megabyte: a layout, and what was assumed.

Everything here is a guess that a person may correct; whatever the options say is taken as said.
"""

import codecs
import csv
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from auditor.errors import LogFormatError
from auditor.log.reading import column_mapping, column_names, user_ids
from auditor.log.reading.column_inference import (
    DATES,
    SHARE,
    Rows,
    are_addresses,
    columns_of,
    describe_suggestions,
    guess_roles,
    guess_time,
    is_no_query,
    is_time,
    may_be_query,
    pair_date_and_clock,
    share_of,
    swap_days,
    without_missing,
)
from auditor.log.reading.column_mapping import (
    AOL_NAMES,
    AOL_ROLES,
    EXCITE_ROLES,
    EXCITE_TIME,
    ColumnLayout,
    ReadOptions,
    has_column,
    split_name,
)
from auditor.log.reading.presets.base import SHOWN, LogPreset, is_bulk_action, json_object
from auditor.log.reading.presets.json_array import (
    ActivityStream,
    JsonArrayStream,
    dotted_names,
    element_lines,
    explode_lists,
    find_elements,
    unwrap_single,
)
from auditor.log.reading.presets.registry import PRESETS
from auditor.log.reading.search_events import (
    EVENT,
    find_clicked_column,
    find_coded_events,
    find_event_columns,
    find_unknown_events,
    leaves_clicks_open,
    lists_results,
)
from auditor.log.reading.sources import WRONG_ENCODING, SourcePart, is_binary, is_utf8
from auditor.log.reading.table_files import HISTORY, TABLE_FILES, counts_from_1904
from auditor.log.sentences import sentence
from auditor.log.user_column import Choice, UserCandidate, UserColumn
from auditor.messages import as_phrase, error_message, join_phrases, phrase

PRESET_ROLES = ("user", "query", "time", "url", "rank")
REQUIRED = frozenset(column_mapping.REQUIRED)
OWN_USERS = ("aol", "excite")
"""Formats that say themselves whom a row is of: the first column."""
BOMS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
DELIMITERS = "\t,;|\x01~^\x1f"
"""Hive's has the code 1, ASCII's own for fields 31."""
AGGREGATED = (
    "This is an aggregated export: queries and how often each was searched, without users. "
    "Whose searches they are can't be told, so nobody can be protected in it. Export the "
    "single searches, or see what its queries show: “auditor inspect”, “auditor detect”."
)
_COUNT = re.compile(
    r"(?i)count|[ck]lic?k?s|^clic$|cliques|klikken|impres+[iõ]|searches|views|hits|total|frequen|volume|sessions|number|anzahl"
)
_REPETITIONS = re.compile(
    r"(?i)(n|num|nb|total|search|query)?[ _]?(of[ _])?"
    r"(counts?|cnt|freq(uency)?|searches|times|anzahl)"
)
_NUMBER = re.compile(r"-?\d[\d.,\s]*%?|")
"""A number or a share, or nothing."""
_DURATION = re.compile(r"(?i)duration|length|dwell|elapsed|spent|dauer|took|on[ _]?(page|site)")
_ODD_SIGNS = re.compile(
    r"(?i)(?<=[a-zš])[¹³¿¼¾ðýþ‚ƒ†‡ˆ‰§\ufffd]|[¹³ðýþ](?=[a-z])|(?<=[a-z])[…”•–—„ºš](?=[a-zá])|"
    r"[æè](?=[aeiou])|õ(?!e)|(?<=[bcdfghjklmnpqrstvwxz])û(?=r?l)|(?-i:(?<=[a-z])[ŠŽŒŸ])|"
    r"(?-i:[ŽŠ](?=t[ŽŠ]))|[ðþ¤]|[¸½](?=[a-z])"
)
"""Signs where western languages have none: other encodings' letters read as Windows-1252."""
_QUOTED = re.compile(r'"([^"]|"")*"')
"""A field as programs write it that put fields with a quote into quotes, and double it."""
_JAPANESE = ("cp932", "shift_jis", "euc_jp", "euc_jis_2004", "shift_jis_2004")
_CHARSET_BYTES = 32_768
"""Bytes of lines beyond ASCII by which an encoding is told."""
JSON_LINES, JSON_NAMES = 400, 200
"""Lines of JSON that are looked at for names, and the names that are taken from them, at most."""
MOST_PREAMBLE = 20
"""Lines above a table that may be comments, titles, or say what the delimiter is."""


@dataclass
class DetectedFormat:
    """A layout with the evidence: column names, the first rows, assumptions and problems."""

    layout: ColumnLayout | None
    options: ReadOptions
    names: tuple[str, ...] = ()
    rows: Rows = field(default_factory=list)
    header: bool = False
    assumptions: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    row_bytes: float = 64.0
    usual_width: int = 0
    exact_rows: int | None = None
    user: UserColumn | None = None
    candidates: tuple[UserCandidate, ...] = ()
    parameters: tuple[tuple[str, int], ...] = ()
    joined: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """Of columns that stand for several, by name, the places of these."""
    other_time: str = ""
    """The form of times with day and month in the other order, if the beginning allows both."""


def guess_encoding(head: bytes, notes: list[str], *, complete: bool = False) -> str:
    """The encoding of a text from its byte order mark or its bytes; `head` may be `complete`."""
    if head.startswith(codecs.BOM_UTF8):
        return "utf-8"
    if len(head) >= 4 and head.count(0) * 4 > len(head):
        odd = head[1::2].count(0)
        if odd * 10 > len(head) * 3 or (head.count(0) - odd) * 10 > len(head) * 3:
            name = "utf-16-le" if odd * 10 > len(head) * 3 else "utf-16-be"
            notes.append(phrase("the encoding is taken for {name}", name=name))
            return name
    if b"\x1b$" in head and head.isascii():
        notes.append(phrase("the encoding is taken for {name}", name="iso2022_jp_2"))
        return "iso2022_jp_2"
    lines = head.split(b"\n")
    non_ascii = [line for line in (lines if complete else lines[:-1]) if not line.isascii()]
    bad = sum(not is_utf8(line) for line in non_ascii)
    # A few bad lines are bad lines; if nothing beyond ASCII is UTF-8, it is another encoding.
    is_other = bad >= 3 and bad * 10 >= len(non_ascii) * 9
    if complete and not is_other and bad and bad == len(non_ascii):
        foreign = re.sub(r"[\x00-\x7f]", "", b"".join(non_ascii).decode("cp1252", "replace"))
        letters = sum(sign.isalpha() and sign not in "ÂÃÿ" for sign in foreign)  # those are damage
        is_other = letters * 10 >= len(foreign) * 9
    if is_other:
        notes.append("the encoding is taken for Windows-1252, as the text is no UTF-8")
        return "cp1252"
    return "utf-8"


def _is_western(text: str) -> bool:
    """Whether letters beyond ASCII stand alone or in pairs, as in western languages.

    Cyrillic, Greek or Japanese in another encoding gives whole words of them; Polish and Turkish
    give signs within words that western languages have none of there.
    """
    runs = [len(run) for run in re.findall(r"[^\x00-\x7f]+", text)]
    odd = len(_ODD_SIGNS.findall(text))
    return sum(size for size in runs if size >= 3) * 3 < sum(runs) and odd * 10 < len(runs)


def guess_charset(head: bytes) -> tuple[list[str], bool]:
    """The likeliest encodings of a text that is neither UTF-8 nor western, and whether one is sure.

    It is sure where its letters make up words of a language far better than those of any other.
    """
    from charset_normalizer import from_bytes

    lines = [line for line in head.split(b"\n")[:-1] if not line.isascii()]
    fits = list(from_bytes(b"\n".join(lines)[:_CHARSET_BYTES]))[:4]
    if not fits:
        return [], False
    rival = max((fit.coherence for fit in fits[1:]), default=0.0)
    sure = fits[0].chaos <= 0.15 and fits[0].coherence >= max(0.4, rival + 0.1)
    # As the one it has odd signs; of the other, Turkish letters are Icelandic ones in the first.
    sure = sure and fits[0].encoding not in ("cp1252", "cp1254")
    if fits[0].encoding in _JAPANESE:  # no other language has kana, nor any text by accident
        foreign = re.findall(r"[^\x00-\x7f]", str(fits[0]))
        sure = sum("\u3040" <= sign <= "\u30ff" for sign in foreign) * 5 > len(foreign)
    return [fit.encoding for fit in fits], sure


def detect_part_format(
    part: SourcePart, head: bytes, complete: bool, options: ReadOptions
) -> DetectedFormat:
    """The layout of a part from its beginning; raises `LogFormatError` if it is no such text."""
    if part.member == HISTORY:
        options = replace(options, format=HISTORY, encoding="utf-8")
    elif part.compression in TABLE_FILES and head.startswith(b'{"'):  # nested values, as JSON
        options = replace(options, format="jsonl", encoding="utf-8")
    elif part.compression in TABLE_FILES:
        options = replace(
            options, format="delimited", delimiter=",", quoting=True, encoding="utf-8"
        )
    try:
        guess = detect_format(head, complete, options)
        is_guessed = options.time_format is None and guess.options.time_format == "excel"
        if is_guessed and counts_from_1904(part.path):
            guess = detect_format(head, complete, replace(options, time_format="excel_1904"))
            guess.assumptions.append(phrase("times are read as {form}", form="excel_1904"))
        return guess
    except UnicodeError:  # UTF-16 or UTF-32 by name alone, and no byte-order mark that says which
        raise part.make_error(WRONG_ENCODING) from None
    except LogFormatError as error:
        raise part.make_error(error_message(error)) from None


def detect_format(head: bytes, complete: bool, options: ReadOptions) -> DetectedFormat:
    """Work out the layout of a text from its beginning; `complete` if `head` is all of it."""
    wide = next((name for mark, name in BOMS if head.startswith(mark)), "")
    if wide and options.encoding is None:  # JSON is looked for in UTF-8
        plain = head.decode(wide, "ignore").encode()
        guess = detect_format(plain, complete, replace(options, encoding="utf-8"))
        guess.options = replace(guess.options, encoding=wide)
        guess.layout = guess.layout and replace(guess.layout, encoding=wide)
        guess.row_bytes *= len(head) / max(1, len(plain))
        return guess
    notes: list[str] = []
    may_be_json = options.format in ("auto", "jsonl", *PRESETS)
    elements = find_elements(head) if may_be_json else None
    if elements is not None:
        head = element_lines(head, complete, elements)
    if elements not in (None, ActivityStream):
        notes.append("the file holds JSON values other than one a line: each is counted as a line")
    encoding = options.encoding or guess_encoding(head, notes, complete=complete)
    encoding = column_mapping.encoding_name(encoding)
    text = codecs.getincrementaldecoder(encoding)("replace").decode(head, complete)
    text = text.removeprefix("\ufeff")
    if is_binary(text):
        raise LogFormatError("This is binary data, no log.")
    returns = "\n" not in text and "\r" in text
    if returns:
        notes.append("lines end with carriage returns")
        text = text.replace("\r", "\n")
    lines = text.split("\n")
    ended = lines.pop()
    if complete and ended:
        lines.append(ended)
    elif not lines:
        lines = [ended[: options.max_line_bytes]]
    lines = [line.removesuffix("\r") for line in lines]
    preset = PRESETS.get(options.format)
    if options.format == "auto":
        preset = next((known for known in PRESETS.values() if known.detect(lines)), None)
        if preset is not None and "user" in options.columns and preset.parameters is None:
            preset = None
    default = preset.encoding if preset is not None and options.encoding is None else "utf-8"
    own, own_note = None, ""
    foreign: list[str] | None = None
    if preset is not None and encoding == "cp1252" and default != "utf-8":
        own, own_note = default, phrase("the encoding is taken for {own}", own=default)
        options = replace(options, format=preset.name)
    elif encoding == "cp1252" and options.encoding is None and not _is_western(text):
        foreign, sure = guess_charset(head)
        if sure:
            own = foreign[0]
            own_note = phrase("the encoding is taken for {own}, by its letters", own=own)
    if own is not None:
        guess = detect_format(head, complete, replace(options, encoding=own))
        guess.assumptions.append(own_note)
        return guess
    resolved = replace(options, encoding=encoding)
    if preset is not None:
        guess = _guess_preset(lines, resolved, preset, elements)
    elif options.format == "jsonl" or (options.format == "auto" and _looks_json(lines)):
        guess = _guess_json(lines, resolved, elements)
    else:
        guess = _guess_delimited(lines, resolved, returns)
    guess.assumptions = notes + guess.assumptions
    if foreign is not None:
        guess.layout = None
        likely = ", ".join(foreign) or "windows-1251, koi8-r, shift_jis, gb18030"
        guess.problems.insert(0, sentence("format_detection.text_utf_western_text", likely=likely))
    size = len(head) - (0 if complete else len(ended.encode("utf-8", "replace")))
    guess.row_bytes = max(1.0, size / max(1, len(lines)))
    return guess


def _looks_json(lines: Sequence[str]) -> bool:
    first = [line for line in lines[:50] if line.strip()]
    begins = bool(first) and first[0].lstrip().startswith("{")
    return begins and sum(json_object(line) is not None for line in first) * 2 >= len(first)


def _guess_preset(
    lines: Sequence[str],
    options: ReadOptions,
    preset: LogPreset,
    elements: type[JsonArrayStream] | None,
) -> DetectedFormat:
    """The layout and first rows of a known format."""
    guess = DetectedFormat(None, replace(options, format=preset.name, time_format="epoch_s"))
    guess.names = PRESET_ROLES
    guess.assumptions = [
        phrase("the log is read as {title}", title=as_phrase(preset.title)),
        *filter(None, [preset.note]),
    ]
    guess.user = UserColumn(preset.user, "format", (preset.doubt,) if preset.doubt else ())
    guess.parameters = tuple(preset.parameters(lines)[:40]) if preset.parameters is not None else ()
    if other_columns := sorted(set(options.columns) - set(column_mapping.ROLES)):
        title, names = as_phrase(preset.title), ", ".join(other_columns)
        guess.problems.append(sentence("format_detection.nothing_beside", title=title, names=names))
        return guess
    if preset.parameters is not None and "query" not in options.columns:
        listing = ", ".join(f"{name} ({count:,})" for name, count in guess.parameters[:8])
        facts = {"lines": len(lines), "found": listing or "none"}
        guess.problems.append(sentence("format_detection.name_parameter_holds_query", **facts))
        return guess
    state = preset.collect(lines) if preset.collect is not None else preset.user
    read_line = preset.start(options.columns, state)
    records = [record for line in lines[:500] for record in read_line(line) or ()]
    guess.rows = [[record.get(role, "") for role in PRESET_ROLES] for record in records]
    extras = SHOWN if options.keep_shown and preset.shows else ()
    guess.layout = ColumnLayout(
        preset.name,
        {role: role for role in (*PRESET_ROLES, *extras)},
        column_mapping.compile_time("epoch_s"),
        encoding=options.encoding or "utf-8",
        elements=elements,
        zoned=preset.zoned,
    )
    if (user_choice := options.columns.get("user")) is not None:
        guess.user = UserColumn(str(user_choice)[:80], "person")
    return guess


def _guess_json(
    lines: Sequence[str], options: ReadOptions, elements: type[JsonArrayStream] | None
) -> DetectedFormat:
    parsed = [json_object(line) for line in lines[:JSON_LINES]]
    objects = [record for record in parsed if record is not None and not is_bulk_action(record)]
    names = tuple(dict.fromkeys(name for entry in objects for name in dotted_names(entry)))[
        :JSON_NAMES
    ]
    records = [row for entry in objects for row in (explode_lists(entry, names) or [])[:50]]
    cells = ([unwrap_single(entry.get(name)) for name in names] for entry in records)
    rows = [["" if cell is None else str(cell) for cell in row] for row in cells]
    guess = DetectedFormat(None, replace(options, format="jsonl"), names, rows)
    if not objects:
        guess.problems.append("No line of the beginning is a JSON object.")
        return guess
    finish_named(guess, options)
    if guess.layout is not None:
        guess.layout = replace(guess.layout, elements=elements)
    return guess


def join_columns(
    guess: DetectedFormat, columns: Mapping[str, str | int]
) -> Mapping[str, str | int]:
    """Add a column for each name that means several: their values with a blank between.

    Dates and times of day in two columns are the time, unless somebody says what is.
    """
    values = columns_of(guess.rows, len(guess.names))
    pair = pair_date_and_clock(values) if "time" not in columns else None
    if pair is not None and not _DURATION.search(guess.names[pair[1]]):
        date, *clock = (guess.names[place] for place in pair)
        columns = {**columns, "time": "+".join((date, *clock))}
        guess.assumptions.append(
            phrase("the time is made of “{date}” and “{clock}”", date=date, clock="+".join(clock))
        )
    for name in columns.values():
        if isinstance(name, int) or name in guess.names or not has_column(guess.names, name):
            continue
        width = len(guess.names)
        places = tuple(guess.names.index(part) for part in split_name(name, guess.names))
        guess.rows = [
            [*row, " ".join(row[place] for place in places).strip()] if len(row) == width else row
            for row in guess.rows
        ]
        guess.joined[name] = places
        guess.names += (name,)
    return columns


def _list_joined(
    guess: DetectedFormat, roles: Mapping[str, int], *, has_names: bool
) -> dict[str, tuple[str | int, ...]]:
    """The columns of each role that has several: their names, or their places."""
    return {
        role: tuple(guess.names[i] if has_names else i for i in guess.joined[guess.names[place]])
        for role, place in roles.items()
        if guess.names[place] in guess.joined
    }


def finish_named(
    guess: DetectedFormat, options: ReadOptions, moments: frozenset[str] = frozenset()
) -> DetectedFormat:
    """Roles and times of a format whose fields have names (JSON lines, Parquet).

    `moments` are the columns whose type says that they hold times.
    """
    columns = join_columns(guess, options.columns)
    try:
        roles = _assign_roles(guess, columns, guess.names)
        settle_user(guess, roles, named_by_person="user" in options.columns)
    except LogFormatError as error:
        guess.problems.append(error_message(error))
        return guess
    is_moment = "time" in roles and guess.names[roles["time"]] in moments
    form = options.time_format or ("iso" if is_moment else _time_of(guess, roles))
    if form is None or _asks_for_events(guess, roles, options):
        return guess
    settled = {role: guess.names[place] for role, place in roles.items()}
    guess.options = replace(guess.options, columns=settled, time_format=form)
    if _check_complete(roles, guess):
        guess.layout = ColumnLayout(
            guess.options.format,
            settled,
            column_mapping.compile_time(form),
            encoding=guess.options.encoding or "utf-8",
            joined=_list_joined(guess, roles, has_names=True),
        )
    return guess


def _guess_delimited(lines: Sequence[str], options: ReadOptions, returns: bool) -> DetectedFormat:
    is_fixed = options.format in OWN_USERS
    preamble, hint = _find_preamble(lines, options)
    lines = lines[preamble:]
    fixed = "\t" if is_fixed else hint
    delimiter = options.delimiter or fixed or _guess_delimiter(lines)
    quoting = options.quoting
    if quoting is None:
        quoting = not is_fixed if delimiter != "\t" else are_fields_quoted(lines)
    rows = _split_lines(lines[:500], delimiter, quoting)
    padded = _are_fields_padded(lines[:500], delimiter)
    if padded:
        rows = [[field.strip() for field in row] for row in rows]
    options = replace(options, delimiter=delimiter, quoting=quoting)
    widths = Counter(len(row) for row in rows if row)
    last = max((place for place in options.columns.values() if isinstance(place, int)), default=0)
    width = next((size for size, _ in widths.most_common() if size > last), 0)
    width = width or max(widths, default=0)
    guess = DetectedFormat(None, options, rows=rows, usual_width=width)
    if preamble:
        guess.assumptions.append(
            phrase("{lines:,} lines above the table are passed over", lines=preamble)
        )
    try:
        _roles_of_columns(guess, width)
    except LogFormatError as error:
        guess.problems.append(error_message(error))
    if max(widths, default=0) < 2 and guess.problems:
        guess.problems, guess.candidates = [sentence("format_detection.no_table")], ()
    if guess.problems or guess.options.time_format is None:
        return guess
    roles = column_mapping.column_places(
        guess.options.columns, guess.names if guess.header else (), len(guess.names)
    )
    if _check_complete(roles, guess):
        header = lines[0].encode("utf-8", "surrogatepass") if guess.header else b""
        # Where AOL's trailing tabs were stripped, rows end behind the time.
        usual = len(guess.names) == 5 and roles == dict(zip(AOL_ROLES, range(5), strict=True))
        guess.layout = ColumnLayout(
            guess.options.format,
            dict(roles),
            column_mapping.compile_time(guess.options.time_format),
            delimiter=delimiter,
            quoting=quoting,
            encoding=options.encoding or "utf-8",
            returns=returns,
            width=len(guess.names) - len(guess.joined),
            joined=_list_joined(guess, roles, has_names=False),
            padded=padded,
            short_width=3 if usual and guess.options.format == "aol" else -1,
            header=header,
            skipped_lines=preamble + int(guess.header),
        )
    return guess


def are_fields_quoted(lines: Sequence[str]) -> bool:
    """Whether fields between tabs stand in quotes: all names do, or all that hold a quote.

    Of the latter, one must have a doubled quote inside: people search for phrases in quotes. Or
    more rows have as many fields as the first one if tabs in quotes part nothing.
    """
    names = lines[0].split("\t") if lines else []
    if len(names) > 1 and all(map(_QUOTED.fullmatch, names)):
        return True
    widths = ([len(row) for row in _split_lines(lines, "\t", quoting)] for quoting in (False, True))
    split_everywhere, split_outside = (sizes.count(len(names)) for sizes in widths)
    if split_outside > split_everywhere:
        return True
    fields = [field for line in lines for field in line.split("\t") if '"' in field]
    return all(map(_QUOTED.fullmatch, fields)) and any('""' in field[1:-1] for field in fields)


def _are_fields_padded(lines: Sequence[str], delimiter: str) -> bool:
    """Whether behind each delimiter outside quotes stands a blank, in nine lines of ten.

    Or blanks fill fields up, so that the delimiters stand at the same places.
    """
    unquoted = [re.sub(r'"[^"]*"', "", line) + " " for line in lines if delimiter in line]
    padded = sum(line.count(f"{delimiter} ") == line.count(delimiter) for line in unquoted)
    places = Counter(
        tuple(place for place, sign in enumerate(line) if sign == delimiter)
        for line in lines
        if f" {delimiter}" in line
    )
    padded = max(padded, *places.values(), 0)
    return bool(unquoted) and padded >= 0.9 * len(unquoted)


def _find_preamble(lines: Sequence[str], options: ReadOptions) -> tuple[int, str | None]:
    """How many lines stand above the table, and the delimiter that one of them names.

    These are blank lines, comments and titles: rows of other widths than those that follow.
    """
    first, delimiter = 0, None
    usual = [line for line in lines[MOST_PREAMBLE:200] or lines[-5:] if line]
    for line in lines[:MOST_PREAMBLE]:
        separator_line = re.fullmatch(r'"?sep=(.)"?', line)
        is_uniform = any(
            mark in line
            and sum(row.count(mark) == line.count(mark) for row in usual) * 2 > len(usual)
            for mark in DELIMITERS
        )
        if not separator_line and line.strip() and (not line.startswith("#") or is_uniform):
            break
        delimiter = separator_line[1] if separator_line else delimiter
        first += 1
    if first == len(lines):
        return 0, None
    if options.header is not False:
        for place, line in enumerate(lines[first : first + MOST_PREAMBLE], first):
            for mark in [options.delimiter] if options.delimiter else DELIMITERS:
                names = next(iter(_split_lines([line], mark, mark != "\t")), [])
                roles = {
                    column_names.role_of(name) or ("count" if _COUNT.search(name) else None)
                    for name in names
                } - {None}
                # A sheet's title is filled up with empty fields, which no delimiters are behind it.
                above = (row.split(mark) for row in lines[max(first, place - 1) : place])
                full = {len(row) for row in above if sum(map(bool, row)) * 2 > len(row)}
                if len(roles) >= 2 and len(line.split(mark)) not in full:
                    return place, delimiter
    return first, delimiter


def _roles_of_columns(guess: DetectedFormat, width: int) -> None:
    """Fill in names, header, roles and time format of delimited rows."""
    options, rows = guess.options, guess.rows
    first = rows[0] if rows else []
    kind = options.format
    has_header = is_aol_header(first)
    if kind == "auto":
        kind = "aol" if has_header and options.delimiter == "\t" else "delimited"
    if kind == "aol":
        guess.header = has_header if options.header is None else options.header
        guess.names = tuple(first) if has_header else AOL_NAMES
        mapping = dict(zip(AOL_NAMES, AOL_ROLES, strict=True)) | dict(column_mapping.EXTRA_NAMES)
        role_of = {name.lower(): role for name, role in mapping.items()}
        roles = {role_of[name.strip().lower()]: place for place, name in enumerate(guess.names)}
    elif kind == "excite":
        guess.header, guess.names = bool(options.header), ("user", "time", "query")
        roles = dict(zip(EXCITE_ROLES, range(3), strict=True))
    else:
        guess.header = _has_header(rows, width) if options.header is None else options.header
        if guess.header:
            guess.names = tuple(first)
        else:
            guess.names = tuple(phrase("column {place}", place=place + 1) for place in range(width))
        roles = {}
    guess.rows = rows[1:] if guess.header else rows
    columns: Mapping[str, str | int] = options.columns
    if guess.header and kind == "delimited":
        columns = join_columns(guess, columns)
    body = guess.rows
    if columns or (guess.header and not roles):
        roles = _assign_roles(guess, columns, guess.names if guess.header else ())
    elif not roles:
        kind, roles = _known_shape(body, guess, kind)
    settle_user(guess, roles, named_by_person="user" in options.columns, format=kind)
    # By name where that is enough to find a column, else by place.
    unique = Counter(guess.names)
    named_roles = {
        role: guess.names[place] if guess.header and unique[guess.names[place]] == 1 else place
        for role, place in roles.items()
    }
    guess.options = replace(options, format=kind, header=guess.header, columns=named_roles)
    form = options.time_format or {"aol": "iso", "excite": EXCITE_TIME}.get(kind)
    form = form or _time_of(guess, roles)
    if form is not None and not (kind == "delimited" and _asks_for_events(guess, roles, options)):
        guess.options = replace(guess.options, time_format=form)


def _assign_roles(
    guess: DetectedFormat, columns: Mapping[str, str | int], names: Sequence[str]
) -> dict[str, int]:
    """The roles that are given, those of events, and if one is missing that is needed, guesses."""
    width = len(guess.names)
    roles = column_mapping.column_places(columns, tuple(names), width)
    if EVENT not in roles:
        values = columns_of(guess.rows, width)
        roles |= find_event_columns(names, values, [*roles.values()])
        if EVENT not in roles and (column := find_unknown_events(names, values)):
            guess.assumptions.append(sentence("search_events.unknown_words", column=column[:40]))
    if not roles.keys() >= REQUIRED:
        roles = guess_roles(names, guess.rows, width, guess.assumptions, roles)
    if EVENT in roles and "url" not in roles:
        place = find_clicked_column(guess.names, columns_of(guess.rows, width), roles)
        if place is not None:
            roles["url"] = place
            guess.assumptions.append(sentence("search_events.page", column=guess.names[place][:40]))
    return roles


def _asks_for_events(guess: DetectedFormat, roles: Mapping[str, int], options: ReadOptions) -> bool:
    """Whether nobody says which rows are searches, or which results were clicked: a problem."""
    if not roles.keys() >= REQUIRED or EVENT in roles:
        return False
    values_of_columns = columns_of(guess.rows, len(guess.names))
    if column := find_coded_events(guess.names, values_of_columns, roles):
        guess.problems.append(sentence("search_events.coded", column=column[:40]))
        return True
    if column := _find_repetitions(guess.names, values_of_columns, roles):
        guess.problems.append(sentence("search_events.repeated", column=column[:40]))
        return True
    if "url" not in roles or "url" in options.columns:
        return False
    places = [roles.get(role, -1) for role in ("user", "query", "time", "rank", "url")]
    rows = [row for row in guess.rows if len(row) == len(guess.names)]
    values = [without_missing([row[p] if p >= 0 else "" for p in places]) for row in rows]
    columns = [*map(without_missing, values_of_columns)]
    used_places = [*roles.values()]
    if lists_results(values) or leaves_clicks_open(guess.names, columns, used_places, roles["url"]):
        guess.problems.append(sentence("search_events.listed"))
    return bool(guess.problems)


def _find_repetitions(
    names: Sequence[str], columns: Sequence[Sequence[str]], roles: Mapping[str, int]
) -> str:
    """A column that says how often a user issued a query on a day; "" if none.

    Times are days then, and no row is there twice.
    """
    rows = [*zip(*(columns[roles[role]] for role in ("user", "query", "time")), strict=True)]
    if len({*rows}) < len(rows) or guess_time(columns[roles["time"]]) not in DATES:
        return ""
    for place, (name, values) in enumerate(zip(names, columns, strict=True)):
        counts = {int(value) for value in values if value.isdecimal()}
        is_count = len(counts) > 1 and min(counts) > 0 and all(map(str.isdecimal, values))
        if is_count and place not in roles.values() and _REPETITIONS.fullmatch(name):
            return name
    return ""


def _known_shape(body: Rows, guess: DetectedFormat, kind: str) -> tuple[str, dict[str, int]]:
    """Of rows without a header Excite's and AOL's by their contents, else a guess by column."""
    columns = columns_of(body, len(guess.names))
    is_bare = guess.options.delimiter == "\t" and guess.options.format == "auto"
    if is_bare := is_bare and len(columns) in (3, 5):
        ids = columns[0]  # none are what people typed, or numbers of rows
        doubt = user_ids.doubt_counts(len({*ids}), len(ids))
        is_bare = doubt != user_ids.NUMBERING and not any(" " in id_.strip() for id_ in ids)
    queries = columns[{3: 2, 5: 1}[len(columns)]] if is_bare else []
    if is_bare and not are_addresses(queries) and not is_no_query(queries):
        if len(columns) == 3 and guess_time(columns[1]) == EXCITE_TIME:
            return "excite", dict(zip(EXCITE_ROLES, range(3), strict=True))
        ranks = [value for value in columns[3] if value] if len(columns) == 5 else ["no"]
        if all(map(str.isdecimal, ranks)) and share_of(columns[2], "iso") >= SHARE:
            guess.assumptions.append("without a header, the columns are taken for AOL's")
            guess.names = AOL_NAMES
            return "aol", dict(zip(AOL_ROLES, range(5), strict=True))
    return kind, guess_roles((), body, len(guess.names), guess.assumptions, {})


def is_aol_header(row: Sequence[str]) -> bool:
    """Whether a row is AOL's header in any order, with or without the columns that may follow."""
    plain = [name.strip().lower() for name in row]
    required = {name.lower() for name in AOL_NAMES}
    extra = {name.lower() for name in column_mapping.EXTRA_NAMES}
    return required <= set(plain) <= required | extra and len(set(plain)) == len(plain)


def _guess_delimiter(lines: Sequence[str]) -> str:
    scores: dict[str, float] = {}
    for delimiter in DELIMITERS:
        quoting = delimiter != "\t" or are_fields_quoted(lines[:200])
        rows = _split_lines(lines[:200], delimiter, quoting)
        widths = Counter(map(len, rows))
        width, count = widths.most_common(1)[0] if widths else (0, 0)
        share = count / max(1, widths.total())
        is_of_names = width >= 3 and len(rows[0]) == width
        if is_of_names and share >= 0.9:
            return delimiter
        scores[delimiter] = share if width >= 3 else share * 0.1 * (width - 1)
        scores[delimiter] *= 1 if is_of_names else 0.5  # dates have commas, their heading has none
    return max(scores, key=scores.__getitem__)  # the first of several


def _split_lines(lines: Sequence[str], delimiter: str, quoting: bool) -> Rows:
    if not quoting:
        return [line.split(delimiter) for line in lines if line]
    rows: Rows = []
    blanks = re.compile(rf'("(?:[^"]|"")*")(?: +(?={re.escape(delimiter)}|$))?')  # behind quotes
    reader = csv.reader(
        ((blanks.sub(r"\1", line) if '" ' in line else line) + "\n" for line in lines),
        delimiter=delimiter,
        skipinitialspace=_are_fields_padded(lines, delimiter),
    )
    row: list[str] | None = []
    while row is not None:
        with suppress(csv.Error):
            row = next(reader, None)
            rows += [row] if row else []
    return rows


def _is_aggregated(guess: DetectedFormat, roles: Mapping[str, int]) -> bool:
    """Whether rows are queries with a count each and no column can be the user.

    Each query stands there once, or once a day, or beside both its impressions and its clicks, or
    its click-through rate. Beside a query without a usual name all other columns are numbers.
    """
    if not guess.rows:
        return False
    names = [name.lower() for name in guess.names]
    columns = columns_of(guess.rows, len(names))
    counts = [names[place] for place in list_counts(names, columns)]
    signs = ("impression", r"^[ck]lic?ks$")
    if "ctr" in names or all(any(re.search(sign, name) for name in counts) for sign in signs):
        return True
    if "query" not in roles:
        texts = [p for p, values in enumerate(columns) if not all(map(_NUMBER.fullmatch, values))]
        if len(texts) != 1 or not may_be_query(columns[texts[0]]):
            return False
        roles = {**roles, "query": texts[0]}
    days = columns[roles["time"]] if "time" in roles else [""] * len(columns[0])
    cells = [cell for cell in zip(columns[roles["query"]], days, strict=True) if cell[0]]
    dated = "time" not in roles or guess_time(days) in DATES
    return bool(counts) and dated and len(set(cells)) == len(cells)


def list_counts(names: Sequence[str], columns: Sequence[Sequence[str]]) -> list[int]:
    """The columns that say how often, those of searches first; `columns` are their first values."""
    pairs = enumerate(zip(names, columns, strict=True))
    places = [place for place, (name, values) in pairs if _is_count(name, values)]
    kinds = ("impression", r"search|count|anzahl|frequen|volume|hits", "")
    return sorted(
        places,
        key=lambda i: next(n for n, kind in enumerate(kinds) if re.search(kind, names[i], re.I)),
    )


def _is_count(name: str, values: Sequence[str]) -> bool:
    digits = (re.fullmatch(r"\d[\d.,\s]*", value) for value in values)
    return _COUNT.search(name) is not None and all(digits)


def _time_of(guess: DetectedFormat, roles: Mapping[str, int]) -> str | None:
    if "time" not in roles:
        if AGGREGATED in guess.problems:
            return None
        likely = describe_suggestions(("time",), guess.names, set(roles.values()))
        missing = "No column could be taken for the time. Every row needs one, if only its day."
        guess.problems.append(join_phrases(" ", filter(None, (missing, likely))))
        return None
    values = columns_of(guess.rows, len(guess.names))[roles["time"]]
    form = guess_time(values)
    filled = [value for value in values if value]
    if form is None and filled and all(is_time(value, "excel") for value in filled):
        form = "excel"
    if form is None:
        if any(values):
            problem = "How times are written could not be guessed: give the time format."
        elif len(guess.rows) > len(values):
            problem = "No row has as many columns as the header: check the delimiter and quotes."
        elif guess.rows:
            problem = "No row has a time. Every row needs one, if only its day."
        else:
            problem = sentence("reader.no_row")
        guess.problems.append(problem)
        return None
    guess.assumptions.append(phrase("times are read as {form}", form=as_phrase(form)))
    guess.other_time = swap_days(values, form)
    return form


def _has_header(rows: Rows, width: int) -> bool:
    if not rows:
        return False
    names = [column_names.role_of(name) for name in rows[0]]
    if len({name for name in names if name}) >= 2:
        return True
    columns = columns_of(rows[1:], width)
    if columns and columns[0] and any(map(_is_count, rows[0], columns)):
        return True
    for place, values in enumerate(columns):
        form = guess_time(values)
        if form is not None:
            return place < len(rows[0]) and not is_time(rows[0][place], form)
    return False


def settle_user(
    guess: DetectedFormat, roles: dict[str, int], *, named_by_person: bool, format: str = ""
) -> None:
    """Say whom the log protects and who said so; where nobody did, take no column for it.

    A column that the header calls the user, but whose values can hardly be persons, is taken out
    of `roles`: a person is asked.
    """
    width = len(guess.names)
    place = roles.get("user")
    if place is not None:
        by_format = format in OWN_USERS and place == 0
        choice: Choice = "format" if by_format else "person" if named_by_person else "header"
        values = [row[place] for row in guess.rows if len(row) == width]
        doubts = () if by_format else user_ids.doubts_of(guess.names[place], values)
        # That one value, few, or none twice stand at the beginning may be the order of the rows.
        no_persons = {user_ids.FLAGS, user_ids.DATED} & {*doubts}
        if choice != "header" or len(values) < user_ids.MIN_ROWS or not no_persons:
            other_doubts = tuple(doubt for doubt in doubts if doubt not in user_ids.COUNT_DOUBTS)
            guess.user = UserColumn(guess.names[place][:80], choice, other_doubts)
            return
        del roles["user"]
    if _is_aggregated(guess, roles):
        guess.problems.append(AGGREGATED)
        return
    guess.candidates = user_ids.candidates_of(guess.names, guess.rows, roles, width)
    guess.problems.append(user_ids.QUESTION)


def _check_complete(roles: Mapping[str, int], guess: DetectedFormat) -> bool:
    # Of the user `settle_user` has said more.
    required = [role for role in column_mapping.REQUIRED if role != "user"]
    missing = [role for role in required if role not in roles]
    if missing:
        listed = ", the ".join(missing)
        likely = describe_suggestions(missing, guess.names, set(roles.values()))
        problem = sentence("format_detection.column_said_looks_like", listed=listed)
        guess.problems.append(join_phrases(" ", filter(None, (problem, likely))))
    return not missing and "user" in roles
