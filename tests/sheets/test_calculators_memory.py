"""Memory against torch's own state dicts, saved tensors, and the published per-parameter accounts."""

from __future__ import annotations

from typing import Any

import pytest

from lossdoctor.errors import BadArgument
from lossdoctor.sheetbook.calculators import (
    OPTIMIZERS,
    PRECISIONS,
    Transformer,
    plan_memory,
    state_bytes,
    state_bytes_per_parameter,
    transformer_activations,
)

torch = pytest.importorskip("torch")
SHAPES = [(64, 32), (32, 64), (8, 4, 3, 3), (64,)]
MATRICES = [(64, 32), (32, 64)]
OPTIMS: dict[str, tuple[str, dict[str, Any]]] = {
    "sgd": ("SGD", {"lr": 0.1}),
    "sgd_momentum": ("SGD", {"lr": 0.1, "momentum": 0.9}),
    "adagrad": ("Adagrad", {}),
    "rmsprop": ("RMSprop", {}),
    "adadelta": ("Adadelta", {}),
    "adam": ("Adam", {}),
    "adamw": ("AdamW", {}),
    "amsgrad": ("AdamW", {"amsgrad": True}),
    "nadam": ("NAdam", {}),
    "radam": ("RAdam", {}),
    "adamax": ("Adamax", {}),
    "adafactor": ("Adafactor", {}),
    "muon": ("Muon", {}),
}


def _measured_state(kind: str, options: dict[str, Any], shapes: list[tuple[int, ...]], dtype: Any) -> int:
    weights = [torch.nn.Parameter(torch.randn(shape, dtype=dtype)) for shape in shapes]
    optimizer = getattr(torch.optim, kind)(weights, **options)
    for weight in weights:
        weight.grad = torch.randn_like(weight)
    optimizer.step()
    tensors = [
        value for state in optimizer.state.values() for value in state.values() if torch.is_tensor(value)
    ]
    return sum(tensor.numel() * tensor.element_size() for tensor in tensors if tensor.ndim)


@pytest.mark.parametrize("name", OPTIMS)
@pytest.mark.parametrize(("dtype", "size"), [("float32", 4), ("bfloat16", 2)])
def test_state_bytes_are_those_torch_optim_allocates(name: str, dtype: str, size: int) -> None:
    kind, options = OPTIMS[name]
    shapes = MATRICES if name == "muon" else SHAPES
    assert state_bytes(name, shapes, size) == _measured_state(kind, options, shapes, getattr(torch, dtype))


def test_eight_bit_states_cost_two_bytes_and_their_block_scales() -> None:
    assert state_bytes_per_parameter("adamw_8bit") == pytest.approx(2 * (1 + 4 / 256))
    assert state_bytes("adamw_8bit", [(64,)]) == 2 * 4 * 64  # small tensors stay in 32 bits


def test_muon_falls_back_to_adamw_for_vectors() -> None:
    assert state_bytes("muon", [(8, 8), (8,)]) == 4 * 64 + 8 * 8


def test_shampoo_keeps_two_square_matrices_per_side() -> None:
    assert state_bytes("shampoo", [(10, 20)]) == 4 * (200 + 2 * (100 + 400))


@pytest.mark.parametrize(
    ("precision", "expected"),
    [("fp32", 16), ("amp_bf16", 16), ("master_bf16", 16), ("megatron_bf16", 18), ("pure_bf16", 8)],
)
def test_adamw_costs_the_published_bytes_per_parameter(precision: str, expected: int) -> None:
    assert plan_memory(1e9, precision=precision).bytes_per_parameter == expected


def test_the_zero_papers_example_is_reproduced() -> None:
    """Figure 1 of the ZeRO paper: 7.5 B parameters on 64 devices need 120, 31.4, 16.6 and 1.9 GB."""
    plan = plan_memory(
        7.5e9, precision="master_fp16", gpus=64, gpus_per_node=64, gradient_as_bucket_view=True
    )
    held = {row.stage: (row.weights + row.gradients + row.master + row.state) / 1e9 for row in plan.rows}
    expected = {"ddp": 120, "zero1": 31.4, "zero2": 16.6, "zero3": 1.9}
    assert {stage: round(value, 1) for stage, value in held.items()} == pytest.approx(expected, abs=0.05)


