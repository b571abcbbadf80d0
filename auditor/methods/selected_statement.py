"""What a release states whose parameters were chosen by looking at its own log.

The mathematics and its proof are in `privacy.selection`. A private choice adds its ε to that of
the release, as any two looks at one log do; of an open one the statement says that nothing covers
it.
"""

import dataclasses

from auditor.log.sentences import sentence
from auditor.messages import as_phrase, phrase
from auditor.methods import statements as words
from auditor.methods.noisy_counts.period_units import USUAL_EPSILON, WHOLE_EPSILON, find_period
from auditor.params import Params
from auditor.privacy.selection import SELECTION_EPSILON, ParameterSelection
from auditor.privacy.statement import Assumption, Statement, Term

BLINDLY = "parameters chosen blindly"
_ESTIMATES = ("epsilon_integer_noise", "korolova_epsilon")


def selected_statement(
    statement: Statement, selection: ParameterSelection | None, method: str, params: Params
) -> Statement:
    """The statement of a release whose parameters were chosen so; itself where nobody looked.

    What a private choice cost stays spent when its setting is edited, but covers the edit not.
    """
    if selection is None:
        return statement
    formal = statement.model == "differential privacy" and statement.epsilon is not None
    if selection.look == "open" or not formal:
        open_choice = Assumption(
            BLINDLY,
            "Parameters were not chosen by what this log shows.",
            "fails" if formal else "unknown",
            sentence(
                "selected_statement.found_search_log_without", candidates=selection.candidates
            ),
        )
        return _with_assumption(statement, open_choice)
    assert statement.epsilon is not None
    # An exchange is two users' worth, and so is a period of a user more or less.
    cost = selection.epsilon * (1 if statement.neighbours == words.NEIGHBOURS else 2)
    epsilon = statement.epsilon + cost
    tight = statement.tight_epsilon
    extra = {SELECTION_EPSILON: cost, "selection_candidates": float(selection.candidates)}
    _, exchanged = find_period(statement.to_dict())
    total = selection.epsilon * (2 if exchanged else 1)  # a history is added, or exchanged
    costs = dict.fromkeys(_ESTIMATES, cost) | {WHOLE_EPSILON: total, USUAL_EPSILON: total}
    measured = statement.measured
    extra |= {
        name: measured[name] + extra_cost for name, extra_cost in costs.items() if name in measured
    }
    text = sentence("selected_statement.permute_flip_over_public", candidates=selection.candidates)
    if selection.searches > 1:
        text = sentence(
            "selected_statement.private_choices_log_last",
            searches=selection.searches,
            told=as_phrase(text),
        )
    covered = selection.covers(method, params.to_dict())
    private_choice = Assumption(
        BLINDLY,
        "Parameters were not chosen by what this log shows, or the choice is in the sum.",
        "holds" if covered else "unknown",
        phrase(
            "chosen among settings that are public by a private selection on this log, "
            "for ε = {cost}, which is in the sum"
            if covered
            else "edited after a private selection on this log, whose ε = {cost} is in the sum: "
            "what the log showed when it was edited is not",
            cost=words.format_number(cost),
        ),
    )
    claim = sentence(
        "selected_statement.parameters_chosen_log_private",
        cost=words.format_number(cost),
        epsilon=words.format_number(epsilon),
        claim=as_phrase(statement.claim),
    )
    result = dataclasses.replace(
        statement,
        claim=claim,
        epsilon=epsilon,
        tight_epsilon=None if tight is None else tight + cost,
        terms=(*statement.terms, Term.of_budget("choice of parameters", cost, 0.0, text)),
        measured={**measured, **extra},
    )
    return _with_assumption(result, private_choice)


def repeat_selection(statement: Statement, other: Statement) -> Statement:
    """The statement with the choice of parameters that another one tells of, for comparing."""
    cost = other.measured.get(SELECTION_EPSILON)
    if cost is None or statement.epsilon is None:
        return statement
    return dataclasses.replace(statement, epsilon=statement.epsilon + max(cost, 0.0))


def _with_assumption(statement: Statement, answer: Assumption) -> Statement:
    """The assumption in the place of the one that it answers, or after the others."""
    assumptions = {entry.name: entry for entry in statement.assumptions} | {answer.name: answer}
    return dataclasses.replace(statement, assumptions=tuple(assumptions.values()))
