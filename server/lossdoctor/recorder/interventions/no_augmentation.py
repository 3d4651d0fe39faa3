"""Random transforms hand out what they were given.

Recognised by name: classes ``Random...``, ``Color...``, ``Gaussian...``, ``AutoAugment`` and the like of torchvision
or of the user's own modules, and functions ``augment...``, ``random_...``, ``jitter...``, ``mixup``, ``cutmix``,
``cutout`` of the user's modules; with ``drawn`` also by what they do: the user's functions, and methods outside of the
model, that draw random numbers (only where answers are classes: noise may be the task itself). So are functions that
another one made, and lambdas in a list of steps. The transform runs all the same, so that random streams stay as they
were; its result is exchanged for its input where both are of one kind (type, shape, number type). So a random crop that
changes the size stays. Not reached: augmentation written out inside ``__getitem__`` or a loop, and workers that are
spawned.
"""

from __future__ import annotations

import copy
import gc
import re
import sys
from collections.abc import Callable, Iterator
from types import FunctionType, ModuleType
from typing import Any

import torch
from torch import nn
from torch.utils.data import DataLoader

from ..draws import DRAWS
from ..patching import wrap
from ..session import Session

CLASSES = re.compile(
    r"Random|Color|Gaussian|AutoAugment|RandAugment|TrivialAugment|AugMix|Elastic|Jitter|Augment"
)
FUNCTIONS = re.compile(r"_?(augment|random_|rand_|jitter|mixup|cutmix|cutout|add_noise)")
NOTHING: frozenset[str] = frozenset()
SCANS = 5  # before the first step: everything that transforms is made by then
REPLACED: list[Any] = []


def apply(session: Session, drawn: bool = False) -> None:
    done: set[int] = set()
    scans = iter(range(SCANS))

    def scan(*_: Any) -> None:
        if session.steps > 0 or next(scans, None) is None:
            return
        unnamed = _unnamed()
        for module in list(sys.modules.values()):
            if _is_searched(session, module):
                _neutralise(module, unnamed.get(id(vars(module)), []), DRAWS if drawn else NOTHING, done)

    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def __iter__(this: DataLoader[Any]) -> Any:
            if session.here():
                scan()
            return original(this)

        return __iter__

    wrap(DataLoader, "__iter__", make)
    session.parts.forwards.before_forward.append(scan)


def _is_searched(session: Session, module: Any) -> bool:
    if not isinstance(module, ModuleType):
        return False
    if module.__name__.startswith("torchvision.transforms"):
        return True
    path = getattr(module, "__file__", None)
    return bool(path) and session.sites.is_user_file(str(path))


def _unnamed() -> dict[int, list[FunctionType]]:
    """Functions that stand under no name of a module (made by another one, or lambdas in a list), by their globals."""
    found: dict[int, list[FunctionType]] = {}
    for function in gc.get_objects():
        if type(function) is not FunctionType:
            continue
        if "<locals>" in function.__qualname__ or function.__name__ == "<lambda>":
            found.setdefault(id(function.__globals__), []).append(function)
    return found


def _neutralise(
    module: ModuleType, unnamed: list[FunctionType], draws: frozenset[str], done: set[int]
) -> None:
    made = [(module, f) for f in unnamed if FUNCTIONS.match(f.__qualname__) or _draws(f, draws)]
    for owner, function in [*_candidates(module, draws), *made]:
        if id(function) in done:
            continue
        done.add(id(function))
        _redirect(function, _same(_copy(function), skip=0 if owner is module else 1))


def _copy(function: FunctionType) -> FunctionType:
    given = function.__code__, function.__globals__, function.__name__, function.__defaults__
    twin = FunctionType(*given, function.__closure__)
    twin.__kwdefaults__ = function.__kwdefaults__
    return twin


def _redirect(function: FunctionType, replacement: Any) -> None:
    """Exchange the body, not the name: whoever holds the function already (a Compose, a dataset) is reached too."""
    REPLACED.append(replacement)
    body = f"__import__('sys').modules[{__name__!r}].REPLACED[{len(REPLACED) - 1}]"
    # a function takes over only code that closes over as many variables as its own
    held = "".join(f"cell{n}, " for n in range(len(function.__closure__ or ())))
    outer = f"lambda {held}: lambda *args, **kwargs: (({held}), {body}(*args, **kwargs))[1]"
    redirected = eval(outer)(*[None] * held.count(","))
    function.__code__ = redirected.__code__.replace(co_name=function.__name__)
    function.__defaults__ = function.__kwdefaults__ = None


def _candidates(module: ModuleType, draws: frozenset[str]) -> Iterator[tuple[Any, FunctionType]]:
    """(owner, function) of everything in a module that looks like a random transform."""
    for name, value in vars(module).items():
        if isinstance(value, FunctionType) and (FUNCTIONS.match(name) or _draws(value, draws)):
            yield module, value
        elif isinstance(value, type):
            methods = {k: v for k, v in vars(value).items() if isinstance(v, FunctionType)}
            call = "forward" if issubclass(value, nn.Module) else "__call__"
            if CLASSES.match(name) and call in methods:
                yield value, methods[call]
            own = NOTHING if issubclass(value, nn.Module) else draws
            yield from ((value, v) for k, v in methods.items() if FUNCTIONS.match(k) or _draws(v, own))


def _draws(function: FunctionType, names: frozenset[str]) -> bool:
    """Whether a function uses one of these names itself."""
    return not names.isdisjoint(function.__code__.co_names)


def _same(function: FunctionType, skip: int) -> Any:
    """``function``, handing back its first argument (or arguments) when the result is of the same kind."""

    def transform(*args: Any, **kwargs: Any) -> Any:
        given = [_kept(a) for a in args[skip:]]
        result = function(*args, **kwargs)
        if isinstance(result, tuple) and len(result) == len(given) > 1:
            alike = all(_kind(a) == _kind(b) for a, b in zip(given, result, strict=True))
            return tuple(given) if alike else result
        return given[0] if given and _kind(given[0]) == _kind(result) else result

    return transform


def _kept(value: Any) -> Any:
    return value.clone() if issubclass(type(value), torch.Tensor) else copy.copy(value)


def _kind(value: Any) -> tuple[Any, ...]:
    """What must agree for one value to stand in for another (tensors, arrays, PIL images)."""
    found = (getattr(value, name, None) for name in ("shape", "dtype", "size", "mode"))
    return (type(value), *(None if callable(item) else item for item in found))
