from __future__ import annotations

from typing import Any

from tests.detectors.build import expect, falling, flat, make_trace, optimizer, run, step, steps_of

FAULT = "grad_accumulation_misuse"
SGD = [optimizer(cls="SGD", groups=({"lr": 0.1},))]


def micro(count: int, share: float, **more: Any) -> dict[str, Any]:
    return {"losses": (2.3 * share,) * count, "loss_sites": (2,) * count, "loss_values": (2.3,) * count,
            "backwards": count, **more}  # fmt: skip


def test_clearing_between_the_passes_is_found() -> None:
    steps = [step(i, **micro(4, 0.25, sequence="ZFBZFBZFBZFBS")) for i in range(1, 51)]
    assert "only the last pass" in expect(FAULT, make_trace(steps=steps)).why


def test_losses_that_are_added_up_are_found_with_an_optimizer_that_minds() -> None:
    steps = [step(i, **micro(4, 1.0, sequence="ZFBFBFBFBS")) for i in range(1, 51)]
    assert expect(FAULT, make_trace(steps=steps, optimizers=SGD)).confidence > 0.6


def test_stepping_on_every_pass_while_clearing_waits_is_found() -> None:
    steps = [step(i, **micro(1, 0.25, stale=i % 4 != 1)) for i in range(1, 51)]
    assert "every 4th" in expect(FAULT, make_trace(steps=steps)).why


def test_accumulation_as_it_should_be_is_healthy() -> None:
    steps = [step(i, **micro(4, 0.25, sequence="ZFBFBFBFBS")) for i in range(1, 51)]
    assert run(FAULT, make_trace(steps=steps, optimizers=SGD)) is None


def test_an_ordinary_loop_is_healthy() -> None:
    assert run(FAULT, make_trace(steps=steps_of(flat()))) is None


def test_a_sum_that_trains_well_is_left_alone() -> None:
    steps = [step(i, losses=(v, v), loss_sites=(2, 2), loss_values=(v, v), backwards=2)
             for i, v in enumerate(falling(end=0.05), 1)]  # fmt: skip
    assert run(FAULT, make_trace(steps=steps, optimizers=SGD)) is None
