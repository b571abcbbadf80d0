"""Tables of what was tried against the program: hostile input, tampering, errors of usage.

Each case is one call of the real command line, in this process, in a folder of its own. A table
says of each kind how many were tried and how many ended as they should; the security page holds it.
`python -m tests.tables usage` prints one, `--write` puts all of them into the page.
"""
