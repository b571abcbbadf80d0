"""SafeLog as published: Algorithm 1 (Zhang, Yang, Singh & Xiong 2016), with integer noise.

1. Drop queries rarer than τ. 2. Keep the first q_f queries and c_f clicks of each user. 3. Add
the pool's queries with count 0. 4. Keep a query if M(q) + X ≥ K, X of scale b. 5. Release
M(q) + X', X' of scale b_q, and for every page clicked for a kept query its clicks plus noise of
scale b_c. 6. For every pair of kept queries that follow each other in somebody's history of step
2, release how often, plus noise of scale b_t. Noisy counts are released as they are, below 0, too.

The one departure: the noise is the discrete Laplace from a vetted sampler, never a Laplace in
doubles, which leaks through its gaps. α is then taken with the discrete tail; both are stated.

Pairs with a pool query have a true count of 0. The text can be read as releasing noise for every
pair of kept queries, |Q'|² rows, which nobody could store: here the pairs that occurred are
released, and the statement says what that gives away. `safelog_strict` does it soundly.

Cost: O(rows) for three passes, one draw for each released count.
"""

from __future__ import annotations

import math

from auditor.methods.noisy_counts.counting_plan import CountingPlan, NoiseRule
from auditor.methods.safelog.params import SafeLogParams
from auditor.privacy import accounting


def least_count(params: SafeLogParams) -> int:
    """K as set, or solved from δ for a log without a pool (the only δ there is)."""
    if params.K is not None:
        return params.K
    return threshold_for(params, params.delta)


def threshold_for(params: SafeLogParams, delta: float) -> int:
    """The least K at which both the printed δ and that of the integer noise are at most `delta`."""
    once = params.counting_unit == "users"
    printed = accounting.printed_threshold(params.q_f, delta, params.b, once=once)
    exact = accounting.threshold_for_delta(params.q_f, delta, params.b, once=once)
    return max(1, math.ceil(printed), exact)


def plan_published(params: SafeLogParams) -> CountingPlan:
    """Steps 1 to 6 as data."""
    return CountingPlan(
        limits=params.limits,
        queries=NoiseRule(params.b, least_count(params), again=params.b_q),
        clicks=NoiseRule(params.b_c) if params.clicks else None,
        transitions=NoiseRule(params.b_t) if params.transitions else None,
        load_pool=params.load_pool,
        whole_counts=True,
        local_parameters=("pool",) if params.pool != "none" else (),
    )
