"""How well sensitive content is detected: ``python -m tests.bench.bench_detection_quality FILE``.

FILE is a table of labelled real queries (UTF-8, header, columns query and labels, tab between
them, commas between labels). Prints precision, recall and F1 of each kind, with 95 % Wilson
intervals, on the development part and on the part held out: a query belongs to the latter if the
first byte of its SHA-256 is odd. ``--errors KIND`` lists what is wrong, of the development part
alone; ``--development`` leaves the part held out alone, for work on rules. ``--rules source``
measures the source's rules instead, and ``--markdown`` prints the table
of ``resources/docs/detection.md``.

``--origins`` prints, without a file, how many of 60 everyday names of each origin are marked as a
private person's (``tests/data/names-by-origin.toml``), alone and beside "obituary". ``--languages``
prints how many queries on sensitive topics in other languages are marked with their topic.

FILE may have the columns part, sha256 and labels instead, as ``tests/data/trec-labels.tsv``: the
parts are those of the file, and ``--queries FILE …`` are files of one query a line (a number and a
colon before it are dropped) of which those with such a hash are taken.
"""

import argparse
import hashlib
import random
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from auditor.attacks.detection.detector import detect_marks, rule_names
from auditor.attacks.detection.entity_detection import EntityMarks, detect_entities
from auditor.attacks.detection.kinds import TOPICS, EntityKind
from auditor.attacks.intervals import wilson_interval
from auditor.log.gazetteers import TOPIC_LANGUAGES
from auditor.log.model import Vocabulary

Flags = NDArray[np.bool_]
DATA = Path(__file__).parent.parent / "data"
ORIGINS, LANGUAGES = DATA / "names-by-origin.toml", DATA / "topics-by-language.toml"
TOPICS_OF = {"health": ("HEALTH", "GENETIC"), "politics": ("POLITICS", "UNION")}
"""The kinds of a topic of `LANGUAGES` that are not called like it."""


def is_held_out(text: str) -> bool:
    """Whether a query, or a user, belongs to the part on which nobody looks at errors."""
    return hashlib.sha256(text.encode()).digest()[0] & 1 == 1


def read_labels(path: Path) -> list[tuple[str, frozenset[str]]]:
    """Queries and their labels."""
    rows = (line.split("\t") for line in path.read_text("utf-8").split("\n")[1:] if "\t" in line)
    return [(query, frozenset(labels.split(","))) for query, labels in rows]


def read_hashed_labels(
    path: Path, texts: list[Path]
) -> tuple[list[tuple[str, frozenset[str]]], set[str]]:
    """Queries of `texts` and their labels; which of them are held out."""
    rows = (line.split("\t") for line in path.read_text("utf-8").split("\n")[1:] if "\t" in line)
    digests = {digest: (part, frozenset(labels.split(","))) for part, digest, labels in rows}
    by_query: dict[str, frozenset[str]] = {}
    held_out = set()
    for text in texts:
        for line in text.read_text("utf-8", "replace").split("\n"):
            query = re.sub(r"^[0-9]+:", "", line).strip()
            part, labels = digests.get(hashlib.sha256(query.encode()).hexdigest()[:16], ("", None))
            if labels is not None:
                by_query[query] = labels
                if part == "held-out":
                    held_out.add(query)
    return list(by_query.items()), held_out


def _of(*kinds: EntityKind) -> Callable[[EntityMarks], Flags]:
    def choose(marks: EntityMarks) -> Flags:
        return np.isin(marks.kind, [int(kind) for kind in kinds])

    return choose


def _person(public: bool) -> Callable[[EntityMarks], Flags]:
    def choose(marks: EntityMarks) -> Flags:
        flags: Flags = marks.is_of_kind(EntityKind.PERSON) & (marks.is_public == public)
        return flags

    return choose


