"""Conditional quantiles (10/50/90 %) of disease progression, 5-fold cross-validation."""
import copy

import numpy as np
import torch
from sklearn.datasets import load_diabetes
from sklearn.model_selection import KFold, train_test_split
from torch import nn

QS = torch.tensor([0.1, 0.5, 0.9])


def pinball(pred, y):
    d = y.unsqueeze(1) - pred
    return torch.maximum(QS * d, (QS - 1) * d).mean()


class QuantileNet(nn.Module):
    """Median plus positive offsets, so that the quantiles cannot cross."""

    def __init__(self, d):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d, 24), nn.Tanh(), nn.Dropout(0.2), nn.Linear(24, 3))

    def forward(self, x):
        lo, mid, hi = self.net(x).unbind(1)
        soft = nn.functional.softplus
        return torch.stack([mid - soft(lo), mid, mid + soft(hi)], dim=1)


def fit(x, y, seed, max_epochs=120, patience=20):
    torch.manual_seed(seed)
    xa, xb, ya, yb = train_test_split(x, y, test_size=0.2, random_state=seed)
    xm, xs, ym, ys = xa.mean(0), xa.std(0), ya.mean(), ya.std()
    t = lambda a: torch.tensor(a, dtype=torch.float32)
    xa, xb, ya, yb = t((xa - xm) / xs), t((xb - xm) / xs), t((ya - ym) / ys), t((yb - ym) / ys)
    net = QuantileNet(x.shape[1])
    opt = torch.optim.AdamW(net.parameters(), lr=5e-3, weight_decay=1e-2)
    best, best_state, since = float("inf"), None, 0
    for epoch in range(max_epochs):
        net.train()
        for idx in torch.randperm(len(xa)).split(32):
            opt.zero_grad()
            loss = pinball(net(xa[idx]), ya[idx])
            loss.backward()
            opt.step()
        net.eval()
        with torch.no_grad():
            v = pinball(net(xb), yb).item()
        if v < best - 1e-4:
            best, best_state, since = v, copy.deepcopy(net.state_dict()), 0
        else:
            since += 1
            if since >= patience:
                break
    net.load_state_dict(best_state)
    net.eval()

    def predict(z):
        with torch.no_grad():
            return net(t((z - xm) / xs)).numpy() * ys + ym
    return predict, epoch + 1, best


def main():
    x, y = load_diabetes(return_X_y=True)
    folds = KFold(5, shuffle=True, random_state=3)
    scores, naive, cover = [], [], []
    for k, (tr, te) in enumerate(folds.split(x)):
        predict, epochs, inner = fit(x[tr], y[tr], seed=k)
        q = predict(x[te])
        yt = torch.tensor(y[te], dtype=torch.float32)
        score = pinball(torch.tensor(q, dtype=torch.float32), yt).item()
        const = np.quantile(y[tr], QS.numpy())[None].repeat(len(te), 0)
        base = pinball(torch.tensor(const, dtype=torch.float32), yt).item()
        inside = ((y[te] >= q[:, 0]) & (y[te] <= q[:, 2])).mean()
        scores.append(score), naive.append(base), cover.append(inside)
        print(f"fold {k}: epochs {epochs:3d} inner {inner:.4f} | pinball {score:.2f} (constant {base:.2f}) | "
              f"80% interval covers {inside:.2f}")
    print(f"mean pinball {np.mean(scores):.2f} +- {np.std(scores):.2f}, constant {np.mean(naive):.2f}, "
          f"coverage {np.mean(cover):.2f}")


if __name__ == "__main__":
    main()
