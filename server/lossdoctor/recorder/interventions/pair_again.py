"""Labels are put beside the inputs that they seem to belong to: in rows ``start`` to ``end`` of the data as they were
read, every sample gets the label that ``order`` gives its row (the number of rows by which labels were moved, or one
of the orders of ``pairings``).

Reaches targets of one number per sample in torch's loss functions, of samples that are rows of a variable unchanged,
or of some rows of a batch that is all there is; not losses that a script writes out itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

from ..inputs import model_input
from ..objectives import FUNCTIONS
from ..pairings import Pairing, find_pairing
from ..patching import wrap
from ..reduced import identities
from ..session import Session
from ._common import around_calls


def apply(session: Session, order: str, start: int = 0, end: int | None = None) -> None:
    shown: list[torch.Tensor] = []
    known: list[Pairing] = []

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
                with torch.no_grad():
                    target = _paired(target, shown[0])
            return original(input, target, *args, **kwargs)

        return loss

    def _paired(target: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
        if len(target) < len(x):
            found = find_pairing(session, x, target)
            return target if found is None or found.picked is None else picked_again(found, order).to(target)
        if not known:
            known.extend(p for p in [find_pairing(session, x, target)] if p is not None)
        return again(known[0], x, target, order, start, end) if known else target

    around_calls(session, model)
    for name in FUNCTIONS:
        wrap(F, name, criterion)


def again(
    pairing: Pairing, x: torch.Tensor, target: torch.Tensor, order: str, start: int, end: int | None
) -> torch.Tensor:
    """The targets of a batch with those of the rows in question exchanged."""
    partner, changed = pairing.partner(order), target.clone()
    flat, (factor, offset) = changed.reshape(-1), pairing.change
    for place, print_ in enumerate(identities(x)):
        row = pairing.rows.get(print_, -1)
        if start <= row < (len(partner) if end is None else end) and 0 <= int(partner[row]) < len(pairing.y):
            value = pairing.y[int(partner[row])]
            flat[place] = value if (factor, offset) == (1.0, 0.0) else factor * float(value) + offset
    return changed


def picked_again(pairing: Pairing, order: str) -> torch.Tensor:
    """The labels of the rows that are compared, as they are in this order; those without a partner stay."""
    partner, rows = pairing.partner(order), torch.arange(len(pairing.y))
    known = (partner >= 0) & (partner < len(pairing.y))
    return pairing.y[torch.where(known, partner, rows)][pairing.picked]


def _belongs(target: Any, x: torch.Tensor) -> bool:
    return (
        issubclass(type(target), torch.Tensor)
        and target.dim() > 0
        and target.is_contiguous()
        and target.numel() == target.shape[0] <= x.shape[0]
    )
