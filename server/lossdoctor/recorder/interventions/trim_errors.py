"""From step ``start`` on, samples whose answers are furthest from their targets no longer reach the gradient: of the
errors of the last samples the largest ``1 - keep``.

Iterated trimming of the loss: a model that has learned what most samples have in common errs most where targets are
wrong (Shen and Sanghavi, "Learning with bad training data via iterative trimmed loss minimization", 2019). The loss
that is reported stays that of all samples. Reaches torch's mse, l1, smooth l1 and huber loss, and in losses that a
script writes out itself the difference of an answer and a target of its shape; the first axis is that of the samples.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

from ..inputs import model_input
from ..patching import wrap
from ..session import Session
from ._common import around_calls
from ._differences import Pair, around_differences

LOSSES = ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss")
LAST = 1000  # samples whose errors are compared
FEWEST = 40  # before as many are known none is left out


def apply(session: Session, keep: float = 0.6, start: int = 0) -> None:
    errors: deque[float] = deque(maxlen=LAST)
    rows = [0]  # of the last input of a model: what is no multiple of them are no answers (weights, means)

    def model(original: Callable[..., Any]) -> Callable[..., Any]:
        def call(this: nn.Module, *args: Any, **kwargs: Any) -> Any:
            found = model_input((args, kwargs)) if torch.is_grad_enabled() else None
            rows[0] = found.shape[0] if found is not None and found.dim() else 0
            return original(this, *args, **kwargs)

        return call

    def trimmed(answer: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
        if not rows[0] or answer.shape[0] % rows[0]:
            return answer
        with torch.no_grad():
            each = torch.sub(answer, target).abs().reshape(answer.shape[0], -1).mean(1).double().cpu()
            errors.extend(each.tolist())
            if session.now < start or len(errors) < FEWEST:
                return answer
            known = torch.tensor(list(errors), dtype=torch.float64)
            kept = (each <= torch.nan_to_num(known).quantile(keep)).to(answer.device)
            kept = kept.reshape(-1, *[1] * (answer.dim() - 1))
        same = answer.view_as(answer)  # the graph of the loss stays one that can be read
        same.register_hook(lambda gradient: torch.where(kept, gradient, torch.zeros_like(gradient)))
        return same

    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def loss(input: Any, target: Any, *args: Any, **kwargs: Any) -> Any:
            if session.here() and _of_samples(input, target):
                input = trimmed(input, target)
            return original(input, target, *args, **kwargs)

        return loss

    def changed(answer: torch.Tensor, target: torch.Tensor) -> Pair:
        return trimmed(answer, target), target

    around_calls(session, model)
    for name in LOSSES:
        wrap(F, name, make)
    around_differences(session, changed)


def _of_samples(answer: Any, target: Any) -> bool:
    tensors = issubclass(type(answer), torch.Tensor) and issubclass(type(target), torch.Tensor)
    if not tensors or answer.shape != target.shape or not answer.numel():
        return False
    return bool(answer.dim() and answer.requires_grad and not target.requires_grad)
