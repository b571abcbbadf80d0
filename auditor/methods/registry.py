"""The methods there are, by the name that the command line uses; imported when asked for."""

from collections.abc import Mapping
from typing import Any

from auditor.errors import ParameterError
from auditor.methods.base import Method
from auditor.params import Params
from auditor.registry import Registry

FIRST = "safelog"
"""The method that is offered first, and made ready first."""

METHODS: Registry[Method] = Registry(
    "method",
    Method,
    {
        "safelog": "auditor.methods.safelog",
        "korolova": "auditor.methods.korolova",
        "zealous": "auditor.methods.zealous",
        "set-union": "auditor.methods.set_union.method",
        "n-grams": "auditor.methods.n_grams.method",
        "partition-selection": "auditor.methods.partition_selection",
        "dated-counts": "auditor.methods.dated_counts",
        "dp-public-key-counts": "auditor.methods.public_keys.counts",
        "dp-relative-index": "auditor.methods.public_keys.relative_index",
        "frequency-threshold": "auditor.methods.frequency_threshold",
        "day-pseudonyms": "auditor.methods.day_pseudonyms",
        "entity-allowlist": "auditor.methods.entity_allowlist",
        "query-result-threshold": "auditor.methods.threshold_cells.query_results",
        "click-pairs": "auditor.methods.threshold_cells.click_pairs",
        "popularity-score": "auditor.methods.threshold_cells.popularity",
        "trends-index": "auditor.methods.threshold_cells.trends_index",
        "k-theta-affinity": "auditor.methods.k_theta_affinity.method",
        "k-delta": "auditor.methods.k_delta.method",
        "m-k-delta-epsilon": "auditor.methods.m_k_delta_epsilon",
        "microaggregation": "auditor.methods.microaggregation.method",
        "token-hashing": "auditor.methods.token_hashing.method",
        "numbered-sessions": "auditor.methods.numbered_sessions",
        "bundling": "auditor.methods.bundling.method",
    },
)


def find_params(method: str, values: Mapping[str, Any]) -> Params | None:
    """A method's parameters from what a release says of them; None where either isn't known."""
    try:
        return METHODS[method].params.of(values) if method in METHODS else None
    except (ParameterError, TypeError, ValueError):
        return None
