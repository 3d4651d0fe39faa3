"""Predicts whether an order is returned, from order fields and the merchant's return rate."""
from pathlib import Path

import numpy as np
import torch
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.model_selection import train_test_split
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class RateEncoder:
    """Replaces a high-cardinality column by the (smoothed) mean outcome of its level."""

    def __init__(self, smooth=0.5):
        self.smooth = smooth

    def fit(self, col, y):
        self.prior = y.mean()
        self.n = np.bincount(col, minlength=col.max() + 1)
        self.s = np.bincount(col, weights=y, minlength=col.max() + 1)
        return self

    def transform(self, col):
        inside = col < len(self.n)
        k = np.where(inside, col, 0)
        n, s = self.n[k] * inside, self.s[k] * inside
        return (s + self.smooth * self.prior) / (n + self.smooth)

    def fit_transform(self, col, y):
        return self.fit(col, y).transform(col)


def fields(t):
    hour = 2 * np.pi * t["hour"] / 24
    return np.stack([np.log(t["amount"]), np.sin(hour), np.cos(hour), np.log1p(t["account_age"]), t["items"]], 1)


def main():
    torch.manual_seed(9)
    t = np.genfromtxt(Path(__file__).with_name("orders.csv"), delimiter=",", names=True)
    tr, te = train_test_split(np.arange(len(t)), test_size=0.25, random_state=9)
    y = t["returned"].astype(np.float32)
    merchant = t["merchant"].astype(int)

    enc = RateEncoder()
    rate_tr = enc.fit_transform(merchant[tr], y[tr])
    rate_te = enc.transform(merchant[te])

    x_tr = np.column_stack([fields(t[tr]), rate_tr])
    x_te = np.column_stack([fields(t[te]), rate_te])
    mu, sd = x_tr.mean(0), x_tr.std(0)
    x_tr, x_te = (torch.tensor((a - mu) / sd, dtype=torch.float32) for a in (x_tr, x_te))

    loader = DataLoader(TensorDataset(x_tr, torch.from_numpy(y[tr])), batch_size=64, shuffle=True)
    model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 1))
    opt = torch.optim.Adam(model.parameters(), lr=2e-3, weight_decay=1e-4)
    loss_fn = nn.BCEWithLogitsLoss()
    for epoch in range(10):
        seen = 0.0
        for xb, yb in loader:
            loss = loss_fn(model(xb).squeeze(1), yb)
            opt.zero_grad()
            loss.backward()
            opt.step()
            seen += loss.item() * len(yb)
        with torch.no_grad():
            p = torch.sigmoid(model(x_te)).squeeze(1).double().numpy()
        print(f"epoch {epoch}: train loss {seen / len(tr):.4f}  test loss {log_loss(y[te], p):.4f}  "
              f"test AUC {roc_auc_score(y[te], p):.4f}")


if __name__ == "__main__":
    main()
