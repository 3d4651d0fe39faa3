"""Operations that mix the samples of a batch: a reshape in the place of a transpose, a softmax over the batch."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.modules.module import register_module_forward_pre_hook

from .forwards import Forwards
from .keywords import Named, whole
from .patching import wrap
from .session import Session

FIRST = 3  # steps that are looked at; such an operation happens in every one
RESHAPES = ((torch.Tensor, "reshape"), (torch.Tensor, "view"), (torch, "reshape"))
SOFTMAXES = (
    (F, "softmax"), (F, "log_softmax"), (torch, "softmax"), (torch, "log_softmax"),
    (torch.Tensor, "softmax"), (torch.Tensor, "log_softmax"),
)  # fmt: skip


class Layouts:
    """Writes a ``mix`` row per line."""

    def __init__(self, session: Session, forwards: Forwards) -> None:
        self.s, self.forwards = session, forwards
        self._size = 0
        self._seen: set[int | None] = set()

    def install(self) -> None:
        self.s.until(FIRST, register_module_forward_pre_hook(self.s.guarded(self._enter)))
        for owner, name in RESHAPES:
            wrap(owner, name, self._wrap_reshape)
        for owner, name in SOFTMAXES:
            wrap(owner, name, self._wrap_softmax)

    def _enter(self, module: nn.Module, args: Any) -> None:
        """Note the number of samples in the batch that the model is about to see."""
        if self.s.here() and self.s.steps < FIRST and self.forwards.outermost(module):
            x = outer_input(whole(args))
            self._size = x.shape[0] if x is not None and x.dim() > 1 else 0

    def _on(self) -> bool:
        return self.s.steps < FIRST and self._size > 1 and bool(self.forwards.stack) and self.s.here()

    def _wrap_reshape(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def reshape(this: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
            result = original(this, *args, **kwargs)
            before, after = list(this.shape), list(result.shape)
            if self._on() and mixes(before, after, self._size):
                self._row("reshape", before, after)
            elif self.s.steps < FIRST and folds(before, after) and this.requires_grad and self.s.here():
                self._row("fold", before, after)
            return result

        return reshape

    def _wrap_softmax(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def softmax(this: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
            result = original(this, *args, **kwargs)
            axis = kwargs.get("dim", args[0] if args else None)
            shape = list(this.shape)
            if (
                self._on()
                and len(shape) > 1
                and shape[0] == self._size != shape[1]
                and _first(axis, len(shape))
            ):
                self._row("softmax", shape, shape)
            return result

        return softmax

    def _row(self, what: str, before: list[int], after: list[int]) -> None:
        site = self.s.site("mix")
        if site is not None and site not in self._seen:
            self._seen.add(site)
            inside = type(self.forwards.stack[0]).__name__ if self.forwards.stack else None
            self.s.write({"k": "mix", "what": what, "from": before, "to": after, "batch": self._size, "site": site,
                          "inside": inside})  # fmt: skip


def _first(axis: Any, dimensions: int) -> bool:
    """Whether a softmax runs over the first axis; without ``dim`` torch takes it for 3-D tensors."""
    return axis in (0, -dimensions) or (axis is None and dimensions == 3)


def mixes(before: list[int], after: list[int], batch: int) -> bool:
    """Whether a reshape makes another axis the leading batch axis than the one that was it, or changes the places of a
    sample's axes: both are a transpose written as a view.

    ``batch`` stands behind other axes before and leads afterwards, or leads before and stands behind; in either case
    only a transpose keeps the samples apart. Axes whose length is a multiple of the batch are left alone: they may
    be the batch folded with another axis. Or the batch leads as before, and a later axis leads each sample.
    """
    old, new = [d for d in before if d != 1], [d for d in after if d != 1]
    if not old or not new or old == new:
        return False
    if new[0] == batch and batch in old[1:]:
        return old[0] % batch != 0
    if (
        old[0] == new[0] == batch
        and len(old) > 2
        and (sorted(old) == sorted(new) or moved(old, new) is not None or heads_first(old, new))
    ):
        return True  # the axes of each sample change places, their values do not
    swapped = old[0] == batch and batch in new[1:] and sorted(old) == sorted(new)
    return swapped and new[0] % batch != 0


def moved(before: list[int], after: list[int]) -> int | None:
    """The axis of ``before`` that leads each sample in ``after`` by its length alone, while the values stay where they
    were: (N, heads, length, d) read as (N, length, heads * d). None where axes are only merged, split or kept.
    """
    if len(before) < 3 or len(after) < 3 or before[0] != after[0] or before == after:
        return None
    lead, ahead = after[1], before[1]
    if sorted(before) == sorted(after):
        return before.index(lead, 2) if lead != ahead else None
    merged = {prod(before[1:k]) for k in range(2, len(before) + 1)}
    kept = lead in merged or ahead % lead == 0
    return before.index(lead, 2) if not kept and lead in before[2:] else None


def heads_first(before: list[int], after: list[int]) -> bool:
    """Whether the last axis of each sample is split into heads, and these are named before the axis that leads: a
    sample's (length, heads * d) read as (heads, length, d), while the values stay where they were.
    """
    if len(before) != 3 or len(after) != 4 or before[0] != after[0]:
        return False
    heads, length, size = after[1:]
    return length == before[1] != heads and heads * size == before[2] and heads > 1


def folds(before: list[int], after: list[int]) -> bool:
    """Whether the values of axis 1 are to become rows of their own, while what a row gets are neighbours along the last
    axis: (N, classes, T) read as (N * T, classes). Axes that are merged as they stand, (T, N, heads, d) to
    (T * N, heads * d), keep rows together.
    """
    if len(before) < 3 or len(after) != 2 or after[0] in {prod(before[:k]) for k in range(2, len(before))}:
        return False
    return before[0] > 1 and 1 < before[1] == after[1] != before[-1] > 1


def outer_input(args: Any) -> torch.Tensor | None:
    """The first argument when it is a tensor, or the first of those given by name."""
    first = next(iter(args), None)
    first = next(iter(first.values()), None) if type(first) is Named else first
    return first.detach() if isinstance(first, torch.Tensor) else None
