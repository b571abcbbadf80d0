"""Numbers and times as people read them; one way throughout the window."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import Any, Literal

from PySide6.QtCore import QCoreApplication

from auditor.figures import SHARE, MetricValue, format_power, format_share, name_unit, share_in_cell
from auditor.gui.app import translation
from auditor.gui.app.translation import localize_number, tr, translate_text
from auditor.log import escaping
from auditor.params import ParamKind, Params, ParamSpec
from auditor.privacy.statement import Statement
from auditor.release.kept_content import KeptContent
from auditor.release.verdict import ReleaseVerdict

BETTER = translation.read_words("better")
"""Which way is better, in words."""


def format_number(value: float) -> str:
    """Three significant digits, thousands set apart, tiny and huge ones as a power of ten."""
    if math.isnan(value):
        return tr("not known")
    if math.isinf(value):
        return tr("unbounded") if value > 0 else tr("−unbounded")
    if float(value).is_integer() and abs(value) < 1e9:
        return format_count(int(value)).replace("-", "−")
    size = abs(value)
    if size >= 1e9 or size < 1e-3:
        return localize_number(format_power(value))
    places = max(0, 2 - math.floor(math.log10(size)))
    text = f"{value:,.{places}f}"
    short = text.rstrip("0").rstrip(".") if "." in text else text
    return localize_number(short.replace("-", "−"))


def capitalize(text: str) -> str:
    """A text as it begins a line; ε stays small."""
    return text[:1].upper() + text[1:] if text[:1].isascii() else text


def format_count(number: int) -> str:
    """A whole number, thousands set apart."""
    return localize_number(f"{number:,}")


def format_fixed(value: float, places: int) -> str:
    """A number with so many places behind the point."""
    return localize_number(f"{value:,.{places}f}")


def format_digits(value: float, digits: int) -> str:
    """A number with at most so many significant digits."""
    text = f"{value:.{digits}g}"
    if "e" in text:
        text = f"{float(text):,.12g}" if abs(value) >= 1 else format_power(float(text))
    return localize_number(text)


def format_exactly(value: float) -> str:
    """Every digit of a number, for the tool tip of one that is shown with fewer."""
    if not math.isfinite(value):
        return format_number(value)
    return localize_number(f"{value:,.15g}".replace("-", "−"))


def format_percentage(value: float) -> str:
    """A part of a whole in per cent."""
    text = format_share(value)
    return localize_number(text) if text[0] in "−0123456789" else translate_text(text)


def format_quantity(value: float, unit: str) -> str:
    """A number with its unit in the window's language, kept on the same line."""
    if unit == SHARE:
        return format_percentage(value)
    unit = name_unit(value, translate_text(unit))
    return f"{format_number(value)}\u00a0{unit}" if unit else format_number(value)


def format_metric(value: MetricValue) -> str:
    """A figure of a result, with its 95 % interval where there is one."""
    text = format_quantity(value.value, value.unit)
    if value.interval is None:
        return text
    low, high = (format_without_unit(end, value.unit) for end in value.interval)
    return tr("{shown} ({low} to {high})").format(shown=text, low=low, high=high)


def format_without_unit(value: float, unit: str) -> str:
    """A number beside one that has the unit."""
    return format_percentage(value) if unit == SHARE else format_number(value)


def format_parameter(spec: ParamSpec, value: Any) -> str:
    """A parameter's value as lists and messages show it."""
    if value is None:
        return translate_text(spec.optional) or tr("none")
    if spec.kind is ParamKind.FLAG:
        return tr("yes") if value else tr("no")
    if spec.kind is ParamKind.CHOICE:
        return translate_text(next(o.label for o in spec.options if o.value == value))
    if spec.kind is ParamKind.PATH:
        return str(value.name)
    return format_quantity(value, spec.unit)


def format_for_field(spec: ParamSpec, value: Any) -> str:
    """A number as it stands in its field: exact, and readable back by `ParamSpec.parse`."""
    if value is None:
        return ""
    return str(value) if spec.kind is ParamKind.INTEGER else localize_number(f"{value:.12g}")


def brief_parameters(params: Params) -> str:
    """The parameters that differ from the defaults and matter: ``K=50, Release clicks: no``."""
    parts = []
    for spec in params.specs():
        value = getattr(params, spec.name)
        if value == spec.default or not params.matters(spec.name):
            continue
        if spec.kind in (ParamKind.INTEGER, ParamKind.REAL) and value is not None:
            parts.append(f"{spec.name}=" + (f"{value:g}" if abs(value) < 1e6 else f"{value:.3g}"))
        else:
            parts.append(f"{translate_text(spec.label)}: {format_parameter(spec, value)}")
    return ", ".join(parts) or tr("defaults")


def format_day(seconds: int) -> str:
    try:
        return datetime.fromtimestamp(seconds, UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):
        return tr("outside the calendar")


