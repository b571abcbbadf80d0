"""Numbers that lists and kernels share: rules that are no groups of terms, roles, hints."""

FIXED_RULES = (
    "person:known to the public",
    "person:name",
    "place:United States",
    "place:world",
    "company:listed",
    "company:web address",
    "identifier:e-mail address",
    "identifier:e-mail address without @",
    "identifier:phone number",
    "identifier:national number",
    "identifier:card or account",
    "identifier:street address",
    "identifier:internet address",
    "identifier:license plate",
    "identifier:coordinates",
    "minors:child beside a sensitive term",
    "ethnicity:nationality and people",
    "source",
    "company:institution named after a place",
    "person:name that is looked up",
    "identifier:user name or account",
)
"""Rules that aren't groups of terms, by number."""
RULE = {name: number for number, name in enumerate(FIXED_RULES)}

_ROLE_NAMES = (
    "function person-cue title fame-cue place-head org-head relative particle suffix calendar "
    "nation nation-noun child-word dictionary place top-level mail www street-word plate-word "
    "before-home street-ending institution county lookup-cue credit-cue feature local "
    "medical-ending area-code fiction form-of-address"
)
ROLES = {name: 1 << bit for bit, name in enumerate(_ROLE_NAMES.split())}
"""Roles of words beside others, as the lists of words call them; 32 bits."""
(
    FUNCTION, CUE, TITLE, FAME, PLACE_HEAD, ORG_HEAD, RELATIVE, PARTICLE, SUFFIX, CALENDAR,
    NATION, NATION_NOUN, CHILD, DICTIONARY, PLACE, TOP_LEVEL, MAIL, WWW, STREET_WORD, PLATE_WORD,
    BEFORE_PLACE, STREET_ENDING, INSTITUTION, COUNTY, LOOKUP, CREDIT, FEATURE, SOUGHT_AT_PLACES,
    MEDICAL_ENDING, AREA_CODE, FICTION, ADDRESSED,
) = ROLES.values()  # fmt: skip
BRAND, PUBLIC, WORLD, NEUTRAL, NEUTRAL_NAME, HOME, TOWN = 1, 2, 4, 8, 16, 32, 64
"""What a phrase is apart from topics."""
AT, NUMBERS, COLONS, STREET, PLATE, LETTERED, HANDLE = 1, 2, 4, 8, 16, 32, 64
"""What a query holds that makes a slower check worth its while."""

PERSON_KIND, PLACE_KIND, COMPANY_KIND, ADULT_KIND, EMAIL_KIND = 0, 1, 2, 3, 5
HEALTH_KIND, SEXUALITY_KIND, RELIGION_KIND = 13, 14, 15
ETHNICITY_KIND, CRIME_KIND, MINORS_KIND, DISTRESS_KIND = 18, 20, 22, 23
"""Kinds that the kernel treats by themselves; the values of `EntityKind`."""

KNOWN_RULE, NAME_RULE, HOME_RULE, WORLD_RULE, LISTED_RULE, ADDRESS_RULE = 0, 1, 2, 3, 4, 5
NO_AT_RULE, CHILD_RULE, NATION_RULE, SOURCE_RULE, INSTITUTION_RULE = 7, 15, 16, 17, 18
LOOKUP_RULE = 19
"""Rules that the kernel applies by itself; places in `FIXED_RULES`."""
NO_PLACE = -2
"""Name of a mark that is none: words from which no place in the United States is taken."""
