"""What noise and thresholds promise: ε, δ, and the parameters that reach a wanted one.

Neighbours throughout are two logs of which one has one user's whole history more. Every user is
limited by looking at that user's records alone, so one user changes nobody else's counts. Then

* `limit` (q_f queries, c_f clicks …) bounds the change in all counts together, the ℓ1 distance;
* counting a user at most `once` an item bounds the change of each count by 1 as well.

Limits that look at other users (a τ taken from the same log) void every number here.

**Thresholded histogram** (strict): every item that somebody issued gets the noisy count
M(q) + X_q with discrete Laplace X of scale b, and is shown with it if that is ≥ K. Call S the
items that only the one user issued, and E that none of S is shown. Under the log with the user,
what is shown outside S is independent of E; under the log without, S can't be shown at all; and
outside S both show a function of a noisy histogram of known items, whose ε is ℓ1/b. So for every
set O of outputs, with P the law with the user, P' without, and δ = 1 − P(E),

    P(O) ≤ P(O, E) + δ ≤ e^ε P'(O) P(E) + δ ≤ e^ε P'(O) + δ,
    P'(O) ≤ P'(O) P(E) + δ ≤ e^ε P(O, E) + δ ≤ e^ε P(O) + δ,

that is (ε, δ) with ε = limit/b and the largest δ that the limit allows (`threshold_delta`). No
smaller δ holds at any ε: if all the user's items are in S, only that log can show one of them.
The same lines with (ε, δ₀) in place of ε give (ε, δ₀ + δ) for a tighter ε (`tight_epsilon`).
Item domains that are public and complete (all pairs of released queries) have no S: δ = 0.

**Several tables** of one log add: their ε, and their δ, whether or not one depends on another.
"""

import math
from typing import Literal

from auditor.errors import ParameterError
from auditor.log.sentences import sentence
from auditor.messages import as_phrase, phrase

Noise = Literal["continuous", "discrete"]
"""Textbook Laplace on the reals, as the sources have it, or the integer noise we draw."""


def laplace_tail(threshold: float, b: float, noise: Noise = "discrete") -> float:
    """P[X ≥ threshold] for Laplace noise of scale b.

    Discrete: e^(−t/b)/(1 + e^(−1/b)) for an integer t ≥ 0, and by symmetry 1 − P[X ≥ 1 − t]
    below. A fraction acts as the next integer, since X has no other values.
    """
    _check_positive(b=b)
    if noise == "continuous":
        half = 0.5 * math.exp(-abs(threshold) / b)
        return half if threshold >= 0 else 1 - half
    least = math.ceil(threshold)
    if least >= 1:
        return math.exp(-least / b) / (1 + math.exp(-1 / b))
    return 1 - math.exp(-(1 - least) / b) / (1 + math.exp(-1 / b))


def log_missed(threshold: float, b: float, noise: Noise = "discrete") -> float:
    """−ln P[X < threshold], exact also where that chance is beyond the smallest double."""
    _check_positive(b=b)
    if noise == "continuous" and threshold < 0:
        return math.log(2) - threshold / b
    if noise == "discrete" and threshold <= 0:
        return (1 - math.ceil(threshold)) / b + math.log1p(math.exp(-1 / b))
    return -math.log1p(-laplace_tail(threshold, b, noise))


# SafeLog as printed (Zhang et al. 2016, Theorem 1) ------------------------------------------


def log_alpha(K: float, b: float, p_g: float = 1.0, noise: Noise = "continuous") -> float:
    """ln α of SafeLog's query selection, which costs q_f·ln α; infinite for p_g = 0.

    α = max(e^(1/b)/p_g, 1/(1 − P[X ≥ K − 1])), K ≥ 1: the first where the user's query is shown,
    the second where it isn't. With continuous noise the second is 1 + 1/(2e^((K−1)/b) − 1), as
    printed; with discrete noise it has the discrete tail, and P[X ≥ K−1]/P[X ≥ K] is e^(1/b) too.
    """
    _check_positive(b=b)
    _at_least_one(K=K)
    if not 0 <= p_g <= 1:
        raise ValueError(phrase("p_g must be in [0, 1], not {p_g:g}", p_g=p_g))
    if p_g == 0:
        return math.inf
    return max(1 / b - math.log(p_g), log_missed(K - 1, b, noise))


def turning_point(K: float, p_g: float = 1.0) -> float | None:
    """The b at which SafeLog's α, and so its ε over b, is least; None where it falls for ever.

    It is where both parts of α are equal: f(x) = x − ln p_g + ln(1 − P[X ≥ K−1]) = 0, x = 1/b.
    f rises with x, from −ln p_g − ln 2 at b = ∞, so there is one root if p_g > 1/2 and none
    otherwise. (At K = 1 the second part is constant, and the root still the least b at which α is
    least.)
    """
    _at_least_one(K=K)
    if not 0.5 < p_g <= 1:
        return None

    def compute_excess(x: float) -> float:
        return x - math.log(p_g) - log_missed(K - 1, 1 / x, "continuous")

    low, high = 1e-300, 1.0  # 1 − ln p_g + ln(1 − tail) ≥ 1 − ln 2 > 0, as tail ≤ 1/2
    for _ in range(100):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if compute_excess(middle) < 0 else (low, middle)
    return 1 / high


