"""DataLoader iteration: waiting time, batches, and how the loader is set up."""

from __future__ import annotations

import os
import sys
import time
import weakref
from collections.abc import Callable
from typing import Any

import torch
from torch.utils.data import DataLoader
from torch.utils.data.dataloader import _BaseDataLoaderIter

from .ahead import Ahead, Fetched
from .draws import DRAWS
from .evaluation import Evaluation
from .hotspot import SLOW_S, Hotspot
from .orders import Orders
from .patching import wrap
from .samples import Samples
from .session import Session
from .stats import describe, fingerprint, tensors

HERE = os.path.dirname(__file__)
FIRST = 3  # batches of each loader that are always described
LONG = 8  # rows of fewer numbers are boxes or points, not sequences
SEVERAL = 4  # different lengths in a batch; labels of one or two classes may be within any bounds


class Loaders:
    """Writes ``loader`` rows once each and ``batch`` rows on sampled steps."""

    def __init__(self, session: Session, evaluation: Evaluation, samples: Samples) -> None:
        self.s, self.evaluation, self.samples = session, evaluation, samples
        self._iterators: weakref.WeakKeyDictionary[Any, int] = weakref.WeakKeyDictionary()
        self._loaders: weakref.WeakKeyDictionary[Any, int] = weakref.WeakKeyDictionary()
        self._sites: weakref.WeakKeyDictionary[Any, int | None] = weakref.WeakKeyDictionary()
        # by its line, its data set and how it is set up: the loader that is made anew for each epoch goes on
        self._made: dict[tuple[Any, ...], tuple[weakref.ref[Any], weakref.ref[Any], int]] = {}
        self._seen: dict[int, int] = {}
        self._epochs: dict[int, int] = {}
        self._slow = False
        self.ahead = Ahead(self._use)
        self._orders = Orders(session, self._iterators, self._epochs)
        self.hotspot = Hotspot(session.sites, session.thread)
        session.on_stop.append(lambda: self.hotspot.report(session, "data"))

    def install(self) -> None:
        wrap(DataLoader, "__init__", self._wrap_init)
        wrap(DataLoader, "__iter__", self._wrap_iter)
        wrap(_BaseDataLoaderIter, "__next__", self._wrap_next)
        wrap(_BaseDataLoaderIter, "_next_index", self._orders.wrap)

    def _wrap_init(self, original: Callable[..., None]) -> Callable[..., None]:
        def __init__(this: DataLoader[Any], *args: Any, **kwargs: Any) -> None:
            original(this, *args, **kwargs)
            if self.s.here():
                self._sites[this] = self.s.site("loader")

        return __init__

    def _wrap_iter(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def __iter__(this: DataLoader[Any]) -> Any:
            start = time.perf_counter()
            iterator = original(this)
            if self.s.here():
                number = self._number(this)
                self._iterators[iterator] = number
                self._epochs[number] = self._epochs.get(number, 0) + 1
                self.s.spend("data", time.perf_counter() - start)
            return iterator

        return __iter__

    def _number(self, loader: DataLoader[Any]) -> int:
        known = self._loaders.get(loader)
        if known is not None:
            return known
        again = self._made_anew(loader)
        if again is not None:
            self._loaders[loader] = again
            return again
        number = self._loaders[loader] = len(self._seen)
        self._seen[number] = 0
        self.s.write({"k": "loader", "id": number, "site": self._sites.get(loader),
                      "order": self._order(loader), **setup(loader)})  # fmt: skip
        return number

    def _made_anew(self, loader: DataLoader[Any]) -> int | None:
        """The number of the loader that stood here before over the same data set and is gone; notes this one."""
        key = (self._sites.get(loader), id(loader.dataset), *setup(loader).values())
        before = self._made.get(key)
        again = before is not None and before[0]() is None and before[1]() is loader.dataset
        number = before[2] if before is not None and again else len(self._seen)
        try:
            self._made[key] = weakref.ref(loader), weakref.ref(loader.dataset), number
        except TypeError:  # lists and tuples
            return None
        return number if again else None

    def _order(self, loader: DataLoader[Any]) -> int | None:
        """Where a sampler of the user's own class draws its samples."""
        for sampler in (loader.sampler, loader.batch_sampler):
            code = getattr(getattr(type(sampler), "__iter__", None), "__code__", None)
            if code is not None and self.s.sites.is_user(code):
                return self.s.place("sampler", (code.co_filename, code.co_firstlineno))
        return None

    def _wrap_next(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def __next__(this: Any) -> Any:
            if not self.s.here():
                return original(this)
            start = time.perf_counter()
            try:
                if self._slow:
                    with self.hotspot:
                        batch = original(this)
                else:
                    batch = original(this)
            except StopIteration:
                self.ahead.ended(this)
                raise
            wait = time.perf_counter() - start
            self._slow = wait > SLOW_S
            self.s.spend("data", wait)
            self.s.safely(self._batch, this, batch, wait, self._by_script())
            return batch

        return __next__

    def _by_script(self) -> bool:
        """Whether the next batch is asked for by code of the user's own."""
        frame = sys._getframe(2)
        while frame.f_back is not None and frame.f_code.co_filename.startswith(HERE):
            frame = frame.f_back
        return self.s.sites.is_user(frame.f_code)

    def _batch(self, iterator: Any, batch: Any, wait: float, by_script: bool) -> None:
        start, found = time.perf_counter(), tensors(batch)
        number = self._iterators.get(iterator, -1)
        self.samples.loaded += 1
        self.ahead.fetched(iterator, self._described(iterator, number, found), by_script)
        self._write(number, found, wait)
        self.s.spend("hook", time.perf_counter() - start)

    def _described(self, iterator: Any, number: int, found: list[tuple[str, torch.Tensor]]) -> Fetched:
        labels = targets = _labels([t for _, t in found])
        # class numbers come last (ids, mask, labels); measurements come first (inputs, targets, sample weights)
        if labels is None:
            targets = next((t for _, t in found[1:] if _is_column(t) and not _is_label(t)), None)
        # with workers the indexes that were drawn last are those of a later batch
        at = self._orders.last.get(iterator) if not getattr(iterator, "_num_workers", 1) else None
        return Fetched(
            number, self._epochs.get(number, 1), at, getattr(iterator, "_dataset", None),
            found[0][1] if found else None, labels, targets, [weakref.ref(t) for _, t in found],
        )  # fmt: skip

    def _use(self, batch: Fetched) -> None:
        self.s.parts.data_set, self.samples.at = batch.data_set, batch.at
        self.samples.loader, self.samples.epoch = batch.loader, batch.epoch
        self.samples.windows.given = batch.first
        self.evaluation.labels, self.evaluation.targets = batch.labels, batch.targets

    def _write(self, number: int, found: list[tuple[str, torch.Tensor]], wait: float) -> None:
        count = self._seen[number] = self._seen.get(number, 0) + 1
        if count <= FIRST or self.s.sampling:
            with torch.no_grad():
                rows = [{"path": path, **describe(t)} for path, t in found[:8]]
                print_ = fingerprint(found[0][1]) if found and not found[0][1].is_complex() else None
            self.s.write({"k": "batch", "loader": number, "n": count, "epoch": self._epochs.get(number, 1),
                          "i": self.s.now + 1, "wait": round(wait, 6), "print": print_, "tensors": rows})  # fmt: skip


def _is_label(tensor: torch.Tensor) -> bool:
    return tensor.dim() == 1 and not tensor.is_floating_point() and not tensor.is_complex()


def _is_long(tensor: torch.Tensor) -> bool:
    """Whether its second axis may hold padding. Rows of a nested tensor are not padded."""
    return not tensor.is_nested and tensor.dim() > 1 and tensor.shape[1] >= LONG


def _labels(found: list[torch.Tensor]) -> torch.Tensor | None:
    """The last vector of integers in a batch that does not seem to be the lengths of something padded in it: those of
    the longest reach to its end, and of values that are asked for (floating-point, after the input) no length is 0.
    """
    whole = [t for t in reversed(found) if _is_label(t)]
    asked = [t for t in found[1:] if t.is_floating_point() and _is_long(t)]
    if whole and any(_within(whole[0], t) for t in asked):
        return None
    padded = [t for t in found if _is_long(t)]
    others = [
        t for t in whole if not any(_within(t, p) and int(t.long().max()) == p.shape[1] for p in padded)
    ]
    return next(iter(others or whole), None)


def _within(numbers: torch.Tensor, padded: torch.Tensor) -> bool:
    """Whether the numbers may be the lengths, several different ones, of the rows of a tensor."""
    if numbers.shape[0] != padded.shape[0] or not numbers.numel() or numbers.dtype == torch.bool:
        return False
    whole = numbers.long()  # not every kind of integer has a smallest and a largest
    low, high = torch.aminmax(whole)
    return bool(low >= 1 and high <= padded.shape[1] and whole.unique().numel() >= SEVERAL)


def _is_column(tensor: torch.Tensor) -> bool:
    return tensor.dim() >= 1 and tensor.numel() == tensor.shape[0]


def _names(kind: type, getter: Any) -> set[str]:
    """What ``__getitem__`` names, and what the methods and functions that it names do."""
    own = set(getattr(getattr(getter, "__code__", None), "co_names", ()))
    around = getattr(getter, "__globals__", {})
    called = (getattr(kind, name, around.get(name)) for name in own)
    return own.union(*(getattr(getattr(f, "__code__", None), "co_names", ()) for f in called))


def setup(loader: DataLoader[Any]) -> dict[str, Any]:
    """How a loader is configured; ``len`` is the number of samples, None for iterable datasets."""
    dataset = loader.dataset
    getter = getattr(type(dataset), "__getitem__", None)
    try:
        size = len(dataset)  # type: ignore[arg-type]
    except (TypeError, NotImplementedError):
        size = None
    return {
        "dataset": type(dataset).__name__, "len": size, "batch_size": loader.batch_size,
        "sampler": type(loader.sampler).__name__, "workers": loader.num_workers,
        "generator_seeded": getattr(loader, "generator", None) is not None,
        "getter": getattr(getattr(getter, "__code__", None), "co_firstlineno", None),
        "draws": not DRAWS.isdisjoint(_names(type(dataset), getter)),
        "drop_last": loader.drop_last, "pin": loader.pin_memory, "prefetch": loader.prefetch_factor,
    }  # fmt: skip
