"""An optimizer that is made again for the same parameters goes on with the state of the one before it.

Momentum, second moments and step counts survive; rates are those of the new one. Reaches torch optimizers of the
same class over the same parameter objects, and one that is given back an empty state (``load_state_dict``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from ..patching import wrap
from ..session import Session


def apply(session: Session) -> None:
    states: dict[tuple[Any, ...], Any] = {}
    known: dict[int, Any] = {}

    def adopt(optimizer: Any) -> None:
        if known.get(id(optimizer)) is optimizer:
            return
        known[id(optimizer)] = optimizer  # kept alive, so that its id stays its own
        held = sorted(id(p) for group in optimizer.param_groups for p in group["params"])
        optimizer.state = states.setdefault((type(optimizer), *held), optimizer.state)

    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def load_state_dict(this: Any, state_dict: Any, *args: Any, **kwargs: Any) -> Any:
            kept = None if state_dict.get("state") else dict(this.state)
            found = original(this, state_dict, *args, **kwargs)
            this.state.update(kept or {})
            return found

        return load_state_dict

    wrap(torch.optim.Optimizer, "load_state_dict", make)
    session.before_step.append(adopt)
