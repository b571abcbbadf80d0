"""Near matches on strings of which the answer is known, and the attack on invented people."""

from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.attacks.base import AttackResult
from auditor.attacks.near_linkage.attack import ATTACK, misremember_strings
from auditor.attacks.near_linkage.matching import NearKind, find_near_matches, strip_plural
from auditor.attacks.record_linkage.attack import ATTACK as EXACT
from auditor.attacks.surviving_content.attack import ATTACK as SURVIVING
from auditor.attacks.surviving_content.nearly import count_own_names, find_name, read_nicknames
from auditor.figures import SHARE
from auditor.log.model import Vocabulary
from auditor.log.synthetic.generator import synthesize_log
from tests.attacks.attacked import QUIET, run_attack, table_of, value
from tests.measures.fakes import log_of, made_by, release_of, searches

SYNTHETIC = synthesize_log(150, seed=3).log

attack = partial(run_attack, ATTACK)


def nearest(text: str, *released: str, least: float = 0.85) -> tuple[str, NearKind]:
    matches = find_near_matches([text], Vocabulary.of(released), least, QUIET)
    place = int(matches.place[0])
    return released[place] if place >= 0 else "", NearKind(int(matches.kind[0]))


@pytest.mark.parametrize(
    ("text", "released", "kind"),
    [
        ("rose garden", "rose garden", NearKind.SAME),
        ("rose garden", "garden rose", NearKind.ORDER),
        ("rose-garden", "rose garden", NearKind.ORDER),
        ("Rose Garden", "rose garden", NearKind.ORDER),
        ("cheap hotels boston", "cheap hotel boston", NearKind.PLURAL),
        ("jane doe hartford court", "jane doe hartford", NearKind.WORD),
        ("jane doe hartford", "court jane doe hartford", NearKind.WORD),
        ("brittney spears", "britney spears", NearKind.SPELLING),
        ("birtney spears", "britney spears", NearKind.SPELLING),
        ("diabetis", "diabetes", NearKind.SPELLING),
        ("jane doe", "jane", NearKind.NONE),
        ("cats", "bats", NearKind.NONE),
        ("555 0134 smith", "555 0135 smith", NearKind.NONE),
        ("rose garden", "tulip field", NearKind.NONE),
        ("", "rose", NearKind.NONE),
        ("...", "---", NearKind.NONE),
    ],
)
def test_that_a_pair_gets_its_kind(text: str, released: str, kind: NearKind) -> None:
    assert nearest(text, released)[1] is kind


def test_that_the_nearest_is_taken_and_a_higher_cutoff_finds_fewer_variants() -> None:
    released = ("britney speers", "spears britney", "britney spears lyrics")
    assert nearest("britney spears", *released) == ("spears britney", NearKind.ORDER)
    assert nearest("diabetis", "diabetes", least=0.95) == ("", NearKind.NONE)


@given(st.text(st.sampled_from("abcde "), min_size=7, max_size=18), st.data())
def test_that_no_single_edit_is_missed_by_the_blocks(text: str, data: st.DataObject) -> None:
    text = " ".join(text.split())
    if len(text) < 7:
        return
    position = data.draw(st.integers(0, len(text) - 1))
    other = text[:position] + "x" + text[position + 1 :]
    other = data.draw(st.sampled_from([other, text[:position] + "x" + text[position:], other]))
    assert nearest(text, other, least=0.8)[1] is not NearKind.NONE


def test_that_plurals_lose_their_ending_and_other_words_do_not() -> None:
    words = {"hotels": "hotel", "cities": "city", "boxes": "box", "glass": "glass", "bus": "bus"}
    assert {word: strip_plural(word) for word in words} == words


def test_that_memory_slips_once_and_alike_for_one_seed() -> None:
    strings = ["cheap hotels boston", "new new york", "bookkeeper hall", "rose"] * 500
    first = misremember_strings(strings, 5)
    assert first == misremember_strings(strings, 5)
    assert all(altered != text for altered, text in zip(first, strings, strict=True))
    assert misremember_strings([""], 5) == [""]


