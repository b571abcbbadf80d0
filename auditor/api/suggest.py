"""The search for the most useful release that passes a policy, from Python."""

from collections.abc import Iterable
from pathlib import Path

from auditor.errors import ParameterError
from auditor.log.model import QueryLog
from auditor.progress import Progress, silent_progress
from auditor.release.ledger.store import ledger_path
from auditor.release.policy.policy import Policy, load_policy
from auditor.suggestions.limits import read_earlier
from auditor.suggestions.request import SELECTION_EPSILON, SearchHearing, SearchRequest, parse_goal
from auditor.suggestions.result import SearchMode, Suggestions
from auditor.suggestions.search import suggest_release
from auditor.suggestions.store import SearchStore


def suggest(
    log: QueryLog,
    *,
    policy: Policy | Path | str | None = None,
    maximise: str = "volume",
    mode: SearchMode = "private",
    methods: Iterable[str] | None = None,
    budget: float | None = None,
    selection_epsilon: float | None = None,
    users: int | None = None,
    growth: bool = True,
    store: Path | str | None = None,
    ledger: Path | str | None = None,
    progress: Progress | None = None,
) -> Suggestions:
    """The most useful release that passes `policy`, with what binds it and how it grows.

    Parameters
    ----------
    log
        The log; see `mode`.
    policy
        A policy, its file, or None for the one that comes with the program.
    maximise
        "volume", "queries", "ndcg", "trends", "next-query", or weights such as "volume=1,ndcg=0.5".
    mode
        "private": one choice on the log itself, whose ε (`selection_epsilon`, which has to be
        named) is part of the statement. "free": `log` is an older or a synthetic one; `users`
        then says how many users the log of the release has. "sizes": by the number of users alone.
        "open": on the log without noise, for methods without ε.
    methods
        Names of those that are tried; None for all.
    budget
        Seconds after which the search ends with what it has found.
    selection_epsilon
        What a private choice may cost.
    users
        How many users the log of the release has, where `log` is another one.
    growth
        Whether it is estimated how much logs of more users would keep.
    store
        A private file in which runs and private choices are kept, so that the same search goes
        on from there; None for the usual one in your data folder.
    ledger
        The ledger whose earlier releases of `log` are taken off the ε and δ of the policy; None
        for the usual one.
    progress
        Hears of the work and may cancel it; see `show_progress`.

    Returns
    -------
    Suggestions
        The best ones and all that were tried.

    Notes
    -----
    ``found.best`` is the suggestion, ``found.front`` those that none beats, ``found.growth`` how
    it grows with users, ``found.to_frame()`` all as a table. To make it::

        best = auditor.suggest(log, maximise="queries", selection_epsilon=0.5).best
        result = auditor.audit(log, best.method, selection=best.selection, **best.params.to_dict())

    Raises
    ------
    ParameterError, MissingInput
        The arguments don't go together, or the log is empty.
    """
    if mode == "private" and selection_epsilon is None:
        raise ParameterError(
            "selection_epsilon",
            "A private search costs ε, whether or not its answer is used: name what it may cost, "
            "like selection_epsilon=0.5, or search by mode='sizes'.",
        )
    rules = load_policy(policy)
    place = ledger_path(None if ledger is None else Path(ledger))
    heard = silent_progress() if progress is None else progress
    request = SearchRequest(
        policy=rules,
        goal=parse_goal(maximise),
        mode=mode,
        methods=None if methods is None else tuple(methods),
        budget=budget,
        selection_epsilon=SELECTION_EPSILON if selection_epsilon is None else selection_epsilon,
        users=users,
        growth=growth,
        earlier=read_earlier(log, place, heard),
    )
    run_store = SearchStore.open_usual(place) if store is None else SearchStore(Path(store), place)
    return suggest_release(request, log, SearchHearing(progress=heard), run_store)
