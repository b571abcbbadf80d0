"""The offline help: pages at the left, one of them at the right, and a search over all.

Written pages come from ``resources/docs``. What a method, an attack or a measure does and takes is
said once, beside its code; its page is made from that when the help opens, all of it escaped. Links
lead to other pages, pictures come from the program's own folder, and nothing else is ever loaded.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from types import MappingProxyType
from typing import Any

from PySide6.QtCore import QByteArray, QEvent, QPointF, QSignalBlocker, QSize, Qt, QTimer, QUrl
from PySide6.QtGui import (
    QColor,
    QImage,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPixmap,
    QShortcut,
    QTextDocument,
)
from PySide6.QtWidgets import (
    QDialog,
    QLabel,
    QScrollArea,
    QTextBrowser,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from auditor.attacks.registry import ATTACKS
from auditor.gui.app import translation
from auditor.gui.app.navigation import WORKSPACES
from auditor.gui.app.translation import read_words, tr, translate_text
from auditor.gui.state.worker import BackgroundJob
from auditor.gui.widgets import formats, style
from auditor.gui.widgets.fields import EventWatch
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
    pages = [
        HelpPage(key, section, title, render_markdown(text))
        for key, section, title, text in _read_written_pages()
    ]
    keys = {name: f"{k}/{name}" for k, _, registry in _list_registries() for name in registry}
    for key, section, registry in _list_registries():
        for name in registry:
            progress.check()
            description = render_markdown(registry.read_docstring(name), keys)
            pages.append(_describe_entry(f"{key}/{name}", section, registry[name], description))
    return pages


def _list_registries() -> tuple[tuple[str, str, Registry[Any]], ...]:
    return (
        ("methods", tr("Methods"), METHODS),
        ("attacks", tr("Attacks"), ATTACKS),
        ("measures", tr("Measures"), MEASURES),
    )


def _read_written_pages() -> Iterator[tuple[str, str, str, str]]:
    """Key, section, title and Markdown of the pages of ``resources/docs``."""
    folder = resource_path("docs")
    listed = {name for names in SECTIONS.values() for name in names}
    unlisted = sorted({path.stem for path in folder.glob("*.md")} - listed)
    for section, names in SECTIONS.items():
        for name in (*names, *(unlisted if section == REST else ())):
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


def _describe_entry(key: str, section: str, thing: Any, description: str = "") -> HelpPage:
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
    if description:
        parts += [f"<h2>{tr('What it does')}</h2>", description]
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


def render_markdown(text: str, pages: Mapping[str, str] = MappingProxyType({})) -> str:
    """A written page, or a docstring, in HTML; names of `pages` between back quotes lead there."""

    def link_name(match: re.Match[str]) -> str:
        page = pages.get(match[1])
        return f"[{match[0]}](page:{page})" if page else match[0]

    document, features = QTextDocument(), QTextDocument.MarkdownFeature
    linked = re.sub(r"`+(.+?)`+", link_name, text) if pages else text
    document.setMarkdown(linked, features.MarkdownDialectGitHub | features.MarkdownNoHTML)
    body = re.search(r"<body[^>]*>(.*)</body>", document.toHtml(), re.DOTALL)
    return re.sub(" color:#[0-9a-f]+;", "", body[1]) if body else ""  # links have the theme's


START = ("guide/getting-started", "")
PAGE = "help page"
"""Property of a widget that names its page, as ``page#anchor``."""


def set_page(widget: QWidget, page: str, anchor: str = "") -> None:
    """Say which page of the help is about a widget and all in it that has no page of its own."""
    widget.setProperty(PAGE, f"{page}#{anchor}")


def page_for(widget: QWidget | None, workspace: str) -> tuple[str, str]:
    """Page and anchor of the innermost widget around `widget` that has one, or the workspace's."""
    while widget is not None:
        address = widget.property(PAGE)
        if address:
            page, _, anchor = str(address).partition("#")
            return page, anchor
        widget = widget.parentWidget()
    return next(((place.help, "") for place in WORKSPACES if place.name == workspace), START)


SHARP = 2
"""Pixels of a picture for each of the window that it was taken of."""
LEAST = 60
SETTLED_MS = 120
"""Milliseconds after the last change of size before pictures are fitted anew."""

IMAGE = QTextDocument.ResourceType.ImageResource


