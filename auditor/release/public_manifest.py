"""What a release says to whoever gets it: the evidence without what tells of the original log.

The evidence (`auditor.release.evidence.build_manifest`) stays inside; from it comes
``manifest.json`` of the release folder. Left out are digests and names of the log's files, counts
of changes, every figure of measures, attacks and gates, and what an assumption was judged by.
What was run stays, with its parameters, and so do the statement and the hashes of the files.
"""

import re
from collections.abc import Mapping
from typing import Any

from auditor.log.sentences import sentence
from auditor.log.user_column import UserColumn
from auditor.messages import phrase
from auditor.release.guarantee import Strength
from auditor.release.verdict import ReleaseState, state_title

COVERED = sentence("manifest.covered")

_PUBLIC = ("format", "created", "method", "params", "withheld", "content", "reviewer", "comment")
_GROUPS = ("k", "smallest_class")
_COUNT = re.compile(r"(?<![\d.,])(?:\d{1,3}(?:,\d{3})+|\d{3,})(?![\d.])")


def public_facts(evidence: Mapping[str, Any], verdict: Mapping[str, Any] | None) -> dict[str, Any]:
    """The manifest of the release folder; `verdict` is that of the policy, if one has judged."""
    facts = {name: evidence[name] for name in _PUBLIC if name in evidence}
    facts |= {
        "statement": public_statement(evidence["statement"], evidence["params"]),
        "changes": {},
        "measures": {name: _extract_params(entry) for name, entry in evidence["measures"].items()},
        "attacks": {name: _extract_params(entry) for name, entry in evidence["attacks"].items()},
        "note": COVERED,
    }
    sample = evidence.get("input", {}).get("sample", {})
    if "share" in sample:  # a parameter, not a count; how many users it took is one
        facts["sample"] = {"share": sample["share"]}
    if verdict is not None:
        facts["verdict"] = public_verdict(verdict)
    if "audit" in evidence.get("gates", {}):  # two audits that came out alike are two releases
        facts["audit"] = evidence["gates"]["audit"]
    return facts | {"versions": evidence["versions"], "files": dict(evidence["files"])}


def public_statement(statement: Mapping[str, Any], params: Mapping[str, Any]) -> dict[str, Any]:
    """A statement, made with `params`, without the evidence of its assumptions.

    Differential privacy's figures come from parameters alone. Other models measure the log: of
    those the sizes of groups stay, which anybody can count in the release, and counts in sentences
    are rounded to one digit, but not parameters: "at least k users", or k − 1 others.
    """
    facts = dict(statement)
    facts["assumptions"] = [
        {name: item[name] for name in ("name", "text", "status", "decided") if name in item}
        for item in statement.get("assumptions", ())
    ]
    if "user_column" in facts:  # what is doubted of it was counted in the log
        column = UserColumn.of({**facts.pop("user_column"), "doubts": []})
        facts |= {"user_column": column.to_dict()} if column is not None else {}
    if statement.get("model") != "differential privacy":
        sizes = [value for value in params.values() if type(value) is int]
        stated = {size - deduction for size in sizes for deduction in (0, 1)}

        def round_count(match: re.Match[str]) -> str:
            count = int(match[0].replace(",", ""))
            rounded = round(count, 1 - len(str(count)))
            return match[0] if count in stated else phrase("about {digits:,}", digits=rounded)

        facts["claim"] = _COUNT.sub(round_count, str(statement.get("claim", "")))
        measured = statement.get("measured", {})
        facts["measured"] = {name: measured[name] for name in _GROUPS if name in measured}
    return {name: value for name, value in facts.items() if value not in ({}, [])}


def public_verdict(verdict: Mapping[str, Any]) -> dict[str, Any]:
    """The verdict, its policy, and the number of checks by outcome."""
    names = ("state", "title", "strength", "policy", "checks", "overridden")
    return {name: verdict[name] for name in names if name in verdict}


def _extract_params(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {"params": dict(entry.get("params", {}))}


def audited_verdict(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The verdict that a manifest tells of, at the approval if there was one.

    Empty where the manifest has none, or none of the form that this program writes.
    """
    data = facts.get("approval", {}).get("verdict") or facts.get("verdict")
    if not isinstance(data, dict) or data.get("state") not in {item.value for item in ReleaseState}:
        return {}
    state = ReleaseState(data["state"])
    strengths = {item.key: item for item in Strength}
    strength = strengths.get(str(data.get("strength")))
    title = state_title(state, len(overridden_checks(facts)), strength)
    return public_verdict(data) | {"state": state.value, "title": title}


def overridden_checks(facts: Mapping[str, Any]) -> list[str]:
    """Names of the checks that a manifest says a reviewer let pass."""
    approval = facts.get("approval", {})
    verdict = approval.get("verdict") or facts.get("verdict") or {}
    names = [str(name) for name in verdict.get("overridden", ())]
    return names or [str(override.get("gate", "")) for override in approval.get("overrides", ())]
