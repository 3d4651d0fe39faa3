"""Compute budgets: training FLOPs, compute-optimal size, model FLOPs utilisation."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from lossdoctor.errors import BadArgument

TOKENS_PER_PARAMETER = 20.0  # Hoffmann et al. 2022, table 3: about 20 over three decades of compute

# Dense matrix-unit peaks in TFLOP/s for 16-bit inputs with fp32 accumulation, from the makers' data sheets
# (where those print figures "with sparsity", half of them).
PEAK_TFLOPS: dict[str, float] = {
    "v100": 125, "t4": 65, "a10": 125, "l4": 121, "l40s": 362, "a100": 312, "h100_pcie": 756, "h100": 989,
    "h200": 989, "b200": 2250, "mi250x": 383, "mi300x": 1307,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ComputeBudget:
    """Compute-optimal run: parameters, tokens, training FLOPs, and the predicted loss in nats per token."""

    parameters: float
    tokens: float
    flops: float
    loss: float


def chinchilla(
    *, flops: float | None = None, parameters: float | None = None, tokens: float | None = None
) -> ComputeBudget:
    """Compute-optimal size from exactly one of the three, with C = 6*N*D and D = 20*N.

    Hoffmann et al. 2022, "Training Compute-Optimal Large Language Models", arXiv:2203.15556. The ratio
    minimises training compute only: models that serve many requests are trained on far more tokens.
    """
    given = [value for value in (flops, parameters, tokens) if value is not None]
    if len(given) != 1 or given[0] <= 0:
        raise BadArgument("give exactly one positive number", hint="flops=, parameters= or tokens=")
    if flops is not None:
        parameters = sqrt(flops / (6 * TOKENS_PER_PARAMETER))
    elif tokens is not None:
        parameters = tokens / TOKENS_PER_PARAMETER
    size = parameters or 0.0
    count = size * TOKENS_PER_PARAMETER
    return ComputeBudget(size, count, 6 * size * count, scaling_law_loss(size, count))


def scaling_law_loss(parameters: float, tokens: float) -> float:
    """E + A/N^alpha + B/D^beta in nats per token, with the corrected fit of Besiroglu et al. 2024,
    "Chinchilla Scaling: A replication attempt", arXiv:2404.10102. Valid for that data and tokenizer only."""
    return float(1.8172 + 482.01 / parameters**0.3478 + 2085.43 / tokens**0.3658)


def training_flops_per_token(parameters: float, layers: int = 0, width: int = 0, sequence: int = 0) -> float:
    """6*N + 12*layers*width*sequence: forward and backward of one token, recomputation not counted.

    Chowdhery et al. 2022, "PaLM", appendix B. ``parameters`` without the embedding table;
    ``width`` = heads x head size.
    """
    return 6 * parameters + 12 * layers * width * sequence


def mfu(tokens_per_second: float, flops_per_token: float, peak_tflops: float, devices: int = 1) -> float:
    """Model FLOPs utilisation, 0..1: useful FLOP/s over the devices' dense peak (PaLM, appendix B).

    ``tokens_per_second`` over all devices. Raises BadArgument for a result above 1: some unit is wrong.
    """
    if min(peak_tflops, devices) <= 0:
        raise BadArgument("peak and device count must be positive", hint=f"peaks: {', '.join(PEAK_TFLOPS)}")
    share = tokens_per_second * flops_per_token / (peak_tflops * 1e12 * devices)
    if share > 1:
        raise BadArgument(
            f"utilisation of {share:.2g} is impossible", hint="check tokens/s and the dense peak"
        )
    return share
