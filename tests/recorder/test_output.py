"""Numbers that a script prints are kept under the names that it gave them."""

from __future__ import annotations

import pytest

from lossdoctor.recorder.output import named_numbers


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("epoch 3 loss: 0.42", {"epoch": 3.0, "loss": 0.42}),
        ("{'acc': 0.5, 'val_loss': 1e-3}", {"acc": 0.5, "val_loss": 1e-3}),
        ("train loss 0.4 ndcg 0.99 | vali loss 0.9 ndcg 0.56",
         {"train loss": 0.4, "train ndcg": 0.99, "vali loss": 0.9, "vali ndcg": 0.56}),
        ("[train] f1=0.9 [test] f1=0.5", {"train f1": 0.9, "test f1": 0.5}),
        ("a loss 1.0 b loss 2.0", {"a loss": 1.0, "b loss": 2.0}),
        ("loss: 1.0, again loss: 2.0", {"loss": 1.0, "again loss": 2.0}),
        ("those: loss 1.0 acc 0.9 | others: loss 2.0 acc 0.5",
         {"loss": 1.0, "acc": 0.9, "others loss": 2.0, "others acc": 0.5}),
        ("train images: loss 1.0 | kept images: loss 2.0", {"train loss": 1.0, "kept images loss": 2.0}),
        ("loss 0.1  rmse train 0.2  val 0.9 test 0.8",
         {"loss": 0.1, "rmse train": 0.2, "rmse val": 0.9, "rmse test": 0.8}),
        ("train loss 0.4 val 0.9", {"train loss": 0.4, "val": 0.9}),
        ("acc 0.9 / acc 0.5", {"acc": 0.9, "acc 2": 0.5}),
        ("no numbers here", {}),
    ],
)  # fmt: skip
def test_named_numbers_of_a_line(line: str, expected: dict[str, float]) -> None:
    assert named_numbers(line) == expected
