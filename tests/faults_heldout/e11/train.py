"""Digits with sharpness-aware minimisation, mixup, stochastic depth, and stochastic weight averaging at the end."""
import random

import numpy as np
import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn
from torch.optim.swa_utils import SWALR, AveragedModel, update_bn
from torch.utils.data import DataLoader, TensorDataset

SEED = 31
random.seed(SEED)
np.random.seed(SEED)
torch.manual_seed(SEED)


class SAM(torch.optim.Optimizer):
    def __init__(self, params, base, rho=0.05, **kw):
        super().__init__(params, dict(rho=rho, **kw))
        self.base = base(self.param_groups, **kw)
        self.param_groups = self.base.param_groups

    @torch.no_grad()
    def ascend(self):
        grads = [p.grad for g in self.param_groups for p in g["params"] if p.grad is not None]
        norm = torch.stack([g.norm() for g in grads]).norm()
        for g in self.param_groups:
            for p in g["params"]:
                if p.grad is None:
                    continue
                e = p.grad * (g["rho"] / (norm + 1e-12))
                p.add_(e)
                self.state[p]["e"] = e
        self.zero_grad()

    @torch.no_grad()
    def step(self, closure=None):
        closure = torch.enable_grad()(closure)
        loss = closure()
        self.ascend()
        closure()
        for g in self.param_groups:
            for p in g["params"]:
                if "e" in self.state[p]:
                    p.sub_(self.state[p].pop("e"))
        self.base.step()
        self.zero_grad()
        return loss


class Residual(nn.Module):
    def __init__(self, d, keep):
        super().__init__()
        self.keep = keep
        self.f = nn.Sequential(nn.BatchNorm1d(d), nn.ReLU(), nn.Linear(d, d), nn.BatchNorm1d(d), nn.ReLU(), nn.Linear(d, d))

    def forward(self, x):
        if not self.training:
            return x + self.f(x)
        gate = (torch.rand(x.size(0), 1) < self.keep).float() / self.keep
        return x + gate * self.f(x)


def build(depth=5, d=96):
    blocks = [Residual(d, 1 - 0.3 * (i + 1) / depth) for i in range(depth)]
    return nn.Sequential(nn.Linear(64, d), *blocks, nn.BatchNorm1d(d), nn.ReLU(), nn.Linear(d, 10))


def accuracy(model, loader):
    model.eval()
    hit = n = 0
    with torch.no_grad():
        for x, y in loader:
            hit += (model(x).argmax(1) == y).sum().item()
            n += len(y)
    return hit / n


x, y = load_digits(return_X_y=True)
xtr, xte, ytr, yte = train_test_split(x / 16.0 - 0.3, y, test_size=360, stratify=y, random_state=SEED)
to = lambda a, dt: torch.tensor(a, dtype=dt)
train = DataLoader(TensorDataset(to(xtr, torch.float32), to(ytr, torch.long)), batch_size=64, shuffle=True, drop_last=True)
test = DataLoader(TensorDataset(to(xte, torch.float32), to(yte, torch.long)), batch_size=128)

model = build()
averaged = AveragedModel(model)
opt = SAM(model.parameters(), torch.optim.SGD, rho=0.05, lr=0.05, momentum=0.9, weight_decay=5e-4)
EPOCHS, AVG_FROM = 20, 13
cosine = torch.optim.lr_scheduler.CosineAnnealingLR(opt.base, AVG_FROM, eta_min=0.01)
swa_lr = SWALR(opt.base, swa_lr=0.015, anneal_epochs=1)

for epoch in range(EPOCHS):
    model.train()
    total = 0.0
    for xb, yb in train:
        lam = float(np.random.beta(0.4, 0.4))
        perm = torch.randperm(len(xb))
        mixed = lam * xb + (1 - lam) * xb[perm]

        def closure():
            out = model(mixed)
            loss = (lam * F.cross_entropy(out, yb, label_smoothing=0.05)
                    + (1 - lam) * F.cross_entropy(out, yb[perm], label_smoothing=0.05))
            opt.zero_grad()
            loss.backward()
            return loss

        total += opt.step(closure).item()
    if epoch >= AVG_FROM:
        averaged.update_parameters(model)
        swa_lr.step()
    else:
        cosine.step()
    if epoch % 3 == 2 or epoch == EPOCHS - 1:
        print(f"epoch {epoch + 1:2d} train loss {total / len(train):.4f} test acc {accuracy(model, test):.4f}")

update_bn(train, averaged)
print(f"averaged weights: test acc {accuracy(averaged, test):.4f}")
