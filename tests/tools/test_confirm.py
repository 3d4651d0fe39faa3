"""The decision rule of interventions, on runs made by hand."""

from __future__ import annotations

from typing import Any

import pytest
from tests.detectors.build import (
    batch_row,
    eval_row,
    falling,
    flat,
    forward_row,
    loss_row,
    make_trace,
    optimizer,
    parameter,
    print_row,
    step,
    steps_of,
    tensor_row,
)
from tests.detectors.sampled import both_sides, points, rows, wrong

from lossdoctor.detectors.base import TENTATIVE, found
from lossdoctor.detectors.catalogue import interventions, rule, shows
from lossdoctor.model import Finding, Optimizer, Site, Trace
from lossdoctor.tools.confirm import (
    Judgement,
    belonging,
    judge,
    promising,
    rivalled,
    settled,
    turns,
    uncovered,
)
from lossdoctor.tools.discriminate import discriminating, rival

TENTH = {"name": "scale_lr", "factor": 0.1}


def _run(losses: list[float], **more: Any) -> Trace:
    return Trace(steps=steps_of(losses, **more))


def _suspect(fault: str = "lr_too_high", **more: Any) -> Finding:
    return found(rule(fault), 0.8, "why").model_copy(update=more)


def test_a_change_that_makes_the_run_learn_confirms_and_shows_the_effect() -> None:
    judged = judge(_suspect(), _run(flat()), _run(falling()), TENTH).finding
    assert judged.status == "confirmed"
    assert judged.confidence >= 0.95
    assert judged.proof is not None
    assert "scale_lr factor=0.1" in judged.proof
    assert "loss at step 100 2.3 -> 0.3" in judged.proof


def test_a_change_without_effect_refutes() -> None:
    assert judge(_suspect(), _run(flat()), _run(flat(level=2.29)), TENTH).finding.status == "refuted"


def test_a_gain_within_the_noise_of_the_loss_refutes() -> None:
    noisy = flat(level=2.3, noise=1.5), flat(level=2.0, noise=1.5)
    assert judge(_suspect(), _run(noisy[0]), _run(noisy[1]), TENTH).finding.status == "refuted"


def test_a_structural_fault_is_never_refuted_by_a_change_without_effect() -> None:
    judged = judge(
        _suspect("missing_zero_grad"), _run(flat()), _run(flat()), {"name": "zero_gradients"}
    ).finding
    assert judged.status == "suspected"
    assert "no clear effect" in (judged.proof or "")


def test_a_run_that_breaks_under_the_change_refutes() -> None:
    broken = [*falling(60), *[float("nan")] * 40]
    judged = judge(_suspect(), _run(flat()), _run(broken), TENTH).finding
    assert judged.status == "refuted"
    assert "not finite" in (judged.proof or "")


def test_a_change_that_keeps_the_loss_finite_confirms() -> None:
    broken = [*flat(60), *[float("nan")] * 40]
    assert judge(_suspect(), _run(broken), _run(falling()), TENTH).finding.status == "confirmed"


def test_only_common_steps_are_compared() -> None:
    judgement = judge(_suspect(), _run(falling(100)), _run(falling(100)[:20]), TENTH)
    assert judgement.finding.status == "refuted"
    assert judgement.end == pytest.approx(falling(100)[18], rel=0.05)


def test_too_few_steps_decide_nothing() -> None:
    assert judge(_suspect(), _run(flat(4)), _run(falling(4)), TENTH).finding.status == "suspected"


def test_info_and_already_judged_findings_are_not_tested() -> None:
    findings = (_suspect(severity="info"), _suspect(status="refuted"), _suspect("lr_too_low"))
    kept = promising(findings, lambda finding: (TENTH,))
    assert [finding.fault for finding, _ in kept] == ["lr_too_low"]


def test_no_suspicion_spends_the_turns_of_another() -> None:
    ten, hundred = {"name": "scale_lr", "factor": 0.1}, {"name": "scale_lr", "factor": 0.01}
    firm, one, other = (
        _suspect(f, confidence=c) for f, c in (("lr_too_high", 0.7), ("lr_too_low", 0.3), ("dead_relu", 0.3))
    )
    order = turns([(one, (ten, hundred)), (firm, (ten, hundred)), (other, (ten,))])
    assert [(f.fault, c["factor"]) for f, c in order] == [
        ("lr_too_high", 0.1), ("lr_too_high", 0.01),
        ("lr_too_low", 0.1), ("dead_relu", 0.1), ("lr_too_low", 0.01),
    ]  # fmt: skip


