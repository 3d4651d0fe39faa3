"""5-fold comparison of three classifiers on the Wisconsin breast cancer data."""
import argparse

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler


class Logistic(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.out = nn.Linear(d, 1)

    def forward(self, x):
        return self.out(x).squeeze(-1)


class MLP(nn.Module):
    def __init__(self, d, h=16, p=0.3):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d, h), nn.ReLU(), nn.Dropout(p), nn.Linear(h, h), nn.ReLU(), nn.Dropout(p),
                                 nn.Linear(h, 1))

    def forward(self, x):
        return self.net(x).squeeze(-1)


class GatedNet(nn.Module):
    """One gated hidden layer with batch norm on the input projection."""

    def __init__(self, d, h=16, p=0.2):
        super().__init__()
        self.proj = nn.Linear(d, 2 * h)
        self.norm = nn.BatchNorm1d(2 * h)
        self.drop = nn.Dropout(p)
        self.out = nn.Linear(h, 1)

    def forward(self, x):
        return self.out(self.drop(F.glu(self.norm(self.proj(x)), dim=1))).squeeze(-1)


MODELS = {
    "logistic": (Logistic, dict(lr=1e-2, weight_decay=1e-2)),
    "mlp": (MLP, dict(lr=1e-3, weight_decay=1e-1)),
    "gated": (GatedNet, dict(lr=5e-3, weight_decay=1e-2)),
}


def fit(model, opt, x, y, epochs, batch, gen):
    for _ in range(epochs):
        model.train()
        total = 0.0
        for idx in torch.randperm(len(x), generator=gen).split(batch):
            if len(idx) < 4:
                continue
            opt.zero_grad()
            loss = F.binary_cross_entropy_with_logits(model(x[idx]), y[idx])
            loss.backward()
            opt.step()
            total += loss.item() * len(idx)
    return total / len(x)


@torch.no_grad()
def score(model, x, y):
    model.eval()
    logit = model(x)
    loss = F.binary_cross_entropy_with_logits(logit, y).item()
    acc = ((logit > 0) == (y > 0.5)).float().mean().item()
    return loss, acc, roc_auc_score(y.numpy(), logit.numpy())


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--folds", type=int, default=5)
    ap.add_argument("--epochs", type=int, default=30)
    ap.add_argument("--batch", type=int, default=32)
    ap.add_argument("--seed", type=int, default=11)
    args = ap.parse_args()

    data = load_breast_cancer()
    folds = StratifiedKFold(args.folds, shuffle=True, random_state=args.seed)
    results = {name: [] for name in MODELS}
    for k, (tr, va) in enumerate(folds.split(data.data, data.target)):
        scaler = StandardScaler().fit(data.data[tr])
        xtr, xva = (torch.tensor(scaler.transform(data.data[i]), dtype=torch.float32) for i in (tr, va))
        ytr, yva = (torch.tensor(data.target[i], dtype=torch.float32) for i in (tr, va))
        for name, (cls, hp) in MODELS.items():
            torch.manual_seed(args.seed + k)
            gen = torch.Generator().manual_seed(args.seed + k)
            model = cls(xtr.shape[1])
            opt = torch.optim.AdamW(model.parameters(), **hp)
            train_loss = fit(model, opt, xtr, ytr, args.epochs, args.batch, gen)
            loss, acc, auc = score(model, xva, yva)
            results[name].append((loss, acc, auc))
            print(f"fold {k} {name:9s} train loss {train_loss:.3f}  val loss {loss:.3f}  acc {acc:.3f}  auc {auc:.4f}")

    print("\nmodel      val loss        accuracy         auc")
    for name, rows in results.items():
        m, s = np.mean(rows, 0), np.std(rows, 0)
        print(f"{name:9s}  {m[0]:.3f}+-{s[0]:.3f}    {m[1]:.3f}+-{s[1]:.3f}    {m[2]:.4f}+-{s[2]:.4f}")
    print("selected:", min(results, key=lambda n: np.mean([r[0] for r in results[n]])))


if __name__ == "__main__":
    main()
