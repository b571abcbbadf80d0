"""A policy: what a release has to meet, as a person writes it in a TOML file.

``resources/policies/default.toml`` explains the format. A policy that can't be read as meant is
refused whole: a gate that is silently left out would let something through.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import math
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from auditor.attacks.registry import ATTACKS
from auditor.attacks.risk.reasons import REASONS
from auditor.bounded_files import UnfitFile, parse_toml, read_bounded
from auditor.errors import ParameterError
from auditor.figures import ShortRepr, format_power, format_share
from auditor.log.escaping import printable_text, shorten_text
from auditor.log.sentences import sentence
from auditor.measures.registry import MEASURES
from auditor.messages import DisplayText, NumberText, as_phrase, join_phrases, phrase
from auditor.methods.noisy_counts.period_units import DAY, HISTORY, MONTH, WEEK
from auditor.methods.registry import METHODS
from auditor.params import ParamInterval
from auditor.release.guarantee import Strength
from auditor.resource_files import resource_path, resource_text

FORMAT = "auditor policy 1"
LARGEST = 1 << 20
SURVIVING = "sessions_surviving"
WORST = "worst"
"""In place of an attack's name: the worst of those that apply and ran."""
ATTESTED = "attested"
"""The scope of what a reviewer says of the contract with the recipient."""
WORST_FIGURES = ("rate", "lead", SURVIVING)
RAN = "ran"
FEW_QUERIES = 10
"""Distinct queries (or n-grams, where a release holds no queries) below which a release is as good
as empty, unless a policy says otherwise."""
NGRAM_FIGURES = ("ngrams", "words_share")
"""What is left in a release of n-grams, of which figures of queries say nothing."""

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_MEASURED = re.compile(r"statement\.measured\.\w+")
_FIGURE = re.compile(r"(attack|measure)\.([a-z0-9-]+)\.([\w.-]+)")
_SHARES = (
    "searches_share", "words_share", "rate", "lead", "lead_nearly", "control", "accuracy",
    "n_minus_one", "homogeneous",
)  # fmt: skip
_YES_OR_NO = ("formal", "refuted", RAN)
_KEYS = {"name", "title", "figure", "most", "least", "formula", "reasons", "why", "feedback"}
_TOP_KEYS = {"format", "name", "note", "unit", "requires", "limits", "gate"}
FORMULAS: Mapping[str, Callable[[float], float]] = {
    "advantage": lambda epsilon: bounded_advantage(epsilon, 0.0),
    "one-in": lambda count: 1.0 / count,
}
"""How a gate's limit may follow from one in the policy's table of limits; by name alone, equal."""
_FORMULA = re.compile(r"(?:([a-z-]+)\()?([a-z][a-z0-9_]*)\)?")
UNITS = (HISTORY, DAY, WEEK, MONTH)
"""What of one user a policy can count by."""


