"""route(): evidence before words, one question, honest guesses."""

from __future__ import annotations

import sys

import pytest

from lossdoctor.model import Evidence, Fact, Finding, Ref, Severity, Status
from lossdoctor.routing import Facts, route, tables


def finding(
    symptom: str = "not_learning", severity: Severity = "critical", status: Status = "confirmed"
) -> Finding:
    return Finding(
        fault="optimizer_missing_params", severity=severity, confidence=0.9, status=status, symptom=symptom,
        evidence=(Evidence(quantity="update", value=0.0),), why="head.weight never moves", remedy="hand it over",
        sheet=Ref(id="optimization-algorithms", section="what-the-optimizer-holds"),
    )  # fmt: skip


def ids(refs: tuple[Ref, ...]) -> list[str]:
    return [ref.id for ref in refs]


def test_a_nan_goes_to_the_gradient_sheet_first() -> None:
    result = route("loss becomes NaN after 500 steps")
    assert result.status == "routed"
    assert ids(result.primary)[0] == "gradient-management"
    assert result.primary[0].uri == "sheet://gradient-management/non-finite-values"


def test_a_slow_run_without_utilisation_gets_exactly_one_question() -> None:
    result = route("why is the training speed so slow?")
    assert result.status == "needs_answer"
    assert result.question is not None
    assert result.question.fact == "gpu_utilization"
    assert result.primary == ()


def test_the_question_is_not_asked_when_the_words_tell() -> None:
    assert ids(route("training is slow, gpu at 15 %").primary)[0] == "pytorch-engineering"


def test_the_question_is_not_asked_when_a_probe_can_tell() -> None:
    result = route("why is the training so slow?", script="train.py")
    assert result.question is None
    assert result.next_probe is not None
    assert (result.next_probe.tool, result.next_probe.arguments) == ("diagnose", {"script": "train.py"})
    assert result.provisional


@pytest.mark.parametrize("key", list(tables.answers()))
def test_an_answer_in_the_questions_own_words_ends_the_questions(key: tuple[str, str]) -> None:
    fact, option = key
    complaint = next(
        c for c in COMPLAINTS if (q := route(c).question) and q.fact == fact and option in q.options
    )
    assert route(complaint, facts=Facts.model_validate({fact: option})).status == "routed"


COMPLAINTS = (
    "why is the training speed so slow?",
    "loss does not decrease, please help",
    "should we switch to Lion?",
    "hyperparameter search please",
    "my DPO isn't working",
    "fix my training",
    "performance is poor",
)


@pytest.mark.parametrize("complaint", COMPLAINTS)
def test_provisional_gives_a_labelled_guess_instead_of_the_question(complaint: str) -> None:
    asked, guess = route(complaint), route(complaint, provisional=True)
    assert asked.status == "needs_answer"
    assert not asked.provisional
    assert guess.status == "routed"
    assert guess.provisional
    assert guess.risk
    assert guess.primary


def test_a_route_with_evidence_is_not_provisional_even_when_a_guess_was_allowed() -> None:
    assert not route("loss is nan", provisional=True).provisional


def test_told_facts_outrank_the_words() -> None:
    result = route("loss is strange", facts=Facts(symptom="overfitting"))
    assert ids(result.primary)[0] == "overfitting-prevention"


def test_measured_facts_outrank_told_ones_and_say_so() -> None:
    measured = [Fact(name="loss_behaviour", value="non_finite", provenance="measured", quote="step 7")]
    result = route("loss is flat", facts=Facts(loss_behaviour="flat_from_start"), measured=measured)
    assert ids(result.primary)[0] == "gradient-management"
    assert {f.name: f.provenance for f in result.reasons}["loss_behaviour"] == "measured"


def test_a_findings_own_sheet_comes_first() -> None:
    result = route("the loss will not go down", findings=[finding()])
    assert result.symptom_class == "not_learning"
    assert (result.primary[0].id, result.primary[0].section) == (
        "optimization-algorithms",
        "what-the-optimizer-holds",
    )
    assert result.question is None
    assert result.reasons[0].value == "optimizer_missing_params"


