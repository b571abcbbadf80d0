"""What releases of today give away: ``python -m tests.bench.bench_todays_releases [LOG] [NAME …]``.

Releases as others make or order them, made by the program from the sample (or LOG) and attacked:
an id for ever (AOL, 2006), a pseudonym a day without addresses and numbers (the counterproposal of
2026), an allowlist of words with an id a day or a mini-session (the order of 2026), numbers for
words (Yandex), queries with their pages above thresholds (the scheme of 2024, ORCAS), scores and an
index (Bing, Google), noisy counts and an index of public phrases (Wikimedia, Google). A log of
50,000 users or more has the published limits; a smaller one has limits scaled to it. Columns NAME
of LOG are kept beside it: with ``auditor synth DIR --users 100000 --attributes`` these are country,
region, language, device, signed_in.
"""

import sys
from collections.abc import Iterator
from functools import partial
from typing import Any

import auditor
from auditor.errors import ParameterError
from auditor.figures import format_share
from auditor.log.model import QueryLog
from auditor.privacy.release import Anonymized
from tests.bench.measuring import print_head, print_row

MANY_USERS = 50_000
PAIR_USERS = 5
ATTACKS = {
    "unicity": "three known queries single out",
    "record-linkage": "half of the queries known: found again",
    "mini-session-linkage": "records linked to another day",
    "composition-exposure": "queries of fewer than 5 users, of common words",
    "surviving-content": "users at risk who still show something",
    "attribute-inference": "topics inferred",
    "masked-completion": "masked words guessed",
}


def list_releases(log: QueryLog) -> Iterator[tuple[str, Anonymized]]:
    """Title and release."""
    published = len(log.users) >= MANY_USERS
    word_users, query_users = (50, 30) if published else (10, 10)
    grouped = published and log.attributes
    options: dict[str, Any] = {"columns": "keep", "group": 1000} if grouped else {}
    words = f"words of {word_users} users"
    allowlist = partial(auditor.anonymize, log, "entity-allowlist", k_entity=word_users, **options)
    yield "an id for ever", auditor.anonymize(log, "frequency-threshold", n=1)
    yield "an id a day, no addresses or numbers", auditor.anonymize(log, "day-pseudonyms")
    yield f"{words}, an id a day", allowlist()
    yield f"{words}, an id for 3 searches", allowlist(session_queries=3, session_gap=30)
    yield f"{words}, others masked", allowlist(forbidden="mask")
    yield "random numbers for users and words", auditor.anonymize(log, "numbered-sessions")
    yield (
        f"queries of {query_users} users, pages of {PAIR_USERS}",
        auditor.anonymize(log, "query-result-threshold", k_query=query_users, k_cell=PAIR_USERS),
    )
    yield f"pairs of {PAIR_USERS} users", auditor.anonymize(log, "click-pairs", k=PAIR_USERS)
    yield (
        f"scores of queries of {PAIR_USERS} users a day",
        auditor.anonymize(log, "popularity-score", k=PAIR_USERS),
    )
    yield (
        f"an index of queries of {PAIR_USERS} users a week",
        auditor.anonymize(log, "trends-index", T=PAIR_USERS, sample=1.0, step="week"),
    )
    yield "noisy counts of public phrases", auditor.anonymize(log, "dp-public-key-counts")
    yield "a noisy index of public phrases", auditor.anonymize(log, "dp-relative-index", m=1)


def judge(log: QueryLog, release: Anonymized) -> list[str]:
    """Searches whose query is released, and what each attack finds of how many people."""
    volume = auditor.measure("volume", log, release)
    values = {value.name: value.value for value in volume.values}
    share = values.get("volume.searches_share")
    cells = ["words replaced" if share is None else format_share(share)]
    for name in ATTACKS:
        try:
            score = auditor.attack(name, log, release)
        except ParameterError:
            cells.append("–")
            continue
        low, high = map(format_share, score.interval)
        text = f"{format_share(score.rate)} ({low} to {high}); {format_share(score.baseline)}"
        cells.append(text + ("" if score.control is None else f"; {format_share(score.control)}"))
    return cells


def main(words: list[str]) -> int:
    """Print the table: searches kept, then rate, interval; guessing; control."""
    columns: Any = {name: name for name in words[1:]}
    log = auditor.read_log(words[0], **columns) if words else auditor.load_sample()
    print_head(["release", "searches", *ATTACKS.values()])
    for title, release in list_releases(log):
        print_row([title, *judge(log, release)])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