@dataclass(frozen=True)
class Gate:
    """One figure and its limits; `reasons` narrows which flagged sessions count."""

    name: str
    title: str
    figure: str
    most: float | None = None
    least: float | None = None
    reasons: tuple[str, ...] = ()
    why: str = ""
    # Whether signed dismissals and weights of rules lower a count of flagged sessions.
    feedback: bool = False
    formula: str = ""  # from which limit of the policy's table this one follows, and how

    @property
    def bounded_by_epsilon(self) -> bool:
        """Whether the limit is what ε allows, so that a guarantee bounds the figure by itself."""
        return self.formula.startswith("advantage(")

    @property
    def requirement(self) -> str:
        """The limits in words."""
        limits: list[DisplayText] = []
        if self.least is not None:
            least = as_phrase(self.show_limit(self.least))
            limits.append(phrase("at least {least}", least=least))
        if self.most is not None:
            limits.append(phrase("at most {most}", most=as_phrase(self.show_limit(self.most))))
        return join_phrases(" and ", limits)

    def show_limit(self, limit: float) -> DisplayText:
        """A limit of the figure as it was written; counts from a thousand on with separators.

        Of a share near 100 % with as many nines as it has.
        """
        if self.is_share and 0.9995 <= limit < 1:
            return NumberText(f"{100 * limit:.{math.ceil(-math.log10(100 - 100 * limit))}f} %")
        if self.is_share or self.is_strength:
            return self.show(limit)
        is_large = abs(limit) >= 1_000 and limit == round(limit) and abs(limit) < 1e15
        return NumberText(f"{limit:,.0f}" if is_large else f"{limit:g}")

    def show(self, value: float) -> DisplayText:
        """A value of the figure in words."""
        if self.is_strength:
            return Strength(min(max(round(value), 0), len(Strength) - 1)).word
        return format_share(value) if self.is_share else format_value(value)

    @property
    def is_strength(self) -> bool:
        return self.figure == "statement.strength"

    @property
    def takes_feedback(self) -> bool:
        """Whether the figure is a count that a steward's feedback may lower."""
        return self.figure.endswith(f".{SURVIVING}")

    @property
    def is_share(self) -> bool:
        """Whether the figure is a part of a whole."""
        return self.figure.rpartition(".")[2] in _SHARES

    @property
    def is_yes_or_no(self) -> bool:
        """Whether the figure is 1 or 0, and means yes or no."""
        return self.figure.rpartition(".")[2] in _YES_OR_NO

    def admits(self, value: float) -> bool:
        """Whether a figure is within the limits; nothing is within that is no number.

        A figure that is beyond its limit by rounding alone, as 0.55 − 0.5 is beyond 0.05, is at it.
        """
        if math.isnan(value):
            return False
        limits = [limit for limit in (self.least, self.most) if limit is not None]
        if any(math.isclose(value, limit, rel_tol=1e-9) for limit in limits):
            return True
        low = self.least is None or value >= self.least
        return low and (self.most is None or value <= self.most)

    def to_dict(self) -> dict[str, Any]:
        """The gate as a policy file has it; `policy_from` reads it."""
        plain: dict[str, Any] = {"name": self.name, "title": self.title, "figure": self.figure}
        plain |= {"most": self.most} if self.most is not None else {}
        plain |= {"least": self.least} if self.least is not None else {}
        plain |= {"formula": self.formula} if self.formula else {}
        plain |= {"reasons": list(self.reasons)} if self.reasons else {}
        plain |= {"feedback": True} if self.feedback else {}
        return plain | ({"why": self.why} if self.why else {})


@dataclass(frozen=True)
class Policy(ShortRepr):
    """The gates, and which file said so: its name within and its SHA-256."""

    name: str
    note: str
    gates: tuple[Gate, ...]
    sha256: str
    # Attacks that have to be tried on every release to which they apply.
    requires: tuple[str, ...] = ()
    unit: str = HISTORY  # of protection by which ε, δ and the strength of a guarantee are compared
    # Numbers from which gates' limits follow.
    limits: Mapping[str, float] = field(default_factory=dict)

    def describe(self) -> str:
        """Its name, and how many checks it makes."""
        return f"{self.name}, {len(self.checks):,} checks"

    @property
    def measurable(self) -> Policy:
        """The same without what a reviewer attests at the approval, for whoever looks before it."""
        gates = tuple(gate for gate in self.gates if not gate.figure.startswith("attested."))
        return self if len(gates) == len(self.gates) else replace(self, gates=gates)

    @property
    def checks(self) -> tuple[Gate, ...]:
        """The gates, one for every attack that is required, and one that asks for some content.

        No release that is as good as empty passes: where no gate limits ``release.queries``, one
        for `FEW_QUERIES` is added, and one for as many n-grams where none limits these.
        """
        gates = list(self.gates)
        for attack in self.requires:
            title = as_phrase(ATTACKS[attack].title)
            gates.append(
                Gate(
                    name=f"tried-{attack}",
                    title=phrase("The attack “{title}” was tried", title=title),
                    figure=f"attack.{attack}.{RAN}",
                    least=1,
                    why="The policy requires it: what nobody tried is not known to fail.",
                )
            )
        limited = {gate.figure for gate in self.gates}
        return (*gates, *(gate for gate in SOME_CONTENT if gate.figure not in limited))


SOME_CONTENT = (
    Gate(
        name="content",
        title="More than a few queries are left",
        figure="release.queries",
        least=FEW_QUERIES,
        why="A release in which next to nothing is left risks something and serves nobody.",
    ),
    Gate(
        name="ngram-content",
        title="More than a few n-grams are left",
        figure="release.ngrams",
        least=FEW_QUERIES,
        why="A release in which next to nothing is left risks something and serves nobody.",
    ),
)


