"""Optimizer construction and steps: rates, gradient norms, update sizes; one row per optimizer step."""

from __future__ import annotations

import linecache
import math
import os
import sys
import time
import weakref
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

import torch
from torch.optim.optimizer import (
    Optimizer,
    register_optimizer_step_post_hook,
    register_optimizer_step_pre_hook,
)

from .gradients import Gradients
from .holders import written_at
from .hotspot import Hotspot
from .names import Held, Names
from .patching import wrap
from .queued import Queued
from .session import Session, sampled
from .stats import HALF, local, wide

MANY = 64  # above this number of parameters, per-parameter norms are recorded on sampled steps only
UPDATE_NUMEL = 50_000_000  # elements that may be cloned for update sizes
MAX_OPTIMIZERS = 200  # further ones are counted, not described
PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
SLOW_STEP_S = 0.01  # a step worth asking which line it spends its time on
EMPTYING = r"\.state\s*(=[^=]|\.clear\()|\.load_state_dict\("
PLAIN = (bool, int, float, str)
RATES = ("lr", "initial_lr", "max_lr", "min_lr")


class Optimizers:
    """Records every optimizer (``optimizer`` rows) and every step (``step`` rows)."""

    def __init__(self, session: Session, names: Names, gradients: Gradients) -> None:
        self.s, self.names, self.gradients = session, names, gradients
        self._numbers: weakref.WeakKeyDictionary[Optimizer, int] = weakref.WeakKeyDictionary()
        self._count = 0
        self._made: dict[int, list[dict[str, Any]]] = {}  # settings as constructed, until the first step
        self._before: dict[int, list[torch.Tensor]] = {}
        self._entered = 0.0
        self._last_end: float | None = None
        self._queued = Queued()
        self._state = self._passes = 0
        self._stateful: set[int] = set()
        self.hotspot = Hotspot(session.sites, session.thread)
        session.on_stop.append(lambda: self.hotspot.report(session, "step"))
        session.on_stop.append(lambda: self.hotspot.report_functions(session))
        self.in_course: list[Callable[[], None]] = []  # called when an optimizer is made after the first step
        self.extra: list[Callable[[dict[str, Any]], None]] = []
        self._loop: frozenset[CodeType] = frozenset()  # the functions that led to the first step

    def install(self) -> None:
        wrap(Optimizer, "__init__", self._wrap_init)
        register_optimizer_step_pre_hook(self._pre)
        register_optimizer_step_post_hook(self._post)

    # -- construction ----------------------------------------------------------------------------
    def _wrap_init(self, original: Callable[..., None]) -> Callable[..., None]:
        def __init__(this: Optimizer, *args: Any, **kwargs: Any) -> None:
            original(this, *args, **kwargs)
            if self.s.here():
                self._register(this, self.s.site("optimizer"))
                self._note_loop()
                for action in self.in_course if self.s.steps else ():
                    self.s.safely(action)

        return __init__

    def _note_loop(self) -> None:
        """An optimizer that is made while training runs: the line of the loop that leads there."""
        frames = list(self.s.sites.frames())
        frame = next((f for f in frames if f.f_code in self._loop), None)
        if frame is not None and not any(
            map(_is_property, frames)
        ):  # a mere attribute is no place that makes anything
            self.s.place("optimizer_loop", (frame.f_code.co_filename, frame.f_lineno))

    def _register(self, optimizer: Optimizer, site: int | None) -> int:
        number = self._numbers[optimizer] = self._count
        self._count += 1
        if number >= MAX_OPTIMIZERS:
            return number
        groups = self._made[number] = _settings(optimizer)
        frozen = [sum(not p.requires_grad for p in g["params"]) for g in optimizer.param_groups]
        self.s.write({"k": "optimizer", "id": number, "class": type(optimizer).__name__, "site": site,
                      "base": _torch_class(optimizer), "i": self.s.now, "groups": groups,
                      "sizes": [len(g["params"]) for g in optimizer.param_groups],
                      "frozen": frozen})  # fmt: skip
        return number

    def _note_settings(self, optimizer: Optimizer, number: int) -> None:
        """At its first step: settings other than the rate that the optimizer was not made with (a loaded state brings
        its own).
        """
        made = self._made.pop(number, None)
        if made is None or len(made) != len(optimizer.param_groups):
            return
        other = [
            {k: v for k, v in group.items() if k not in RATES and v != old.get(k, v)}
            for group, old in zip(_settings(optimizer), made, strict=True)
        ]
        if any(other):
            self.s.add({"k": "optimizer_used", "id": number, "groups": other})

    def number(self, optimizer: Optimizer) -> int:
        known = self._numbers.get(optimizer)
        return self._register(optimizer, None) if known is None else known

    def known(self, optimizer: Any) -> int | None:
        """The number of an optimizer that was seen before."""
        return self._numbers.get(optimizer) if issubclass(type(optimizer), Optimizer) else None

    def parameters(self) -> Held:
        """Optimizer number -> its tensors, of those that are alive (a script may drop the one of an earlier phase)."""
        return {n: [p for g in o.param_groups for p in g["params"]] for o, n in list(self._numbers.items())}

    # -- steps -----------------------------------------------------------------------------------
    def _pre(self, optimizer: Optimizer, args: Any, kwargs: Any) -> None:
        if not self.s.here() or _is_nested(optimizer):
            return
        if not self._loop:
            self._loop = frozenset(f.f_code for f in self.s.sites.frames())
        self._entered = time.perf_counter()
        self.s.stepping = True
        for action in self.s.before_step:
            self.s.safely(action, optimizer)
        self._state = 0 if _unused(optimizer) else len(optimizer.state)
        self._passes = self.s.sequence.count("B")
        if self._state == 0 and id(optimizer) in self._stateful:
            self._stateful.discard(id(optimizer))
            place = written_at(self.s.sites, EMPTYING)
            if place is not None:
                self.s.place("state_clear", place)
        if self.s.sampling:
            self.s.safely(self._snapshot, optimizer)
        self.s.spend("hook", time.perf_counter() - self._entered)

    def _snapshot(self, optimizer: Optimizer) -> None:
        parameters = [p for g in optimizer.param_groups for p in g["params"]]
        if sum(p.numel() for p in parameters) <= UPDATE_NUMEL:
            self._before[id(optimizer)] = [local(p).clone() for p in parameters]

    def _post(self, optimizer: Optimizer, args: Any, kwargs: Any) -> None:
        if not self.s.active and self.s._raised:
            self.s.raise_stop()
        if not self.s.here() or _is_nested(optimizer):
            return
        start = time.perf_counter()
        self.s.stepping = False
        self.hotspot.__exit__()
        self.s.mark("S")
        self.s.site("step")
        with torch.no_grad():
            count = self.s.steps
            if not self.s.safely(self._record, optimizer, start):
                self.s.steps = count + 1  # the limit holds whatever went wrong
        for action in self.s.after_step:
            self.s.safely(action, optimizer)
        self.s.check_limits(self.s.steps)

    def _record(self, optimizer: Optimizer, start: float) -> None:
        s, number = self.s, self.number(optimizer)
        parameters = [p for g in optimizer.param_groups for p in g["params"]]
        if any(self.names.index(p) is None for p in parameters) or s.steps == 0:
            self.names.resolve(self.parameters())
        row: dict[str, Any] = {"k": "step", "i": s.now + 1, "o": number, "t": round(s.seconds(), 5)}
        row["lr"] = [float(g.get("lr", math.nan)) for g in optimizer.param_groups]
        row["st"] = [self._state, len(optimizer.state)]
        self._note_settings(optimizer, number)
        if optimizer.state and s.steps < 200:
            self._stateful.add(id(optimizer))
        self._gradients(row, parameters)
        # of the rest one that fails must not cost the others their part of the row
        s.safely(self._updates, row, optimizer, parameters)
        s.safely(self.gradients.close_step, row, number, parameters)
        for add in self.extra:
            s.safely(add, row)
        inside = s.sequence.count("B") - self._passes  # passes that a closure ran
        row.update({"closure": inside} if inside else {})
        row.update(s.taken())
        s.add(row)
        now = time.perf_counter()
        s.spend("step", start - self._entered)
        s.spend("hook", now - start)
        row["dt"] = {k: round(v, 6) for k, v in s.clock.items()}
        row["dt"]["total"] = round(now - (self._last_end or s.t0), 6)
        waited = self._queued.since()
        row["dt"].update({} if waited is None else {"queued": round(waited, 6)})
        s.flush()
        s.steps += 1
        s.last_step = s.seconds()
        s.hook_seconds += s.clock["hook"] + time.perf_counter() - now
        s.clock, self._last_end = {}, time.perf_counter()
        s.sampling = sampled(s.steps, s.every)
        if s.sampling and row["dt"]["total"] > SLOW_STEP_S:
            self.hotspot.after_update()

    def _gradients(self, row: dict[str, Any], parameters: list[torch.Tensor]) -> None:
        """Norm per parameter as the optimizer used it, plus trainable parameters that it does not hold."""
        held = {id(p) for p in parameters}
        others = [p for p in self.names.trainable if id(p) not in held and p.grad is not None]
        have = [p for p in parameters if p.grad is not None]
        row["none"] = len(parameters) - len(have)
        sizes = norms([p.grad for p in (*have, *others)])
        row["gn"] = math.sqrt(sum(n * n for n in sizes[: len(have)]))
        detailed = self.s.sampling or len(parameters) <= MANY or not math.isfinite(row["gn"])
        if self.s.sampling:
            row["mem"] = resident_bytes()
            row["gm"] = largest([p.grad for p in have])
            every = self.s.half  # under autocast gradients are made in half precision and kept in single
            half = [(p, p.grad) for p in have if p.grad is not None and (every or p.grad.dtype in HALF)]
            row["gz"] = {
                str(self.names.index(p)): float((local(grad) == 0).float().mean()) for p, grad in half[:32]
            }
        if detailed:
            row["g"] = {str(self.names.index(p)): n for p, n in zip((*have, *others), sizes, strict=True)}

    def _updates(self, row: dict[str, Any], optimizer: Optimizer, parameters: list[torch.Tensor]) -> None:
        before = self._before.pop(id(optimizer), None)
        if before is None or len(before) != len(parameters):
            return
        row["u"], _ = updates(self.names, parameters, before)


