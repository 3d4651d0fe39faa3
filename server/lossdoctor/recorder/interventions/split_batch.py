"""Loaders hand out batches ``factor`` times smaller (at least 2 samples); a factor below 1 makes them larger.

Reaches torch DataLoaders that are given a batch size; not a script's own batch sampler, nor data that it indexes
itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch.utils.data import DataLoader

from ..patching import wrap
from ..session import Session


def apply(session: Session, factor: float) -> None:
    def make(original: Callable[..., None]) -> Callable[..., None]:
        def __init__(this: Any, dataset: Any, batch_size: int | None = 1, *args: Any, **kwargs: Any) -> None:
            if session.here() and isinstance(batch_size, int) and batch_size > 1:
                batch_size = max(2, round(batch_size / factor))
            original(this, dataset, batch_size, *args, **kwargs)

        return __init__

    wrap(DataLoader, "__init__", make)
