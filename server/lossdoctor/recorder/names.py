"""Qualified names for parameters and modules, found without the script's help.

The live modules are found once, at the first step, by a scan of the garbage collector's objects; roots are
the modules that no other module holds; user variables on the stack give them their names.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import torch
from torch import nn

from .criteria import is_torchs
from .holders import written_at
from .session import Session
from .sites import Sites
from .stats import local, sample

Held = dict[int, list[torch.Tensor]]  # number of an optimizer -> its tensors
# numbers that are remembered of a tensor, and what a cast to half precision changes
BEGINNING, ROUNDED = 4, 0.01
FEW = 256  # items of a collection that is searched for a tensor
FREEZING = r"requires_grad_?\s*[=(]\s*False"


class Names:
    """Indexes parameters and modules; emits a ``params`` row whenever new ones appear, and a ``holders`` row when known
    ones come to belong to other optimizers.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._index: dict[int, int] = {}
        self._held: list[torch.Tensor] = []
        self._holders: dict[int, list[int]] = {}  # optimizers of each tensor
        self._names: dict[int, str] = {}
        self._owners: dict[int, nn.Module] = {}
        self._modules: dict[int, str] = {}
        self._tabled: set[int] = set()
        self.roots: list[nn.Module] = []
        self.called: dict[int, int | None] = {}  # modules that ran, and the line that called them first
        self.loaded: set[int] = set()
        self.initialised: dict[int, int] = {}  # tensors that the script gave their first values, and the line
        # tensors that torch's init functions filled, and how they begin
        self.drawn: dict[int, list[float]] = {}
        self.all_drawn = True  # whether each such call was seen
        self.trainable: list[torch.Tensor] = []

    def index(self, parameter: torch.Tensor) -> int | None:
        return self._index.get(id(parameter))

    def module(self, module: nn.Module) -> str:
        """Qualified name of a module, or its class name while it is unknown."""
        return self._modules.get(id(module)) or type(module).__name__

    def draw(self, tensor: Any) -> None:
        """Remember how a tensor begins that one of torch's init functions has just filled."""
        if issubclass(type(tensor), torch.Tensor) and tensor.device.type != "meta":
            self.drawn[id(tensor)] = _beginning(tensor)

    def _still_drawn(self, parameter: torch.Tensor) -> bool | None:
        """Whether a parameter still holds what torch's init functions drew for it; None where that was not seen."""
        first = self.drawn.get(id(parameter))
        if first is None:
            return False if self.all_drawn else None
        now = _beginning(parameter)
        return len(now) == len(first) and all(
            abs(a - b) <= ROUNDED * abs(a) for a, b in zip(first, now, strict=True)
        )

    def resolve(self, optimizers: Held, loose: Sequence[torch.Tensor] = ()) -> None:
        """Name everything that the optimizers hold or that the forward passes used, and record the table.

        ``loose`` are bare tensors that neither a module nor an optimizer holds.
        """
        held = {id(p) for group in optimizers.values() for p in group}
        roots = self._roots(held)
        several = len(roots) > 1
        self.roots = [root for _, root in roots]
        for label, root in roots:
            self._name_root(f"{label}." if several else "", root)
        for number, group in optimizers.items():
            for position, parameter in enumerate(group):
                self._names.setdefault(
                    id(parameter),
                    _variable(parameter, self._session.sites) or f"optimizer{number}[{position}]",
                )
        for position, parameter in enumerate(loose):
            self._names.setdefault(
                id(parameter), _variable(parameter, self._session.sites) or f"tensor[{position}]"
            )
        self._record(optimizers, loose)
        for label, root in roots:
            self._table(label, root)

    def resolve_once(self, optimizers: Held) -> None:
        """Name what there is when the script ended before any step or backward pass."""
        if not self._index:
            self.resolve(optimizers)

    def _table(self, label: str, root: nn.Module) -> None:
        """One ``model`` row per root: its modules in order with the settings that matter to a diagnosis."""
        if id(root) in self._tabled:
            return
        self._tabled.add(id(root))
        parts = [[path, type(m).__name__, _settings(m)] for path, m in root.named_modules() if not m._modules]
        self._session.write({"k": "model", "i": self._session.now, "name": label, "class": type(root).__name__,
                             "training": root.training, "parts": parts[:400], "calls": self._calls(root),
                             "used": any(id(m) in self.called for m in root.modules())})  # fmt: skip

    def _calls(self, root: nn.Module) -> dict[str, int]:
        """Path of each part -> the line that called it first."""
        found = ((path, self.called.get(id(m))) for path, m in root.named_modules() if path)
        return {path: site for path, site in found if site is not None}

    def _roots(self, held: set[int]) -> list[tuple[str, nn.Module]]:
        modules = [o for o in gc.get_objects() if issubclass(type(o), nn.Module)]
        children = {id(c) for m in modules for c in m._modules.values() if c is not None}
        labels = _variables(self._session.sites)
        used = []
        for module in modules:
            if id(module) in children or is_torchs(module):
                continue
            if any(id(m) in self.called for m in module.modules()) or any(
                id(p) in held for p in module.parameters()
            ):
                used.append((labels.get(id(module)) or type(module).__name__, module))
        return [(label, module) for label, module in used if any(True for _ in module.parameters())]

    def _name_root(self, prefix: str, root: nn.Module) -> None:
        for path, module in root.named_modules():
            self._modules.setdefault(id(module), (prefix + path).rstrip(".") or type(root).__name__)
            for name, parameter in module.named_parameters(recurse=False):
                full = f"{prefix}{path}.{name}" if path else f"{prefix}{name}"
                self._names.setdefault(id(parameter), full)
                self._owners.setdefault(id(parameter), module)

    def _record(self, optimizers: Held, loose: Sequence[torch.Tensor]) -> None:
        holders: dict[int, list[int]] = {}
        for number, group in optimizers.items():
            for parameter in group:
                holders.setdefault(id(parameter), []).append(number)
        fresh = [p for p in self._all([*optimizers.values(), list(loose)]) if id(p) not in self._index]
        later = {
            self._index[k]: v for k, v in holders.items() if k in self._index and v != self._holders.get(k)
        }
        if later:
            self._session.write({"k": "holders", "i": self._session.now, "opt": later})
        self._holders.update(holders)
        bare = {id(p) for p in loose}
        rows = [self._row(p, holders.get(id(p), []), id(p) in bare) for p in fresh]
        self.trainable = [p for p in self._held if p.requires_grad]
        if any(not p.requires_grad for p in fresh):
            place = written_at(self._session.sites, FREEZING)
            if place is not None:
                self._session.place("freeze", place)
        if rows:
            self._session.write({"k": "params", "i": self._session.now, "rows": rows})

    def _all(self, groups: list[list[torch.Tensor]]) -> Iterator[torch.Tensor]:
        seen: set[int] = set()
        owned = (p for m in self._owners.values() for p in m.parameters(recurse=False))
        for parameter in (*owned, *(p for group in groups for p in group)):
            if id(parameter) in self._names and id(parameter) not in seen:
                seen.add(id(parameter))
                yield parameter

    def _row(self, parameter: torch.Tensor, holders: list[int], bare: bool) -> dict[str, Any]:
        number = self._index[id(parameter)] = len(self._index)
        self._held.append(parameter)  # keeps the id from being reused
        owner = self._owners.get(id(parameter))
        values = sample(parameter).float()
        return {
            "id": number, "name": self._names[id(parameter)], "shape": list(parameter.shape),
            "dtype": str(parameter.dtype)[6:], "grad": parameter.requires_grad, "opt": holders,
            "module": type(owner).__name__ if owner is not None else None,
            "used": bare or (owner is not None and id(owner) in self.called), "loaded": id(parameter) in self.loaded,
            "init": self.initialised.get(id(parameter)), "drawn": self._still_drawn(parameter),
            "mean": float(values.mean()) if values.numel() else 0.0,
            "std": float(values.std(correction=0)) if values.numel() else 0.0,
            "largest": float(values.abs().max()) if values.numel() else 0.0, "numel": local(parameter).numel(),
        }  # fmt: skip


