"""The numbers printed in the sheets are those the calculators give: neither may drift from the other."""

from __future__ import annotations

import pytest

from lossdoctor.sheetbook import read_sheet
from lossdoctor.sheetbook.calculators import (
    BLOCK_FORMATS,
    FORMATS,
    PEAK_TFLOPS,
    Transformer,
    bracket_cost,
    hyperband,
    plan_memory,
    random_trials,
    seeds_needed,
    stall_band,
    state_bytes_per_parameter,
    successive_halving,
    transformer_activations,
)

BATCH, SEARCH = "batch-size-and-memory-tradeoffs", "hyperparameter-tuning"
GIB = 2**30


def _text(sheet: str, section: str) -> str:
    """A section's words on one line, so that a number may stand anywhere in it."""
    return " ".join(read_sheet(sheet, section).text.split())


def _row(sheet: str, section: str, start: str) -> list[str]:
    """The cells after the first of the table row that begins with ``start``."""
    lines = read_sheet(sheet, section).text.splitlines()
    (line,) = [line for line in lines if line.startswith(f"| {start}")]
    return [cell.strip() for cell in line.strip("|").split("|")][1:]


@pytest.mark.parametrize(
    ("label", "stage"),
    [
        ("DDP", "ddp"),
        ("ZeRO-1", "zero1"),
        ("ZeRO-2", "zero2"),
        ("ZeRO-3", "zero3"),
        ("hybrid", "hybrid_shard"),
    ],
)
def test_the_sharding_table_is_the_memory_plan_of_its_caption(label: str, stage: str) -> None:
    totals = []
    for gpus in (8, 64):
        plan = plan_memory(7e9, precision="master_bf16", gpus=gpus, gradient_as_bucket_view=True)
        rows = {row.stage: row.total / GIB for row in plan.rows}
        totals.append(f"{rows.get(stage, rows['zero3']):.1f}")  # one node of eight: hybrid is full shard
    assert _row(BATCH, "sharding", label)[1:3] == totals


@pytest.mark.parametrize(
    ("label", "precision"),
    [("fp32, or", "fp32"), ("bf16, fp32 master", "master_bf16"), ("bf16, fp32 grad", "megatron_bf16"),
     ("pure bf16", "pure_bf16")],
)  # fmt: skip
def test_the_bytes_per_parameter_are_those_of_the_plan(label: str, precision: str) -> None:
    cells = [int(cell) for cell in _row(BATCH, "memory-math", label) if cell != "-"]
    assert cells[-1] == sum(cells[:-1]) == plan_memory(1e9, precision=precision).bytes_per_parameter


def test_the_optimizer_states_named_beside_it_are_the_calculators() -> None:
    text = _text(BATCH, "memory-math")
    for words, name in (
        ("momentum, Lion, Muon 4", "muon"),
        ("Schedule-Free 8", "schedule_free_adamw"),
        ("AdEMAMix 12", "ademamix"),
        ("Prodigy 16", "prodigy"),
        ("8-bit Adam 2.03", "adamw_8bit"),
    ):
        assert words in text
        assert float(words.split()[-1]) == round(state_bytes_per_parameter(name), 2)


def test_the_activation_rule_of_thumb_brackets_the_formula() -> None:
    for dropout, expected in ((False, 32), (True, 34)):
        shape = Transformer(hidden=1024, layers=1, heads=16, dropout=dropout)
        assert transformer_activations(shape, 2, 128) / (2 * 128 * 1024) == expected
    assert "32-34 bytes x tokens x width" in _text(BATCH, "memory-math")


@pytest.mark.parametrize("name", ["fp32", "bf16", "fp16"])
def test_the_format_table_follows_from_the_bit_layouts(name: str) -> None:
    kind = FORMATS[name]
    bits, largest, normal, spacing = _row(BATCH, "choosing-precision", f"{name} |")
    assert bits == f"{kind.exponent_bits}, {kind.mantissa_bits}"
    for printed, exact in ((largest, kind.largest), (normal, kind.smallest_normal), (spacing, kind.epsilon)):
        assert float(printed.replace(",", "")) == pytest.approx(exact, rel=0.03)


def test_the_small_formats_and_their_blocks_are_printed_as_computed() -> None:
    pairs = _row(BATCH, "choosing-precision", "fp8 E4M3 / E5M2")
    assert pairs[1] == f"{FORMATS['fp8_e4m3'].largest:.0f} / {FORMATS['fp8_e5m2'].largest:,.0f}"
    assert pairs[3] == f"{FORMATS['fp8_e4m3'].epsilon} / {FORMATS['fp8_e5m2'].epsilon}"
    bits = ", ".join(f"{BLOCK_FORMATS[name].bits_per_value:g}" for name in ("mxfp8", "mxfp6", "mxfp4"))
    assert f"({bits} bits each)" in _text(BATCH, "choosing-precision")
    assert f"({BLOCK_FORMATS['nvfp4'].bits_per_value} bits)" in _text(BATCH, "choosing-precision")


def test_the_stall_table_is_the_stall_band() -> None:
    for name, digits in (("bf16", 0.05), ("fp16", 0.003)):
        printed = [float(cell.strip(" %")) / 100 for cell in _row(BATCH, "low-precision-weights", name)]
        assert printed == pytest.approx(stall_band(name), abs=digits / 100)


def test_device_peaks_are_the_calculators() -> None:
    text = _text(BATCH, "feeding-the-device")
    peaks = {"T4": "t4", "V100": "v100", "A100": "a100", "H100 SXM": "h100"}
    assert [words for words, name in peaks.items() if f"{words} {PEAK_TFLOPS[name]}" not in text] == []


def test_the_search_arithmetic_is_the_calculators() -> None:
    shares = [f"{random_trials(share)}" for share in (0.10, 0.05, 0.01)]
    assert _row(SEARCH, "search-budget", "random trials") == shares
    seeds = [f"{seeds_needed(1.0, ratio)}" for ratio in (2.0, 1.0, 0.5)]
    assert _row(SEARCH, "seeds-and-configs", "seeds per arm") == seeds
    halving = bracket_cost(successive_halving(81, 1, 81))
    assert _row(SEARCH, "early-stopping-trials", "halving") == [f"{halving}"]
    total = sum(bracket_cost(bracket) for bracket in hyperband(81))
    assert _row(SEARCH, "early-stopping-trials", "Hyperband") == [f"{total:,}"]