def b_for_epsilon(
    epsilon: float, *, q_f: int, K: float, other_epsilon: float, p_g: float = 1.0
) -> float:
    """The least selection noise b with q_f·ln α + `other_epsilon` ≤ `epsilon` (SafeLog, Korolova).

    `other_epsilon` is what the counts cost (q_f/b_q + c_f/b_c …). ε falls with b up to the turning
    point and rises after it, so of the interval of solutions this is the lower end.

    Raises
    ------
    ParameterError
        For ``b``, if no b reaches it; says the least ε there is, and where.
    """
    _at_least_one(K=K)
    target = (epsilon - other_epsilon) / q_f
    if p_g > 0 and target + math.log(p_g) > 0:
        b = 1 / (target + math.log(p_g))  # where the first part of ln α is `target`
        for nudged in (b, b * (1 + 1e-14), b * (1 + 1e-12)):  # for the rounding of `target`
            if log_alpha(K, nudged, p_g) <= target:
                return nudged
    turn = turning_point(K, p_g)
    if p_g == 0:
        reason = "With p_g = 0 no b gives a finite ε."
    elif turn is None:
        # α falls towards its limit as b grows
        least = other_epsilon + q_f * max(-math.log(p_g), math.log(2))
        reason = phrase("Over all b, ε stays above {least:.6g}.", least=least)
    else:
        least = other_epsilon + q_f * log_alpha(K, turn, p_g)
        reason = sentence("accounting.least_epsilon", least=least, turn=turn)
    if other_epsilon >= epsilon:
        reason += phrase(" The noisy counts alone cost {rest:.6g}.", rest=other_epsilon)
    raise ParameterError(
        "b",
        phrase("No b reaches ε = {epsilon:g}. {reason}", epsilon=epsilon, reason=as_phrase(reason)),
    )


# Korolova et al. 2009 -----------------------------------------------------------------------


def printed_delta(limit: int, K: float, b: float, *, once: bool = False) -> float:
    """δ as printed for continuous noise: (q_f/2)·e^((q_f − K)/b), which may exceed 1.

    `once`: the same for a user counted once a query, (q_f/2)·e^((1 − K)/b). Without a query pool
    this is what SafeLog has, too. Our integer noise has `threshold_delta` instead.
    """
    _check_positive(b=b)
    user_limit = 1 if once else limit
    exponent = (user_limit - K) / b
    return limit / 2 * math.exp(exponent) if exponent < 700 else math.inf


def printed_threshold(limit: int, delta: float, b: float, *, once: bool = False) -> float:
    """K = q_f + b·ln(q_f/(2δ)), or 1 + b·ln(q_f/(2δ)) with `once`: `printed_delta` solved."""
    _check_positive(b=b)
    _check_probability(delta=delta)
    return (1 if once else limit) + b * math.log(limit / (2 * delta))


# The thresholded histogram of the module's text ---------------------------------------------


def threshold_delta(limit: int, K: float, b: float, *, once: bool) -> float:
    """The least δ of a histogram with discrete noise that shows counts ≥ K; exact.

    δ = max over what one user may issue alone of 1 − Π (1 − P[X ≥ K − m_i]), Σ m_i ≤ limit.

    `once` (m_i ≤ 1): 1 − (1 − P[X ≥ K − 1])^limit. A union bound gives limit·P[X ≥ K − 1].

    Otherwise let h(m) = −ln(1 − P[X ≥ K − m]), so that δ = 1 − e^(−Σ h(m_i)). h is convex: its
    slope P/(b(1 − P)) rises with m while P < 1/2, that is m < K, and is 1/b from there on. So for
    j items the sum is largest with one of limit − j + 1 and j − 1 of 1, that is convex in j, and
    the maximum stands at an end: δ = max(P[X ≥ K − limit], 1 − (1 − P[X ≥ K − 1])^limit).
    The printed (q_f/2)·e^((q_f − K)/b) takes both ends at once. OpenDP 0.16's own thresholded
    integer histogram shows counts ≥ K, too, but states P[X ≥ K] for an item of count 1, which is
    e^(−1/b) times what it does; so its sampler is used here and its accounting is not.
    """
    _check_positive(b=b, limit=limit)
    return -math.expm1(-_log_hidden(limit, K, b, once))