def test_the_best_cure_names_the_cause_and_lesser_cures_fold_under_it() -> None:
    high, low = _suspect(status="confirmed"), _suspect("dead_relu", status="confirmed")
    kept = settled((high, low), (Judgement(high, 1.2), Judgement(low, 0.1)))
    assert [f.fault for f in kept] == ["dead_relu"]
    assert kept[0].consequences == ("lr_too_high",)


def test_labels_that_something_else_lets_be_learned_belong_to_their_inputs() -> None:
    shuffled, axes = (
        _suspect("label_misalignment", status="confirmed"),
        _suspect("dead_relu", status="confirmed"),
    )
    tried = Judgement(shuffled, change="shuffle_labels")

    def left(*judgements: Judgement) -> list[str]:
        return [f.fault for f in belonging((shuffled, axes), judgements)]

    assert left(tried, Judgement(axes, change="swap_axes", answers=True)) == ["dead_relu"]
    assert len(left(tried, Judgement(axes, change="swap_axes"))) == 2, "better in training alone"
    refuted = _suspect("dead_relu", status="refuted")
    assert len(left(tried, Judgement(refuted, change="swap_axes", answers=True))) == 2
    rolled = Judgement(shuffled, change="roll_labels", answers=True)
    assert len(left(rolled, Judgement(axes, change="swap_axes", answers=True))) == 2, "put right, so proven"


def test_equal_cures_and_structural_faults_stand_side_by_side() -> None:
    high, low = _suspect(status="confirmed"), _suspect("dead_relu", status="confirmed")
    assert len(settled((high, low), (Judgement(high, 0.1), Judgement(low, 0.1)))) == 2
    one = [Judgement(f, end, change="scale_lr") for f, end in ((high, 1.2), (low, 0.1))]
    assert len(settled((high, low), tuple(one))) == 2, "two sizes of the same cure"
    structural = _suspect("missing_zero_grad", status="confirmed")
    assert len(settled((high, structural), (Judgement(high, 0.1), Judgement(structural, 1.0)))) == 2


def test_a_lower_rate_beside_a_ramp_that_helped_stands_only_where_it_does_far_better() -> None:
    ramp, lower = _suspect("warmup_missing", status="confirmed"), _suspect("lr_too_high", status="confirmed")
    assert [f.fault for f in rival(_run(flat()), (ramp,))] == ["lr_too_high"]
    assert rival(_run(flat()), (_suspect("warmup_missing", status="refuted"),)) == ()
    assert rival(_run(flat()), (ramp, lower)) == ()

    def standing(of_ramp: float, of_lower: float) -> list[str]:
        tests = (
            Judgement(ramp, of_ramp, TENTATIVE, "warm_up"),
            Judgement(lower, of_lower, TENTATIVE, "scale_lr"),
        )
        left = settled(*rivalled((ramp, lower), tests))
        return [f.fault for f in left if f.status == "confirmed"]

    assert standing(1.2, 0.25) == ["lr_too_high"]
    assert standing(0.3, 0.25) == ["warmup_missing"]
    assert standing(0.01, 0.4) == ["warmup_missing"]


def test_a_flat_run_without_suspect_gets_the_discriminating_set_as_tentative_findings() -> None:
    suspects = discriminating(_run(flat()), ())
    assert {"lr_too_high", "lr_too_low"} <= {f.fault for f in suspects}
    assert all(f.confidence == TENTATIVE for f in suspects)


def test_labels_at_random_are_tried_last_where_near_inputs_foretell_none() -> None:
    def poor(mixed: bool) -> Trace:
        inputs, labels = points(400, 1)
        given = labels[1:] + labels[:1] if mixed else labels
        both = [*rows(inputs[:200], given[:200]), *rows(inputs[200:], given[200:], grad=False)]
        held = [eval_row(50, loss=[1.5]), eval_row(99, loss=[1.5])]
        return make_trace(flat(level=1.39), rows=[loss_row(), *held, *both])

    found_ = [f.fault for f in discriminating(poor(True), ())]
    assert found_[-1] == "label_misalignment"
    assert {"name": "shuffle_labels"} in interventions("label_misalignment", poor(True))
    assert "label_misalignment" not in [f.fault for f in discriminating(poor(False), ())]


