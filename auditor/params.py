"""Parameters declared once: type and default in Python, words and bounds as data.

From one declaration come the slider panel, the command line's flags, validation, and the
reference page. Nothing mirrors a parameter a second time::

    @dataclass(frozen=True, kw_only=True)
    class OurParams(Params, owner="our-method"):
        q_f: int = 40

    # resources/parameters/our-method.toml, or shared.toml for what all of that name have in common
    [q_f]
    label = "Queries kept per user"
    low = 1

A plug-in, which has no such file, says all of it beside the field: `integer`, `real`, `choice`,
`flag`, `path`.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import math
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal, Required, Self, TypedDict, Unpack

from auditor.errors import ParameterError
from auditor.messages import as_phrase, phrase
from auditor.resource_files import resource_text

SECRET_NAME = re.compile(r"(^|_)(seed|key|salt|secret|password|token)$", re.IGNORECASE)
"""Names of what is never published."""

Closed = Literal["both", "left", "right", "neither"]
Scale = Literal["linear", "log"]


class ParamKind(enum.Enum):
    """What a parameter holds, and so which widget and which flag it gets."""

    INTEGER = "integer"
    REAL = "real"
    CHOICE = "choice"
    FLAG = "flag"
    PATH = "path"


@dataclass(frozen=True)
class ParamInterval:
    """A range with open or closed ends; prints as mathematicians write it."""

    low: float
    high: float
    closed: Closed = "both"

    def __contains__(self, value: float) -> bool:
        above = value >= self.low if self.closed in ("both", "left") else value > self.low
        below = value <= self.high if self.closed in ("both", "right") else value < self.high
        return above and below

    def __str__(self) -> str:
        left = "[" if self.closed in ("both", "left") else "("
        right = "]" if self.closed in ("both", "right") else ")"
        low, high = (
            f"{end:g}" if float(f"{end:g}") == end else f"{end:.0f}"
            for end in (self.low, self.high)
        )
        return f"{left}{low}, {high}{right}"


@dataclass(frozen=True)
class ParamOption:
    """One value of a choice: what is stored, what people read, what it does to whom."""

    value: str
    label: str
    help: str = ""
    slow: bool = False
    """Whether it takes far longer on a large log than the others do."""


@dataclass(frozen=True)
class ParamSpec:
    """All that is known of one parameter."""

    name: str
    kind: ParamKind
    default: Any
    label: str
    help: str
    unit: str = ""
    bounds: ParamInterval | None = None
    slider: tuple[float, float] | None = None
    scale: Scale = "linear"
    ends: tuple[str, str] = ("", "")
    options: tuple[ParamOption, ...] = ()
    optional: str = ""
    """For a value that may be None: what then happens, in words ("solved from δ")."""
    when: Mapping[str, tuple[Any, ...]] = dataclasses.field(default_factory=dict)
    """Other parameters' values under which this one matters; it is greyed elsewhere."""

    def validate(self, value: Any, owner: str) -> Any:
        """Return `value` in its own type; raise `ParameterError` naming what was wanted."""
        if value is None and self.optional:
            return None
        if self.kind is ParamKind.FLAG and isinstance(value, bool):
            return value
        if self.kind is ParamKind.PATH and isinstance(value, str | Path):
            return Path(value)
        if self.kind is ParamKind.CHOICE and value in [option.value for option in self.options]:
            return value
        if self.kind in (ParamKind.INTEGER, ParamKind.REAL):
            number = self._coerce_number(value)
            if number is not None and self.bounds is not None and number in self.bounds:
                return number
        raise ParameterError(
            self.name,
            phrase(
                "The '{name}' parameter of {owner} must be {wanted}. Got {value} instead.",
                name=self.name,
                owner=owner,
                wanted=as_phrase(self.requirement()),
                value=_format_value(value),
            ),
        )

    def parse(self, text: str, owner: str) -> Any:
        """Read a value as it is typed after ``-p name=``."""
        word = text.strip()
        if self.optional and word.lower() in ("", "none", "auto"):
            return None
        value: Any = word
        if self.kind is ParamKind.FLAG:
            value = _FLAGS.get(word.lower(), word)
        elif self.kind in (ParamKind.INTEGER, ParamKind.REAL):
            try:
                value = int(word)
            except ValueError:
                try:
                    value = float(word)
                except ValueError:
                    value = word
        return self.validate(value, owner)

    def requirement(self) -> str:
        """What a value must be, in words, for messages and the reference page."""
        match self.kind:
            case ParamKind.INTEGER:
                words = phrase("an integer in {bounds}", bounds=self.bounds)
            case ParamKind.REAL:
                words = phrase("a number in {bounds}", bounds=self.bounds)
            case ParamKind.CHOICE:
                words = phrase(
                    "one of {options}", options=", ".join(f"'{o.value}'" for o in self.options)
                )
            case ParamKind.FLAG:
                words = "true or false"
            case ParamKind.PATH:
                words = "the path of a file"
        return (
            phrase(
                "{words} or none ({optional})",
                words=as_phrase(words),
                optional=as_phrase(self.optional),
            )
            if self.optional
            else words
        )

    def _coerce_number(self, value: Any) -> int | float | None:
        value = value.item() if hasattr(value, "item") else value  # a NumPy scalar
        if isinstance(value, bool) or not isinstance(value, int | float):
            return None
        try:
            if not math.isfinite(value):
                return None
        except OverflowError:  # a whole number of hundreds of digits
            return None
        if self.kind is ParamKind.INTEGER:
            return int(value) if float(value).is_integer() else None
        return float(value)