@functools.cache
def gate_words(table: str) -> Mapping[str, Mapping[str, Any]]:
    """What is said of "metrics" of a release, "rates" of attacks, or what is "attested".

    "measured" has the names of what statements may say.
    """
    words: Mapping[str, Mapping[str, Any]]
    words = tomllib.loads(resource_text("metrics/gates.toml"))[table]
    return words


ANY = ParamInterval(-math.inf, math.inf, "neither")
_FROM_0 = ParamInterval(0, math.inf, "left")


@dataclass(frozen=True)
class GateMetric:
    """One figure that a gate can limit."""

    name: str
    meaning: str
    unit: str = ""
    bounds: ParamInterval = ANY
    is_count: bool = False  # whether it counts things
    runs: str = ""  # the attack or measure that has to run for it, with its title, or empty


def find_metric(name: str) -> GateMetric:
    """What is known of a figure; imports no attack and no measure but the one it names."""
    if (words := gate_words("metrics").get(name)) is not None:
        return _make_metric(name, words["help"], words)
    scope, _, local_name = name.partition(".")
    if scope == ATTESTED:
        words = gate_words(ATTESTED)[local_name]
        kind, options = words["kind"], words.get("options", ())
        upper_bound = {"text": 1.0, "flag": 1.0, "choice": len(options)}.get(kind)
        bounds = _FROM_0 if upper_bound is None else ParamInterval(0, upper_bound, "both")
        unit = words.get("unit", "years" if kind == "day" else "")
        meaning = sentence("policy.attested", help=words["help"])
        return GateMetric(name, meaning, unit, bounds, is_count=kind != "day")
    check, _, figure_name = local_name.partition(".")
    words_of_figure = as_phrase(_split_name(figure_name))
    if scope == "statement":
        return GateMetric(name, sentence("policy.statement_number", rest=words_of_figure))
    if scope == "attack" and check == WORST:
        if figure_name == SURVIVING:
            meaning = sentence("policy.surviving_of_worst")
            return GateMetric(name, meaning, "sessions", _FROM_0, True)
        words = gate_words("rates")[figure_name]
        meaning = phrase("{meaning}, of the worst attack that applies.", meaning=words["help"])
        return _make_metric(name, meaning, words)
    if scope == "attack" and check in ATTACKS:
        return _of_attack(name, check, figure_name)
    if scope == "measure" and check in MEASURES:
        title = as_phrase(MEASURES[check].title)
        meaning = phrase("{title}: {what}.", title=title, what=words_of_figure)
        return GateMetric(name, meaning, runs=phrase("{title} ({check})", title=title, check=check))
    return GateMetric(name, phrase("The metric “{name}”.", name=as_phrase(_split_name(name))))


def _of_attack(name: str, check: str, figure_name: str) -> GateMetric:
    title = ATTACKS[check].title
    runs = phrase("{title} ({check})", title=as_phrase(title), check=check)
    if figure_name == SURVIVING:
        meaning = sentence("policy.flagged_sessions", title=title)
        return GateMetric(name, meaning, "sessions", _FROM_0, True, runs)
    if (words := gate_words("rates").get(figure_name)) is not None:
        lower = words["help"][:1].lower() + words["help"][1:]
        meaning = sentence("policy.of_attack", title=title, lower=lower)
        return _make_metric(name, meaning, words, runs)
    what = as_phrase(_split_name(figure_name))
    meaning = phrase("{title}: {what}.", title=as_phrase(title), what=what)
    bounds = ParamInterval(-1, 1, "both") if figure_name in _SHARES else ANY
    return GateMetric(name, meaning, bounds=bounds, runs=runs)


def _make_metric(name: str, meaning: str, words: Mapping[str, Any], runs: str = "") -> GateMetric:
    low, high = words["bounds"]
    bounds = ParamInterval(low, high, "both" if math.isfinite(high) else "left")
    unit = words.get("counts", words.get("unit", ""))
    return GateMetric(name, meaning, unit, bounds, "counts" in words or "whole" in words, runs)


