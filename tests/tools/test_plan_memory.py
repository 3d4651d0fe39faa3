"""The memory tool counts what the calculators count, in GiB."""

from __future__ import annotations

import pytest

from lossdoctor.errors import BadArgument
from lossdoctor.tools.plan_memory import GIB, plan_memory

pytestmark = pytest.mark.anyio


async def test_adamw_with_fp32_weights_takes_sixteen_bytes_a_parameter_on_one_device() -> None:
    plan = await plan_memory(1e9, precision="fp32", gpus=1)
    single = plan.stages[0]
    assert plan.bytes_per_parameter == 16
    assert single.weights == pytest.approx(4e9 / GIB, abs=0.01)
    assert single.optimizer_state == pytest.approx(8e9 / GIB, abs=0.01)


async def test_a_seven_billion_model_needs_sharding_on_eighty_gib_devices() -> None:
    plan = await plan_memory(7e9, gpus=8, gpu_memory_gib=80)
    assert plan.stages[0].fits is False
    assert plan.first_fit is not None
    assert any(stage.fits for stage in plan.stages)


async def test_activations_count_only_with_the_shape_and_the_result_says_so() -> None:
    without = await plan_memory(1e9)
    shaped = await plan_memory(1e9, layers=24, hidden=2048, heads=16, sequence=2048, micro_batch=4)
    assert without.stages[0].activations == 0
    assert any("not counted" in note for note in without.notes)
    assert shaped.stages[0].activations > 1
    assert not any("not counted" in note for note in shaped.notes)


async def test_an_unknown_optimizer_is_refused_with_the_known_ones() -> None:
    with pytest.raises(BadArgument, match="adamw"):
        await plan_memory(1e9, optimizer="adamzzz")
