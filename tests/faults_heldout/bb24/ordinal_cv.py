"""Osteoarthritis grade (0-4) from routine data: cumulative-link network, stratified 5-fold cross-validation."""
import json
from types import SimpleNamespace

import numpy as np
import torch
from sklearn.metrics import cohen_kappa_score
from sklearn.model_selection import StratifiedKFold
from torch import nn

cfg = SimpleNamespace(**json.load(open("settings.json")))


class OrdinalNet(nn.Module):
    """One severity score and K-1 ordered thresholds; P(y > k) = sigmoid(score - threshold_k)."""

    def __init__(self, d, hidden, n_grades):
        super().__init__()
        self.skip = nn.Linear(d, 1, bias=False)
        self.body = nn.Sequential(nn.Linear(d, hidden), nn.Tanh(), nn.Linear(hidden, 1, bias=False))
        self.first = nn.Parameter(torch.tensor(-4.0))
        self.gaps = nn.Parameter(torch.full((n_grades - 2,), 3.0))

    def forward(self, x):
        score = self.skip(x) + self.body(x)
        thresholds = torch.cat([self.first[None], self.first + nn.functional.softplus(self.gaps).cumsum(0)])
        return score - thresholds


def nll(logits, y):
    """Negative log-likelihood of the grade, summed over the batch."""
    above = torch.sigmoid(logits)
    ones, zeros = torch.ones(len(y), 1), torch.zeros(len(y), 1)
    cdf = torch.cat([ones, above, zeros], dim=1)
    prob = cdf.gather(1, y[:, None]) - cdf.gather(1, y[:, None] + 1)
    return -torch.log(prob.clamp_min(1e-6)).sum()


def train_fold(x, y, n_grades):
    net = OrdinalNet(x.size(1), cfg.hidden, n_grades)
    # the loss is a sum over 32 patients, hence the small rate
    opt = torch.optim.SGD(net.parameters(), lr=cfg.lr, momentum=cfg.momentum, weight_decay=cfg.l2)
    sched = torch.optim.lr_scheduler.PolynomialLR(opt, total_iters=cfg.epochs, power=1.0)
    history = []
    for _ in range(cfg.epochs):
        total = 0.0
        for idx in torch.randperm(len(y)).split(cfg.batch_size):
            opt.zero_grad()
            loss = nll(net(x[idx]), y[idx])
            loss.backward()
            opt.step()
            total += loss.item()
        sched.step()
        history.append(total / len(y))
    return net, history


def main():
    torch.manual_seed(cfg.seed)
    raw = np.loadtxt(cfg.file, delimiter=",", skiprows=1)
    X, y = raw[:, :-1], raw[:, -1].astype(int)
    X[:, 2] = np.log1p(X[:, 2])
    n_grades = y.max() + 1
    folds = StratifiedKFold(cfg.folds, shuffle=True, random_state=cfg.seed)
    pooled = np.zeros_like(y)
    for k, (tr, te) in enumerate(folds.split(X, y), 1):
        mean, std = X[tr].mean(0), X[tr].std(0)
        x = torch.tensor((X - mean) / std, dtype=torch.float32)
        t = torch.tensor(y)
        net, history = train_fold(x[tr], t[tr], n_grades)
        with torch.no_grad():
            logits = net(x[te])
            test_nll = nll(logits, t[te]).item() / len(te)
            pooled[te] = (logits > 0).sum(1).numpy()
        print(f"fold {k}: train nll " + " -> ".join(f"{history[i]:.3f}" for i in (0, 4, 9, cfg.epochs - 1))
              + f" | test nll {test_nll:.3f}  accuracy {(pooled[te] == y[te]).mean():.3f}  "
              f"MAE {np.abs(pooled[te] - y[te]).mean():.3f}")
    print(f"all folds: accuracy {(pooled == y).mean():.3f}  MAE {np.abs(pooled - y).mean():.3f}  "
          f"quadratic kappa {cohen_kappa_score(y, pooled, weights='quadratic'):.3f}  "
          f"(always the median grade: MAE {np.abs(y - np.median(y)).mean():.3f})")


if __name__ == "__main__":
    main()
