"""Activation memory of a transformer: what the backward pass needs kept.

Korthikanti et al. 2022, "Reducing Activation Recomputation in Large Transformer Models" (arXiv:2205.05198),
section 4: 34*s*b*h + 5*a*s*s*b bytes per layer in 16 bits with dropout. The same count is written here
with the element size, the MLP's form and grouped key/value heads as variables; an attention kernel that
never stores the s x s matrix (Dao et al. 2022, FlashAttention) drops the second term.
"""

from __future__ import annotations

from dataclasses import dataclass

from lossdoctor.errors import BadArgument


@dataclass(frozen=True, slots=True)
class Transformer:
    """Shape of a decoder or encoder stack. ``kv_share`` is key/value heads over query heads (GQA)."""

    hidden: int
    layers: int
    heads: int
    mlp_ratio: float = 4.0
    gated_mlp: bool = False
    kv_share: float = 1.0
    dropout: bool = False
    vocabulary: int = 0


def transformer_activations(
    model: Transformer,
    batch: int,
    sequence: int,
    *,
    number_bytes: int = 2,
    stores_attention: bool = False,
    checkpointing: str = "none",
) -> float:
    """Bytes kept at the end of the forward pass on one device, logits and their gradient included.

    ``batch`` is the micro-batch per device, ``sequence`` in tokens. ``checkpointing``: "none", "selective"
    (attention is recomputed, its s x s matrix not kept) or "full" (only each block's input is kept, plus
    one block while it is recomputed). Raises BadArgument for anything else. Norms that autocast runs in
    fp32 keep more than this; expect the measured value within about a quarter.
    """
    if checkpointing not in ("none", "selective", "full"):
        raise BadArgument(f"unknown checkpointing {checkpointing[:20]!r}", hint="none, selective or full")
    tokens = batch * sequence
    matrix = stores_attention and checkpointing != "selective"
    block = tokens * model.hidden * _units(model, number_bytes)
    block += model.heads * batch * sequence**2 * _matrix_bytes(model, number_bytes) * matrix
    kept = block * model.layers
    if checkpointing == "full":
        kept = tokens * model.hidden * number_bytes * model.layers + block
    return kept + tokens * model.vocabulary * (number_bytes + 4 + 4)


def _units(model: Transformer, number_bytes: int) -> float:
    """Bytes per token and hidden unit in one block: 2 norms, attention, MLP, two 1-byte dropout masks."""
    attention = 1 + 1 + 2 * model.kv_share + 1  # shared input, queries, keys and values, projection input
    mlp = 1 + (4 if model.gated_mlp else 2) * model.mlp_ratio
    return (2 + attention + mlp) * number_bytes + 2 * model.dropout


def _matrix_bytes(model: Transformer, number_bytes: int) -> int:
    """Softmax output, and with dropout its mask and its result, per attention score."""
    return 2 * number_bytes + 1 if model.dropout else number_bytes
