"""Bounded statistics of tensors: what a batch, an output or a weight looks like, without copying it."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

import torch

HALF = (torch.float16, torch.bfloat16)
IGNORED = -100  # torch's default for ``ignore_index``

SAMPLE = 8192
MAX_CLASSES = 64
MAX_BLANK = 65536  # elements of measurements whose ends are looked at


def local(tensor: torch.Tensor) -> torch.Tensor:
    """The plain local tensor behind a distributed or sparse one."""
    tensor = tensor.detach()
    tensor = getattr(tensor, "_local_tensor", tensor)
    return tensor.coalesce().values() if tensor.is_sparse else tensor


def sample(tensor: torch.Tensor, size: int = SAMPLE) -> torch.Tensor:
    """At most about ``size`` elements, evenly strided, as a flat view or copy without gradient."""
    flat = local(tensor).reshape(-1)
    return flat[:: -(-flat.numel() // size)] if flat.numel() > size else flat


def describe(tensor: torch.Tensor) -> dict[str, Any]:
    """Shape, dtype and, from a strided sample: min, max, mean, std, share of zeros and of non-finite values.

    Integer tensors with few distinct values also get a histogram (``hist``: value -> count over the whole
    tensor when it has at most 65,536 elements), floats that are all whole numbers the number of different ones
    (``whole``). Two-dimensional integer tensors get the share of their elements that belong to a run of the
    commonest last value at the end of a row (``trail``: value and share), which is what padding is; measurements
    (N, T, F) the share of positions at row ends that are zero in all features (``blank``), where rows differ in that.
    """
    row: dict[str, Any] = {"shape": list(tensor.shape), "dtype": str(tensor.dtype)[6:]}
    if not tensor.numel() or tensor.is_complex() or tensor.device.type == "meta":
        return row
    if tensor.is_floating_point():
        ends = blank(local(tensor)) if tensor.dim() == 3 and tensor.numel() <= MAX_BLANK else 0.0
        return row | _float_stats(sample(tensor).float()) | ({"blank": ends} if ends else {})
    return row | _integer_stats(tensor)


def _float_stats(values: torch.Tensor) -> dict[str, Any]:
    finite = torch.isfinite(values)
    good = values if bool(finite.all()) else values[finite]
    row: dict[str, Any] = {"bad": 1.0 - good.numel() / values.numel()}
    if good.numel():
        low, high = torch.aminmax(good)
        std = good.std(correction=0)
        numbers = torch.stack([low, high, good.mean(), std, (good == 0).float().mean()]).tolist()
        row |= dict(zip(("min", "max", "mean", "std", "zeros"), numbers, strict=True))
        if bool((good == good.round()).all()):
            row["whole"] = torch.unique(good).numel()
    return row


def _integer_stats(tensor: torch.Tensor) -> dict[str, Any]:
    values = local(tensor).reshape(-1)
    values = values if values.numel() <= 65536 else sample(values, 65536)
    distinct, counts = torch.unique(values.long(), return_counts=True)
    row: dict[str, Any] = {"min": int(distinct[0]), "max": int(distinct[-1]), "distinct": distinct.numel()}
    if distinct.numel() <= MAX_CLASSES:
        row["hist"] = {str(v): c for v, c in zip(distinct.tolist(), counts.tolist(), strict=True)}
    if tensor.dim() == 2 and tensor.shape[1] > 1 and tensor.numel() <= 65536 and tensor.dtype != torch.bool:
        row["trail"] = trailing(local(tensor))
    return row


def trailing(rows: torch.Tensor) -> list[float]:
    """[value, share]: the commonest value of the last column and the share of elements in its runs at row ends."""
    value = rows[:, -1].mode().values
    return [int(value), round(float(filled(rows, value).sum()) / rows.numel(), 4)]


def blank(rows: torch.Tensor) -> float:
    """(N, T, F): the share of positions that are zero in all features to the end of their row; 0 where all rows have as
    many.
    """
    ends = padded(rows)
    return (
        round(float(ends.sum()) / (rows.shape[0] * rows.shape[1]), 4)
        if bool((ends != ends[0]).any())
        else 0.0
    )


def padded(rows: torch.Tensor) -> torch.Tensor:
    """(N, T) integers or (N, T, F) measurements -> (N,): how many positions only fill each row up: those at its end
    that hold the commonest last value, or zeros in all features.
    """
    return filled((rows != 0).any(2), False) if rows.is_floating_point() else filled(rows, trailing(rows)[0])


def filled(rows: torch.Tensor, value: Any) -> torch.Tensor:
    """(N, T, ...) -> (N, ...): how many times in a row each row ends with this value."""
    counts: torch.Tensor = (rows == value).flip(1).long().cumprod(1).sum(1)
    return counts


def describe_tree(value: Any, depth: int = 0) -> list[dict[str, Any]]:
    """Describe every tensor of a nested batch, at most eight, each with its ``path``."""
    return [{"path": path, **describe(t)} for path, t in tensors(value)][:8]


def single_axis(axis: Any) -> int | None:
    """The axis that a reduction was told, by itself or in a tuple of one; None for several or none."""
    axis = axis[0] if isinstance(axis, (tuple, list)) and len(axis) == 1 else axis
    return axis if isinstance(axis, int) else None


def wide(tensor: torch.Tensor) -> torch.Tensor:
    """In double precision, where the device has it: Apple's has none."""
    return tensor.float() if tensor.device.type == "mps" else tensor.double()


def tensors(value: Any, path: str = "", depth: int = 0) -> list[tuple[str, torch.Tensor]]:
    """The tensors of nested dicts, lists, tuples, mapping-like batches and records (dataclasses, or plain objects with
    attributes), with their paths.
    """
    if issubclass(type(value), torch.Tensor):
        return [(path, value)]
    if depth > 3:
        return []
    if isinstance(value, dict) or (hasattr(value, "items") and hasattr(value, "keys")):
        items = [(str(k), v) for k, v in list(value.items())[:16]]
    elif isinstance(value, (list, tuple)):
        items = [(str(i), v) for i, v in enumerate(value[:16])]
    else:
        items = _attributes(value)
    return [found for k, v in items for found in tensors(v, f"{path}.{k}" if path else k, depth + 1)]


def _attributes(value: Any) -> list[tuple[str, Any]]:
    """The fields of a record; none of what has behaviour of its own (modules, functions, objects of torch)."""
    kind = type(value)
    if (
        isinstance(value, type)
        or callable(value)
        or kind.__module__.partition(".")[0] in ("torch", "builtins")
    ):
        return []
    if is_dataclass(value):
        return [(f.name, getattr(value, f.name, None)) for f in fields(value)[:16]]
    return list(getattr(value, "__dict__", {}).items())[:16]


def fingerprint(tensor: torch.Tensor) -> float:
    """A cheap order-sensitive number that differs for different contents (with probability near one)."""
    values = sample(tensor, 512).cpu().double()
    weights = torch.arange(1, values.numel() + 1, dtype=torch.float64).sqrt()
    return float((torch.nan_to_num(values) * weights).sum())
