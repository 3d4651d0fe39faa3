"""Targets of training losses are permuted within their batch, so that inputs say nothing about them.

Drawn from a separate random stream. A model that still learns reads the answer elsewhere; one that learns as well
as before was not learning from its inputs. Reaches torch's loss functions; not losses that a script writes out
itself, nor targets that a model gets as an input.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F

from ..objectives import FUNCTIONS
from ..patching import wrap
from ..session import Session


def apply(session: Session) -> None:
    generator = torch.Generator()
    generator.manual_seed(int(session.config.get("seed", 0)) + 1)

    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def loss(input: Any, target: Any, *args: Any, **kwargs: Any) -> Any:
            is_tensor = issubclass(type(target), torch.Tensor) and issubclass(type(input), torch.Tensor)
            if session.here() and is_tensor and input.requires_grad and target.dim() > 0:
                order = torch.randperm(target.shape[0], generator=generator)
                target = target[order.to(target.device)]
            return original(input, target, *args, **kwargs)

        return loss

    for name in FUNCTIONS:
        wrap(F, name, make)
