from __future__ import annotations

from tests.detectors.build import eval_row, falling, flat, loss_row, make_trace, steps_of, tensor_row

from lossdoctor.detectors.learning import learned
from lossdoctor.model import Trace

TARGETS = {"shape": [32, 1], "dtype": "float32", "min": -1.5, "max": 1.5, "mean": 0.0, "std": 0.7}
RAN_OUT = {"stop": "max_seconds", "steps": 100, "t": 1.0}


def test_a_loss_that_fell_below_that_of_a_constant_was_learned() -> None:
    rows = [loss_row(fn="smooth_l1_loss", target=TARGETS)]
    assert learned(make_trace(steps=steps_of(falling(100, 0.25, 0.01)), rows=rows))


def test_a_loss_that_fell_far_but_rests_above_that_of_a_constant_was_not() -> None:
    losses = [*falling(30, 31.0, 3.5), *flat(70, level=3.5)]
    rows = [loss_row(fn="smooth_l1_loss", target=TARGETS)]
    assert not learned(make_trace(steps=steps_of(losses), rows=rows))


def test_a_weighted_loss_is_not_held_against_that_level() -> None:
    losses = [*falling(30, 31.0, 3.5), *flat(70, level=3.5)]
    rows = [loss_row(fn="smooth_l1_loss", target=TARGETS, weighted=True)]
    assert learned(make_trace(steps=steps_of(losses), rows=rows))


def test_a_recording_that_was_cut_off_while_the_loss_fell_may_still_lie_above() -> None:
    trace = make_trace(
        steps=steps_of(falling(100, 31.0, 3.5)), rows=[loss_row(fn="smooth_l1_loss", target=TARGETS)]
    )
    assert learned(trace.model_copy(update={"end": RAN_OUT}))
    assert not learned(trace)


def test_a_loss_that_falls_to_that_of_a_constant_and_no_lower_was_not_learned() -> None:
    losses = [*falling(20, 3.0, 1.39), *flat(80, level=1.386, noise=0.004)]
    assert not learned(make_trace(losses, rows=[loss_row()]))
    assert learned(make_trace([*falling(20, 3.0, 1.3), *flat(80, level=1.25)], rows=[loss_row()]))


def test_labels_that_are_mostly_chance_are_learned_where_held_out_losses_show_it() -> None:
    losses = [*falling(20, 3.0, 1.39), *flat(80, level=1.386, noise=0.004)]

    def held(level: float) -> list[dict[str, object]]:
        return [eval_row(i, loss=[level] * 4) for i in (40, 80)]

    assert learned(make_trace(losses, rows=[loss_row(), *held(1.30)]))
    assert not learned(make_trace(losses, rows=[loss_row(), *held(1.37)]))


def test_held_out_amounts_that_vary_less_than_those_of_training_are_not_foretold_by_that() -> None:
    def traced(first: float, last: float, end: float) -> Trace:
        held = [eval_row(i, loss=[level] * 4) for i, level in ((40, first), (80, last), (90, last))]
        rows = [loss_row(fn="mse_loss", target=tensor_row("1", std=1.0)), *held]
        return make_trace(flat(100, level=end, noise=0.004), rows=rows)

    assert not learned(traced(0.90, 0.90, 0.997))
    assert learned(traced(0.98, 0.90, 0.997))
    assert learned(traced(0.90, 0.90, 0.90))


def test_a_noisy_loss_of_small_batches_is_learned_where_held_out_losses_sink() -> None:
    noisy = [3.0 * (-1) ** k for k in range(90)]

    def traced(*held: float) -> Trace:
        rows = [eval_row(10 * i, loss=[v] * 4) for i, v in enumerate(held, 1)]
        return make_trace(noisy, rows=[loss_row(fn="poisson_nll_loss"), *rows])

    assert learned(traced(1.0, 0.98, 0.95, 0.93, 0.91, 0.9))
    assert not learned(traced(1.0, 0.93, 0.95, 0.93, 0.91, 0.99))
    assert not learned(traced(1.0, 0.9))
