"""The offline help: pages at the left, one of them at the right, and a search over all.

Local only: links lead to other pages, pictures come from the program's own folder, and nothing
else is ever loaded, whatever a page asks for.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, QUrl
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QSplitter,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from auditor.gui.help import pages as help_pages
from auditor.gui.help.browser import HelpBrowser
from auditor.gui.help.pages import HelpPage
from auditor.gui.state.worker import BackgroundJob, Tell
from auditor.gui.widgets import style
from auditor.progress import Progress

START = "guide/getting-started"
KEY = Qt.ItemDataRole.UserRole


class HelpView(QWidget):
    """The help as a widget; `show_page` may be called before the pages are there."""

    def __init__(self, parent: QWidget | None = None, *, page: str = START) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Help"))
        self.pages: dict[str, HelpPage] = {}
        self._wanted = (page, "")
        self._past: list[tuple[str, str]] = []
        self.shown: tuple[str, str] | None = None
        self.search = QLineEdit(clearButtonEnabled=True, maxLength=100)
        self.search.setPlaceholderText(self.tr("Search the help"))
        self.search.setAccessibleName(self.tr("Search the help"))
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
        self.back_button = QPushButton(self.tr("‹ &Back"))
        self.back_button.setEnabled(False)
        self.back_button.clicked.connect(self.go_back)
        self.state = style.plain_label(role="muted")
        self._lay_out()
        find = QShortcut(QKeySequence.StandardKey.Find, self)
        find.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        find.activated.connect(self.search.setFocus)
        self.state.setText(self.tr("Reading the help…"))
        job = BackgroundJob("help", _load_pages)
        job.done.connect(self._set_pages)
        job.failed.connect(self.state.setText)
        job.start()

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
        """The page that was shown before."""
        if self._past:
            self._display_page(*self._past.pop())

    def _lay_out(self) -> None:
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        for widget in (self.search, self.tree, self.state):
            column.addWidget(widget)
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        row = QHBoxLayout()
        row.addWidget(self.back_button)
        row.addStretch(1)
        column.addLayout(row)
        column.addWidget(self.browser, 1)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.addWidget(left)
        split.addWidget(right)
        split.setStretchFactor(1, 1)
        split.setSizes([250, 750])
        split.setChildrenCollapsible(False)
        box = QVBoxLayout(self)
        box.setContentsMargins(style.NORMAL, style.NORMAL, style.NORMAL, style.NORMAL)
        box.addWidget(split)

    def _set_pages(self, pages: list[HelpPage]) -> None:
        self.pages = {page.key: page for page in pages}
        self.state.clear()
        self._fill_tree()
        self.show_page(*self._wanted)

    def _fill_tree(self) -> None:
        """List the pages that the search finds, by section."""
        text = self.search.text()
        found = help_pages.find_pages(self.pages.values(), text)
        with QSignalBlocker(self.tree):
            self.tree.clear()
            sections: dict[str, QTreeWidgetItem] = {}
            for page in sorted(found, key=list(self.pages.values()).index):
                if page.section not in sections:
                    top = QTreeWidgetItem(self.tree, [page.section])
                    top.setFlags(Qt.ItemFlag.ItemIsEnabled)
                    top.setFont(0, style.scaled_font(self.tree, bold=True))
                    top.setExpanded(True)
                    sections[page.section] = top
                item = QTreeWidgetItem(sections[page.section], [page.title])
                item.setData(0, KEY, page.key)
        if self.pages:
            count = len(found)
            words = self.tr("No page has all of these words.") if not count else ""
            self.state.setText(
                words
                or (
                    self.tr("{count} of {pages} pages").format(count=count, pages=len(self.pages))
                    if text
                    else ""
                )
            )
        if text.strip() and found:
            self.show_page(found[0].key)
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

    def _display_page(self, key: str, anchor: str) -> None:
        page = self.pages[key]
        self.shown = (key, anchor)
        self.browser.document().setDefaultStyleSheet(self._make_style_sheet())
        if page.form == "html":
            self.browser.setHtml(page.body)
        else:
            # Markdown takes no style sheet; its own HTML does.
            self.browser.setMarkdown(page.body)
            self.browser.setHtml(_drop_font_size(self.browser.document().toHtml()))
        if anchor:
            self.browser.scrollToAnchor(anchor)
        self.back_button.setEnabled(bool(self._past))
        self._mark_current()

    def _mark_current(self) -> None:
        with QSignalBlocker(self.tree):
            for place in range(self.tree.topLevelItemCount()):
                top = self.tree.topLevelItem(place)
                for row in range(top.childCount() if top else 0):
                    child = top.child(row) if top else None
                    if child and self.shown and child.data(0, KEY) == self.shown[0]:
                        self.tree.setCurrentItem(child)

    def _follow_link(self, url: QUrl) -> None:
        """Only links to pages lead anywhere."""
        if url.scheme() == "page" or (not url.scheme() and url.path().endswith(".md")):
            self.show_page(help_pages.name_page(url), url.fragment())
        elif not url.scheme() and url.hasFragment():
            self.browser.scrollToAnchor(url.fragment())

    def _make_style_sheet(self) -> str:
        theme = style.theme_of(self)
        return (
            f"a {{ color: {theme.accent}; }} code, pre {{ color: {theme.text}; }}"
            f".facts {{ color: {theme.muted}; }} "
            f"td, th {{ padding: 4px 12px 4px 0; }} h1, h2, h3 {{ color: {theme.text}; }}"
        )

    def changeEvent(self, event: QEvent) -> None:
        """Show the page anew when the theme changes."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self.shown is not None:
            self._display_page(*self.shown)


def _load_pages(progress: Progress, tell: Tell) -> list[HelpPage]:
    del tell
    return help_pages.list_pages(progress)


def _drop_font_size(html: str) -> str:
    """Qt's own HTML without the body's font, so that the window's is used."""
    start = html.find("<body")
    return html[:start] + "<body>" + html[html.find(">", start) + 1 :] if start >= 0 else html
