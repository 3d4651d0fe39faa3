"""The script is run to its end unseen, then again: its models begin with the weights that they reached.

Tells what as many steps more would bring. Optimizers, schedules and the order of the samples begin anew, the seed is
the same, and modules of the project are imported afresh. Reaches modules that the script calls in training, found
again by their class and the shapes of their state; not tensors that belong to no module.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from ..session import Session
from ._common import around_calls

MOST = 8  # modules that a script calls by itself in training
State = dict[str, torch.Tensor]


def first_run(run: Callable[[], None]) -> list[tuple[str, State]]:
    """Run the script without being recorded; the class and the last state of each module that it called with gradients.

    Raises what the script raises, except for a SystemExit that means success.
    """
    reached: list[nn.Module] = []
    original, depth = nn.Module.__call__, [0]

    def call(this: nn.Module, *args: Any, **kwargs: Any) -> Any:
        if torch.compiler.is_compiling():
            return original(this, *args, **kwargs)
        if (
            not depth[0]
            and torch.is_grad_enabled()
            and len(reached) < MOST
            and all(m is not this for m in reached)
        ):
            reached.append(this)
        depth[0] += 1
        try:
            return original(this, *args, **kwargs)
        finally:
            depth[0] -= 1

    nn.Module.__call__ = call  # type: ignore[method-assign]
    try:
        run()
    except SystemExit as exit_:
        if exit_.code not in (None, 0):
            raise
    finally:
        nn.Module.__call__ = original  # type: ignore[method-assign]
    return [(type(m).__name__, {k: v.detach().clone() for k, v in _tensors(m).items()}) for m in reached]


def apply(session: Session) -> None:
    waiting: list[tuple[str, State]] = list(session.reached)
    begun: list[nn.Module] = []

    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def call(this: nn.Module, *args: Any, **kwargs: Any) -> Any:
            if waiting and all(module is not this for module in begun):
                begun.append(this)
                _load(this, waiting)
            return original(this, *args, **kwargs)

        return call

    around_calls(session, make)


def _load(module: nn.Module, waiting: list[tuple[str, State]]) -> None:
    """Give a module the state of the first unused one of the same make."""
    own = _tensors(module)
    for position, (name, state) in enumerate(waiting):
        if name == type(module).__name__ and _shapes(own) == _shapes(state):
            with torch.no_grad():
                for key, value in state.items():
                    own[key].copy_(value)
            del waiting[position]
            return


def _tensors(module: nn.Module) -> State:
    return {k: v for k, v in module.state_dict().items() if issubclass(type(v), torch.Tensor)}


def _shapes(state: State) -> dict[str, torch.Size]:
    return {k: v.shape for k, v in state.items()}
