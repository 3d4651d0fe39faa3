"""The kinds of probe as data: the experiments to run, the faults to look for, the reading."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ...model import Trace
from . import comparisons, readings

Reading = dict[str, Any]


@dataclass(frozen=True)
class Kind:
    """``runs`` are the changes of each experiment (an empty one is the plain run, always first when present);
    ``read`` turns their traces into numbers and a one-sentence ``conclusion``; ``faults`` are looked for in the
    plain run.
    """

    read: Callable[[tuple[Trace, ...]], Reading]
    runs: tuple[dict[str, Any], ...] = ({},)
    faults: tuple[str, ...] = ()
    steps: int | None = None
    lens: bool = False
    settings: dict[str, Any] = field(default_factory=dict)


def _with(name: str, **parameters: Any) -> dict[str, Any]:
    return {"interventions": ({"name": name, **parameters},)}


KINDS: dict[str, Kind] = {
    "lr_range": Kind(readings.lr_range, runs=(_with("lr_ramp", start=1e-7, end=10.0),), steps=150),
    "one_batch": Kind(readings.one_batch, runs=(_with("repeat_batch"),), steps=300),
    "throughput": Kind(
        readings.throughput, faults=("dataloader_bottleneck", "sync_bottleneck", "device_underused"), steps=200
    ),
    "nan_origin": Kind(readings.nan_origin, faults=("nan_in_data", "nan_from_op", "lr_too_high"), lens=True),
    "noise_scale": Kind(
        comparisons.noise_scale, runs=({}, _with("accumulate", factor=comparisons.FACTOR)), steps=comparisons.STEPS
    ),
    "precision": Kind(
        comparisons.precision, runs=({}, _with("no_autocast")), steps=100,
        faults=("fp16_underflow", "fp16_overflow", "low_precision_stall", "low_precision_optimizer"),
    ),
    "init": Kind(
        readings.init, steps=3,
        faults=("bad_initialization", "vanishing_gradient", "exploding_gradient", "saturated_activation", "dead_relu"),
    ),
    "data": Kind(
        readings.data, steps=200,
        faults=("nan_in_data", "constant_input", "input_not_normalized", "target_not_normalized", "label_noise",
                "label_misalignment", "label_encoding_wrong", "class_imbalance", "unshuffled_data",
                "duplicate_batches", "train_val_leakage", "preprocess_mismatch"),
    ),
}  # fmt: skip
KIND_NAMES = (*KINDS, "coord_check")
