"""Numbers and units in complaints."""

from __future__ import annotations

import pytest

from lossdoctor.routing.measures import number_concepts, read_numbers


@pytest.mark.parametrize(
    ("text", "value"),
    [("GPU at 30 %", 30), ("gpu-util 0~16%", 16), ("utilization is around 35 percent", 35), ("90% gpu usage", 90),
     ("the 4090 at 15%", 15), ("GPU利用率 12%", 12)],
)  # fmt: skip
def test_utilisation_is_read_in_per_cent(text: str, value: float) -> None:
    assert read_numbers(text)["gpu_utilization"] == value


def test_a_share_of_something_else_is_not_utilisation() -> None:
    assert "gpu_utilization" not in read_numbers("accuracy 30% after one epoch")


@pytest.mark.parametrize(
    "text",
    [
        "train 84 % vs test 46 %",
        "train acc 0.99 val acc 0.61",
        "97% on training data, 60% in test",
        "train_acc: 99 val_acc: 70",
    ],
)
def test_a_train_and_validation_gap_is_seen(text: str) -> None:
    assert "num_gap" in number_concepts(read_numbers(text))


def test_validation_above_training_is_seen() -> None:
    assert "num_val_above" in number_concepts(read_numbers("val acc 95 percent, train acc 85 percent"))


def test_error_rates_count_downwards() -> None:
    assert "num_gap" in number_concepts(read_numbers("training error 1%, testing error 35%"))


@pytest.mark.parametrize("text", ["2.3026 and acc 0.10", "loss stays .693", "stuck at 6.907"])
def test_the_loss_of_guessing_is_recognised(text: str) -> None:
    assert "chance_loss" in read_numbers(text)


def test_an_ordinary_loss_is_not_the_loss_of_guessing() -> None:
    assert "chance_loss" not in read_numbers("loss 0.52 at the end")


@pytest.mark.parametrize(
    ("text", "value"), [("lr 5e-6", 5e-6), ("learning rate is 0.001", 0.001), ("lr=3e-4", 3e-4)]
)
def test_the_rate_is_read(text: str, value: float) -> None:
    assert read_numbers(text)["learning_rate"] == value


@pytest.mark.parametrize(
    ("text", "value"), [("90 labeled images", 90), ("20k images", 20_000), ("1,500 samples", 1500)]
)
def test_the_size_of_the_data_is_read(text: str, value: float) -> None:
    assert read_numbers(text)["dataset_size"] == value


def test_text_without_numbers_has_none() -> None:
    assert number_concepts(read_numbers("the loss is strange")) == []


@pytest.mark.parametrize("odd", ["0..65535 uint16 pictures", "1.2.3 samples", "1,,2 images", ", images"])
def test_a_malformed_count_is_no_reason_to_fail(odd: str) -> None:
    assert read_numbers(odd).get("dataset_size", 0) < 1e6


def test_a_number_beyond_any_float_is_left_out() -> None:
    assert "learning_rate" not in read_numbers(f"lr {'9' * 400}")
