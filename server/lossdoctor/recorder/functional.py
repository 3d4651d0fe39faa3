"""Training with ``torch.func``: gradients come from ``grad`` or ``grad_and_value``, parameters are plain tensors in a
dictionary (list, tuple) that the script replaces or changes itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch.utils._pytree import tree_flatten_with_path

from .manual import LARGE, MANUAL
from .names import Names
from .optimizers import Optimizers, changes, norms
from .patching import wrap
from .session import Session, sampled
from .stats import local

Flat = dict[str, torch.Tensor]


class Functional:
    """Writes a ``step`` row with optimizer -1 for every outermost call of a gradient function.

    Parameters are found by their names among those of the modules that ran. A call is closed by the next one (or by the
    end): only then is known how the parameters were changed. Transforms inside others (gradients per sample) are not
    looked at.
    """

    def __init__(self, session: Session, names: Names, optimizers: Optimizers) -> None:
        self.s, self.names, self.optimizers = session, names, optimizers
        self._pending: dict[str, Any] | None = None
        self._before: Flat = {}
        self._known: dict[str, int] = {}
        self.calls = 0

    def install(self) -> None:
        for name in ("grad", "grad_and_value"):
            wrap(torch.func, name, partial(self._wrap, name))
        self.s.on_stop.append(lambda: self._close({}))

    def _wrap(self, name: str, original: Callable[..., Any]) -> Callable[..., Any]:
        def transform(func: Any, argnums: Any = 0, has_aux: bool = False) -> Any:
            inner = original(func, argnums, has_aux)
            whole = type(argnums) is int

            def gradient(*args: Any, **kwargs: Any) -> Any:
                acts = whole and self.s.here() and self.s.steps == 0 and not _inside_transform()
                if acts and argnums < len(args):
                    self.s.safely(self._enter, args[argnums])
                    self.s.check_limits(self.calls)
                result = inner(*args, **kwargs)
                if acts:
                    self.s.safely(self._leave, name, has_aux, result)
                return result

            return gradient

        return transform

    def _enter(self, parameters: Any) -> None:
        now = flat(parameters)
        self._close(now)
        self.s.sampling = sampled(self.calls, self.s.every)
        whole = self.s.sampling and sum(t.numel() for t in now.values()) <= LARGE
        self._before = {name: local(t).clone() for name, t in now.items()} if whole else {}

    def _leave(self, name: str, has_aux: bool, result: Any) -> None:
        gradients, value = _parts(name, has_aux, result)
        found = flat(gradients)
        if not self._known:
            self._resolve(found)
        if not self._known:
            return  # gradients of something else than a model's parameters
        kept = {key: t for key, t in found.items() if key in self._known}
        sizes = norms([t.detach() for t in kept.values()])
        self._pending = {
            "g": {str(self._known[key]): n for key, n in zip(kept, sizes, strict=True)},
            "gn": math.sqrt(sum(n * n for n in sizes)),
            "loss": [self.s.defer(value)] if value is not None and value.numel() == 1 else [],
        }
        self.calls += 1

    def _resolve(self, gradients: Flat) -> None:
        self.names.resolve(self.optimizers.parameters())
        for root in self.names.roots:
            for name, parameter in root.named_parameters():
                number = self.names.index(parameter)
                if number is not None and name in gradients:
                    self._known[name] = number

    def _close(self, now: Flat) -> None:
        """Write the row of the last call, with the updates that its gradients led to."""
        row, self._pending = self._pending, None
        if row is None:
            return
        row |= {"k": "step", "i": self.calls, "o": MANUAL, "t": round(self.s.seconds(), 5), "lr": [], "ls": [],
                "nb": 1, "zg": 0, "stale": False, "seq": "FB", "moved": True}  # fmt: skip
        pairs = [
            (k, local(t), self._before[k]) for k, t in now.items() if k in self._before and k in self._known
        ]
        if pairs:
            found, _ = changes([after for _, after, _ in pairs], [before for _, _, before in pairs])
            row["moved"] = any(share > 0 for _, _, share in found)
            row["u"] = {str(self._known[k]): sizes for (k, _, _), sizes in zip(pairs, found, strict=True)}
        for add in self.optimizers.extra:
            add(row)
        self.s.add(row)
        self.s.flush()


def flat(tree: Any) -> Flat:
    """Tensors of a nested value, with dotted names: ``{"net": {"w": t}}`` -> ``{"net.w": t}``."""
    leaves = tree_flatten_with_path(tree)[0]
    named = ((".".join(str(getattr(k, "key", getattr(k, "idx", k))) for k in path), t) for path, t in leaves)
    return {name: t.detach() for name, t in named if issubclass(type(t), torch.Tensor)}


def _parts(name: str, has_aux: bool, result: Any) -> tuple[Any, torch.Tensor | None]:
    """Gradients and value of what ``grad`` (no value) or ``grad_and_value`` returned."""
    if name == "grad":
        return (result[0] if has_aux else result), None
    gradients, value = result
    return gradients, value[0] if has_aux else value


def _inside_transform() -> bool:
    return torch._C._functorch.peek_interpreter_stack() is not None
