"""Classifies product embeddings into a long-tailed catalogue."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from catalog import part
from losses import LogitAdjusted


class CosineHead(nn.Module):
    def __init__(self, d, classes, scale=16.0):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(classes, d) * d ** -0.5)
        self.scale = scale

    def forward(self, x):
        return self.scale * nn.functional.linear(nn.functional.normalize(x, dim=1), nn.functional.normalize(self.weight, dim=1))


def by_band(pred, y, counts):
    rec = torch.stack([(pred[y == c] == c).float().mean() for c in range(len(counts))])
    order = counts.argsort(descending=True)
    third = len(counts) // 3
    return rec.mean(), [rec[order[a:a + third]].mean() for a in (0, third, 2 * third)]


def main():
    torch.manual_seed(55)
    x, y = part("train")
    xv, yv = part("test")
    counts = torch.bincount(y)
    print(f"{len(counts)} classes, {counts.max()}..{counts.min()} items each")
    net = nn.Sequential(nn.Linear(x.shape[1], 96), nn.ReLU(), nn.Dropout(0.3), nn.Linear(96, 64), CosineHead(64, len(counts)))
    crit = LogitAdjusted(counts)
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=5e-3)
    dl = DataLoader(TensorDataset(x, y), batch_size=64, shuffle=True)
    sched = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.05, total_iters=24)
    for epoch in range(24):
        net.train()
        s = 0.0
        for xb, yb in dl:
            loss = crit(net(xb), yb)
            opt.zero_grad()
            loss.backward()
            opt.step()
            s += loss.item()
        sched.step()
        net.eval()
        with torch.no_grad():
            out = net(xv)
        mean, (head, mid, tail) = by_band(out.argmax(1), yv, counts)
        if epoch % 3 == 2:
            print(f"epoch {epoch + 1:2d} loss {s / len(dl):.3f} mean recall {mean:.3f} (head {head:.3f} mid {mid:.3f} tail {tail:.3f})")


if __name__ == "__main__":
    main()
