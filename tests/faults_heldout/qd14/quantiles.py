import argparse
import numpy as np
import torch
from torch import nn
from sklearn.model_selection import train_test_split

TAUS = torch.tensor([0.1, 0.5, 0.9])


class PriceBand(nn.Module):
    """Three quantiles of the price in euros. The scales of inputs and prices are part of the model."""

    def __init__(self, x, y, hidden=48):
        super().__init__()
        self.register_buffer("x_mean", x.mean(0))
        self.register_buffer("x_std", x.std(0))
        self.register_buffer("y_mean", y.mean())
        self.register_buffer("y_std", y.std())
        self.net = nn.Sequential(nn.Linear(x.shape[1], hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU(), nn.Linear(hidden, 3))

    def forward(self, x):
        z = self.net((x - self.x_mean) / self.x_std)
        mid = z[:, 1]
        low = mid - nn.functional.softplus(z[:, 0])
        high = mid + nn.functional.softplus(z[:, 2])
        return self.y_mean + self.y_std * torch.stack([low, mid, high], 1)


def pinball(pred, y):
    d = y.unsqueeze(1) - pred
    return torch.maximum(TAUS * d, (TAUS - 1) * d).mean()


def main():
    ap = argparse.ArgumentParser(description="price bands for flats")
    ap.add_argument("--epochs", type=int, default=40)
    ap.add_argument("--lr", type=float, default=3e-3)
    a = ap.parse_args()
    torch.manual_seed(14)
    raw = np.loadtxt("sales.csv", delimiter=",", skiprows=1, dtype=np.float32)
    tr, te = train_test_split(raw, test_size=0.25, random_state=14)
    xtr, ytr, xte, yte = (torch.from_numpy(v) for v in (tr[:, :6], tr[:, 6], te[:, :6], te[:, 6]))

    model = PriceBand(xtr, ytr)
    opt = torch.optim.Adam(model.parameters(), lr=a.lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, a.epochs)
    flat = torch.quantile(ytr, TAUS).expand(len(yte), 3)
    print(f"same band for every flat: pinball {pinball(flat, yte):.0f} EUR")
    for epoch in range(a.epochs):
        model.train()
        s = 0.0
        for idx in torch.randperm(len(xtr)).split(64):
            loss = pinball(model(xtr[idx]), ytr[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            s += loss.item() * len(idx)
        sched.step()
        if (epoch + 1) % 5 == 0:
            model.eval()
            with torch.no_grad():
                q = model(xte)
                cover = (yte.unsqueeze(1) <= q).float().mean(0).tolist()
                print(f"{epoch + 1:3d}  train {s / len(xtr):.0f}  test {pinball(q, yte):.0f} EUR  below q10/q50/q90: "
                      + " ".join(f"{c:.3f}" for c in cover))


main()
