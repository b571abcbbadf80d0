"""Bytes that nobody thought of: what is read from outside either is read or is one clear error.

``python -m tests.fuzz [--target T] [--seconds S]`` looks for such bytes guided by coverage (needs
``pip install atheris``) and keeps what reached new code in ``corpus``; the suite reads the corpus.
"""
