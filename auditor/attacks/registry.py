"""The attacks there are, by the name that the command line uses; imported when asked for."""

from collections.abc import Iterable

from auditor.attacks.base import Attack
from auditor.registry import Registry

ATTACKS: Registry[Attack] = Registry(
    "attack",
    Attack,
    {
        "entity-exposure": "auditor.attacks.entity_exposure",
        "hash-inversion": "auditor.attacks.hash_inversion.attack",
        "record-linkage": "auditor.attacks.record_linkage.attack",
        "near-linkage": "auditor.attacks.near_linkage.attack",
        "semantic-linkage": "auditor.attacks.semantic_linkage",
        "unicity": "auditor.attacks.unicity",
        "composition-exposure": "auditor.attacks.composition_exposure",
        "masked-completion": "auditor.attacks.masked_completion",
        "mini-session-linkage": "auditor.attacks.mini_session_linkage",
        "attribute-inference": "auditor.attacks.attribute_inference",
        "planted-strings": "auditor.attacks.planted_strings",
        "planted-stems": "auditor.attacks.planted_stems",
        "differencing": "auditor.attacks.differencing",
        "structural": "auditor.attacks.structural",
        "surviving-content": "auditor.attacks.surviving_content.attack",
        "vanity": "auditor.attacks.vanity.attack",
        "geo-vanity": "auditor.attacks.geo_vanity",
        "unbundling": "auditor.attacks.unbundling.attack",
        "dp-audit": "auditor.attacks.dp_audit.attack",
    },
)


def list_content_attacks(reads: str = "") -> tuple[str, ...]:
    """Attacks that say what of flagged sessions can be read in a release, verbatim first."""
    names = (name for name in ATTACKS if ATTACKS[name].reads and reads in ("", ATTACKS[name].reads))
    return tuple(sorted(names, key=lambda name: ATTACKS[name].reads))


def find_counters(number: str) -> list[str]:
    """The attacks that count a number of a release's statement, each in releases of its kinds."""
    return [name for name in ATTACKS if number in ATTACKS[name].counts]


def choose_first(names: Iterable[str]) -> str:
    """Of attacks with findings the one shown first, which reads strings; "" if there is none."""
    attacks = list(names)
    strings = (name for name in attacks if name in ATTACKS and ATTACKS[name].reads == "strings")
    return next(strings, attacks[0] if attacks else "")
