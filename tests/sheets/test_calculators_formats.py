"""Formats against torch's own finfo and casts, and against enumerated code points for those torch lacks."""

from __future__ import annotations

import math

import pytest

from lossdoctor.errors import BadArgument
from lossdoctor.sheetbook.calculators import (
    BLOCK_FORMATS,
    FORMATS,
    check_stall,
    float_format,
    round_to,
    stall_band,
    ulp,
)

torch = pytest.importorskip("torch")
DTYPES = {
    "fp32": torch.float32,
    "bf16": torch.bfloat16,
    "fp16": torch.float16,
    "fp8_e5m2": torch.float8_e5m2,
    "fp8_e4m3": torch.float8_e4m3fn,
}


@pytest.mark.parametrize("name", DTYPES)
def test_ranges_are_those_torch_reports(name: str) -> None:
    ours, theirs = FORMATS[name], torch.finfo(DTYPES[name])
    assert (ours.largest, ours.epsilon, ours.bits) == (theirs.max, theirs.eps, theirs.bits)
    assert (ours.smallest_normal, ours.smallest_subnormal) == (
        theirs.smallest_normal,
        theirs.tiny * theirs.eps,
    )


def _values(exponent_bits: int, mantissa_bits: int, bias: int) -> list[float]:
    """All non-negative values of a format whose every code point is finite."""
    found = []
    for code in range(2 ** (exponent_bits + mantissa_bits)):
        exponent, fraction = divmod(code, 2**mantissa_bits)
        lead = 1.0 if exponent else 0.0
        found.append((lead + fraction / 2**mantissa_bits) * 2.0 ** (max(exponent, 1) - bias))
    return found


@pytest.mark.parametrize(
    ("name", "layout"), [("fp4_e2m1", (2, 1, 1)), ("fp6_e2m3", (2, 3, 1)), ("fp6_e3m2", (3, 2, 3))]
)
def test_small_formats_agree_with_their_enumerated_code_points(
    name: str, layout: tuple[int, int, int]
) -> None:
    values = _values(*layout)
    assert FORMATS[name].largest == values[-1]
    assert FORMATS[name].smallest_subnormal == values[1]
    assert [round_to(value, name) for value in values] == values
    middle = (values[-2] + values[-1]) / 2 * 0.999
    assert round_to(middle, name) == values[-2]


@pytest.mark.parametrize("name", ["bf16", "fp16", "fp8_e5m2", "fp8_e4m3"])
def test_rounding_agrees_with_a_torch_cast(name: str) -> None:
    generator = torch.Generator().manual_seed(0)
    sizes = torch.randn(500, generator=generator, dtype=torch.float64)
    values = (sizes * 2.0 ** torch.randint(-18, 6, (500,), generator=generator)).float()
    cast = values.to(DTYPES[name]).double().tolist()
    assert [round_to(value, name) for value in values.tolist()] == cast


def test_overflow_is_infinite_and_never_a_value() -> None:
    assert round_to(70000.0, "fp16") == math.inf
    assert round_to(-70000.0, "torch.float16") == -math.inf
    assert round_to(65519.0, "fp16") == 65504.0


def test_block_formats_cost_their_scale_too() -> None:
    cost = {name: kind.bits_per_value for name, kind in BLOCK_FORMATS.items()}
    assert cost == {"mxfp8": 8.25, "mxfp6": 6.25, "mxfp4": 4.25, "nvfp4": 4.5}


@pytest.mark.parametrize("name", ["bf16", "fp16", "fp32"])
@pytest.mark.parametrize("weight", [1.0, 0.7, -0.031, 3.999])
@pytest.mark.parametrize("share", [1e-8, 1e-5, 4e-4, 3e-3, 0.02])
def test_a_stall_is_what_torch_addition_shows(name: str, weight: float, share: float) -> None:
    stored = torch.tensor(weight, dtype=DTYPES[name])
    # added in double and rounded once: that is what an optimizer's fused update does
    sums = [(stored.double() + sign * abs(weight) * share).to(DTYPES[name]) for sign in (1, -1)]
    moved = [bool(value != stored) for value in sums]
    check = check_stall(weight, abs(weight) * share, name)
    assert check.stalls == (not any(moved))
    assert check.one_sided == (sum(moved) == 1)


def test_the_stall_band_of_bf16_contains_a_third_of_a_percent() -> None:
    low, high = stall_band("bf16")
    assert (low, high) == (2**-9, 2**-8)
    for weight in (0.011, 0.5, 1.37, 300.0):
        assert check_stall(weight, weight * low * 0.98, "bf16").stalls
        assert not check_stall(weight, weight * high * 1.02, "bf16").stalls


def test_the_spacing_at_one_is_epsilon_and_zero_has_the_subnormal_one() -> None:
    assert ulp(1.0, "bf16") == float_format("bfloat16").epsilon
    assert ulp(0.0, "fp16") == 2.0**-24
    assert check_stall(0.0, 1e-9, "fp16").stalls


def test_unknown_formats_and_infinite_weights_are_refused() -> None:
    with pytest.raises(BadArgument, match="unknown float format"):
        float_format("fp12")
    with pytest.raises(BadArgument, match="non-finite"):
        ulp(math.inf, "fp16")
