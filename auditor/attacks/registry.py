"""The attacks there are, by the name that the command line uses; imported when asked for."""

from __future__ import annotations

from auditor.attacks.base import Attack
from auditor.registry import Registry

ATTACKS: Registry[Attack] = Registry(
    "attack",
    {
        "entity-exposure": "auditor.attacks.entities",
        "hash-inversion": "auditor.attacks.hash_inversion",
        "record-linkage": "auditor.attacks.linkage",
        "structural": "auditor.attacks.structural",
        "surviving-content": "auditor.attacks.surviving_content",
        "vanity": "auditor.attacks.vanity",
        "geo-vanity": "auditor.attacks.geo_vanity",
        "unbundling": "auditor.attacks.unbundling",
        "dp-audit": "auditor.attacks.dp_audit",
    },
    attribute="ATTACK",
)