class HelpBrowser(QTextBrowser):
    """A page; a click on a picture shows it as large as it was taken."""

    def __init__(self) -> None:
        super().__init__()
        self._pictures: dict[str, QImage] = {}
        self._settled = QTimer(self, singleShot=True, interval=SETTLED_MS)
        self._settled.timeout.connect(self._fit_pictures)
        EventWatch(self, self._settled.start, QEvent.Type.Resize)

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """A picture of the help's own folder, or nothing."""
        url = QUrl(name)
        is_picture = kind == IMAGE.value and url.isRelative()
        path = local_picture(url.path()) if is_picture else None
        image = QImage()
        if path is None or not image.loadFromData(path.read_bytes()):
            return QByteArray()
        self._pictures[url.path()] = image
        return self._scale_image(image)

    def picture_at(self, point: QPointF) -> str:
        """The name of the picture at a point of the viewport; empty if there is none."""
        bars = self.horizontalScrollBar().value(), self.verticalScrollBar().value()
        return self.document().documentLayout().imageAt(point + QPointF(*bars))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        if self.picture_at(event.position()):
            self.viewport().setCursor(Qt.CursorShape.PointingHandCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        image = self._pictures.get(self.picture_at(event.position()))
        if image is not None and event.button() == Qt.MouseButton.LeftButton:
            self._enlarge_image(image)

    def _enlarge_image(self, image: QImage) -> None:
        dialog = QDialog(self)
        dialog.setWindowTitle(self.tr("Picture"))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        picture = QPixmap.fromImage(image)
        picture.setDevicePixelRatio(SHARP)
        area = QScrollArea()
        area.setAccessibleName(self.tr("Picture"))
        area.setWidget(QLabel(pixmap=picture))
        style.column(dialog, [area])
        size = picture.deviceIndependentSize().toSize()
        room = self.screen().availableSize() * 0.95
        dialog.resize((size + QSize(4, 4)).boundedTo(room))
        dialog.show()

    def _scale_image(self, image: QImage) -> QImage:
        """As wide as it was taken, or as there is room."""
        margins = 2 * self.document().documentMargin()
        room = max(LEAST, round(self.viewport().width() - margins))
        ratio = self.devicePixelRatioF()
        wide = round(min(image.width() / SHARP, room) * ratio)
        smooth = Qt.TransformationMode.SmoothTransformation
        scaled = image.convertToFormat(QImage.Format.Format_RGB32).scaledToWidth(wide, smooth)
        painter = QPainter(scaled)  # its edge, or a light picture would run into the page
        painter.setPen(QColor(style.theme_of(self).border))
        painter.drawRect(scaled.rect().adjusted(0, 0, -1, -1))
        painter.end()
        scaled.setDevicePixelRatio(ratio)
        return scaled

    def _fit_pictures(self) -> None:
        if not self._pictures:
            return
        document, bar = self.document(), self.verticalScrollBar()
        share = bar.value() / max(1, bar.maximum())
        for name, image in self._pictures.items():
            document.addResource(IMAGE.value, QUrl(name), self._scale_image(image))
        document.markContentsDirty(0, document.characterCount())
        bar.setValue(round(share * bar.maximum()))


KEY = Qt.ItemDataRole.UserRole


class HelpView(QWidget):
    """The help as a widget; `show_page` may be called before the pages are there."""

    def __init__(self, page: str = START[0], anchor: str = "") -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Help"))
        self.pages: dict[str, HelpPage] = {}
        self._wanted = (page, anchor)
        self._past: list[tuple[str, str]] = []
        self.shown: tuple[str, str] | None = None
        name = self.tr("Search the help")
        self.search = style.line_edit(name, name, length=100, clearable=True)
        self.search.textChanged.connect(self._fill_tree)
        self.tree = QTreeWidget()
        self.tree.setHeaderHidden(True)
        self.tree.setAccessibleName(self.tr("Pages"))
        self.tree.setRootIsDecorated(False)
        self.tree.setIndentation(style.NORMAL)
        self.tree.currentItemChanged.connect(self._show_picked_page)
        self.browser = HelpBrowser()
        self.browser.setAccessibleName(self.tr("Page"))
        self.browser.setOpenLinks(False)
        self.browser.anchorClicked.connect(self._follow_link)
        self.browser.document().setDocumentMargin(style.WIDE)
        self.back_button = style.button(self.tr("‹ &Back"), self.go_back)
        self.back_button.setEnabled(False)
        self.state = style.plain_label(role="muted")
        left = style.column(None, [self.search, self.tree, self.state])
        row = style.row(None, [self.back_button, 1])
        right = style.column(None, [row, (self.browser, 1)])
        halves = map(style.filled, (left, right))
        split = style.splitter(halves, sizes=[250, 750], stretch=(0, 1))
        style.column(self, [split], margins=style.NORMAL)
        find = QShortcut(QKeySequence.StandardKey.Find, self)
        find.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        find.activated.connect(self.search.setFocus)
        EventWatch(self, self._display_again, QEvent.Type.PaletteChange)
        self.state.setText(self.tr("Reading the help…"))
        BackgroundJob("help", list_pages).start(self._set_pages, self.state.setText)

    def show_page(self, key: str, anchor: str = "") -> None:
        """Show a page, ``methods/safelog`` for instance, at a parameter's name if given."""
        self._wanted = (key, anchor)
        if key not in self.pages:
            if self.pages:
                self.state.setText(self.tr("There is no such page."))
            return
        if self.shown is not None and self.shown[0] != key:
            self._past.append(self.shown)
        self._display_page(key, anchor)

    def go_back(self) -> None:
        if self._past:
            self._display_page(*self._past.pop())

    def _set_pages(self, pages: list[HelpPage]) -> None:
        self.pages = {page.key: page for page in pages}
        self.state.clear()
        self._fill_tree()
        self.show_page(*self._wanted)

    def _fill_tree(self) -> None:
        """List the pages that the search finds, by section."""
        text = self.search.text()
        hits = find_pages(self.pages.values(), text)
        with QSignalBlocker(self.tree):
            self.tree.clear()
            sections: dict[str, QTreeWidgetItem] = {}
            self._items: dict[str, QTreeWidgetItem] = {}
            for page in sorted(hits, key=list(self.pages.values()).index):
                if page.section not in sections:
                    top = QTreeWidgetItem(self.tree, [page.section])
                    top.setFlags(Qt.ItemFlag.ItemIsEnabled)
                    top.setFont(0, style.scaled_font(self.tree, bold=True))
                    top.setExpanded(True)
                    sections[page.section] = top
                item = self._items[page.key] = QTreeWidgetItem(sections[page.section], [page.title])
                item.setData(0, KEY, page.key)
        if self.pages:
            words = self.tr("{count} of {pages} pages") if text else ""
            words = words if hits else self.tr("No page has all of these words.")
            self.state.setText(words.format(count=len(hits), pages=len(self.pages)))
        if text.strip() and hits:
            self.show_page(hits[0].key)
            self.browser.find(text.split()[0])
        else:
            self._mark_current()

    def _show_picked_page(
        self, item: QTreeWidgetItem | None, before: QTreeWidgetItem | None
    ) -> None:
        """Show the page; from a section's name go on the way that the arrow keys went."""
        key = item.data(0, KEY) if item is not None else None
        if key:
            self.show_page(key)
        elif item is not None:
            above, below = self.tree.itemAbove(item), self.tree.itemBelow(item)
            other = above if below is before else below
            if other is not None:
                self.tree.setCurrentItem(other)

    def _display_again(self) -> None:
        if self.shown is not None:
            self._display_page(*self.shown)

    def _display_page(self, key: str, anchor: str) -> None:
        self.shown = (key, anchor)
        theme = style.theme_of(self)
        self.browser.document().setDefaultStyleSheet(
            f"a {{ color: {theme.accent}; }} code, pre {{ color: {theme.text}; }}"
            f".facts {{ color: {theme.muted}; }} "
            f"td, th {{ padding: 4px 12px 4px 0; }} h1, h2, h3 {{ color: {theme.text}; }}"
        )
        self.browser.setHtml(self.pages[key].body)
        if anchor:
            self.browser.scrollToAnchor(anchor)
        self.back_button.setEnabled(bool(self._past))
        self._mark_current()

    def _mark_current(self) -> None:
        item = self._items.get(self.shown[0]) if self.shown else None
        if item is not None:
            with QSignalBlocker(self.tree):
                self.tree.setCurrentItem(item)

    def _follow_link(self, url: QUrl) -> None:
        """Only links to pages lead anywhere."""
        if url.scheme() == "page" or (not url.scheme() and url.path().endswith(".md")):
            self.show_page(name_page(url), url.fragment())
        elif not url.scheme() and url.hasFragment():
            self.browser.scrollToAnchor(url.fragment())
