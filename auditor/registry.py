"""Finds methods, attacks and measures by name, and imports one only when it is asked for.

Other packages add theirs by an entry point of the group `auditor.methods`, `auditor.attacks` or
`auditor.measures`. They are looked for when somebody lists a registry or asks for a name that
the program itself has not, so starting costs nothing. One that can't be loaded, or that takes a
name of ours, is left out and told in `problems`: it stops nobody.
"""

import functools
import importlib
import importlib.metadata
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from auditor.errors import ParameterError

T = TypeVar("T")

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


@dataclass(frozen=True, eq=False)
class PluginEntry(Generic[T]):
    """An object that another installed package registers, and the package it comes from."""

    item: T
    module: str
    distribution: str
    version: str


class Registry(Generic[T]):
    """Names → objects of type `T`, each in its own module under the name of its `kind`.

    `modules` names the program's own, by the module that holds ``METHOD`` for the kind "method".
    """

    def __init__(self, kind: str, item_type: type[T], modules: Mapping[str, str]) -> None:
        self.kind = kind
        self.modules = dict(modules)
        self.group = f"auditor.{kind}s"
        self._item_type = item_type

    def __iter__(self) -> Iterator[str]:
        yield from self.modules
        yield from self.plugins

    def __len__(self) -> int:
        return len(self.modules) + len(self.plugins)

    def __contains__(self, name: object) -> bool:
        return name in self.modules or name in self.plugins

    def read_docstring(self, name: str) -> str:
        """The docstring of the module of a registered name."""
        module = self.modules.get(name)
        return importlib.import_module(module or self.plugins[name].module).__doc__ or ""

    def __getitem__(self, name: str) -> T:
        """The object called `name`; raises `ParameterError` listing what there is."""
        if name in self.modules:
            item: T = getattr(importlib.import_module(self.modules[name]), self.kind.upper())
            return item
        if name in self.plugins:
            return self.plugins[name].item
        from auditor.fuzzy_search import did_you_mean

        names = list(self)
        hint = did_you_mean(name[:80], names)
        listing = " ".join([f"There are: {', '.join(names)}.", *self.problems])
        raise ParameterError(self.kind, f"There is no {self.kind} {name[:80]!r}.{hint} {listing}")

    @property
    def plugins(self) -> Mapping[str, PluginEntry[T]]:
        """What other installed packages register; looked for once."""
        return self._loaded[0]

    @property
    def problems(self) -> tuple[str, ...]:
        """Why an entry point of another package is left out, and what to do, a sentence each."""
        return self._loaded[1]

    @functools.cached_property
    def _loaded(self) -> tuple[dict[str, PluginEntry[T]], tuple[str, ...]]:
        plugins: dict[str, PluginEntry[T]] = {}
        problems: list[str] = []
        for entry in sorted(importlib.metadata.entry_points(group=self.group)):
            package = entry.dist.name if entry.dist is not None else "an installed package"
            fault = self._find_fault(entry, plugins)
            if fault:
                problems.append(
                    f"The {self.kind} '{entry.name[:80]}' of {package} is left out: {fault}. "
                    f"Update {package} or remove it."
                )
                continue
            version = entry.dist.version if entry.dist is not None else ""
            plugins[entry.name] = PluginEntry(entry.load(), entry.module, package, version)
        return plugins, tuple(problems)

    def _find_fault(
        self, entry: importlib.metadata.EntryPoint, plugins: Mapping[str, PluginEntry[T]]
    ) -> str:
        """What is wrong with an entry point, or nothing. Its code may raise anything, and exit."""
        if not _NAME.fullmatch(entry.name):
            return "a name has lower-case letters, digits and single hyphens"
        if entry.name in self.modules or entry.name in plugins:
            return "its name is taken"
        try:
            item = entry.load()
        except KeyboardInterrupt:  # the user's
            raise
        except BaseException as error:
            return f"importing it raised {type(error).__name__}"
        if not isinstance(item, self._item_type):
            return f"it must be a {self._item_type.__name__}"
        if getattr(item, "name", None) != entry.name:
            return "the entry point and the object have different names"
        return ""
