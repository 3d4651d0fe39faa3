import argparse

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from spectra import measure


class MoistureNet(nn.Module):
    def __init__(self, bands, p=0.3):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv1d(1, 12, 7, stride=2, padding=3), nn.BatchNorm1d(12), nn.ReLU(),
            nn.Conv1d(12, 24, 5, stride=2, padding=2), nn.BatchNorm1d(24), nn.ReLU(),
        )
        self.head = nn.Sequential(nn.Flatten(), nn.Linear(24 * bands // 4, 48), nn.ReLU(), nn.Dropout(p),
                                  nn.Linear(48, 1))

    def forward(self, x):
        return self.head(self.conv(x.unsqueeze(1))).squeeze(1)


def rmse(model, loader, scale):
    sq = n = 0
    with torch.no_grad():
        for x, y in loader:
            sq += ((model(x) - y) * scale).pow(2).sum().item()
            n += len(y)
    return (sq / n) ** 0.5


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=30)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--seed", type=int, default=42)
    a = ap.parse_args()
    torch.manual_seed(a.seed)
    rng = np.random.default_rng(a.seed)

    xtr, ytr = measure(900, rng)
    xva, yva = measure(300, rng)
    shift, scale = ytr.mean(), ytr.std()
    centre, spread = xtr.mean(), xtr.std()
    train = DataLoader(TensorDataset((xtr - centre) / spread, (ytr - shift) / scale), batch_size=32, shuffle=True,
                       drop_last=True)
    valid = DataLoader(TensorDataset((xva - centre) / spread, (yva - shift) / scale), batch_size=32)

    model = MoistureNet(xtr.shape[1])
    opt = torch.optim.AdamW(model.parameters(), lr=a.lr, weight_decay=1e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, a.epochs)
    loss_fn = nn.MSELoss()
    for epoch in range(1, a.epochs + 1):
        model.train()
        losses = []
        for x, y in train:
            opt.zero_grad()
            loss = loss_fn(model(x), y)
            loss.backward()
            opt.step()
            losses.append(loss.item())
        sched.step()
        if epoch % 3 == 0:
            print(f"epoch {epoch:2d}  train loss {np.mean(losses):.4f}  "
                  f"validation RMSE {rmse(model, valid, scale):.3f} % moisture")


if __name__ == "__main__":
    main()
