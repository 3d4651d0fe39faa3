"""What ``load_state_dict`` put into modules before training is put there again, right before the first training pass.

Undoes initialisers that ran over loaded weights. Reaches modules that are loaded by ``load_state_dict``; not weights
that are copied by hand, nor modules that were thrown away since.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import nn

from ..patching import wrap
from ..session import Session
from ._common import around_calls


def apply(session: Session) -> None:
    loaded: list[tuple[nn.Module, dict[str, Any]]] = []

    def remember(original: Callable[..., Any]) -> Callable[..., Any]:
        def load_state_dict(this: nn.Module, state: Any, *args: Any, **kwargs: Any) -> Any:
            result = original(this, state, *args, **kwargs)
            if session.here() and session.steps == 0 and issubclass(type(state), Mapping):
                loaded.append(
                    (this, {k: v.detach().clone() for k, v in this.state_dict().items() if k in state})
                )
            return result

        return load_state_dict

    def restore(original: Callable[..., Any]) -> Callable[..., Any]:
        def call(this: nn.Module, *args: Any, **kwargs: Any) -> Any:
            if loaded and torch.is_grad_enabled():
                waiting, loaded[:] = loaded[:], []
                for module, state in waiting:
                    module.load_state_dict(state, strict=False)
                loaded.clear()
            return original(this, *args, **kwargs)

        return call

    wrap(nn.Module, "load_state_dict", remember)
    around_calls(session, restore)
