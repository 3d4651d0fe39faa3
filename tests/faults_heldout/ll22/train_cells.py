"""Cell segmentation with a curriculum: scenes get harder during the first part of the run, the last part is averaged."""
from dataclasses import dataclass, field

import numpy as np
import torch
from torch.optim.swa_utils import SWALR, AveragedModel, update_bn

from losses import iou, segmentation_loss
from scenes import batch_of
from unet import UNet


@dataclass
class Plan:
    epochs: int = 15
    per_epoch: int = 256
    batch: int = 16
    lr: float = 1e-2
    swa_from: int = 10
    swa_lr: float = 4e-3
    stages: list = field(default_factory=lambda: [(0, 0.0, 0.3), (3, 0.0, 0.6), (6, 0.0, 1.0)])
    seed: int = 44

    def difficulty(self, epoch):
        return [s[1:] for s in self.stages if s[0] <= epoch][-1]


@torch.no_grad()
def evaluate(net, x, y):
    net.eval()
    out = torch.cat([net(c) for c in x.split(60)])
    return segmentation_loss(out, y).item(), iou(out, y)


def main(plan=Plan()):
    torch.manual_seed(plan.seed)
    rng = np.random.default_rng(plan.seed)
    fixed = np.random.default_rng(plan.seed + 1)
    easy, hard = batch_of(120, fixed, 0.0, 0.3), batch_of(120, fixed, 0.5, 1.0)

    net = UNet()
    average = AveragedModel(net)
    opt = torch.optim.Adam(net.parameters(), lr=plan.lr)
    swa_lr = SWALR(opt, swa_lr=plan.swa_lr, anneal_epochs=2)
    for epoch in range(plan.epochs):
        low, high = plan.difficulty(epoch)
        x, y = batch_of(plan.per_epoch, rng, low, high)
        net.train()
        total = 0.0
        for xb, yb in zip(x.split(plan.batch), y.split(plan.batch)):
            loss = segmentation_loss(net(xb), yb)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(xb)
        if epoch >= plan.swa_from:
            average.update_parameters(net)
            swa_lr.step()
        le, ie = evaluate(net, *easy)
        lh, ih = evaluate(net, *hard)
        print(f"epoch {epoch + 1:2d}  scenes up to {high:.1f}  train {total / len(x):.4f}  "
              f"easy {le:.4f} iou {ie:.3f}  hard {lh:.4f} iou {ih:.3f}")

    update_bn(x.split(plan.batch), average)
    lh, ih = evaluate(average, *hard)
    print(f"averaged weights: hard {lh:.4f} iou {ih:.3f}")


if __name__ == "__main__":
    main()
