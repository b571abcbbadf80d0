"""The command line: reads arguments, calls a verb of `auditor.cli.verbs`, turns errors to codes.

Exit code 0 fine · 1 a gate or verification failed · 2 bad input or usage · 130 cancelled.
Results go to standard output, everything else to standard error; with ``--json`` standard
output holds JSON alone.
"""

from __future__ import annotations

import argparse
import os
import signal
import threading
from collections.abc import Sequence
from types import FrameType
from typing import Any

from auditor.cli import terminal
from auditor.cli.command_parser import CommandParser, VersionAction, parse_positive, parse_whole
from auditor.cli.option_groups import (
    add_check_options,
    add_engine_options,
    add_format_options,
    add_knowledge_options,
    add_ledger_option,
    add_log_options,
    add_memory_options,
    add_output_options,
    add_overwrite_option,
    add_parameter_option,
    add_report_options,
)
from auditor.errors import AuditorError, OutputFailed

_PLACES = (
    *("log", "release", "reference", "profiles", "policy", "clicks", "query_file", "key"),
    *("suggestion", "audit_key", "public_key", "ledger", "spill", "out", "dir", "plots"),
)
"""Arguments that name a file or a folder; an empty one would mean the current folder."""


def parse_arguments(argv: Sequence[str]) -> argparse.Namespace:
    """The arguments as a namespace whose `verb` says what to do; "gui" when nothing is said."""
    terminal.prepare_streams()
    parser = _make_parser()
    arguments = parser.parse_args(argv or ["gui"])
    for name in _PLACES:
        value = getattr(arguments, name, None)
        if value == "" or (isinstance(value, list) and "" in value):
            parser.error(f"{name.upper()} is empty: name a file or a folder")
    return arguments


def run_verb(arguments: argparse.Namespace) -> int:
    """Do what the arguments say; returns the exit code."""
    from auditor.cli import verbs as cli_verbs
    from auditor.cli.console import Console

    cancelled = threading.Event()
    _stop_on_signals(cancelled)
    console = Console(
        as_json=getattr(arguments, "json", False),
        cancelled=cancelled,
        detail=getattr(arguments, "detail", "normal"),
    )
    try:
        return cli_verbs.VERBS[arguments.verb](arguments, console)
    except OutputFailed as error:
        console.print_error(f"auditor: {error} What the command writes elsewhere is in place.")
        return error.exit_code
    except AuditorError as error:
        console.print_error("\n".join((f"auditor: {error}", *error.details)))
        return error.exit_code
    except SystemExit:  # no verb ends this way by itself
        console.print_error(
            "auditor: code of another package ended the program before there was a result. "
            "`auditor methods`, `attacks` and `measures` name what packages add: remove that one."
        )
        return 2
    except (MemoryError, RuntimeError) as error:
        # A thread that finds no memory for its stack says so in its own way.
        if isinstance(error, RuntimeError) and "start new thread" not in str(error):
            raise
        console.print_error(
            "auditor: not enough memory. Nothing was left half done. Take more (--memory), or a "
            "sample of the users (anonymize --sample-users 0.2)."
        )
        return 2


def _stop_on_signals(cancelled: threading.Event) -> None:
    """The first interrupt asks politely; a second one ends the process."""

    def stop(number: int, frame: FrameType | None) -> None:
        del frame
        if cancelled.is_set():
            os._exit(128 + number)
        cancelled.set()

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, stop)
        signal.signal(signal.SIGTERM, stop)
        hangup = getattr(signal, "SIGHUP", None)
        if hangup is not None and signal.getsignal(hangup) is not signal.SIG_IGN:
            signal.signal(hangup, stop)


