"""A second implementation of what the auditor computes, as naive as it can be, to compare with.

Each page (a module of `methods`, `attacks` or `measures`) says in plain Python, with dictionaries
and loops, what a source asks for. Nothing here imports an implementation: pages know rows only
(`logs.Row`), and `product` alone talks to the program, through what anybody may call. A page is
written from the source, so that a disagreement means that one of the two is wrong.
"""