def test_a_printed_score_that_rises_says_that_a_loss_of_the_scripts_own_need_not_fall() -> None:
    def asked(scores: list[float], *more: dict[str, Any]) -> bool:
        told = [print_row(10 * (k + 1), dev_auroc=v) for k, v in enumerate(scores)]
        return bool(discriminating(make_trace(flat(), rows=[*told, *more]), ()))

    rising = [0.745, 0.753, 0.777, 0.81, 0.823, 0.829]
    assert not asked(rising)
    assert asked(rising, loss_row())
    assert asked([0.5, 0.52, 0.49, 0.51, 0.5, 0.52])


def test_suspects_of_the_discriminating_set_say_where_their_change_would_be_made() -> None:
    sites = tuple(
        Site(id=k, what=what, file="train.py", line=10 + k) for k, what in enumerate(("optimizer", "loader"))
    )
    trace = _run(flat()).model_copy(
        update={"sites": sites, "optimizers": (Optimizer(id=0, cls="SGD", step=0, site=0),)}
    )
    lines = {f.fault: f.where.line for f in discriminating(trace, ())}
    assert lines == {
        "lr_too_high": 10,
        "lr_too_low": 10,
        "input_not_normalized": 11,
        "bad_initialization": None,
    }


def test_adversaries_that_are_even_are_at_the_level_of_a_constant_and_as_they_should_be() -> None:
    losses = [1.38 - 0.001 * (i % 5) for i in range(80)]
    even = [step(i, v, optimizer=i % 2) for i, v in enumerate(losses, 1)]
    assert discriminating(make_trace(losses, rows=[loss_row()]), ())
    assert discriminating(make_trace(steps=even, rows=[loss_row()]), ()) == ()


def test_a_run_that_learns_or_has_a_suspect_gets_no_further_tests() -> None:
    assert discriminating(_run(falling()), ()) == ()
    assert discriminating(_run(flat()), (_suspect("missing_zero_grad"),)) == ()


def test_a_refuted_suspect_leaves_room_for_the_discriminating_set() -> None:
    assert discriminating(_run(flat()), (_suspect("dead_relu", status="refuted"),))


def test_losses_of_standardised_targets_are_compared_relative_to_the_constant_answer() -> None:
    change = {"name": "standardise_targets"}
    raw = loss_row(fn="mse_loss", target={"shape": [8], "mean": 400.0, "std": 100.0})
    unit = loss_row(fn="mse_loss", target={"shape": [8], "mean": 0.0, "std": 1.0})
    before = make_trace(flat(level=1e4, noise=10.0), rows=[raw])
    same, better = (make_trace(flat(level=v), rows=[unit]) for v in (1.0, 0.2))
    suspect = _suspect("target_not_normalized")
    assert judge(suspect, before, same, change).finding.status == "refuted"
    assert judge(suspect, before, better, change).finding.status == "confirmed"


def test_a_change_that_did_not_remove_the_sign_decides_nothing() -> None:
    far = {0: (0.1, 1.0, 1.0)}  # updates of a tenth of the weights, before and after
    before, after = (make_trace(steps=steps_of(flat(level=v), updates=far)) for v in (2.3, 2.29))
    judged = judge(_suspect(), before, after, TENTH).finding
    assert judged.status == "suspected"
    assert "still there" in (judged.proof or "")


def test_settings_that_change_nothing_when_taken_away_are_refuted() -> None:
    """The script goes on to see its own settings, so their sign is there as before."""
    groups = [optimizer(cls="AdamW", groups=({"lr": 1e-3, "weight_decay": 5.0},))]
    before, after = (make_trace(flat(level=v), optimizers=groups) for v in (2.3, 2.29))
    change = {"name": "hyperparameters", "weight_decay": 0.0}
    judged = judge(_suspect("wrong_optimizer_hyperparameter"), before, after, change).finding
    assert judged.status == "refuted"


def test_the_factor_of_a_rate_follows_from_the_size_of_its_updates() -> None:
    tiny = make_trace(steps=steps_of(flat(), updates={0: (1e-7, 1.0, 1.0)}))
    huge = make_trace(steps=steps_of(flat(), updates={0: (3.0, 1.0, 1.0)}))
    assert interventions("lr_too_low", tiny)[0]["factor"] == pytest.approx(1e4)
    assert interventions("lr_too_high", huge)[0]["factor"] == pytest.approx(1e-3)


