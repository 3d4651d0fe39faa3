"""Facts about a training run, as an agent fills them in from what the user said and what the code shows.

Every field is optional: leave out what is not known, never guess. Units are in the descriptions.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, GetJsonSchemaHandler, model_validator
from pydantic.json_schema import JsonSchemaValue

Request = Literal[
    "diagnose", "choose", "how_to", "switch_method", "improve_unspecified", "tune_unspecified", "not_ml"
]
Symptom = Literal[
    "not_learning", "plateau", "slow_convergence", "oscillation", "loss_spikes_or_divergence", "nan_or_inf",
    "loss_scale_overflow", "vanishing_gradient", "large_gradient", "overfitting", "underfitting",
    "val_better_than_train", "train_eval_mode_gap", "constant_prediction", "lr_never_changes", "slow_training",
    "out_of_memory", "memory_grows", "memory_not_saved", "memory_limits_batch", "crash_or_error", "reward_or_output",
    "poor_result_unspecified", "paper_not_reproduced",
]  # fmt: skip
Topic = Literal[
    "learning_rate", "lr_schedule_or_warmup", "optimizer", "modern_optimizer", "optimizer_state_memory_8bit",
    "optimizer_hyperparameters", "batch_size_or_accumulation", "precision_choice", "sharding_strategy", "loss_function",
    "class_imbalance", "several_loss_terms", "gradient_clipping", "gradient_flow_or_init",
    "data_augmentation_or_preprocessing", "regularization_or_splits", "early_stopping", "training_loop_or_resume",
    "hyperparameter_search", "mup", "experiment_tracking_or_seeds", "new_training_setup",
    "distributed_api", "fsdp_deepspeed_api", "torch_compile", "amp_api", "checkpoint_loading", "data_loading",
    "install_or_version", "pytorch_error_or_api", "model_architecture", "inference_speed", "deployment_or_serving",
    "model_export", "quantization_for_inference", "model_registry_or_monitoring", "reinforcement_learning",
    "preference_method", "llm_finetuning_or_rag", "other_ml",
]  # fmt: skip
Loss = Literal[
    "does_not_fall_unspecified", "flat_from_start", "fell_then_flat", "slowly_falling", "oscillating", "spiking",
    "rising", "non_finite", "zero_or_negative", "falling_normally",
]  # fmt: skip
Onset = Literal["from_first_step", "early", "late", "after_resume", "at_lr_change"]
Precision = Literal["fp32", "tf32", "fp16", "bf16", "fp8"]
GradNorm = Literal["non_finite", "zero", "tiny", "normal", "large", "growing"]
Method = Literal[
    "dpo", "grpo", "ppo_rlhf", "simpo", "orpo", "kto", "other_preference", "rl", "sft", "lora", "gan"
]
NOTED = (
    "optimizer",
    "gpus",
    "memory_limited",
    "schedule",
    "warmup",
    "accumulation",
    "parameters",
    "task",
    "framework",
    "blames",
    "tried",
    "not_known",
)
"""Facts that are kept for the reader of a route and decide nothing yet; the published schema leaves them out."""
ANY = "*"
"""``not_known`` when an answer did not say which fact it leaves open."""
Heard = Literal["time", "authority", "self_diagnosis"]


class Facts(BaseModel):
    """What is known. Fill in `request` first, then `symptom` and/or `topic`, then details; leave out the unknown."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    request: Request | None = Field(
        default=None,
        description="diagnose: a run misbehaves. choose, how_to (alike): which, whether, how, why. switch_method: "
        "considers another optimizer, no symptom or measurement told. improve_unspecified: wants better results, not "
        "said what is wrong. tune_unspecified: nothing named. not_ml: not about training or running ML models.",
    )
    symptom: Symptom | None = Field(
        default=None,
        description="What goes wrong. large_gradient: loss fine. memory_grows: RAM or GPU. memory_not_saved: less was "
        "expected. memory_limits_batch: fits only with a small batch. reward_or_output: reward, entropy, KL or texts "
        "wrong. constant_prediction: same for all inputs. poor_result_unspecified: not said on which data.",
    )
    topic: Topic | None = Field(
        default=None,
        description="What is asked about. sharding_strategy: which ZeRO stage/FSDP mode, memory per stage. *_api: "
        "errors, usage. preference_method: DPO/GRPO/RLHF.",
    )
    loss_behaviour: Loss | None = Field(
        default=None,
        description="Training loss; flat_from_start only if a value, duration or 'from the start' is said",
    )
    onset: Onset | None = Field(default=None, description="early: first epoch; late: after progress")
    loss_at_chance: bool | None = Field(
        default=None, description="Loss equals guessing, e.g. ln(number of classes)"
    )
    optimizer: str | None = Field(default=None, max_length=80)
    learning_rate: float | None = Field(default=None, description="In use")
    schedule: str | None = Field(default=None, max_length=80)
    warmup: bool | None = None
    precision: Precision | None = Field(default=None, description="In use")
    grad_norm: GradNorm | None = None
    gpu_utilization: float | None = Field(
        default=None, ge=0, le=100, description="Percent; 25 if only 'low' is said, 95 if 'full'"
    )
    data_wait_share: float | None = Field(
        default=None, ge=0, le=1, description="Share of step time waiting for data"
    )
    heavy_augmentation: bool | None = Field(
        default=None, description="CPU augmentation/transforms cost the time"
    )
    train_metric: float | None = Field(default=None, description="Percent, 0-100")
    val_metric: float | None = Field(default=None, description="Percent; validation or test")
    dataset_size: float | None = Field(default=None, description="Training examples")
    batch_size: float | None = Field(default=None, description="In use")
    accumulation: float | None = None
    parameters: float | None = Field(default=None, description="Model size, e.g. 7e9")
    gpus: float | None = None
    memory_limited: bool | None = None
    method: Method | None = Field(default=None, description="sft: plain fine-tuning; rl: not language models")
    task: str | None = Field(default=None, max_length=80)
    framework: str | None = Field(default=None, max_length=80)
    has_evidence: bool | None = Field(
        default=None,
        description="Optimizers: a measured result is told; naming or using one is none",
    )
    names_parameters: bool | None = Field(
        default=None, description="Says which hyperparameters or search method"
    )
    blames: str | None = Field(default=None, max_length=120, description="The user's own guess at the cause")
    tried: str | None = Field(default=None, max_length=120)
    pressure: Heard | None = Field(default=None, description="Deadline, someone's order, own diagnosis")

    answer: str | None = Field(
        default=None, max_length=80, description="Chosen option of the question just asked, verbatim"
    )
    not_known: str | None = Field(
        default=None, max_length=40, description="A fact that was asked for and that nobody knows"
    )

    @model_validator(mode="before")
    @classmethod
    def _from_options(cls, told: Any) -> Any:
        """The options of a question may be sent back in their own words."""
        if not isinstance(told, dict):
            return told
        from lossdoctor.routing.tables import answers  # here: the tables are only needed when facts arrive

        plain: dict[str, Any] = {}
        chosen: dict[str, Any] = {}  # an answer is newer than what was told before the question
        for name, value in told.items():
            option = answers().get((name, value)) if isinstance(value, str) else None
            (chosen if option else plain).update(option or {name: value})
        if isinstance(plain.get("answer"), str):
            chosen.update(_by_answer(plain.pop("answer")))
        return plain | chosen

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: Any, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """The same schema without titles and null branches: agents pay for every byte of it."""
        schema = handler.resolve_ref_schema(handler(core_schema))
        listed = {name: _lean(spec) for name, spec in schema["properties"].items() if name not in NOTED}
        return {**schema, "properties": listed, "additionalProperties": True}


def _by_answer(option: str) -> dict[str, Any]:
    from lossdoctor.routing.tables import answers

    meant = [facts for (_, words), facts in answers().items() if words == option.strip()]
    return meant[0] if len(meant) == 1 else {"not_known": ANY}


def _lean(spec: dict[str, Any]) -> dict[str, Any]:
    branches = [b for b in spec.get("anyOf", ()) if b.get("type") != "null"]
    merged = {**(branches[0] if len(branches) == 1 else {}), **spec}
    unneeded = {"title", "default", "anyOf", "maxLength", *(["type"] if "enum" in merged else [])}
    return {key: value for key, value in merged.items() if key not in unneeded}
