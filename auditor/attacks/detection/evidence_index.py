"""The detector's word lists as arrays that a kernel can walk: words, phrases, topics, roles.

Every word has an id, found by hashing its bytes, with its frequency and how much more often it
is a name than that frequency says. A phrase is a path of word ids from the root of one tree; its
last node tells what the phrase is: terms of topics, a brand, somebody known, a place, a role.
Built in about five seconds and kept between runs; O(bytes of the lists).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from auditor.arrays import Float32s, Float64s
from auditor.attacks.detection import rules as bits
from auditor.attacks.detection.kinds import EntityKind
from auditor.attacks.detection.lexicon import (
    PhraseTreeBuilder,
    build_hash_table,
    fill_column,
    form_plural,
    list_spellings,
    split_words,
)
from auditor.attacks.detection.rules import ROLES, RULE
from auditor.attacks.detection.tables import EvidenceLists, SpellingTable
from auditor.log import gazetteers
from auditor.log.built_lists import keep_between_runs
from auditor.log.gil_friendly import sorted_distinct

KINDS = len(EntityKind)
SUREST_RATIO = 3.0
"""Names and words are compared no further than a thousandfold."""
UNLISTED_ZIPF = 1.0
"""Zipf frequency of a word that no list of frequencies has: ten in a thousand million."""
FUZZY_LETTERS = 6
"""Letters from which a word may be a misspelt term."""
COMMON_LETTERS = 7
"""Letters from which a word may be a misspelt word of the dictionary."""
WRITTEN = 1.5
"""Zipf frequency from which a term of an open list is looked for in misspelt words."""
FUZZY_WEIGHT = 0.5
"""Weight from which a term is looked for in misspelt words."""
LARGE_US_CITY, LARGE_CITY = 250_000, 1_000_000
"""Inhabitants from which a city's name speaks against a person's, here and abroad."""
SPELT_CITY = 100_000
"""Inhabitants from which a city in the US is recognised in misspelt words."""
RARE_BEARERS = 300
"""Bearers in the US up to which a misspelt name is taken for that of somebody known."""
GLUED_LETTERS = 9
"""Letters from which a word may be the name of somebody known, run together."""
FEW_BEARERS, US_PEOPLE = 20, 2.5e8
"""Bearers in the US below which a name turned round is taken for that of somebody known."""
PARTICLES = frozenset(
    ["st", "saint", "de", "la", "del", "van", "von", "der", "den", "du", "al", "el", "ibn", "abu"]
)
CITY_ABROAD, NAMESAKE = 100_000, 4
"""Inhabitants below which a town abroad needs a word beside it that says so, and how many times
those of its namesake in the US; one called like a brand needs it up to `LARGE_CITY`."""
NOTABLE = 50_000
"""Inhabitants that stand for a landmark, or a country's name in another language."""
ENGLISH_WORD, ALSO_ENGLISH = 3.0, 0.5
"""Zipf frequency in English from which a word of another language's list is left out, and the
weight of rarer words that English has, too, and of names."""
TOWN = 2_000
"""Inhabitants from which a town in the US is known beside a word such as "in" or "police"."""
COMMON = 3.6
"""Zipf frequency from which a word of the dictionary is hardly ever a city."""

_ENTRY_COLUMNS = {
    "entry_kind": np.uint8,
    "entry_rule": np.uint16,
    "entry_term": np.int32,
    "entry_weight": np.float32,
    "entry_alone": np.float32,
    "last_entry": np.bool_,
}
_MEDICAL = "medical ending"
"""The term of words with such an ending that no list has."""


@dataclass(frozen=True, eq=False, kw_only=True)
class EvidenceIndex:
    """The detector's word lists, its model of names, and what the numbers in marks mean."""

    lists: EvidenceLists
    # Coefficients of the model of names, as `evidence_kernels` fills its features in, then slope
    # and constant by which the log odds that words are a name become those that they are a private
    # person's: most names that no list has are famous ones all the same. What each looks at stands
    # in ``resources/detection/person-model.tsv``.
    person: Float64s
    # rules, terms: names of rules and terms, by number
    rules: tuple[str, ...]
    terms: tuple[str, ...]


