"""What a presenter asks of the window that it fills."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from auditor.attacks.base import FlaggedFindings
from auditor.gui.app.banner import Banner
from auditor.gui.app.header import Header
from auditor.gui.app.status_bar import StatusBar
from auditor.gui.app.welcome import WelcomePage
from auditor.gui.compare.panel import ComparePanel
from auditor.gui.compare.runs_panel import RunsPanel
from auditor.gui.compare.tables_panel import TablesPanel
from auditor.gui.plots.area import PlotArea
from auditor.gui.protect.checks_panel import ChecksPanel
from auditor.gui.protect.explore_panel import ExplorePanel
from auditor.gui.protect.metrics_panel import MetricsPanel
from auditor.gui.protect.params_panel import ParamsPanel
from auditor.gui.protect.statement_panel import StatementPanel
from auditor.log.model import QueryLog
from auditor.privacy.release import Anonymized


class FlaggedPanelProtocol(Protocol):
    """What is asked of the table of flagged sessions."""

    def set_log(self, log: QueryLog) -> None: ...
    def show_findings(
        self, log: QueryLog, findings: FlaggedFindings, release: Anonymized | None = None
    ) -> None: ...
    def offer_attacks(self, titles: Mapping[str, str], chosen: str) -> None: ...
    @property
    def attack_chosen(self) -> Any: ...
    def clear(self) -> None: ...
    def set_state(self, text: str) -> None: ...
    def offer(self, text: str, do: Callable[[], None]) -> None: ...


class WindowPanels(Protocol):
    """The parts of a window that a presenter fills."""

    header: Header
    banner: Banner
    welcome: WelcomePage
    params: ParamsPanel
    checks: ChecksPanel
    tables: TablesPanel
    explore: ExplorePanel
    statement: StatementPanel
    values: MetricsPanel
    runs: RunsPanel
    compare: ComparePanel
    plots: PlotArea
    status: StatusBar

    @property
    def flagged(self) -> FlaggedPanelProtocol: ...
