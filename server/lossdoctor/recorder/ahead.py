"""Which of the batches that were fetched the model gets: libraries that look for the end of a loader (accelerate's, and
with it transformers') fetch the next batch before they hand out this one.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import torch

from .stats import tensors


@dataclass
class Fetched:
    """One batch of a loader: its number and epoch, the indexes and the data set it was made of, its first tensor, and
    the tensors that seem to be class numbers, and targets. The others are not kept alive.
    """

    loader: int
    epoch: int
    at: list[int] | None
    data_set: Any
    first: torch.Tensor | None
    labels: torch.Tensor | None
    targets: torch.Tensor | None
    parts: list[weakref.ref[torch.Tensor]] = field(default_factory=list)

    def holds(self, pointers: set[int]) -> bool:
        """Whether one of the tensors begins at one of these addresses."""
        return any(t is not None and _address(t) in pointers for t in (part() for part in self.parts))


@dataclass
class Course:
    """How one pass over a loader goes: its last two batches, whether the model was called since the last one, and
    whether batches are fetched one ahead.
    """

    latest: Fetched
    before: Fetched | None = None
    count: int = 1
    called: bool = False
    one_ahead: bool = False


class Ahead:
    """Calls ``use`` with a batch when it is fetched, and again with the one before it when that is what the model is
    called with: it is among the arguments, or somebody else's code fetched two before the first call.
    """

    def __init__(self, use: Callable[[Fetched], None]) -> None:
        self._use = use
        self._courses: weakref.WeakKeyDictionary[Any, Course] = weakref.WeakKeyDictionary()
        self._course: Course | None = None
        self._used: Fetched | None = None

    def fetched(self, iterator: Any, batch: Fetched, by_script: bool) -> None:
        course = self._courses.get(iterator)
        if course is None:
            course = self._courses[iterator] = Course(batch)
        else:
            course.before, course.latest, course.count = course.latest, batch, course.count + 1
            if course.count == 2:
                course.one_ahead = not by_script and not course.called
            elif course.count == 3:  # more were passed over: to go on where a run was stopped, say
                course.one_ahead = course.one_ahead and course.called
        course.called = False
        self._course, self._used = course, batch
        self._use(batch)

    def ended(self, iterator: Any) -> None:
        """What was fetched last is handed out now."""
        course = self._courses.get(iterator)
        if course is not None:
            course.one_ahead = False

    def call(self, args: Any, grad: bool) -> None:
        """An outermost call of a model."""
        course = self._course
        if course is None:
            return
        course.called = True
        if course.before is None:
            return
        pointers = {_address(t) for _, t in tensors(args)} - {0}
        if course.latest.holds(pointers):
            chosen = course.latest
        else:
            behind = course.before.holds(pointers) or course.one_ahead
            chosen = course.before if behind else course.latest
        if chosen is not self._used:
            self._used = chosen
            self._use(chosen)


def _address(tensor: torch.Tensor) -> int:
    plain = tensor.layout == torch.strided and tensor.device.type != "meta" and not tensor.is_nested
    return tensor.data_ptr() if plain else 0
