"""The measures there are, by the name that the command line uses; imported when asked for."""

from auditor.measures.base import Measure
from auditor.registry import Registry

MEASURES: Registry[Measure] = Registry(
    "measure",
    Measure,
    {
        "volume": "auditor.measures.volume",
        "n-gram-coverage": "auditor.measures.ngram_coverage",
        "frequencies": "auditor.measures.frequencies",
        "profile-exposure": "auditor.measures.profile_exposure",
        "information-loss": "auditor.measures.information_loss",
        "user-clustering": "auditor.measures.user_clustering",
        "bundles": "auditor.measures.bundle_sizes",
        "similarity": "auditor.measures.similarity",
        "retrieval": "auditor.measures.retrieval",
        "site-clustering": "auditor.measures.site_clustering",
        "next-query": "auditor.measures.next_query",
        "trends": "auditor.measures.trends",
        "spelling-variants": "auditor.measures.spelling_variants",
    },
)
