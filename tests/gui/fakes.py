"""A method, an attack and a measure small enough to know by heart, and logs to use them on."""

import dataclasses
import time
from dataclasses import dataclass

import numpy as np

from auditor.attacks.base import Attack, AttackResult, Evidence, FlaggedFindings
from auditor.engine.run import Run
from auditor.errors import MissingInput
from auditor.figures import Axis, Figure, MetricValue, PlotMark, PlotZone, Series
from auditor.gui.state import log_loading
from auditor.gui.state.controller import Controller
from auditor.log.model import QueryLog, Vocabulary
from auditor.measures.base import Measure, MeasureResult
from auditor.methods.base import ExpectedRelease, Method, ParameterSolver
from auditor.params import ParamOption, Params, choice, flag, integer, path, real
from auditor.privacy.release import Anonymized, Product, Release, Tables
from auditor.privacy.statement import Assumption, Statement, Term
from auditor.progress import Progress, silent_progress

SIDES = ("more useful", "more private")


@dataclass(frozen=True, kw_only=True)
class FakeParams(Params, owner="fake"):
    """One parameter of every kind."""

    K: float = real(
        50.0, 1.0, 10_000.0, label="Threshold K", unit="users", scale="log", ends=SIDES,
        help="A query leaves only if more than K users asked it.",
    )  # fmt: skip
    b: float = real(
        10.0, 0.0, 100.0, closed="right", label="Noise scale b", ends=SIDES,
        help="Spread of the noise that hides each user.",
    )  # fmt: skip
    q_f: int = integer(40, 1, 1000, label="Queries kept per user", help="Later ones are dropped.")
    top: int | None = integer(None, 1, 9, label="Top", help="How many.", optional="solved")
    mode: str = choice(
        "strict",
        [
            ParamOption("strict", "strict", "Every assumption is checked."),
            ParamOption("published", "as published", "What the source prints."),
            ParamOption("crash", "fails", "Stops with an error."),
            ParamOption("slow", "slow", "Takes until somebody cancels."),
        ],
        label="Mode",
        help="Which algorithm.",
    )
    lower: bool = flag(False, label="Lower case", help="Fold case.", when={"mode": ("published",)})
    pool: object = path(label="Pool", help="A list of queries that may leave.")

    def check(self) -> None:
        """K and b may not both be huge."""
        if self.K > 9000 and self.b > 90:
            raise MissingInput("K and b are both too large.")


def statement(params: FakeParams) -> Statement:
    """ε = q_f / b with one assumption of every status."""
    return Statement(
        model="differential privacy",
        claim=f"Nobody can tell one user's history by more than e^{params.q_f / params.b:.3g}.",
        unit="one user's whole history",
        neighbours="logs that differ in one user",
        epsilon=params.q_f / params.b,
        delta=1e-6,
        terms=(Term("queries", params.q_f / params.b, 1e-6, "q_f / b"),),
        assumptions=(
            Assumption("noise", "Noise comes from a secure sampler.", "holds", "OpenDP"),
            Assumption("pool", "The pool was chosen without looking at the log.", "fails"),
            Assumption("users", "One account is one person.", "unknown"),
        ),
        tight_epsilon=0.9 * params.q_f / params.b,
        tight_note="At the same δ.",
    )


def curves(params: FakeParams, users: int) -> tuple[Figure, ...]:
    """ε over b, and δ over K."""
    b = np.linspace(1, 100, 200)
    k = np.geomspace(1, 1000, 100)
    return (
        Figure(
            "epsilon-b",
            "ε over b",
            Axis("noise scale b"),
            Axis("ε"),
            (Series("this q_f", b, params.q_f / b), Series("as printed", b, 1.2 * params.q_f / b)),
            marks=(
                PlotMark("x", params.b, "b now", "current"),
                PlotMark("x", 40, "turning point", "optimum"),
            ),
        ),
        Figure(
            "delta-k",
            "δ over K",
            Axis("threshold K", "users", "log"),
            Axis("δ", scale="log"),
            (Series("δ", k, np.exp(-k / params.b)),),
            marks=(PlotMark("x", params.K, "K now", "current"),),
            zones=(PlotZone("y", 1 / max(users, 1), float("inf"), "δ ≥ 1/users", "bad"),),
        ),
    )


def outlook(
    log: QueryLog, params: FakeParams, *, scale: float, progress: Progress
) -> ExpectedRelease:
    """Counts of users above K."""
    progress.check()
    share = 100 * float(np.mean(np.bincount(log.query) > params.K))
    kept = MetricValue("kept", "queries kept", share, "%", "Distinct queries.", "higher", "utility")
    names = tuple(f"query number {i}" for i in range(8))
    places = np.arange(8.0)
    counts = places[::-1] * scale
    series = (
        Series("original", places, counts, "bars"),
        Series("released", places, counts * 0.8, "bars"),
    )
    top = Figure("top", "Top queries", Axis("query", categories=names), Axis("users"), series)
    return ExpectedRelease(statement=statement(params), values=(kept,), figures=(top,))