def _make_parser() -> argparse.ArgumentParser:
    parser = CommandParser(
        prog="auditor",
        description="Decide whether a web-search query log may be released.",
        epilog="Without a verb the window opens.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "--version", action=VersionAction, nargs=0, help="show program's version number and exit"
    )
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)

    gui = verbs.add_parser("gui", help="open the window")
    gui.add_argument("log", nargs="*", metavar="LOG", help="log files or a folder to open")
    gui.add_argument("--sample", action="store_true", help="open the bundled sample log")

    demo = verbs.add_parser(
        "demo",
        help="audit the suggested release of the bundled sample log, or compare every method on it",
    )
    demo.add_argument("--out", default="auditor-demo", metavar="DIR", help="default: %(default)s")
    demo.add_argument(
        "--all", action="store_true", help="run every method instead, and compare them in a report"
    )
    _add_audit_options(demo, "an older one")
    guessed = argparse.ArgumentParser()
    add_format_options(guessed)
    unset = vars(guessed.parse_args([])) | {"method": None, "suggestion": None}
    demo.set_defaults(edition="internal", **unset)

    synth = verbs.add_parser("synth", help="make a synthetic log with known truth")
    synth.add_argument("dir", metavar="DIR", help="folder to make")
    synth.add_argument("--users", type=parse_positive, required=True, metavar="N")
    synth.add_argument(
        "--days", type=parse_positive, default=30, metavar="D", help="default: %(default)s"
    )
    synth.add_argument(
        "--seed", type=parse_whole, default=0, metavar="S", help="default: %(default)s"
    )
    add_overwrite_option(synth, "older files of the same names")
    add_output_options(synth)

    inspect = verbs.add_parser("inspect", help="what a log holds and what could not be read")
    add_log_options(inspect)
    add_engine_options(inspect)
    add_output_options(inspect)

    detect = verbs.add_parser("detect", help="mark sensitive content in every query")
    add_log_options(detect, "log file, or a text file with one query a line; - for standard input")
    detect.add_argument(
        "--kinds",
        metavar="KIND,…",
        help="what to look for: person, place, company, adult, email, phone, ssn (national "
        "numbers), card (and accounts), street, ip, plate, coordinates, health, sexuality, "
        "religion, politics, union, ethnicity, genetic, crime, money, minors, distress "
        "(default: all)",
    )
    detect.add_argument(
        "--countries",
        metavar="CC,…",
        default="US",
        help="ISO codes of countries whose numbers count without a word beside them; the first "
        "is the region of telephone numbers (default: %(default)s)",
    )
    detect.add_argument(
        "--least",
        type=float,
        default=0.5,
        metavar="C",
        help="how sure a mark must be, 0 to 1 (default: %(default)s)",
    )
    add_output_options(detect)

    for kind in ("methods", "attacks", "measures"):
        listing = verbs.add_parser(kind, help=f"list the {kind} with their parameters")
        listing.add_argument("name", nargs="?", metavar="NAME", help="show one whole")
        add_output_options(listing)

    anonymize = verbs.add_parser("anonymize", help="make a release folder")
    add_log_options(anonymize)
    anonymize.add_argument("--method", metavar="M", help="needed unless --suggestion is given")
    add_parameter_option(anonymize)
    _add_suggestion_option(anonymize)
    anonymize.add_argument("--out", required=True, metavar="DIR", help="release folder to make")
    add_overwrite_option(anonymize, "an older release or preview")
    add_check_options(
        anonymize, "the measures that take seconds, and no attack; `audit` makes them all"
    )
    add_knowledge_options(anonymize)
    add_engine_options(anonymize)
    add_memory_options(anonymize)
    add_report_options(anonymize, pdf=False)
    anonymize.add_argument(
        "--preview-seed",
        type=parse_whole,
        metavar="S",
        help="repeatable figures from seeded noise; writes preview.json and no release",
    )
    add_output_options(anonymize)

    audit = verbs.add_parser(
        "audit", help="make a release folder, measure all that applies, and judge it by a policy"
    )
    add_log_options(audit)
    audit.add_argument("--method", metavar="M", help="needed unless --suggestion is given")
    add_parameter_option(audit)
    _add_suggestion_option(audit)
    audit.add_argument("--out", required=True, metavar="DIR", help="release folder to make")
    _add_audit_options(audit, "an older release")

    shaped = verbs.add_parser(
        "synthesize-release",
        help="make a synthetic log of the tables of a release",
        description="Make synthetic sessions of the tables of a release folder, and of nothing "
        "else: what the tables guarantee holds for them, too. Every user's name begins with "
        "synthetic-.",
    )
    shaped.add_argument("release", metavar="RELEASE", help="release folder that holds tables")
    shaped.add_argument("--out", required=True, metavar="DIR", help="folder to make")
    shaped.add_argument(
        "--seed",
        type=parse_whole,
        default=0,
        metavar="S",
        help="another one gives other sessions of the same tables; it may be known to anybody; "
        "default: %(default)s",
    )
    shaped.add_argument("--format", choices=["tsv", "parquet"], default="tsv")
    add_overwrite_option(shaped, "an older release or synthetic log")
    add_output_options(shaped)

    feedback = verbs.add_parser(
        "feedback",
        help="what a steward's feedback says of the detector's rules and of what is missed",
        description="Read a feedback file that the window's Risk page saved: how often each rule "
        "was right, how precise the marks are and how much sensitive content is missed, both with "
        "95 % intervals, and whose dismissals count. The file names no query.",
    )
    feedback.add_argument("feedback", metavar="FILE", help="feedback file")
    feedback.add_argument(
        "--log", metavar="LOG", help="also check that it is about this log, with your audit key"
    )
    add_format_options(feedback)
    add_output_options(feedback)

    approve = verbs.add_parser("approve", help="sign a release that was judged by a policy")
    approve.add_argument("dir", metavar="DIR", help="release folder that `audit` made")
    approve.add_argument("--reviewer", required=True, metavar="NAME", help="who approves it")
    approve.add_argument(
        "--override",
        action="append",
        default=[],
        metavar="GATE=REASON",
        help="let it pass a failed gate, and why; may be repeated",
    )
    approve.add_argument("--key", required=True, metavar="FILE", help="private Ed25519 key")
    approve.add_argument(
        "--new-key", action="store_true", help="make the key, and FILE.pub for those who verify"
    )
    approve.add_argument(
        "--policy", metavar="FILE", help="judge by your own gates; default: those of the audit"
    )
    approve.add_argument(
        "--audit-key",
        metavar="FILE",
        help="public audit key of whoever audited the release; default: your own",
    )
    approve.add_argument(
        "--log", metavar="LOG", help="the original log: check the release's claims against it"
    )
    add_format_options(approve)
    add_ledger_option(approve)
    add_output_options(approve)

    ledger = verbs.add_parser(
        "ledger", help="what was approved of which log, what it adds up to, and whether it is whole"
    )
    ledger.add_argument("log", nargs="?", metavar="LOG", help="show this log's, or a release's log")
    ledger.add_argument("--verify", action="store_true", help="check the chain alone")
    ledger.add_argument(
        "--release",
        action="append",
        default=[],
        metavar="DIR",
        help="signed release to compare the ledger with; may be repeated",
    )
    add_format_options(ledger)
    add_ledger_option(ledger)
    add_output_options(ledger)

    attack = verbs.add_parser("attack", help="attack a log or a release of it")
    attack.add_argument("attack", metavar="A", help="name of the attack; see `auditor attacks`")
    add_log_options(attack)
    attack.add_argument("release", nargs="?", metavar="RELEASE", help="release folder or log")
    add_knowledge_options(attack)
    add_engine_options(attack)
    add_parameter_option(attack)
    add_output_options(attack)

    measure = verbs.add_parser("measure", help="measure a release against its log")
    measure.add_argument("measure", metavar="M", help="name of the measure; see `auditor measures`")
    add_log_options(measure)
    measure.add_argument("release", metavar="RELEASE", help="release folder or log")
    add_engine_options(measure)
    add_parameter_option(measure)
    add_output_options(measure)

    explain = verbs.add_parser(
        "explain",
        help="why a query is in a release or isn't, and what would change that",
        description="Why a query is in a release or isn't, and what would change that. The answer "
        "shows counts of the original log, which no epsilon covers: keep it inside.",
    )
    add_log_options(explain)
    explain.add_argument("release", metavar="RELEASE", help="release folder, or a log")
    explain.add_argument(
        "query", nargs="?", metavar="QUERY", help="the query; it will stand in the shell's history"
    )
    explain.add_argument(
        "--query-file",
        metavar="FILE",
        help="queries, one a line, from a file or with - from standard input, so that none stands "
        "in the shell's history",
    )
    add_output_options(explain)

    sweep = verbs.add_parser("sweep", help="run a grid of settings and tabulate what they give")
    add_log_options(sweep)
    sweep.add_argument("--method", required=True, metavar="M")
    sweep.add_argument(
        "--grid",
        action="append",
        required=True,
        metavar="NAME=V1,V2,…",
        help="may be repeated; NAME=NAME=V1,… sets several parameters alike",
    )
    add_parameter_option(sweep)
    sweep.add_argument("--attack", action="append", default=[], metavar="A")
    sweep.add_argument("--measure", action="append", default=[], metavar="M")
    sweep.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="CHECK.NAME=VALUE",
        help="parameter of an attack or measure, as retrieval.moves=3; may be repeated",
    )
    sweep.add_argument(
        "--equal",
        action="store_true",
        help="sample users so that every setting counts as many queries and clicks within q_f, c_f",
    )
    sweep.add_argument("--seed", type=parse_whole, default=0, metavar="S", help="seed of the noise")
    sweep.add_argument("--plots", metavar="DIR", help="also draw every figure over the grid there")
    sweep.add_argument("--out", required=True, metavar="FILE.parquet")
    add_overwrite_option(sweep, "an older table, and older plots of the same names")
    add_output_options(sweep)

    _add_suggest(verbs)

    verify = verbs.add_parser(
        "verify", help="check a release folder against its manifest, or a log against a definition"
    )
    add_log_options(verify, "release folder; with --model also a log file, or a folder of them")
    verify.add_argument(
        "--model",
        choices=["k-delta", "user-k"],
        help="check that this definition holds for every user; set it by -p: k, and for k-delta "
        "delta, epsilon, m",
    )
    verify.add_argument(
        "--public-key", metavar="FILE", help="check that this key's owner signed the release"
    )
    verify.add_argument(
        "--ledger",
        metavar="FILE",
        help="say by this ledger what has changed since: other releases and draws; default: "
        "$AUDITOR_LEDGER, or the one in your data folder if there is one",
    )
    verify.add_argument(
        "--clicks", metavar="LOG", help="cluster queries by another log's clicks (k-delta)"
    )
    add_parameter_option(verify)
    add_output_options(verify)
    return parser


