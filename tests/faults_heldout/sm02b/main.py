import json
import os

import numpy as np
import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from hashnet import HashNet, pair_loss

root = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(root, "settings.json")) as fh:
    S = json.load(fh)

torch.manual_seed(S["seed"])
X, y = load_digits(return_X_y=True)
Xtr, Xte, ytr, yte = train_test_split(X, y, test_size=0.25, stratify=y, random_state=0)
mean, std = Xtr.mean(0), Xtr.std(0) + 1.0
Xtr = torch.tensor((Xtr - mean) / std, dtype=torch.float32)
Xte = torch.tensor((Xte - mean) / std, dtype=torch.float32)
ytr, yte = torch.tensor(ytr), torch.tensor(yte)


def mean_average_precision(net):
    """Queries: held-out images; database: training images; ranking by Hamming distance."""
    net.eval()
    with torch.no_grad():
        db, q = torch.sign(net(Xtr)), torch.sign(net(Xte))
    order = (q @ db.t()).argsort(dim=1, descending=True)
    rel = (ytr[order] == yte[:, None]).double()
    prec = rel.cumsum(1) / torch.arange(1, rel.size(1) + 1)
    return ((prec * rel).sum(1) / rel.sum(1)).mean().item()


net = HashNet(X.shape[1], S["hidden"], S["bits"], S["beta"])
opt = torch.optim.SGD(net.parameters(), lr=S["lr"], momentum=S["momentum"])
steps = S["epochs"] * (len(Xtr) // S["batch_size"])
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, steps)

for epoch in range(S["epochs"]):
    net.train()
    losses = []
    for idx in torch.randperm(len(Xtr)).split(S["batch_size"]):
        if len(idx) < S["batch_size"]:
            continue
        loss = pair_loss(net(Xtr[idx]), ytr[idx], S["quant_weight"])
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        losses.append(loss.item())
    with torch.no_grad():
        net.eval()
        held = pair_loss(net(Xte), yte, S["quant_weight"]).item()
    print(f"[{epoch + 1:02d}] loss {np.mean(losses):.4f} held-out {held:.4f} mAP {mean_average_precision(net):.4f}")
