from __future__ import annotations

from typing import Any

from tests.detectors.build import eval_row, expect, forward_row, make_trace, parameter, run, step

from lossdoctor.detectors.base import Missing
from lossdoctor.detectors.catalogue import interventions
from lossdoctor.model import Finding, Step, Trace

FAULT = "eval_mode_missing"


def model(cls: str = "Dropout", **settings: Any) -> dict[str, Any]:
    return {"k": "model", "name": "model", "class": "Sequential", "training": True, "used": True,
            "parts": [["0", "Linear", {}], ["1", cls, settings]]}  # fmt: skip


def switched(at: int, of: int = 40) -> list[Step]:
    return [step(i, 2.0, training=i <= at) for i in range(1, of + 1)]


def test_evaluation_with_active_dropout_is_found() -> None:
    finding = expect(FAULT, make_trace(rows=[model(p=0.5), eval_row(modes={"train": 4}, site=1)]))
    assert (finding.where.line, finding.where.module) == (20, "1")


def test_evaluation_in_eval_mode_is_healthy() -> None:
    assert run(FAULT, make_trace(rows=[model(p=0.5), eval_row()])) is None


def test_layers_that_do_not_depend_on_the_mode_make_it_harmless() -> None:
    rows = [eval_row(modes={"train": 4})]
    assert run(FAULT, make_trace(rows=[model("LayerNorm"), *rows])) is None
    assert run(FAULT, make_trace(rows=[model(p=0.0), *rows])) is None
    assert run(FAULT, make_trace(rows=[model("BatchNorm1d", track_running_stats=False), *rows])) is None


def test_samples_of_a_generator_in_train_mode_are_no_evaluation() -> None:
    outcome = run(
        FAULT, make_trace(rows=[model("BatchNorm2d"), eval_row(modes={"train": 1}, loss=[], acc=[])])
    )
    assert outcome == Missing("an evaluation pass without gradients")


def test_one_stray_call_in_train_mode_is_not_the_evaluation() -> None:
    assert run(FAULT, make_trace(rows=[model(p=0.5), eval_row(modes={"train": 1, "eval": 4})])) is None


def test_training_that_stays_in_eval_mode_is_found_with_its_first_step() -> None:
    finding = expect(FAULT, make_trace(steps=switched(10), rows=[model(p=0.5), eval_row()]))
    assert finding.evidence[0].step == 11


def test_training_in_eval_mode_from_the_start_is_a_choice() -> None:
    assert run(FAULT, make_trace(steps=switched(0), rows=[model(p=0.5), eval_row()])) is None


def test_two_modes_that_alternate_are_a_choice() -> None:
    steps = [step(i, 2.0, training=i % 2 == 0) for i in range(1, 41)]
    assert run(FAULT, make_trace(steps=steps, rows=[model(p=0.5), eval_row()])) is None


def test_a_dropout_function_that_stays_on_is_found_at_its_line() -> None:
    finding = expect(FAULT, make_trace(rows=[model(p=0.5), eval_row(dropped=4, loss=[], acc=[])]))
    assert "dropout function" in finding.why


def test_answers_averaged_over_dropout_are_meant() -> None:
    shown = [{"k": "ids", "i": 10, "grad": False, "loader": None, "epoch": 1, "h": [1.0, 2.0], "y": None}] * 5
    assert run(FAULT, make_trace(rows=[model(p=0.5), eval_row(dropped=5), *shown])) is None


def test_a_model_without_such_layers_is_not_blamed_for_those_of_another() -> None:
    probe = model("ReLU") | {"class": "Linear"}
    rows = [model(p=0.5), probe, eval_row(modes={"train": 4}, root="Linear")]
    assert run(FAULT, make_trace(rows=rows)) is None
    expect(FAULT, make_trace(rows=[model(p=0.5), eval_row(modes={"train": 4}, root="Other")]))


def test_a_part_that_was_trained_before_is_used_in_eval_mode_with_reason() -> None:
    phases = [s.model_copy(update={"optimizer": 0 if s.training else 1}) for s in switched(20)]
    norm, head = parameter(0, "1.weight", optimizers=(0,)), parameter(1, "2.weight", optimizers=(1,))
    kept = make_trace(steps=phases, parameters=[norm, head], rows=[model("BatchNorm1d", momentum=0.1)])
    assert not isinstance(run(FAULT, kept), Finding)
    trained = [norm.model_copy(update={"optimizers": (0, 1)}), head]
    assert expect(FAULT, kept.model_copy(update={"parameters": tuple(trained)})).evidence[0].value == 20


def test_batch_norms_in_eval_mode_without_statistics_are_found_and_put_into_train_mode() -> None:
    def trains(*blank: int) -> Trace:
        calls = [forward_row(i, blank_norms=n) for i, n in enumerate(blank, 1)]
        return make_trace(rows=[model("BatchNorm2d"), *calls])

    assert "4 batch norms" in expect(FAULT, trains(4, 4, 4, 4, 4)).why
    assert interventions(FAULT, trains(4, 4, 4, 4, 4)) == ({"name": "train_mode"},)
    assert not isinstance(run(FAULT, trains(0, 0, 0, 0, 0)), Finding)
    assert not isinstance(run(FAULT, trains(4, 4, 0, 0, 0)), Finding)
    assert interventions(FAULT, trains(0, 0, 0, 0, 0)) == ({"name": "eval_mode"},)
    wrong = [
        model("BatchNorm2d"),
        *(forward_row(i, blank_norms=4) for i in range(1, 6)),
        eval_row(modes={"train": 4}),
    ]
    assert "train mode" in expect(FAULT, make_trace(rows=wrong)).why
    assert interventions(FAULT, make_trace(rows=wrong)) == ({"name": "eval_mode"},)
