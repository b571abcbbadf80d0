"""The parameters of the hash inversion: how the attacker proceeds, and what is shown besides."""

from __future__ import annotations

from dataclasses import dataclass

from auditor.attacks.hash_inversion.inversion import InversionConfig
from auditor.params import ParamOption, Params, choice, integer, real

_UPDATING = {"scheme": ("confident", "iterate", "expand")}
_SOURCE = {"scheme": ("iterate", "expand")}


@dataclass(frozen=True, kw_only=True)
class HashInversionParams(Params, owner="hash-inversion"):
    """How the attacker proceeds, and which of the source's tables is made besides."""

    n: int = integer(
        1000,
        2,
        65_536,
        label="Vocabulary size (n)",
        unit="words",
        slider=(100, 16_384),
        scale="log",
        ends=("frequent tokens", "rare tokens, too"),
        help="How many of the most frequent tokens are attacked. Rarer tokens have fewer "
        "co-occurrences and are harder to recover. Memory grows with the square: 1 GiB "
        "at 16,384.",
    )
    reference: str = choice(
        "auto",
        (
            ParamOption(
                "auto", "the reference log, or other users", "A given file, if there is one."
            ),
            ParamOption("file", "the reference log", "The attacker has another log."),
            ParamOption("earlier", "an earlier period", "The first half of this log's time."),
            ParamOption("users", "other users", "Half of this log's users, drawn at random."),
        ),
        label="Reference",
        help="What the attacker compares with. Where this log is split, only the other part "
        "counts as hashed.",
    )
    scheme: str = choice(
        "confident",
        (
            ParamOption(
                "confident",
                "most confident first",
                ("Uses the most confident pairs first. Recovers the most."),
            ),
            ParamOption(
                "iterate", "iterate", ("As in the source: update all pairs until nothing changes.")
            ),
            ParamOption(
                "expand",
                "expand",
                ("The source's expansion for large vocabularies: double, with one update each."),
            ),
            ParamOption("continuous", "continuous", "The source's from known pairs, one by one."),
        ),
        label="Scheme",
        help="How the mapping grows. Expansion takes less time for large vocabularies; the "
        "continuous update begins with pairs that the attacker knows already.",
    )
    initial: str = choice(
        "node-start",
        (
            ParamOption(
                "node-start", "fingerprint", ("Five features of frequency and co-occurrence.")
            ),
            ParamOption("frequency", "frequency", "The i-th most frequent to the i-th."),
            ParamOption("random", "random", "Any to any."),
        ),
        label="Initial mapping",
        help="Where the attacker begins. The fingerprint needs the fewest updates.",
        when=_SOURCE,
    )
    distance: str = choice(
        "l1",
        (
            ParamOption("l1", "L1", "As in the source."),
            ParamOption("l2", "L2", "Dominated by frequent neighbours."),
            ParamOption("cosine", "cosine", "Compares directions alone."),
            ParamOption(
                "hellinger", "Hellinger", "Cosine of square roots: rare neighbours weigh more."
            ),
            ParamOption("rare", "cube roots", "Cosine of cube roots: they weigh more still."),
        ),
        label="Distance",
        help="How the co-occurrences of a hash are compared with those of a token. The first "
        "three are the source's. The scheme “most confident first” always compares by "
        "cosines of cube roots.",
        when={"scheme": ("iterate", "expand", "continuous")},
    )
    order: str = choice(
        "auto",
        (
            ParamOption("auto", "where it is kept", "Determined from the hashes themselves."),
            ParamOption("ignored", "ignored", "As in the source: co-occurrences alone."),
        ),
        label="Token order",
        help="Whether the attacker uses which hash follows which. Sorted or shuffled hashes "
        "are detected, and their order is ignored.",
        when={"scheme": ("confident",)},
    )
    update: str = choice(
        "score-greedy",
        (
            ParamOption("score-greedy", "nearest first", "The nearest pair is matched first."),
            ParamOption(
                "min-cost", "least total distance", "The best matching as a whole; slower."
            ),
            ParamOption(
                "rank-greedy", "best ranks first", "By the ranks that both give each other."
            ),
            ParamOption(
                "stable-marriage", "stable marriage", "No two would rather have each other."
            ),
        ),
        label="Update",
        help="How distances become a one-to-one mapping. Stable marriage gives the same "
        "result as nearest first, since both sides rank by one distance.",
        when=_UPDATING,
    )
    iterations: int = integer(
        20,
        0,
        200,
        label="Maximum number of updates",
        slider=(0, 30),
        ends=("quick", "thorough"),
        help="Updating stops earlier when the mapping no longer changes. Each update may "
        "recover more tokens, since more of their co-occurrences are known.",
        when=_UPDATING,
    )
    start: int = integer(
        1000,
        2,
        65_536,
        label="Initial size of the expansion",
        unit="words",
        slider=(100, 4096),
        scale="log",
        help="The vocabulary that is mapped before it is doubled repeatedly up to n, and the "
        "smallest size in the tables.",
        when={"scheme": ("expand",)},
    )
    alpha: float = real(
        1.0,
        0.0,
        1.0,
        closed="right",
        label="Candidates kept (α)",
        slider=(0.01, 1.0),
        help="Share of the tokens that are considered for each hash: the nearest by "
        "fingerprint. A smaller share saves time and misses tokens whose use differs "
        "between the logs.",
        when=_UPDATING,
    )
    beta: float = real(
        1.0,
        0.0,
        1.0,
        closed="right",
        label="Co-occurrences kept (β)",
        slider=(0.1, 1.0),
        help="Share of each token's co-occurrences that is compared: the most frequent ones. "
        "A smaller share saves time and loses distinguishing details.",
    )
    bootstrap: int = integer(
        100,
        0,
        10_000,
        label="Known pairs",
        unit="words",
        slider=(0, 1000),
        help="With the continuous update, how many pairs the attacker knows at the start: "
        "true pairs of frequent tokens where the auditor knows them, else the best by "
        "fingerprint.",
        when={"scheme": ("continuous",)},
    )
    confidence: str = choice(
        "unknown",
        (
            ParamOption(
                "unknown",
                "where the ground truth is unknown",
                "Two more inversions, of the reference.",
            ),
            ParamOption(
                "always", "always", ("Also checks the confidence where the ground truth is known.")
            ),
            ParamOption("never", "never", "Margins alone."),
        ),
        label="Confidence of each pair",
        help="Whether each pair gets a probability of being correct, learned by inverting "
        "parts of the reference whose true tokens the attacker knows. Where the ground "
        "truth is known, it is checked.",
    )
    table: str = choice(
        "none",
        (
            ParamOption("none", "none", "The attack alone."),
            ParamOption("fig1", "first mappings", "Figure 1: accuracy by update for each."),
            ParamOption("table1", "updates", "Table 1: the four updates at each vocabulary size."),
            ParamOption("distances", "distances", "How often the nearest token is correct."),
            ParamOption("table3", "expansion", "Table 3 and figure 4."),
            ParamOption("experiments", "pruning", "The four experiments on expansion and pruning."),
            ParamOption(
                "variants", "variants", ("Beyond the source: all variants, on the same data.")
            ),
            ParamOption("gap", "gap", "Table 4: time between the two logs."),
            ParamOption("interval", "interval", "Table 5: length of the two logs."),
        ),
        label="Table of the source",
        help="Also reproduces one of the source's tables on this log. Gap and interval cut "
        "both logs out of the raw one by time.",
    )

    def make_config(self) -> InversionConfig:
        """The parameters that say how to invert."""
        return InversionConfig(
            initial=self.initial,  # type: ignore[arg-type]
            distance=self.distance,  # type: ignore[arg-type]
            update=self.update,
            scheme=self.scheme,  # type: ignore[arg-type]
            iterations=self.iterations,
            start=self.start,
            alpha=self.alpha,
            beta=self.beta,
            bootstrap=self.bootstrap,
            order=self.scheme == "confident" and self.order == "auto",
        )
