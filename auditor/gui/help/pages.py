"""The pages of the offline help: written ones from ``resources/docs``, the others from `Params`.

What a method, an attack or a measure does and takes is said once, beside its code; its page is made
from that when the help opens. All text that comes from code is escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from types import MappingProxyType
from typing import Any

from PySide6.QtCore import QUrl
from PySide6.QtGui import QTextDocument

from auditor.attacks.registry import ATTACKS
from auditor.gui.app import translation
from auditor.gui.app.translation import read_words, tr, translate_text
from auditor.gui.widgets import formats
from auditor.measures.registry import MEASURES
from auditor.methods.registry import METHODS
from auditor.params import ParamKind, Params, ParamSpec
from auditor.progress import Progress
from auditor.registry import Registry
from auditor.resource_files import resource_path

SECTIONS: Mapping[str, Sequence[str]] = {
    section["title"]: section["pages"] for section in read_words("help").values()
}
"""Written pages in the order of reading; one that is named nowhere follows the background."""
REST = "Background"


@dataclass(frozen=True)
class HelpPage:
    """One page. `key` is what links name: ``section/name``; `body` is HTML."""

    key: str
    section: str
    title: str
    body: str

    @property
    def words(self) -> str:
        return f"{self.title} {re.sub('<[^>]*>', ' ', self.body)}".casefold()


def list_pages(progress: Progress) -> list[HelpPage]:
    """All pages; imports every method, attack and measure, so for a worker thread."""
    written = [
        HelpPage(key, section, title, render_markdown(text))
        for key, section, title, text in _read_written_pages()
    ]
    keys = {name: f"{k}/{name}" for k, _, registry in _list_registries() for name in registry}
    for key, section, registry in _list_registries():
        for name in registry:
            progress.check()
            about = render_markdown(registry.read_docstring(name), keys)
            written.append(_describe_entry(f"{key}/{name}", section, registry[name], about))
    return written


def _list_registries() -> tuple[tuple[str, str, Registry[Any]], ...]:
    return (
        ("methods", tr("Methods"), METHODS),
        ("attacks", tr("Attacks"), ATTACKS),
        ("measures", tr("Measures"), MEASURES),
    )


def _read_written_pages() -> Iterator[tuple[str, str, str, str]]:
    """Key, section, title and Markdown of the pages of ``resources/docs``."""
    folder = resource_path("docs")
    named = {name for names in SECTIONS.values() for name in names}
    others = sorted({path.stem for path in folder.glob("*.md")} - named)
    for section, names in SECTIONS.items():
        for name in (*names, *(others if section == REST else ())):
            text = (folder / f"{name}.md").read_text(encoding="utf-8")
            heading, _, _ = text.partition("\n")
            title = heading.removeprefix("# ").strip()
            if translation.current_language() != "en":
                text = text.replace("\n", f"\n\n*{tr('This page is in English.')}*\n", 1)
            yield f"guide/{name}", tr(section), title, text


def list_titles() -> Iterator[tuple[str, str]]:
    """Key and title of every page; loads no method, attack or measure: those go by their names."""
    for page, _, title, _ in _read_written_pages():
        yield page, title
    for key, section, registry in _list_registries():
        for name in registry:
            yield f"{key}/{name}", f"{section}: {name}"


def find_pages(pages: Iterable[HelpPage], text: str) -> list[HelpPage]:
    """The pages that hold every word of `text`, those with one in the title first."""
    words = text.casefold().split()
    hits = [page for page in pages if all(word in page.words for word in words)]
    return sorted(hits, key=lambda page: not any(w in page.title.casefold() for w in words))


def name_page(url: QUrl) -> str:
    """The key of the page that a link leads to: `page:methods/safelog`, or a file of the guide."""
    path = url.path()
    return path if url.scheme() == "page" else f"guide/{path.removesuffix('.md')}"


def local_picture(name: str) -> Path | None:
    """A picture of the written pages by the name that they use, or None for anything else."""
    folder = resource_path("docs").resolve()
    path = (folder / name).resolve()
    return path if path.is_relative_to(folder) and path.is_file() else None


def _describe_entry(key: str, section: str, thing: Any, about: str = "") -> HelpPage:
    title = translate_text(thing.title)
    parts = [
        f"<h1>{escape(title)}</h1>",
        f"<p>{escape(translate_text(thing.summary))}</p>",
        f"<p><b>{tr('Name')}:</b> <code>{escape(thing.name)}</code><br>",
        f"<b>{tr('Source')}:</b> {escape(thing.source)}<br>",
        f"<b>{tr('Cost')}:</b> {escape(translate_text(thing.cost))}",
    ]
    if hasattr(thing, "yields"):
        yields = tr("a log") if thing.yields == "log" else tr("tables")
        noise = tr("draws no noise")
        if thing.randomised:
            noise = tr("draws noise that the guarantee rests on")
        parts.append(f"<br><b>{tr('Releases')}:</b> {yields}")
        parts.append(f"<br><b>{tr('Randomness')}:</b> {noise}")
    if getattr(thing, "needs", ()):
        parts.append(f"<br><b>{tr('Needs besides the log')}:</b> {escape(', '.join(thing.needs))}")
    parts.append("</p>")
    if about:
        parts += [f"<h2>{tr('What it does')}</h2>", about]
    params: type[Params] = thing.params
    parts.append(f"<h2>{tr('Parameters')}</h2>")
    if not params.specs():
        parts.append(f"<p>{tr('None.')}</p>")
    parts.extend(_describe_parameter(spec) for spec in params.specs())
    return HelpPage(key, section, title, "\n".join(parts))


def _describe_parameter(spec: ParamSpec) -> str:
    spec = translation.translate_spec(spec)
    facts = [
        tr("must be {wanted}").format(wanted=translate_text(spec.requirement())),
        tr("default: {spec}").format(spec=formats.format_parameter(spec, spec.default)),
    ]
    if spec.unit:
        facts.append(tr("unit: {unit}").format(unit=spec.unit))
    if any(spec.ends):
        low, high = spec.ends
        facts.append(tr("low end: {ends}; high end: {ends_2}").format(ends=low, ends_2=high))
    for name, allowed in spec.when.items():
        values = tr(" or ").join(map(str, allowed))
        facts.append(tr("matters only if {name} is {map}").format(name=name, map=values))
    sentence = "; ".join(facts)
    name = "" if f"({spec.name})" in spec.label else f" (<code>{escape(spec.name)}</code>)"
    text = (
        f'<h3><a name="{escape(spec.name)}"></a>{escape(spec.label)}{name}</h3>'
        f"<p>{escape(spec.help)}</p>"
        f'<p class="facts">{escape(sentence[:1].upper() + sentence[1:])}.</p>'
    )
    if spec.kind is ParamKind.CHOICE:
        rows = "".join(
            f"<tr><td><code>{escape(option.value)}</code></td><td>{escape(option.label)}</td>"
            f"<td>{escape(option.help)}</td></tr>"
            for option in spec.options
        )
        text += f'<table cellpadding="4">{rows}</table>'
    return text


NO_PAGES: Mapping[str, str] = MappingProxyType({})


def render_markdown(text: str, pages: Mapping[str, str] = NO_PAGES) -> str:
    """A written page, or a docstring, in HTML; names of `pages` between back quotes lead there."""

    def link_name(match: re.Match[str]) -> str:
        page = pages.get(match[1])
        return f"[{match[0]}](page:{page})" if page else match[0]

    document, features = QTextDocument(), QTextDocument.MarkdownFeature
    linked = re.sub(r"`+(.+?)`+", link_name, text) if pages else text
    document.setMarkdown(linked, features.MarkdownDialectGitHub | features.MarkdownNoHTML)
    body = re.search(r"<body[^>]*>(.*)</body>", document.toHtml(), re.DOTALL)
    return re.sub(" color:#[0-9a-f]+;", "", body[1]) if body else ""  # links have the theme's
