"""What a module says of itself at its head, as HTML for the help; all of it escaped first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import escape

_CODE = re.compile(r"``(.+?)``|`(.+?)`")
_MARKS = ((re.compile(r"\*\*(.+?)\*\*"), r"<b>\1</b>"), (re.compile(r"\*(\w.*?)\*"), r"<i>\1</i>"))


def format_paragraphs(text: str, pages: Mapping[str, str]) -> str:
    """Paragraphs and lists of a docstring; `pages` has the page of each name that is linked."""
    return "".join(
        _render_block(block, pages) for block in re.split(r"\n\s*\n", text.strip()) if block
    )


def _render_block(block: str, pages: Mapping[str, str]) -> str:
    lines = block.splitlines()
    if not lines[0].lstrip().startswith("* "):
        return f"<p>{_render_text(' '.join(map(str.strip, lines)), pages)}</p>"
    items = re.split(r"\n\s*\* ", "\n" + block)[1:]
    told = (_render_text(" ".join(item.split()), pages) for item in items)
    return f"<ul>{''.join(f'<li>{item}</li>' for item in told)}</ul>"


def _render_text(text: str, pages: Mapping[str, str]) -> str:
    return "".join(_render_pieces(text, pages))


def _render_pieces(text: str, pages: Mapping[str, str]) -> Iterable[str]:
    """Code between back quotes as it is, or as a link; marks of emphasis outside of it."""
    at = 0
    for found in _CODE.finditer(text):
        yield _mark_up(text[at : found.start()])
        name = found[1] or found[2]
        code = f"<code>{escape(name)}</code>"
        yield f'<a href="page:{escape(pages[name])}">{code}</a>' if name in pages else code
        at = found.end()
    yield _mark_up(text[at:])


def _mark_up(text: str) -> str:
    shown = escape(text, quote=False)
    for pattern, tags in _MARKS:
        shown = pattern.sub(tags, shown)
    return shown
