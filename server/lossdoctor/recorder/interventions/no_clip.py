"""Clipping calls of the script measure the norm but change nothing.

Reaches ``torch.nn.utils.clip_grad_norm_`` and ``clip_grad_value_``, which Lightning, Accelerate and the HF Trainer
call too; not clipping that a script does by hand.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from torch.nn import utils

from ..patching import wrap
from ..session import Session


def apply(session: Session) -> None:
    def without_limit(original: Callable[..., Any]) -> Callable[..., Any]:
        def clip(parameters: Any, limit: Any = None, *args: Any, **kwargs: Any) -> Any:
            kwargs.pop("max_norm", None), kwargs.pop("clip_value", None)
            return original(parameters, math.inf, *args, **kwargs)

        return clip

    for name in ("clip_grad_norm_", "clip_grad_value_"):
        wrap(utils.clip_grad, name, without_limit)
        setattr(utils, name, getattr(utils.clip_grad, name))
