"""Who attacks: adversaries that set what each attack assumes, so that nobody has to tune them.

An attack's success depends on what its attacker knows beforehand. Each adversary here is somebody
whom a steward can picture, with the knowledge that such a person plausibly has; the figures are
assumptions, stated with the adversary, and any of them can be changed afterwards.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from auditor.attacks.registry import ATTACKS
from auditor.errors import ParameterError
from auditor.messages import DisplayText, phrase
from auditor.params import Params

USUAL = "usual"
"""The adversary whom all attacks assume by themselves."""
CUSTOM = "custom"
"""What is said where parameters were set that are no adversary's."""

CheckSettings = Mapping[str, Mapping[str, Any]]
"""Values of parameters, by attack and parameter; the others keep their defaults."""


@dataclass(frozen=True, kw_only=True)
class Adversary:
    """Somebody who may attack a release.

    Attributes
    ----------
    name, title
        What the command line takes, and what people read, in the plural.
    knows
        What they know beforehand, in a sentence.
    settings
        The same as parameters of the attacks.
    files
        What to give the program, if there is any, so that their attacks are as good as theirs:
        ``reference`` and ``profiles``.
    """

    name: str
    title: DisplayText
    knows: DisplayText
    settings: CheckSettings = field(default_factory=dict)
    files: tuple[str, ...] = ()

    def make_params(self, attack: str) -> Params:
        """The parameters with which they make an attack."""
        params: Params = ATTACKS[attack].params()
        return params.replace(**self.settings.get(attack, {}))


ADVERSARIES: Final = (
    Adversary(
        name=USUAL,
        title="Nobody in particular",
        knows="Half of somebody's searches, word by word, but neither pages nor times: what each "
        "attack assumes by itself.",
    ),
    Adversary(
        name="colleague",
        title="Colleagues and acquaintances",
        knows="One search in twenty of somebody, half of them only roughly, from talking and from "
        "looking over a shoulder; and their name.",
        settings={
            "record-linkage": {"share": 0.05},
            "near-linkage": {"share": 0.05, "misremembered": 0.5},
            "semantic-linkage": {"share": 0.05, "paraphrased": 0.5},
            "vanity": {"names": "profile"},
        },
        files=("profiles",),
    ),
    Adversary(
        name="family",
        title="Family and flatmates",
        knows="A quarter of somebody's searches with the pages they opened, from a shared device, "
        "a quarter of them only roughly; and their name and postal code.",
        settings={
            "record-linkage": {"share": 0.25, "knows": "pages"},
            "near-linkage": {"share": 0.25, "misremembered": 0.25},
            "semantic-linkage": {"share": 0.25, "paraphrased": 0.25},
            "vanity": {"names": "profile"},
            "geo-vanity": {"digits": 5},
        },
        files=("profiles",),
    ),
    Adversary(
        name="advertiser",
        title="Advertisers with cookies",
        knows="A tenth of somebody's searches with page and minute, from the sites that carry "
        "their cookie. They know browsers rather than people.",
        settings={
            "record-linkage": {"share": 0.1, "knows": "times"},
            "near-linkage": {"share": 0.1},
            "semantic-linkage": {"share": 0.1},
        },
    ),
    Adversary(
        name="provider",
        title="Internet providers",
        knows="All searches of a line with page and minute, as long as nothing is encrypted on the "
        "way. It is the strongest of them, and today mostly a bound.",
        settings={
            "record-linkage": {"share": 1.0, "knows": "times"},
            "near-linkage": {"share": 1.0},
            "semantic-linkage": {"share": 1.0},
        },
    ),
    Adversary(
        name="company",
        title="Another company with a log",
        knows="A third of somebody's searches, word by word, because they search there, too; and a "
        "log of its own, which tells which words go together.",
        settings={
            "record-linkage": {"share": 0.3},
            "near-linkage": {"share": 0.3},
            "semantic-linkage": {"share": 0.3},
            "entity-exposure": {"assume": "inversion"},
        },
        files=("reference",),
    ),
)


def find_adversary(name: str) -> Adversary:
    """The adversary of that name; raises `ParameterError` for one that nobody has."""
    from auditor.fuzzy_search import did_you_mean

    names = [one.name for one in ADVERSARIES]
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
            one.name
            for one in ADVERSARIES
            if all(params == one.make_params(name) for name, params in attacks.items())
        ),
        CUSTOM,
    )
