"""The pages of the offline help: written ones from ``resources/docs``, the others from `Params`.

What a method, an attack or a measure does and takes is said once, beside its code; its page is made
from that when the help opens. All text that comes from code is escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, Literal

from auditor.attacks.registry import ATTACKS
from auditor.gui import formats
from auditor.gui.translated import tr
from auditor.log.gazetteers import resource
from auditor.measures.registry import MEASURES
from auditor.methods.registry import METHODS
from auditor.params import Kind, Params, Spec
from auditor.progress import Progress
from auditor.registry import Registry

FIRST = (
    "getting-started",
    "reading-logs",
    "guarantees",
    "flagged-sessions",
    "command-line",
    "glossary",
)
"""Written pages in the order of reading; others follow by name."""


@dataclass(frozen=True)
class Page:
    """One page. `key` is what links name: ``section/name``; `body` is in `form`."""

    key: str
    section: str
    title: str
    form: Literal["markdown", "html"]
    body: str

    @property
    def words(self) -> str:
        """The page's text for searching, without mark-up."""
        text = re.sub(r"<[^>]*>", " ", self.body) if self.form == "html" else self.body
        return f"{self.title} {text}".casefold()


def pages(progress: Progress) -> list[Page]:
    """All pages; imports every method, attack and measure, so for a worker thread."""
    found = list(written())
    registries: tuple[tuple[str, str, Registry[Any]], ...] = (
        ("methods", "Methods", METHODS),
        ("attacks", "Attacks", ATTACKS),
        ("measures", "Measures", MEASURES),
    )
    for key, section, registry in registries:
        for name in registry:
            progress.check()
            found.append(_described(f"{key}/{name}", section, registry[name]))
    return found


def written() -> Iterator[Page]:
    """The pages that people wrote."""
    folder = resource("docs")
    names = sorted(path.stem for path in folder.glob("*.md"))
    for name in [*(n for n in FIRST if n in names), *(n for n in names if n not in FIRST)]:
        text = (folder / f"{name}.md").read_text(encoding="utf-8")
        heading, _, _ = text.partition("\n")
        yield Page(
            f"guide/{name}", tr("Guide"), heading.removeprefix("# ").strip(), "markdown", text
        )


def matching(found: Iterable[Page], text: str) -> list[Page]:
    """The pages that hold every word of `text`, those with one in the title first."""
    words = text.casefold().split()
    hits = [page for page in found if all(word in page.words for word in words)]
    return sorted(hits, key=lambda page: not any(w in page.title.casefold() for w in words))


def local(name: str) -> Path | None:
    """A picture of the written pages by the name that they use, or None for anything else."""
    folder = resource("docs").resolve()
    path = (folder / name).resolve()
    return path if path.is_relative_to(folder) and path.is_file() else None


def _described(key: str, section: str, thing: Any) -> Page:
    """The page of a method, an attack or a measure."""
    parts = [
        f"<h1>{escape(thing.title)}</h1>",
        f"<p>{escape(thing.summary)}</p>",
        f"<p><b>Name:</b> <code>{escape(thing.name)}</code><br>",
        f"<b>Source:</b> {escape(thing.source)}<br>",
        f"<b>Cost:</b> {escape(thing.cost)}",
    ]
    if hasattr(thing, "yields"):
        parts.append(f"<br><b>Releases:</b> {tr('a log') if thing.yields == 'log' else 'tables'}")
        random = (
            tr("draws noise that the guarantee rests on")
            if thing.randomised
            else tr("draws no noise")
        )
        parts.append(f"<br><b>Randomness:</b> {random}")
    if getattr(thing, "needs", ()):
        parts.append(f"<br><b>Needs besides the log:</b> {escape(', '.join(thing.needs))}")
    parts.append("</p>")
    params: type[Params] = thing.params
    parts.append("<h2>Parameters</h2>")
    if not params.specs():
        parts.append("<p>None.</p>")
    parts.extend(_parameter(spec) for spec in params.specs())
    return Page(key, section, thing.title, "html", "\n".join(parts))


def _parameter(spec: Spec) -> str:
    facts = [
        tr("must be {wanted}").format(wanted=spec.wanted()),
        tr("default: {spec}").format(spec=formats.setting(spec, spec.default)),
    ]
    if spec.unit:
        facts.append(tr("unit: {unit}").format(unit=spec.unit))
    if any(spec.ends):
        facts.append(
            tr("low end: {ends}; high end: {ends_2}").format(ends=spec.ends[0], ends_2=spec.ends[1])
        )
    for name, wanted in spec.when.items():
        facts.append(
            tr("matters only if {name} is {map}").format(
                name=name, map=" or ".join(map(str, wanted))
            )
        )
    said = "; ".join(facts)
    name = "" if f"({spec.name})" in spec.label else f" (<code>{escape(spec.name)}</code>)"
    text = (
        f'<h3><a name="{escape(spec.name)}"></a>{escape(spec.label)}{name}</h3>'
        f"<p>{escape(spec.help)}</p>"
        f'<p class="facts">{escape(said[:1].upper() + said[1:])}.</p>'
    )
    if spec.kind is Kind.CHOICE:
        rows = "".join(
            f"<tr><td><code>{escape(option.value)}</code></td><td>{escape(option.label)}</td>"
            f"<td>{escape(option.help)}</td></tr>"
            for option in spec.options
        )
        text += f'<table cellpadding="4">{rows}</table>'
    return text
