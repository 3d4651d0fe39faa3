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
        ({"request": "switch_method", "topic": "modern_optimizer", "has_evidence": True}, "optimizer_modern"),
        ({"request": "switch_method", "topic": "data_augmentation_or_preprocessing"}, "augmentation"),
        ({"request": "tune_unspecified"}, "vague_tuning"),
        ({"request": "tune_unspecified", "names_parameters": True}, "hyperparameter_tuning"),
        ({"request": "improve_unspecified"}, "vague"),
        ({"request": "diagnose", "loss_behaviour": "fell_then_flat"}, "plateau"),
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