@keep_between_runs("evidence-index")
def evidence_index() -> EvidenceIndex:
    """The index of the lists that ship with the program."""
    build = _IndexBuilder()
    build.add_topics()
    build.add_contexts()
    for role, words in (*gazetteers.cue_words().items(), *gazetteers.role_words().items()):
        build.add_role(words, ROLES.get(role, 0))
    build.add_families()
    return build.finish()


_WITHOUT_UMLAUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})


def _list_turned_names(people: Iterable[str]) -> Iterator[str]:
    """Names of two words with the last name first, where hardly anybody is called that."""
    first, last = gazetteers.first_names(), gazetteers.last_names()
    given_names = first.keys() | gazetteers.world_first_names().keys()
    for name in people:
        words = name.split()
        turned = len(words) == 2 and first.get(words[1], 0.0) <= first.get(words[0], 0.0)
        turned = turned and words[0] in given_names  # "crime mob" is a band
        bearers = last.get(words[0], 0.0) * first.get(words[1], 0.0) if turned else 1.0
        if bearers * 1e-4 * US_PEOPLE < FEW_BEARERS and words[0] not in PARTICLES:
            yield f"{words[1]} {words[0]}"


def _list_glued_names(people: Iterable[str]) -> Iterator[str]:
    """Names of two words run together, as in addresses of sites: "nicolekidman"."""
    zipf, plain = gazetteers.word_frequencies(), gazetteers.dictionary_words()
    for name in people:
        glued = name.replace(" ", "")
        is_word = glued in zipf or glued in plain
        if name.count(" ") == 1 and len(glued) >= GLUED_LETTERS and not is_word:
            yield glued


