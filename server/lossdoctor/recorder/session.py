"""The state of one recorded run that all hooks share."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import torch

from .sites import Site, Sites, source_line
from .stats import wide
from .writer import Row, Writer


class Stop(SystemExit):
    """Ends the user's script from inside a hook; a SystemExit, so ``except Exception`` lets it pass."""


KEPT = 10_000  # fetched numbers that later rows may still name

FORWARDS, MARKS = 48, 96  # marks of a step after which its forward calls, and anything, are no longer noted


class Slot(int):
    """Index of a device scalar whose value is fetched at the end of the step, with all the others at once."""


def sampled(step: int, every: int) -> bool:
    """Whether step ``step`` (0-based) gets the costly measurements: the first five, then every ``every``-th,
    and every fifth of those once the run is long. The choice depends on nothing but the step, so that two
    runs of the same script are measured at the same places.
    """
    if step < 5:
        return True
    return step % every == 0 if step < 20 * every else step % (5 * every) == 0


class Session:
    """Configuration, writer, counters and the pending rows of the current step."""

    def __init__(self, config: dict[str, Any]) -> None:
        self.config = config
        self.writer = Writer(config["trace"], config.get("records", "records.jsonl"))
        self.sites = Sites(config.get("project") or os.getcwd(), os.path.dirname(__file__))
        self.pid = os.getpid()
        self.thread = threading.get_ident()
        self.t0 = time.perf_counter()
        self.every = 5 if config.get("level") == "full" else 10
        self.active = True
        self.steps = 0  # of optimizers
        self.by_hand = 0  # updates without one, while none has stepped
        self.sampling = True
        self.stepping = False  # inside optimizer.step(), where a closure may run backward passes
        self.sequence: list[str] = []
        self.calls = 0
        self.clock: dict[str, float] = {}
        self.hook_seconds = 0.0
        self.last_step = 0.0
        self.on_stop: list[Callable[[], None]] = []
        self.before_step: list[Callable[[Any], None]] = []
        self.after_step: list[Callable[[Any], None]] = []
        self.parts = SimpleNamespace()
        self.reached: list[tuple[str, dict[str, torch.Tensor]]] = []  # models of a run that went before
        self.counters: dict[str, int] = {}
        self._rows: list[Row] = []
        self._scalars: list[torch.Tensor] = []
        self._values: dict[int, float] = {}
        self._slots = 0
        self._sites: dict[tuple[str, Site], int] = {}
        self._raised = 0
        self.compiles = False
        self.half = False  # the model runs under autocast to fp16
        os.register_at_fork(after_in_child=self._leave)

    def _leave(self) -> None:
        self.active = False

    # -- rows ------------------------------------------------------------------------------------
    def defer(self, value: torch.Tensor) -> Slot:
        """Keep a one-element tensor; its number is filled into the row at the end of the step."""
        self._scalars.append(plain(value).detach().reshape(()).clone())
        self._slots += 1
        return Slot(self._slots - 1)

    def add(self, row: Row) -> None:
        """Queue a row, written in order when the step ends."""
        self._rows.append(row)

    def write(self, row: Row) -> None:
        """Write a row at once (it must not hold slots)."""
        self.writer.write(row)

    def flush(self) -> None:
        """Fetch all pending device scalars with one synchronisation per device and write the queued rows."""
        first = self._slots - len(self._scalars)
        self._values.update(enumerate(_fetch(self._scalars), first))
        rows, self._rows, self._scalars = self._rows, [], []
        for row in rows:
            self.writer.write(_filled(row, self._values))
        if len(self._values) > 2 * KEPT:
            self._values = {slot: v for slot, v in self._values.items() if slot >= self._slots - KEPT}

    def count(self, name: str) -> int:
        """Occurrences of ``name`` so far, this one included."""
        self.counters[name] = self.counters.get(name, 0) + 1
        return self.counters[name]

    # -- places ----------------------------------------------------------------------------------
    def site(self, what: str) -> int | None:
        """Index of the innermost user line of the current call; the line is recorded once per role."""
        place = self.sites.caller()
        return None if place is None else self.place(what, place)

    def place(self, what: str, place: Site) -> int:
        """Index of a known line in a role."""
        known = self._sites.get((what, place))
        if known is None:
            known = self._sites[what, place] = len(self._sites)
            row = {"k": "site", "id": known, "what": what, "file": self.real(place[0]), "line": place[1]}
            self.write({**row, "code": source_line(place)})
        return known

    def real(self, path: str) -> str:
        """A path as the user knows it (the script may run in a throw-away copy of the project)."""
        copy, real = self.config.get("project"), self.config.get("real_project")
        path = os.path.abspath(path)
        if copy and real and copy != real and path.startswith(copy + os.sep):
            return str(real) + path[len(copy) :]
        return path

    # -- time and ending -------------------------------------------------------------------------
    def seconds(self) -> float:
        return time.perf_counter() - self.t0

    def spend(self, part: str, seconds: float) -> None:
        """Add to a part of the current step's wall time."""
        self.clock[part] = self.clock.get(part, 0.0) + seconds

    def mark(self, code: str) -> None:
        """Note an event of the loop: Z zero_grad, F forward, B backward, U unscale, C clip, S step, L schedule."""
        self.calls += code == "F"
        if len(self.sequence) < (FORWARDS if code == "F" else MARKS):
            self.sequence.append(code)

    def taken(self) -> Row:
        """The marks of the step that ends here for its row, with the number of forward calls where it is larger; and
        begin the next step's.
        """
        marks, calls = "".join(self.sequence), self.calls
        self.sequence, self.calls = [], 0
        return {"seq": marks, **({"calls": calls} if calls > marks.count("F") else {})}

    def here(self) -> bool:
        """Whether hooks should act: recording, in the recorded process and its main thread, outside ``vmap``."""
        if (
            torch.compiler.is_compiling()
        ):  # first, and a constant to the compiler, so that it looks no further
            return False
        return self.active and threading.get_ident() == self.thread and not in_other_transform()

    def check_limits(self, done: int) -> None:
        """Stop the script when it has made ``max_steps`` steps or used ``max_seconds``."""
        limit, seconds = self.config.get("max_steps"), self.config.get("max_seconds")
        if limit is not None and done >= limit:
            self.stop("max_steps")
        if seconds is not None and self.seconds() >= seconds:
            self.stop("max_seconds")

    def guarded(self, hook: Callable[..., None]) -> Callable[..., None]:
        """A hook whose own mistakes are noted in the trace and never reach the script."""

        def safe(*args: Any) -> None:
            if self.here():
                self.safely(hook, *args)

        return safe

    def safely(self, hook: Callable[..., None], *args: Any) -> bool:
        """Call a hook whose own mistakes are noted in the trace and never reach the script; whether it went well."""
        try:
            hook(*args)
        except Exception as error:
            self.trouble(getattr(hook, "__name__", "a hook"), error)
            return False
        return True

    @property
    def now(self) -> int:
        """Number of the last update, whoever made it."""
        return self.steps or self.by_hand

    def until(self, steps: int, *handles: Any, unless: Callable[[], bool] = lambda: False) -> None:
        """Remove module hooks that have nothing left to see after so many steps: each costs time at every call of every
        module. In scripts that compile they stay: a changed set of hooks would make the compiler start again.
        """
        left = list(handles)

        def check(_: Any) -> None:
            if left and self.steps >= steps and not self.compiles and not unless():
                while left:
                    left.pop().remove()

        self.after_step.append(check)

    def trouble(self, what: str, error: Exception) -> None:
        """Note a mistake of the recorder itself, the first few times."""
        if self.count("trouble") <= 5:
            self.write(
                {
                    "k": "trouble",
                    "what": what,
                    "i": self.now,
                    "text": f"{type(error).__name__}: {error}"[:300],
                }
            )

    def stop(self, reason: str) -> None:
        """Write the end of the trace, then unwind the script; insist when it swallows the exception."""
        self.end(reason)
        self.raise_stop()

    def raise_stop(self) -> None:
        self._raised += 1
        if self._raised > 3:
            os._exit(0)
        raise Stop(0)

    def end(self, reason: str) -> None:
        """Write the closing record, once; nothing is recorded afterwards."""
        if not self.active or os.getpid() != self.pid:
            return
        for final in self.on_stop:
            self.safely(final)
        self.flush()
        self.active = False
        row = {"k": "end", "stop": reason, "steps": self.steps, "t": round(self.seconds(), 4)}
        self.write({**row, "counters": self.counters, "dropped": self.writer.dropped,
                    "hook": round(self.hook_seconds, 4)})  # fmt: skip


