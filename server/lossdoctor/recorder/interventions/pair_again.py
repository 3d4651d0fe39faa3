"""Labels are put beside the inputs that they seem to belong to: in rows ``start`` to ``end`` of the data as they were
read, every sample gets the label that ``order`` gives its row (the number of rows by which labels were moved, or one
of the orders of ``pairings``).

Reaches targets of one number per sample in torch's loss functions, of samples that are rows of a variable, unchanged
or with features shifted and scaled (augmented ones once an evaluation has shown the scale), or of some rows of a batch
that is all there is; not losses that a script writes out itself. With a ``mark`` the variable of the labels that has it
is put in order when the model is first called, whatever becomes of the inputs then; what was taken out of it before
stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

from ..inputs import model_input
from ..objectives import FUNCTIONS
from ..pairing_scores import partner
from ..pairings import Pairing, find_pairing, marked
from ..patching import wrap
from ..session import Session
from ._common import around_calls

TRIES = 5  # batches of either side in which the variables are looked for


def apply(
    session: Session,
    order: str,
    start: int = 0,
    end: int | None = None,
    mark: float | None = None,
    count: int = 0,
) -> None:
    if mark is not None:
        _once(session, partial(session.safely, put_in_order, session, order, start, end, mark, count))
        return
    shown: list[torch.Tensor] = []
    known: list[Pairing] = []
    tries = {True: TRIES, False: TRIES}

    def model(original: Callable[..., Any]) -> Callable[..., Any]:
        def call(this: nn.Module, *args: Any, **kwargs: Any) -> Any:
            found = model_input((args, kwargs))
            if found is not None:
                shown[:] = [found]
            return original(this, *args, **kwargs)

        return call

    def criterion(original: Callable[..., Any]) -> Callable[..., Any]:
        def loss(input: Any, target: Any, *args: Any, **kwargs: Any) -> Any:
            if session.here() and shown and _belongs(target, shown[0]):
                grad = torch.is_grad_enabled()
                with torch.no_grad():
                    target = _paired(target, shown[0], grad)
            return original(input, target, *args, **kwargs)

        return loss

    def _paired(target: torch.Tensor, x: torch.Tensor, grad: bool) -> torch.Tensor:
        if len(target) < len(x):
            found = find_pairing(session, x, target)
            if found is None or found.picked is None:
                return target
            return found.y[exchanged(len(found.y), order)][found.picked].to(target)
        if not known and tries[grad] > 0:
            tries[grad] -= 1
            known.extend(p for p in [find_pairing(session, x, target)] if p is not None)
        return again(known[0], x, target, order, start, end) if known else target

    around_calls(session, model)
    for name in FUNCTIONS:
        wrap(F, name, criterion)


def _once(session: Session, action: Callable[[], Any]) -> None:
    """Before the first call of a model."""
    left = [action]

    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def call(this: nn.Module, *args: Any, **kwargs: Any) -> Any:
            if left:
                left.pop()()
            return original(this, *args, **kwargs)

        return call

    around_calls(session, make)


def put_in_order(session: Session, order: str, start: int, end: int | None, mark: float, count: int) -> None:
    """Exchange the labels of the rows in question where the script holds them."""
    with torch.no_grad():
        for y in marked(session, mark, count):
            y.copy_(y[exchanged(count, order, start, end)])


def exchanged(count: int, order: str, start: int = 0, end: int | None = None) -> torch.Tensor:
    """The row whose label each row gets: its own outside the rows in question, and where it has no partner."""
    other, rows = partner(order, count), torch.arange(count)
    meant = (rows >= start) & (rows < (count if end is None else end))
    return torch.where(meant & (other >= 0) & (other < count), other, rows)


def again(
    pairing: Pairing, x: torch.Tensor, target: torch.Tensor, order: str, start: int, end: int | None
) -> torch.Tensor:
    """The targets of a batch with those of the rows in question exchanged."""
    other, changed = exchanged(len(pairing.y), order, start, end).tolist(), target.clone()
    flat, (factor, offset) = changed.reshape(-1), pairing.change
    for place, row in enumerate(pairing.places(x, target)):
        if row >= 0 and other[row] != row:
            value = pairing.y[other[row]]
            flat[place] = value if (factor, offset) == (1.0, 0.0) else factor * float(value) + offset
    return changed


def _belongs(target: Any, x: torch.Tensor) -> bool:
    return (
        issubclass(type(target), torch.Tensor)
        and target.dim() > 0
        and target.is_contiguous()
        and target.numel() == target.shape[0] <= x.shape[0]
    )
