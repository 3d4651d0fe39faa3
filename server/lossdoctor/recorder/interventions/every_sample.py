"""Training loaders draw all samples of their data set in random order, whatever their sampler chooses.

The order comes from a separate random stream. Reaches torch DataLoaders over datasets with a length, with torch's
batches, that are iterated while gradients are on; not iterable datasets, nor data that the script indexes itself.
"""

from __future__ import annotations

from typing import Any

from torch.utils.data import BatchSampler, DataLoader, IterableDataset

from ..session import Session
from .shuffle_loader import shuffle_those


def apply(session: Session) -> None:
    shuffle_those(session, _has_usual_batches)


def _has_usual_batches(loader: DataLoader[Any]) -> bool:
    return type(loader.batch_sampler) is BatchSampler and not issubclass(
        type(loader.dataset), IterableDataset
    )
