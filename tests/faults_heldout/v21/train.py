"""Diabetes progression, pseudo-Huber regression."""
import numpy as np
import torch
from sklearn.datasets import load_diabetes
from torch import nn


class Scaler:
    def __init__(self, a):
        self.mean, self.std = a.mean(axis=0), a.std(axis=0)

    def __call__(self, a):
        return (a - self.mean) / self.std

    def inverse(self, a):
        return a * self.std + self.mean


class PseudoHuber(nn.Module):
    def __init__(self, delta=1.0):
        super().__init__()
        self.delta = delta

    def forward(self, pred, target):
        r = (pred - target) / self.delta
        return (self.delta ** 2 * (torch.sqrt(1 + r ** 2) - 1)).mean()


def mlp(n_in, hidden=24):
    return nn.Sequential(nn.Linear(n_in, hidden), nn.Tanh(), nn.Dropout(0.1), nn.Linear(hidden, 1))


def main():
    torch.manual_seed(8)
    rng = np.random.default_rng(8)
    x, y = load_diabetes(return_X_y=True)
    order = rng.permutation(len(y))
    tr, te = order[:340], order[340:]
    sx, sy = Scaler(x[tr]), Scaler(y[tr])
    xt = torch.tensor(sx(x[tr]), dtype=torch.float32)
    yt = torch.tensor(sy(y[tr]), dtype=torch.float32)
    xv = torch.tensor(sx(x[te]), dtype=torch.float32)
    model, criterion = mlp(x.shape[1]), PseudoHuber()
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.05)
    for epoch in range(60):
        model.train()
        for idx in torch.randperm(len(yt)).split(32):
            loss = criterion(model(xt[idx]), yt[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
        if epoch % 10 == 9:
            model.eval()
            with torch.no_grad():
                pred = sy.inverse(model(xv).numpy().ravel())
            err = pred - y[te]
            print(f"epoch {epoch + 1:3d} loss {loss.item():.4f} test MAE {np.abs(err).mean():.2f} R2 {1 - (err ** 2).mean() / y[te].var():.3f}")


if __name__ == "__main__":
    main()
