"""Typed parameters of every method, attack and measure: ``auditor.SafeLog(q_f=40)``.

They are the classes that the engine itself runs with: of ``k-delta`` it is `KDelta`. Give one to
`anonymize`, `audit`, `attack`, `measure` and their like instead of a name and keywords.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from auditor.attacks.attribute_inference import AttributeInferenceParams as AttributeInference
    from auditor.attacks.composition_exposure import (
        CompositionExposureParams as CompositionExposure,
    )
    from auditor.attacks.differencing import DifferencingParams as Differencing
    from auditor.attacks.dp_audit.attack import DpAuditParams as DpAudit
    from auditor.attacks.entity_exposure import EntityExposureParams as EntityExposure
    from auditor.attacks.geo_vanity import GeoVanityParams as GeoVanity
    from auditor.attacks.hash_inversion.attack import HashInversionParams as HashInversion
    from auditor.attacks.masked_completion import MaskedCompletionParams as MaskedCompletion
    from auditor.attacks.mini_session_linkage import MiniSessionLinkageParams as MiniSessionLinkage
    from auditor.attacks.near_linkage.attack import NearLinkageParams as NearLinkage
    from auditor.attacks.planted_stems import PlantedStemsParams as PlantedStems
    from auditor.attacks.planted_strings import PlantedStringsParams as PlantedStrings
    from auditor.attacks.record_linkage.attack import RecordLinkageParams as RecordLinkage
    from auditor.attacks.semantic_linkage import SemanticLinkageParams as SemanticLinkage
    from auditor.attacks.structural import StructuralParams as Structural
    from auditor.attacks.surviving_content.attack import SurvivingContentParams as SurvivingContent
    from auditor.attacks.unbundling.attack import UnbundlingParams as Unbundling
    from auditor.attacks.unicity import UnicityParams as Unicity
    from auditor.attacks.vanity.attack import VanityParams as Vanity
    from auditor.measures.bundle_sizes import BundlesParams as Bundles
    from auditor.measures.frequencies import FrequenciesParams as Frequencies
    from auditor.measures.information_loss import InformationLossParams as InformationLoss
    from auditor.measures.next_query import NextQueryParams as NextQuery
    from auditor.measures.ngram_coverage import NgramCoverageParams as NgramCoverage
    from auditor.measures.profile_exposure import ProfileExposureParams as ProfileExposure
    from auditor.measures.retrieval import RetrievalParams as Retrieval
    from auditor.measures.similarity import SimilarityParams as Similarity
    from auditor.measures.site_clustering import SiteClusteringParams as SiteClustering
    from auditor.measures.spelling_variants import SpellingVariantsParams as SpellingVariants
    from auditor.measures.trends import TrendsParams as Trends
    from auditor.measures.user_clustering import UserClusteringParams as UserClustering
    from auditor.measures.volume import VolumeParams as Volume
    from auditor.methods.bundling.method import BundlingParams as Bundling
    from auditor.methods.dated_counts import DatedCountsParams as DatedCounts
    from auditor.methods.day_pseudonyms import DayPseudonymsParams as DayPseudonyms
    from auditor.methods.entity_allowlist import EntityAllowlistParams as EntityAllowlist
    from auditor.methods.frequency_threshold import FrequencyThresholdParams as FrequencyThreshold
    from auditor.methods.k_delta.method import KDeltaParams as KDelta
    from auditor.methods.k_theta_affinity.method import KThetaAffinityParams as KThetaAffinity
    from auditor.methods.korolova import KorolovaParams as Korolova
    from auditor.methods.m_k_delta_epsilon import MKDeltaEpsilonParams as MKDeltaEpsilon
    from auditor.methods.microaggregation.groups import MicroaggregationParams as Microaggregation
    from auditor.methods.n_grams.method import NGramsParams as NGrams
    from auditor.methods.numbered_sessions import NumberedSessionsParams as NumberedSessions
    from auditor.methods.partition_selection import PartitionSelectionParams as PartitionSelection
    from auditor.methods.public_keys.counts import DpPublicKeyCountsParams as DpPublicKeyCounts
    from auditor.methods.public_keys.relative_index import DpRelativeIndexParams as DpRelativeIndex
    from auditor.methods.safelog import SafeLogParams as SafeLog
    from auditor.methods.set_union.method import SetUnionParams as SetUnion
    from auditor.methods.threshold_cells.click_pairs import ClickPairsParams as ClickPairs
    from auditor.methods.threshold_cells.popularity import PopularityScoreParams as PopularityScore
    from auditor.methods.threshold_cells.query_results import (
        QueryResultThresholdParams as QueryResultThreshold,
    )
    from auditor.methods.threshold_cells.trends_index import TrendsIndexParams as TrendsIndex
    from auditor.methods.token_hashing.method import TokenHashingParams as TokenHashing
    from auditor.methods.zealous import ZealousParams as Zealous

__all__ = [
    "AttributeInference", "Bundles", "Bundling", "ClickPairs", "CompositionExposure",
    "DatedCounts", "DayPseudonyms", "Differencing", "DpAudit", "DpPublicKeyCounts",
    "DpRelativeIndex", "EntityAllowlist", "EntityExposure", "Frequencies", "FrequencyThreshold",
    "GeoVanity", "HashInversion", "InformationLoss", "KDelta", "KThetaAffinity", "Korolova",
    "MKDeltaEpsilon", "MaskedCompletion", "Microaggregation", "MiniSessionLinkage", "NGrams",
    "NearLinkage", "NextQuery", "NgramCoverage", "NumberedSessions", "PartitionSelection",
    "PlantedStems", "PlantedStrings", "PopularityScore", "ProfileExposure",
    "QueryResultThreshold", "RecordLinkage", "Retrieval", "SafeLog", "SemanticLinkage",
    "SetUnion", "Similarity", "SiteClustering", "SpellingVariants", "Structural",
    "SurvivingContent", "TokenHashing", "Trends", "TrendsIndex", "Unbundling", "Unicity",
    "UserClustering", "Vanity", "Volume", "Zealous"
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """The class, imported when it is asked for, with all parameters in its documentation."""
    from auditor.attacks.registry import ATTACKS
    from auditor.measures.registry import MEASURES
    from auditor.methods.registry import METHODS

    if name in __all__:
        for registry in (METHODS, ATTACKS, MEASURES):
            for entry in registry.modules:
                if entry.replace("-", "") == name.lower():
                    params = registry[entry].params
                    params.document()
                    return params
    raise AttributeError(f"module 'auditor' has no attribute '{name}'")
