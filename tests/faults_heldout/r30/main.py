import argparse
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits


class ResidualMLP(nn.Module):
    def __init__(self, d=64, width=96, depth=2, classes=10):
        super().__init__()
        self.stem = nn.Linear(d, width)
        self.blocks = nn.ModuleList(
            nn.Sequential(nn.LayerNorm(width), nn.Linear(width, width), nn.GELU(), nn.Linear(width, width))
            for _ in range(depth))
        self.out = nn.Linear(width, classes)

    def forward(self, x):
        x = self.stem(x)
        for b in self.blocks:
            x = x + b(x)
        return self.out(x)


class WeightAverage:
    """Exponential moving average of the weights, used for evaluation and export."""

    def __init__(self, model, decay):
        self.decay = decay
        self.shadow = copy.deepcopy(model)
        self.shadow.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for s, p in zip(self.shadow.parameters(), model.parameters()):
            s.lerp_(p, 1.0 - self.decay)


def get_args():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=20)
    ap.add_argument("--batch", type=int, default=64)
    ap.add_argument("--lr", type=float, default=1e-3)
    ap.add_argument("--ema-decay", type=float, default=0.9999)
    ap.add_argument("--export", default=None)
    return ap.parse_args()


def main():
    args = get_args()
    torch.manual_seed(13)
    X, y = load_digits(return_X_y=True)
    X, y = torch.tensor(X, dtype=torch.float32) / 8 - 0.6, torch.tensor(y)
    perm = torch.randperm(len(X))
    va, tr = perm[:350], perm[350:]
    model = ResidualMLP()
    avg = WeightAverage(model, args.ema_decay)
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=0.02)
    for epoch in range(args.epochs):
        model.train()
        tot = 0.0
        for idx in tr[torch.randperm(len(tr))].split(args.batch):
            loss = F.cross_entropy(model(X[idx]), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            avg.update(model)
            tot += loss.item() * len(idx)
        avg.shadow.eval()
        with torch.no_grad():
            z = avg.shadow(X[va])
        print(f"epoch {epoch + 1} train {tot / len(tr):.4f} val {F.cross_entropy(z, y[va]).item():.4f} "
              f"acc {(z.argmax(1) == y[va]).float().mean().item():.4f}")
    if args.export:
        torch.save(avg.shadow.state_dict(), args.export)


if __name__ == "__main__":
    main()
