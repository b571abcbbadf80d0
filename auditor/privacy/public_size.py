"""The size of a log as far as it is public: its number of users, rounded up to one digit.

Parameters go out with a release, so whatever is derived from the number of users (a δ of a tenth of
one in the users, a list of candidates) is derived from r(n) = ⌈n/10^k⌉·10^k, where 10^k ≤ n is the
largest power of ten, and r(n) = 10 for n ≤ 10. As r(n) ≥ n, a δ with δ·r(n) ≤ t has δ·n ≤ t.

Logs of n and n + 1 users have the same r unless n itself has one significant digit and is at least
10: r(n) = r(n + 1) but for n = d·10^k, d = 1…9, k ≥ 1, nine sizes of each 9·10^k. There r differs,
and what is derived from it tells one user more from one less; no noise hides that. What remains is
therefore an assumption: that r(n), the order of magnitude of the log, is public.
"""

LEAST = 10


def round_up_users(users: int) -> int:
    """The least number with one significant digit that isn't below `users`; 10 at least."""
    step: int = 10 ** (len(str(max(users, LEAST))) - 1)
    return -(-max(users, LEAST) // step) * step
