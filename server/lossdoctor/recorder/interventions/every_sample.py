"""Training loaders draw all samples of their data set in random order, whatever their sampler chooses.

The order comes from a separate random stream. Reaches torch DataLoaders over datasets with a length, with torch's
batches, that are iterated while gradients are on; not iterable datasets, nor data that the script indexes itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.utils.data import BatchSampler, DataLoader, IterableDataset

from ..patching import wrap
from ..session import Session
from .shuffle_loader import shuffle


def apply(session: Session) -> None:
    generator = torch.Generator()
    generator.manual_seed(int(session.config.get("seed", 0)) + 1)
    known: list[DataLoader[Any]] = []

    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def __iter__(this: DataLoader[Any]) -> Any:
            usual = type(this.batch_sampler) is BatchSampler and not issubclass(
                type(this.dataset), IterableDataset
            )
            fresh = not any(this is loader for loader in known)
            if session.here() and torch.is_grad_enabled() and usual and fresh:
                known.append(this)
                shuffle(this, generator)
            return original(this)

        return __iter__

    wrap(DataLoader, "__iter__", make)
