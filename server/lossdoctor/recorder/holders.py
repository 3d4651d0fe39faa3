"""Under which attribute or variable something is kept, and on which line of the user's code that was written."""

from __future__ import annotations

import linecache
import re
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

import torch
from torch import nn

from .sites import Site, Sites

MAX_ITEMS = 512
MOST_OPERATIONS = 6  # between a leaf and the tensor that is kept in its place
MAX_LINES = 400
JOINING = r"(cat|concat|concatenate|[hvdr]?stack|append|pad)"
CAPACITY = re.compile(r"capacity|maxlen|max_|size|limit", re.IGNORECASE)
OWN = frozenset({"_parameters", "_buffers", "_modules"})


def attribute_of(modules: Iterable[nn.Module], wanted: object) -> tuple[nn.Module, str] | None:
    """The module and the plain attribute (itself, or a list, tuple or dict in it) that holds an object."""
    for module in modules:
        for name, value in vars(module).items():
            if name not in OWN and _holds(value, wanted):
                return module, name
    return None


def assigned_at(module: nn.Module, name: str) -> Site | None:
    """The first line of the class's ``__init__`` that assigns ``self.<name>``."""
    code = getattr(type(module).__init__, "__code__", None)
    if code is None:
        return None
    pattern = re.compile(rf"\bself\.{re.escape(name)}\b[^=(]*(=|\.append\()")
    return _search(code.co_filename, code.co_firstlineno, pattern)


PLAIN = r"(\.item\(|\.detach\(|\.tolist\(|\bfloat\()"  # what these give has no graph


def grown_at(sites: Sites, name: str) -> Site | None:
    """A line of the user's running files that adds to the variable or attribute ``name``, if possible a value that may
    have a history.
    """
    word = re.escape(name)
    part = r"(\[[^]]*\]|\.setdefault\(.*\))?"
    added = rf"\b{word}[\"']?\]?{part}\s*(\+=|\.append\(|\.extend\(|\.add\()"
    return written_at(sites, rf"{added}(?!.*{PLAIN})|\b{word}\s*=(?!.*{PLAIN}).*\b{word}\b", added)


def enlarged_at(sites: Sites, name: str) -> Site | None:
    """A line of the user's running files that puts something together with the tensor ``name`` and keeps it as that."""
    word = re.escape(name)
    return written_at(sites, rf"\b{word}\s*=.*\b{JOINING}\(.*\b{word}\b")


def written_at(sites: Sites, *patterns: str) -> Site | None:
    """The first line of the user's running files that matches the first of the patterns that occurs in them."""
    files = _files(sites)
    found = (_search(file, 1, re.compile(pattern), 5000) for pattern in patterns for file in files)
    return next((site for site in found if site is not None), None)


def _files(sites: Sites) -> list[str]:
    """The user's files that are running, innermost first, then those that are imported."""
    running = [f.f_code.co_filename for f in sites.frames() if sites.in_project(f.f_code.co_filename)]
    return list(dict.fromkeys([*running, *sites.imported()]))


def below(place: Site, pattern: str, lines: int = 40) -> Site | None:
    """The first of the next lines that matches."""
    return _search(*place, re.compile(pattern), lines)


def kept(sites: Sites) -> Iterator[tuple[str, list[Any]]]:
    """User variables, and attributes of user objects on the stack, with what they hold (containers: their items)."""
    for scope in _scopes(sites):
        for name, value in scope.items():
            if not name.startswith("__"):
                yield from _entries(value)
                yield name, _flat(value)
                yield from ((inner, _flat(item)) for inner, item in _attributes(value))


Store = tuple[str, int, int]  # name, how many items it holds, how many at most


def stores(sites: Sites) -> list[Store]:
    """Containers with a bound: deques, and lists in an object that has a number at least as large beside them."""
    named = [pair for scope in _scopes(sites) for pair in scope.items()]
    insides = [vars(value) for _, value in named if hasattr(value, "__dict__") and not _is_foreign(value)]
    found: dict[str, Store] = {}
    for beside, pairs in (({}, named), *((inside, list(inside.items())) for inside in insides)):
        bounds = ((key, item, _bound(item, beside)) for key, item in pairs)
        found |= {key: (key, len(item), limit) for key, item, limit in bounds if limit is not None}
    return list(found.values())


