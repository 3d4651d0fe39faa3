"""What each optimizer keeps per parameter, as stored bytes.

Counts for torch.optim are those of its state_dict (the scalar ``step`` is ignored); the others follow
their papers' reference implementations. 8-bit states are one byte per value and one fp32 scale per block
of 256 values; tensors under 4,096 values stay in 32 bits (Dettmers et al. 2022, "8-bit Optimizers via
Block-wise Quantization", and the defaults of bitsandbytes).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import prod

from lossdoctor.errors import BadArgument

BLOCK, SMALLEST_QUANTISED = 256, 4096


@dataclass(frozen=True, slots=True)
class OptimizerState:
    """State of one optimizer, in numbers per parameter tensor.

    ``buffers``: parameter-shaped tensors. ``quantised``: parameter-shaped tensors in 8 bits.
    ``factored``: row + column vectors in place of a matrix (Shazeer & Stern 2018, Adafactor).
    ``kronecker``: m*m + n*n statistics and their inverse roots for an m x n matrix (Gupta et al. 2018).
    ``matrices_only``: other tensors fall back to AdamW. ``extra_weights``: transient copies of the
    weights (SAM keeps the unperturbed ones). ``paged``: may be evicted to host memory under pressure.
    """

    buffers: int = 0
    quantised: int = 0
    factored: int = 0
    kronecker: bool = False
    matrices_only: bool = False
    paged: bool = False
    extra_weights: int = 0


OPTIMIZERS: dict[str, OptimizerState] = {
    "sgd": OptimizerState(),
    "sgd_momentum": OptimizerState(1),
    "sgd_momentum_8bit": OptimizerState(quantised=1),
    "lars": OptimizerState(1),
    "adagrad": OptimizerState(1),
    "rmsprop": OptimizerState(1),
    "adadelta": OptimizerState(2),
    "adam": OptimizerState(2),
    "adamw": OptimizerState(2),
    "adamw_8bit": OptimizerState(quantised=2),
    "paged_adamw": OptimizerState(2, paged=True),
    "paged_adamw_8bit": OptimizerState(quantised=2, paged=True),
    "amsgrad": OptimizerState(3),
    "nadam": OptimizerState(2),
    "radam": OptimizerState(2),
    "adamax": OptimizerState(2),
    "lamb": OptimizerState(2),
    "lion": OptimizerState(1),
    "lion_8bit": OptimizerState(quantised=1),
    "sophia": OptimizerState(2),
    "ademamix": OptimizerState(3),
    "adafactor": OptimizerState(factored=1),
    "adafactor_momentum": OptimizerState(1, factored=1),
    "came": OptimizerState(1, factored=2),
    "shampoo": OptimizerState(1, kronecker=True),
    "muon": OptimizerState(1, matrices_only=True),
    "schedule_free_sgd": OptimizerState(1),
    "schedule_free_adamw": OptimizerState(2),
    "dadapt_adam": OptimizerState(3),
    "prodigy": OptimizerState(4),
    "sam_sgd": OptimizerState(1, extra_weights=1),
    "sam_adamw": OptimizerState(2, extra_weights=1),
}


def optimizer_state(name: str) -> OptimizerState:
    """Look an optimizer up; raises BadArgument with the known names."""
    found = OPTIMIZERS.get(name.lower().replace("-", "_"))
    if found is None:
        raise BadArgument(f"unknown optimizer {name[:40]!r}", hint=f"use one of {', '.join(OPTIMIZERS)}")
    return found


def state_bytes(optimizer: str, shapes: Iterable[tuple[int, ...]], number_bytes: int = 4) -> float:
    """Bytes of optimizer state for parameters of these shapes; ``number_bytes`` per unquantised number."""
    kind = optimizer_state(optimizer)
    return sum(_tensor_bytes(kind, shape, number_bytes) for shape in shapes)


def state_bytes_per_parameter(optimizer: str, number_bytes: int = 4, width: int = 4096) -> float:
    """State per parameter of a ``width`` x ``width`` matrix, which is what nearly all of a network is."""
    return state_bytes(optimizer, [(width, width)], number_bytes) / width**2


def _tensor_bytes(kind: OptimizerState, shape: tuple[int, ...], number_bytes: int) -> float:
    count = prod(shape)
    if kind.matrices_only and len(shape) != 2:
        kind = OPTIMIZERS["adamw"]
    numbers = kind.buffers * count + kind.factored * _factored(shape) + kind.kronecker * _kronecker(shape)
    return numbers * number_bytes + kind.quantised * _quantised(count)


def _quantised(count: int) -> float:
    if count < SMALLEST_QUANTISED:
        return 4 * count
    return count + 4 * -(-count // BLOCK)


def _factored(shape: tuple[int, ...]) -> int:
    """Row and column statistics over the last two axes; vectors keep a full buffer, as torch's do."""
    if len(shape) < 2:
        return prod(shape)
    return prod(shape) // shape[-1] + prod(shape) // shape[-2]


def _kronecker(shape: tuple[int, ...]) -> int:
    return 2 * sum(side * side for side in shape)
