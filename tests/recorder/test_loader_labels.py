"""Which tensor of a loader's batch is taken for the labels, beside lengths of what is padded in it."""

from __future__ import annotations

import pytest
import torch

from lossdoctor.recorder.loaders import _labels

LENGTHS = torch.tensor([3, 12, 7, 9, 5, 12])
TOKENS = torch.ones(6, 12, dtype=torch.long)
LABELS = torch.tensor([0, 1, 2, 3, 4, 1])


@pytest.mark.parametrize(
    ("batch", "chosen"),
    [
        ([torch.randn(6, 5), torch.randn(6, 12), LENGTHS], None),  # curves are asked for
        ([TOKENS, LABELS, LENGTHS], 1),
        ([TOKENS, LENGTHS, LABELS], 2),
        ([TOKENS, LENGTHS], 1),  # nothing else is there
        ([torch.randn(6, 5), torch.randn(6, 12), LABELS], 2),
        ([torch.randn(6, 5), torch.randn(6, 12), torch.ones(6, dtype=torch.long)], 2),  # one class only
        ([torch.randn(6, 5), torch.randn(6, 4), LABELS + 1], 2),  # boxes beside classes
        ([torch.randn(6, 5), torch.randn(6, 1)], None),
        (
            [
                torch.nested.nested_tensor([torch.randn(4), torch.randn(9)], layout=torch.jagged),
                torch.tensor([0, 1]),
            ],
            1,
        ),
        ([torch.randn(6, 12), LABELS.to(torch.complex64)], None),
        ([TOKENS, LENGTHS.to(torch.uint16), LABELS], 2),
    ],
)
def test_lengths_are_no_labels(batch: list[torch.Tensor], chosen: int | None) -> None:
    labels = _labels(batch)
    assert labels is (None if chosen is None else batch[chosen])