KINDS: tuple[tuple[str, tuple[str, ...], Callable[[EntityMarks], Flags]], ...] = (
    ("private person", ("private_person",), _person(False)),
    ("public person", ("public_person",), _person(True)),
    ("any person", ("private_person", "public_person"), _of(EntityKind.PERSON)),
    ("place", ("place",), _of(EntityKind.PLACE)),
    ("company or brand", ("company_or_brand",), _of(EntityKind.COMPANY)),
    ("adult", ("adult",), _of(EntityKind.ADULT)),
    ("health", ("health",), _of(EntityKind.HEALTH, EntityKind.GENETIC)),
    ("crime", ("legal_crime",), _of(EntityKind.CRIME)),
    ("money trouble", ("finance_distress",), _of(EntityKind.MONEY)),
    ("religion", ("religion",), _of(EntityKind.RELIGION)),
    ("politics", ("politics",), _of(EntityKind.POLITICS, EntityKind.UNION)),
    ("sexuality", ("sexuality",), _of(EntityKind.SEXUALITY)),
    ("ethnicity", ("ethnicity",), _of(EntityKind.ETHNICITY)),
    ("minors", ("minors",), _of(EntityKind.MINORS)),
    ("distress", ("other_sensitive",), _of(EntityKind.DISTRESS)),
    ("street address", ("street_address",), _of(EntityKind.STREET)),
    ("telephone", ("phone",), _of(EntityKind.PHONE)),
    ("e-mail", ("email",), _of(EntityKind.EMAIL)),
    ("account number", ("account_number",), _of(EntityKind.SSN, EntityKind.CARD)),
)
"""Kind, its labels, and its marks."""


def draw_names(group: dict[str, Any], count: int = 60) -> list[str]:
    """So many everyday names of an origin, some with the last name first where people write so."""
    rng = random.Random(7)
    names: dict[str, None] = {}
    while len(names) < count:
        first, last = rng.choice(group["first"].split()), rng.choice(group["last"].split())
        turned = rng.random() < group["last_first"]
        names[f"{last} {first}" if turned else f"{first} {last}"] = None
    return list(names)


def count_by_origin() -> dict[str, tuple[int, int, int]]:
    """By origin: names that are marked private alone, and beside a cue, of how many."""
    table = tomllib.loads(ORIGINS.read_text("utf-8"))["group"]
    by_origin = {}
    for group in table:
        names = draw_names(group)
        counts = []
        for after in ("", " obituary"):
            marks = detect_marks(Vocabulary.of([name + after for name in names]))
            counts.append(len(np.unique(marks.query[_person(False)(marks)])))
        by_origin[group["name"]] = (counts[0], counts[1], len(names))
    return by_origin


def count_by_language() -> dict[str, dict[str, tuple[int, int]]]:
    """By language and topic: queries marked with it, of how many; of "none" those with any."""
    counts: dict[str, dict[str, tuple[int, int]]] = {}
    for language, table in tomllib.loads(LANGUAGES.read_text("utf-8")).items():
        for topic, text in table.items():
            queries = [query.strip() for query in text.split(";")]
            names = TOPICS_OF.get(topic, (topic.upper(),))
            kinds = TOPICS if topic == "none" else tuple(EntityKind[name] for name in names)
            marks = detect_marks(Vocabulary.of(queries))
            hits = len(np.unique(marks.query[np.isin(marks.kind, kinds)]))
            counts.setdefault(language, {})[topic] = hits, len(queries)
    return counts


def print_languages() -> None:
    """The table of the guide."""
    print("| language | marked with their topic | marked without one |\n|---|---|---|")
    for language, by_topic in count_by_language().items():
        wrong, none = by_topic.pop("none")
        hits, queries = map(sum, zip(*by_topic.values(), strict=True))
        low, high = wilson_interval(hits, queries)
        share = f"{hits} of {queries}: {hits / queries:.2f} [{low:.2f}–{high:.2f}]"
        print(f"| {TOPIC_LANGUAGES[language]} | {share} | {wrong} of {none} |")


def print_origins() -> None:
    """The table of the guide."""
    print("| origin | alone | beside “obituary” |\n|---|---|---|")
    for origin, (alone, beside, of) in count_by_origin().items():
        print(f"| {origin} | {_share(alone, of).strip()} | {_share(beside, of).strip()} |")


def _share(hits: int, of: int) -> str:
    if not of:
        return "      –          "
    low, high = wilson_interval(hits, of)
    return f"{hits / of:5.2f} [{low:.2f}–{high:.2f}]"


def count_hits(
    rows: list[tuple[str, frozenset[str]]],
    marks: EntityMarks,
    labels: tuple[str, ...],
    choose: Callable[[EntityMarks], Flags],
) -> tuple[int, int, int]:
    """Queries that are labelled and marked, that are marked, and that are labelled."""
    truth = np.array([bool(tags.intersection(labels)) for _, tags in rows], dtype=np.bool_)
    marked = np.zeros(len(rows), dtype=np.bool_)
    marked[marks.query[choose(marks)]] = True
    return int((truth & marked).sum()), int(marked.sum()), int(truth.sum())


