"""Linking by meaning: against a naive page, on rewritten logs, with the extra and without it."""

import dataclasses
import json
import logging
import socket
import sys
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from auditor.__main__ import main
from auditor.arrays import Float32s
from auditor.attacks import semantic_linkage
from auditor.attacks.base import Evidence
from auditor.attacks.near_linkage import attack as near_linkage
from auditor.attacks.record_linkage.targets import LinkageTargets
from auditor.attacks.registry import ATTACKS
from auditor.attacks.semantic_linkage import (
    ATTACK,
    KnownMeanings,
    SemanticLinkageParams,
    explain_missing,
    link_by_meaning,
    normalize_vectors,
)
from auditor.errors import MissingInput
from auditor.log.model import QueryLog, Vocabulary
from auditor.log.synthetic.generator import synthesize_log
from auditor.measures.registry import MEASURES
from tests.attacks.attacked import QUIET, run_attack, value
from tests.measures import fakes
from tests.measures.fakes import log_of, made_by, release_of, searches
from tests.narrowing import present
from tests.reference.attacks import semantic_linkage as naive

WORDS = ("rose", "tulip", "car", "auto", "doctor", "physician", "mower", "violin", "dog", "hound")


def invent_vector(text: str) -> naive.Vector:
    """Numbers that depend on the text alone; words of one pair lean the same way."""
    total = np.zeros(6)
    for word in text.split():
        index = WORDS.index(word) if word in WORDS else len(WORDS) + zlib.crc32(word.encode())
        total += 2 * np.random.default_rng(index // 2).normal(size=6)
        total += np.random.default_rng(100 + index).normal(size=6)
    return tuple(total.tolist())


def encode_invented(texts: Sequence[str]) -> Float32s:
    if not texts:
        return np.zeros((0, 6), dtype=np.float32)
    return normalize_vectors(np.array([invent_vector(text) for text in texts], dtype=np.float32))


def random_log(rng: np.random.Generator, users: int, longest: int) -> QueryLog:
    rows = [
        (f"u{user}", " ".join(sorted(rng.choice(WORDS, rng.integers(1, 4), False))), row, None)
        for user in range(users)
        for row in range(int(rng.integers(1, longest)))
    ]
    return log_of(rows)


@pytest.mark.parametrize("least", [0.4, 0.9])  # the closest few decide, or the least likeness
@pytest.mark.parametrize("seed", range(3))
def test_that_scores_are_those_of_a_naive_page(
    seed: int, least: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(semantic_linkage, "RELEASED_BLOCK", 5)
    monkeypatch.setattr(semantic_linkage, "KNOWN_BLOCK", 3)
    monkeypatch.setattr(semantic_linkage, "MOST_ENTRIES", 7)
    rng = np.random.default_rng(seed)
    log = random_log(rng, 12, 9)
    drop = rng.random(len(log)) < 0.5
    drop[:2] = False
    released = log.rows(~drop)
    evidence = Evidence(log=log, release=release_of(released, ids="keep"))
    drawn = LinkageTargets.draw(evidence, 100, 0.6, np.random.default_rng(seed), QUIET)
    meanings = KnownMeanings.look_up(
        log, drawn.knowledge, released=released, encode=encode_invented, least=least, limit=2,
        seed=3, progress=QUIET,
    )  # fmt: skip
    strings = meanings.choose_strings(0.0)
    knowledge = dataclasses.replace(
        drawn.knowledge, keys=strings[np.searchsorted(meanings.codes, drawn.knowledge.keys)]
    )
    ranking = semantic_linkage.score_translated(knowledge, meanings.records, drawn.record, QUIET)
    vocabulary = [released.queries[code] for code in sorted(set(released.query.tolist()))]
    vectors = {text: invent_vector(text) for text in {*vocabulary, *meanings.strings}}
    nearly = {
        text: (released.queries[int(place)], float(likeness) ** near_linkage.STEEPNESS)
        for text, place, likeness in zip(
            meanings.strings, meanings.true.place, meanings.true.likeness, strict=True
        )
        if place >= 0
    }
    stand = {
        text: naive.find_meanings(text, vectors, vocabulary, nearly, least, 2)
        for text in meanings.strings
    }
    assert any(len(weights) > 1 for weights in stand.values())
    records: dict[str, list[str]] = {}
    for row in range(len(released)):
        user = released.users[int(released.user[row])]
        records.setdefault(user, []).append(released.queries[int(released.query[row])])
    for target in range(len(drawn.users)):
        span = slice(int(drawn.knowledge.starts[target]), int(drawn.knowledge.starts[target + 1]))
        remembered = [
            log.queries[int(code)]
            for code, count in zip(
                drawn.knowledge.keys[span], drawn.knowledge.counts[span], strict=True
            )
            for _ in range(int(count))
        ]
        scores = naive.score_records(records, remembered, stand)
        mine = scores[released.users[int(drawn.record[target])]]
        assert ranking.top[target, 0] == pytest.approx(max(scores.values()), rel=1e-5)
        assert ranking.before[target] == sum(
            other > mine + 1e-6 * (1 + mine) for other in scores.values()
        )
        assert ranking.level[target] == sum(
            abs(other - mine) <= 1e-6 * (1 + mine) for other in scores.values()
        )


def test_that_neighbours_are_those_of_all_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(semantic_linkage, "RELEASED_BLOCK", 5)
    monkeypatch.setattr(semantic_linkage, "KNOWN_BLOCK", 3)
    rng = np.random.default_rng(2)
    texts = sorted({" ".join(sorted(rng.choice(WORDS, 2, replace=False))) for _ in range(60)})
    queries, released = encode_invented(texts[::3]), Vocabulary.of(texts)
    nearest = semantic_linkage.find_neighbours(
        queries, released, encode_invented, least=0.93, neighbour_limit=4, progress=QUIET
    )
    for index, text in enumerate(texts[::3]):
        alike = {other: naive.cosine(invent_vector(text), invent_vector(other)) for other in texts}
        oracle = sorted((other for other in texts if alike[other] >= 0.93), key=lambda t: -alike[t])
        mine = nearest.known_query == index
        assert [texts[place] for place in nearest.place[mine]] == oracle[:4]
        assert nearest.cosine[mine] == pytest.approx([alike[t] for t in oracle[:4]], abs=1e-5)


LOG = log_of(
    searches(
        ann="10 doctor rose; 20 violin",
        bob="11 car mower; 21 violin",
        cid="12 dog tulip; 22 violin",
    )
)
REWORDED = log_of(
    searches(
        ann="10 physician rose; 20 violin",
        bob="11 auto mower; 21 violin",
        cid="12 hound tulip; 22 violin",
    )
)
RELEASE = release_of(REWORDED, ids="keep")


def link(
    evidence: Evidence,
    encode: Callable[[Sequence[str]], Float32s] = encode_invented,
    seed: int = 0,
    **values: Any,
) -> near_linkage.LinkageByWay[KnownMeanings]:
    params, rng = SemanticLinkageParams(**values), np.random.default_rng(seed)
    return link_by_meaning(evidence, params, encode, rng, QUIET)


def rates(linkage: near_linkage.LinkageByWay[KnownMeanings]) -> list[float]:
    return [outcome.scores.compute_rate() for outcome in linkage.outcomes]


def test_that_other_words_are_linked_that_others_miss(monkeypatch: pytest.MonkeyPatch) -> None:
    strangers = log_of([("eve", "doctor tulip", 5, None), ("fay", "violin", 6, None)])
    evidence = Evidence(log=LOG, release=RELEASE, reference=strangers)
    linkage = link(evidence, share=1.0)
    assert rates(linkage) == pytest.approx([1 / 3, 1 / 3, 1.0])
    assert linkage.mapping.count_matches(0.0) == (1, 0, 3, 0)
    assert len(present(linkage.best.strangers).closest) == 2
    monkeypatch.setattr(semantic_linkage, "MOST_KNOWN", 1)  # too many known queries
    linkage = link(evidence, share=1.0)
    assert linkage.mapping.left_out > 0
    assert sum(linkage.mapping.count_matches(0.0)) == 4
    assert rates(linkage)[2] < 1


def test_that_without_a_like_meaning_it_is_the_near_attack() -> None:
    log = synthesize_log(120, seed=3).log
    evidence = Evidence(log=log, release=made_by("frequency-threshold", log, n=3, ids="keep"))
    linkage = link(evidence, lambda texts: np.zeros((len(texts), 4), np.float32), seed=1)
    near = fakes.run_attack(near_linkage.ATTACK, evidence, seed=1)
    assert rates(linkage)[1] == pytest.approx(near.rate)
    assert rates(linkage)[0] == pytest.approx(near.details["exact_rate"])
    assert rates(linkage)[2] == pytest.approx(near.rate, abs=0.02)


def test_that_paraphrases_are_other_words_of_the_table() -> None:
    strings = ["cheap hotel boston", "zebulon", "cell phone repair", ""]
    first = near_linkage.paraphrase_strings(strings, 4)
    assert first == near_linkage.paraphrase_strings(strings, 4)
    assert first[1::2] == ["zebulon", ""]
    assert first[0] != strings[0]
    assert first[0].endswith("boston")
    assert "cell phone" not in first[2]
    table = near_linkage.read_synonyms()
    assert len(table) > 400
    assert all(term not in others for term, others in table.items())
    assert all(term == term.lower() and len(term.split()) <= 3 for term in table)
    assert all(term in table[other] for term, others in table.items() for other in others)


# --- without the extra ------------------------------------------------------------------------


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wordllama", None)


@pytest.mark.usefixtures("without")
def test_that_the_command_line_says_without_the_extra_what_to_install(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log, policy = tmp_path / "log.tsv", tmp_path / "policy.toml"
    rows = [f"{user}\tgarden chairs\t2006-03-01 10:{user:02d}:00\n" for user in range(40)]
    log.write_text("AnonID\tQuery\tQueryTime\n" + "".join(rows), encoding="utf-8")
    policy.write_text(
        'format = "auditor policy 1"\nname = "meanings"\n'
        '[[gate]]\nname = "meaning"\ntitle = "Seldom linked by meaning"\n'
        'figure = "attack.semantic-linkage.rate"\nmost = 0.05\nwhy = "A test."\n',
        encoding="utf-8",
    )
    release = str(tmp_path / "audit")
    method = ["--method", "frequency-threshold", "-p", "n=2", "-p", "ids=keep"]
    others = (name for name in (*ATTACKS, *MEASURES) if name != ATTACK.name)
    skipped = [word for name in others for word in ("--skip", name)]
    options = ["--policy", str(policy), "--out", release, "--json"]
    assert main(["audit", str(log), *method, *skipped, *options]) in (0, 1)
    gate = json.loads(capsys.readouterr().out)["gates"]["results"][0]
    assert gate["verdict"] != "passed"
    assert "[semantic]" in json.dumps(gate)
    assert main(["attack", "semantic-linkage", str(log), release]) == 2
    assert "[semantic]" in capsys.readouterr().err
    with pytest.raises(MissingInput, match="Install them again"):
        semantic_linkage.load_encoder()


# --- with the extra ---------------------------------------------------------------------------

needs_extra = pytest.mark.skipif(explain_missing() != "", reason="the extra is not installed")


@needs_extra
def test_that_the_weights_are_in_the_package_and_nothing_is_fetched(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("went to the network")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setenv("HOME", str(tmp_path))
    root = logging.getLogger()
    before = (root.level, list(root.handlers))
    encode = semantic_linkage.load_encoder()
    assert (root.level, list(root.handlers)) == before
    assert not list(tmp_path.iterdir())
    doctor, physician, mower, blank, long = encode(
        ["doctor chicago", "Physician, Chicago", "lawn mower", "?!", "rose " * 10_000]
    )
    assert doctor @ physician > 0.7
    assert abs(doctor @ mower) < 0.3
    assert not blank.any()
    assert np.linalg.norm(long) == pytest.approx(1, abs=1e-5)


@needs_extra
def test_that_paraphrased_knowledge_is_found_more_often_than_by_letters() -> None:
    log = synthesize_log(400, seed=7).log
    release = made_by("frequency-threshold", log, n=2, ids="keep")
    result = run_attack(ATTACK, log, release, paraphrased=1.0)
    assert result.rate > value(result, "near_rank1")
    assert value(result, "near_rank1") >= value(result, "exact_rank1") - 0.02
    assert [len(series.x) for series in result.figures[0].series] == [3, 3, 3]
    assert value(result, "mapped_by_meaning") == result.tables[0].rows[2][1]
