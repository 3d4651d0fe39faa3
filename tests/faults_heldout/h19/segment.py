"""Segmentation of blobs on a textured background: small U-Net, BCE + Dice, checkpointed blocks, SWA."""
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.optim.swa_utils import SWALR, AveragedModel
from torch.utils.checkpoint import checkpoint
from torch.utils.data import DataLoader, TensorDataset

SIZE = 24


def scenes(n, seed):
    rng = np.random.default_rng(seed)
    yy, xx = np.mgrid[:SIZE, :SIZE]
    imgs, masks = np.zeros((n, 1, SIZE, SIZE), np.float32), np.zeros((n, 1, SIZE, SIZE), np.float32)
    for k in range(n):
        fx, fy, ph = rng.uniform(0.1, 0.6), rng.uniform(0.1, 0.6), rng.uniform(0, 6.28)
        img = 0.4 * np.sin(fx * xx + fy * yy + ph)
        mask = np.zeros((SIZE, SIZE), bool)
        for _ in range(rng.integers(1, 4)):
            cy, cx, ry, rx = rng.uniform(4, 20), rng.uniform(4, 20), rng.uniform(2.5, 6), rng.uniform(2.5, 6)
            mask |= ((yy - cy) / ry) ** 2 + ((xx - cx) / rx) ** 2 < 1
        img = img + 0.9 * mask + 0.4 * rng.normal(size=img.shape)
        imgs[k, 0], masks[k, 0] = img, mask
    return torch.from_numpy(imgs), torch.from_numpy(masks)


def block(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.GroupNorm(4, o), nn.ReLU(),
                         nn.Conv2d(o, o, 3, padding=1), nn.GroupNorm(4, o), nn.ReLU())


class UNet(nn.Module):
    def __init__(self, w=8):
        super().__init__()
        self.d1, self.d2, self.mid = block(1, w), block(w, 2 * w), block(2 * w, 2 * w)
        self.u2, self.u1 = block(4 * w, w), block(2 * w, w)
        self.out = nn.Conv2d(w, 1, 1)

    def run(self, module, x):
        if self.training:
            return checkpoint(module, x, use_reentrant=False)
        return module(x)

    def forward(self, x):
        a = self.run(self.d1, x)
        b = self.run(self.d2, F.max_pool2d(a, 2))
        c = self.run(self.mid, F.max_pool2d(b, 2))
        b = self.run(self.u2, torch.cat([F.interpolate(c, scale_factor=2.0), b], 1))
        a = self.run(self.u1, torch.cat([F.interpolate(b, scale_factor=2.0), a], 1))
        return self.out(a)


def dice_loss(logits, y):
    p = torch.sigmoid(logits)
    inter = (p * y).sum((1, 2, 3))
    return (1 - (2 * inter + 1) / (p.sum((1, 2, 3)) + y.sum((1, 2, 3)) + 1)).mean()


@torch.no_grad()
def iou(model, loader):
    model.eval()
    inter = union = 0
    for x, y in loader:
        p = model(x) > 0
        inter += (p & (y > 0)).sum().item()
        union += (p | (y > 0)).sum().item()
    return inter / union


def flip(x, y):
    if torch.rand(()) < 0.5:
        x, y = x.flip(-1), y.flip(-1)
    if torch.rand(()) < 0.5:
        x, y = x.flip(-2), y.flip(-2)
    return x, y


if __name__ == "__main__":
    torch.manual_seed(9)
    xtr, ytr = scenes(480, 1)
    xva, yva = scenes(120, 2)
    mu, sd = xtr.mean(), xtr.std()
    train = DataLoader(TensorDataset((xtr - mu) / sd, ytr), batch_size=8, shuffle=True)
    val = DataLoader(TensorDataset((xva - mu) / sd, yva), batch_size=60)
    net = UNet()
    averaged = AveragedModel(net)
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    epochs, swa_start = 8, 5
    cosine = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=epochs, eta_min=1e-3)
    swa_sched = SWALR(opt, swa_lr=1.5e-3, anneal_epochs=1)
    for epoch in range(epochs):
        net.train()
        tot = 0.0
        for x, y in train:
            x, y = flip(x, y)
            logits = net(x)
            loss = 0.5 * F.binary_cross_entropy_with_logits(logits, y) + 0.5 * dice_loss(logits, y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item()
        if epoch >= swa_start:
            averaged.update_parameters(net)
            swa_sched.step()
        else:
            cosine.step()
        print(f"epoch {epoch} loss {tot / len(train):.4f} val IoU {iou(net, val):.4f}")
    print(f"averaged weights: val IoU {iou(averaged, val):.4f}")
