"""Finds methods, attacks and measures by name, and imports one only when it is asked for."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from typing import Generic, TypeVar

from auditor.errors import ParameterError

T = TypeVar("T")


class Registry(Generic[T]):
    """Names → modules that each hold one object of type T under `attribute`."""

    def __init__(self, kind: str, modules: Mapping[str, str], *, attribute: str) -> None:
        self.kind = kind
        self._modules = dict(modules)
        self._attribute = attribute

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __len__(self) -> int:
        return len(self._modules)

    def __contains__(self, name: object) -> bool:
        return name in self._modules

    def about(self, name: str) -> str:
        """What the module of a registered name says of itself, in the words of its docstring."""
        return importlib.import_module(self._modules[name]).__doc__ or ""

    def __getitem__(self, name: str) -> T:
        """The object called `name`; raises `ParameterError` listing what there is."""
        if name not in self._modules:
            known = ", ".join(self._modules)
            raise ParameterError(
                self.kind, f"There is no {self.kind} '{name[:80]}'. There are: {known}."
            )
        found: T = getattr(importlib.import_module(self._modules[name]), self._attribute)
        return found
