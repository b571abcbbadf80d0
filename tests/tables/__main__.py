"""Run a table: ``python -m tests.tables hostile``; ``--write`` brings the page up to date.

``mutation``, ``belief`` and ``formats`` are only run, or written, when they are named.
"""

import argparse
import sys
from types import ModuleType

from tests.tables import belief, formats, mutation, table


def main() -> int:
    """Run what is asked for; exits with 1 if any case ended wrongly."""
    parser = argparse.ArgumentParser(prog="python -m tests.tables", description=__doc__)
    alone = [mutation.NAME, belief.NAME, formats.NAME]
    names = [[], *table.TITLES, *alone]
    parser.add_argument("names", nargs="*", choices=names, metavar="TABLE")
    parser.add_argument("--write", action="store_true", help="write the counts into the page")
    options = parser.parse_args()
    module: ModuleType
    if mutation.NAME in options.names:
        audited = []
        for row in mutation.audits():
            audited.append(row)
            print(f"{'WRONG  ' if row.wrong else ''}{row.line()}", flush=True)
        module, section, wrong = mutation, mutation.section(audited), any(r.wrong for r in audited)
    elif belief.NAME in options.names:
        module, section, wrong = belief, belief.section(), False
        print(section)
    elif formats.NAME in options.names:
        opened = list(formats.open_cases())
        module, section = formats, formats.section(opened)
        wrong = not all(case.right for case in opened)
        print(section)
    elif options.write:
        module, section, wrong = table, table.section(), False
    else:
        return sum(_run_table(name) for name in options.names or table.TITLES) > 0
    if options.write:
        table.write_page(module.PAGE, module.HEADING, section)
    return int(wrong)


def _run_table(name: str) -> int:
    """Run a table's cases; how many ended wrongly."""
    wrong = table.failures(table.cases_of(name))
    for case, why in wrong.items():
        print(f"WRONG  {case.kind}: {case.name}: {why}")
    print("\n".join(table.lines(name, wrong)), end="\n\n")
    return len(wrong)


if __name__ == "__main__":
    sys.exit(main())
