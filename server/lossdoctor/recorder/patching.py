"""Replacing a function or method by a wrapped one that still looks like itself."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType
from typing import Any

import torch

Function = Callable[..., Any]
_patched: list[tuple[Any, str, Function, Function]] = []  # owner, name, what was there, what is there now


def wrap(owner: Any, name: str, make: Callable[[Function], Function]) -> Function:
    """Set ``owner.name`` to ``make(original)``, keeping its name, docstring and signature; return the original."""
    original: Function = getattr(owner, name)
    made = make(original)

    @functools.wraps(original)
    def guarded(*args: Any, **kwargs: Any) -> Any:
        if torch.compiler.is_compiling():  # a constant to the compiler: it sees nothing of ours
            return original(*args, **kwargs)
        return made(*args, **kwargs)

    setattr(owner, name, guarded)
    _patched.append((owner, name, original, guarded))
    return original


def is_wrapper(code: CodeType) -> bool:
    """Whether code is that of a function which stands in the place of a wrapped one."""
    return code.co_name == "guarded" and code.co_filename == __file__


@contextmanager
def unpatched() -> Iterator[None]:
    """The functions as torch made them, for code that reads them: ``torch.jit.script`` compiles what a name means."""
    mine = [p for p in _patched if getattr(p[0], p[1], None) is p[3]]
    for owner, name, original, _ in reversed(mine):
        setattr(owner, name, original)
    try:
        yield
    finally:
        for owner, name, _, guarded in mine:
            setattr(owner, name, guarded)


def keep_out_of_scripting() -> None:
    """Let ``torch.jit.script`` see none of our wrappers."""
    for owner in (torch.jit, torch.jit._script):
        wrap(owner, "script", _scripting)


def _scripting(original: Function) -> Function:
    def script(*args: Any, **kwargs: Any) -> Any:
        with unpatched():
            return original(*args, **kwargs)

    return script
