"""Tool ``plan_memory``: memory per device and sharding stage from facts about the model."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from ..model import Frozen

GIB = float(2**30)

Parameters = Annotated[float, Field(gt=0, le=1e14, description="weights of the trained model, e.g. 7e9")]
Optimizer = Annotated[
    str, Field(max_length=40, description="adamw, adamw_8bit, lion, adafactor, sgd_momentum, muon, ...")
]
Precision = Annotated[
    Literal["fp32", "amp_bf16", "amp_fp16", "master_bf16", "master_fp16", "megatron_bf16", "pure_bf16"],
    Field(
        description="amp_*: fp32 weights under autocast; master_*: 16-bit weights with an fp32 copy; "
        "pure_bf16: everything in bf16"
    ),
]
Gpus = Annotated[int, Field(ge=1, le=100_000, description="devices")]
GpuMemory = Annotated[float | None, Field(gt=0, description="GiB per device; says which stages fit")]
Trainable = Annotated[
    float | None, Field(gt=0, description="weights that get gradients (LoRA, frozen backbone)")
]
Reference = Annotated[float, Field(ge=0, description="weights of frozen helpers: DPO's reference, a teacher")]
Layers = Annotated[int, Field(ge=1, le=10_000, description="blocks of the model")]
Hidden = Annotated[
    int | None, Field(ge=1, description="width; with heads and sequence, activations are counted")
]
Heads = Annotated[int | None, Field(ge=1, description="attention heads")]
Sequence = Annotated[int | None, Field(ge=1, description="tokens per sample")]
MicroBatch = Annotated[int, Field(ge=1, description="samples per device and pass")]
Offload = Annotated[bool, Field(description="keep the optimizer state in the host's memory")]
Checkpointing = Annotated[Literal["none", "selective", "full"], Field(description="activation checkpointing")]


class StageMemory(Frozen):
    """GiB per device under one sharding stage."""

    stage: str
    shards: int
    weights: float
    gradients: float
    master: float
    optimizer_state: float
    transient: float
    activations: float
    total: float
    fits: bool | None = None


class MemoryPlanResult(Frozen):
    """All stages, the first that fits, and what was assumed."""

    stages: tuple[StageMemory, ...]
    bytes_per_parameter: float
    budget_gib: float | None = None
    first_fit: str | None = None
    notes: tuple[str, ...] = ()
    read: str = "batch-size-and-memory-tradeoffs"


async def plan_memory(
    parameters: Parameters,
    optimizer: Optimizer = "adamw",
    precision: Precision = "amp_bf16",
    gpus: Gpus = 1,
    gpus_per_node: Gpus = 8,
    gpu_memory_gib: GpuMemory = None,
    trainable: Trainable = None,
    reference_parameters: Reference = 0,
    layers: Layers = 32,
    hidden: Hidden = None,
    heads: Heads = None,
    sequence: Sequence = None,
    micro_batch: MicroBatch = 1,
    checkpointing: Checkpointing = "none",
    offload_optimizer: Offload = False,
) -> MemoryPlanResult:
    """Plan training memory: weights, gradients, optimizer state and activations per GPU for DDP, ZeRO 1-3 and
    FSDP (full and hybrid shard), and which of them fits. For "does a 7B model fit on 8 x 80 GB", "which ZeRO
    stage", "how much does 8-bit Adam or LoRA save", out-of-memory planning before a run.

    Arithmetic only, nothing runs. Activations are counted only when hidden, heads and sequence are given.
    """
    from ..sheetbook.calculators import Transformer, transformer_activations
    from ..sheetbook.calculators import plan_memory as plan

    kept = 0.0
    if hidden and heads and sequence:
        shape = Transformer(hidden=hidden, layers=layers, heads=heads)
        kept = transformer_activations(shape, micro_batch, sequence, checkpointing=checkpointing)
    found = plan(
        parameters, optimizer=optimizer, precision=precision, gpus=gpus, gpus_per_node=gpus_per_node,
        gpu_memory_gib=gpu_memory_gib, trainable=trainable, reference_parameters=reference_parameters,
        layers=layers, activation_bytes=kept, offload_optimizer=offload_optimizer,
    )  # fmt: skip
    stages = tuple(
        StageMemory(
            stage=r.stage, shards=r.shards, weights=gib(r.weights), gradients=gib(r.gradients), master=gib(r.master),
            optimizer_state=gib(r.state), transient=gib(r.transient), activations=gib(r.activations),
            total=gib(r.total), fits=r.fits,
        )
        for r in found.rows
    )  # fmt: skip
    notes = (
        found.notes
        if kept
        else (*found.notes, "activations are not counted: give hidden, heads and sequence")
    )
    return MemoryPlanResult(
        stages=stages, bytes_per_parameter=round(found.bytes_per_parameter, 3), first_fit=found.first_fit,
        budget_gib=gib(found.budget) if found.budget is not None else None, notes=notes,
    )  # fmt: skip


def gib(number_of_bytes: float) -> float:
    """Bytes as GiB, two decimals."""
    return round(number_of_bytes / GIB, 2)
