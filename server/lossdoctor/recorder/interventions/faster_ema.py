"""Averaged weights follow the model with ``decay`` instead of the script's own, slower average.

Reaches ``torch.optim.swa_utils.AveragedModel``; not averages that a script writes out itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch.optim import swa_utils

from ..patching import wrap
from ..session import Session


def apply(session: Session, decay: float = 0.9) -> None:
    def make(original: Callable[..., None]) -> Callable[..., None]:
        def __init__(this: Any, *args: Any, **kwargs: Any) -> None:
            original(this, *args, **kwargs)
            this.avg_fn, this.multi_avg_fn = None, swa_utils.get_ema_multi_avg_fn(decay)

        return __init__

    wrap(swa_utils.AveragedModel, "__init__", make)
