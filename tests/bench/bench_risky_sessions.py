"""How many of the riskiest sessions deserve their place.

``python -m tests.bench.bench_risky_sessions`` ranks the sessions of the Excite sample by risk and
compares the first ones with judgements made by reading (``tests/data/excite-sessions.tsv``):
whether a session holds what its user would not want known, and of which kind. Prints, for
development users and for those held out (the first byte of the SHA-256 of the user is odd), which
share of the first ones is sensitive and in which share the stated reason is such a kind, with 95 %
Wilson intervals; and the same for the first ones of all users, with those held out among them.
``--development`` leaves the users held out alone, for work on rules.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from auditor.attacks.detection.kinds import PII, EntityKind
from auditor.attacks.intervals import wilson_interval
from auditor.attacks.risk import reasons as why
from auditor.attacks.risk.session_scoring import ScoringRules, SessionScores, score_log
from auditor.log.model import QueryLog
from auditor.log.reading.reader import read_log
from auditor.progress import silent_progress
from tests.bench.bench_detection_quality import is_held_out

DATA = Path(__file__).resolve().parent.parent / "data"
FIRST = (25, 50, 100)
GAP_SECONDS = 30 * 60
_TOPICS = {kind.name.lower() for kind in EntityKind} - {"person", "place", "company", "revealing"}


def read_judgements(path: Path) -> dict[tuple[str, int], frozenset[str]]:
    """User and the session's first row among the user's → the kinds that make it sensitive."""
    lines = path.read_text("utf-8").split("\n")[1:]
    rows = (line.split("\t") for line in lines if "\t" in line)
    return {(user, int(row)): frozenset(kinds.split(",")) - {"none"} for user, row, kinds in rows}


def is_right_reason(reason: int, kinds: frozenset[str]) -> bool:
    """Whether the reason that decided is one of the kinds that a reader found."""
    if reason in (why.NON_STAR, why.LOOKED_UP, why.WITH_PLACE, why.OWN_NAME):
        return "private_person" in kinds
    if reason == why.WITH_ADULT:
        return {"private_person", "adult"} <= kinds
    if reason == why.WITH_REVEALING:
        return "private_person" in kinds and bool(kinds & (_TOPICS - {"adult"}))
    if reason >= len(EntityKind):
        return False
    return EntityKind(reason).name.lower() in kinds or (
        EntityKind(reason) in PII and "identifier" in kinds
    )


def _rank(
    log: QueryLog, scores: SessionScores, held_out: bool | None = None
) -> list[tuple[str, int, int]]:
    """User, row and reason of sessions with a reason, the riskiest first; None: of all users."""
    first_row = np.searchsorted(log.user, np.arange(len(log.users)))
    ranked = []
    for index in np.lexsort((scores.session_rows.start, -scores.session_rows.risk)).tolist():
        code = log.user[scores.session_rows.start[index]]
        user = str(log.users[code])
        if held_out is None or is_held_out(user) == held_out:
            row = int(scores.session_rows.start[index] - first_row[code])
            ranked.append((user, row, int(scores.session_rows.decided[index])))
    return ranked


def _share(hits: int, of: int) -> str:
    low, high = wilson_interval(hits, of)
    return f"{hits:3} of {of:3} = {hits / of:.2f} [{low:.2f}–{high:.2f}]"


def print_shares(
    ranked: list[tuple[str, int, int]],
    judgements: dict[tuple[str, int], frozenset[str]],
    title: str,
    firsts: Sequence[int] = FIRST,
) -> None:
    """Shares of the first sessions; those that nobody judged are left out and counted."""
    print(f"\n{title}: {len(ranked)} sessions with a reason")
    for first in firsts:
        head = [(judgements[user, row], reason) for user, row, reason in ranked[:first]
                if (user, row) in judgements]  # fmt: skip
        if not head:
            print(f"first {first:3}: none judged")
            continue
        sensitive = sum(bool(kinds) for kinds, _ in head)
        right = sum(is_right_reason(reason, kinds) for kinds, reason in head)
        unknown = min(first, len(ranked)) - len(head)
        print(
            f"first {first:3}: sensitive {_share(sensitive, len(head))}, right reason "
            f"{_share(right, len(head))}, not judged {unknown}"
        )


def main() -> None:
    """Rank and compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--development", action="store_true", help="not the users held out")
    options = parser.parse_args()
    log = read_log(DATA / "excite-small.log")
    rules = ScoringRules(
        kinds=frozenset(EntityKind), gap_seconds=GAP_SECONDS, non_star=10, rare_below=0.006,
        min_risk=0.3, variant="default",
    )  # fmt: skip
    scores = score_log(log, None, None, rules, silent_progress())
    judgements = read_judgements(DATA / "excite-sessions.tsv")
    parts = [(False, "development users"), (True, "users held out")]
    for held_out, title in parts[:1] if options.development else parts:
        ranked = _rank(log, scores, held_out)
        print_shares(ranked, judgements, title)
    if not options.development:
        ranked = _rank(log, scores)
        print_shares(ranked, judgements, "all users")
        for first in FIRST:
            head = [item for item in ranked[:first] if is_held_out(item[0])]
            print_shares(
                head, judgements, f"users held out among the first {first} of all", [len(head)]
            )


if __name__ == "__main__":
    main()
