"""Loss functions get what went into the activation that made their prediction, instead of its result.

Reaches sigmoid, tanh, softmax, softplus, ReLU and its smooth kin, as modules or functions, when nothing but reshaping
lies between them and torch's regression losses, cross-entropy or binary cross-entropy with logits; not losses by hand.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F

from ..patching import wrap
from ..session import Session

ACTIVATIONS: tuple[tuple[Any, str], ...] = (
    (F, "relu"), (F, "sigmoid"), (F, "tanh"), (F, "softplus"), (F, "softmax"), (torch, "relu"), (torch, "sigmoid"),
    (torch, "tanh"), (torch, "softmax"), (torch.Tensor, "relu"), (torch.Tensor, "sigmoid"), (torch.Tensor, "tanh"),
    (torch.Tensor, "softmax"), (F, "gelu"), (F, "silu"), (F, "mish"), (F, "elu"), (F, "hardswish"), (F, "hardtanh"),
    (F, "hardsigmoid"),
)  # fmt: skip
LOSSES = (
    "mse_loss",
    "l1_loss",
    "smooth_l1_loss",
    "huber_loss",
    "cross_entropy",
    "binary_cross_entropy_with_logits",
)
KEPT = 64


def apply(session: Session) -> None:
    inputs: dict[int, tuple[torch.Tensor, torch.Tensor]] = {}

    def activation(original: Callable[..., Any]) -> Callable[..., Any]:
        def act(x: Any, *args: Any, **kwargs: Any) -> Any:
            out = original(x, *args, **kwargs)
            if session.here() and torch.is_grad_enabled() and out is not x:
                if len(inputs) >= KEPT:
                    inputs.clear()
                inputs[id(out)] = (x, out)  # the result is kept, so that its id is not reused
            return out

        return act

    def loss(original: Callable[..., Any]) -> Callable[..., Any]:
        def call(scores: Any, *args: Any, **kwargs: Any) -> Any:
            known = inputs.get(id(scores)) or inputs.get(id(getattr(scores, "_base", None)))
            if known is not None and known[0].numel() == scores.numel():
                scores = known[0].reshape(scores.shape)
            inputs.clear()
            return original(scores, *args, **kwargs)

        return call

    for owner, name in ACTIVATIONS:
        wrap(owner, name, activation)
    for name in LOSSES:
        wrap(F, name, loss)
