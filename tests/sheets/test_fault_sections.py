"""The promise between fault pages and sheets: which section explains which fault."""

from __future__ import annotations

import pytest

from lossdoctor.sheetbook import section_ids, sections_of_fault, sheet_ids

SECTIONS = {
    "batch-size-and-memory-tradeoffs#batch-statistics": ("batchnorm_small_batch",),
    "batch-size-and-memory-tradeoffs#fp16-loss-scaling": ("fp16_overflow", "fp16_underflow"),
    "batch-size-and-memory-tradeoffs#feeding-the-device": ("device_underused",),
    "batch-size-and-memory-tradeoffs#gradient-noise": ("batch_size_too_small",),
    "batch-size-and-memory-tradeoffs#low-precision-weights": (
        "low_precision_optimizer",
        "low_precision_stall",
    ),
    "batch-size-and-memory-tradeoffs#too-few-updates": ("batch_size_too_large",),
    "data-augmentation-strategies#broken-values": ("constant_input", "nan_in_data"),
    "data-augmentation-strategies#input-scale": ("input_not_normalized",),
    "data-augmentation-strategies#label-faults": (
        "label_encoding_wrong",
        "label_misalignment",
        "label_noise",
    ),
    "data-augmentation-strategies#label-preserving": ("augmentation_destroys_signal",),
    "data-augmentation-strategies#train-and-eval-preprocessing": ("preprocess_mismatch",),
    "experiment-tracking#trustworthy-metrics": ("metric_misreported",),
    "gradient-management#accumulation": ("grad_accumulation_misuse",),
    "gradient-management#clipping": ("clip_misplaced", "grad_clip_too_tight"),
    "gradient-management#cut-graph": ("graph_detached",),
    "gradient-management#dead-units": ("dead_relu", "saturated_activation"),
    "gradient-management#exploding": ("exploding_gradient",),
    "gradient-management#initialisation": ("bad_initialization",),
    "gradient-management#non-finite-values": ("nan_from_op",),
    "gradient-management#vanishing": ("vanishing_gradient",),
    "gradient-management#zeroing-gradients": ("missing_zero_grad",),
    "learning-rate-scheduling#schedule-faults": ("lr_schedule_misuse",),
    "learning-rate-scheduling#too-high": ("lr_too_high",),
    "learning-rate-scheduling#too-low": ("lr_too_low",),
    "learning-rate-scheduling#training-budget": ("insufficient_training",),
    "learning-rate-scheduling#warmup": ("warmup_missing",),
    "loss-functions-and-objectives#choosing-a-loss": ("loss_wrong_for_task",),
    "loss-functions-and-objectives#class-imbalance": ("class_imbalance",),
    "loss-functions-and-objectives#direction": ("loss_sign_flipped",),
    "loss-functions-and-objectives#logits-or-probabilities": ("loss_activation_mismatch",),
    "loss-functions-and-objectives#masking": ("padding_not_masked",),
    "loss-functions-and-objectives#output-range": ("activation_output_mismatch",),
    "loss-functions-and-objectives#reduction": ("loss_reduction_misuse",),
    "loss-functions-and-objectives#several-terms": ("loss_term_imbalance",),
    "loss-functions-and-objectives#shapes-and-axes": ("loss_shape_broadcast", "tensor_layout_bug"),
    "loss-functions-and-objectives#target-leakage": ("target_leakage",),
    "loss-functions-and-objectives#target-scale": ("target_not_normalized",),
    "optimization-algorithms#sane-ranges": ("wrong_optimizer_hyperparameter",),
    "optimization-algorithms#what-the-optimizer-holds": (
        "optimizer_missing_params",
        "optimizer_wrong_params",
    ),
    "overfitting-prevention#early-stopping": ("early_stopping_misconfigured",),
    "overfitting-prevention#honest-splits": ("train_val_leakage",),
    "overfitting-prevention#the-gap": ("overfitting",),
    "overfitting-prevention#too-much-regularisation": ("over_regularization",),
    "overfitting-prevention#underfitting": ("missing_nonlinearity", "underfitting_capacity"),
    "training-loop-architecture#checkpoint-and-resume": ("checkpoint_restore_misuse",),
    "training-loop-architecture#data-order": ("duplicate_batches", "unshuffled_data"),
    "training-loop-architecture#frozen-and-fine-tuned": ("frozen_params",),
    "training-loop-architecture#graph-growth": ("graph_growth", "memory_growth"),
    "training-loop-architecture#host-stalls": ("sync_bottleneck",),
    "training-loop-architecture#one-step-in-order": ("missing_optimizer_step", "zero_grad_before_step"),
    "training-loop-architecture#recurrent-state": ("hidden_state_misuse",),
    "training-loop-architecture#train-and-eval-mode": ("eval_mode_missing",),
    "training-loop-architecture#waiting-for-data": ("dataloader_bottleneck",),
    "training-loop-architecture#weight-averaging": ("ema_misconfigured",),
    "training-loop-architecture#what-the-module-registers": ("unregistered_params",),
    "training-loop-architecture#what-to-build-once": ("optimizer_state_reset",),
}
PROMISES = [(fault, address) for address, faults in SECTIONS.items() for fault in faults]
SHEETS = {
    "batch-size-and-memory-tradeoffs",
    "data-augmentation-strategies",
    "experiment-tracking",
    "gradient-management",
    "hyperparameter-tuning",
    "learning-rate-scheduling",
    "loss-functions-and-objectives",
    "optimization-algorithms",
    "overfitting-prevention",
    "training-loop-architecture",
}


def test_the_ten_sheets_of_the_contract_exist() -> None:
    assert set(sheet_ids()) == SHEETS


@pytest.mark.parametrize("address", SECTIONS)
def test_a_section_that_fault_pages_link_exists(address: str) -> None:
    sheet, _, section = address.partition("#")
    assert section in section_ids(sheet)


@pytest.mark.parametrize(("fault", "address"), PROMISES)
def test_the_section_of_a_fault_names_the_fault(fault: str, address: str) -> None:
    assert address in sections_of_fault(fault)
