"""The ways of looking at a log, and what each means for whose parameters are chosen by it."""

from __future__ import annotations

from typing import Literal

SearchMode = Literal["free", "sizes", "private", "open"]
MODES: dict[SearchMode, str] = {
    "free": "Searched on a log whose people are not those of the release (an older or a synthetic "
    "one). Choosing costs no ε.",
    "sizes": "Searched on public sizes alone: the number of users, rounded up to one digit, and a "
    "made-up log of as many. The log was not looked at, and choosing costs no ε.",
    "private": "Chosen on the log itself by a private selection, whose ε is part of the "
    "statement: in all, selection plus release. The number of users, rounded up to one digit, is "
    "taken for public.",
    "open": "Searched on the log itself without noise. No ε covers what the choice tells of it, "
    "so only methods without ε are searched.",
}
"""What each way of looking means, in a sentence or two."""
