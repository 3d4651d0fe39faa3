"""Recurrent layers start every training step from the state in which the step before left them, without its history.

Where windows are slices of one tensor that adjoin, the state is carried from each to the next alone, in evaluation too;
else from every step to the next. Only where the script hands them no state and the batch has as many rows as before.
Within a step the script's own states are kept. Reaches torch's ``RNN``, ``LSTM`` and ``GRU`` layers; not recurrences
that a script writes out itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from ..patching import wrap
from ..session import Session
from ._common import first_of_step


def apply(session: Session) -> None:
    carrier = Carrier()
    first = first_of_step(session)

    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def forward(this: nn.Module, x: Any, hx: Any = None) -> Any:
            trains = torch.is_grad_enabled()
            if empty(hx) and (not trains or first(this)):
                hx = carrier.given(this, x, hx, trains=trains)
            try:
                out, state = original(this, x, hx)
            except RuntimeError:  # a batch of another size
                out, state = original(this, x, None)
            if session.here():
                carrier.keep(this, x, state, trains=trains)
            return out, state

        return forward

    for layer in (nn.RNN, nn.LSTM, nn.GRU):
        wrap(layer, "forward", make)


class Carrier:
    """The state in which each layer was left, and the place in memory where its last window ended."""

    def __init__(self) -> None:
        self._left: dict[tuple[int, bool], tuple[Any, int | None]] = {}
        self._slices: set[int] = set()  # layers that have been seen to get adjoining windows

    def given(self, layer: nn.Module, x: Any, hx: Any, *, trains: bool) -> Any:
        """The state to start from, else what the script gave."""
        state, end = self._left.get((id(layer), trains), (None, None))
        if state is None:
            return hx
        if end is not None and end == x.data_ptr():
            self._slices.add(id(layer))
            return state
        return state if trains and id(layer) not in self._slices else hx

    def keep(self, layer: Any, x: Any, state: Any, *, trains: bool) -> None:
        axis = 1 if layer.batch_first else 0
        plain = issubclass(type(x), torch.Tensor) and x.dim() == 3
        end = x.data_ptr() + x.shape[axis] * x.stride(axis) * x.element_size() if plain else None
        self._left[id(layer), trains] = detached(state), end


def empty(state: Any) -> bool:
    """Whether a state is none, or zero."""
    if type(state) is tuple:
        return all(empty(s) for s in state)
    return state is None or not bool(state.detach().any())


def detached(state: Any) -> Any:
    return tuple(detached(s) for s in state) if type(state) is tuple else state.detach()
