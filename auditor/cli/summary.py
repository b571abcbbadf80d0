"""Summaries for a terminal: of a log, the answer first; of a run, about ten lines, verdict last."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from auditor.cli.console import format_duration, format_utc, format_value
from auditor.engine.plan import LEFT_OUT
from auditor.engine.run import Run
from auditor.figures import format_count, format_share
from auditor.log.gazetteers import TOPIC_LANGUAGES
from auditor.log.memory import format_size
from auditor.log.model import LogTotals
from auditor.log.user_column import UserColumn
from auditor.release.gates import describe_suppression, find_suppression
from auditor.release.kept_content import describe_errors
from auditor.release.record import AttackRecord, GateVerdict, ReleaseRecord
from auditor.release.verdict import ReleaseVerdict, describe_rate

MOST_LISTED = 3
"""Checks that are not passed, and attacks and measures that were not made, named in full."""
REJECTS = 20
"""Rejected rows that are shown."""
_WIDTH = 10


def closing_summary(
    result: Run, log: LogTotals, verdict: ReleaseVerdict, folder: Path, *, next_step: str = ""
) -> str:
    """What was made of what, what it guarantees, what attackers achieve, and the answer."""
    params = result.plan.params
    usual = type(params)().to_dict()
    settings = ", ".join(
        f"{name} = {value if type(value) is int else format_value(value)}"  # as it is typed
        for name, value in params.to_dict().items()
        if usual.get(name) != value
    )
    rows = [
        ("Method", f"{result.plan.what.title} with {settings or 'its defaults'}"),
        ("Log", _format_log(log)),
        ("People", "; ".join(verdict.exposed)),
        ("Sample", verdict.sampled),
        ("Kept", verdict.kept.short),
    ]
    rows.append(("Counts", describe_errors(result.release)))
    rows.append(("Guarantee", verdict.guarantee.sentence))
    measured = result.release.statement.measured.items()
    for lost in (value for name, value in measured if name.endswith("percent_lost_at_most")):
        share = format_share(float(lost) / 100)
        text = f"users of a group are some {share} farther apart, at most, than in the best groups"
        rows.append(("Loss", f"{text} (estimated from a few users)"))
    rows.append(("Attacks", _format_attacks(verdict)))
    rows += [("Failed", text) for text in _list_first_gates(verdict.failed)]
    if level := find_suppression(verdict.failed, result.plan.params):
        rows.append(("Helps", describe_suppression(level)))
    rows += [("Feedback", text) for text in verdict.describe_feedback()]
    rows += [("Not made", text) for text in _list_first_gates(verdict.not_run)]
    total = format_duration(sum(result.seconds.values()))
    method = format_duration(result.seconds.get(result.plan.method, 0.0))
    measures = format_count(len(result.measures), "measure")
    attacks = format_count(len(result.attacks), "attack")
    rows.append(("Took", f"{total}: {method} the method, the rest {measures} and {attacks}"))
    omitted = [name for name, reason in result.skipped.items() if reason == LEFT_OUT]
    rows.append(("Left out", ", ".join(omitted) + " (--skip)" if omitted else ""))
    rows += [("Folder", str(folder)), ("Next", next_step)]
    rows.append(("Verdict", f"{verdict.title}: {verdict.checks}"))
    return "\n".join(f"{name:{_WIDTH}} {text}" for name, text in rows if text)


def demo_summary(results: Sequence[Run], verdicts: Sequence[ReleaseVerdict], report: Path) -> str:
    """A line for each method, and how many of them pass."""
    rows = [("method", "guarantee", "kept", "worst attack", "verdict")]
    for result, verdict in zip(results, verdicts, strict=True):
        share = verdict.kept.share if verdict.kept.ngrams is None else verdict.kept.words_share
        content = "–" if share is None else format_share(share)
        content += " of words" if verdict.kept.words_share is not None else ""
        worst = verdict.worst
        attack = "–" if worst is None else f"{worst.attack} {format_share(worst.rate)}"
        guarantee = verdict.guarantee.short
        rows.append((result.plan.method, guarantee, content, attack, verdict.title))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    passing = sum(verdict.releasable for verdict in verdicts)
    policy = verdicts[0].policy if verdicts else ""
    lines += ["", f"Report: {report}"]
    lines.append(f"Verdict: {passing} of {len(results)} can be released by the policy “{policy}”")
    return "\n".join(lines)


def log_facts(
    log: LogTotals, urls: int | None, column: UserColumn | None, time_zone: str | None
) -> dict[str, Any]:
    """What `inspect` says of a log in JSON, wherever it was read; `column` is who its users are."""
    origin = log.origin
    facts: dict[str, Any] = {
        "format": origin.format,
        "files": [path.name for path in origin.files],
        "rows": len(log),
        "users": len(log.users),
        "queries": len(log.queries),
        "urls": urls,
        "clicks": log.clicks,
        "rejected": dict(origin.rejected),
        "rejects": [
            {"file": r.file, "line": r.line, "reason": r.reason}
            | ({"column": r.column} if r.column is not None else {})
            for r in origin.rejects
        ],
        "assumptions": list(origin.assumptions),
    }
    facts |= {"left_out": dict(origin.left_out)} if origin.left_out else {}
    facts |= {"user_column": column.to_dict()} if column is not None else {}
    period = getattr(log, "period", None)
    if period is not None:
        start, end = (format_utc(second, time_zone) for second in period)
        facts |= {"start": start, "end": end}
    return facts


def log_summary(log: LogTotals, facts: Mapping[str, Any]) -> str:
    """What a log holds and whom it protects, for a terminal; `facts` are those of the JSON."""
    origin = log.origin
    rejected = sum(facts["rejected"].values())
    reasons = ", ".join(f"{reason} {count:,}" for reason, count in facts["rejected"].items())
    column = facts.get("user_column")
    row_note = f"{rejected:,} more could not be read" if rejected else "every row was read"
    addresses = format_count(facts["urls"], "address", "addresses")
    users = facts.get("largest_users", [])[:3]
    largest = ", ".join(f"{user['id']} {format_count(user['rows'], 'row')}" for user in users)
    covered = ("English", *TOPIC_LANGUAGES.values())
    listed = ", ".join(
        f"{name} {format_share(round(share, 2))}"
        + ("" if name in covered else " (no list of sensitive topics)")
        for name, share in facts.get("languages", {}).items()
    )
    lines = [
        ("Protects", "nobody: no column says who searched" if column is None else column["text"]),
        ("Queries", f"{facts.get('queries_searched', facts['queries']):,} distinct"),
        *([("Counted", facts["unfinished"])] if "unfinished" in facts else []),
        ("Clicks", f"{facts['clicks']:,} on {addresses}"),
        *([("Largest", largest)] if largest else []),
        *([("Languages", f"about {listed}")] if listed else []),
        *(
            (
                "Beside",
                f"{item['name']}: {item['distinct']:,} distinct ({', '.join(item['examples'])}), "
                f"{format_share(item['missing'])} missing",
            )
            for item in facts.get("attributes", ())
        ),
        *(("Exposed", item["text"]) for item in facts.get("exposures", ())),
        *([("Rejected", reasons)] if rejected else []),
        *(("Note", note) for note in origin.notes),
        ("Format", f"{facts['format']}: {', '.join(facts['files'])}"),
        *([("Memory", format_size(facts["memory"]))] if "memory" in facts else []),
    ]
    text = [f"{_format_log(log)}; {row_note}"]
    text += [f"{head:{_WIDTH}} {value}" for head, value in lines]
    for r in origin.rejects[:REJECTS]:
        column = f" column {r.column}" if r.column is not None else ""
        text.append(f"  {r.file} line {r.line}{column}: {r.reason}")
    if len(origin.rejects) > REJECTS:
        text.append(f"  … --json shows the first {len(origin.rejects):,}")
    return "\n".join(text)


def _format_log(log: LogTotals) -> str:
    text = f"{format_count(len(log), 'row')} of {format_count(len(log.users), 'user')}"
    period = getattr(log, "period", None)
    if period is not None and len(log):
        text += f", {format_utc(period[0])[:10]} to {format_utc(period[1])[:10]}"
    return text


def _format_attacks(verdict: ReleaseVerdict) -> str:
    record, worst, other = verdict.record, verdict.worst, verdict.record.worse_unranked
    if not record.made_attacks:
        return "none was made"
    count = f"{format_count(len(record.made_attacks), 'attack')} made"
    if worst is None:
        return f"{count}; none found anything to try"
    text = f"{count}; the worst is {_format_attack(record, worst)}"
    return text if other is None else f"{text}; of strings, {_format_attack(record, other)}"


def _format_attack(record: ReleaseRecord, attack: AttackRecord) -> str:
    return (
        f"{attack.title}: {describe_rate(record, attack)} ({attack.label}), "
        f"guessing {format_share(attack.baseline)}"
    )


def _list_first_gates(checks: Sequence[GateVerdict]) -> list[str]:
    lines = [f"{check.gate.title} ({check.evidence})" for check in checks[:MOST_LISTED]]
    unlisted = len(checks) - MOST_LISTED
    return (
        [*lines, f"… and {unlisted:,} more: see the report, or say --verbose"]
        if unlisted > 0
        else lines
    )