def run(log: QueryLog, params: FakeParams, *, rng: object, progress: Progress) -> Product:
    """Release the first queries, or fail, or wait to be cancelled."""
    if params.mode == "crash":
        raise MissingInput("The pool is empty. Choose another file.")
    progress.stage("counting", 100)
    while params.mode == "slow":
        progress.advance(0)
        time.sleep(0.005)
    progress.update(100)
    size = min(5, len(log.queries))
    words = Vocabulary.of(log.queries.list_strings(range(size)))
    tables = Tables(queries=words, query_count=np.arange(size, dtype=np.int64) + 1)
    return Product(content=tables, statement=statement(params), changes={"rows": 1})


def solve_b(params: FakeParams, epsilon: float, users: int) -> FakeParams:
    """The b that makes ε what somebody wants."""
    return params.replace(b=params.q_f / epsilon)


METHOD = Method(
    name="fake",
    title="Fake method",
    summary="Keeps the queries that many users asked.",
    source="made up",
    params=FakeParams,
    yields="tables",
    randomised=False,
    run=run,
    outlook=outlook,
    curves=curves,
    solvers=(ParameterSolver("b", "epsilon", "b for ε =", solve_b),),
)


@dataclass(frozen=True, kw_only=True)
class NoParams(Params, owner="none"):
    """Nothing to set."""


def attack(
    evidence: Evidence, params: NoParams, *, rng: object, progress: Progress
) -> AttackResult:
    """Flag the first session of every user."""
    log = evidence.log
    starts = log.user_starts[:-1]
    m = len(starts)
    survives = np.zeros(len(log.queries), dtype=np.bool_)
    survives[:5] = True
    findings = FlaggedFindings(
        start=starts,
        stop=starts + 1,
        reason=np.ones(m, dtype=np.uint64),
        risk=np.linspace(0.1, 0.9, m),
        surviving=survives[log.query[starts]].astype(np.int32),
        flagged=np.ones(m, dtype=np.int32),
        reasons=("first of its user",),
        mark_query=np.arange(len(log.queries), dtype=np.int32),
        mark_start=np.zeros(len(log.queries), dtype=np.int32),
        mark_stop=np.ones(len(log.queries), dtype=np.int32),
        mark_reason=np.zeros(len(log.queries), dtype=np.uint8),
        survives=survives,
    )
    exposed = MetricValue("exposed", "users exposed", m, "users", "", "lower", "privacy")
    return AttackResult(
        attack="fake-attack",
        params={},
        rate=0.25,
        baseline=0.1,
        interval=(0.2, 0.3),
        values=(exposed,),
        findings=findings,
    )


ATTACK = Attack(
    name="fake-attack",
    title="Fake attack",
    summary="Flags.",
    source="made up",
    params=NoParams,
    run=attack,
    needs=("release",),
)


def measure(log: QueryLog, release: Anonymized, params: NoParams, context: object) -> MeasureResult:
    """Share of rows kept, made from the release's own parameters."""
    share = 100.0 / float(release.params["K"])
    rows = MetricValue("rows", "rows kept", share, "%", "Share of rows.", "higher", "utility")
    return MeasureResult(measure="fake-measure", params={}, values=(rows,))


MEASURE = Measure(
    name="fake-measure",
    title="Fake measure",
    summary="Counts.",
    source="made up",
    params=NoParams,
    run=measure,
)


def small_log(users: int = 40, rows: int = 6) -> QueryLog:
    """`users` who each issue `rows` queries an hour apart, the first half of them as all do."""
    events = [(user, row) for user in range(users) for row in range(rows)]
    return QueryLog.from_columns(
        user=[f"user {user}" for user, _ in events],
        query=[f"query {row if row < rows // 2 else user * rows + row}" for user, row in events],
        time=[1_141_171_200 + 3600 * number for number in range(len(events))],
    )


def open_log(controller: Controller, log: QueryLog | None = None, title: str = "small.tsv") -> None:
    """Let a controller work on a log, a small one if none is given."""
    log = small_log() if log is None else log
    controller.adopt_log(log_loading.prepare_log(log, title, silent_progress()))


def outcome(
    record: Run,
    *,
    values: tuple[MetricValue, ...] = (),
    attacks: tuple[AttackResult, ...] = (),
    release: Release | None = None,
    claim: Statement | None = None,
) -> None:
    """Let a run be finished with these metrics and attacks; ε is the statement's."""
    facts = {value.name: value.value for value in values}
    claim = dataclasses.replace(
        claim or statement(FakeParams()), epsilon=facts.get("epsilon"), delta=facts.get("delta")
    )
    measured = MeasureResult(
        measure="fake-measure",
        params={},
        values=tuple(value for value in values if value.name not in ("epsilon", "delta")),
    )
    result = Run(record.plan, release, (measured,), attacks)
    result.statement = claim
    record.finish(result)
