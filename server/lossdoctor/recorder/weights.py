"""Checkpoints: what was loaded into which module, how much of it matched, and what is left of it at the first pass."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import nn

from . import tensor_files
from .averages import Averages, told_apart
from .names import Names
from .patching import wrap
from .session import Session
from .stats import local

MAX_TENSORS = 4000
PROBE = 6  # values that tell whether two tensors are the same
Print = tuple[tuple[int, ...], tuple[float, ...]]


class Weights:
    """Writes a ``load`` row for every ``load_state_dict`` of a module, and one ``restored`` row at the first pass."""

    def __init__(self, session: Session, names: Names, averages: Averages) -> None:
        self.s, self.names, self.averages = session, names, averages
        self._prints: set[Print] = set()
        self._site: int | None = None
        self._overwriting: int | None = None
        self.before_load: Callable[[], None] = lambda: None

    def install(self) -> None:
        wrap(nn.Module, "load_state_dict", self._wrap)
        wrap(torch, "load", self._wrap_read)
        wrap(nn.Module, "apply", self._wrap_apply)
        tensor_files.on_opening(self._opened)

    def _wrap_read(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def load(*args: Any, **kwargs: Any) -> Any:
            result = original(*args, **kwargs)
            if self.s.here() and self.s.steps == 0:
                self._remember(result, self.s.site("read"))
            return result

        return load

    def _remember(self, state: Any, site: int | None) -> None:
        self._keep({fingerprint(t) for t in _tensors(state)}, site)

    def _keep(self, found: set[Print | None], site: int | None) -> None:
        known = {p for p in found if p is not None}
        if known and len(self._prints) < MAX_TENSORS:
            self._prints |= known
            self._site = site

    def _opened(self, path: str) -> None:
        if self.s.here() and self.s.steps == 0:
            self.s.safely(self._remember_file, path)

    def _remember_file(self, path: str) -> None:
        held = tensor_files.tensors_of(path, MAX_TENSORS, PROBE)
        self._keep({_print(shape, values) for _, shape, values in held}, self.s.site("read"))

    def _wrap_apply(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def apply(this: nn.Module, *args: Any, **kwargs: Any) -> Any:
            if self._prints and self.s.here() and self.s.steps == 0:
                self._overwriting = self.s.site("initialise")
            return original(this, *args, **kwargs)

        return apply

    def _wrap(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def load_state_dict(this: nn.Module, state_dict: Any, *args: Any, **kwargs: Any) -> Any:
            if self.s.here():
                self.averages.before_load(this)
                self.before_load()
                self.s.safely(self._given, this, state_dict)
            try:
                result = original(this, state_dict, *args, **kwargs)
            except RuntimeError as error:
                if self.s.here():
                    self._row(this, state_dict, failed=str(error)[:300])
                raise
            if self.s.here():
                self.names.loaded |= {id(p) for name, p in this.named_parameters() if name in state_dict}
                self._row(this, state_dict, result)
            return result

        return load_state_dict

    def _given(self, module: nn.Module, state: Any) -> None:
        """Remember what a module is given before the first step, but for what it holds already: a state that was
        completed with the module's own values brings nothing for those.
        """
        if self.s.steps == 0:
            own = {fingerprint(t.detach()) for t in module.parameters()}
            fresh = [t for t in _tensors(state) if fingerprint(t) not in own]
            self._remember(fresh, self.s.site("load"))

    def _row(self, module: nn.Module, state: Any, result: Any = None, failed: str | None = None) -> None:
        missing, unexpected = (
            (list(result.missing_keys), list(result.unexpected_keys)) if result else ([], [])
        )
        site = self.s.site("load")
        self.s.write({"k": "load", "i": self.s.now, "module": type(module).__name__, "site": site,
                      "keys": len(state), "own": len(module.state_dict()), "missing": len(missing),
                      "unexpected": len(unexpected), "examples": [*missing[:3], *unexpected[:3]],
                      "failed": failed, "state": told_apart(module)})  # fmt: skip

    def before_backward(self) -> None:
        """At the first backward pass: how many parameters of the modules that ran hold values from a checkpoint."""
        if not self._prints or self.s.steps > 0:
            return
        shapes = {shape for shape, _ in self._prints}
        own = {p for t in self._used() if (p := fingerprint(t)) is not None}
        fits = [p for p in own if p[0] in shapes]
        self.s.write({"k": "restored", "i": 0, "given": len(self._prints), "own": len(own), "fits": len(fits),
                      "same": len(own & self._prints), "site": self._site,
                      "overwriting": self._overwriting})  # fmt: skip
        self._prints = set()

    def _used(self) -> Iterator[torch.Tensor]:
        modules = [
            o for o in gc.get_objects() if issubclass(type(o), nn.Module) and id(o) in self.names.called
        ]
        return (p for m in modules for p in m.parameters(recurse=False))


def fingerprint(tensor: torch.Tensor) -> Print | None:
    """Shape and the first values as bf16 holds them, so that a cast after the load changes nothing; None for tensors
    that are too small or constant to tell apart.
    """
    if not tensor.is_floating_point() or tensor.numel() < PROBE or tensor.device.type == "meta":
        return None
    return _print(tuple(tensor.shape), local(tensor).reshape(-1)[:PROBE])


def _print(shape: tuple[int, ...], first: torch.Tensor) -> Print | None:
    """The fingerprint of a tensor of which the first values are known."""
    rounded = tuple(first.to(torch.bfloat16).float().tolist())
    return None if len(rounded) < PROBE or len(set(rounded)) == 1 else (shape, rounded)


def _tensors(state: Any, depth: int = 0) -> Iterator[torch.Tensor]:
    if issubclass(type(state), torch.Tensor):
        yield state.detach()
    elif issubclass(type(state), nn.Module):
        yield from (p.detach() for p in state.parameters())
    elif depth < 4 and isinstance(state, (dict, list, tuple)):
        for value in state.values() if isinstance(state, dict) else state:
            yield from _tensors(value, depth + 1)