_transforms = getattr(torch._C._functorch, "get_interpreter_stack", lambda: None)


def in_other_transform() -> bool:
    """Whether a ``torch.func`` transform other than a gradient is running: its tensors have no values."""
    stack = _transforms()
    return stack is not None and any(i.key() != torch._C._functorch.TransformType.Grad for i in stack)


def plain(value: torch.Tensor) -> torch.Tensor:
    """The tensor behind the wrappers of ``torch.func``, which do not outlive their transform."""
    while torch._C._functorch.is_gradtrackingtensor(value):
        value = torch._C._functorch.get_unwrapped(value)
    return value


def _fetch(scalars: list[torch.Tensor]) -> list[float]:
    if not scalars:
        return []
    devices = {s.device for s in scalars}
    if len(devices) == 1:
        return [float(v) for v in torch.stack([wide(s) for s in scalars]).tolist()]
    return [float(s) for s in scalars]


def _filled(row: Row, values: dict[int, float]) -> Row:
    return {key: _value(item, values) for key, item in row.items()}


def _value(item: Any, values: dict[int, float]) -> Any:
    if type(item) is Slot:
        return values.get(item)
    if type(item) is list:
        if item and type(item[0]) is float:  # numbers that were fetched already, often thousands
            return item
        return [_value(x, values) for x in item]
    if type(item) is dict:
        return _filled(item, values)
    return item
