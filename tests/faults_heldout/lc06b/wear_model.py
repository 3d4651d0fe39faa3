import csv
import os

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split

import settings as S

BASE = os.path.dirname(os.path.abspath(__file__))


def read_table(name, target):
    with open(os.path.join(BASE, name), newline="") as f:
        rows = list(csv.DictReader(f))
    cols = [c for c in rows[0] if c != target]
    x = torch.tensor([[float(r[c]) for c in cols] for r in rows])
    y = torch.tensor([[float(r[target])] for r in rows])
    return x, y, cols


class Standardizer:
    def fit(self, t):
        self.mean, self.std = t.mean(0), t.std(0)
        return self

    def __call__(self, t):
        return (t - self.mean) / self.std

    def back(self, t):
        return t * self.std + self.mean


def build(n_in):
    layers, width = [], n_in
    for h in S.HIDDEN:
        layers += [nn.Linear(width, h), nn.ReLU(), nn.Dropout(S.DROPOUT)]
        width = h
    layers.append(nn.Linear(width, 1))
    return nn.Sequential(*layers)


def r2(pred, y):
    return 1 - ((pred - y) ** 2).sum() / ((y - y.mean()) ** 2).sum()


def main():
    torch.manual_seed(S.SEED)
    x, y, cols = read_table(S.DATA, S.TARGET)
    n_test = int(len(x) * S.TEST_SHARE)
    train_ds, test_ds = random_split(TensorDataset(x, y), [len(x) - n_test, n_test])
    xtr, ytr = x[train_ds.indices], y[train_ds.indices]
    xte, yte = x[test_ds.indices], y[test_ds.indices]
    sx, sy = Standardizer().fit(xtr), Standardizer().fit(ytr)
    loader = DataLoader(TensorDataset(sx(xtr), sy(ytr)), batch_size=S.BATCH, shuffle=True)

    model = build(len(cols))
    opt = torch.optim.AdamW(model.parameters(), lr=S.LR, weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, S.EPOCHS)
    mse = nn.MSELoss()
    for epoch in range(1, S.EPOCHS + 1):
        model.train()
        total = 0.0
        for xb, yb in loader:
            opt.zero_grad()
            loss = mse(model(xb), yb)
            loss.backward()
            opt.step()
            total += loss.item() * len(xb)
        sched.step()
        if epoch % 4 == 0 or epoch == 1:
            model.eval()
            with torch.no_grad():
                fit = model(sx(xtr))
                pred = model(sx(xte))
                held = mse(pred, sy(yte)).item()
            rmse = (sy.back(pred) - yte).pow(2).mean().sqrt()
            print(f"epoch {epoch:3d}: loss {total / len(xtr):.4f}, held-out {held:.4f}, rmse {rmse:.2f} um, "
                  f"R2 train {r2(sy.back(fit), ytr):.3f} test {r2(sy.back(pred), yte):.3f}")


if __name__ == "__main__":
    main()
