"""The arithmetic behind the sheets' tables: pure functions of plain numbers, standard library only."""

from __future__ import annotations

from lossdoctor.sheetbook.calculators.activations import Transformer, transformer_activations
from lossdoctor.sheetbook.calculators.audit import ScheduleAudit, ScheduleIssue, audit_schedule
from lossdoctor.sheetbook.calculators.batch import (
    BatchPrice,
    NoiseScale,
    batch_price,
    effective_batch,
    noise_scale,
    updates,
)
from lossdoctor.sheetbook.calculators.budget import (
    PEAK_TFLOPS,
    ComputeBudget,
    chinchilla,
    mfu,
    scaling_law_loss,
    training_flops_per_token,
)
from lossdoctor.sheetbook.calculators.chance import (
    chance_absolute_error,
    chance_binary,
    chance_cross_entropy,
    chance_language_model,
    chance_squared_error,
    majority_accuracy,
)
from lossdoctor.sheetbook.calculators.formats import (
    BLOCK_FORMATS,
    FORMATS,
    BlockFormat,
    FloatFormat,
    float_format,
    round_to,
    ulp,
)
from lossdoctor.sheetbook.calculators.memory import PRECISIONS, MemoryPlan, MemoryRow, plan_memory
from lossdoctor.sheetbook.calculators.optimizers import (
    OPTIMIZERS,
    OptimizerState,
    state_bytes,
    state_bytes_per_parameter,
)
from lossdoctor.sheetbook.calculators.schedules import SCHEDULES, make_schedule, schedule_value
from lossdoctor.sheetbook.calculators.search import (
    Rung,
    bracket_cost,
    hyperband,
    random_trials,
    seeds_needed,
    successive_halving,
)
from lossdoctor.sheetbook.calculators.stall import StallCheck, check_stall, stall_band
from lossdoctor.sheetbook.calculators.transfer import (
    AdamSettings,
    WidthScale,
    adam_transfer,
    linear_transfer,
    mup_transfer,
    sqrt_transfer,
)
from lossdoctor.sheetbook.calculators.warmup import Warmup, warmup_steps

__all__ = [
    "BLOCK_FORMATS", "FORMATS", "OPTIMIZERS", "PEAK_TFLOPS", "PRECISIONS", "SCHEDULES",
    "AdamSettings", "BatchPrice", "BlockFormat", "ComputeBudget", "FloatFormat", "MemoryPlan", "MemoryRow",
    "NoiseScale", "OptimizerState", "Rung", "ScheduleAudit", "ScheduleIssue", "StallCheck", "Transformer",
    "Warmup", "WidthScale", "adam_transfer", "audit_schedule", "batch_price", "bracket_cost",
    "chance_absolute_error", "chance_binary", "chance_cross_entropy", "chance_language_model",
    "chance_squared_error", "check_stall", "chinchilla", "effective_batch", "float_format", "hyperband",
    "linear_transfer", "majority_accuracy", "make_schedule", "mfu", "mup_transfer", "noise_scale",
    "plan_memory", "random_trials", "round_to", "scaling_law_loss", "schedule_value", "seeds_needed",
    "sqrt_transfer", "stall_band", "state_bytes", "state_bytes_per_parameter", "successive_halving",
    "training_flops_per_token", "transformer_activations", "ulp", "updates", "warmup_steps",
]  # fmt: skip