def _add_suggest(verbs: Any) -> None:
    suggest = verbs.add_parser(
        "suggest",
        help="find the most useful release that passes a policy",
        description="Find the most useful release that passes a policy. Choosing parameters by "
        "looking at a log tells something of it: --mode says how this search looks.",
    )
    suggest.add_argument(
        "log",
        nargs="?",
        metavar="LOG",
        help="log file, or a folder of them; none is needed for --mode sizes --users N",
    )
    add_format_options(suggest)
    suggest.add_argument(
        "--policy",
        metavar="FILE",
        help="a file of gates, or a bundled policy: default, public, research-partner",
    )
    suggest.add_argument(
        "--maximise",
        default="volume",
        metavar="GOAL",
        help="volume, queries, ndcg, trends, next-query, or weights like volume=1,ndcg=0.5; "
        "default: %(default)s",
    )
    suggest.add_argument(
        "--methods", metavar="M,…", help="methods to search; default: all that the mode can"
    )
    suggest.add_argument(
        "--mode",
        choices=["private", "free", "sizes", "open"],
        default="private",
        help="private: one choice on the log, whose epsilon is part of the statement; free: LOG "
        "is an older or a synthetic log; sizes: by the number of users alone; open: on the log "
        "without noise, for methods without epsilon; default: %(default)s",
    )
    suggest.add_argument(
        "--reference", metavar="LOG", help="search on this older or synthetic log; mode free"
    )
    suggest.add_argument(
        "--users", type=parse_positive, metavar="N", help="users of the log that will be released"
    )
    suggest.add_argument(
        "--selection-epsilon",
        type=float,
        metavar="E",
        help="agree that a private choice costs this ε; without it you are asked at a terminal, "
        "where 0.5 is offered",
    )
    suggest.add_argument("--budget", metavar="TIME", help="end after this, like 90s or 10min")
    add_ledger_option(suggest)
    suggest.add_argument(
        "--growth",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="say how it grows with users; default: yes",
    )
    suggest.add_argument("--out", metavar="FILE.parquet", help="write the suggestions as a table")
    add_overwrite_option(suggest, "an older table")
    add_output_options(suggest)


def _add_audit_options(parser: argparse.ArgumentParser, older: str) -> None:
    """By what a release is judged, what is checked of it, and what is written."""
    parser.add_argument(
        "--policy",
        metavar="FILE",
        help="a file of gates, or a bundled policy: default, public, research-partner",
    )
    parser.add_argument(
        "--feedback",
        metavar="FILE",
        help="what a steward said of the marks: weights of rules, signed dismissals, a judged "
        "sample; saved by the window's Risk page",
    )
    add_overwrite_option(parser, older)
    add_check_options(parser, "all that apply")
    add_knowledge_options(parser)
    add_report_options(parser, pdf=True)
    add_ledger_option(parser)
    add_output_options(parser)


def _add_suggestion_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--suggestion",
        metavar="FILE",
        help="take method and parameters from the first row of what `auditor suggest` wrote",
    )
