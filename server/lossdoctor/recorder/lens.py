"""The close look at non-finite values: which operation, on which line, from what input, made the first one.

Every torch function call is watched from step ``from`` on (``TorchFunctionMode``), and autograd's anomaly
mode finds backward functions that turn finite values into NaN. Slow, so only used in a second run.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from typing import Any

import torch
from torch.overrides import TorchFunctionMode, resolve_name

from .forwards import Forwards
from .graph import NUMBERED, operation
from .names import Names
from .patching import wrap
from .session import Session
from .stats import describe, tensors

FRAME = re.compile(r'File "([^"]+)", line (\d+)')
FUNCTION = re.compile(r"Function '(\w+)' returned nan values")
MOST = 200  # operations noted between two backward passes
IGNORED = ("isnan", "isfinite", "isinf", "masked_fill", "masked_fill_", "fill_", "fill_diagonal_", "full_like",
           "new_full", "empty", "full", "__get__", "__set__", "where", "item", "__repr__", "__format__",
           "nan_to_num", "tolist", "tensor", "as_tensor", "from_numpy", "load", "__setitem__", "set_", "detach",
           "to", "float")  # fmt: skip


class Lens(TorchFunctionMode):
    """Notes operations whose output is not finite, and names one when a loss or a gradient is not: the first that had
    finite inputs. Infinities of steps that end well are meant (masks). Operations without gradients (evaluations,
    rewards) are named only where the loss got NaN that nothing else has made.
    """

    def __init__(self, session: Session, names: Names, forwards: Forwards, start: int) -> None:
        super().__init__()
        self.s, self.names, self.forwards, self.start = session, names, forwards, start
        self._busy = False
        self._noted: list[dict[str, Any]] = []
        self._aside: list[dict[str, Any]] = []  # without gradients, of this step
        self._meant: set[tuple[Any, ...]] = set()
        # completed steps at the last backward pass: from there to the update
        self._backward_at: int | None = None

    def install(self) -> None:
        wrap(torch.autograd, "backward", self._wrap_backward)
        # autograd remembers the line of an operation only if the mode is on while the operation runs
        torch.autograd.set_detect_anomaly(self.start <= 1, check_nan=True)
        self.__enter__()

    def _on(self) -> bool:
        return not self._busy and self.s.active and self.s.steps >= self.start and self.s.here()

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        output = func(*args, **(kwargs or {}))
        updating = self._backward_at == self.s.steps
        if not self._on():
            return output
        if getattr(func, "__name__", "") not in IGNORED:
            self._busy = True
            try:
                self._check(func, args, output, aside=not (torch.is_grad_enabled() or updating))
            finally:
                self._busy = False
        return output

    def _check(self, func: Any, args: Any, output: Any, aside: bool) -> None:
        made = [t.detach() for _, t in tensors(output) if t.is_floating_point() and t.numel()]
        if all(bool(torch.isfinite(t).all()) for t in made):
            return
        given = [t.detach() for _, t in tensors(args) if t.is_floating_point() and t.numel()]
        bad = [t for t in given if not bool(torch.isfinite(t).all())]
        name = (resolve_name(func) or getattr(func, "__name__", "?")).split(".")[-1]
        module = self.names.module(self.forwards.stack[-1]) if self.forwards.stack else None
        row = {"op": name, "phase": "forward", "module": module, "inputs_bad": bool(bad),
               "inputs_nan": _nan(bad), "output_nan": _nan(made),
               "inputs": [describe(t) for t in given[:3]], "output": describe(made[0]),
               **self._place()}  # fmt: skip
        if not aside:
            self._note(row)
        elif row["output_nan"] and not row["inputs_nan"] and len(self._aside) < MOST:
            self._aside.append({**row, "i": self.s.now + 1})

    def _note(self, row: dict[str, Any]) -> None:
        row["i"] = self.s.steps + 1
        if _key(row) not in self._meant and len(self._noted) < MOST:
            self._noted.append(row)
        if self._backward_at is None and self._noted and row["i"] > self._noted[0]["i"]:
            self._name()  # training without ``backward``: nothing else will tell how the step ended

    def _name(self) -> None:
        """Write the first operation that got NaN which none before it had made; else the first that made something
        non-finite from finite inputs; else the first that made NaN, of infinities that are meant perhaps; else the
        first of all.
        """
        nan = next((row for row in self._noted if row["inputs_nan"] or row["output_nan"]), None)
        clean = (row for row in self._noted if not row["inputs_bad"])
        first = next(clean, nan or (self._noted[0] if self._noted else None))
        row = nan if nan is not None and nan["inputs_nan"] else first
        if row is not None and row["inputs_nan"]:
            row = next((made for made in self._aside if made["i"] == row["i"]), row)
        if row is not None:
            self._report(row)

    def _place(self) -> dict[str, Any]:
        """File and line in full: the row is read beside the trace of another run."""
        place = self.s.sites.caller()
        return {} if place is None else {"file": self.s.real(place[0]), "line": place[1]}

    def _report(self, row: dict[str, Any]) -> None:
        self.s.write({"k": "nonfinite", "i": self.s.now + 1, **row})
        self.s.stop("max_steps")

    def _wrap_backward(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def backward(*args: Any, **kwargs: Any) -> Any:
            torch.autograd.set_detect_anomaly(
                self.s.active and self.s.steps + 1 >= self.start, check_nan=True
            )
            if not self._on():
                return original(*args, **kwargs)
            if not _finite(args[:1]):
                self._name()
            first = _watched(args[:1])
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                try:
                    result = original(*args, **kwargs)
                except RuntimeError as error:
                    found = FUNCTION.search(str(error))
                    if found is None:
                        raise
                    told = found[1], "".join(str(w.message) for w in caught)
                    return self._backward_row(*(first or [told])[0])
            self._passed()
            return result

        return backward

    def _passed(self) -> None:
        """A backward pass from a finite loss to finite gradients: what was noted before it is meant."""
        self._meant.update(map(_key, self._noted))
        self._noted, self._aside = [], []
        self._backward_at = self.s.steps

    def _backward_row(self, function: str, trace: str) -> None:
        places = [(p, int(n)) for p, n in FRAME.findall(trace)]
        user = [p for p in places if self.s.sites.is_user_file(p[0])]
        self._report({"op": NUMBERED.sub("", function), "phase": "backward", "module": None,
                      "inputs_bad": False, "inputs": [],
                      "file": self.s.real(user[-1][0]) if user else None,
                      "line": user[-1][1] if user else None})  # fmt: skip


def _watched(roots: Any) -> list[tuple[str, str]]:
    """Watch the backward functions that lead to these tensors: name and forward trace of the first one that makes an
    infinity, or NaN, of a finite gradient will be in the list. Anomaly mode tells NaN only, which an infinity becomes
    some functions later.
    """
    first: list[tuple[str, str]] = []
    seen: set[Any] = set()
    queue = [t.grad_fn for _, t in tensors(roots)]
    while queue:
        node = queue.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        queue += [child for child, _ in node.next_functions]
        node.register_hook(_looker(node, first))
    return first


def _looker(node: Any, first: list[tuple[str, str]]) -> Any:
    def look(made: Any, given: Any) -> None:
        if not first and not _finite(made) and _finite(given):
            first.append((operation(node), "".join(node.metadata.get("traceback_", ()))))

    return look


def _finite(roots: Any) -> bool:
    return all(bool(torch.isfinite(t.detach()).all()) for _, t in tensors(roots))


def _nan(found: list[torch.Tensor]) -> bool:
    return any(bool(t.isnan().any()) for t in found)


def _key(row: dict[str, Any]) -> tuple[Any, ...]:
    return row["op"], row.get("file"), row.get("line")