def print_table(rows: list[tuple[str, frozenset[str]]], marks: EntityMarks, title: str) -> None:
    """Precision, recall and F1 of every kind, by query."""
    print(f"\n{title}: {len(rows):,} queries")
    print(f"{'kind':18}{'labelled':>9}{'marked':>8}  {'precision':18}{'recall':18}{'F1':>6}")
    for name, labels, choose in KINDS:
        hits, marked, there = count_hits(rows, marks, labels, choose)
        score = 2 * hits / (marked + there) if marked + there else 0.0
        print(
            f"{name:18}{there:9}{marked:8}  {_share(hits, marked):18}{_share(hits, there):18}"
            f"{score:6.2f}"
        )


def print_markdown(parts: list[tuple[list[tuple[str, frozenset[str]]], EntityMarks]]) -> None:
    """The table of the guide: development part, then the part held out; kinds with labels alone."""
    columns = "labelled | {0} precision | {0} recall"
    print(f"| kind | dev. {columns.format('dev.')} | held out {columns.format('held-out')} | F1 |")
    print("|---" * 8 + "|")
    for name, labels, choose in KINDS:
        cells, score = [name], 0.0
        for rows, marks in parts:
            hits, marked, there = count_hits(rows, marks, labels, choose)
            shares = [_share(hits, of).strip() if there else "–" for of in (marked, there)]
            cells += [str(there), *shares]
            score = 2 * hits / (marked + there) if marked + there else 0.0
        if any(cell != "0" for cell in (cells[1], cells[4])):
            print(f"| {' | '.join(cells)} | {score:.2f} |")


def print_errors(rows: list[tuple[str, frozenset[str]]], marks: EntityMarks, kind: str) -> None:
    """What was marked wrongly and what was missed, with the rules that did."""
    labels, choose = next((labels, choose) for name, labels, choose in KINDS if name == kind)
    some = marks.take(choose(marks))
    rules = rule_names()
    marked: dict[int, list[str]] = {}
    for index in range(len(some)):
        text = rows[int(some.query[index])][0][int(some.start[index]) : int(some.stop[index])]
        note = f"{text!r} {rules[int(some.rule[index])]} {some.confidence[index]:.2f}"
        marked.setdefault(int(some.query[index]), []).append(note)
    for index, (query, tags) in enumerate(rows):
        right = bool(tags.intersection(labels))
        if right != (index in marked):
            sign = "missed" if right else "wrong "
            print(f"{sign} {query!r} [{','.join(sorted(tags))}] {'; '.join(marked.get(index, []))}")


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path, nargs="?")
    parser.add_argument("--origins", action="store_true", help="recall of names by origin")
    parser.add_argument("--languages", action="store_true", help="recall of topics by language")
    parser.add_argument("--rules", choices=("default", "source"), default="default")
    parser.add_argument("--errors", metavar="KIND", help="list errors of the development part")
    parser.add_argument("--markdown", action="store_true", help="print the table of the guide")
    parser.add_argument("--development", action="store_true", help="not the part held out")
    parser.add_argument("--queries", type=Path, nargs="+", help="the texts of hashed queries")
    options = parser.parse_args()
    if options.languages:
        print_languages()
        return
    if options.origins or options.file is None:
        print_origins()
        return
    parts = []
    if options.queries:
        labelled, apart = read_hashed_labels(options.file, options.queries)
    else:
        labelled = read_labels(options.file)
        apart = {query for query, _ in labelled if is_held_out(query)}
    titles = [(False, "development part"), (True, "held-out part")]
    for held_out, title in titles[:1] if options.development else titles:
        rows = [row for row in labelled if (row[0] in apart) == held_out]
        queries = Vocabulary.of(query for query, _ in rows)
        marks = detect_marks(queries) if options.rules == "default" else detect_entities(queries)
        parts.append((rows, marks))
        if options.markdown:
            continue
        if options.errors is None:
            print_table(rows, marks, title)
        elif not held_out:
            print_errors(rows, marks, options.errors)
    if options.markdown:
        print_markdown(parts)


if __name__ == "__main__":
    main()