def find_complaint(gate: Gate) -> str:
    """What is wrong with a gate's limits, naming the key; empty if nothing is."""
    metric = find_metric(gate.figure)
    for key, value in (("least", gate.least), ("most", gate.most)):
        if value is None:
            continue
        if value not in metric.bounds:
            return sentence("policy.number_bounds", name=gate.name, key=key, bounds=metric.bounds)
        if metric.is_count and not float(value).is_integer():
            return phrase("{name}.{key} must be a whole number.", name=gate.name, key=key)
    if gate.least is None and gate.most is None:
        return phrase("{name} needs 'least' or 'most'.", name=gate.name)
    if gate.least is not None and gate.most is not None and gate.least > gate.most:
        return phrase("{name}.least must not be above {name}.most.", name=gate.name)
    return ""


def _split_name(name: str) -> str:
    return re.sub(r"[_.-]+", " ", name)


def default_policy() -> Policy:
    """The policy that comes with the program."""
    return read_policy(resource_path("policies/default.toml"))


def read_policy(path: Path) -> Policy:
    """A policy from its file; raises `ParameterError` saying what is wrong and in which gate.

    The bundled ones go by their names alone, too: "public", where no file is called so.
    """
    if path.name != str(path) or path.suffix or path.exists():
        return parse_policy(_read_file(path))
    bundled = bundled_files()
    if str(path) not in bundled:
        names = ", ".join(bundled)
        raise _make_error(phrase("is neither a file nor one of the bundled: {names}", names=names))
    return parse_policy(_read_file(bundled[str(path)]))


def read_policy_text(path: Path) -> str:
    """What stands in a file that was found to hold a policy; raises as `read_policy` does."""
    data = _read_file(path)
    parse_policy(data)
    return data.decode("utf-8-sig")


def _read_file(path: Path) -> bytes:
    try:
        return read_bounded(path, LARGEST)
    except UnfitFile as error:
        raise _make_error(phrase("can't be read: it is {error}", error=error.reason)) from None


def bundled_files() -> dict[str, Path]:
    """The files of the policies that come with the program, by the name that stands for each."""
    return {file.stem: file for file in sorted(resource_path("policies").glob("*.toml"))}


def read_bundled() -> dict[str, Policy]:
    """The policies that come with the program, by the name that stands for each."""
    return {name: read_policy(file) for name, file in bundled_files().items()}


def gate_catalogue() -> list[Gate]:
    """Every gate that there could be: those of the policies here, then one for each other figure.

    The latter have no limit yet; loads every attack, for its title.
    """
    gates = [gate for policy in read_bundled().values() for gate in policy.gates]
    used_figures = {gate.figure for gate in gates}
    contract = (f"{ATTESTED}.{name}" for name in gate_words(ATTESTED))
    rates = (f"attack.{attack}.rate" for attack in ATTACKS)
    for name in (*gate_words("metrics"), *contract, *rates):
        if name not in used_figures:
            title = find_metric(name).meaning.rstrip(".")
            gates.append(Gate(re.sub(r"[^a-z0-9]+", "-", name), title, name))
    return gates


def bundled_text(name: str) -> str:
    """What stands in the file of a policy that comes with the program."""
    path = bundled_files().get(name.removesuffix(".toml"))
    if path is None:
        raise ParameterError("policy", "No policy of that name comes with the program.")
    return _read_file(path).decode("utf-8")


def load_policy(policy: Policy | Path | str | None) -> Policy:
    """A policy as it is given from Python: itself, its file, or the bundled one for None."""
    if policy is None:
        return default_policy()
    return policy if isinstance(policy, Policy) else read_policy(Path(policy))


