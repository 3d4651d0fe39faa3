"""Training samples get the labels of those that stand ``by`` places further on in their data set, those from ``start``
to ``end`` (all without these) alone.

Reaches data sets with indexes behind a loader that draws them in random order (a held-out one stays as it is), whose
samples are tuples or lists with the label last. At the ends of the data set labels come from the other end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch.utils.data import DataLoader, SequentialSampler
from torch.utils.data._utils.fetch import _MapDatasetFetcher

from ..patching import wrap
from ..session import Session


def apply(session: Session, by: int, start: int = 0, end: int | None = None) -> None:
    mixed: list[Any] = []

    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def __iter__(this: DataLoader[Any]) -> Any:
            if session.here() and not isinstance(this.sampler, SequentialSampler):
                mixed.append(this.dataset)
            return original(this)

        return __iter__

    def moved(original: Callable[..., Any]) -> Callable[..., Any]:
        def fetch(this: Any, index: Any) -> Any:
            data = this.dataset
            if not any(data is one for one in mixed) or not isinstance(index, (list, tuple)):
                return original(this, index)
            rows = range(start, len(data) if end is None else end)
            other = [(i + by) % len(data) if i in rows else i for i in index]
            return this.collate_fn([_with_label(data[i], data[k]) for i, k in zip(index, other, strict=True)])

        return fetch

    wrap(DataLoader, "__iter__", make)
    wrap(_MapDatasetFetcher, "fetch", moved)


def _with_label(sample: Any, other: Any) -> Any:
    if type(sample) not in (tuple, list) or len(sample) < 2 or len(sample) != len(other):
        return sample
    return type(sample)([*sample[:-1], other[-1]])
