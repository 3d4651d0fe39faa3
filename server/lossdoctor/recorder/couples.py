"""The two inputs of models that get two: are those put together that belong together?"""

from __future__ import annotations

from typing import Any

import torch

from .inputs import has_content
from .reduced import features, rounded
from .session import Session
from .stats import local, tensors

MOST = 256  # samples kept of training, and of evaluation
AT_ONCE = 64
COLUMNS = 64


class Couples:
    """Writes ``couple`` rows: features ``a`` and ``b`` of what a model (or, one after the other, two of them) got as
    two inputs of one sample, in training (``grad``) and without gradient.
    """

    def __init__(self, session: Session) -> None:
        self.s = session
        self._left = {True: MOST, False: MOST}
        self._last: dict[bool, tuple[int, torch.Tensor]] = {}

    def call(self, args: Any, grad: bool) -> None:
        """An outermost call of a model."""
        if self._left[grad] <= 0 or (grad and not self.s.sampling):
            return
        found = [t.detach() for _, t in tensors(args) if _describes(t)]
        two = _both(found)
        if two is None and len(found) == 1:
            step, before = self._last.pop(grad, (-1, found[0]))
            if step == self.s.steps and _unlike(before, found[0]):
                two = before, found[0]
            else:
                self._last[grad] = self.s.steps, found[0]
        if two is not None:
            self._write(*two, grad)

    def _write(self, a: torch.Tensor, b: torch.Tensor, grad: bool) -> None:
        take = min(self._left[grad], AT_ONCE if grad else MOST, a.shape[0])
        self._left[grad] -= take
        # of a large batch every so many, so that an evaluation in the order of its file is seen as a whole
        chosen = slice(0, None, max(1, a.shape[0] // take))
        row = {"k": "couple", "i": self.s.now + 1, "grad": grad}
        self.s.add({**row, "a": _columns(a[chosen][:take]), "b": _columns(b[chosen][:take])})


def _both(found: list[torch.Tensor]) -> tuple[torch.Tensor, torch.Tensor] | None:
    """The first two arguments of one call that both describe each sample; masks describe nothing of their own."""
    if not found:
        return None
    first, *more = found
    beside = (t for t in more if t.shape[0] == first.shape[0] and not _mask(t))
    other = next(beside, None)
    return None if other is None else (first, other)


def _unlike(a: torch.Tensor, b: torch.Tensor) -> bool:
    """Whether these are two kinds of input for the same samples, not two batches of one kind."""
    kinds = a.shape[1:] != b.shape[1:] or a.is_floating_point() != b.is_floating_point()
    return a.shape[0] == b.shape[0] and kinds


def _describes(tensor: torch.Tensor) -> bool:
    """Whether a tensor has several numbers for each of several samples."""
    values = has_content(tensor) and tensor.dtype != torch.bool
    return values and tensor.dim() >= 2 and tensor.shape[0] > 1 and tensor[0].numel() > 1


def _mask(tensor: torch.Tensor) -> bool:
    values = local(tensor[:AT_ONCE])
    return bool(((values == 0) | (values == 1) | (values == float("-inf"))).all())


def _columns(x: torch.Tensor) -> list[list[float]]:
    """(N, ...) -> (N, <= COLUMNS) features, four significant digits; counts of tokens are folded, others strided."""
    found = features(x)
    if found.shape[1] > COLUMNS and not x.is_floating_point():
        found = found[:, :COLUMNS] + found[:, COLUMNS : 2 * COLUMNS]
    found = found[:, :: -(-found.shape[1] // COLUMNS)]
    return rounded(found)
