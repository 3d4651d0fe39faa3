"""Gradient boosting with small networks as weak learners and a corrective pass over all of them."""
import copy

import torch
from sklearn.datasets import make_friedman1
from torch import nn


class Weak(nn.Module):
    def __init__(self, n_in, carry, hidden=16):
        super().__init__()
        self.fc1 = nn.Linear(n_in + carry, hidden)
        self.fc2 = nn.Linear(hidden, hidden)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x, carry=None):
        h = x if carry is None else torch.cat([x, carry], 1)
        h = torch.relu(self.fc2(torch.relu(self.fc1(h))))
        return self.out(h).squeeze(1), h


class Boosted(nn.Module):
    def __init__(self, base):
        super().__init__()
        self.learners = nn.ModuleList()
        self.rate = nn.ParameterList()
        self.register_buffer("base", torch.tensor(float(base)))

    def forward(self, x):
        pred, carry = self.base.expand(len(x)), None
        for weak, rate in zip(self.learners, self.rate):
            out, carry = weak(x, carry)
            pred = pred + rate * out
        return pred, carry

    def add(self, weak, rate):
        self.learners.append(weak)
        self.rate.append(nn.Parameter(torch.tensor(rate)))


def batches(n, size, gen):
    return torch.randperm(n, generator=gen).split(size)


def rmse(model, x, y):
    model.eval()
    with torch.no_grad():
        return (model(x)[0] - y).square().mean().sqrt().item()


def boost(x, y, xv, yv, stages=8, stage_epochs=4, corrective_epochs=3, shrinkage=0.3, seed=6):
    gen = torch.Generator().manual_seed(seed)
    model = Boosted(y.mean())
    best, kept = rmse(model, xv, yv), copy.deepcopy(model)
    print(f"stage 0 (constant): val rmse {best:.3f}")
    for k in range(1, stages + 1):
        # 1. fit the new learner to the residual of the frozen ensemble
        model.eval()
        with torch.no_grad():
            pred, carry = model(x)
            residual = y - pred
        weak = Weak(x.shape[1], 0 if carry is None else carry.shape[1])
        opt = torch.optim.Adam(weak.parameters(), lr=5e-3)
        for _ in range(stage_epochs):
            total = 0.0
            for idx in batches(len(x), 64, gen):
                out, _ = weak(x[idx], None if carry is None else carry[idx])
                loss = (out - residual[idx]).square().mean()
                opt.zero_grad()
                loss.backward()
                opt.step()
                total += loss.item() * len(idx)
        before, after = residual.square().mean().item(), total / len(x)
        model.add(weak, shrinkage)
        # 2. corrective step: all learners and their weights, smaller rate as the ensemble grows
        opt = torch.optim.Adam(model.parameters(), lr=3e-3 / (1 + 0.3 * k), weight_decay=1e-4)
        model.train()
        for _ in range(corrective_epochs):
            for idx in batches(len(x), 64, gen):
                loss = (model(x[idx])[0] - y[idx]).square().mean()
                opt.zero_grad()
                loss.backward()
                opt.step()
        v = rmse(model, xv, yv)
        print(f"stage {k}: residual mse {before:.3f} -> {after:.3f}  train rmse {rmse(model, x, y):.3f}  val rmse {v:.3f}  "
              f"weight {model.rate[-1].item():.3f}")
        if v < best:
            best, kept = v, copy.deepcopy(model)
    return kept


def main():
    torch.manual_seed(6)
    x, y = make_friedman1(n_samples=4000, n_features=10, noise=1.0, random_state=6)
    x = torch.tensor(x * 2 - 1, dtype=torch.float32)
    y = torch.tensor(y, dtype=torch.float32)
    tr, va, te = slice(0, 2500), slice(2500, 3200), slice(3200, 4000)
    model = boost(x[tr], y[tr], x[va], y[va])
    test = rmse(model, x[te], y[te])
    print(f"kept {len(model.learners)} stages, test rmse {test:.3f} (noise 1.0, target std {y.std().item():.2f})")


if __name__ == "__main__":
    main()
