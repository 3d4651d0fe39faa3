from __future__ import annotations

from typing import Any

from tests.detectors.build import (
    eval_row,
    expect,
    falling,
    flat,
    loss_row,
    make_trace,
    parameter,
    print_row,
    run,
    step,
)

from lossdoctor.detectors.base import TENTATIVE, Missing

FAULT = "insufficient_training"


def straight(count: int, start: float, end: float) -> list[float]:
    return [start + (end - start) * k / (count - 1) for k in range(count)]


def test_a_loss_that_falls_in_a_straight_line_to_the_end_is_found() -> None:
    finding = expect(FAULT, make_trace(straight(60, 2.3, 1.2)))
    assert finding.severity == "warning"
    assert float(finding.evidence[0].value) > 0.2


def test_a_curve_that_has_come_to_rest_is_healthy() -> None:
    assert run(FAULT, make_trace([*falling(40, 2.3, 1.0), *flat(60, 1.0)])) is None


def test_a_run_that_has_fitted_its_data_is_healthy() -> None:
    assert run(FAULT, make_trace([*straight(45, 2.3, 0.1), *straight(15, 0.1, 0.01)])) is None
    assert run(FAULT, make_trace(straight(60, 2.3, 0.1))).confidence == TENTATIVE, "nearly: a test decides"


def test_a_recording_that_was_cut_off_is_not_judged() -> None:
    assert run(FAULT, make_trace(straight(60, 2.3, 1.2), stop="max_steps")) == Missing(
        "the end of the script"
    )


def test_a_run_that_does_not_learn_is_another_fault() -> None:
    assert run(FAULT, make_trace(flat(60))) is None
    assert run(FAULT, make_trace(straight(60, 2.0, 2.6))) is None


def test_a_lesser_slope_counts_only_while_little_is_fitted() -> None:
    losses = [*straight(30, 1.38, 0.85), *straight(30, 0.85, 0.65)]
    assert run(FAULT, make_trace(losses, rows=[loss_row()])).confidence == TENTATIVE, "half of the way"


def test_a_small_slope_in_loud_noise_is_no_evidence() -> None:
    loud = [v + 0.6 * (-1) ** k for k, v in enumerate(straight(60, 2.3, 1.7))]
    assert run(FAULT, make_trace(loud)) is None


def test_adversarial_losses_need_not_fall() -> None:
    steps = [step(i, v, optimizer=i % 2) for i, v in enumerate(straight(60, 2.3, 1.2), 1)]
    assert run(FAULT, make_trace(steps=steps)) is None


def test_agreement_with_a_copy_of_itself_that_follows_may_fall_for_long() -> None:
    names = ["0.weight", "0.bias", "2.weight"]
    online = [parameter(k, f"online.{n}") for k, n in enumerate(names)]
    copies = [
        parameter(k + 3, f"target.{n}", requires_grad=False, optimizers=()) for k, n in enumerate(names)
    ]
    losses = straight(60, 2.3, 0.9)
    assert run(FAULT, make_trace(losses, parameters=(*online, *copies))) is None
    assert run(FAULT, make_trace(losses, parameters=online)).confidence == TENTATIVE
    backbone = [p.model_copy(update={"name": p.name.replace("0.", "7.")}) for p in copies]
    assert run(FAULT, make_trace(losses, parameters=(*online, *backbone))).confidence == TENTATIVE


def test_a_straight_line_past_half_of_the_way_to_a_fit_is_no_evidence() -> None:
    assert run(FAULT, make_trace(straight(60, 2.3, 0.9))).confidence == TENTATIVE
    assert expect(FAULT, make_trace(straight(60, 2.3, 1.25))).confidence == 0.75


def test_a_fall_that_speeds_up_is_found_past_half_of_the_way_too() -> None:
    expect(FAULT, make_trace([*straight(45, 2.3, 1.6), *straight(15, 1.6, 0.9)]))


