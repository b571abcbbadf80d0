"""What the detector finds in queries, what it leaves alone, and that blocks don't matter."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import auditor
from auditor.attacks.detection import detector, normalization
from auditor.attacks.detection.entity_detection import EntityMarks
from auditor.attacks.detection.kinds import TOPICS, EntityKind
from auditor.attacks.detection.lexicon import form_plural, list_spellings
from auditor.attacks.risk.reasons import SURE
from auditor.errors import ParameterError
from auditor.log import gazetteers
from auditor.log.model import Vocabulary
from tests.attacks.detection.bracketed import find_wrong, list_queries
from tests.bench.bench_detection_quality import (
    KINDS,
    count_by_language,
    count_by_origin,
    read_labels,
)

TYPICAL = Path(__file__).with_name("typical_queries.tsv")


def detect(query: str, **options: Any) -> EntityMarks:
    return detector.detect_marks(Vocabulary.of([query]), detector.DetectorOptions(**options))


def kinds(query: str, **options: Any) -> set[str]:
    return {EntityKind(kind).name.lower() for kind in detect(query, **options).kind.tolist()}


def chance(query: str, kind: EntityKind) -> float:
    """That of the surest mark of a kind; 0 where there is none."""
    marks = detect(query, least=0.01)
    return float(marks.confidence[marks.is_of_kind(kind)].max(initial=0.0))


def marked(query: str, kind: EntityKind, **options: Any) -> list[str]:
    marks = detect(query, **options)
    some = marks.take(marks.is_of_kind(kind))
    return [query[a:b] for a, b in zip(some.start, some.stop, strict=True)]


SPANS = {
    EntityKind.PERSON: """
        [helen pruitt] obituary; phone number for [brenda holloway]; [walter p jankowski]
        [marisol de la cruz]; [maria de souza]; [walter jankowski] toledo ohio; [j r hutchinson]
        [patrick o'malley] attorney; [mary smith]; [mark baker]; [jürgen schäfer]
        [amélie lefèvre] adresse; [kristy allen] texas; [john skidmore] ny; [kari myers] ohio
        [armand rostenkowski]; armand resturant; felicia amusment; [dicaprio leonardo]
        organized mob crime family; [nicolekidman] photos
        in washington; virginia beach va; florida state university; mary kay cosmetics
        eddie bauer; ashley furniture; april fools jokes; rose bushes; jean jackets; bill payment
        summer camps; grace period; new jersey real estate; chase bank; sandy beaches
        christian louboutin; st patrick's day; hope diamond; fort myers florida
        madison heights michigan
    """,
    EntityKind.PLACE: """
        [paris france]; hotels in [london]; [philadelpia] restaurants; [germany]; [tulsa county]
        jobs in [jackson mississippi]; weather [münchen]; cabins on [donner lake]
        [manatee county] permits; salone di [francoforte]; vacanze in [danimarca]; hotel [szarvas]
        apartments [newmexico]; ruins of [ephesus]; hotel in [harrow]; flights to [cali]
        [brookfield wi] furniture; furniture in [maplewood minnesota]; [kalispell] events
        [lake hopatcong] boats; [kalispell] and whitefish; [houston] furniture
        [nj] divorce forms; apartments in [ga] with pool; [durango co]; dvd shops in [casablanca]
        [nags head] cottages; [dulles airport] shuttle; [louisiana] lottery
        [713] area code; where is area code [212]; area codes; area code; area code 7135; room 713
        reading glasses; mobile phones; university of calgary; human guinea pigs
        waukegan news sun; toledo free press; spokane regional medical center
        university of wisconsin madison; yellow labrador; colorado rockies tickets
        beverly hills 90210; boston butt recipe; web md; portishead; cheat codes for san andreas
        alyssa milano; veronica lake photos; high school reunion; toyota; pesto recipe; hot tamale
        grafton state university; moorhead clarion; opelousas daily mail; valdosta state
        ferndale junior college; maplewood furniture; brookfield trademarks; ct scan results
        lumber supply co; al; casablanca dvd
    """,
    EntityKind.EMAIL: "[jkowal1978 aol.com]",
    EntityKind.CARD: """
        [de89 3704 0044 0532 0130 00]; [de89370400440532013000]; de89 3704 0044 0532 0130 01
    """,
    EntityKind.SSN: """
        [ab123456c]; [rssmra85t10a562s]; pesel [44051401359]; dni [12345678z]; ab123456z
        rssmra85t10a562x; 44051401359; 123456789; pesel 44051401358; dni 12345678a
        part number 4405140135
    """,
    EntityKind.STREET: """
        [1423 maple street]; [2200 ne 45th st] seattle; [hauptstrasse 12] köln; [hauptstraße 12]
        [12 rue de la paix]; [calle mayor 15] madrid; [kerkstraat 21]; [via roma 12]
        64-slice ct scan; 2004 mustang drive belt; windows 98 se
    """,
    EntityKind.COORDINATES: "[40.71280 -74.00601]; 95.12 -74.1; 123456789",
    EntityKind.PLATE: "license plate [abc 1234]; 64-slice ct scan; part number 4405140135",
    EntityKind.IP: "[2001:4860:4860::8888]",
    EntityKind.PHONE: "telefon [030 901820]; 123456789; part number 4405140135; 44051401359",
}
"""Queries by kind, with brackets around what must be marked as that kind, and nothing else."""

TOPIC_QUERIES = {
    "health": """
        symptoms of diabetes; diabetis diet; childrens hospitals; blood in urine; panic attacks
        www.breastcancer.org; polydipsia; what is gemcitabine; uveitis pictures; hida scan
        mefenamic acid dosage; aarskog syndrome; tooth extraction; hard of hearing help
        cortisol levels men; ringing in the ears; parkinson s exercises; liver enzymes high
        torn cartilage in the knee; wheel chair ramp; sore elbow bumps; shingles vaccine
        blood in stool
    """,
    "sexuality": "am i gay; nonbinary pronouns; am i trans; grindr; gender dysphoria; lgbtq youth",
    "religion": """
        first baptist church; koran; pope benedict; matthew 23 37; episcopal church
        plymouth brethren history; coptic christians; yeshiva admission; ketubah art; iftar time
        diwali 2004; padre pio prayer; women of the sangha; umbanda; past life regression tape
    """,
    "politics": """
        republican party; governor of texas; irish republican army; nazi flag; pro life rally
        presidential debate schedule
    """,
    "union": "teamsters local 120",
    "ethnicity": "black women dating; korean girls; native american tribes; deportation lawyer",
    "genetic": "paternity test",
    "crime": """
        sex offender registry; divorce records; juvenile crime statistics; bank robber
        how to seal records in ohio; license reinstatement fee; juvenile hall visiting hours
        extradition to canada; beat a ticket; grandparents rights; helmet laws; law
        public intoxication; paroleviolations; deportation lawyer
    """,
    "money": """
        payday loans; bankrupcy lawyer; food stamp application; behind on mortgage; evicted
        wic office hours; repo homes in denver; sell my plasma; cant pay rent help
        lost job no money; need rent money; irs payment plan; debtconsolidation
    """,
    "minors": "preteen models; child abuse; juvenile crime statistics; teen suicide",
    "distress": """
        how to commit suicide; funeral homes; teen suicide; opioid overdose; signs of a batterer
        intimate partner violence; who died today; my dog died; xanax withdrawal; hangover cure
        missing woman went missing; child protective services complaint; feeling lonely
        womensshelter; women s shelters; überdosis; ueberdosis; uberdosis
    """,
    "adult": """
        naked women; freeporn; pussys; playboy magazine; micro bikini photos; gilf pictures
        big beautiful women dating; skinny dipping stories; facials
    """,
}
TRAPS = {
    "health": """
        general hospital spoilers; cancer horoscope; dog ear infection; computer virus removal
        window treatments; the great depression; jobs; walgreens medical; dental association
        medical supplies company; radiology jobs; department of health; dental equipment
        health insurance quotes; nutrition facts; escambia schools; ink refills
        animal clinic hours; tacoma; oklohoma; paloma; academia; nostalgia; knee socks
        leg warmers; metal roof shingles; barstools; bar stools with backs; step stool
    """,
    "sexuality": "brokeback mountain; trans am 1978; pronouns in french; queen size bed",
    "religion": """
        easter bunny crafts; god of war walkthrough; chaper; bad religion; miroslav satan
        salvation army thrift store; jesus garcia; heaven lyrics; greek god costume
    """,
    "ethnicity": "grand cherokee parts; mexican restaurants; minority business",
    "crime": """
        law and order cast; prison break season 2; mother in law gifts; tennis court
        supreme court history; criminal justice degree; law society; mafia season 2; police actor
        moped law ohio; law of gravity; trooper game
    """,
    "money": "jobs in ohio; foreclosed homes; tax sales; check credit card balance",
    "minors": "teens; baby names; child support office; children s chorus",
    "distress": """
        cheat codes ps2; suicide lyrics; holocaust essay; hanging lamps; execution; serenity
    """,
    "adult": """
        opposite sex; sex and the city; dicks sporting goods; essex; ford escort parts
        spa facials boston; hooters wings
    """,
}


@pytest.mark.parametrize("kind", SPANS)
def test_that_what_stands_in_brackets_is_marked_and_nothing_else(kind: EntityKind) -> None:
    assert find_wrong(SPANS[kind], lambda query: marked(query, kind)) == {}


@pytest.mark.parametrize("topic", TOPIC_QUERIES)
def test_that_each_topic_is_found_and_its_known_traps_are_not(topic: str) -> None:
    assert [
        query for query in list_queries(TOPIC_QUERIES[topic]) if topic not in kinds(query)
    ] == []
    assert [query for query in list_queries(TRAPS.get(topic, "")) if topic in kinds(query)] == []


PEOPLE = {
    True: """
        will smith; britney spears; anjelina jolie; elvis presley songs
        martin luther king speech; brittney spears; tom cruise; hank greenfield lyrics
        wilma burgess; theodore frankel; nicolekidman; the winter orchard by brenda kowalczyk
    """,
    False: """
        helen pruitt obituary; mary smith; mark baker; theodore frankel phone number; kari myers
        wilma burgess ohio; a child abused by brenda kowalczyk; brenda kowalczyk
    """,
}
"""By whether the public knows them."""


@pytest.mark.parametrize("public", PEOPLE)
def test_that_people_known_to_the_public_are_told_apart(public: bool) -> None:
    for query in list_queries(PEOPLE[public]):
        marks = detect(query)
        assert marks.is_public[marks.is_of_kind(EntityKind.PERSON)].tolist() == [public], query


def test_that_a_name_has_the_same_key_wherever_it_stands() -> None:
    queries = ["helen pruitt", "obituary of helen pruitt", "helen m pruitt", "helen prewitt"]
    marks = detector.detect_marks(Vocabulary.of(queries))
    people = marks.take(marks.is_of_kind(EntityKind.PERSON))
    assert people.query.tolist() == [0, 1, 2, 3]
    assert len(set(people.name[:3].tolist())) == 1
    assert people.name[3] != people.name[0]


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("diabetes society", "health"), ("walgreens diabetes", "health"), ("midwifery", "health"),
        ("murder trial student", "crime"), ("microsoft fraud", "crime"), ("holocaust", "distress"),
    ],
)  # fmt: skip
def test_that_words_around_a_strong_term_make_it_unsure_and_leave_it(query: str, kind: str) -> None:
    marks = detect(query)
    assert 0 < marks.confidence[marks.is_of_kind(EntityKind[kind.upper()])].max(initial=0) < SURE


def test_that_numbers_of_a_country_that_is_asked_for_need_no_word() -> None:
    assert marked("44051401359", EntityKind.SSN, countries=("PL",)) == ["44051401359"]


def test_that_a_rule_can_be_switched_off_and_counted_less() -> None:
    assert "health" in kinds("breast cancer")
    assert "health" not in kinds("breast cancer", rule_weights=(("health:disease", 0.0),))
    full, less = (
        detect("helen pruitt", least=0.1, rule_weights=weights)
        for weights in ((), (("person:name", 0.5),))
    )
    assert less.confidence[0] == pytest.approx(full.confidence[0] / 2, abs=0.01)


def test_that_only_the_wanted_kinds_are_marked() -> None:
    query = "helen pruitt breast cancer dallas texas jo@example.org"
    for kind in (EntityKind.PERSON, EntityKind.HEALTH, EntityKind.PLACE, EntityKind.EMAIL):
        assert kinds(query, kinds=frozenset({kind})) == {kind.name.lower()}


@pytest.mark.parametrize(
    "wrong",
    [
        {"kinds": ["nonsense"]}, {"countries": ["Germany"]}, {"countries": ["UK"]}, {"least": 1.5},
        {"rule_weights": {"x": -1.0}},
    ],
)  # fmt: skip
def test_that_options_out_of_bounds_are_refused(wrong: dict[str, Any]) -> None:
    right: dict[str, Any] = {"kinds": [], "countries": ["US"], "least": 0.5, "rule_weights": {}}
    with pytest.raises(ParameterError):
        detector.options_of(**(right | wrong))


def same(first: EntityMarks, second: EntityMarks) -> bool:
    columns = ("query", "start", "stop", "kind", "rule", "term", "name", "confidence", "is_public")
    return all(np.array_equal(getattr(first, c), getattr(second, c)) for c in columns)


PIECES = (
    "helen pruitt john smith diabetes symptoms paris texas 614 263 8871 jo@example.org www. .com",
    "gay bar porn child church hauptstr. 12 «é» \u0130 ' - , diabetis @ 1234567890 in of",
)
WORDS = st.sampled_from(" ".join(PIECES).split())


@given(st.lists(st.lists(WORDS, max_size=8).map(" ".join), unique=True, max_size=12))
def test_that_blocks_and_threads_change_nothing(queries: list[str]) -> None:
    marks = detector.detect_marks(Vocabulary.of(queries))
    assert same(marks, detector.detect_marks(Vocabulary.of(queries), block_bytes=16, threads=1))
    for query, start, stop in zip(marks.query, marks.start, marks.stop, strict=True):
        assert 0 <= start < stop <= len(queries[query])


def test_that_typical_queries_are_marked_rightly() -> None:
    rows = read_labels(TYPICAL)
    marks = detector.detect_marks(Vocabulary.of(query for query, _ in rows))
    for name, labels, choose in KINDS:
        truth = np.array([bool(present & set(labels)) for _, present in rows])
        detected = np.zeros(len(rows), dtype=np.bool_)
        detected[marks.query[choose(marks)]] = True
        hits = int((truth & detected).sum())
        if name not in ("company or brand", "telephone") and truth.any():
            assert hits >= 0.75 * detected.sum(), name
            assert hits >= 0.85 * truth.sum(), name


def test_that_the_library_gives_a_table_with_a_row_a_mark_in_the_order_of_the_queries() -> None:
    queries = ["helen pruitt", "weather", "symptoms of diabetis", "helen pruitt"]
    table = auditor.detect(queries, text=True)
    assert table["query"].is_monotonic_increasing
    assert set(table["query"]) == {0, 2, 3}
    columns = ["query", "text", "kind", "rule", "term", "known"]
    assert table[columns].iloc[0].tolist() == [
        0, "helen pruitt", "person", "person:name", "", False
    ]  # fmt: skip
    assert ["health:disease", "diabetes"] in table[["rule", "term"]].to_numpy().tolist()
    assert table["confidence"].between(0.5, 1.0).all()
    assert auditor.detect([]).empty
    assert auditor.detect(["helen pruitt"], kinds=["place"]).empty
    holes = [None, "helen pruitt", float("nan"), pd.NA, ""]
    table = auditor.detect(pd.Series(holes, index=[9, 8, 7, 6, 5]))
    assert len(table) == len(auditor.detect(["helen pruitt"])) > 0
    assert set(table["query"]) == {1}


def test_that_cues_speak_for_a_name_and_goods_after_it_against_it() -> None:
    person = EntityKind.PERSON
    alone = chance("walter jankowski", person)
    assert chance("walter jankowski obituary", person) > alone >= 0.5
    assert chance("walter jankowski blue suede boots", person) < 0.5
    goods, craft = (chance(f"donald hargrove {w}", person) for w in ("porcelain", "plumbing"))
    assert 0 < goods < craft


def test_that_a_term_inside_one_of_its_kind_counts_once() -> None:
    inner, outer = (chance(query, EntityKind.HEALTH) for query in ("cancer", "breast cancer"))
    assert inner == pytest.approx(outer)


def test_that_what_takes_places_away_is_no_mark_itself_and_lost_letters_part_no_word() -> None:
    marks = detector.detect_marks(Vocabulary.of(["boston butt recipe", "hotels in boston"]))
    assert marks.query.tolist() == [1]
    assert (marks.name >= -1).all()
    queries = ["dystrophie musculaire duch\ufffdne", "københavn", "łódź"]
    assert [marked(query, EntityKind.PLACE) for query in queries] == [[], ["københavn"], ["łódź"]]


@pytest.mark.parametrize(
    ("query", "least", "most"),
    [
        ("mrs kowalczyk", 0.5, 1.0), ("dr. kowalczyk dentist", 0.5, 1.0),
        ("dorothy kowalczyk realty", 0.5, 1.0), ("dorothy kowalczyk m.d.", 0.9, 1.0),
        ("dorothy kowalczyk race", 0.5, 1.0), ("dorothy kowalczyk memorial hospital", 0.0, 0.6),
        ("dr martens boots", 0.0, 0.0), ("mrs fields cookies", 0.0, 0.0), ("mr coffee", 0.0, 0.0),
    ],
)  # fmt: skip
def test_that_titles_and_trades_make_no_name_public(query: str, least: float, most: float) -> None:
    marks = detect(query)
    private = marks.confidence[marks.is_of_kind(EntityKind.PERSON) & ~marks.is_public]
    assert least <= private.max(initial=0.0) <= most


@pytest.mark.parametrize("wrong", ["helen pruitt", b"helen pruitt", [b"helen"], ["a", 5], [["a"]]])
def test_that_what_is_no_list_of_strings_is_refused(wrong: Any) -> None:
    with pytest.raises(ParameterError, match=r"is (one|no) string"):
        auditor.detect(wrong)


@pytest.mark.parametrize("query", ["renal zamartoma", "xanthofibromas", "cholangioplasty cost"])
def test_that_an_unknown_word_with_a_medical_ending_is_health(query: str) -> None:
    marks = detect(query)
    assert "medical ending" in {
        detector.term_names()[term] for term in marks.term.tolist() if term >= 0
    }
    assert EntityKind.HEALTH in marks.kind


def test_that_lists_under_one_heading_are_one_list() -> None:
    read = gazetteers.term_contexts()["factor 0.6 health crime religion money"]
    assert {"department", "equipment", "association", "society"} <= set(read)


INVISIBLE = ["\x00", "\x07", "\x1f", "\x7f", "\x9b", "\xad", "\u0301", "\u200b", "\u200d", "\u202e",
             "\u2060", "\ufeff", "\ufe0f", "\U000e0041"]  # fmt: skip
IDENTIFYING = [
    ("redbel@aol.com", "email"),
    ("call 212-555-0147 today", "phone"),
    ("ssn 536-22-1457", "ssn"),
    ("maria kowalczyk divorce", "person"),
    ("1600 maple street springfield", "street"),
    ("suicide methods", "distress"),
]


@given(
    st.sampled_from(IDENTIFYING),
    st.lists(st.tuples(st.integers(1, 40), st.sampled_from(INVISIBLE)), min_size=1, max_size=4),
)
def test_that_invisible_signs_hide_nothing(
    known: tuple[str, str], inserted: list[tuple[int, str]]
) -> None:
    query, kind = known
    assert kind in kinds(query)
    for place, sign in inserted:
        index = min(place, len(query) - 1)
        query = query[:index] + sign + query[index:]
    assert kind in kinds(query)


@pytest.mark.parametrize("size", [1, 1 << 24])
def test_that_a_mark_stands_where_the_query_has_it_and_is_there_once(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Spans are those of the query as it is; what both readings find is one mark."""
    monkeypatch.setattr(normalization, "_LOOKED_AT", size)
    queries = ["weather", "", "e-mail r\x07edbel@a\u200bol.com now", "\u200b", "bel@aol.com"]
    table = auditor.detect(queries, text=True)
    emails = table[table["kind"] == "email"][["query", "start", "stop", "text"]]
    assert emails.to_numpy().tolist() == [
        [2, 7, 23, "r\x07edbel@a\u200bol.com"], [4, 0, 11, "bel@aol.com"]
    ]  # fmt: skip
    spread = auditor.detect(["red\x07bel\x07@aol.com"])
    assert spread["kind"].tolist().count("email") == 1


def test_that_names_of_every_origin_and_topics_in_five_other_languages_are_found() -> None:
    """A gate that protects by origin would be a scandal: three in four of each beside a cue.

    Queries in other languages were written by somebody who had not seen the lists.
    """
    for origin, (alone, beside, of) in count_by_origin().items():
        assert beside >= 0.78 * of, origin
        assert alone >= 0.7 * of, origin
    for language, by_topic in count_by_language().items():
        wrong, none = by_topic.pop("none")
        hits, queries = map(sum, zip(*by_topic.values(), strict=True))
        assert queries >= 45, language
        assert hits >= 0.6 * queries, language
        assert wrong <= 0.1 * none, language


def test_that_a_foreign_word_that_is_english_marks_no_english_query() -> None:
    """ "robo" is a robbery in Spanish, "gale" scabies in French, "bite" what no list should say."""
    english = ["robo advisor", "gale force winds", "bite size", "tribunal", "fiscal year", "cure"]
    foreign = gazetteers.foreign_topic_terms()
    assert {"robo", "gale", "bite"} <= {term for terms in foreign.values() for term in terms}
    assert not np.isin(detector.detect_marks(Vocabulary.of(english)).kind, TOPICS).any()


def test_that_a_term_has_other_spellings() -> None:
    assert list_spellings("womens shelter", frozenset()) == ["women s shelter", "womensshelter"]
    assert list_spellings("hand job", frozenset()) == []
    assert list_spellings("section 8 housing", frozenset()) == []
    assert list_spellings("battle field", {"battlefield"}) == []
    assert form_plural("felony") == "felonies"
    assert form_plural("bus") == "bus"
