"""Training memory per device for every sharding stage.

Bytes per parameter follow the mixed-precision account of Rajbhandari et al. 2020, "ZeRO", section 3.1
(2 + 2 + K with K = 12 for Adam) and Megatron-Core's table for the distributed optimizer (18 with fp32
gradients); torch's autocast keeps fp32 weights and gradients instead. What is divided by the number of
shards: stage 1 the optimizer, stage 2 also the gradients, stage 3 (FSDP full shard) also the weights;
hybrid shard is stage 3 inside a node and replication between nodes (Zhao et al. 2023, "PyTorch FSDP").
Not modelled: allocator fragmentation, NCCL buffers, tensor, pipeline and expert parallelism.
"""

from __future__ import annotations

from dataclasses import dataclass

from lossdoctor.errors import BadArgument
from lossdoctor.sheetbook.calculators.optimizers import optimizer_state, state_bytes_per_parameter

GIB = 2**30
WHOLE_GRADIENTS = ("ddp", "zero1")
WHOLE_WEIGHTS = ("ddp", "zero1", "zero2")
COLUMNS = ("stage", "weights", "gradients", "master", "state", "transient", "activations", "total", "fits")
LEAST_COMMUNICATION_FIRST = ("ddp", "zero1", "zero2", "hybrid_shard", "zero3")


@dataclass(frozen=True, slots=True)
class Precision:
    """Bytes per parameter of one recipe: weights and gradients as held, an fp32 master copy or none, the
    size of one optimizer number, and the size of the copy used for computing (0 when it is the weights)."""

    weights: int
    gradients: int
    master: int
    state_number: int
    compute_copy: int = 0


PRECISIONS: dict[str, Precision] = {
    "fp32": Precision(4, 4, 0, 4),
    "amp_bf16": Precision(4, 4, 0, 4, compute_copy=2),
    "amp_fp16": Precision(4, 4, 0, 4, compute_copy=2),
    "master_bf16": Precision(2, 2, 4, 4),
    "master_fp16": Precision(2, 2, 4, 4),
    "megatron_bf16": Precision(2, 4, 4, 4),
    "pure_bf16": Precision(2, 2, 0, 2),
}


@dataclass(frozen=True, slots=True)
class MemoryNeed:
    """Bytes that exist once over all shards (weights to state), and per device (the rest)."""

    weights: float
    gradients: float
    master: float
    state: float
    block_gather: float
    block_gradient: float
    compute_copy: float
    bucket_copy: float
    extra_weights: float
    activations: float


@dataclass(frozen=True, slots=True)
class MemoryRow:
    """Bytes on one device under one stage. ``fits`` is None when the device's memory is not known."""

    stage: str
    shards: int
    weights: float
    gradients: float
    master: float
    state: float
    transient: float
    activations: float
    total: float
    fits: bool | None = None


@dataclass(frozen=True, slots=True)
class MemoryPlan:
    """One row per stage, in the order DDP, ZeRO-1, 2, 3, hybrid shard.

    ``bytes_per_parameter`` counts weights, gradients, master copy and optimizer state of one trained
    parameter, unsharded. ``budget`` is the device's memory less the reserve. ``first_fit`` is the fitting
    stage with the least communication; None when nothing fits or the memory is not known.
    """

    rows: tuple[MemoryRow, ...]
    bytes_per_parameter: float
    budget: float | None
    first_fit: str | None
    notes: tuple[str, ...]

    def table(self) -> str:
        """The rows as a markdown table in GiB per device."""
        lines = [COLUMNS, ("---",) * len(COLUMNS), *(_cells(row) for row in self.rows)]
        return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def plan_memory(
    parameters: float,
    *,
    optimizer: str = "adamw",
    precision: str = "amp_bf16",
    gpus: int = 1,
    gpus_per_node: int = 8,
    gpu_memory_gib: float | None = None,
    trainable: float | None = None,
    frozen_bytes: float | None = None,
    reference_parameters: float = 0,
    layers: int = 32,
    activation_bytes: float = 0,
    gradient_as_bucket_view: bool = False,
    offload_optimizer: bool = False,
    reserve_gib: float = 2.0,
) -> MemoryPlan:
    """Memory per device under each sharding stage, and which stages fit.

    Args:
        parameters: all weights of the trained model (a count).
        trainable: how many of them get gradients (LoRA, frozen backbone); default all.
        frozen_bytes: bytes per frozen weight, if not its computing format (0.516 for NF4 with double
            quantisation, Dettmers et al. 2023, "QLoRA").
        reference_parameters: weights of frozen helper models (DPO's reference, a teacher, a reward model).
        layers: number of separately gathered blocks; stage 3 holds two of them whole at its peak.
        activation_bytes: per device, measured or from ``transformer_activations``.
        gradient_as_bucket_view: DDP's flag; without it DDP keeps a second copy of the gradients (also
            under torch's ZeroRedundancyOptimizer, which sits on DDP).
        reserve_gib: CUDA context, library workspaces and fragmentation: an assumption, measure your own.

    Raises BadArgument for unknown names or counts out of range.
    """
    _check(parameters, trainable, gpus, gpus_per_node, layers)
    recipe = _recipe(precision)
    need = _need(
        recipe, optimizer, parameters, parameters if trainable is None else trainable, frozen_bytes,
        reference_parameters, layers, activation_bytes, 0 if gradient_as_bucket_view or gpus == 1 else 1,
        offload_optimizer,
    )  # fmt: skip
    budget = None if gpu_memory_gib is None else (gpu_memory_gib - reserve_gib) * GIB
    rows = tuple(_row(stage, shards, need, budget) for stage, shards in _stages(gpus, gpus_per_node))
    per_parameter = recipe.weights + recipe.gradients + recipe.master
    state = state_bytes_per_parameter(optimizer, recipe.state_number)
    notes = _notes(optimizer, precision, activation_bytes, reserve_gib)
    return MemoryPlan(rows, per_parameter + state, budget, _first_fit(rows), notes)