def _bound(item: Any, beside: dict[str, Any]) -> int | None:
    if isinstance(item, deque):
        return item.maxlen
    numbers = [v for k, v in beside.items() if type(v) is int and CAPACITY.search(k)]
    return max(numbers) if isinstance(item, list) and numbers and max(numbers) >= len(item) else None


def single_tensors(sites: Sites, roots: Iterable[nn.Module]) -> Iterator[tuple[str, torch.Tensor]]:
    """Tensors that a variable, or an attribute of a module or of an object in one, holds by itself; no parameters."""
    modules = [m for root in roots for m in root.modules()]
    inside = [vars(m) | m._buffers for m in modules]
    inside += [
        vars(v) for m in modules for v in vars(m).values() if hasattr(v, "__dict__") and not _is_foreign(v)
    ]
    for scope in (*_scopes(sites), *inside):
        for name, value in scope.items():
            if issubclass(type(value), torch.Tensor) and not issubclass(type(value), nn.Parameter):
                yield name, value


def _entries(value: Any) -> Iterator[tuple[str, list[Any]]]:
    """Lists under the keys of a dictionary, by key."""
    found = value.items() if type(value) is dict else ()
    yield from (
        (k, _items(v))
        for k, v in list(found)[-MAX_ITEMS:]
        if isinstance(k, str) and isinstance(v, (list, deque))
    )


def _flat(value: Any) -> list[Any]:
    """The items of a container, and those of containers in it."""
    return [x for part in _items(value) for x in _items(part)]


def _attributes(value: Any) -> list[tuple[str, Any]]:
    """Attributes of a plain object of the user's (a history, a meter) that are lists, or a tensor with a history."""
    if _is_foreign(value):
        return []
    return [(k, v) for k, v in getattr(value, "__dict__", {}).items() if _may_keep(v)]


def _may_keep(value: Any) -> bool:
    if isinstance(value, (dict, list, deque)):
        return True
    return issubclass(type(value), torch.Tensor) and value.grad_fn is not None


def _is_foreign(value: Any) -> bool:
    """Whether a value is no plain object of the user's own making."""
    foreign = type(value).__module__.split(".")[0] in ("builtins", "torch", "numpy")
    return foreign or isinstance(value, (nn.Module, type))


def _items(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())[-MAX_ITEMS:]
    return list(value)[-MAX_ITEMS:] if isinstance(value, (list, tuple, deque)) else [value]


def _holds(value: Any, wanted: object, depth: int = 0) -> bool:
    if value is wanted or _made_from(value, wanted):
        return True
    if depth == 2 or not isinstance(value, (list, tuple, dict)):
        return False
    items = list(value.values()) if isinstance(value, dict) else list(value)
    return any(_holds(item, wanted, depth + 1) for item in items[-MAX_ITEMS:])


def _made_from(value: Any, leaf: object) -> bool:
    """Whether a tensor was computed from this leaf in a few operations of one operand each (``Parameter(...).t()``)."""
    if not issubclass(type(value), torch.Tensor) or value.is_leaf:
        return False
    node = value.grad_fn
    for _ in range(MOST_OPERATIONS):
        if node is None or len(node.next_functions) != 1:
            break
        node = node.next_functions[0][0]
    return node is not None and getattr(node, "variable", None) is leaf


def _search(file: str, start: int, pattern: re.Pattern[str], limit: int = MAX_LINES) -> Site | None:
    lines = linecache.getlines(file)[start - 1 : start - 1 + limit]
    return next(((file, start + k) for k, line in enumerate(lines) if pattern.search(line)), None)


def _scopes(sites: Sites) -> Iterator[dict[str, Any]]:
    for frame in sites.frames():
        yield dict(frame.f_locals)
        yield dict(getattr(frame.f_locals.get("self"), "__dict__", {}))
    yield dict(vars(sys.modules["__main__"]))