_FLAGS = {"true": True, "yes": True, "on": True, "1": True}
_FLAGS |= {"false": False, "no": False, "off": False, "0": False}


def _format_value(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "…"


class FieldWords(TypedDict, total=False):
    """What `ParamSpec` says of a field beside its kind and its bounds."""

    label: Required[str]
    help: Required[str]
    unit: str
    scale: Scale
    ends: tuple[str, str]
    optional: str
    when: Mapping[str, tuple[Any, ...]]


def _make_field(kind: ParamKind, default: Any, words: FieldWords, **facts: Any) -> Any:
    spec = ParamSpec(name="", kind=kind, default=default, **facts, **words)
    return dataclasses.field(default=default, metadata={"spec": spec})


def integer(
    default: int | None,
    low: int,
    high: int,
    *,
    slider: tuple[int, int] | None = None,
    **words: Unpack[FieldWords],
) -> Any:
    """A whole number in [low, high]; `slider` is the part of it that the slider spans."""
    bounds, span = ParamInterval(low, high), slider or (low, high)
    return _make_field(ParamKind.INTEGER, default, words, bounds=bounds, slider=span)


def real(
    default: float | None,
    low: float,
    high: float,
    *,
    closed: Closed = "both",
    slider: tuple[float, float] | None = None,
    **words: Unpack[FieldWords],
) -> Any:
    """A finite number between `low` and `high`, whose ends `closed` includes."""
    bounds, span = ParamInterval(low, high, closed), slider or (low, high)
    return _make_field(ParamKind.REAL, default, words, bounds=bounds, slider=span)


def choice(default: str, options: Iterable[ParamOption], **words: Unpack[FieldWords]) -> Any:
    """One of a few named values."""
    return _make_field(ParamKind.CHOICE, default, words, options=tuple(options))


def flag(default: bool, **words: Unpack[FieldWords]) -> Any:
    """Yes or no."""
    return _make_field(ParamKind.FLAG, default, words)


def path(**words: Unpack[FieldWords]) -> Any:
    """A file to read, or none."""
    return _make_field(ParamKind.PATH, None, {"optional": "not used", **words})


_KINDS = {
    "int": ParamKind.INTEGER,
    "float": ParamKind.REAL,
    "str": ParamKind.CHOICE,
    "bool": ParamKind.FLAG,
    "Path": ParamKind.PATH,
}


@functools.cache
def _read_words(file: str) -> dict[str, dict[str, Any]]:
    """What ``resources/parameters`` says of the fields of one class, or of all of that name."""
    return tomllib.loads(resource_text(f"parameters/{file}.toml"))


def _find_spec(cls: type[Params], field: dataclasses.Field[Any]) -> ParamSpec:
    """What is known of a field; raises KeyError if neither it nor a file says so."""
    name = field.name
    inline: ParamSpec | None = field.metadata.get("spec")
    if inline is not None:
        return dataclasses.replace(inline, name=name)
    declared = next(base for base in cls.__mro__ if name in vars(base).get("__annotations__", {}))
    words = _read_words("shared").get(name, {}) | _read_words(vars(declared)["_file"]).get(name, {})
    # The field's type, or its name where the module postpones annotations.
    type_name = field.type.__name__ if isinstance(field.type, type) else str(field.type)
    kind = _KINDS[type_name.partition(" |")[0].rpartition(".")[2]]
    bounds = None
    if "low" in words:
        bounds = ParamInterval(words["low"], words["high"], words.get("closed", "both"))
        words = {"slider": (bounds.low, bounds.high)} | words
    return ParamSpec(
        name=name,
        kind=kind,
        default=field.default,
        label=words["label"],
        help=words["help"],
        unit=words.get("unit", ""),
        bounds=bounds,
        slider=tuple(words["slider"]) if bounds else None,
        scale=words.get("scale", "linear"),
        ends=tuple(words.get("ends", ("", ""))),
        options=tuple(ParamOption(**{"label": "", **item}) for item in words.get("options", ())),
        optional=words.get("optional", "not used" if kind is ParamKind.PATH else ""),
        when={other: tuple(values) for other, values in words.get("when", {}).items()},
    )


@dataclass(frozen=True, kw_only=True)
class Params:
    """Base of every method's, attack's and measure's parameters: frozen and always valid.

    Words and bounds of fields that don't bring theirs stand in ``resources/parameters``, in the
    file that is called as `words` says, or else as the owner.
    """

    owner: ClassVar[str] = "params"
    _file: ClassVar[str] = ""

    def __init_subclass__(cls, *, owner: str = "", words: str = "", **options: Any) -> None:
        super().__init_subclass__(**options)
        if owner:
            cls.owner = owner
        cls._file = words or owner
        cls.__repr__ = Params.__repr__  # type: ignore[method-assign]  # a dataclass makes its own

    def __post_init__(self) -> None:
        for spec in self.specs():
            value = spec.validate(getattr(self, spec.name), self.owner)
            object.__setattr__(self, spec.name, value)
        self.check()

    def check(self) -> None:
        """Override to refuse combinations; raise `ParameterError`."""

    @classmethod
    @functools.cache
    def specs(cls) -> tuple[ParamSpec, ...]:
        """The parameters in the order in which they are declared."""
        return tuple(_find_spec(cls, field) for field in dataclasses.fields(cls))

    @classmethod
    def spec(cls, name: str) -> ParamSpec:
        """The parameter called `name`; raises `ParameterError` if there is none."""
        for spec in cls.specs():
            if name == spec.name:
                return spec
        from auditor.fuzzy_search import did_you_mean

        names = [spec.name for spec in cls.specs()]
        hint = did_you_mean(name[:80], names)
        raise ParameterError(
            name,
            phrase(
                "{owner} has no parameter '{name}'.{meant} It has: {names}.",
                owner=cls.owner,
                name=_format_value(name)[1:-1],
                meant=hint,
                names=", ".join(names) or "none",
            ),
        )

    @classmethod
    def parse(cls, values: Mapping[str, str]) -> Self:
        """Make parameters from text, as the command line and project files give it."""
        return cls(**{n: cls.spec(n).parse(value, cls.owner) for n, value in values.items()})

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Self:
        """Make parameters from stored values.

        Raises `ParameterError` for a value or a name that the parameters can't have, and TypeError
        or ValueError for values that stand under no names.
        """
        return cls(**{cls.spec(name).name: value for name, value in dict(values).items()})

    def __repr__(self) -> str:
        """What is not the default, as code."""
        changes = (
            f"{spec.name}={getattr(self, spec.name)!r}"
            for spec in self.specs()
            if getattr(self, spec.name) != spec.default
        )
        return f"{type(self).__name__.removesuffix('Params')}({', '.join(changes)})"

    @classmethod
    def document(cls) -> None:
        """Put all parameters into the documentation of the class, as NumPy's style has it."""
        if "Parameters\n" in (cls.__doc__ or ""):
            return
        lines = [cls.__doc__ or "", "", "Parameters", "----------"]
        for spec in cls.specs():
            kind = " : ".join((spec.name, spec.requirement()))
            lines += [", default ".join((kind, repr(spec.default)))]
            lines += ["    " + ". ".join((spec.label, spec.help))]
            for item in spec.options:
                lines += ["    " + ": ".join((item.value, ". ".join((item.label, item.help))))]
        cls.__doc__ = "\n".join(lines)

    def get_params(self) -> dict[str, Any]:
        """All values by name, as scikit-learn has them."""
        return {spec.name: getattr(self, spec.name) for spec in self.specs()}

    def clone(self, **changes: Any) -> Self:
        """A copy, with some values changed."""
        return self.replace(**changes)

    def replace(self, **changes: Any) -> Self:
        """A copy with some values changed, validated anew."""
        for name in changes:
            self.spec(name)
        return dataclasses.replace(self, **changes)

    def matters(self, name: str) -> bool:
        """Whether the parameter has any effect under the other values chosen."""
        return all(getattr(self, key) in values for key, values in self.spec(name).when.items())

    def quicker(self) -> dict[str, str]:
        """Values to change for a faster run: of each slow choice the first that isn't slow."""
        return {
            spec.name: next(option.value for option in spec.options if not option.slow)
            for spec in self.specs()
            if self.matters(spec.name)
            and any(o.slow and o.value == getattr(self, spec.name) for o in spec.options)
        }

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; a path becomes its text, None stays out if it is the default."""
        values = ((spec, getattr(self, spec.name)) for spec in self.specs())
        return {
            spec.name: str(value) if isinstance(value, Path) else value
            for spec, value in values
            if value is not None or spec.default is not None
        }

    def to_public(self) -> dict[str, Any]:
        """What may be published of them: files by name alone, and nothing that is secret."""
        values = ((spec, getattr(self, spec.name)) for spec in self.specs())
        return {
            spec.name: Path(value).name if spec.kind is ParamKind.PATH else value
            for spec, value in values
            if (value is not None or spec.default is not None) and not SECRET_NAME.search(spec.name)
        }

    @classmethod
    def list_secrets(cls) -> list[str]:
        """The names of parameters that are never published."""
        return [spec.name for spec in cls.specs() if SECRET_NAME.search(spec.name)]