def test_megatrons_distributed_optimizer_column_is_reproduced() -> None:
    plan = plan_memory(1e9, precision="megatron_bf16", gpus=8)
    zero1 = next(row for row in plan.rows if row.stage == "zero1")
    assert (zero1.weights + zero1.gradients + zero1.master + zero1.state) / 1e9 == 6 + 12 / 8


def test_ddp_keeps_a_second_copy_of_the_gradients_unless_told_otherwise() -> None:
    with_copy = plan_memory(1e9, gpus=2).rows[0].total
    assert with_copy - plan_memory(1e9, gpus=2, gradient_as_bucket_view=True).rows[0].total == 4e9
    assert plan_memory(1e9, gpus=1).rows[0].total == 1e9 * (16 + 2)


def test_hybrid_shard_divides_by_the_node_only_and_appears_with_several_nodes() -> None:
    rows = {row.stage: row for row in plan_memory(8e9, gpus=32, gpus_per_node=8).rows}
    assert rows["hybrid_shard"].state == 8 * 8e9 / 8
    assert rows["zero3"].state == 8 * 8e9 / 32
    assert "hybrid_shard" not in {row.stage for row in plan_memory(8e9, gpus=8).rows}


def test_full_sharding_still_holds_two_whole_blocks() -> None:
    (row,) = [row for row in plan_memory(32e9, gpus=64, layers=32).rows if row.stage == "zero3"]
    assert row.transient == 2 * 2 * 1e9 + 4 * 1e9


def test_the_fitting_stage_with_the_least_communication_is_named() -> None:
    fits = {
        size: plan_memory(size, gpus=16, gpu_memory_gib=80, activation_bytes=8 * 2**30).first_fit
        for size in (1e9, 6e9, 12e9, 30e9, 500e9)
    }
    assert fits == {1e9: "ddp", 6e9: "zero2", 12e9: "hybrid_shard", 30e9: "hybrid_shard", 500e9: None}


def test_adapters_pay_gradients_and_state_for_trained_weights_only() -> None:
    plan = plan_memory(8e9, trainable=4e7, frozen_bytes=0.516, precision="amp_bf16")
    row = plan.rows[0]
    assert row.gradients == 4 * 4e7
    assert row.state == 8 * 4e7
    assert row.weights == pytest.approx(4 * 4e7 + 0.516 * (8e9 - 4e7))


def test_a_reference_model_adds_weights_and_nothing_else() -> None:
    alone, paired = plan_memory(1e9).rows[0], plan_memory(1e9, reference_parameters=1e9).rows[0]
    assert paired.total - alone.total == 2e9


def test_offloading_and_sam_change_what_is_on_the_device() -> None:
    assert plan_memory(1e9, precision="master_bf16", offload_optimizer=True).rows[0].state == 0
    assert plan_memory(1e9, optimizer="sam_adamw").rows[0].total == plan_memory(1e9).rows[0].total + 4e9


def test_every_optimizer_and_precision_gives_a_table() -> None:
    for optimizer in OPTIMIZERS:
        for precision in PRECISIONS:
            plan = plan_memory(1e9, optimizer=optimizer, precision=precision, gpus=4, gpu_memory_gib=40)
            assert len(plan.table().splitlines()) == 2 + len(plan.rows) == 6
            totals = [row.total for row in plan.rows]
            assert totals == sorted(totals, reverse=True)


def test_wrong_requests_are_named() -> None:
    for change, words in (
        ({"optimizer": "adamm"}, "unknown optimizer"),
        ({"precision": "fp7"}, "unknown precision"),
        ({"gpus": 0}, "positive"),
        ({"trainable": 2e9}, "trainable"),
    ):
        with pytest.raises(BadArgument, match=words):
            plan_memory(1e9, **change)


