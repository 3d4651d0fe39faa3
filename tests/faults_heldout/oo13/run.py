from contextlib import contextmanager

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim.swa_utils import AveragedModel, update_bn
from torch.utils.data import DataLoader, TensorDataset

from optim_sam import SAM

EPOCHS, SWA_START, BATCH = 20, 14, 64
LR_HIGH, LR_SWA, RHO = 0.05, 0.015, 0.05
MIX, SMOOTH, CLASSES = 0.3, 0.1, 5

torch.manual_seed(2)
rng = np.random.default_rng(2)


def make_net():
    def block(i, o):
        return nn.Sequential(nn.Conv1d(i, o, 5, padding=2, bias=False), nn.BatchNorm1d(o), nn.ReLU(), nn.MaxPool1d(2))
    return nn.Sequential(block(2, 24), block(24, 32), block(32, 48), nn.AdaptiveAvgPool1d(1), nn.Flatten(), nn.Linear(48, CLASSES))


@contextmanager
def frozen_running_stats(net):
    """Only one of SAM's two passes should move the BatchNorm averages."""
    saved = {}
    for m in net.modules():
        if isinstance(m, nn.BatchNorm1d):
            saved[m] = m.momentum
            m.momentum = 0.0
    yield
    for m, mom in saved.items():
        m.momentum = mom


def mixup(x, y):
    onehot = F.one_hot(y, CLASSES).float()
    lam = float(rng.beta(MIX, MIX))
    perm = torch.randperm(len(x))
    return lam * x + (1 - lam) * x[perm], lam * onehot + (1 - lam) * onehot[perm]


@torch.no_grad()
def evaluate(net, x, y):
    net.eval()
    out = net(x)
    return F.cross_entropy(out, y).item(), (out.argmax(1) == y).float().mean().item()


d = np.load("vibration.npz")
x = torch.from_numpy(d["signal"]).float() / 24.0
y = torch.from_numpy(d["state"]).long()
xtr, ytr, xva, yva = x[:1300], y[:1300], x[1300:], y[1300:]
loader = DataLoader(TensorDataset(xtr, ytr), batch_size=BATCH, shuffle=True, drop_last=True)

net = make_net()
swa = AveragedModel(net)
opt = SAM(net.parameters(), torch.optim.SGD, rho=RHO, lr=LR_HIGH, momentum=0.9, weight_decay=5e-4)

for epoch in range(EPOCHS):
    frac = min(1.0, epoch / SWA_START)
    for g in opt.param_groups:
        g["lr"] = LR_SWA + 0.5 * (LR_HIGH - LR_SWA) * (1 + np.cos(np.pi * frac))
    net.train()
    running = 0.0
    for xb, yb in loader:
        xm, ym = mixup(xb, yb)
        calls = []

        def closure():
            if calls:
                with frozen_running_stats(net):
                    loss = F.cross_entropy(net(xm), ym, label_smoothing=SMOOTH)
            else:
                loss = F.cross_entropy(net(xm), ym, label_smoothing=SMOOTH)
            calls.append(1)
            loss.backward()
            return loss

        running += opt.step(closure).item()
    if epoch >= SWA_START:
        swa.update_parameters(net)
    vl, va = evaluate(net, xva, yva)
    _, ta = evaluate(net, xtr, ytr)
    print(f"epoch {epoch:2d} mixed loss {running / len(loader):.4f} train acc {ta:.3f} val loss {vl:.4f} val acc {va:.3f}")

update_bn(loader, swa)
vl, va = evaluate(swa, xva, yva)
print(f"averaged weights: val loss {vl:.4f} val acc {va:.3f}")