@pytest.mark.parametrize(
    ("words", "name", "match"),
    [
        ("bill gates", "bill gates", "exactly"),
        ("william gates", "bill gates", "nearly"),
        ("gates bill", "william gates", "nearly"),
        ("jonathan smithson", "jonathon smithson", "nearly"),
        ("mary gates", "william gates", ""),
        ("bill jones", "william gates", ""),
        ("gates", "william gates", ""),
    ],
)
def test_that_names_match_by_nickname_and_spelling(words: str, name: str, match: str) -> None:
    assert find_name(words.split(), *name.split()) == match


def test_that_the_nicknames_are_lower_case_words() -> None:
    table = read_nicknames()
    assert len(table) > 300
    assert all(name.isalpha() and name == name.lower() for name in table)


def test_that_own_names_are_counted_with_a_control() -> None:
    log = log_of(searches(a="1 bill gates house", b="2 jane doe", c="3 william gates", d="4 roses"))
    names = {"a": "William Gates", "b": "Jane Doe", "c": "Ann Other", "d": "William Gates"}
    counts = count_own_names(log, names, 10, QUIET)
    assert (counts.users, counts.exactly, counts.nearly, counts.foreign) == (4, 1, 1, 1)
    assert [log.queries[code] for code in counts.queries] == ["bill gates house"]


LOG = log_of(
    searches(
        ann="10 cheap hotels boston; 20 rose",
        bob="11 rose; 21 lawn mower repair",
        cid="12 rose; 22 violin lessons",
    )
)
REWRITTEN = log_of(
    searches(
        ann="10 cheap hotel boston; 20 rose",
        bob="11 rose; 21 repair lawn mower",
        cid="12 rose; 22 violin lesson",
    )
)


def test_that_rewritten_queries_are_linked_that_the_exact_attack_misses() -> None:
    result = attack(LOG, release_of(REWRITTEN, ids="keep"), share=1.0)
    assert result.rate == 1.0
    assert value(result, "exact_rank1") == pytest.approx(1 / 3)
    assert value(result, "mapped") == 3
    assert result.baseline == pytest.approx(1 / 3)


def test_that_where_nothing_is_near_the_rate_is_that_of_guessing() -> None:
    content = log_of(searches(ann="10 boston violin", bob="11 lawn lessons"))
    result = attack(LOG, release_of(content, ids="keep"))
    assert value(result, "mapped") == 0
    assert result.rate == result.baseline == 1 / 2


def test_that_vague_memory_defeats_the_exact_attack_alone() -> None:
    release = made_by("frequency-threshold", SYNTHETIC, n=3, ids="keep")
    near, exact = (run_attack(each, SYNTHETIC, release, share=1.0) for each in (ATTACK, EXACT))
    assert value(near, "exact_rank1") == pytest.approx(exact.rate)
    assert near.rate >= exact.rate - 0.05
    vague = attack(SYNTHETIC, release, misremembered=1.0)
    assert vague.rate > 3 * value(vague, "exact_rank1")


def test_that_flagged_strings_get_a_third_verdict(tmp_path: Path) -> None:
    log = log_of(
        searches(
            a="1 zebulon quackenbush herpes",
            b="2 ignatius featherstone cancer",
            c="3 weather",
            d="4 weather",
        )
    )
    content = log_of([("x", "quackenbush zebulon herpes", 1, None), ("x", "weather", 3, None)])
    profiles = tmp_path / "profiles.csv"
    profiles.write_text("user,name\na,Zeb Quackenbush\nc,Carla Weather\n", "utf-8")

    def run(nearly: bool) -> AttackResult:
        return run_attack(
            SURVIVING, log, content, profiles=profiles, reference=log, min_risk=0.0, nearly=nearly
        )

    result = run(nearly=True)
    assert result.rate == value(result, "rate_verbatim") == 0.0
    assert value(result, "rate_nearly") == value(result, "control_nearly") == 0.5
    assert value(result, "strings_surviving_nearly") == 1
    shares = {"rate_nearly", "rate_verbatim", "baseline_nearly", "lead_nearly", "control_nearly"}
    shares |= {"own_name_nearly", "own_name_exactly", "own_name_control"}
    units = {metric.name: metric.unit for metric in result.values}
    assert {units[name] for name in shares} == {SHARE}
    assert table_of(result, "verdicts")
    assert "rate_nearly" not in {metric.name for metric in run(nearly=False).values}
    profiles.write_text("user,name\na,Zeb Quackenbush\nc,Zeb Quackenbush\n", "utf-8")
    assert "own_name_control" not in {metric.name for metric in run(nearly=True).values}
