"""The methods there are, by the name that the command line uses; imported when asked for."""

from __future__ import annotations

from auditor.methods.base import Method
from auditor.registry import Registry

METHODS: Registry[Method] = Registry(
    "method",
    {
        "token-hashing": "auditor.methods.token_hashing",
        "safelog": "auditor.methods.safelog",
        "korolova": "auditor.methods.korolova",
        "zealous": "auditor.methods.zealous",
        "microaggregation": "auditor.methods.microaggregation",
        "frequency-threshold": "auditor.methods.frequency_threshold",
    },
    attribute="METHOD",
)
