"""Arguments that a module is given by name: torch hands a global forward hook the positional ones alone."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from torch.nn.modules import module as calling

NEAR = 6  # frames between torch's call of a hook and who asks


class Named(dict[str, Any]):
    """The arguments given by name, as the last of a call's arguments."""


def named() -> Named:
    """What the module whose hook is running was given by name; {} where torch's frame of the call is not found."""
    frame = sys._getframe(1)
    for _ in range(NEAR):
        if frame.f_code.co_filename == calling.__file__:
            found = frame.f_locals.get("kwargs")
            return Named(found) if type(found) is dict else Named()
        if frame.f_back is None:
            break
        frame = frame.f_back
    return Named()


def whole(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The positional arguments of the call whose hook is running, and one ``Named`` behind them if there are others."""
    more = named()
    return (*args, more) if more else args


def in_order(args: tuple[Any, ...], names: Iterable[str]) -> tuple[Any, ...]:
    """As many arguments as there are ``names``, whichever way they were given; None for one that was not."""
    names, more = tuple(names), named()
    return (*args, *(more.get(name) for name in names[len(args) :]))
