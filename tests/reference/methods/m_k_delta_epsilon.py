"""(m,k,δ,ε)-anonymity (Hong et al. 2009): m − 1 others at distance 0 and k − 1 others within ε."""

from fractions import Fraction

from tests.reference.methods import k_delta


def failing(users: dict[str, k_delta.Vector], *, m: int, k: int, epsilon: Fraction) -> set[str]:
    """The users who lack one or the other; all pairs of users are compared."""
    result = k_delta.failing(users, m)
    for user, vector in users.items():
        near = sum(k_delta.distance(vector, other) <= epsilon for other in users.values())
        if near < k:  # the user is near to himself or herself
            result.add(user)
    return result
