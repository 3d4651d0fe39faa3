"""Where a model cuts its own signal out of the autograd graph: by a draw, or by a part or a block of its code that runs
without gradients.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from types import CodeType, FrameType
from typing import Any

import torch
from torch import nn
from torch.distributions import Distribution, Independent, Normal, TransformedDistribution
from torch.nn.modules.module import register_module_forward_hook, register_module_forward_pre_hook

from .forwards import Forwards
from .keywords import whole
from .patching import wrap
from .session import Session
from .sites import OWN
from .stats import tensors

FIRST = 5  # steps; a cut that matters happens in every one
CALLING = nn.Module._call_impl.__code__
DRAWS = (Distribution, Normal, TransformedDistribution, Independent)


def learned(distribution: Distribution) -> bool:
    """Whether a distribution could be drawn from with a gradient (``rsample``), and its parameters have one."""
    if not distribution.has_rsample:
        return False
    base = getattr(distribution, "base_dist", distribution)
    return any(issubclass(type(v), torch.Tensor) and v.requires_grad for v in vars(base).values())


def severs(args: Any, output: Any) -> bool:
    """Whether a module got something with a history, and returns numbers of which none has one."""
    given, returned = [t for _, t in tensors(args)], [t for _, t in tensors(output) if t.is_floating_point()]
    return (
        any(t.grad_fn is not None for t in given)
        and bool(returned)
        and not any(t.requires_grad for t in returned)
    )


def inside_module() -> bool:
    """Whether the running code was called by a module's ``forward``."""
    return any(frame.f_code is CALLING for frame in _outwards())


def around_block() -> tuple[CodeType, int, Any] | None:
    """The function that a ``no_grad`` block which is just entered belongs to, the line of the block (of the decorator,
    where torch's decorator made it), and what the function was given or has so far.
    """
    frame = next((f for f in _outwards() if not f.f_code.co_filename.startswith(OWN)), None)
    if frame is None:
        return None
    values = dict(frame.f_locals)
    if frame.f_code.co_name != "decorate_context":
        return frame.f_code, frame.f_lineno, values
    code = inspect.unwrap(values["func"]).__code__
    return code, code.co_firstlineno, (values["args"], values["kwargs"])


def _outwards() -> Iterator[FrameType]:
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        yield frame
        frame = frame.f_back


class Severed:
    """Writes ``severed`` rows during the first steps: a draw without reparametrisation from a distribution that the
    model parametrises, the output of a module that ran without gradients, or what a block without gradients made of
    something with a history, which a module is then called with.
    """

    def __init__(self, session: Session, forwards: Forwards) -> None:
        self.s, self.forwards = session, forwards
        self._loose: list[tuple[torch.Tensor, dict[str, Any]]] = []
        self._block: dict[str, Any] | None = None  # a block of the running forward pass
        self._given: set[int | None] = set()  # storages of what the model was called with
        self._last = -1
        self.draws = 0  # of the first steps, whose draw went on through the model

    def install(self) -> None:
        for kind in DRAWS:
            wrap(kind, "sample", self._wrap_sample)
        wrap(torch, "normal", self._wrap_normal)
        wrap(torch.no_grad, "__enter__", self._wrap_block)
        self.forwards.on_call.append(self._called)
        self.s.until(FIRST, register_module_forward_pre_hook(self.s.guarded(self._enter)))
        self.s.until(FIRST, register_module_forward_hook(self.s.guarded(self._leave)))

    def _looks(self) -> bool:
        return (
            self.s.steps < FIRST and self._last != self.s.steps and self.s.here() and torch.is_grad_enabled()
        )

    def _wrap_sample(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def sample(this: Any, *args: Any, **kwargs: Any) -> Any:
            result = original(this, *args, **kwargs)
            if self._looks() and learned(this):
                self.s.safely(self._cut, result, "draw", f"{type(this).__name__}.sample", None)
            return result

        return sample

    def _wrap_normal(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def normal(*args: Any, **kwargs: Any) -> Any:
            given = [*args, *kwargs.values()]
            if self._looks() and any(issubclass(type(v), torch.Tensor) and v.requires_grad for v in given):
                row = self._row("draw", "torch.normal", None)
                self.s.safely(self._write, row)
            return original(*args, **kwargs)

        return normal

    def _called(self, args: Any, grad: bool) -> None:
        self._block = None
        if self.s.steps < FIRST:
            self._given = {_storage(t) for _, t in tensors(args)}

    def _wrap_block(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def enter(this: Any) -> Any:
            if self.s.steps < FIRST and self._block is None and self.forwards.stack and self._looks():
                self.s.safely(self._entered)
            return original(this)

        return enter

    def _entered(self) -> None:
        """Note a block in which the user's code has something with a history."""
        around = around_block()
        if around is None or not self.s.sites.is_user(around[0]):
            return
        code, line, values = around
        if any(t.grad_fn is not None for _, t in tensors(values)):
            self._block = self._row("block", code.co_name, (code.co_filename, line))
            self.s.place("cut_in_forward", (code.co_filename, line))

    def _leave(self, module: nn.Module, args: Any, output: Any) -> None:
        if self._looks() and self.forwards.stack and severs(whole(args), output):
            code = inspect.unwrap(type(module).forward).__code__
            for _, tensor in tensors(output):
                self._cut(tensor, "module", type(module).__name__, (code.co_filename, code.co_firstlineno))

    def _cut(self, result: Any, how: str, name: str, place: tuple[str, int] | None) -> None:
        if issubclass(type(result), torch.Tensor) and result.is_floating_point() and result.numel() > 1:
            self._loose = [*self._loose[-7:], (result, self._row(how, name, place))]

    def _row(self, how: str, name: str, place: tuple[str, int] | None) -> dict[str, Any]:
        site = self.s.place("severed", place) if place else self.s.site("severed")
        return {"k": "severed", "i": self.s.now, "how": how, "name": name[:80], "site": site}

    def _enter(self, module: nn.Module, args: Any) -> None:
        """Whether this module works on what was cut off."""
        if not (self._loose or self._block) or not self._looks():
            return
        floating = [t for _, t in tensors(whole(args)) if t.is_floating_point() and t.dim()]
        given = [t for t in floating if not t.requires_grad]
        row = next((r for loose, r in self._loose for t in given if _holds(t, loose)), None)
        trained = any(p.requires_grad for p in module.parameters())
        if row is None and self.forwards.stack and trained and len(given) == len(floating) > 0:
            made = all(_storage(t) not in self._given for t in given)
            row = self._block if made else None
        if row is not None:
            self._write(row)

    def _write(self, row: dict[str, Any]) -> None:
        self._last, self._loose, self._block = self.s.steps, [], None
        self.draws += row["how"] == "draw"
        self.s.add(row)


def _storage(tensor: torch.Tensor) -> int | None:
    """Where a tensor's numbers lie; None for sparse and wrapped ones, which have no storage of their own."""
    try:
        return tensor.untyped_storage().data_ptr()
    except (NotImplementedError, RuntimeError):
        return None


def _holds(tensor: torch.Tensor, loose: torch.Tensor) -> bool:
    """Whether a tensor is the other one, or has it among its columns: its first number is a random one."""
    first = loose.detach().reshape(-1)[0]
    row = tensor.detach().reshape(-1)[: tensor.shape[-1]]
    return tensor is loose or (bool(first) and bool((row == first).any()))
