"""Results as JSON that every parser takes: no NaN, no control characters, no idle nulls."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from .untrusted import visible

_TELLING_NULLS = {"verified"}  # null says "not tried", which is not the same as no word about it


def wire_dict(result: Mapping[str, Any]) -> dict[str, Any]:
    """A dumped result for the wire. Top-level fields always stay, nested ones that are null are left out."""
    return {key: plain(item) for key, item in result.items()}


def wire_json(result: BaseModel, indent: int | None = None) -> str:
    """A result as JSON text, compact unless ``indent`` is given."""
    separators = (",", ":") if indent is None else (",", ": ")
    wire = wire_dict(result.model_dump(mode="json"))
    return json.dumps(wire, ensure_ascii=False, separators=separators, indent=indent, allow_nan=False)


def plain(value: Any) -> Any:
    """``value`` with nulls dropped from mappings, text made visible, and NaN or infinity as strings.

    JSON has neither NaN nor Infinity (RFC 8259, section 6).
    """
    if isinstance(value, Mapping):
        return {k: plain(item) for k, item in value.items() if item is not None or k in _TELLING_NULLS}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else ("Infinity" if value > 0 else "-Infinity")
    return value