def test_a_held_out_loss_at_rest_says_that_more_would_not_help() -> None:
    losses = straight(60, 2.3, 1.2)
    rested = [2.3, 1.9, 1.6, 1.5, 1.45, 1.44, 1.44, 1.43]
    falls = straight(8, 2.3, 1.4)
    shown = [[eval_row(7 * (k + 1), loss=[v] * 4) for k, v in enumerate(curve)] for curve in (rested, falls)]
    assert run(FAULT, make_trace(losses, rows=shown[0])) is None
    expect(FAULT, make_trace(losses, rows=shown[1]))


def test_printed_scores_at_rest_say_so_too_where_no_loss_was_held_out() -> None:
    def told(values: list[float], name: str = "recall@1", *more: Any) -> Any:
        rows = [print_row(10 * k, **{name: v}) for k, v in enumerate(values, 1)]
        return make_trace(straight(90, 2.3, 1.2), rows=[*more, *rows])

    rested = [0.5, 0.67, 0.72, 0.75, 0.78, 0.8, 0.805, 0.806]
    assert run(FAULT, told(rested)) is None
    assert run(FAULT, told(rested, "recall@1", print_row(0, **{"popularity recall": 0.12}))) is None, (
        "a baseline"
    )
    expect(FAULT, told([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]))
    expect(FAULT, told(rested, "train recall"))


def two_epochs(before: float, last: float, at: int = 40) -> Any:
    """74 noisy steps that leave the constant answer (1.39) half behind, and a held-out loss after each epoch."""
    noisy = [v + 0.2 * (-1) ** k for k, v in enumerate([*straight(37, 1.6, 1.1), *straight(37, 1.1, 1.0)])]
    rows = [
        eval_row(i, loss=[v], acc=[], n=[], loss_of=[[100, 1]], seen=[0.0])
        for i, v in ((at, before), (74, last))
    ]
    return make_trace(noisy, rows=[loss_row(), *rows])


def test_a_held_out_loss_that_still_falls_steeply_is_found_where_training_is_too_noisy_to_tell() -> None:
    finding = expect(FAULT, two_epochs(1.2, 0.8))
    assert "held-out loss fell by 33 %" in finding.why
    assert run(FAULT, two_epochs(0.85, 0.8)) is None
    assert run(FAULT, two_epochs(1.4, 0.8, at=1)) is None, "a look before training"


def noisy(held: list[float]) -> Any:
    """A loss whose batches differ so much that its own fall in a quarter of the run is no more than noise."""
    losses = [1.02 - 0.0026 * k + (0.3 if k % 2 else -0.3) for k in range(105)]
    called = [loss_row(i, fn="mse_loss", target={"mean": 0.0, "std": 1.0, "shape": [64]}) for i in (1, 2, 3)]
    rows = [eval_row(15 * k, loss=[v] * 4) for k, v in enumerate(held, 1)]
    return make_trace(losses, rows=[*called, *rows])


def test_a_held_out_loss_that_falls_undiminished_to_the_end_is_found() -> None:
    assert "undiminished" in expect(FAULT, noisy([0.985 - 0.04 * k for k in range(7)])).why
    assert run(FAULT, noisy([0.7 + 0.3 * 0.6**k for k in range(7)])) is None, "it slows down"
    assert run(FAULT, noisy([0.985 - 0.04 * k for k in range(4)])) is None, "a few evaluations"


def test_a_steep_end_past_half_of_the_way_only_asks_for_a_test() -> None:
    steep = make_trace(straight(60, 2.3, 0.5))
    assert expect(FAULT, steep).confidence == TENTATIVE
    rested = [
        eval_row(7 * (k + 1), loss=[v] * 4) for k, v in enumerate([2.3, 1.4, 1.0, 0.9, 0.89, 0.89, 0.89, 0.9])
    ]
    assert run(FAULT, make_trace(straight(60, 2.3, 0.5), rows=rested)) is None


def test_a_loss_that_has_fallen_far_is_tested_even_above_the_level_of_a_constant_answer() -> None:
    rare = loss_row(target={**loss_row()["target"], "hist": {"0": 31, "1": 1}})
    assert run(FAULT, make_trace(straight(40, 0.8, 0.45), rows=[rare])).confidence == TENTATIVE
    assert run(FAULT, make_trace(straight(40, 0.8, 0.7), rows=[rare])) is None