def _beginning(tensor: torch.Tensor) -> list[float]:
    return [float(v) for v in local(tensor.detach()).reshape(-1)[:BEGINNING].float().tolist()]


def _settings(module: nn.Module) -> dict[str, Any]:
    """Plain constructor settings of a leaf module (``p``, ``momentum``, ``in_features``, ...)."""
    plain = vars(module).items()
    return {
        k: v for k, v in plain if k[0] != "_" and k != "training" and isinstance(v, (bool, int, float, str))
    }


def _scopes(sites: Sites) -> Iterator[dict[str, Any]]:
    """Variables of the user's frames on the stack, innermost first, then the script's globals."""
    for frame in sites.frames():
        yield dict(frame.f_locals)
        if frame.f_code.co_name == "<module>":
            yield dict(frame.f_globals)
    yield dict(vars(sys.modules["__main__"]))


def _variables(sites: Sites) -> dict[int, str]:
    """id -> variable name of the modules that user variables (or attributes of ``self``) refer to."""
    found: dict[int, str] = {}
    for scope in _scopes(sites):
        for name, value in scope.items():
            if issubclass(type(value), nn.Module):
                found.setdefault(id(value), name)
        for name, value in getattr(scope.get("self"), "__dict__", {}).items():
            if issubclass(type(value), nn.Module):
                found.setdefault(id(value), name)
    return found


def _variable(tensor: torch.Tensor, sites: Sites) -> str | None:
    """Name of the user variable (or of the list that holds it) of a bare tensor."""
    for scope in _scopes(sites):
        for name, value in scope.items():
            if value is tensor and not name.startswith("_"):
                return name
            held = _items(value)
            position = next((key for key, item in held if item is tensor), None)
            if position is not None:
                return f"{name}[{position!r}]"
    return None


def _items(value: Any) -> Iterable[tuple[Any, Any]]:
    """Positions (or keys) and items of a plain collection of few items."""
    if not isinstance(value, (list, tuple, dict)) or len(value) >= FEW:
        return ()
    return list(value.items()) if isinstance(value, dict) else enumerate(value)
