"""A checkpoint whose names do not fit is loaded under those that do: prefixes are exchanged, nested dicts opened.

A key of the checkpoint stands for the module's key with the same shape and the longest common ending, if no other of
both comes as near. Reaches ``load_state_dict`` calls that would leave more than half of the module as it was, also
those that were filled up with the module's own values in place of what the file holds; and models that hold next to
nothing of a file of safetensors that was opened, when they are first called. Not weights that are copied by hand, nor
ones that something overwrites later.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import nn

from .. import tensor_files
from ..patching import wrap
from ..session import Session
from ..weights import MAX_TENSORS
from ._common import around_calls

HALF = 0.5


def apply(session: Session) -> None:
    read: list[dict[str, Any]] = []

    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def load_state_dict(this: nn.Module, state: Any, *args: Any, **kwargs: Any) -> Any:
            if session.here() and issubclass(type(state), Mapping):
                state = given(dict(this.state_dict()), dict(state), read)
            return original(this, state, *args, **kwargs)

        return load_state_dict

    def make_read(original: Callable[..., Any]) -> Callable[..., Any]:
        def load(*args: Any, **kwargs: Any) -> Any:
            result = original(*args, **kwargs)
            if session.here():
                read[:] = _states(result)
            return result

        return load

    wrap(nn.Module, "load_state_dict", make)
    wrap(torch, "load", make_read)
    opened: list[str] = []
    called: set[int] = set()

    def before_calls(original: Callable[..., Any]) -> Callable[..., Any]:
        def call(this: nn.Module, *args: Any, **kwargs: Any) -> Any:
            if opened and session.steps == 0 and id(this) not in called:
                called.add(id(this))
                session.safely(_fill, this, opened)
            return original(this, *args, **kwargs)

        return call

    tensor_files.on_opening(opened.append)
    around_calls(session, before_calls)


def given(own: dict[str, Any], state: dict[str, Any], read: list[dict[str, Any]]) -> dict[str, Any]:
    """``matched``, of what was read last where ``state`` only gives the module its own values back."""
    shared = [k for k in own if k in state and own[k].numel()]
    if len(shared) < HALF * len(own) or not all(
        torch.equal(own[k], state[k]) for k in shared if _alike(own[k], state[k])
    ):
        return matched(own, state)
    for held in read:
        renamed = matched(own, held)
        if set(renamed) <= set(own):
            return {**state, **renamed}
    return state


def _fill(module: nn.Module, paths: list[str]) -> None:
    """Give a module what the files hold under the names that fit, unless half of it is there already."""
    own = module.state_dict()
    held = {
        name: values.reshape(shape)
        for path in paths
        for name, shape, values in tensor_files.tensors_of(path, MAX_TENSORS)
    }
    renamed = {k: v for k, v in matched(own, held).items() if k in own and _alike(own[k], v)}
    there = sum(torch.equal(own[k].cpu(), v.to(own[k].dtype)) for k, v in renamed.items())
    if there < HALF * len(renamed):
        with torch.no_grad():
            for name, value in renamed.items():
                own[name].copy_(value)


def _states(read: Any, depth: int = 0) -> list[dict[str, Any]]:
    """The dictionaries in what was read that hold tensors by name."""
    if not issubclass(type(read), Mapping) or depth > 3:
        return []
    if sum(issubclass(type(v), torch.Tensor) for v in read.values()) > HALF * len(read):
        return [dict(read)]
    return [found for value in read.values() for found in _states(value, depth + 1)]


def matched(own: dict[str, Any], state: dict[str, Any]) -> dict[str, Any]:
    """``state`` under the keys of ``own`` where it fits as it is in fewer than half of them, else unchanged."""
    inner = next((v for v in state.values() if issubclass(type(v), Mapping) and len(v) > 1), None)
    given = dict(inner) if inner is not None and not set(own) & set(state) else state
    if len(set(own) & set(given)) >= HALF * len(own):
        return given
    renamed: dict[str, Any] = {}
    for key, value in given.items():
        fits = [k for k in own if _alike(own[k], value) and k not in renamed]
        best = max(fits, key=lambda k: _ending(k, key), default=None)
        if best is not None and _ending(best, key) > 0:
            renamed[best] = value
    return renamed if len(renamed) >= HALF * len(own) else state


def _alike(ours: Any, theirs: Any) -> bool:
    both = issubclass(type(ours), torch.Tensor) and issubclass(type(theirs), torch.Tensor)
    return both and ours.shape == theirs.shape


def _ending(one: str, other: str) -> int:
    """Number of equal dotted parts at the end of two names."""
    pairs = zip(reversed(one.split(".")), reversed(other.split(".")), strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(one.count("."), other.count(".")) + 1)
