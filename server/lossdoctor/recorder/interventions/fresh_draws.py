"""A seed that is given again in the course of training gives other draws each time: the number of the times that it was
given before is mixed into it.

Reaches the functions of ``seeding.seeding_functions`` and new generators of torch; of the seeds only ``number``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from ..seeding import new_generators, seeding_functions
from ..session import Session

APART = 7919  # seeds that lie next to each other may be those of other runs of the script


def apply(session: Session, number: int) -> None:
    given = 0

    def another() -> int:
        nonlocal given
        given += 1
        return number + APART * given

    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def seed(*args: Any, **kwargs: Any) -> Any:
            if args and args[0] == number and session.now:
                args = (another(), *args[1:])
            elif kwargs.get("seed") == number and session.now:
                kwargs["seed"] = another()
            return original(*args, **kwargs)

        return seed

    def begin(generator: torch.Generator) -> None:
        if generator.initial_seed() == number and session.now:
            generator.manual_seed(another())

    seeding_functions(lambda name: make)
    new_generators(begin)
