"""How smooth inputs are along their axes, as they are read and as their memory might have been meant."""

from __future__ import annotations

import pytest
from tests.recorder.harness import Record

SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
waves = torch.randn(32, 5, 40).cumsum(2)
stored = waves.transpose(1, 2).contiguous()
x = {x}
net = nn.Sequential(nn.Flatten(), nn.Linear(x[0].numel(), 1))
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for k in range(5):
    loss = net(x).pow(2).mean()
    opt.zero_grad(); loss.backward(); opt.step()
"""


@pytest.mark.parametrize(
    ("x", "smoothest"),
    [("waves", "along"), ("stored", "across"), ("torch.unflatten(stored.flatten(1), 1, (5, 40))", "other")],
)
def test_the_smoothest_reading_is_the_one_that_was_meant(record: Record, x: str, smoothest: str) -> None:
    rows = record(SCRIPT.format(x=x)).of("axes")
    assert [r["i"] for r in rows] == [1, 2, 3]
    sizes = {name: rows[0][name] for name in ("along", "across", "other")}
    assert min(sizes, key=lambda name: sizes[name]) == smoothest
    assert sizes[smoothest] < 0.6 * sorted(sizes.values())[1]


@pytest.mark.parametrize(
    "x", ["torch.randn(32, 40, 40)", "torch.randn(32, 200)", "torch.randint(0, 5, (32, 5, 40)) * 1.0"]
)
def test_noise_has_no_smooth_reading_and_other_shapes_have_none(record: Record, x: str) -> None:
    rows = record(SCRIPT.format(x=x)).of("axes")
    assert all(0.9 < r["other"] / r["along"] < 1.1 for r in rows)


def test_looking_leaves_no_sign_of_a_reshape(record: Record) -> None:
    assert record(SCRIPT.format(x="waves")).of("mix") == ()


IMAGES = SCRIPT.replace("waves = torch.randn(32, 5, 40).cumsum(2)", "waves = torch.randn(32, 3, 1, 1) + "
                        "torch.randn(32, 1, 12, 12).cumsum(2).cumsum(3)").replace(
    "stored = waves.transpose(1, 2).contiguous()", "stored = waves.permute(0, 2, 3, 1).contiguous()"
)  # fmt: skip


@pytest.mark.parametrize(
    ("x", "smoothest"),
    [
        ("waves * 1.0", "along"),
        ("(stored + torch.tensor([0., 9., 4.])).view(32, 3, 12, 12)", "other"),
        ("waves.repeat(1, 3, 1, 1) + 5 * torch.arange(9).view(9, 1, 1)", "along"),
        ("(stored.repeat(1, 1, 1, 3) + 5 * torch.arange(9)).view(32, 9, 12, 12)", "other"),
    ],
)
def test_images_that_are_stored_pixel_by_pixel_are_smooth_in_that_reading_only(
    record: Record, x: str, smoothest: str
) -> None:
    rows = record(IMAGES.format(x=x)).of("axes")
    sizes = {name: rows[0][name] for name in ("along", "across", "other")}
    assert (min(sizes, key=lambda name: sizes[name]) == "other") == (smoothest == "other")
