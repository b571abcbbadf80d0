"""How many accounts force a string out, and what one more person's search shows to who has them.

The method of the release runs on logs that hold nothing but planted strings, each issued by so
many made-up accounts: first numbers of accounts far apart, then those between, and last, with new
noise, m − 1 and m accounts, where m is the number found. Somebody who issued a string m − 1 times
and sees it come out concludes that somebody else issued it, too: the n − 1 attack.
"""

import dataclasses
import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from auditor.arrays import Float64s, expand_ranges
from auditor.errors import AuditorError, Cancelled
from auditor.log.model import QueryLog, Vocabulary
from auditor.privacy.release import URL, Anonymized, MethodRerun
from auditor.progress import Progress

JOINT = "\N{MIDDLE DOT}"
"""What stands between the parts of a planted word; in no planted string."""
GAP = "\N{OPEN BOX}"
"""What stands between the words of a planted phrase."""


def plant_words(rerun: MethodRerun, release: Anonymized) -> MethodRerun:
    """`rerun`, or, where `release` holds n-grams, a method that sees every query as one word.

    A planted phrase has `GAP` between its words, and is seen as several. Released words come back
    as the strings that were planted. O(distinct queries) a run.
    """
    if release.tables is None or not release.tables.ngrams:
        return rerun

    def rerun_on_words(log: QueryLog, number: int, progress: Progress) -> Anonymized:
        planted_queries = Vocabulary.of(
            JOINT.join(text.split()).replace(GAP, " ") for text in log.queries.list_strings()
        )
        release = rerun(dataclasses.replace(log, queries=planted_queries), number, progress)
        assert release.tables is not None
        texts = [
            text.replace(" ", GAP).replace(JOINT, " ")
            for text in release.tables.queries.list_strings()
        ]
        tables = dataclasses.replace(release.tables, queries=Vocabulary.of(texts))
        return dataclasses.replace(release, content=tables)

    return rerun_on_words


MOST_ROWS = 60_000
"""Rows of a log of planted strings."""
LADDER = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024)
LADDER_COPIES = 5
STEPS = 24
LAST_COPIES = 1_500
_FEWEST = 20
_FIRST_DAY = 86_400 * 11_574


@dataclass(frozen=True)
class ForcedStrings:
    """What planting showed."""

    accounts: int | None  # fewest whose string comes out every other time at least; None if none do
    # How often strings of one account less come out, of `copies` in the last run.
    before: float = 0.0
    after: float = 0.0  # and of that many
    copies: int = 0

    @property
    def advantage(self) -> float:
        """How much more often a string comes out because one more person issued it."""
        return max(0.0, self.after - self.before)


def needs_clicks(release: Anonymized) -> bool:
    """Whether it shows queries with a clicked page alone."""
    cells = None if release.tables is None else release.tables.alone
    return cells is not None and cells.find_key(URL) is not None


def plant_strings(
    sizes: Sequence[int], copies: int, repeats: int, *, clicked: bool = False
) -> tuple[QueryLog, list[str]]:
    """A log of planted strings, `copies` of each size, and the strings, size by size.

    Each is issued within one day. All are followed by the same click if they are `clicked`.
    """
    texts = ["planted " + str(number) for number in range(len(sizes) * copies)]
    size = np.repeat(np.asarray(sizes, dtype=np.int64), copies)
    string = np.repeat(np.arange(len(texts)), size * repeats)
    moment = expand_ranges(np.zeros(len(texts), dtype=np.int64), size * repeats)
    account = np.repeat(np.arange(int(size.sum())), repeats)
    log = QueryLog.from_columns(
        user=[f"account{number}" for number in account.tolist()],
        query=[texts[number] for number in string.tolist()],
        time=_FIRST_DAY + 86_400 * (string % 28) + 20 * moment % 86_400,
        url=["planted.example"] * len(string) if clicked else None,
    )
    return log, texts


def force_strings(
    rerun: MethodRerun, repeats: int, seed: int, progress: Progress, *, clicked: bool = False
) -> ForcedStrings | None:
    """Find how many accounts force a string out, and measure what one more shows.

    `seed` numbers the runs. None if the method refuses such a log. With `clicked`, accounts click.
    """
    numbers = itertools.count(seed + 1)

    def measure_shares(sizes: Sequence[int], copies: int) -> Float64s | None:
        """The share of the copies of each size that come out; None if the method refuses."""
        log, texts = plant_strings(sizes, copies, repeats, clicked=clicked)
        progress.stage("planting strings")
        try:
            release = rerun(log, next(numbers), progress)
        except Cancelled:
            raise
        except AuditorError:
            return None
        is_released = release.local_content.queries.find(texts) >= 0
        shares: Float64s = is_released.reshape(len(sizes), copies).mean(axis=1)
        return shares

    ladder = [size for size in LADDER if size * repeats * LADDER_COPIES <= MOST_ROWS // 4]
    out = measure_shares(ladder, LADDER_COPIES)
    if out is None:
        return None
    if not (out >= 0.5).any():
        return ForcedStrings(None)
    top = int(np.flatnonzero(out >= 0.5)[0])
    # By chance few copies of the rung below may have stayed back.
    low, accounts = ladder[top - 2] + 1 if top > 1 else 1, ladder[top]
    is_exact = False
    while not is_exact:
        between = sorted({int(x) for x in np.linspace(low, accounts, STEPS).round()})
        is_exact = len(between) == accounts - low + 1
        shares = measure_shares(between, choose_copies(between, repeats))
        if shares is None or not (shares >= 0.5).any():
            break
        place = int(np.flatnonzero(shares >= 0.5)[0])
        low, accounts = between[place - 1] + 1 if place else low, between[place]
    last = [size for size in (accounts - 1, accounts) if size]
    copies = choose_copies(last, repeats)
    ends = measure_shares(last, copies)
    if ends is None:
        return None
    before = float(ends[0]) if accounts > 1 else 0.0  # nobody's string never comes out
    return ForcedStrings(accounts, before, float(ends[-1]), copies)


def choose_copies(sizes: Sequence[int], repeats: int) -> int:
    """How many strings of each size a run plants."""
    return max(_FEWEST, min(LAST_COPIES, MOST_ROWS // max(1, repeats * sum(sizes))))
