"""(m,k,δ,ε)-anonymity: m − 1 others with equal shares, and k − 1 others within ε.

The relaxation of (k,δ)-anonymity by Hong, He, Vaidya, Adam and Atluri (CIKM 2009): within each
group of at least k, parts of at least m become equal to their own representative, moved towards the
group's until any two parts are within ε. m = k, ε = 0 is (k,δ). Costs as `k_delta`, and
O(group² / m · clusters of a user) a group for the parts.
"""

from dataclasses import dataclass

from auditor.errors import ParameterError
from auditor.log.sentences import sentence
from auditor.methods.k_delta.method import build_method
from auditor.params import Params


@dataclass(frozen=True, kw_only=True)
class MKDeltaEpsilonParams(Params, owner="m-k-delta-epsilon"):
    """As (k,δ), with the smaller number of users who become equal and the distance to the rest."""

    m: int = 3
    k: int = 10
    delta: float = 0.5
    epsilon: float = 0.5
    size: str = "exact"
    mode: str = "both"
    linkage: str = "complete"
    ids: str = "random"
    times: str = "exact"

    def check(self) -> None:
        """Refuse m above k."""
        if self.m > self.k:
            raise ParameterError(
                "m",
                sentence(
                    "m_k_delta_epsilon.parameter_must_got_instead",
                    owner=self.owner,
                    k=self.k,
                    m=self.m,
                ),
            )


METHOD = build_method(MKDeltaEpsilonParams, ("m", "k", "delta", "epsilon", "mode"))
