import argparse

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader

from gestures import ClassBalancedBatches, load


class StrokeEncoder(nn.Module):
    def __init__(self, width=32, dim=24):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv1d(2, width, 5, padding=2), nn.GroupNorm(4, width), nn.GELU(),
            nn.Conv1d(width, width, 5, padding=2, stride=2), nn.GroupNorm(4, width), nn.GELU(),
            nn.Conv1d(width, 2 * width, 3, padding=1, stride=2), nn.GroupNorm(4, 2 * width), nn.GELU(),
        )
        self.proj = nn.Linear(2 * width * 6, dim)

    def forward(self, x):
        return F.normalize(self.proj(self.conv(x).flatten(1)), dim=1)


def batch_hard_triplet(z, y, scale=8.0):
    """Soft-margin triplet loss on the hardest positive and hardest negative of every anchor."""
    dist = (2 - 2 * z @ z.T).clamp(min=1e-6).sqrt()
    same = y[:, None] == y[None, :]
    eye = torch.eye(len(y), dtype=torch.bool)
    hardest_pos = dist.masked_fill(~same | eye, 0.0).amax(1)
    hardest_neg = dist.masked_fill(same, float("inf")).amin(1)
    return F.softplus(scale * (hardest_pos - hardest_neg + 0.1)).mean() / scale


@torch.no_grad()
def retrieval(net, data):
    net.eval()
    z = net(data.x)
    sim = z @ z.T
    sim.fill_diagonal_(-2.0)
    order = sim.argsort(dim=1, descending=True)
    hit = data.y[order] == data.y[:, None]
    r1 = hit[:, 0].float().mean().item()
    k = int((data.y == data.y[0]).sum()) - 1
    return r1, hit[:, :k].float().mean().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=12)
    ap.add_argument("--batches", type=int, default=40)
    ap.add_argument("--classes-per-batch", type=int, default=12)
    ap.add_argument("--samples-per-class", type=int, default=4)
    ap.add_argument("--lr", type=float, default=1e-3)
    a = ap.parse_args()
    torch.manual_seed(30)

    train, held = load("gestures.npz", n_held_out=20, seed=30)
    sampler = ClassBalancedBatches(train.y, a.classes_per_batch, a.samples_per_class, a.batches)
    loader = DataLoader(train, batch_sampler=sampler)
    net = StrokeEncoder()
    opt = torch.optim.AdamW(net.parameters(), lr=a.lr, weight_decay=1e-2)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, a.epochs * a.batches, eta_min=a.lr / 50)
    print(f"{len(train.y.unique())} classes to train on, {len(held.y.unique())} unseen classes")

    for epoch in range(1, a.epochs + 1):
        net.train()
        total = 0.0
        for x, y in loader:
            loss = batch_hard_triplet(net(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            total += loss.item()
        if epoch % 2 == 0:
            r1, rp = retrieval(net, held)
            print(f"epoch {epoch:2d}  triplet {total / a.batches:.4f}  unseen classes: recall@1 {r1:.3f}  r-precision {rp:.3f}")


if __name__ == "__main__":
    main()
