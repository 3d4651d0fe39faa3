"""In evaluation every sequence is shown to the model without what fills it up.

Reaches calls, with gradients off, of modules in eval mode that are given integer sequences (N, T) which end with their
commonest last value: samples of one length are shown together, cut to that length; tensors of the same batch that have
T elements along their second axis are cut alike. Answers for positions that are left out are zero. Training is the
same to the last bit. Answers that have no row per sample stay those of the whole batch.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from ..session import Session
from ..stats import tensors
from ._common import WHOLE, around_calls, lengths, mapped


def apply(session: Session) -> None:
    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def call(this: nn.Module, *args: Any, **kwargs: Any) -> Any:
            rows = next(
                (t for _, t in tensors((args, kwargs)) if t.dtype in WHOLE and t.dim() == 2 and t.numel()),
                None,
            )
            if rows is None or this.training or torch.is_grad_enabled():
                return original(this, *args, **kwargs)
            own = lengths(rows)
            if bool((own == rows.shape[1]).all()):
                return original(this, *args, **kwargs)
            return _by_length(lambda a, k: original(this, *a, **k), (args, kwargs), own, rows.shape[1])

        return call

    around_calls(session, make)


def _by_length(ask: Callable[[Any, Any], Any], given: Any, own: torch.Tensor, time: int) -> Any:
    """The answers of ``ask`` for samples of one length at a time, in the order of the batch."""
    size = own.shape[0]
    groups = [(n, (own == n).nonzero().squeeze(1)) for n in torch.unique(own).tolist()]
    answers = []
    for length, chosen in groups:

        def cut(
            path: str, tensor: torch.Tensor, length: int = length, chosen: torch.Tensor = chosen
        ) -> torch.Tensor:
            if not tensor.dim() or tensor.shape[0] != size:
                return tensor
            part = tensor[chosen.to(tensor.device)]
            return part[:, :length] if part.dim() > 1 and part.shape[1] == time else part

        answers.append(ask(*mapped(given, cut)))
    flat = [tensors(answer) for answer in answers]
    if any(
        not t.dim() or t.shape[0] != len(g[1])
        for found, g in zip(flat, groups, strict=True)
        for _, t in found
    ):
        return ask(*given)
    joined = {path: _joined([dict(found)[path] for found in flat], groups, time) for path, _ in flat[0]}
    return mapped(answers[0], lambda path, tensor: joined.get(path, tensor))


def _joined(parts: list[torch.Tensor], groups: list[tuple[int, torch.Tensor]], time: int) -> torch.Tensor:
    """The answers in the order of the batch; where each part is as long as its sequences, filled up with zeros."""
    size = sum(len(chosen) for _, chosen in groups)
    each = all(p.dim() > 1 and p.shape[1] == n for p, (n, _) in zip(parts, groups, strict=True))
    shape = [size, time, *parts[0].shape[2:]] if each else [size, *parts[0].shape[1:]]
    whole = parts[0].new_zeros(shape)
    for part, (length, chosen) in zip(parts, groups, strict=True):
        rows = chosen.to(whole.device)
        if each:
            whole[rows, :length] = part
        else:
            whole[rows] = part
    return whole
