"""Facts as an agent fills them in -> class."""

from __future__ import annotations

from typing import Any

import pytest

from lossdoctor.routing import Facts, route


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({"request": "not_ml"}, "out_of_scope"),
        ({"request": "diagnose", "symptom": "nan_or_inf", "topic": "precision_choice"}, "nan_instability"),
        ({"request": "how_to", "symptom": "nan_or_inf", "topic": "precision_choice"}, "nan_instability"),
        (
            {
                "request": "diagnose",
                "symptom": "nan_or_inf",
                "topic": "llm_finetuning_or_rag",
                "method": "lora",
            },
            "nan_instability",
        ),
        ({"request": "choose", "symptom": "plateau", "topic": "early_stopping"}, "early_stopping"),
        ({"request": "diagnose", "symptom": "crash_or_error", "topic": "model_export"}, "export"),
        (
            {"request": "diagnose", "symptom": "crash_or_error", "topic": "llm_finetuning_or_rag"},
            "runtime_error",
        ),
        ({"request": "diagnose", "symptom": "slow_training", "topic": "data_loading"}, "dataloader"),
        (
            {"request": "diagnose", "symptom": "out_of_memory", "topic": "sharding_strategy"},
            "sharding_strategy",
        ),
        (
            {"request": "diagnose", "symptom": "loss_spikes_or_divergence", "method": "dpo"},
            "preference_dynamics",
        ),
        ({"request": "choose", "topic": "preference_method", "method": "grpo"}, "preference_method"),
        ({"request": "choose", "topic": "modern_optimizer", "method": "dpo"}, "preference_optimizer"),
        (
            {"request": "improve_unspecified", "method": "dpo", "symptom": "poor_result_unspecified"},
            "preference_vague",
        ),
        ({"request": "diagnose", "symptom": "nan_or_inf", "topic": "reinforcement_learning"}, "rl_dynamics"),
        ({"request": "diagnose", "symptom": "not_learning", "method": "rl"}, "rl"),
        ({"request": "switch_method", "topic": "modern_optimizer"}, "optimizer_switch"),
        ({"request": "switch_method", "symptom": "plateau"}, "plateau"),
        ({"request": "switch_method", "topic": "data_augmentation_or_preprocessing"}, "augmentation"),
        ({"request": "tune_unspecified"}, "vague_tuning"),
        ({"request": "tune_unspecified", "names_parameters": True}, "hyperparameter_tuning"),
        ({"request": "improve_unspecified"}, "vague"),
        ({"request": "diagnose", "loss_behaviour": "fell_then_flat"}, "plateau"),
        ({"symptom": "slow_convergence", "topic": "batch_size_or_accumulation"}, "batch_size"),
        ({"symptom": "plateau", "topic": "modern_optimizer"}, "optimizer_modern"),
        ({"symptom": "not_learning", "topic": "optimizer"}, "not_learning"),
        ({"symptom": "slow_training", "topic": "precision_choice"}, "precision_choice"),
        ({"symptom": "memory_not_saved", "topic": "optimizer_state_memory_8bit"}, "optimizer_memory"),
        ({"symptom": "memory_grows"}, "oom"),
        ({"symptom": "vanishing_gradient"}, "gradient_flow"),
        ({"symptom": "lr_never_changes"}, "lr_schedule"),
        ({"loss_behaviour": "zero_or_negative"}, "loss_choice"),
        ({"request": "diagnose", "grad_norm": "growing"}, "instability"),
        ({"request": "choose", "topic": "gradient_clipping", "grad_norm": "large"}, "clipping"),
        ({"topic": "preference_method", "method": "dpo", "grad_norm": "large"}, "preference_dynamics"),
        ({"topic": "preference_method", "method": "rl", "symptom": "nan_or_inf"}, "preference_dynamics"),
        ({"topic": "llm_finetuning_or_rag", "method": "rl", "symptom": "nan_or_inf"}, "preference_dynamics"),
        ({"request": "diagnose", "topic": "preference_method", "method": "dpo"}, "preference_vague"),
        ({"request": "diagnose", "method": "grpo", "symptom": "reward_or_output"}, "preference_method"),
        ({"request": "diagnose", "method": "rl", "symptom": "reward_or_output"}, "rl"),
        ({"request": "diagnose", "method": "lora", "symptom": "reward_or_output"}, "llm_method"),
    ],
)
def test_facts_decide_the_class(facts: dict[str, Any], expected: str) -> None:
    result = route("", facts=Facts(**facts))
    assert (result.symptom_class or result.status) == expected


def test_an_unspecified_flat_loss_is_asked_about_and_a_specified_one_is_not() -> None:
    vague = Facts(request="diagnose", symptom="not_learning", loss_behaviour="does_not_fall_unspecified")
    clear = Facts(request="diagnose", symptom="not_learning", loss_behaviour="flat_from_start")
    assert route("", facts=vague).status == "needs_answer"
    assert route("", facts=clear).status == "routed"


def test_low_utilisation_and_high_utilisation_lead_apart() -> None:
    low = route("", facts=Facts(symptom="slow_training", gpu_utilization=20))
    high = route("", facts=Facts(symptom="slow_training", gpu_utilization=95))
    assert low.primary[0].id == "pytorch-engineering"
    assert high.primary[0].id == "batch-size-and-memory-tradeoffs"


def test_the_words_decide_what_the_facts_leave_open() -> None:
    assert route("loss is nan", facts=Facts(learning_rate=1e-3)).symptom_class == "nan_instability"


def test_evidence_for_another_optimizer_counts_when_it_is_there_to_be_seen() -> None:
    facts = Facts(request="switch_method", topic="modern_optimizer", has_evidence=True)
    assert route("should we go from AdamW to SOAP?", facts=facts).status == "needs_answer"
    assert route("SOAP 71.2, AdamW 70.8: change?", facts=facts).symptom_class == "optimizer_modern"


def test_an_answer_counts_even_when_the_earlier_request_is_sent_again() -> None:
    facts = Facts.model_validate({"request": "switch_method", "answer": "nothing, just curious"})
    assert facts.request == "choose"
    again = Facts.model_validate({"symptom": "learns too slowly", "request": "switch_method"})
    assert route("lion instead of adam?", facts=again).symptom_class == "slow_convergence"


def test_a_slow_augmentation_is_not_asked_for_utilisation() -> None:
    facts = Facts(request="diagnose", symptom="slow_training", topic="data_augmentation_or_preprocessing")
    assert route("", facts=facts).primary[0].id == "data-augmentation-strategies"


@pytest.mark.parametrize(
    "complaint",
    [
        "my contrastive run collapsed, every embedding is the same, surely I need a bigger batch",
        "all embeddings are identical after an hour",
    ],
)
def test_collapsed_embeddings_outrank_the_remedy_that_is_asked_for(complaint: str) -> None:
    assert route(complaint).symptom_class == "one_class"


def test_shared_embeddings_are_no_collapse() -> None:
    assert route("should input and output share the same embeddings?").symptom_class != "one_class"
