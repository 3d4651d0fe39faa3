"""Floating-point formats used in training: range, spacing, and rounding to nearest.

All figures follow from the bit layout (IEEE 754-2019 for fp16/fp32; Google's bfloat16; OCP "8-bit
Floating Point Specification" 1.0, 2023, for E4M3 and E5M2; OCP "Microscaling Formats (MX)" 1.0, 2023,
for FP6, FP4 and the 32-element blocks; NVIDIA's NVFP4 uses blocks of 16 with an E4M3 scale).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from lossdoctor.errors import BadArgument


@dataclass(frozen=True, slots=True)
class FloatFormat:
    """One scalar format. ``bits`` is what one stored element takes; magnitudes are absolute values."""

    name: str
    bits: int
    exponent_bits: int
    mantissa_bits: int
    smallest_exponent: int
    largest: float

    @property
    def epsilon(self) -> float:
        """Spacing just above 1, relative to 1."""
        return 2.0**-self.mantissa_bits

    @property
    def smallest_normal(self) -> float:
        return 2.0**self.smallest_exponent

    @property
    def smallest_subnormal(self) -> float:
        """Smallest positive value; anything at or below half of it rounds to zero."""
        return 2.0 ** (self.smallest_exponent - self.mantissa_bits)


@dataclass(frozen=True, slots=True)
class BlockFormat:
    """Elements of a small format that share one scale per ``block`` consecutive values."""

    name: str
    element: str
    block: int
    scale_bits: int

    @property
    def bits_per_value(self) -> float:
        """Storage per value, the scale's share included."""
        return FORMATS[self.element].bits + self.scale_bits / self.block


def _ieee(name: str, exponent_bits: int, mantissa_bits: int, bits: int | None = None) -> FloatFormat:
    """A format that reserves its top exponent for infinity and NaN, as IEEE 754 does."""
    bias = 2 ** (exponent_bits - 1) - 1
    largest = (2 - 2.0**-mantissa_bits) * 2.0**bias
    total = bits or 1 + exponent_bits + mantissa_bits
    return FloatFormat(name, total, exponent_bits, mantissa_bits, 1 - bias, largest)


FORMATS: dict[str, FloatFormat] = {
    item.name: item
    for item in (
        _ieee("fp32", 8, 23),
        _ieee("tf32", 8, 10, bits=32),  # a rounding mode of matrix units: stored as fp32
        _ieee("bf16", 8, 7),
        _ieee("fp16", 5, 10),
        _ieee("fp8_e5m2", 5, 2),
        # The OCP small formats give their top exponent to finite values: no infinity.
        FloatFormat("fp8_e4m3", 8, 4, 3, -6, 448.0),
        FloatFormat("fp6_e3m2", 6, 3, 2, -2, 28.0),
        FloatFormat("fp6_e2m3", 6, 2, 3, 0, 7.5),
        FloatFormat("fp4_e2m1", 4, 2, 1, 0, 6.0),
    )
}

BLOCK_FORMATS: dict[str, BlockFormat] = {
    item.name: item
    for item in (
        BlockFormat("mxfp8", "fp8_e4m3", 32, 8),
        BlockFormat("mxfp6", "fp6_e3m2", 32, 8),
        BlockFormat("mxfp4", "fp4_e2m1", 32, 8),
        BlockFormat("nvfp4", "fp4_e2m1", 16, 8),
    )
}

_ALIASES = {"float32": "fp32", "float": "fp32", "bfloat16": "bf16", "float16": "fp16", "half": "fp16"}


def float_format(name: str) -> FloatFormat:
    """Look a format up by name; torch's dtype names (``float16``, ``torch.bfloat16``) work too."""
    short = name.removeprefix("torch.")
    found = FORMATS.get(_ALIASES.get(short, short))
    if found is None:
        raise BadArgument(f"unknown float format {name[:40]!r}", hint=f"use one of {', '.join(FORMATS)}")
    return found


def ulp(value: float, name: str) -> float:
    """Distance from ``|value|`` to the next larger number of the format (its unit in the last place)."""
    kind = float_format(name)
    if not math.isfinite(value):
        raise BadArgument("the spacing of a non-finite value is undefined", hint="pass a finite number")
    exponent = math.frexp(abs(value))[1] - 1 if value else kind.smallest_exponent
    return math.ldexp(1.0, max(exponent, kind.smallest_exponent) - kind.mantissa_bits)


def round_to(value: float, name: str) -> float:
    """Round to the nearest number of the format, ties to even; overflow gives infinity.

    Formats without infinity saturate or give NaN in hardware; here they give infinity as well, so that
    an overflow is never mistaken for a value.
    """
    kind = float_format(name)
    if value == 0 or not math.isfinite(value):
        return value
    step = ulp(value, name)
    rounded = round(value / step) * step  # Python's round() is ties-to-even and exact here
    return math.copysign(math.inf, value) if abs(rounded) > kind.largest else rounded
