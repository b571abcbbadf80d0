"""The methods there are, by the name that the command line uses; imported when asked for."""

from __future__ import annotations

from auditor.methods.base import Method
from auditor.registry import Registry

METHODS: Registry[Method] = Registry(
    "method",
    {
        "safelog": "auditor.methods.safelog",
        "korolova": "auditor.methods.korolova",
        "zealous": "auditor.methods.zealous",
        "set-union": "auditor.methods.set_union",
        "frequency-threshold": "auditor.methods.frequency_threshold",
        "k-delta": "auditor.methods.k_delta",
        "m-k-delta-epsilon": "auditor.methods.m_k_delta_epsilon",
        "microaggregation": "auditor.methods.microaggregation",
        "token-hashing": "auditor.methods.token_hashing",
        "bundling": "auditor.methods.bundling",
    },
    attribute="METHOD",
)
