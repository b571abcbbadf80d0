"""Numbers, cells and keys as people read them in a report."""

import math
import re
from collections.abc import Mapping
from typing import Any

from auditor.figures import SHARE, MetricValue, format_power, format_share, name_unit, share_in_cell
from auditor.log.sentences import sentence
from auditor.messages import NumberText, as_phrase, phrase


def format_number(value: float | None) -> str:
    """Four significant digits, thousands set apart, tiny and huge ones as powers of ten."""
    if value is None or math.isnan(value):
        return phrase("not known")
    if math.isinf(value):
        return phrase("unbounded" if value > 0 else "−unbounded")
    if float(value).is_integer() and abs(value) < 1e12:
        return NumberText(f"{int(value):,}".replace("-", "−"))
    if 1e-3 <= abs(value) < 1e9:
        digits = max(0, 3 - math.floor(math.log10(abs(value))))
        text = f"{value:,.{digits}f}"
        text = text.rstrip("0").rstrip(".") if "." in text else text
        return NumberText(text.replace("-", "−"))
    return format_power(value, 3)


def words_of(name: str) -> str:
    """A key as words: "queries_dropped" as "Queries dropped"; a symbol such as K_c stays."""
    if re.fullmatch(r"[A-Za-z](_\w{1,2})?", name):
        return name
    text = name.replace("_", " ").replace(".", ": ").strip()
    return text[:1].upper() + text[1:]


def format_measured(value: MetricValue) -> str:
    """A figure with its unit and its 95 % interval."""
    share = value.unit == SHARE
    show = format_share if share else format_number
    text = show(value.value)
    if value.unit and not share:
        unit = name_unit(value.value, value.unit)
        text = phrase("{shown}\u00a0{unit}", shown=text, unit=as_phrase(unit))
    if value.interval is None:
        return text
    return sentence(
        "report.measured",
        shown=text,
        interval=show(value.interval[0]),
        value_interval=show(value.interval[1]),
    )


def format_scalar(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value


def cell_text(value: Any, unit: str = "") -> str:
    """A cell of a table; a number by its column's unit."""
    value = format_scalar(value)
    if (share := share_in_cell(value, unit)) is not None:
        return format_share(share)
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return format_number(value)
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {cell_text(item)}" for name, item in value.items())
    return str(value)
