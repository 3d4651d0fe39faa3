"""Random generators that are seeded again and again in the course of training: the same draws come back each time."""

from __future__ import annotations

import contextlib
import random
import re
import sys
import weakref
from collections.abc import Callable
from typing import Any

import torch

from .patching import wrap
from .session import Session
from .sites import Site

MOST = 8  # steps of a place that are kept
PLACES = 64
HELPER = re.compile(r"seed|determin|reproduc", re.IGNORECASE)
AGAIN = 3  # times that a place gives the same seed before it is told of


class Seeding:
    """Writes a ``seeded`` row for each line that gave one and the same seed several times while the run was training:
    the function, the seed, after which steps (``at``), and how often.

    Sees ``torch.manual_seed``, ``random.seed``, ``numpy.random.seed`` and ``numpy.random.default_rng``, and every new
    ``torch.Generator`` at the first order or index that is drawn with it.
    """

    def __init__(self, session: Session) -> None:
        self.s = session
        self._seen: dict[tuple[Any, str, int], list[int]] = {}

    def install(self) -> None:
        seeding_functions(lambda name: lambda original: self._wrap(name, original))
        new_generators(self._begin)
        self.s.on_stop.append(self._close)

    def _wrap(self, name: str, original: Callable[..., Any]) -> Callable[..., Any]:
        def seed(*args: Any, **kwargs: Any) -> Any:
            number = next(iter((*args, *kwargs.values())), None)
            if isinstance(number, int) and self.s.here():
                self.s.safely(self._note, name, number)
            return original(*args, **kwargs)

        return seed

    def _begin(self, generator: torch.Generator) -> None:
        if self.s.here():
            self.s.safely(self._note, "torch.Generator", generator.initial_seed())

    def _note(self, name: str, number: int) -> None:
        place = self._place()
        if place is not None and (len(self._seen) < PLACES or (place, name, number) in self._seen):
            self._seen.setdefault((place, name, number), []).append(self.s.steps)

    def _place(self) -> Site | None:
        """The line that seeds; of a function that does nothing else, as its name says, the line that calls it."""
        frames = iter(self.s.sites.frames())
        own = next(frames, None)
        if own is not None and HELPER.search(own.f_code.co_name):
            own = next(frames, own)
        return None if own is None else (own.f_code.co_filename, own.f_lineno)

    def _close(self) -> None:
        for (place, name, number), steps in self._seen.items():
            at = sorted(set(steps))
            if len(at) >= AGAIN:
                site = self.s.place("seeding", place)
                self.s.write({"k": "seeded", "fn": name, "seed": number, "at": at[:MOST], "n": len(steps),
                              "site": site})  # fmt: skip


def seeding_functions(make: Callable[[str], Callable[[Any], Any]]) -> None:
    """Wrap every function that seeds a generator by what ``make`` returns for its name."""
    same = torch.manual_seed is torch.random.manual_seed  # torch._dynamo makes two of them
    wrap(torch.random, "manual_seed", make("torch.manual_seed"))
    if same:
        torch.manual_seed = torch.random.manual_seed
    else:
        wrap(torch, "manual_seed", make("torch.manual_seed"))
    wrap(random, "seed", make("random.seed"))
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        wrap(numpy.random, "seed", make("numpy.random.seed"))
        wrap(numpy.random, "default_rng", make("numpy.random.default_rng"))


def new_generators(begin: Callable[[torch.Generator], None]) -> None:
    """Call ``begin`` with each ``torch.Generator`` before the first order or index that is drawn with it."""
    known: weakref.WeakSet[torch.Generator] = weakref.WeakSet()

    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def draw(*args: Any, **kwargs: Any) -> Any:
            generator = kwargs.get("generator")
            if generator is not None and issubclass(type(generator), torch.Generator):
                with contextlib.suppress(TypeError):  # where generators cannot be referred to weakly
                    if generator not in known:
                        known.add(generator)
                        begin(generator)
            return original(*args, **kwargs)

        return draw

    for name in ("randperm", "randint"):
        wrap(torch, name, make)
