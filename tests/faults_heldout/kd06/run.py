import random

import torch

from molprop.data import ATOMS, load
from molprop.net import Net

SEED = 3
torch.manual_seed(SEED)
train, val, test = load("molecules.json", n_val=120, n_test=120, seed=SEED)
ys = torch.stack([m.y for m in train])
mu, sd = ys.mean(), ys.std()
print(f"{len(train)} / {len(val)} / {len(test)} molecules, logP {mu:.2f} +- {sd:.2f}")

net = Net(len(ATOMS))
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
EPOCHS = 8
# graphs come one by one; decay the rate so that the single-sample noise averages out
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=EPOCHS * len(train), eta_min=1e-5)


@torch.no_grad()
def rmse(mols):
    net.eval()
    return (sum((net(m) * sd + mu - m.y).item() ** 2 for m in mols) / len(mols)) ** 0.5


for epoch in range(EPOCHS):
    net.train()
    order = list(range(len(train)))
    random.Random(SEED * 100 + epoch).shuffle(order)
    running = 0.0
    for k, i in enumerate(order, 1):
        mol = train[i]
        target = (mol.y - mu) / sd
        loss = (net(mol) - target) ** 2
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        running += loss.item()
        if k % 330 == 0:
            print(f"  {epoch}:{k:4d} {mol.name} loss {loss.item():.4f}")
    print(f"epoch {epoch} mse {running / len(train):.4f} val rmse {rmse(val):.3f}")

yt = torch.stack([m.y for m in test])
r = rmse(test)
print(f"test rmse {r:.3f} (std of logP {yt.std():.3f}), R2 {1 - r ** 2 / yt.var().item():.3f}")
