"""What a gate's figure means, in which unit, between which bounds, and what has to run for it.

Figures of the statement and of the ledger are told here; those of attacks and measures by the
attack or measure itself. A figure that this page doesn't know is one that a newer gate names: it
is shown by its name, and any finite number is a limit.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from auditor.attacks.registry import ATTACKS
from auditor.errors import ParameterError
from auditor.log.sentences import sentence
from auditor.measures.registry import MEASURES
from auditor.messages import as_phrase, phrase
from auditor.params import ParamInterval
from auditor.release.policy.policy import RAN, SURVIVING, WORST, Gate, Policy, read_policy
from auditor.resource_files import resource_path

ANY = ParamInterval(-math.inf, math.inf, "neither")
_FROM_0 = ParamInterval(0, math.inf, "left")
_FROM_1 = ParamInterval(1, math.inf, "left")
_SHARE = ParamInterval(0, 1)
_LEAD = ParamInterval(-1, 1)


@dataclass(frozen=True)
class GateMetric:
    """One figure that a gate can limit.

    `whole` says that it counts things, `runs` names the attack or measure that has to run for it
    with its title, or is empty.
    """

    name: str
    meaning: str
    unit: str = ""
    bounds: ParamInterval = ANY
    whole: bool = False
    runs: str = ""


_TOLD = {
    "statement.epsilon": (
        "The ε that the release claims, at the policy's unit of protection.",
        "",
        _FROM_0,
        False,
    ),
    "statement.delta": (
        "The δ that the release claims, at the policy's unit of protection.",
        "",
        _SHARE,
        False,
    ),
    "statement.strength": (
        "Strength of the guarantee at the policy's unit: 3 strong (ε ≤ 1), 2 moderate (ε ≤ 4), "
        "1 weak, 0 none.",
        "0 to 3",
        ParamInterval(0, 3),
        True,
    ),
    "statement.delta_users": (
        "δ times the units of protection of the log, users or their days, weeks or months; at 1, "
        "δ allows to show one of them whole.",
        "users",
        _FROM_0,
        False,
    ),
    "statement.failing": (
        "How many assumptions of the statement fail on this log.",
        "assumptions",
        _FROM_0,
        True,
    ),
    "statement.unknown": (
        "How many assumptions of the statement nobody can check here.",
        "assumptions",
        _FROM_0,
        True,
    ),
    "statement.formal": (
        "1 if anything is guaranteed, 0 if not: a pseudonym guarantees nothing.",
        "0 or 1",
        _SHARE,
        True,
    ),
    "statement.measured.k": (
        "How many users' records are alike at least, as it was measured.",
        "users",
        _FROM_0,
        True,
    ),
    "statement.unpublished": (
        "Rules that the text which orders the release does not publish, and that are not set: "
        "with one, nobody can say that the release follows it.",
        "rules",
        _FROM_0,
        True,
    ),
    "content.persistent_ids": (
        "Ids under which searches of several days stand.",
        "ids",
        _FROM_0,
        True,
    ),
    "content.exact_times": (
        "Rows that show more of their time than its day (UTC).",
        "rows",
        _FROM_0,
        True,
    ),
    "content.forbidden_columns": (
        "Columns that are never to be handed out: addresses, cookies, whether somebody was signed "
        "in, how a query was typed, filters.",
        "columns",
        _FROM_0,
        True,
    ),
    "content.delay_days": (
        "Whole days from the newest search of the log to the making of the release.",
        "days",
        _FROM_0,
        True,
    ),
    "release.queries": (
        "Distinct queries that are released, blank ones and decoys left out.",
        "queries",
        _FROM_1,
        True,
    ),
    "release.searches_share": (
        "Share of the log's searches that is left in the release.",
        "share",
        _SHARE,
        False,
    ),
    "release.ngrams": (
        "Distinct n-grams in a release of n-grams, which holds no queries.",
        "n-grams",
        _FROM_1,
        True,
    ),
    "release.words_share": (
        "Share of the words of the log's searches that stand in a released n-gram.",
        "share",
        _SHARE,
        False,
    ),
    "ledger.epsilon": (
        "ε of all approved releases of this log together, this one included.",
        "",
        _FROM_0,
        False,
    ),
    "ledger.delta": (
        "δ of all approved releases of this log together, this one included.",
        "",
        _SHARE,
        False,
    ),
    "ledger.delta_users": (
        "δ of all approved releases of this log together, times the units of protection of the "
        "log, users or their days, weeks or months.",
        "users",
        _FROM_0,
        False,
    ),
    "ledger.releases": ("Releases of this log, this one included.", "releases", _FROM_0, True),
    "ledger.without_guarantee": (
        "Releases of this log that have no guarantee that adds up.",
        "releases",
        _FROM_0,
        True,
    ),
    "ledger.comparable": (
        "Earlier releases of this log with which this one can be compared record by record.",
        "releases",
        _FROM_0,
        True,
    ),
    "ledger.noiseless": ("Releases of this log without any noise.", "releases", _FROM_0, True),
}
_RATES = {
    "rate": ("Success rate of the attack", "share", _SHARE),
    "lead": ("How far the attack's success is above guessing", "share", _LEAD),
    "control": ("Success rate on people who are not in the log", "share", _SHARE),
    "refuted": ("1 if the audit refutes the claim, 0 if not", "0 or 1", _SHARE),
    "accuracy": ("Share that the attack gets right", "share", _SHARE),
    RAN: ("1 if the attack was tried, 0 if not", "0 or 1", _SHARE),
}


def find_metric(name: str) -> GateMetric:
    """What is known of a figure; imports no attack and no measure but the one it names."""
    if name in _TOLD:
        meaning, unit, bounds, whole = _TOLD[name]
        return GateMetric(name, meaning, unit, bounds, whole)
    scope, _, rest = name.partition(".")
    if scope == "statement":
        return GateMetric(
            name,
            sentence(
                "policy.statement_number", rest=as_phrase(_split_name(rest.partition(".")[2]))
            ),
        )
    check, _, what = rest.partition(".")
    if scope == "attack" and check == WORST:
        return _of_worst(name, what)
    if scope == "attack" and check in ATTACKS:
        return _of_attack(name, check, what)
    if scope == "measure" and check in MEASURES:
        title = MEASURES[check].title
        return GateMetric(
            name,
            phrase("{title}: {what}.", title=as_phrase(title), what=as_phrase(_split_name(what))),
            runs=phrase("{title} ({check})", title=as_phrase(title), check=check),
        )
    return GateMetric(name, phrase("The metric “{name}”.", name=as_phrase(_split_name(name))))


def _of_attack(name: str, check: str, what: str) -> GateMetric:
    title = ATTACKS[check].title
    runs = phrase("{title} ({check})", title=as_phrase(title), check=check)
    if what == SURVIVING:
        meaning = sentence("policy.flagged_sessions", title=title)
        return GateMetric(name, meaning, "sessions", _FROM_0, True, runs)
    if what in _RATES:
        meaning, unit, bounds = _RATES[what]
        return GateMetric(
            name,
            sentence("policy.of_attack", title=title, lower=meaning[:1].lower() + meaning[1:]),
            unit,
            bounds,
            runs=runs,
        )
    return GateMetric(
        name,
        phrase("{title}: {what}.", title=as_phrase(title), what=as_phrase(_split_name(what))),
        runs=runs,
    )


def _of_worst(name: str, what: str) -> GateMetric:
    if what == SURVIVING:
        meaning = (
            "Flagged sessions of which something can be read in the release, verbatim or in words "
            "recovered from hashes, whichever are more."
        )
        return GateMetric(name, meaning, "sessions", _FROM_0, True)
    meaning, unit, bounds = _RATES[what]
    return GateMetric(
        name, phrase("{meaning}, of the worst attack that applies.", meaning=meaning), unit, bounds
    )


def find_complaint(gate: Gate) -> str:
    """What is wrong with a gate's limits, naming the key; empty if nothing is."""
    known = find_metric(gate.figure)
    for key, value in (("least", gate.least), ("most", gate.most)):
        if value is None:
            continue
        if value not in known.bounds:
            return sentence("policy.number_bounds", name=gate.name, key=key, bounds=known.bounds)
        if known.whole and not float(value).is_integer():
            return phrase("{name}.{key} must be a whole number.", name=gate.name, key=key)
    if gate.least is None and gate.most is None:
        return phrase("{name} needs 'least' or 'most'.", name=gate.name)
    if gate.least is not None and gate.most is not None and gate.least > gate.most:
        return phrase("{name}.least must not be above {name}.most.", name=gate.name)
    return ""