def updates(
    names: Names, parameters: list[torch.Tensor], before: list[torch.Tensor]
) -> tuple[dict[str, list[float]], list[torch.Tensor]]:
    """Per parameter what ``changes`` says, and the updates themselves."""
    rows, steps = changes([local(p) for p in parameters], before)
    return {str(names.index(p)): row for p, row in zip(parameters, rows, strict=True)}, steps


def changes(
    after: list[torch.Tensor], before: list[torch.Tensor]
) -> tuple[list[list[float]], list[torch.Tensor]]:
    """Per tensor [norm of the update, norm before, share of elements changed], and the updates."""
    steps = list(torch._foreach_sub(after, before))
    counts = torch.stack([torch.count_nonzero(step) for step in steps]).tolist()
    shares = [count / max(1, step.numel()) for count, step in zip(counts, steps, strict=True)]
    return [list(row) for row in zip(norms(steps), norms(before), shares, strict=True)], steps


def _is_property(frame: FrameType) -> bool:
    """Whether a frame runs a property, by the decorator above its function."""
    first = frame.f_code.co_firstlineno
    return linecache.getline(frame.f_code.co_filename, first).strip() in ("@property", "@cached_property")


def _torch_class(optimizer: Optimizer) -> str | None:
    """The name of torch's own class that this one is, or is derived from."""
    own = (
        c for c in type(optimizer).__mro__ if c is not Optimizer and c.__module__.startswith("torch.optim")
    )
    return next((c.__name__ for c in own), None)


