"""Random numbers that a data set draws for a sample are the middle of their range.

Reaches draws of ``torch``, ``random`` and ``numpy.random`` (their functions, generators that are made there, and those
that a data set holds) while ``__getitem__`` of a data set of the user's runs: uniform numbers are half of their range,
normal ones their mean. So a change that is made with probability one half or less is not made (``rand() < 0.5`` as well
as ``rand() > 0.5``), a shift is zero, noise is none. The draws are made all the same, so that random streams stay as
they were. Whole numbers (``randint``) are left as they fall.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import torch
from torch.utils.data import DataLoader

from ..patching import wrap
from ..session import Session

HALF = 0.5
UNIFORM = ("rand", "rand_like", "random", "random_sample")
NORMAL = ("randn", "randn_like", "standard_normal")
DRAWN = frozenset({*UNIFORM, *NORMAL, "uniform", "normal", "gauss"})
GENERATORS = ("Generator", "RandomState", "Random")  # of numpy, and of Python
MOST = 8  # data sets that wrap one another


def apply(session: Session) -> None:
    running: list[bool] = []
    done: set[type] = set()
    for owner in (torch, random, sys.modules.get("numpy.random")):
        for name in (*UNIFORM, *NORMAL, "uniform", "normal", "gauss"):
            if hasattr(owner, name) and not (owner is torch and name == "normal"):
                wrap(owner, name, partial(_settled, running, name))
    numbers = sys.modules.get("numpy.random")
    if numbers is not None:
        wrap(numbers, "default_rng", partial(_made, running))

    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def __iter__(this: DataLoader[Any]) -> Any:
            for held in map(_attributes, _inner(this.dataset) if session.here() else ()):
                held.update(
                    {k: Settled(v, running) for k, v in held.items() if type(v).__name__ in GENERATORS}
                )
            for kind in {type(d) for d in _inner(this.dataset)} - done if session.here() else ():
                done.add(kind)
                code = getattr(kind.__dict__.get("__getitem__"), "__code__", None)
                if code is not None and session.sites.is_user(code):
                    wrap(kind, "__getitem__", partial(_told, running))
            return original(this)

        return __iter__

    wrap(DataLoader, "__iter__", make)


class Settled:
    """A generator of random numbers, of numpy's or Python's, whose draws are settled too."""

    def __init__(self, generator: Any, running: list[bool]) -> None:
        self._generator, self._running = generator, running

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        found = getattr(self._generator, name)
        return _settled(self._running, name, found) if name in DRAWN else found


def _made(running: list[bool], original: Callable[..., Any]) -> Callable[..., Any]:
    def default_rng(*args: Any, **kwargs: Any) -> Any:
        generator = original(*args, **kwargs)
        return Settled(generator, running) if running else generator

    return default_rng


def _attributes(value: Any) -> dict[str, Any]:
    found = getattr(value, "__dict__", None)
    return found if type(found) is dict else {}


def _inner(dataset: Any) -> Iterator[Any]:
    """A data set and those that it takes its samples from (``Subset``, ``ConcatDataset``)."""
    waiting = [dataset]
    for _ in range(MOST):
        if waiting:
            found = waiting.pop()
            yield found
            waiting += [getattr(found, "dataset", None)] if hasattr(found, "dataset") else []
            waiting += list(getattr(found, "datasets", ()))[:MOST]


def _told(running: list[bool], original: Callable[..., Any]) -> Callable[..., Any]:
    def __getitem__(this: Any, index: Any) -> Any:
        running.append(True)
        try:
            return original(this, index)
        finally:
            running.pop()

    return __getitem__


def _settled(running: list[bool], name: str, original: Callable[..., Any]) -> Callable[..., Any]:
    def draw(*args: Any, **kwargs: Any) -> Any:
        drawn = original(*args, **kwargs)
        if not running:
            return drawn
        if name in UNIFORM:
            return _of_kind(drawn, HALF)
        if name in NORMAL:
            return _of_kind(drawn, 0.0)
        low, high = _given(args, kwargs, name)
        return _of_kind(drawn, (low + high) / 2 if name == "uniform" else low)

    return draw


def _given(args: tuple[Any, ...], kwargs: dict[str, Any], name: str) -> tuple[Any, Any]:
    """Both ends of a uniform draw, or mean and deviation of a normal one."""
    names = (("low", "a"), ("high", "b")) if name == "uniform" else (("loc", "mu"), ("scale", "sigma"))
    usual = (0.0, 1.0)
    told = [next((kwargs[k] for k in both if k in kwargs), None) for both in names]
    found = [args[k] if k < len(args) else told[k] for k in (0, 1)]
    first, second = (usual[k] if v is None else v for k, v in enumerate(found))
    return first, second


def _of_kind(drawn: Any, value: Any) -> Any:
    """``value`` in the form of what was drawn."""
    if issubclass(type(drawn), torch.Tensor):
        return torch.full_like(drawn, float(value))
    return drawn * 0 + value
