"""Who attacks: adversaries that set what each attack assumes, so that nobody has to tune them.

An attack's success depends on what its attacker knows beforehand. Each adversary here is somebody
whom a steward can picture, with the knowledge that such a person plausibly has; the figures are
assumptions, stated with the adversary, and any of them can be changed afterwards.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from auditor.attacks.registry import ATTACKS
from auditor.errors import ParameterError
from auditor.fuzzy_search import did_you_mean
from auditor.messages import DisplayText, phrase
from auditor.params import Params
from auditor.resource_files import resource_text

USUAL = "usual"
"""The adversary whom all attacks assume by themselves."""
CUSTOM = "custom"
"""What is said where parameters were set that are no adversary's."""


@dataclass(frozen=True, kw_only=True)
class Adversary:
    """An attacker with given knowledge, whom a policy can assume."""

    # name, title: what the command line takes, and what people read, in the plural
    name: str
    title: DisplayText
    knows: DisplayText  # what they know beforehand, in a sentence
    # The same as values of parameters, by attack and parameter; the others keep their defaults.
    settings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    # What to give the program, if there is any, so that their attacks are as good as theirs:
    # ``reference`` and ``profiles``.
    files: Sequence[str] = ()

    def make_params(self, attack: str) -> Params:
        """The parameters with which they make an attack."""
        params: Params = ATTACKS[attack].params()
        return params.replace(**self.settings.get(attack, {}))


ADVERSARIES: Final = tuple(
    Adversary(name=name, knows=words.pop("help"), **words)
    for name, words in tomllib.loads(resource_text("adversaries.toml")).items()
)
"""From the one who assumes nothing on; in ``resources/adversaries.toml``."""


def find_adversary(name: str) -> Adversary:
    """The adversary of that name; raises `ParameterError` for one that nobody has."""
    names = [adversary.name for adversary in ADVERSARIES]
    if name not in names:
        raise ParameterError(
            "adversary",
            phrase(
                "There is no adversary '{name}'.{meant} There are: {names}.",
                name=name[:80],
                meant=did_you_mean(name[:80], names),
                names=", ".join(names),
            ),
        )
    return ADVERSARIES[names.index(name)]


def recognize_adversary(attacks: Mapping[str, Params]) -> str:
    """Whose attacks these are, by their parameters: a name, or `CUSTOM`.

    Where several adversaries make them alike, the first in the list.
    """
    return next(
        (
            adversary.name
            for adversary in ADVERSARIES
            if all(params == adversary.make_params(name) for name, params in attacks.items())
        ),
        CUSTOM,
    )
