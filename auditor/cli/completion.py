"""Completion for shells, written from the parser itself: ``auditor completion bash``."""

import argparse
import shlex
from collections.abc import Iterator

from auditor.cli.console import Console

_BASH = """\
_auditor() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} words=
    if [ "$COMP_CWORD" -eq 1 ]; then
        words={verbs}
    else
        case ${{COMP_WORDS[1]}} in
{cases}
        esac
    fi
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ] || [[ $current == -* ]]; then
        COMPREPLY=($(compgen -W "$words" -- "$current"))
    fi
}}
complete -o default -F _auditor auditor
"""
_ZSH = "autoload -Uz bashcompinit && bashcompinit\n" + _BASH


def print_completion(arguments: argparse.Namespace, console: Console) -> int:
    """A script that completes verbs and options; file names stay the shell's own."""
    verbs = _list_verbs(arguments.parser)
    script = "".join(_write_fish(verbs))
    if arguments.shell != "fish":
        cases = (
            f"        {name}) words={shlex.quote(' '.join(options))} ;;"
            for name, (_, options) in verbs.items()
        )
        form = _BASH if arguments.shell == "bash" else _ZSH
        script = form.format(verbs=shlex.quote(" ".join(verbs)), cases="\n".join(cases))
    console.print_result({"shell": arguments.shell, "script": script}, script.rstrip())
    return 0


Verbs = dict[str, tuple[str, dict[str, str]]]
"""Of each verb its help, and of each of its long options the help."""


def _list_verbs(parser: argparse.ArgumentParser) -> Verbs:
    (verbs,) = (entry for entry in parser._actions if isinstance(entry, argparse._SubParsersAction))
    helps = {entry.dest: entry.help or "" for entry in verbs._choices_actions}
    return {
        name: (
            helps.get(name, ""),
            {
                flag: action.help or ""
                for action in verb._actions
                if action.help != argparse.SUPPRESS
                for flag in action.option_strings
                if flag.startswith("--")
            },
        )
        for name, verb in verbs.choices.items()
    }


def _write_fish(verbs: Verbs) -> Iterator[str]:
    for name, (summary, options) in verbs.items():
        yield f"complete -c auditor -n __fish_use_subcommand -a {name} -d {shlex.quote(summary)}\n"
        for flag, help_ in options.items():
            description = shlex.quote(help_.partition(";")[0].replace("%(default)s", "")[:80])
            condition = shlex.quote(f"__fish_seen_subcommand_from {name}")
            yield f"complete -c auditor -n {condition} -l {flag[2:]} -d {description}\n"