def test_where_some_weights_move_usually_and_most_hardly_both_are_brought_up() -> None:
    updates = {0: (2e-4, 1.0, 1.0), **dict.fromkeys(range(1, 4), (4e-05, 1.0, 1.0))}
    weights = [parameter(k, f"{k}.weight") for k in range(4)]
    steps = steps_of(flat(), updates=updates)
    factors = [c["factor"] for c in interventions("lr_too_low", make_trace(steps=steps, parameters=weights))]
    assert factors == [10.0, 100.0]


def test_what_the_size_of_the_updates_or_the_kind_of_the_inputs_speaks_against_is_not_tried() -> None:
    def tried(ratio: float, dtype: str = "float32") -> set[str]:
        steps = steps_of(flat(), updates={0: (ratio, 1.0, 1.0)})
        given = forward_row(1, **{"in": [tensor_row(dtype=dtype)]})
        return {f.fault for f in discriminating(make_trace(steps=steps, rows=[given]), ())}

    assert {"lr_too_high", "lr_too_low", "input_not_normalized"} <= tried(3e-3)
    assert tried(1e-5) == tried(3e-3) - {"lr_too_high"}
    assert tried(0.3) == tried(3e-3) - {"lr_too_low"}
    assert tried(3e-3, "int64") == tried(3e-3) - {"input_not_normalized"}


def test_a_cure_that_makes_it_worse_refutes_although_the_sign_is_still_there() -> None:
    loud = {"updates": {0: (0.1, 1.0, 0.0)}}
    before = make_trace(steps=steps_of(flat(level=0.5, noise=0.1), **loud))
    after = make_trace(steps=steps_of(flat(level=1.5, noise=0.1), **loud))
    assert shows("lr_too_high", after)
    judged = judge(_suspect(), before, after, TENTH).finding
    assert judged.status == "refuted"


def test_the_level_of_chance_is_that_of_the_loss_in_use() -> None:
    """A weighted loss is not held against the entropy of the labels."""
    target = {**loss_row()["target"], "hist": {"0": 31, "1": 1}}

    def of(weighted: bool) -> Trace:
        return _run(falling(100, 0.7, 0.25)).model_copy(
            update={"rows": {"loss": (loss_row(target=target, weighted=weighted),)}}
        )

    assert discriminating(of(False), ())
    assert discriminating(of(True), ()) == ()


def _evaluated(value: float) -> Trace:
    rows = [eval_row(i, loss=[value], loss_of=[[100, 1]], seen=[0.0]) for i in (40, 80)]
    return make_trace(steps=steps_of(falling()), rows=rows)


def test_a_fault_of_evaluation_that_does_no_harm_is_mere_information() -> None:
    suspect = _suspect("eval_mode_missing")
    for value in (0.401, 0.5):
        judged = judge(suspect, _evaluated(0.4), _evaluated(value), {"name": "eval_mode"}).finding
        assert (judged.severity, judged.status) == ("info", "suspected")
        assert "no harm" in (judged.proof or "")
    better = judge(suspect, _evaluated(0.4), _evaluated(0.3), {"name": "eval_mode"}).finding
    assert (better.severity, better.status) == ("warning", "confirmed")


def test_a_fault_of_evaluation_that_the_change_did_not_reach_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lossdoctor.tools.confirm.shows", lambda fault, trace: True)
    suspect = _suspect("eval_mode_missing")
    assert (
        judge(suspect, _evaluated(0.4), _evaluated(0.5), {"name": "eval_mode"}).finding.severity == "warning"
    )


def test_axes_that_were_read_rightly_make_the_run_worse_when_they_are_swapped() -> None:
    suspect, swap = _suspect("tensor_layout_bug"), {"name": "swap_axes"}
    assert judge(suspect, _run(falling()), _run(flat()), swap).finding.status == "refuted"
    assert judge(suspect, _run(falling()), _run(falling()), swap).finding.status == "suspected"


def test_what_only_bounds_the_harm_gives_way_to_a_cause_whose_cure_removes_it() -> None:
    """Summed losses explode at a rate made for means: clipping ends lower than the mean's rate, and is no cause."""
    blown, summed = _confirmed("exploding_gradient"), _confirmed("loss_reduction_misuse")

    def kept(removed: set[str], change: str = "clip") -> dict[str, tuple[str, ...]]:
        tests = (
            Judgement(blown, 17.0, TENTATIVE, change),
            Judgement(summed, 28.0, change="scale_lr", removed=frozenset(removed)),
        )
        return {f.fault: f.consequences for f in settled((blown, summed), tests)}

    assert kept({"exploding_gradient"}) == {"loss_reduction_misuse": ("exploding_gradient",)}
    assert kept(set()) == {"exploding_gradient": ("loss_reduction_misuse",)}
    assert list(kept({"exploding_gradient"}, "reinitialise")) == ["exploding_gradient"]


