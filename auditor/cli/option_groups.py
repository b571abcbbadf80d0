"""The options that several verbs share, one function for each group of them."""

from __future__ import annotations

import argparse


def add_report_options(parser: argparse.ArgumentParser, *, pdf: bool) -> None:
    """What a report is written as, and for whom."""
    group = parser.add_argument_group("the report")
    group.add_argument(
        "--pdf",
        action=argparse.BooleanOptionalAction,
        default=pdf,
        help=f"write it as a PDF, too; default: {'yes' if pdf else 'no'}",
    )
    group.add_argument(
        "--edition",
        choices=["external", "internal"],
        default="external",
        help="the folder's report shows nothing of the log; internal writes another one beside it, "
        "with flagged sessions of the log; default: %(default)s",
    )
    group.add_argument(
        "--purpose",
        default="",
        metavar="TEXT",
        help="what the release is for and who gets it, in a sentence, for manifest and report",
    )
    group.add_argument(
        "--exact-figures",
        action="store_true",
        help=argparse.SUPPRESS,  # the full report has had all digits ever since it stays inside
    )


def add_overwrite_option(parser: argparse.ArgumentParser, what: str) -> None:
    """Whether `what` may be replaced."""
    parser.add_argument("--overwrite", action="store_true", help=f"replace {what}")


def add_engine_options(parser: argparse.ArgumentParser) -> None:
    """Where the work is done: on this machine or on Spark."""
    group = parser.add_argument_group("where it runs")
    group.add_argument(
        "--engine",
        choices=["local", "spark"],
        default="local",
        help="this process, or Spark for logs that one machine can't hold; default: %(default)s",
    )
    group.add_argument(
        "--master",
        metavar="URL",
        help="Spark's master, like local[2] or spark://host:7077; default: what spark-submit says, "
        "or all cores of this machine",
    )


def add_memory_options(parser: argparse.ArgumentParser) -> None:
    """What becomes of a log that memory does not hold."""
    group = parser.add_argument_group("logs larger than memory")
    group.add_argument(
        "--memory",
        metavar="SIZE",
        help="take no more than this, like 2GiB: what doesn't fit goes to private working files; "
        "default: what is free",
    )
    group.add_argument(
        "--spill",
        metavar="DIR",
        help="folder for working files; default: $AUDITOR_SPILL, $TMPDIR, or /var/tmp",
    )
    group.add_argument(
        "--sample-users",
        type=float,
        metavar="SHARE",
        help="take each user with this chance, like 0.2, by a coin of their own; the release says "
        "so, and what it does to ε and to counts",
    )


def add_ledger_option(parser: argparse.ArgumentParser) -> None:
    """Which ledger is read or written."""
    parser.add_argument(
        "--ledger",
        metavar="FILE",
        help="record of approved releases; default: $AUDITOR_LEDGER, or one in your data folder",
    )


def add_output_options(parser: argparse.ArgumentParser) -> None:
    """How much is printed, and whether as JSON."""
    parser.add_argument("--json", action="store_true", help="print JSON alone on standard output")
    how_much = parser.add_mutually_exclusive_group()
    how_much.add_argument(
        "--quiet",
        "-q",
        dest="detail",
        action="store_const",
        const="quiet",
        default="normal",
        help="print nothing but the result and errors",
    )
    how_much.add_argument(
        "--verbose",
        "-v",
        dest="detail",
        action="store_const",
        const="verbose",
        help="print each part of the work and, before the summary, every metric",
    )


def add_check_options(parser: argparse.ArgumentParser, usual: str) -> None:
    """Which attacks and measures are made; `usual` says which without a word."""
    group = parser.add_argument_group(f"attacks and measures; by itself {usual}")
    group.add_argument(
        "--attack",
        action="append",
        default=[],
        metavar="A",
        help="make this attack as well; may be repeated",
    )
    group.add_argument(
        "--measure",
        action="append",
        default=[],
        metavar="M",
        help="take this measure as well, however long it takes; may be repeated",
    )
    group.add_argument(
        "--skip",
        action="append",
        default=[],
        metavar="NAME",
        help="leave this attack or measure out; may be repeated",
    )
    group.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="CHECK.NAME=VALUE",
        help="parameter of an attack or measure, as record-linkage.share=0.2; may be repeated",
    )


def add_knowledge_options(parser: argparse.ArgumentParser) -> None:
    """What the attacker has besides the release."""
    parser.add_argument(
        "--adversary",
        metavar="WHO",
        help="who attacks: usual, colleague, family, advertiser, provider or company; sets what "
        "each attack assumes",
    )
    parser.add_argument("--reference", metavar="LOG", help="another log that the attacker has")
    parser.add_argument("--profiles", metavar="CSV", help="user, userid, name, zip")
    parser.add_argument(
        "--other",
        action="append",
        default=[],
        metavar="RELEASE",
        help="another release of the same or an overlapping log; may be repeated",
    )


def add_parameter_option(parser: argparse.ArgumentParser) -> None:
    """The method's parameters by name."""
    parser.add_argument(
        "-p",
        "--param",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="set a parameter; may be repeated",
    )


def add_log_options(
    parser: argparse.ArgumentParser, what: str = "log file, or a folder of them"
) -> None:
    """The log and how it is read."""
    parser.add_argument("log", metavar="LOG", help=what)
    add_format_options(parser)


def add_format_options(parser: argparse.ArgumentParser) -> None:
    """How a log is read: its format, columns and limits."""
    from auditor.log.reading.column_mapping import FORMATS

    group = parser.add_argument_group("how the log is read (guessed when not said)")
    group.add_argument("--format", metavar="F", help=f"one of {', '.join(FORMATS)}")
    group.add_argument(
        "--columns",
        metavar="ROLE=COLUMN,…",
        help="roles user, query, time, url, rank, ip, cookie; a name or a number from 0. The user "
        "says whom the log protects, and is never guessed",
    )
    group.add_argument(
        "--spellings",
        choices=["merge", "keep"],
        help="ids that differ only in case, spaces, zeros in front or .0: one user, or several",
    )
    group.add_argument(
        "--shared-ids",
        choices=["drop", "keep"],
        help="ids that are a program's word for nobody, a machine, or busier than a person",
    )
    group.add_argument("--delimiter", metavar="C", help="one character, or 'tab'")
    group.add_argument("--encoding", metavar="E")
    group.add_argument("--header", action=argparse.BooleanOptionalAction, default=None)
    group.add_argument(
        "--time-format", metavar="T", help="iso, epoch_s, epoch_ms, or like %%Y-%%m-%%d"
    )
    group.add_argument(
        "--max-rejected", type=float, metavar="SHARE", help="largest share of bad rows, 0 to 1"
    )
