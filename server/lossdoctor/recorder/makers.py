"""Where the script makes torch's own modules: the line of an activation, a loss or a dropout layer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch import nn

from .patching import wrap
from .session import Session

MOST = 400  # modules whose line is looked up


class Makers:
    """Writes a ``made`` row per class and line."""

    def __init__(self, session: Session) -> None:
        self.s = session
        self._seen: set[tuple[str, int]] = set()
        self._count = 0

    def install(self) -> None:
        wrap(nn.Module, "__init__", self._wrap)

    def _wrap(self, original: Callable[..., None]) -> Callable[..., None]:
        def __init__(this: nn.Module, *args: Any, **kwargs: Any) -> None:
            original(this, *args, **kwargs)
            if self._count < MOST and type(this).__module__.startswith("torch.nn.") and self.s.here():
                self._count += 1
                self._note(type(this).__name__)

        return __init__

    def _note(self, name: str) -> None:
        site = self.s.site("module")
        if site is not None and (name, site) not in self._seen:
            self._seen.add((name, site))
            self.s.write({"k": "made", "class": name, "site": site})