def _check(parameters: float, trainable: float | None, gpus: int, gpus_per_node: int, layers: int) -> None:
    if min(parameters, gpus, gpus_per_node, layers) <= 0:
        raise BadArgument("counts must be positive", hint="pass parameters, gpus, gpus_per_node, layers >= 1")
    if trainable is not None and not 0 <= trainable <= parameters:
        raise BadArgument("trainable parameters outside 0..parameters", hint="count requires_grad ones only")


def _recipe(precision: str) -> Precision:
    found = PRECISIONS.get(precision)
    if found is None:
        raise BadArgument(f"unknown precision {precision[:40]!r}", hint=f"use one of {', '.join(PRECISIONS)}")
    return found


def _need(
    recipe: Precision, optimizer: str, parameters: float, trainable: float, frozen_bytes: float | None,
    reference: float, layers: int, activations: float, bucket_copies: int, offload: bool,
) -> MemoryNeed:  # fmt: skip
    compute = recipe.compute_copy or recipe.weights
    frozen = (compute if frozen_bytes is None else frozen_bytes) * (parameters - trainable)
    on_device = 0 if offload else 1
    return MemoryNeed(
        weights=recipe.weights * trainable + frozen + compute * reference,
        gradients=recipe.gradients * trainable,
        master=on_device * recipe.master * trainable,
        state=on_device * state_bytes_per_parameter(optimizer, recipe.state_number) * trainable,
        block_gather=compute * parameters / layers,
        block_gradient=recipe.gradients * trainable / layers,
        compute_copy=recipe.compute_copy * trainable,
        bucket_copy=bucket_copies * recipe.gradients * trainable,
        extra_weights=optimizer_state(optimizer).extra_weights * recipe.weights * trainable,
        activations=activations,
    )


def _stages(gpus: int, gpus_per_node: int) -> list[tuple[str, int]]:
    sharded = [(stage, gpus) for stage in ("zero1", "zero2", "zero3")] if gpus > 1 else []
    several_nodes = gpus > gpus_per_node > 1
    return [("ddp", 1), *sharded, *([("hybrid_shard", gpus_per_node)] if several_nodes else [])]


def _row(stage: str, shards: int, need: MemoryNeed, budget: float | None) -> MemoryRow:
    whole = 1 if stage in WHOLE_WEIGHTS else shards
    weights = need.weights / whole
    gradients = need.gradients / (1 if stage in WHOLE_GRADIENTS else shards)
    master, state = need.master / shards, need.state / shards
    transient = _transient(stage, need) + need.extra_weights / whole
    total = weights + gradients + master + state + transient + need.activations
    return MemoryRow(
        stage, shards, weights, gradients, master, state, transient, need.activations, total,
        fits=None if budget is None else total <= budget,
    )  # fmt: skip


def _transient(stage: str, need: MemoryNeed) -> float:
    """Autocast's weight copies, DDP's buckets, or the blocks that are gathered (one used, one prefetched)."""
    if stage not in WHOLE_WEIGHTS:
        return 2 * need.block_gather + need.block_gradient
    return need.compute_copy + (need.bucket_copy if stage in WHOLE_GRADIENTS else need.block_gradient)


def _first_fit(rows: tuple[MemoryRow, ...]) -> str | None:
    fitting = {row.stage for row in rows if row.fits}
    return next((stage for stage in LEAST_COMMUNICATION_FIRST if stage in fitting), None)


def _notes(optimizer: str, precision: str, activation_bytes: float, reserve_gib: float) -> tuple[str, ...]:
    notes = [f"{reserve_gib:g} GiB are reserved for context, workspaces and fragmentation (an assumption)"]
    if not activation_bytes:
        notes.append("activations are not counted: measure them, or estimate with transformer_activations")
    if precision == "pure_bf16":
        notes.append("bf16 weights without a master copy lose updates below 0.2-0.4 % of a weight")
    if optimizer_state(optimizer).paged:
        notes.append("paged state may move to host memory, so it counts only while there is room")
    if optimizer_state(optimizer).matrices_only:
        notes.append("embeddings, heads, norms and biases use AdamW (2 buffers), matrices 1 buffer")
    return tuple(notes)


def _cells(row: MemoryRow) -> tuple[str, ...]:
    parts = (row.weights, row.gradients, row.master, row.state, row.transient, row.activations, row.total)
    verdict = {None: "?", True: "yes", False: "no"}[row.fits]
    return (row.stage, *(f"{part / GIB:.2f}" for part in parts), verdict)
