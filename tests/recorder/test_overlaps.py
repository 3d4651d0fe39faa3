"""What overlap scores are made of: counted in evaluations and, between them, in training."""

from __future__ import annotations

from tests.recorder.harness import Record

MASKS = """
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)
x = torch.randn(24, 1, 4, 4)
net = nn.Conv2d(1, CLASSES, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
TARGETS
def overlaps(some):
    out, y = net(x[some]), target[some]
    counts = COUNTED
    return LOSS, counts
for epoch in range(3):
    trained = evaluated = 0
    for k in range(2):
        opt.zero_grad()
        loss, counts = overlaps(slice(8 * k, 8 * k + 8))
        loss.backward()
        opt.step()
        trained = trained + counts
    with torch.no_grad():
        held = [overlaps(slice(16, 20))[1], overlaps(slice(20, 24))[1]]
    print("counted for iou", [c.tolist() for c in held], trained.tolist())
"""
YES = {
    "CLASSES": "1",
    "TARGETS": "target = (x + torch.randn_like(x) > 0).float()",
    "COUNTED": "torch.stack([((out > 0) & (y > 0.5)).sum(), (out > 0).sum(), (y > 0.5).sum()])[None]",
    "LOSS": "F.binary_cross_entropy_with_logits(out, y)",
}
CLASSES = {
    "CLASSES": "3",
    "TARGETS": "target = torch.randint(0, 3, (24, 4, 4))\ntarget[:, 0] = -100",
    "COUNTED": "torch.stack([torch.stack([((out.argmax(1) == c) & (y == c)).sum(), "
    "((out.argmax(1) == c) & (y >= 0)).sum(), (y == c).sum()]) for c in range(3)])",
    "LOSS": "F.cross_entropy(out, y)",
}


def written(parts: dict[str, str]) -> str:
    script = MASKS
    for name in ("CLASSES", "TARGETS", "COUNTED", "LOSS"):
        script = script.replace(name, parts[name])
    return script


def counted(record: Record, parts: dict[str, str]) -> None:
    run = record(written(parts))
    told = [
        line.removeprefix("counted for iou ")
        for line in run.stdout.splitlines()
        if line.startswith("counted")
    ]
    rows = run.of("eval")
    assert len(rows) == len(told) == 3
    assert [f"{r['overlap']} {r['overlap_trained']}" for r in rows] == told


def test_masks_of_one_kind_are_counted_to_the_last_pixel(record: Record) -> None:
    counted(record, YES)


def test_masks_of_several_classes_are_counted_without_the_pixels_that_the_loss_leaves_out(
    record: Record,
) -> None:
    counted(record, CLASSES)


def test_training_on_large_pictures_is_not_counted_in_part(record: Record) -> None:
    large = {**YES, "TARGETS": "x = torch.randn(24, 1, 200, 200)\ntarget = (x > 0).float()"}
    rows = record(written(large)).of("eval")
    assert all("overlap" in r and "overlap_trained" not in r for r in rows)


def test_a_loss_without_classes_leaves_nothing(record: Record) -> None:
    script = written({**YES, "LOSS": "F.mse_loss(out, y)"})
    assert all("overlap" not in r for r in record(script).of("eval"))


def test_answers_beside_the_targets_that_training_left_are_counted_where_both_are_as_many(
    record: Record,
) -> None:
    left = """
y = target[8:16]
out = net(x[16:24])
"""
    whole = written({**YES, "LOSS": "F.binary_cross_entropy_with_logits(out, y)"}).replace(
        "slice(16, 20))[1], overlaps(slice(20, 24))[1]", "slice(16, 24))[1]"
    )
    indented = left.replace("\n", "\n        ")
    told = f"    with torch.no_grad():{indented}print('beside', {YES['COUNTED']}.tolist())\n"
    run = record(whole + told)
    beside = [line.removeprefix("beside ") for line in run.stdout.splitlines() if line.startswith("beside")]
    assert [str(r["overlap_left"]) for r in run.of("eval")] == beside
    assert len(beside) == 3
    assert all("overlap_left" not in r for r in record(written(YES)).of("eval"))
