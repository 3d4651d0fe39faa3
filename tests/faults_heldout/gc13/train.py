import json
import math
from pathlib import Path

import torch
from torch import nn


class PriceModel(nn.Module):
    """MLP working in standardised space; statistics are buffers, so it maps raw columns to euros."""

    def __init__(self, x, y, width=48):
        super().__init__()
        self.register_buffer("x_mean", x.mean(0))
        self.register_buffer("x_std", x.std(0))
        self.register_buffer("y_mean", y.mean())
        self.register_buffer("y_std", y.std())
        self.net = nn.Sequential(nn.Linear(x.shape[1], width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))

    def forward(self, x):
        z = self.net((x - self.x_mean) / self.x_std).squeeze(-1)
        return z * self.y_std + self.y_mean


def load(path, seed):
    doc = json.loads(path.read_text())
    t = torch.tensor(doc["rows"], dtype=torch.float32)
    t = t[torch.randperm(len(t), generator=torch.Generator().manual_seed(seed))]
    x, y = t[:, :-1], t[:, -1]
    k = int(0.85 * len(t))
    return x[:k], y[:k], x[k:], y[k:]


def main():
    torch.manual_seed(0)
    x, y, xv, yv = load(Path(__file__).parent / "trucks.json", 6)
    model = PriceModel(x, y)
    epochs, size = 80, 50
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda e: 0.5 * (1 + math.cos(math.pi * e / epochs)) + 1e-3)
    for epoch in range(epochs):
        model.train()
        sse = 0.0
        for idx in torch.randperm(len(x)).split(size):
            opt.zero_grad()
            loss = nn.functional.mse_loss(model(x[idx]), y[idx])
            loss.backward()
            opt.step()
            sse += loss.item() * len(idx)
        sched.step()
        if epoch % 8 == 7:
            model.eval()
            with torch.no_grad():
                p = model(xv)
                mape = ((p - yv).abs() / yv).mean()
                r2 = 1 - (p - yv).square().sum() / (yv - yv.mean()).square().sum()
            print(f"{epoch + 1:3d}: train rmse {math.sqrt(sse / len(x)):8.0f} EUR, val mape {mape:.3%}, val r2 {r2:.4f}")


if __name__ == "__main__":
    main()
