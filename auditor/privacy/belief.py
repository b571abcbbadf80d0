"""What (ε, δ) means for one person: how often a guess is right, and how sure a release can make it.

Whoever gives 50 % to each of two neighbouring logs believes after an output o in the first with
b = P(o)/(P(o) + P'(o)), and an output comes with (P + P')/2. With B = e^ε/(1 + e^ε)

    b − B = (P(o) − e^ε P'(o)) / ((1 + e^ε)(P(o) + P'(o))).

So by (ε, δ) the positive part of b − B has a mean of at most δ/2(1 + e^ε), and that of 1 − b − B
as well. Both together, and Markov's inequality on them, give for every (ε, δ)

* right guesses: the mean of max(b, 1 − b) is at most B + δ(1 − B), which some mechanisms reach;
* belief: P[max(b, 1 − b) > B + (1 − B)/c] ≤ cδ. The same holds given either log: b is above that
  bound where P/P' > (c e^ε + 1)/(c − 1), and P[L > ε'] ≤ δ/(1 − e^(ε − ε')).

That ε itself bounds the belief but for δ holds of no mechanism that composes its δ over several
losses: P[L > ε] of truncated noise on 20 counts is 34 δ.
"""

import math
from dataclasses import dataclass

from auditor.figures import format_delta, format_share
from auditor.log.sentences import sentence
from auditor.messages import DisplayText, as_phrase, phrase

FAILURE_FACTOR = 10
"""c above: belief beyond its bound is at most so many times as likely as δ."""
NEARLY_CERTAIN = 0.9995
"""A share from here on is told as “over 99.9 %”, which is no bound."""
_GUESSES = {
    (False, False): "whether somebody is in the log",
    (True, False): "which of two histories is somebody's",
    (False, True): "whether the log holds what somebody did in one {period}",
    (True, True): "which of two versions of one {period} is somebody's",
}
"""What is guessed, by whether histories are exchanged and whether ε speaks of a period alone."""

_RISES = {
    (False, False): "becomes at most",
    (True, False): "can become",
    (False, True): "is right at most",
    (True, True): "can be right",
}
"""By whether it is nearly certain, and whether there is a δ; without, each release is bounded."""


@dataclass(frozen=True)
class BeliefBound:
    """What somebody who gives it 50 % gets from a release that is (ε, δ).

    Attributes
    ----------
    accuracy
        How often their guess is right at most, over all releases that may come out.
    belief
        How sure one release makes them at most, but for a probability of `failure`; None where
        nothing bounds that.
    failure
        The probability, at most, of a release that makes them surer.
    """

    epsilon: float
    delta: float
    accuracy: float
    belief: float | None
    failure: float

    def describe(self, *, exchanged: bool = False, period: str = "") -> DisplayText:
        """One or two sentences; `exchanged` and `period` say what is guessed."""
        certain = self.accuracy >= NEARLY_CERTAIN
        meaning = sentence(
            "belief.accuracy_of_time" if self.delta else "belief.accuracy",
            epsilon=self.epsilon,
            whether=phrase(_GUESSES[exchanged, bool(period)], period=as_phrase(period)),
            rises=_RISES[certain, bool(self.delta)],
            accuracy=format_share(self.accuracy),
        )
        # Rounded up, since it bounds.
        belief = math.ceil(1_000 * (1.0 if self.belief is None else self.belief)) / 1_000
        if self.failure and belief < NEARLY_CERTAIN:
            meaning += sentence(
                "belief.surer", belief=format_share(belief), failure=format_delta(self.failure)
            )
        return meaning


def bound_belief(epsilon: float, delta: float = 0.0) -> BeliefBound | None:
    """The bounds of the module's text; None where nothing is bounded (ε infinite or δ = 1)."""
    if not math.isfinite(epsilon) or delta >= 1:
        return None
    missing = 1.0 / (1.0 + math.exp(min(epsilon, 700.0)))
    failure = FAILURE_FACTOR * delta
    belief = None
    if failure < 1:
        belief = 1.0 - missing * (1.0 - 1.0 / FAILURE_FACTOR if delta else 1.0)
    return BeliefBound(epsilon, delta, 1.0 - missing * (1.0 - delta), belief, min(failure, 1.0))