def bundled_policies() -> Iterator[tuple[str, Policy]]:
    """The policies that come with the program, the default first; (file name, policy)."""
    paths = sorted(
        resource_path("policies").glob("*.toml"), key=lambda p: (p.stem != "default", p.stem)
    )
    for path in paths:
        yield path.name, read_policy(path)


def gate_catalogue() -> list[Gate]:
    """Every gate that there could be: those of the policies here, then one for each other figure.

    The latter have no limit yet; loads every attack, for its title.
    """
    gates = [gate for _, policy in bundled_policies() for gate in policy.gates]
    taken = {gate.figure for gate in gates}
    for name in (*_TOLD, *(f"attack.{attack}.rate" for attack in ATTACKS)):
        if name not in taken:
            title = find_metric(name).meaning.rstrip(".")
            gates.append(Gate(re.sub(r"[^a-z0-9]+", "-", name), title, name))
    return gates


def bundled_text(name: str) -> str:
    """What stands in the file of a policy that comes with the program."""
    known = {path.name: path for path in resource_path("policies").glob("*.toml")}
    if name not in known:
        raise ParameterError("policy", "No policy of that name comes with the program.")
    return known[name].read_text(encoding="utf-8")


def _split_name(name: str) -> str:
    return re.sub(r"[_.-]+", " ", name)