class _IndexBuilder(PhraseTreeBuilder):
    """Collects words, phrases and what they are, then lays them out as arrays."""

    def __init__(self) -> None:
        super().__init__()
        self._node_role = defaultdict[int, int](int)
        self._context = defaultdict[int, int](int)
        self._factors: list[Float32s] = []
        self._entries: dict[int, dict[int, tuple[int, int, float]]] = {}
        self._alone: dict[tuple[int, int], float] = {}
        self._rules = dict(RULE)
        self._terms: dict[str, int] = {}
        self._single: dict[int, float] = {}
        self._spelt: list[int] = []
        self._inner: set[int] = set()
        self._listed: set[int] = set()
        self._people = np.zeros(0, dtype=np.int64)

    def add_topics(self) -> None:
        """Add the terms of topics, in English and other languages."""
        own_terms = set[int]()
        for heading, terms in gazetteers.topic_terms().items():
            topic, group, weight = heading.split()
            kind = EntityKind[topic.upper()]
            is_verbatim = not heading.endswith(" ")
            for term in terms:
                exact = term.startswith("=")
                self._add_term(
                    term.lstrip("="), kind, f"{topic}:{group}", float(weight), exact=exact
                )
                if is_verbatim and float(weight) >= FUZZY_WEIGHT and not exact:
                    for form in list_spellings(term, gazetteers.dictionary_words()):
                        self._add_term(form, kind, f"{topic}:{group}", float(weight))
            if is_verbatim:
                own_terms = self._inner | self._single.keys()
        self._add_foreign_topics()
        self._add_term(_MEDICAL, EntityKind.HEALTH, "health:disease", 0.9)
        # Misspelt words may be terms of the program's own; others only if they are frequent words.
        self._listed = (self._inner | self._single.keys()) - own_terms

    def _add_foreign_topics(self) -> None:
        """Terms of other languages; a single word that English has, too, counts less or nothing."""
        plain, zipf = gazetteers.dictionary_words(), gazetteers.word_frequencies()
        names = gazetteers.first_names().keys() | gazetteers.last_names().keys()
        for heading, terms in gazetteers.foreign_topic_terms().items():
            topic, group, weight = heading.split()
            for term in terms:
                words = split_words(term)
                word, surely = words[0], float(weight)
                if len(words) == 1 and zipf.get(word, 0.0) >= ENGLISH_WORD:
                    continue
                if len(words) == 1 and (word in plain or word in names or word in zipf):
                    surely = min(surely, ALSO_ENGLISH)
                for form in dict.fromkeys((term, term.translate(_WITHOUT_UMLAUT))):
                    self._add_term(form, EntityKind[topic.upper()], f"{topic}:{group}", surely)

    def add_contexts(self) -> None:
        """Add phrases beside which terms of some kinds count more or less, or mean no place."""
        for heading, phrases in gazetteers.term_contexts().items():
            if heading in ("neutral", "place"):
                self.mark_phrases(phrases, bits.NEUTRAL if heading == "neutral" else bits.WORLD)
                continue
            _, factor, *topics = heading.split()
            row = np.ones(KINDS, dtype=np.float32)
            row[[int(EntityKind[topic.upper()]) for topic in topics]] = float(factor)
            bit = 1 << len(self._factors)
            self._factors.append(row)
            for phrase in phrases:
                self._context[self.intern_phrase(self.split_text(phrase))] |= bit

    def add_families(self) -> None:
        """Add brands, people known to the public, and places."""
        brands = gazetteers.load_brands() | gazetteers.company_names()
        self.mark_phrases(brands, bits.BRAND)
        glued = ["".join(split_words(brand)) for brand in brands if " " in brand]
        self.mark_phrases([word for word in glued if len(word) > 6], bits.BRAND)
        self.mark_phrases(gazetteers.false_names(), bits.NEUTRAL_NAME)
        people = gazetteers.public_people() | {
            name for name in gazetteers.true_names() if name.split()[0] not in PARTICLES
        }
        self.mark_phrases(people, bits.PUBLIC)
        self.mark_phrases(_list_turned_names(people), bits.PUBLIC)
        self.mark_phrases(_list_glued_names(people), bits.PUBLIC)
        self._add_people(people)
        world, largest = gazetteers.world_places(), dict[str, int]()
        cities = [(name, city.population) for (name, _), city in gazetteers.city_table().items()]
        commoner = gazetteers.role_words()["commoner"]
        for name, inhabitants in cities:
            largest[name] = max(inhabitants, largest.get(name, 0))
        towns = {
            name
            for name, inhabitants in world.items()
            if " " not in name
            and inhabitants != NOTABLE
            and (
                inhabitants < max(CITY_ABROAD, NAMESAKE * largest.get(name, 0))
                or name in commoner
                or (inhabitants < LARGE_CITY and name in brands)
            )
        }
        self.mark_phrases(world.keys() - towns, bits.WORLD)
        self.mark_phrases(towns, bits.TOWN)
        self.mark_phrases(gazetteers.plain_counties(), bits.HOME)
        unlikely = gazetteers.role_words()["unlikely-state"]
        states = [name for name in gazetteers.state_abbreviations() if name not in unlikely]
        large = [name for name, inhabitants in cities if inhabitants > LARGE_US_CITY]
        abroad = [n for n, p in world.items() if p >= LARGE_CITY and n not in commoner]
        self.add_role([*states, *large, *abroad], bits.PLACE)
        spelt = {name for name in gazetteers.state_abbreviations() if len(name) > 6}
        spelt |= {name for name, inhabitants in cities if inhabitants > SPELT_CITY} | set(abroad)
        self._spelt = [
            self.intern_word(name) for name in sorted(spelt) if " " not in name and len(name) > 6
        ]
        zipf, plain = gazetteers.word_frequencies(), gazetteers.dictionary_words()
        first = gazetteers.first_names()
        home = {name for name, inhabitants in cities if inhabitants > SPELT_CITY}
        home |= {
            name
            for name, inhabitants in cities
            if inhabitants > TOWN and name not in plain and name not in first and len(name) > 4
        }
        home = {n for n in home if n not in plain or zipf.get(n, 0.0) < COMMON}
        self.mark_phrases(
            home | {n for n in gazetteers.state_abbreviations() if len(n) > 2}, bits.HOME
        )

    def _add_term(
        self, term: str, kind: EntityKind, rule: str, weight: float, *, exact: bool = False
    ) -> None:
        """Add a term and the plural of its last word; of a repeated term the first stands.

        An `exact` one has that weight where it is all of a query, and none of its own elsewhere.
        """
        words = self.split_text(term)
        if not words:
            return
        number = self._rules.setdefault(rule, len(self._rules))
        name = self._terms.setdefault(term, len(self._terms))
        for last in (words[-1], form_plural(words[-1])):
            phrase = [*words[:-1], last]
            node = self.intern_phrase(phrase)
            if exact:
                self._alone[node, int(kind)] = weight
            least = 0.0 if exact else weight
            self._entries.setdefault(node, {}).setdefault(int(kind), (number, name, least))
            if exact:
                continue
            if len(phrase) == 1:
                code = self.intern_word(last)
                self._single[code] = max(weight, self._single.get(code, 0.0))
            elif weight >= FUZZY_WEIGHT:
                self._inner.update(self.intern_word(word) for word in phrase)

    def add_role(self, phrases: Iterable[str], role: int) -> None:
        """Give words, and the words of phrases, a role."""
        for phrase in phrases:
            words = self.split_text(phrase)
            if len(words) == 1:
                self.word_bits[self.intern_word(words[0])] |= role
            elif words:
                self._node_role[self.intern_phrase(words)] |= role

    def _add_people(self, names: Iterable[str]) -> None:
        """Add people whose names are recognised when misspelt: those of names that few bear."""
        from auditor.attacks.detection import phrase_kernels

        first, last = gazetteers.first_names(), gazetteers.last_names()
        pairs = []
        for name in sorted(names):
            words = self.split_text(name)
            words = name.split() if len(words) != 2 and len(name.split()) == 2 else words
            if len(words) == 2:
                share = first.get(words[0], 0.0) * last.get(words[1], 0.0) * 1e-4
                if share * US_PEOPLE <= RARE_BEARERS:
                    pairs.append((words[0].encode("latin-1"), words[1].encode("latin-1")))
        lengths = np.array([[len(left), len(right)] for left, right in pairs], dtype=np.int64)
        ends = np.cumsum(lengths.ravel()).reshape(-1, 2)
        data = np.frombuffer(b"".join(left + right for left, right in pairs), dtype=np.uint8)
        begins = np.concatenate(([0], ends[:-1, 1])) if len(pairs) else np.zeros(0, np.int64)
        room = np.zeros(int(lengths.sum() + 3 * len(pairs)), dtype=np.int64)
        count = phrase_kernels.name_hashes(data, begins, ends[:, 0].copy(), ends[:, 1].copy(), room)
        self._people = sorted_distinct(room[:count])

    def finish(self) -> EvidenceIndex:
        """Lay everything out."""
        for word in gazetteers.dictionary_words():
            if word.isascii() and word.isalpha():
                self.word_bits[self.intern_word(word)] |= bits.DICTIONARY
        features = self._build_features()
        tree = self.build()
        words, size, root = len(tree.root), len(self), tree.root
        # The first entry of each phrase, and the columns of the entries.
        topic, rows = np.full(size, -1, dtype=np.int32), list[tuple[float, ...]]()
        for node, kinds in self._entries.items():
            topic[node] = len(rows)
            for place, (kind, (rule, term, weight)) in enumerate(kinds.items()):
                lone_weight = self._alone.get((node, kind), weight)
                rows.append((kind, rule, term, weight, lone_weight, place == len(kinds) - 1))
        columns = zip(_ENTRY_COLUMNS.items(), zip(*rows, strict=True), strict=True)
        entries: dict[str, Any] = {
            name: np.array(column, dtype=kind) for (name, kind), column in columns
        }
        single = np.full(words, -1, dtype=np.int32)
        strong = [code for code, weight in self._single.items() if weight >= FUZZY_WEIGHT]
        # What looks like a slip of a term that hardly anybody writes is another word: "escambia".
        rare = {code for code in self._listed if features[code, 0] < WRITTEN}
        strong = [code for code in strong if code not in rare]
        single[strong] = root[strong]
        inner = sorted(self._inner - rare)
        spelt = dict.fromkeys((*strong, *self._spelt, *inner))
        plain = (features[:, 0] >= COMMON) & (features[:, 1:3].max(axis=1) <= 0.0)
        common = [
            code for code, word in enumerate(self.words)
            if len(word) >= COMMON_LETTERS and plain[code]
            and self.word_bits.get(code, 0) & bits.DICTIONARY
        ]  # fmt: skip
        marks, salt = gazetteers.encyclopedia_people()
        lists = EvidenceLists(
            tree=tree,
            word=features,
            role=fill_column(self.word_bits, words, np.uint32),
            node_role=fill_column(self._node_role, size, np.uint32),
            family=fill_column(self.node_bits, size, np.uint8),
            context=fill_column(self._context, size, np.uint32),
            factor=np.array(self._factors, dtype=np.float32),
            topic=topic,
            **entries,
            single=single,
            fuzzy=self._build_spellings(list(spelt)),
            common=self._build_spellings(common),
            spelt_name=self._people,
            encyclopedia=marks,
            encyclopedia_salt=salt,
            ending=np.array([self.intern_phrase(_MEDICAL.split())], dtype=np.int64),
        )
        return EvidenceIndex(
            lists=lists,
            person=np.fromiter(gazetteers.person_model().values(), np.float64),
            rules=tuple(self._rules),
            terms=tuple(self._terms),
        )

    def _build_features(self) -> Float32s:
        """Frequency and name features of every word; adds the names to the words."""
        firsts = _with_world(gazetteers.first_names(), gazetteers.world_first_names())
        lasts = _with_world(gazetteers.last_names(), gazetteers.world_last_names())
        zipf = gazetteers.word_frequencies()
        for word in (*zipf, *firsts, *lasts):
            if word.isascii() and word.isalpha():
                self.intern_word(word)
        table = np.full((len(self.words), 5), -9.0, dtype=np.float32)
        table[:, 0] = 0.0
        for word, value in zipf.items():
            table[self.words[word], 0] = value
        for column, names in ((1, firsts), (2, lasts)):
            for name, share in names.items():
                code = self.words.get(name)
                if code is not None and share > 0.0:
                    borne = np.log10(share / 100.0)
                    ratio = borne - (max(float(table[code, 0]), UNLISTED_ZIPF) - 9.0)
                    table[code, column] = np.clip(ratio, -SUREST_RATIO, SUREST_RATIO)
                    table[code, column + 2] = borne
        return table

    def _build_spellings(self, codes: list[int]) -> SpellingTable:
        """The longer of these words, each whole and with one letter less."""
        names = list(self.words)
        pairs: list[tuple[int, int]] = []
        for code in codes:
            word = names[code]
            if len(word) >= FUZZY_LETTERS and word.isalpha():
                forms = {word, *(word[:cut] + word[cut + 1 :] for cut in range(len(word)))}
                pairs += [(hash_word(form), code) for form in sorted(forms)]
        keys, words = (np.array([pair[side] for pair in pairs], dtype=np.int64) for side in (0, 1))
        return SpellingTable(*build_hash_table(keys, words.astype(np.int32)))


def hash_word(word: str) -> int:
    """FNV-1a of a word, less its sign bit; as `phrase_kernels` computes it."""
    mark = 14695981039346656037
    for byte in word.encode("latin-1"):
        mark = ((mark ^ byte) * 1099511628211) & 0xFFFFFFFFFFFFFFFF
    return (mark ^ (mark >> 32)) & 0x7FFFFFFFFFFFFFFF


def _with_world(home: Mapping[str, float], world: Mapping[str, float]) -> dict[str, float]:
    return dict(home) | {name: max(share, home.get(name, 0.0)) for name, share in world.items()}
