from __future__ import annotations

from typing import Any

from lossdoctor.detectors.base import found
from lossdoctor.detectors.catalogue import fault_ids, rule
from lossdoctor.detectors.causes import consequences, ordered
from lossdoctor.model import Evidence, Finding


def finding(fault: str, confidence: float = 0.9, **more: Any) -> Finding:
    made = found(rule(fault), confidence, "because", Evidence(quantity="q", value=1))
    return made.model_copy(update=more)


def faults(*findings: Finding) -> list[str]:
    return [f.fault for f in ordered(findings)]


def test_causes_and_consequences_are_known_faults() -> None:
    known = set(fault_ids())
    for cause, found_ in consequences().items():
        assert cause in known, cause
        assert set(found_) <= known, cause


def test_no_fault_is_its_own_consequence() -> None:
    assert not [c for c, found_ in consequences().items() if c in found_]


def test_a_consequence_folds_under_its_cause() -> None:
    ranked = ordered((finding("dead_relu", 0.95), finding("lr_too_high", 0.7)))
    assert [f.fault for f in ranked] == ["lr_too_high"]
    assert ranked[0].consequences == ("dead_relu",)


def test_chains_fold_under_the_first_cause() -> None:
    ranked = ordered((finding("nan_from_op"), finding("lr_too_high"), finding("missing_zero_grad")))
    assert [f.fault for f in ranked] == ["missing_zero_grad"]
    assert ranked[0].consequences == ("lr_too_high", "nan_from_op")


def test_two_faults_that_may_each_cause_the_other_do_not_vanish_both() -> None:
    assert len(faults(finding("nan_from_op"), finding("lr_too_high"))) == 1


def test_a_refuted_cause_explains_nothing_and_comes_last() -> None:
    ranked = faults(finding("lr_too_high", status="refuted"), finding("dead_relu"))
    assert ranked == ["dead_relu", "lr_too_high"]


def test_a_remark_explains_nothing() -> None:
    remark = finding("optimizer_missing_params", severity="info")
    assert faults(remark, finding("lr_too_low")) == ["lr_too_low", "optimizer_missing_params"]


def test_unrelated_faults_are_ranked_by_proof_then_severity_then_confidence() -> None:
    slow = finding("dataloader_bottleneck", 0.99)
    proven = finding("class_imbalance", 0.7, status="confirmed")  # a warning
    likely = finding("lr_too_low", 0.9)
    remark = finding("missing_zero_grad", 0.99, status="confirmed", severity="info")
    ranked = faults(slow, remark, likely, proven)
    assert ranked == ["class_imbalance", "lr_too_low", "dataloader_bottleneck", "missing_zero_grad"]


def test_a_certain_fact_of_structure_stands_beside_what_a_change_has_proven() -> None:
    cured, fact = finding("lr_too_high", 0.95, status="confirmed"), finding("graph_detached", 0.97)
    assert faults(cured, fact) == ["graph_detached", "lr_too_high"]


def test_nothing_found_stays_nothing() -> None:
    assert ordered(()) == ()


def test_labels_that_only_a_stale_average_gets_wrong_are_explained_by_it() -> None:
    ranked = ordered((finding("label_encoding_wrong", 0.75), finding("ema_misconfigured", 0.9)))
    assert [f.fault for f in ranked] == ["ema_misconfigured"]


def test_a_layer_that_passes_nothing_on_explains_what_a_network_beside_it_wins() -> None:
    for cause in ("saturated_activation", "dead_relu"):
        ranked = ordered((finding("underfitting_capacity", 0.95, status="confirmed"), finding(cause, 0.8)))
        assert [f.fault for f in ranked] == [cause]