@pytest.mark.parametrize(("severity", "status"), [("info", "suspected"), ("critical", "refuted")])
def test_refuted_and_informative_findings_do_not_route(severity: Severity, status: Status) -> None:
    measured = [Fact(name="loss_behaviour", value="falling_normally", provenance="measured")]
    result = route("loss is flat", measured=measured, findings=[finding(severity=severity, status=status)])
    assert result.symptom_class == "healthy"


def test_a_healthy_measured_run_is_not_routed_as_sick() -> None:
    measured = [Fact(name="loss_behaviour", value="falling_normally", provenance="measured")]
    result = route("Find out why this training run misbehaves.", measured=measured)
    assert (result.status, result.symptom_class, result.primary) == ("routed", "healthy", ())


def test_a_choice_is_still_answered_when_the_run_is_healthy() -> None:
    measured = [Fact(name="loss_behaviour", value="falling_normally", provenance="measured")]
    assert ids(route("which batch size should I use?", measured=measured).primary)[0].startswith("batch-size")


def test_measured_facts_that_the_router_does_not_know_are_reported_but_change_nothing() -> None:
    odd = [Fact(name="unheard_of", value=3, provenance="measured")]
    assert route("which loss function should I use", measured=odd).symptom_class in ("loss_choice", "healthy")


@pytest.mark.parametrize(
    ("complaint", "kind"),
    [
        ("loss is nan, demo tomorrow, just tell me what to change", "time"),
        ("my boss says we must use SGD, loss oscillates", "authority"),
        ("obviously the optimizer is bad, loss is stuck at 2.3 since epoch 1", "self_diagnosis"),
    ],
)
def test_pressure_is_heard_and_answered_kindly(complaint: str, kind: str) -> None:
    pressure = route(complaint).pressure
    assert pressure is not None
    assert pressure.kind == kind
    assert pressure.reply.endswith(".")


def test_negated_symptoms_do_not_route() -> None:
    assert (
        route("no NaNs, but the validation loss rises while the training loss falls").symptom_class
        == "overfitting"
    )


def test_the_users_own_remedy_is_not_the_symptom() -> None:
    assert route("I lowered the learning rate but the loss is still nan").symptom_class == "nan_instability"


def test_what_not_to_do_follows_the_class() -> None:
    assert any("clip" in line for line in route("loss is nan").avoid)


def test_other_fields_are_out_of_scope() -> None:
    result = route("css linear-gradient is not rendered in safari")
    assert (result.status, result.primary, result.question) == ("out_of_scope", (), None)


def test_another_pack_comes_with_what_to_look_at_first() -> None:
    ref = route("CUDA out of memory at the first step").primary[0]
    assert (ref.id, ref.kind) == ("pytorch-engineering", "pack")
    assert "1)" in ref.summary
    assert "2)" in ref.summary
    assert "3)" in ref.summary


def test_preference_runs_that_misbehave_are_joint() -> None:
    assert ids(route("DPO: gradient norm is huge and the loss spikes").primary) == [
        "llm-specialist",
        "gradient-management",
    ]


def test_at_most_four_sheets_and_none_twice_except_for_a_setup() -> None:
    for complaint in (
        "loss is nan in fp16",
        "overfitting with 90 images",
        "loss oscillates",
        "which batch size?",
    ):
        result = route(complaint)
        names = ids((*result.primary, *result.secondary))
        assert len(names) == len(set(names)) <= 4


def test_the_same_words_give_the_same_route() -> None:
    assert route("loss spikes at 40k") == route("loss spikes at 40k")


@pytest.mark.parametrize("complaint", ["", "   ", "\x00", "%%%", "a" * 20_000, "損失がnanになる", "🤷"])
def test_any_text_gets_an_answer(complaint: str) -> None:
    assert route(complaint).status in ("routed", "needs_answer", "out_of_scope")


def test_routing_needs_neither_torch_nor_numpy() -> None:
    import subprocess

    code = (
        "import sys; from lossdoctor.routing import route; route('loss is nan');"
        "print({'torch', 'numpy'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("validation loss keeps rising", "overfitting"),
        ("the test error keeps rising after epoch 5", "overfitting"),
        ("my loss keeps rising", "instability"),
        ("it starts at 1.2 and rises all the time", "instability"),
    ],
)
def test_what_rises_without_end_is_instability_only_where_it_is_trained_on(text: str, expected: str) -> None:
    assert route(text).symptom_class == expected
