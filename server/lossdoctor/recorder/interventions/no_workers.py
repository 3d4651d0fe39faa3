"""Every DataLoader loads in the main process.

Reaches torch DataLoaders that are made after the script starts; not loaders of other libraries.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch.utils.data import DataLoader

from ..patching import wrap
from ..session import Session

OWN = ("prefetch_factor", "persistent_workers", "timeout", "multiprocessing_context", "in_order")
NEXT = ("num_workers", "collate_fn", "pin_memory", "drop_last")  # what may follow by position


def apply(session: Session) -> None:
    def make(original: Callable[..., None]) -> Callable[..., None]:
        def __init__(this: Any, *args: Any, **kwargs: Any) -> None:
            if session.here():
                kwargs = {k: v for k, v in kwargs.items() if k not in OWN}
                args, kwargs = (
                    args[:5],
                    {**kwargs, **dict(zip(NEXT, args[5:], strict=False)), "num_workers": 0},
                )
            original(this, *args, **kwargs)

        return __init__

    wrap(DataLoader, "__init__", make)
