"""Another random stream: ``offset`` is added to every seed, also to those that the script sets itself.

Reaches ``torch.manual_seed``, ``random.seed``, ``numpy.random.seed`` and ``numpy.random.default_rng``; not the
generators of torch (``Generator().manual_seed``) nor ``random_state`` arguments, so splits made with those stay.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from typing import Any

import torch

from ..seeding import seeding_functions
from ..session import Session


def apply(session: Session, offset: int = 1) -> None:
    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def seed(number: Any = None, *args: Any, **kwargs: Any) -> Any:
            return original(number + offset if isinstance(number, int) else number, *args, **kwargs)

        return seed

    seeding_functions(lambda name: make)
    number = int(session.config.get("seed", 0))
    random.seed(number)
    torch.manual_seed(number)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(number)
