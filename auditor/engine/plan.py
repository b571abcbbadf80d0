"""From what somebody set (an intent) to what will be done (a frozen plan) and its digest."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from auditor.attacks.adversaries import CUSTOM, USUAL, find_adversary, recognize_adversary
from auditor.attacks.registry import ATTACKS
from auditor.errors import MissingInput, ParameterError
from auditor.figures import ShortRepr
from auditor.log.model import LogTotals
from auditor.log.sentences import sentence
from auditor.measures.registry import MEASURES
from auditor.messages import as_phrase, phrase
from auditor.methods.base import ELSEWHERE, ElsewhereParams, Method
from auditor.methods.registry import METHODS, find_params
from auditor.params import Params
from auditor.privacy.release import UNKNOWN
from auditor.privacy.selection import ParameterSelection
from auditor.registry import Registry

if TYPE_CHECKING:
    from auditor.log.reading.column_mapping import ReadOptions
    from auditor.privacy.release import Anonymized

Engine = Literal["local", "spark"]

LEFT_OUT = "was left out on request"
"""Why an attack or measure is not in a run: somebody said so."""
NO_CONTENT = "needs what was released in memory: it is too large, or no row says whose it is"
NO_MEASURE = "compares the whole log, which no machine holds here"
"""The same where a sample of the users alone is at hand."""

NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class PlanStep:
    """One attack or measure with its parameters."""

    name: str
    params: Params


@dataclass(frozen=True, kw_only=True)
class Plan(ShortRepr):
    """Everything that decides a run's result except the randomness; hashable by `digest`."""

    log_digest: str
    method: str
    params: Params
    attacks: tuple[PlanStep, ...] = ()
    measures: tuple[PlanStep, ...] = ()
    engine: Engine = field(default="local", metadata={"stored": False})
    knowledge: tuple[tuple[str, str], ...] = ()
    """What attackers know besides (a reference log, profiles), each with a digest of it."""
    omitted: tuple[tuple[str, str], ...] = ()
    """What was left out of the plan because nobody named it, and why; no part of the digest."""
    measures_named: bool = True
    """Whether somebody named the measures; of others, those that take long may be left out."""
    named: tuple[str, ...] = ()
    """Measures that somebody named where not all were: these are never left out for their time."""
    selection: ParameterSelection | None = None
    """How the parameters were chosen by looking at this log; None where nobody looked."""
    rule_weights: tuple[tuple[str, float], ...] = ()
    """(rule of the detector, how much it counts in this project, 0 for not at all), where not 1."""

    def describe(self) -> str:
        """The method, how many checks it makes, and its digest."""
        checks = len(self.attacks) + len(self.measures)
        return f"{self.method}, {checks:,} attacks and measures, {self.digest[:12]}"

    @functools.cached_property
    def digest(self) -> str:
        """SHA-256 of the plan: the key under which its result may be kept."""
        text = json.dumps(self.to_dict(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; naming each measure is the same as naming all of them."""
        measures = [step.name for step in self.measures]
        explicit = self.measures_named or {*measures} <= {*self.named}
        plain = {
            "log": self.log_digest,
            "method": self.method,
            "params": self.params.to_dict(),
            "attacks": [[step.name, step.params.to_dict()] for step in self.attacks],
            "measures": [[step.name, step.params.to_dict()] for step in self.measures],
            "engine": self.engine,
            "given": [list(pair) for pair in self.knowledge],
            "asked": explicit,
        }
        named_measures = sorted({*self.named} & {*measures})
        plain |= {"named": named_measures} if named_measures and not explicit else {}
        plain |= {"rule_weights": dict(self.rule_weights)} if self.rule_weights else {}
        return plain | ({"selection": self.selection.to_dict()} if self.selection else {})

    def as_python(
        self,
        logs: Sequence[str] = (),
        columns: Mapping[str, str | int] | None = None,
        *,
        options: ReadOptions | None = None,
        reference: Sequence[str] = (),
        profiles: str = "",
    ) -> str:
        """Code that makes a run with this plan again in memory, with noise drawn anew.

        `logs`, `reference` and `profiles` are files: their names may say something of people, and
        it is whoever copies the code who gives them away. Those that aren't named are placeholders,
        and so are other releases. `columns` and `options` say how the log is read, the first before
        the second.
        """
        reading = [_write_files(logs, "log.tsv")]
        if options is not None:
            columns = columns or options.columns
            if changes := _list_changed(options):
                text = ", ".join(f"{name}={value!r}" for name, value in changes.items())
                reading.append(f"auditor.ReadOptions({text})")
        reading += [f"{role}={name!r}" for role, name in (columns or {}).items()]
        opened = [f"log = auditor.read_log({', '.join(reading)})"]
        arguments: dict[str, str] = {}
        inputs = dict(self.knowledge)
        if "reference" in inputs:
            files = _write_files(reference, "reference.tsv")
            opened.append(f"reference = auditor.read_log({files})")
            arguments["reference"] = "reference"
        if "profiles" in inputs:
            arguments["profiles"] = repr(profiles or "profiles.csv")
        other_inputs = sorted(name for name in inputs if name.startswith("other "))
        if other_inputs:
            folders = [f"auditor.load_release({name.replace(' ', '-')!r})" for name in other_inputs]
            arguments["others"] = f"[{', '.join(folders)}]"
        arguments |= {name: repr(value) for name, value in self._list_check_arguments().items()}
        if self.selection is not None:
            arguments["selection"] = f"auditor.{self.selection!r}"
        if self.rule_weights:
            arguments["rule_weights"] = repr(dict(self.rule_weights))
        arguments |= {name: repr(value) for name, value in self.params.to_dict().items()}
        call = "".join(f"    {name}={value},\n" for name, value in arguments.items())
        opening_lines = "\n".join(opened)
        return (
            f"import auditor\n\n{opening_lines}\n\n"
            f"result = auditor.audit(\n    log,\n    {self.method!r},\n{call})\nresult"
        )

    def as_toml(
        self,
        logs: Sequence[str] = (),
        *,
        options: ReadOptions | None = None,
        reference: Sequence[str] = (),
        profiles: str = "",
        policy: str = "",
    ) -> str:
        """A file with which ``auditor audit --plan FILE`` makes a run with this plan again.

        Files and `options` are as those of `as_python`; `policy` is a bundled one or another file.
        """
        checks = self._list_check_arguments()
        inputs = dict(self.knowledge)
        other_inputs = sorted(name for name in inputs if name.startswith("other "))
        facts: dict[str, Any] = {
            "log": [*logs] or ["log.tsv"],
            "method": self.method,
            "policy": policy,
            "reference": ([*reference][:1] or ["reference.tsv"]) if "reference" in inputs else [],
            "profiles": (profiles or "profiles.csv") if "profiles" in inputs else "",
            "other": [name.replace(" ", "-") for name in other_inputs],
            "adversary": checks.get("adversary"),
            "attack": checks.get("attacks"),
            "measure": checks.get("measures"),
            "skip": checks.get("skip"),
        }
        read_options, unsaid = _list_read_options(options)
        facts = {key: value for key, value in facts.items() if value} | read_options
        tables: dict[str, Mapping[str, Any]] = {"params": self.params.to_dict()}
        tables |= {f"params.{name}": values for name, values in checks.get("checks", {}).items()}
        if self.selection is not None:
            tables["selection"] = self.selection.to_dict()
        lines = [" ".join(("# auditor audit --plan THIS-FILE --out RELEASE:", self.describe()))]
        if self.rule_weights:
            lines.append("# Rules of the detector were weighted: say --feedback FILE as well.")
        if unsaid:
            lines.append(" ".join(("# Only Python can say how else it was read:", *unsaid)))
        lines += [f"{key} = {_format_toml(value)}" for key, value in facts.items()]
        for name, table in tables.items():
            lines += ["", f"[{name}]"]
            lines += [f"{key} = {_format_toml(value)}" for key, value in table.items()]
        return "\n".join(lines) + "\n"

    def _list_check_arguments(self) -> dict[str, Any]:
        """Arguments of `auditor.audit` with which a run of the same log has the same checks."""
        steps = {step.name: step.params for step in (*self.attacks, *self.measures)}
        adversary = recognize_adversary({step.name: step.params for step in self.attacks})
        usual = Intent(method=self.method)
        usual = usual.assume_adversary(adversary) if adversary != CUSTOM else usual
        tuned = {
            name: {
                key: value
                for key, value in params.to_dict().items()
                if value != usual.find_check_params(name).to_dict().get(key)
            }
            for name, params in steps.items()
        }
        attacks = _list_default_attacks(dict(self.knowledge))
        measures = _list_default_measures(self.what)
        by_itself = {name for name, reason in self.omitted if reason != LEFT_OUT}
        named_measures = [
            step.name for step in self.measures if self.measures_named or step.name in self.named
        ]
        listed = {
            "adversary": adversary if adversary not in (USUAL, CUSTOM) else "",
            "attacks": [step.name for step in self.attacks if step.name not in attacks],
            "measures": named_measures,
            "skip": [n for n in (*attacks, *measures) if n not in steps and n not in by_itself],
            "checks": {name: values for name, values in tuned.items() if values},
        }
        return {name: value for name, value in listed.items() if value}

    @property
    def what(self) -> Method:
        """The method that the plan names."""
        return ELSEWHERE if self.method == UNKNOWN else METHODS[self.method]


def plan_judgement(
    release: Anonymized, log: LogTotals, intent: Intent, inputs: Mapping[str, str] = NOTHING
) -> Plan:
    """All that applies to a release that somebody else made, with an intent's parameters.

    The method is the release's own where it names one of this program's, with its parameters.
    """
    params = find_params(release.method, release.params)
    measures = [name for name in MEASURES if not MEASURES[name].why_not(release)]
    return Plan(
        log_digest=log.digest,
        method=UNKNOWN if params is None else release.method,
        params=ElsewhereParams() if params is None else params,
        attacks=intent.make_steps(_list_default_attacks(inputs)),
        measures=intent.make_steps(measures),
        knowledge=tuple(sorted(inputs.items())),
    )


@dataclass(frozen=True, kw_only=True)
class Intent:
    """What the sliders say. Values of methods that aren't chosen now are kept for later.

    `attacks` and `measures` None stand for everything that applies to what the method yields;
    `checks` holds their parameters that aren't the defaults. `selection` is what was spent on
    choosing parameters by this log: it stays spent. `rule_weights` are of rules that don't count
    fully.
    """

    method: str
    values: tuple[tuple[str, Params], ...] = ()
    attacks: tuple[str, ...] | None = None
    measures: tuple[str, ...] | None = None
    checks: tuple[tuple[str, Params], ...] = ()
    selection: ParameterSelection | None = None
    rule_weights: tuple[tuple[str, float], ...] = ()

    @property
    def params(self) -> Params:
        return dict(self.values).get(self.method) or METHODS[self.method].params()

    def choose(self, method: str) -> Intent:
        """The same intent with another method."""
        METHODS[method]
        return dataclasses.replace(self, method=method)

    def set(self, **changes: Any) -> Intent:
        """The same intent with some of the chosen method's values changed, validated."""
        values = dict(self.values) | {self.method: self.params.replace(**changes)}
        return dataclasses.replace(self, values=tuple(values.items()))

    def reset(self, name: str | None = None) -> Intent:
        """The same intent with one value, or all of the method's, back at the default."""
        params = type(self.params)
        if name is not None:
            return self.set(**{name: params.spec(name).default})
        values = dict(self.values) | {self.method: params()}
        return dataclasses.replace(self, values=tuple(values.items()))

    def find_check_params(self, name: str) -> Params:
        """The parameters of an attack or measure."""
        registry: Registry[Any] = ATTACKS if name in ATTACKS else MEASURES
        return dict(self.checks).get(name) or registry[name].params()

    def make_steps(self, names: Iterable[str]) -> tuple[PlanStep, ...]:
        """Attacks or measures with their parameters."""
        return tuple(PlanStep(name, self.find_check_params(name)) for name in names)

    @property
    def adversary(self) -> str:
        """Whose attacks they are by their parameters; `adversaries.CUSTOM` if nobody's."""
        return recognize_adversary({name: self.find_check_params(name) for name in ATTACKS})

    def assume_adversary(self, adversary: str) -> Intent:
        """The same intent with every attack as this adversary makes it.

        Raises `ParameterError` if there is none of that name.
        """
        assumed = find_adversary(adversary)
        measures = tuple((name, params) for name, params in self.checks if name not in ATTACKS)
        intent = dataclasses.replace(self, checks=measures)
        for attack, values in assumed.settings.items():
            if attack in ATTACKS:
                intent = intent.tune_check(attack, **values)
        return intent

    def weigh_rules(self, weights: Mapping[str, float]) -> Intent:
        """The same intent with these rules' weights; those of 1 are what others have, too.

        Raises `ParameterError` for a weight that isn't between 0 and 1.
        """
        return dataclasses.replace(self, rule_weights=checked_weights(weights))

    def tune_check(self, name: str, **changes: Any) -> Intent:
        """The same intent with some of an attack's or a measure's values changed, validated."""
        checks = dict(self.checks) | {name: self.find_check_params(name).replace(**changes)}
        tuned_checks = {key: params for key, params in checks.items() if params != type(params)()}
        return dataclasses.replace(self, checks=tuple(sorted(tuned_checks.items())))


def checked_weights(weights: Mapping[str, float]) -> tuple[tuple[str, float], ...]:
    """Rules' weights in order, without those that count fully.

    A rule that this version doesn't know stays: a project may come from another one, and it is of
    no effect. Raises `ParameterError` for a weight that isn't between 0 and 1.
    """
    for rule, weight in weights.items():
        number = isinstance(weight, int | float) and not isinstance(weight, bool)
        if not number or not 0.0 <= weight <= 1.0:
            raise ParameterError(
                "rule_weights",
                phrase("The weight of '{rule}' must be a number from 0 to 1.", rule=rule[:80]),
            )
    return tuple(sorted((rule, float(w)) for rule, w in weights.items() if w != 1.0))


def resolve_intent(
    intent: Intent, log: LogTotals, inputs: Mapping[str, str] = NOTHING, *, engine: Engine = "local"
) -> Plan:
    """The plan that an intent means for a log; pure.

    Attacks that need more than the log and the release (a reference, profiles) are planned when
    they are named, or when `inputs` (what of it is at hand, with a digest) has it. Raises
    `ParameterError` or `MissingInput` where the log has no rows, too few users for the setting, or
    no users where these matter.
    """
    method = METHODS[intent.method]
    measures = intent.measures
    omitted: dict[str, str] = {}
    if measures is None:
        measures = _list_default_measures(method)
        limits = {name: MEASURES[name].unasked for name in measures}
        omitted = {
            name: sentence("plan.runs_method_parts_log", most=row_limit)
            for name, row_limit in limits.items()
            if row_limit is not None and len(log) > row_limit
        }
        measures = tuple(name for name in measures if name not in omitted)
    attacks = intent.attacks
    if attacks is None:
        attacks = _list_default_attacks(inputs)
    attacks, measures = _order_names(attacks, ATTACKS), _order_names(measures, MEASURES)
    if log.origin.aggregated:
        _check_without_users(METHODS, (intent.method,))
        _check_without_users(ATTACKS, intent.attacks or ())
        _check_without_users(MEASURES, intent.measures or ())
        omitted |= {
            name: "needs to know whose a query is, and the set has no users"
            for registry, names in ((ATTACKS, attacks), (MEASURES, measures))
            for name in names
            if not registry[name].without_users
        }
        attacks = tuple(name for name in attacks if name not in omitted)
        measures = tuple(name for name in measures if name not in omitted)
    # A sample may be empty: a refusal would tell that it is, and of one user that they were left
    # out.
    if not len(log) and log.origin.sample is None:
        raise MissingInput("The log has no rows. Open another file or check its column mapping.")
    if log.origin.sample is None:
        method.check_size(intent.params, len(log.users))
    return Plan(
        log_digest=log.digest,
        method=intent.method,
        params=intent.params,
        attacks=intent.make_steps(attacks),
        measures=intent.make_steps(measures),
        engine=engine,
        knowledge=tuple(sorted(inputs.items())),
        omitted=tuple(omitted.items()),
        measures_named=intent.measures is not None,
        selection=intent.selection,
        rule_weights=intent.rule_weights,
    )


def _list_default_measures(method: Method) -> tuple[str, ...]:
    """Every measure that applies to what a method yields."""
    kind = method.measured_kind
    return tuple(name for name in MEASURES if MEASURES[name].fits(kind, dated=method.dated))


def _list_default_attacks(inputs: Mapping[str, str]) -> tuple[str, ...]:
    """Every attack that needs no more than the release and what is given."""
    available = {"release", *inputs}
    return tuple(name for name in ATTACKS if set(ATTACKS[name].needs) <= available)


def _order_names(names: Iterable[str], registry: Iterable[str]) -> tuple[str, ...]:
    """Names once each, in the order of their registry; those that it lacks come last."""
    places = {name: place for place, name in enumerate(registry)}
    return tuple(sorted({*names}, key=lambda name: (places.get(name, len(places)), name)))


def _write_files(files: Sequence[str], placeholder: str) -> str:
    """One file or a list of them, as code."""
    file_names = [str(file) for file in files] or [placeholder]
    return repr(file_names if len(file_names) > 1 else file_names[0])


def _list_read_options(options: ReadOptions | None) -> tuple[dict[str, Any], list[str]]:
    """How a log is read, by the command line's options; and what it has none for, as Python."""
    from auditor.log.reading.column_mapping import READ_FLAGS

    if options is None:
        return {}, []
    flags = {**READ_FLAGS, "delimiter": "delimiter", "max_rejected_share": "max-rejected"}
    values = _list_changed(options)
    options_by_flag = {flag: values[name] for name, flag in flags.items() if name in values}
    if options_by_flag.get("delimiter") == "\t":
        options_by_flag["delimiter"] = "tab"
    options_by_flag |= {"columns": dict(options.columns)} if options.columns else {}
    return options_by_flag, [
        f"{name}={value!r}" for name, value in values.items() if name not in flags
    ]


def _list_changed(options: ReadOptions) -> dict[str, Any]:
    """What somebody said of how a log is read, by name, but for its columns."""
    return {
        field.name: value
        for field in dataclasses.fields(options)
        if field.name != "columns" and (value := getattr(options, field.name)) != field.default
    }


def _format_toml(value: Any) -> str:
    """A value as TOML has it."""
    if isinstance(value, dict):
        entries = (f"{_format_toml(key)} = {_format_toml(item)}" for key, item in value.items())
        return f"{{ {', '.join(entries)} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_format_toml, value))}]"
    if isinstance(value, bool):
        return str(value).lower()
    if value is None or isinstance(value, str):
        return json.dumps("none" if value is None else value, ensure_ascii=False).replace(
            "\x7f", "\\u007f"
        )
    return repr(value)


def _check_without_users(registry: Registry[Any], names: tuple[str, ...]) -> None:
    """Refuse what somebody named that needs users, of a set that has none."""
    allowed = [name for name in registry if registry[name].without_users]
    for name in names:
        if name not in allowed:
            raise MissingInput(
                sentence(
                    "plan.set_queries_without_users",
                    kind=as_phrase(registry.kind),
                    name=name,
                    without_users=", ".join(allowed),
                )
            )


@dataclass(frozen=True, kw_only=True)
class CheckSelection:
    """Which attacks and measures a run has, against those that it would have by itself."""

    quick: bool = False  # only measures that take seconds on a log of any length
    attacks: tuple[str, ...] = ()  # added, however long they take
    measures: tuple[str, ...] = ()  # added, however long they take
    skipped: tuple[str, ...] = ()  # left out, of either

    @property
    def empty(self) -> bool:
        return not (self.attacks or self.measures or self.skipped)


def select_checks(plan: Plan, intent: Intent, selection: CheckSelection, log: LogTotals) -> Plan:
    """The plan with the attacks and measures of a selection; `intent` has their parameters.

    Raises `ParameterError` for a name that nothing has, or that is both added and left out, and
    `MissingInput` for one that needs users where the log has none.
    """
    titles = {name: ATTACKS[name].name for name in selection.attacks}
    titles |= {name: MEASURES[name].name for name in selection.measures}
    skipped = {name for name in selection.skipped if name in ATTACKS or MEASURES[name]}
    if both := sorted(skipped & titles.keys()):
        raise ParameterError(
            "skip", phrase("{both} is both named and left out. Say one of the two.", both=both[0])
        )
    if log.origin.aggregated:
        _check_without_users(ATTACKS, selection.attacks)
        _check_without_users(MEASURES, selection.measures)
    measures = {step.name for step in plan.measures}
    if selection.quick:
        measures = {name for name in measures if MEASURES[name].quick}
    attacks = ({step.name for step in plan.attacks} | {*selection.attacks}) - skipped
    measures = (measures | {*selection.measures}) - skipped
    planned = dict.fromkeys(sorted(skipped), LEFT_OUT)
    unasked = () if selection.quick else plan.omitted
    omitted = {name: reason for name, reason in unasked if name not in titles}
    return dataclasses.replace(
        plan,
        attacks=intent.make_steps(name for name in ATTACKS if name in attacks),
        measures=intent.make_steps(name for name in MEASURES if name in measures),
        omitted=tuple((omitted | planned).items()),
        named=selection.measures,
    )
