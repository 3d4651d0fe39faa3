"""Training loaders that go through their data in order draw it in random order instead.

The order comes from a separate random stream. Reaches torch DataLoaders that are iterated while gradients are on: over
datasets with a length, and over streams, which are kept up to ``MOST`` samples at a time and handed out mixed. Not
samplers of the script's own, nor data that the script indexes itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import torch
from torch.utils.data import DataLoader, IterableDataset, RandomSampler, SequentialSampler

from ..patching import wrap
from ..session import Session

MOST = 20_000  # samples of a stream that are held at once


def apply(session: Session) -> None:
    shuffle_those(session, lambda loader: type(loader.sampler) is SequentialSampler or _streams(loader))


def _streams(loader: DataLoader[Any]) -> bool:
    return issubclass(type(loader.dataset), IterableDataset)


class Mixed(IterableDataset[Any]):
    """The samples of a stream in random order, as far as they fit."""

    def __init__(self, stream: Any, generator: torch.Generator) -> None:
        self.stream, self.generator = stream, generator

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["stream"], name)

    def __len__(self) -> int:
        return len(self.stream)

    def __iter__(self) -> Iterator[Any]:
        samples = iter(self.stream)
        while held := list(islice(samples, MOST)):
            yield from (held[k] for k in torch.randperm(len(held), generator=self.generator).tolist())


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
    if _streams(loader):
        loader.__dict__["dataset"] = dataset if type(dataset) is Mixed else Mixed(dataset, generator)
        return
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
