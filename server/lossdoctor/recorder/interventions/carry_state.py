"""Recurrent layers start every training step from the state in which the step before left them, without its history.

Where windows (as the script hands them to the model, or as the layer gets them) are slices of one tensor that adjoin,
the state is carried from each to the next alone, in evaluation too; else from every step to the next, and in
evaluation where a window begins far nearer to the end of the last one than to the windows beside it. Only where the
script hands them no state and the batch has as many rows as before.
Within a step the script's own states are kept. Reaches torch's ``RNN``, ``LSTM`` and ``GRU`` layers; not recurrences
that a script writes out itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from ..keywords import Named
from ..layouts import outer_input
from ..patching import wrap
from ..session import Session
from ._common import around_calls, first_of_step

Place = tuple[int, int]
NEARER = 3.0  # as in the detector of states that are thrown away


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

    def remember(original: Callable[..., Any]) -> Callable[..., Any]:
        def call(this: nn.Module, *args: Any, **kwargs: Any) -> Any:
            carrier.outer = outer_input((*args, Named(kwargs)))
            return original(this, *args, **kwargs)

        return call

    for layer in (nn.RNN, nn.LSTM, nn.GRU):
        wrap(layer, "forward", make)
    around_calls(session, remember)


class Carrier:
    """The state in which each layer was left, and the places in memory where its last window ended."""

    def __init__(self) -> None:
        self.outer: torch.Tensor | None = None  # what the script handed to the model
        self._left: dict[tuple[int, bool], tuple[Any, frozenset[Place]]] = {}
        self._last: dict[tuple[int, bool], torch.Tensor] = {}  # the last moment of each window
        self._slices: set[int] = set()  # layers that have been seen to get adjoining windows

    def given(self, layer: nn.Module, x: Any, hx: Any, *, trains: bool) -> Any:
        """The state to start from, else what the script gave."""
        state, ends = self._left.get((id(layer), trains), (None, frozenset()))
        if state is None:
            return hx
        if any(_place(w) in ends for w in self._windows(x)):
            self._slices.add(id(layer))
            return state
        if id(layer) in self._slices:
            return hx
        return (
            state
            if trains or _goes_on(x, self._last.get((id(layer), trains)), bool(layer.batch_first))
            else hx
        )

    def keep(self, layer: Any, x: Any, state: Any, *, trains: bool) -> None:
        axis = 1 if layer.batch_first else 0
        ends = set[Place]()
        for window in self._windows(x):
            along = axis if window.shape[:2] == x.shape[:2] else 1 - axis
            ends.add(_place(window, window.shape[along] * window.stride(along)))
        self._left[id(layer), trains] = detached(state), frozenset(ends)
        if issubclass(type(x), torch.Tensor) and x.dim() == 3:
            self._last[id(layer), trains] = x.detach().select(axis, -1)

    def _windows(self, x: Any) -> list[torch.Tensor]:
        """What may be a slice of a longer sequence: the layer's input (N, T, C) or (T, N, C), and that of the
        model if it has as many rows and moments.
        """
        if not issubclass(type(x), torch.Tensor) or x.dim() != 3:
            return []
        outer, sizes = self.outer, tuple(x.shape[:2])
        same = outer is not None and outer.dim() in (2, 3) and tuple(outer.shape[:2]) in (sizes, sizes[::-1])
        return [x, outer] if same and outer is not None else [x]


def _goes_on(x: Any, last: torch.Tensor | None, batch_first: bool) -> bool:
    """Whether each row begins far nearer to where its row ended before than to the other rows of the batch."""
    if last is None or not issubclass(type(x), torch.Tensor) or x.dim() != 3:
        return False
    first = x.detach().select(1 if batch_first else 0, 0)
    if first.shape != last.shape or len(first) < 2:
        return False
    return bool(NEARER * (first - last).abs().mean() < (first[1:] - first[:-1]).abs().mean())


def _place(window: torch.Tensor, elements: int = 0) -> Place:
    """The storage, and the address so many elements behind the window's beginning."""
    return window.untyped_storage().data_ptr(), window.data_ptr() + elements * window.element_size()


def empty(state: Any) -> bool:
    """Whether a state is none, or zero."""
    if type(state) is tuple:
        return all(empty(s) for s in state)
    return state is None or not bool(state.detach().any())


def detached(state: Any) -> Any:
    return tuple(detached(s) for s in state) if type(state) is tuple else state.detach()
