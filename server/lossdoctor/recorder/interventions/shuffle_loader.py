"""Training loaders that go through their data in order draw it in random order instead.

The order comes from a separate random stream. Reaches torch DataLoaders over datasets with a length that are
iterated while gradients are on; not iterable datasets, samplers of the script's own, nor data that the script
indexes itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.utils.data import DataLoader, RandomSampler, SequentialSampler

from ..patching import wrap
from ..session import Session


def apply(session: Session) -> None:
    shuffle_those(session, lambda loader: type(loader.sampler) is SequentialSampler)


def shuffle_those(session: Session, wanted: Callable[[DataLoader[Any]], bool]) -> None:
    """Give these training loaders a random order."""
    generator = torch.Generator()
    generator.manual_seed(int(session.config.get("seed", 0)) + 1)

    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def __iter__(this: DataLoader[Any]) -> Any:
            if session.here() and torch.is_grad_enabled() and wanted(this):
                shuffle(this, generator)
            return original(this)

        return __iter__

    wrap(DataLoader, "__iter__", make)


def shuffle(loader: DataLoader[Any], generator: torch.Generator) -> None:
    """Exchange the sampler of a loader; its own assignment refuses that, for good reasons that do not hold here. An
    epoch stays as long as it was, so that what the script does once per epoch comes at the same steps.
    """
    dataset: Any = loader.dataset
    batches: Any = loader.batch_sampler
    sampler = RandomSampler(dataset, num_samples=_length(loader), generator=generator)
    loader.__dict__["sampler"] = sampler
    if batches is not None:
        batches.sampler = sampler


def _length(loader: DataLoader[Any]) -> int:
    """Samples that the loader's sampler draws in an epoch; all of the data set where it does not say."""
    dataset: Any = loader.dataset
    try:
        return min(len(loader.sampler), len(dataset)) or len(dataset)  # type: ignore[arg-type]
    except (TypeError, NotImplementedError):
        return len(dataset)