def threshold_for_delta(limit: int, delta: float, b: float, *, once: bool) -> int:
    """The least whole K ≥ 1 with ``threshold_delta(limit, K, b) ≤ delta``.

    From the tail, K = 1 + ⌈−b·ln(π(1 + e^(−1/b)))⌉ with π = 1 − (1 − δ)^(1/limit), and without
    `once` at least limit + ⌈−b·ln(δ(1 + e^(−1/b)))⌉.
    """
    _check_positive(b=b, limit=limit)
    _check_probability(delta=delta)
    allowed = -math.log1p(-delta)
    both = 1 + math.exp(-1 / b)
    K = 1 + math.ceil(-b * math.log(-math.expm1(-allowed / limit) * both))
    if not once:
        low = delta * both <= 1  # else the tail is that below 0, 1 − e^(−(1 − t)/b)/(1 + e^(−1/b))
        t = -b * math.log(delta * both) if low else 1 + b * math.log((1 - delta) * both)
        K = max(K, limit + math.ceil(t))
    K = max(K, 1)
    # The closed form is for P ≤ 1/2 and is rounded: settle the last step by the formula itself.
    while _log_hidden(limit, K, b, once) > allowed:
        K += 1
    while K > 1 and _log_hidden(limit, K - 1, b, once) <= allowed:
        K -= 1
    return K


def _log_hidden(limit: int, K: float, b: float, once: bool) -> float:
    """−ln of the least chance that nothing of one user's own is shown."""
    separate = limit * log_missed(K - 1, b)
    return separate if once else max(log_missed(K - limit, b), separate)


# ZEALOUS (Götz et al. 2012, Theorem 2) ------------------------------------------------------


def zealous_scale(m: int, epsilon: float) -> float:
    """λ = 2m/ε': exchanging one user's m items for others changes the counts by 2m in all."""
    _check_positive(m=m, epsilon=epsilon)
    return 2 * m / epsilon


def zealous_threshold(m: int, epsilon: float, delta: float) -> float:
    """τ' = m(1 − ln(2δ'/m)/ε') as printed. See `zealous_delta` for what it gives."""
    _check_positive(m=m, epsilon=epsilon)
    _check_probability(delta=delta)
    return m * (1 - math.log(2 * delta / m) / epsilon)


def zealous_delta(m: int, scale: float, threshold: float) -> float:
    """The δ that ZEALOUS has with noise of `scale` and final threshold, τ = 1, discrete noise.

    Each user gives m distinct items at most, so an item of one user alone has count 1 and the
    least possible δ is 1 − (1 − P[X ≥ τ' − 1])^m, whatever ε is. The printed τ' makes that δ' or
    less for noise of scale m/ε', but λ is 2m/ε': m·P ≈ √(mδ'/2)·e^(−ε'/2) then, which is above δ'
    for every ε' < ln(m/(2δ')). (Continuous noise changes it by a factor below 2.)

    That it is reached: exchanging users, S and S' are what each of the two asked alone. As in the
    module's text P(O) ≤ e^ε'' P'(O)·P(E)/P'(E') + δ, ε'' = (2m − |S| − |S'|)/λ, and
    1/P'(E') = (1 − P[X ≥ τ' − 1])^(−|S'|) ≤ e^(|S'|/λ) if −ln(1 − P) ≤ 1/λ. Where that fails, the
    sum of both users' δ is given.
    """
    _check_positive(m=m, scale=scale)
    hidden = _log_hidden(m, threshold, scale, once=True)
    delta = -math.expm1(-hidden)
    return delta if hidden <= m / scale else min(1.0, 2 * delta)


def zealous_sound_threshold(m: int, epsilon: float, delta: float) -> int:
    """The least whole τ' at which λ = 2m/ε' really gives (ε', δ') by `zealous_delta`."""
    scale = zealous_scale(m, epsilon)
    least = threshold_for_delta(m, delta, scale, once=True)
    if zealous_delta(m, scale, least) <= delta:
        return least
    # One user's δ suffices once −ln(1 − P) ≤ 1/λ; before that, both users' has to.
    single = threshold_for_delta(m, -math.expm1(-m / scale), scale, once=True)
    return min(single, threshold_for_delta(m, delta / 2, scale, once=True))


def _check_positive(**values: float) -> None:
    for name, value in values.items():
        if not 0 < value < math.inf:
            raise ValueError(
                phrase("{name} must be positive and finite, not {value:g}", name=name, value=value)
            )


def _at_least_one(**values: float) -> None:
    for name, value in values.items():
        if not 1 <= value < math.inf:
            raise ValueError(
                phrase("{name} must be at least 1, not {value:g}", name=name, value=value)
            )


def _check_probability(**values: float) -> None:
    for name, value in values.items():
        if not 0 < value < 1:
            raise ValueError(
                phrase("{name} must be in (0, 1), not {value:g}", name=name, value=value)
            )