class _Block(torch.nn.Module):  # type: ignore[misc, unused-ignore]
    """A pre-norm block in its plainest form, to count what autograd keeps."""

    def __init__(self, width: int, heads: int, ratio: int, gated: bool) -> None:
        super().__init__()
        self.heads, self.gated = heads, gated
        self.norms = torch.nn.ModuleList(torch.nn.LayerNorm(width) for _ in range(2))
        self.qkv = torch.nn.Linear(width, 3 * width)
        self.out = torch.nn.Linear(width, width)
        self.up = torch.nn.Linear(width, ratio * width)
        self.gate = torch.nn.Linear(width, ratio * width) if gated else None
        self.down = torch.nn.Linear(ratio * width, width)

    def forward(self, x: Any) -> Any:
        size, length, width = x.shape
        heads = self.qkv(self.norms[0](x)).view(size, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        mixed = torch.nn.functional.scaled_dot_product_attention(*heads)
        x = x + self.out(mixed.transpose(1, 2).reshape(size, length, width))
        inner = self.norms[1](x)
        if self.gate is None:
            return x + self.down(torch.nn.functional.gelu(self.up(inner)))
        return x + self.down(torch.nn.functional.silu(self.gate(inner)) * self.up(inner))


def _kept_bytes(model: Any, x: Any) -> int:
    own = {parameter.untyped_storage().data_ptr() for parameter in model.parameters()}
    kept: dict[int, int] = {}

    def pack(tensor: Any) -> Any:
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in own:
            kept[storage.data_ptr()] = storage.nbytes()
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        output = model(x)
    del output
    return sum(kept.values())


@pytest.mark.parametrize("gated", [False, True])
def test_activations_per_block_are_what_autograd_keeps(gated: bool) -> None:
    torch.manual_seed(0)
    batch, length, width, heads, layers = 2, 64, 128, 4, 3
    model = torch.nn.Sequential(*(_Block(width, heads, 4, gated) for _ in range(layers)))
    measured = _kept_bytes(model, torch.randn(batch, length, width, requires_grad=True))
    shape = Transformer(width, layers, heads, gated_mlp=gated)
    assert transformer_activations(shape, batch, length, number_bytes=4) == pytest.approx(measured, rel=0.05)


def test_the_papers_thirty_four_bytes_and_its_attention_term_are_reproduced() -> None:
    shape = Transformer(hidden=64, layers=1, heads=8, dropout=True)
    size, length = 2, 16
    expected = 34 * length * size * 64 + 5 * 8 * length**2 * size
    assert transformer_activations(shape, size, length, stores_attention=True) == expected
    assert transformer_activations(shape, size, length) == 34 * length * size * 64


def test_checkpointing_keeps_inputs_and_one_block() -> None:
    shape = Transformer(hidden=64, layers=10, heads=8, dropout=True)
    block = transformer_activations(Transformer(64, 1, 8, dropout=True), 1, 32, stores_attention=True)
    full = transformer_activations(shape, 1, 32, stores_attention=True, checkpointing="full")
    assert full == 10 * 2 * 32 * 64 + block
    selective = transformer_activations(shape, 1, 32, stores_attention=True, checkpointing="selective")
    assert selective == transformer_activations(shape, 1, 32)


def test_a_large_vocabulary_is_counted_and_unknown_checkpointing_refused() -> None:
    shape = Transformer(hidden=64, layers=1, heads=8, vocabulary=1000)
    plain = Transformer(hidden=64, layers=1, heads=8)
    extra = transformer_activations(shape, 1, 32) - transformer_activations(plain, 1, 32)
    assert extra == 32 * 1000 * 10
    with pytest.raises(BadArgument, match="unknown checkpointing"):
        transformer_activations(plain, 1, 32, checkpointing="some")
