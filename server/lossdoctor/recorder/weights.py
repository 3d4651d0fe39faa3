"""Checkpoints: what was loaded into which module and how much of it matched."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch import nn

from .names import Names
from .patching import wrap
from .session import Session


class Weights:
    """Writes a ``load`` row for every ``load_state_dict`` of a module."""

    def __init__(self, session: Session, names: Names) -> None:
        self.s, self.names = session, names
        self._depth = 0

    def install(self) -> None:
        wrap(nn.Module, "load_state_dict", self._wrap)

    def _wrap(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def load_state_dict(this: nn.Module, state_dict: Any, *args: Any, **kwargs: Any) -> Any:
            result = original(this, state_dict, *args, **kwargs)
            if self.s.here():
                self.names.loaded |= {id(p) for name, p in this.named_parameters() if name in state_dict}
                missing, unexpected = list(result.missing_keys), list(result.unexpected_keys)
                self.s.write({"k": "load", "i": self.s.steps, "module": type(this).__name__,
                              "site": self.s.site("load"), "keys": len(state_dict), "own": len(this.state_dict()),
                              "missing": len(missing), "unexpected": len(unexpected),
                              "examples": [*missing[:3], *unexpected[:3]]})  # fmt: skip
            return result

        return load_state_dict