def test_a_confirmed_cause_says_which_of_its_consequences_are_gone() -> None:
    rate = {"name": "scale_lr", "factor": 0.01}
    told = judge(_suspect("loss_reduction_misuse"), _run(flat()), _run(falling()), rate)
    assert "exploding_gradient" in told.removed
    assert not judge(_suspect("loss_reduction_misuse"), _run(flat()), _run(flat()), rate).removed


def test_a_cure_of_a_mere_suspicion_gives_way_to_a_better_one_even_if_its_fault_is_structural() -> None:
    jumps, rate = _confirmed("exploding_gradient"), _confirmed("lr_too_high")
    both = (Judgement(jumps, 0.1, TENTATIVE), Judgement(rate, 0.03, TENTATIVE))
    (kept,) = settled((jumps, rate), both)
    assert (kept.fault, kept.consequences) == ("lr_too_high", ("exploding_gradient",))
    facts = (Judgement(jumps, 0.1, 0.85), Judgement(rate, 0.03, TENTATIVE))
    assert len(settled((jumps, rate), facts)) == 2


def _confirmed(fault: str) -> Finding:
    return _suspect(fault, status="confirmed", confidence=0.95)


def test_a_column_that_the_model_does_not_use_is_no_leak() -> None:
    suspect, without = _suspect("target_leakage"), {"name": "without_feature", "columns": [2]}
    judged = judge(suspect, _run(falling()), _run(falling()), without).finding
    assert (judged.status, "does not use it" in (judged.proof or "")) == ("refuted", True)
    other = judge(suspect, _run(falling()), _run(falling(end=0.31)), without).finding
    assert other.status == "suspected"


def test_a_column_that_the_change_did_not_reach_stays_suspected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lossdoctor.tools.confirm.shows", lambda fault, trace: True)
    suspect, without = _suspect("target_leakage"), {"name": "without_feature", "columns": [2]}
    assert judge(suspect, _run(falling()), _run(falling()), without).finding.status == "suspected"


def test_wrong_labels_that_augmentation_hid_show_without_it() -> None:
    noisy = make_trace(rows=[batch_row(), *both_sides(wrong(0.35))])
    sound = make_trace(rows=[batch_row(), *both_sides()])
    change = {"name": "no_augmentation", "drawn": True}
    assert [f.fault for f in uncovered(change, (), noisy)] == ["label_noise"]
    assert uncovered(change, (), sound) == ()
    assert uncovered(change, (_suspect("label_noise"),), noisy) == ()
    assert uncovered({"name": "no_dropout"}, (), noisy) == ()


def test_a_wide_network_proves_nothing_of_a_mere_suspicion_without_held_out_answers() -> None:
    wide = {"name": "widen"}
    assert (
        judge(_suspect("underfitting_capacity"), _run(flat()), _run(falling()), wide).finding.status
        == "confirmed"
    )
    only = _suspect("underfitting_capacity").model_copy(update={"confidence": TENTATIVE})
    assert judge(only, _run(flat()), _run(falling()), wide).finding.status == "suspected"


def test_augmentation_left_out_proves_nothing_of_a_mere_suspicion_without_held_out_answers() -> None:
    change, only = {"name": "no_augmentation"}, _suspect("augmentation_destroys_signal", confidence=TENTATIVE)
    assert judge(only, _run(flat()), _run(falling()), change).finding.status == "suspected"

    def told(share: float) -> Trace:
        return make_trace(flat(), rows=[print_row(i, valid_acc=share) for i in (50, 99)])

    assert judge(only, told(0.6), told(0.9), change).finding.status == "confirmed"
    assert judge(only, told(0.6), told(0.62), change).finding.status != "confirmed"


def test_a_state_whose_reset_makes_the_run_worse_was_rightly_carried() -> None:
    suspect, change = _suspect("hidden_state_misuse", confidence=0.85), {"name": "reset_state"}
    assert judge(suspect, _run(falling()), _run(flat()), change).finding.status == "refuted"
    assert judge(suspect, _run(flat()), _run(flat()), change).finding.status == "suspected"
