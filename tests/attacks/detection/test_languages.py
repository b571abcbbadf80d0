"""Which languages a log's queries are in, and what is said of those that no list covers."""

import tomllib

import pytest

from auditor.attacks.detection.languages import describe_uncovered, estimate_languages
from auditor.log.gazetteers import TOPIC_LANGUAGES
from auditor.log.model import Vocabulary
from tests.attacks.attacked import QUIET
from tests.bench.bench_detection_quality import LANGUAGES

TABLES = tomllib.loads(LANGUAGES.read_text("utf-8"))
_ENGLISH = (
    "cheap flights to rome; how to boil an egg; used cars; weather tomorrow; santa rosa hotels; "
    "used furniture for sale; best books of the year; what is the capital of france; free games; "
    "movie times; how long does it take; running shoes for women; the new york times; jobs near me"
)
_PORTUGUESE = (
    "previsão do tempo amanhã; como fazer bolo de cenoura; carros usados; receita de frango; "
    "horário dos ônibus; o que significa saudade; jogos de hoje; preço da gasolina; "
    "letras de músicas; casas para alugar; notícias de última hora; como tirar passaporte"
)
ENGLISH, PORTUGUESE = (text.split("; ") for text in (_ENGLISH, _PORTUGUESE))


def shares_of(queries: list[str]) -> dict[str, float]:
    return dict(estimate_languages(Vocabulary.of(dict.fromkeys(queries)), QUIET))


def list_queries(code: str) -> list[str]:
    return [query.strip() for text in TABLES[code].values() for query in text.split(";")]


@pytest.mark.parametrize("code", list(TABLES))
def test_that_the_language_of_a_log_is_told(code: str) -> None:
    assert shares_of(list_queries(code))[TOPIC_LANGUAGES[code]] > 0.9
    assert shares_of(ENGLISH) == {"English": pytest.approx(1.0, abs=0.05)}


def test_that_a_mixture_is_told_by_its_shares() -> None:
    german, french = list_queries("de")[:60], list_queries("fr")[:20]
    shares = shares_of(german + french)
    assert shares["German"] == pytest.approx(0.75, abs=0.08)
    assert shares["French"] == pytest.approx(0.25, abs=0.08)


def test_that_other_alphabets_are_named() -> None:
    shares = shares_of(["погода москва", "тест на беременность", "天気 東京", "ニュース", *ENGLISH])
    assert shares["Cyrillic"] == pytest.approx(2 / 18, abs=0.03)
    assert {"Chinese", "Japanese"} <= shares.keys()


def test_that_only_what_no_list_covers_is_said() -> None:
    def describe(queries: list[str]) -> str:
        return describe_uncovered(Vocabulary.of(dict.fromkeys(queries)), QUIET)

    assert describe(list_queries("de")) == ""
    assert "Portuguese" in describe(ENGLISH + PORTUGUESE)
    assert describe([]) == ""
    assert describe(["", "   ", "xqzt", "12345"]) == ""
