"""Checkpoints in the format of safetensors, which a library of its own reads: seen when it is asked to open one.

The format is an eight-byte length, a JSON header with type, shape and place of each tensor, then their bytes
(huggingface/safetensors, "Format").
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from types import ModuleType
from typing import Any

import torch

LIBRARY, OPENER = "safetensors", "safe_open"
TYPES = {"F64": torch.float64, "F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}
LONGEST = 100_000_000  # bytes of a header, as the library itself allows


class AfterImport(importlib.abc.MetaPathFinder):
    """Calls back with a module right after it was imported, before others can take names from it."""

    def __init__(self, name: str, then: Callable[[ModuleType], None]) -> None:
        self.name, self.then = name, then

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> Any:
        if fullname != self.name:
            return None
        sys.meta_path.remove(self)
        spec = importlib.machinery.PathFinder.find_spec(fullname, path)
        if spec is None or spec.loader is None:
            return None
        execute = spec.loader.exec_module

        def executed(module: ModuleType) -> None:
            execute(module)
            self.then(module)

        spec.loader.exec_module = executed  # type: ignore[method-assign]
        return spec


def on_opening(heard: Callable[[str], None]) -> None:
    """Call ``heard`` with the path of each such file that is opened for torch, after it was opened."""

    def wrapped(module: ModuleType) -> None:
        original = getattr(module, OPENER, None)
        if original is None:
            return

        def safe_open(filename: Any, *args: Any, **kwargs: Any) -> Any:
            opened = original(filename, *args, **kwargs)
            heard(str(filename))
            return opened

        setattr(module, OPENER, safe_open)

    if LIBRARY in sys.modules:
        wrapped(sys.modules[LIBRARY])
    else:
        sys.meta_path.insert(0, AfterImport(LIBRARY, wrapped))


def tensors_of(
    path: str, most: int, first: int | None = None
) -> Iterator[tuple[str, tuple[int, ...], torch.Tensor]]:
    """Name, shape and values (all, or the ``first`` ones) of up to ``most`` floating-point tensors of a file."""
    with open(path, "rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if not 0 < length <= LONGEST:
            return
        header: dict[str, Any] = json.loads(file.read(length))
        named = [(name, entry) for name, entry in header.items() if entry.get("dtype") in TYPES]
        for name, entry in named[:most]:
            dtype, (start, end) = TYPES[entry["dtype"]], entry["data_offsets"]
            size = end - start if first is None else min(end - start, first * dtype.itemsize)
            file.seek(8 + length + start)
            held = bytearray(file.read(size))
            if len(held) >= dtype.itemsize:
                yield name, tuple(entry["shape"]), torch.frombuffer(held, dtype=dtype)