def _is_nested(optimizer: Optimizer) -> bool:
    """Whether this is ``super().step()`` inside a step of the same optimizer: torch calls the hooks for both."""
    wrapper = sys._getframe(2)  # torch's function around step, whose code all optimizers share
    frame = wrapper.f_back
    while frame is not None:
        if frame.f_code is wrapper.f_code and frame.f_locals["args"][0] is optimizer:
            return True
        frame = frame.f_back
    return False


def resident_bytes() -> int | None:
    """Memory of this process (bytes in RAM, plus what the accelerator's allocator holds); None where unknown."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            size = int(file.read().split()[1]) * PAGE
    except OSError:
        return None
    return size + (torch.cuda.memory_allocated() if torch.cuda.is_initialized() else 0)


def _unused(optimizer: Optimizer) -> bool:
    """Whether its state is as it was made: some optimizers (Adagrad) make it before their first step."""
    first = next(iter(optimizer.state.values()), None)
    return isinstance(first, dict) and "step" in first and float(first["step"]) == 0


def largest(tensors: list[Any]) -> float | None:
    """Largest magnitude among the elements of all tensors."""
    values = [local(t).abs().amax().float() for t in tensors if t.numel()]
    if not values or len({v.device for v in values}) > 1:
        return None
    return float(torch.stack(values).amax())


def norms(tensors: list[Any]) -> list[float]:
    """Euclidean norms, in one synchronisation per device and dtype kind."""
    values = [local(t) for t in tensors]
    values = [v.float() if v.dtype in (torch.float16, torch.bfloat16) else v for v in values]
    if not values:
        return []
    found = torch._foreach_norm(values)
    if len({n.device for n in found}) == 1:
        return [float(n) for n in torch.stack([wide(n) for n in found]).tolist()]
    return [float(n) for n in found]


def _settings(optimizer: Optimizer) -> list[dict[str, Any]]:
    return [{k: _plain(v) for k, v in g.items() if k != "params"} for g in optimizer.param_groups]


def _plain(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    if issubclass(type(value), torch.Tensor):
        return float(value) if value.numel() == 1 else "tensor"
    return value if isinstance(value, PLAIN) or value is None else type(value).__name__
