"""Learning-rate schedulers: which, from where, and how often they step relative to the optimizer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch.optim import lr_scheduler

from .patching import wrap
from .session import Session

MOST = 500  # numbers that are kept of what a scheduler watches


class Schedules:
    """Writes a ``scheduler`` row per object, ``plateau`` rows of the number that one watches, and marks steps of
    schedulers in the sequence of the loop.
    """

    def __init__(self, session: Session) -> None:
        self.s = session
        self._seen: set[int] = set()
        self._depth = 0

    def install(self) -> None:
        bases = [lr_scheduler.LRScheduler, lr_scheduler.ReduceLROnPlateau]
        for cls in {*bases, *_subclasses(lr_scheduler.LRScheduler)}:
            if "step" in vars(cls):
                wrap(cls, "step", self._wrap)

    def _wrap(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def step(this: Any, *args: Any, **kwargs: Any) -> Any:
            if self._depth or not self.s.here():
                return original(this, *args, **kwargs)  # inside another scheduler
            if not hasattr(this, "_last_lr"):  # the first call, from the constructor
                result = original(this, *args, **kwargs)
                self._register(this)
                return result
            self._register(this)
            if self.s.count("scheduler_steps") <= 3:
                self.s.site("schedule_step")
            self.s.mark("L")
            self.s.safely(self._note_metric, this, args[0] if args else kwargs.get("metrics"))
            self._depth += 1
            try:
                return original(this, *args, **kwargs)
            finally:
                self._depth -= 1

        return step

    def _note_metric(self, scheduler: Any, metric: Any) -> None:
        """What a scheduler that watches a number is told, and which way it takes to be better."""
        if issubclass(type(scheduler), lr_scheduler.ReduceLROnPlateau) and self.s.count("plateau") <= MOST:
            row = {"k": "plateau", "i": self.s.now, "value": float(metric), "mode": scheduler.mode}
            self.s.write(row)

    def _register(self, scheduler: Any) -> None:
        if id(scheduler) in self._seen:
            return
        self._seen.add(id(scheduler))
        plain = {
            k: v for k, v in vars(scheduler).items() if isinstance(v, (int, float, str, bool)) and k[0] != "_"
        }
        self.s.write({"k": "scheduler", "class": type(scheduler).__name__, "site": self.s.site("scheduler"),
                      "i": self.s.now, "values": plain, "peak": declared_peak(scheduler),
                      "o": self.s.parts.optimizers.known(getattr(scheduler, "optimizer", None))})  # fmt: skip


def declared_peak(scheduler: Any) -> float | None:
    """The largest rate that the schedule is built around: ``max_lr`` of a cycle, else the optimizer's own rate."""
    groups = getattr(getattr(scheduler, "optimizer", None), "param_groups", [])
    rates = [float(g.get("max_lr", g.get("initial_lr", g.get("lr", 0.0)))) for g in groups]
    return max(rates, default=None)


def _subclasses(cls: type) -> list[type]:
    direct: list[type] = cls.__subclasses__()
    return [found for below in direct for found in (below, *_subclasses(below))]