def format_period(span: tuple[int, int] | None) -> str:
    if span is None:
        return tr("no rows")
    first, last = format_day(span[0]), format_day(span[1])
    return first if first == last else tr("{first} to {last}").format(first=first, last=last)


def format_time_left(seconds: float) -> str:
    """How long something will still take, roundly."""
    if seconds < 1:
        return tr("under 1 s left")
    if seconds < 90:
        return tr("about {seconds} s left").format(seconds=format_fixed(seconds, 0))
    return tr("about {seconds} min left").format(seconds=format_fixed(seconds / 60, 0))


def format_duration(seconds: float) -> str:
    """How long something takes, roundly."""
    if seconds < 90:
        return tr("{seconds} s").format(seconds=format_fixed(max(1.0, seconds), 0))
    if seconds < 5400:
        return tr("{minutes} min").format(minutes=format_fixed(seconds / 60, 0))
    return tr("{hours} h").format(hours=format_fixed(seconds / 3600, 1))


def format_large_count(number: int) -> str:
    """A count for the header: exact below a million, then in millions."""
    if number < 1_000_000:
        return format_count(number)
    return format_fixed(number / 1e6, 1) + tr("\u00a0M")


def format_cell(value: Any, unit: str = "") -> str:
    """A cell of a table in words; a number by its column's unit."""
    if (share := share_in_cell(value, unit)) is not None:
        return format_percentage(share)
    if value is None:
        return ""
    if isinstance(value, bool):
        return tr("yes") if value else tr("no")
    if isinstance(value, int):
        return format_count(value)
    if isinstance(value, float):
        return format_number(value)
    if isinstance(value, tuple | list):
        return tr(" to ").join(format_cell(part) for part in value)
    return escaping.printable_text(str(value))


def tone_of(verdict: ReleaseVerdict | None) -> Literal["good", "warn", "bad", "info"]:
    """The colour of an answer: green is a pass with no weak guarantee and nothing overridden."""
    if verdict is None or verdict.state.value == "not-checked":
        return "info"
    if not verdict.releasable:
        return "bad"
    return "good" if verdict.unreserved else "warn"


def list_assumptions(statement: Statement) -> list[tuple[str, str]]:
    """Status and words of each assumption, with its evidence; those that fail first."""
    order = "fails", "unknown", "holds"
    lines: list[tuple[str, str]] = []
    for assumption in sorted(statement.assumptions, key=lambda a: order.index(a.status)):
        evidence = f" ({translate_text(assumption.evidence)})" if assumption.evidence else ""
        lines.append((assumption.status, translate_text(assumption.text) + evidence))
    return lines


VERDICT_SIGNS = {
    "good": ("✓", "good"),
    "warn": ("!", "warn"),
    "bad": ("✗", "bad"),
    "info": ("?", "muted"),
}
"""By `tone_of` a verdict: its mark and its colour."""


def format_plural(number: int, singular: str, plural: str = "", *, large: bool = False) -> str:
    """ "1 session", "2,000 sessions", in the language's form of plural; `large` says millions."""
    plural_form = plural or singular + "s"
    noun = QCoreApplication.translate("Counted", plural_form, None, number)
    if noun == plural_form and number == 1:
        noun = singular
    count = format_large_count(number) if large else format_count(number)
    return f"{count} {noun}"


def list_verdict_texts(verdict: ReleaseVerdict) -> list[str]:
    """The cells that a table has of a verdict: the answer, the guarantee, what is kept."""
    mark, _ = VERDICT_SIGNS[tone_of(verdict)]
    answer = f"{mark} {translate_text(verdict.answer)}"
    if verdict.expected:
        answer += tr(" (expected)")
    return [answer, translate_text(verdict.guarantee.brief), say_kept(verdict.kept)]


def say_kept(content: KeptContent) -> str:
    """What is kept, as short as it can be said."""
    if content.ngrams is not None:
        parts = [] if content.words_share is None else [format_percentage(content.words_share)]
        parts.append(format_plural(round(content.ngrams), "n-gram"))
        return ", ".join(parts)
    parts = [] if content.share is None else [format_percentage(content.share)]
    if content.queries is not None:
        parts.append(format_plural(round(content.queries), "query", "queries"))
    return ", ".join(parts)


def say_worst(verdict: ReleaseVerdict) -> str:
    """The worst attack and whom it hits, as short as it can be said; empty if none was tried."""
    worst = verdict.worst
    if worst is None:
        return ""
    rate = format_percentage(worst.rate)
    if worst.counts is not None:
        hits, trials = worst.counts  # hits may be expected ones
        count = format_count(round(hits)) if hits == 0 or hits >= 1 else format_digits(hits, 2)
        rate = tr("{hits} of {trials}").format(hits=count, trials=format_count(int(trials)))
    return f"{rate} \u00b7 {translate_text(worst.title)}"


def name_column(name: str) -> str:
    """What a log's column is called; one beside it keeps the name that somebody gave it."""
    names = translation.read_words("columns")
    return tr(names[name]) if name in names else name
