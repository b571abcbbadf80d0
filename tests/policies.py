"""Policies for tests, as a file has them."""


def policy_text(*gates: str, name: str = "test") -> str:
    """The text of a policy; each of its `gates` is ``NAME FIGURE LIMIT=VALUE``."""
    text = f'format = "auditor policy 1"\nname = "{name}"\n'
    for gate in gates:
        called, figure, *limits = gate.split(maxsplit=2)
        text += f'[[gate]]\nname = "{called}"\nfigure = "{figure}"\n'
        text += "".join(f"{limit.replace('=', ' = ')}\n" for limit in limits)
    return text