def parse_policy(data: bytes) -> Policy:
    """A policy from what stands in its file; raises as `read_policy` does.

    A limit that no value of its figure can have, and a number that no statement has, are refused
    here alone, and not in a manifest.
    """
    if len(data) > LARGEST:
        raise _make_error(phrase("is larger than {largest} MB", largest=LARGEST >> 20))
    try:
        plain = parse_toml(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise _make_error("is no TOML: it is not UTF-8 text") from None
    except UnfitFile as error:
        raise _make_error(phrase("is {error}", error=error.reason)) from None
    policy = _build_policy(plain, hashlib.sha256(data).hexdigest())
    for gate in policy.gates:
        if wrong := find_complaint(gate):
            raise ParameterError("policy", wrong)
        name = gate.figure.rpartition(".")[2]
        is_number = _MEASURED.fullmatch(gate.figure) and not METHODS.plugins  # which may state any
        if is_number and name not in gate_words("measured")["names"]:
            raise _make_no_metric(gate.figure, f", gate '{gate.name}'")
    return policy


def policy_from(facts: Mapping[str, Any]) -> Policy:
    """The policy that a manifest's gates were judged by; raises as `read_policy` does."""
    plain = {
        "format": FORMAT,
        "name": facts.get("policy", ""),
        "note": facts.get("note", ""),
        "unit": facts.get("unit", HISTORY),
        "requires": facts.get("requires", []),
        "gate": facts.get("rules"),
    }
    return _build_policy(plain, str(facts.get("sha256", "")))


def _build_policy(plain: Mapping[str, Any], sha256: str) -> Policy:
    if plain.get("format") != FORMAT:
        raise _make_error(phrase('does not say format = "{format}"', format=FORMAT))
    _refuse_unknown(plain, _TOP_KEYS, "")
    listed = plain.get("gate")
    if not isinstance(listed, list) or not listed or not all(isinstance(g, dict) for g in listed):
        raise _make_error("has no [[gate]]")
    if not isinstance(table := plain.get("limits", {}), Mapping):
        raise _make_error("needs a table of numbers as limits")
    limits = {}  # from which those of gates follow
    for name in table:
        value = _read_number(table, name, "")
        if _FORMULA.fullmatch(name) is None or value is None:
            raise _make_error("needs names of small letters and finite numbers in limits")
        limits[name] = value
    gates = tuple(_build_gate(entry, number, limits) for number, entry in enumerate(listed, 1))
    names = [gate.name for gate in gates]
    if repeated := {name for name in names if names.count(name) > 1}:
        raise _make_error(phrase("has more than one gate '{twice}'", twice=min(repeated)))
    required = _read_texts(plain, "requires", "needs a list of names of attacks as requires")
    requires = tuple(dict.fromkeys(required))
    for name in requires:
        if name not in ATTACKS:
            raise _make_error(sentence("policy.unknown_attack", name=shorten_text(name)))
    clash = {f"tried-{name}" for name in requires} | {gate.name for gate in SOME_CONTENT}
    if clashes := clash.intersection(names):
        raise _make_error(sentence("policy.gate_name_taken", taken=min(clashes)))
    unit = plain.get("unit", HISTORY)
    if unit not in UNITS:
        raise _make_error(phrase("needs one of these as unit: {units}", units=", ".join(UNITS)))
    name, note = _read_text(plain, "name", ""), _read_text(plain, "note", "")
    return Policy(name, note, gates, sha256, requires, unit, limits)


def apply_formula(formula: str, limits: Mapping[str, float]) -> float:
    """The limit that follows from the table by a formula; raises ValueError where none does."""
    parts = _FORMULA.fullmatch(formula)
    if parts is None or ("(" in formula) != formula.endswith(")") or parts[2] not in limits:
        raise ValueError(formula)
    base = limits[parts[2]]
    if parts[1] is None:
        return base
    if parts[1] not in FORMULAS or base <= 0:
        raise ValueError(formula)
    return FORMULAS[parts[1]](base)


def bounded_advantage(epsilon: float, delta: float) -> float:
    """The most that an event's chance may differ between neighbouring logs under (ε, δ).

    (e^ε − 1 + 2δ) / (e^ε + 1), which is tanh(ε/2) where δ is 0.
    """
    share = math.tanh(epsilon / 2)
    return min(1.0, share + delta * (1.0 - share))


def _build_gate(entry: Mapping[str, Any], number: int, limits: Mapping[str, float]) -> Gate:
    position = phrase(", gate {number}", number=number)
    _refuse_unknown(entry, _KEYS, position)
    name = _read_text(entry, "name", position)
    if not _NAME.fullmatch(name):
        raise _make_error("needs a name of small letters, digits and hyphens", position)
    position = f", gate '{name}'"
    entry, formula = _resolve_limits(entry, limits, position)
    feedback = entry.get("feedback", False)
    if not isinstance(feedback, bool):
        raise _make_error(phrase("needs true or false as {key}", key="feedback"), position)
    gate = Gate(
        name=name,
        title=_read_text(entry, "title", position) or name,
        figure=_check_figure(_read_text(entry, "figure", position), position),
        most=_read_number(entry, "most", position),
        least=_read_number(entry, "least", position),
        reasons=tuple(_read_texts(entry, "reasons", "needs a list of texts as reasons", position)),
        why=_read_text(entry, "why", position),
        feedback=feedback,
        formula=formula,
    )
    for text in gate.reasons:
        if text not in {reason.label for reason in REASONS}:
            raise _make_error(sentence("policy.unknown_reason", text=shorten_text(text)), position)
    if gate.most is None and gate.least is None:
        raise _make_error("needs 'most' or 'least'", position)
    if gate.reasons and not gate.takes_feedback:
        fault = phrase("has reasons, which go with .{surviving} alone", surviving=SURVIVING)
        raise _make_error(fault, position)
    if gate.feedback and not gate.takes_feedback:
        fault = phrase("has feedback, which goes with .{surviving} alone", surviving=SURVIVING)
        raise _make_error(fault, position)
    return gate


def _resolve_limits(
    entry: Mapping[str, Any], limits: Mapping[str, float], position: str
) -> tuple[dict[str, Any], str]:
    """A gate with numbers in the place of formulas, and the formula if there was one.

    A manifest has both the number and the formula, and no table.
    """
    plain, formula = dict(entry), _read_text(entry, "formula", position)
    if formula and limits:
        raise _make_error("has a formula beside its limit: write it in the limit's place", position)
    for key in ("most", "least"):
        if isinstance(plain.get(key), str):
            formula = plain[key]
            try:
                plain[key] = apply_formula(formula, limits)
            except ValueError:
                fault = sentence("policy.limit_formula", formula=shorten_text(formula))
                raise _make_error(fault, position) from None
    return plain, formula


def _check_figure(text: str, position: str) -> str:
    if text in gate_words("metrics") or _MEASURED.fullmatch(text):
        return text
    if text.removeprefix("attested.") in gate_words("attested") and text.startswith("attested."):
        return text
    parts = _FIGURE.fullmatch(text)
    of_worst = parts is not None and (parts[1], parts[2]) == ("attack", WORST)
    if parts is None or (of_worst and parts[3] not in WORST_FIGURES):
        raise _make_no_metric(text, position)
    if not of_worst and parts[2] not in (ATTACKS if parts[1] == "attack" else MEASURES):
        name = shorten_text(parts[2])
        raise _make_error(sentence("policy.unknown_name", found=parts[1], found_2=name), position)
    return text


def _refuse_unknown(table: Mapping[str, Any], keys: set[str], position: str) -> None:
    for key in table:
        if key not in keys:
            fault = phrase("has the unknown entry '{key}'", key=shorten_text(key))
            raise _make_error(fault, position)


def _read_text(table: Mapping[str, Any], key: str, position: str) -> str:
    value = table.get(key, "")
    if not isinstance(value, str):
        raise _make_error(phrase("needs a text as {key}", key=key), position)
    return printable_text(value).strip()


def _read_texts(table: Mapping[str, Any], key: str, fault: str, position: str = "") -> list[str]:
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise _make_error(fault, position)
    return value


def _read_number(table: Mapping[str, Any], key: str, position: str) -> float | None:
    value = table.get(key)
    if value is None:
        return None
    if not isinstance(value, bool) and isinstance(value, int | float):
        with contextlib.suppress(OverflowError):
            if math.isfinite(value):
                return float(value)
    raise _make_error(phrase("needs a finite number as {key}", key=key), position)


def _make_error(fault: str, position: str = "") -> ParameterError:
    where, what = as_phrase(position), as_phrase(fault)
    return ParameterError("policy", phrase("The policy{where} {what}.", where=where, what=what))


def _make_no_metric(text: str, position: str) -> ParameterError:
    fault = phrase("names the metric '{text}', which no run has", text=shorten_text(text))
    return _make_error(fault, position)


def format_value(value: float) -> DisplayText:
    """A figure of a gate: four digits, tiny ones as powers of ten."""
    if math.isinf(value):
        return "infinite"
    if 0 < abs(value) < 1e-3:
        return format_power(value)
    return NumberText(f"{value:,.0f}" if abs(value) >= 1_000 else f"{value:.4g}")
