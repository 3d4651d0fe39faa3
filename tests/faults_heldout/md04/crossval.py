#!/usr/bin/env python
"""Five-fold cross-validation of a self-normalising network for the Wisconsin tumour data."""
import math

import numpy as np
import torch
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler
from torch import nn

EPOCHS = 18
BATCH = 32
LR = 1e-3
L2 = 1e-2


def lecun_(m):
    if isinstance(m, nn.Linear):
        nn.init.normal_(m.weight, std=1.0 / math.sqrt(m.in_features))
        nn.init.zeros_(m.bias)


def make_net(d):
    layers = []
    for w_in, w_out in [(d, 32), (32, 32), (32, 32)]:
        layers += [nn.Linear(w_in, w_out), nn.SELU(), nn.AlphaDropout(0.1)]
    net = nn.Sequential(*layers, nn.Linear(32, 1))
    net.apply(lecun_)
    return net


def fit_fold(xtr, ytr, xva, yva, fold):
    scaler = StandardScaler().fit(xtr)
    xtr = torch.tensor(scaler.transform(xtr), dtype=torch.float32)
    xva = torch.tensor(scaler.transform(xva), dtype=torch.float32)
    ytr, yva = (torch.tensor(v, dtype=torch.float32) for v in (ytr, yva))
    torch.manual_seed(40 + fold)
    net = make_net(xtr.shape[1])
    opt = torch.optim.AdamW(net.parameters(), lr=LR, weight_decay=L2)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS)
    bce = nn.BCEWithLogitsLoss()
    for epoch in range(EPOCHS):
        net.train()
        total = 0.0
        for ids in torch.randperm(len(xtr)).split(BATCH):
            opt.zero_grad()
            loss = bce(net(xtr[ids]).squeeze(-1), ytr[ids])
            loss.backward()
            opt.step()
            total += loss.item() * len(ids)
        sched.step()
        net.eval()
        with torch.no_grad():
            v = bce(net(xva).squeeze(-1), yva).item()
        if epoch % 6 == 0 or epoch == EPOCHS - 1:
            print(f"  fold {fold} epoch {epoch:2d} train {total / len(xtr):.4f} held-out {v:.4f}")
    with torch.no_grad():
        logit = net(xva).squeeze(-1)
    return v, roc_auc_score(yva, logit), ((logit > 0).float() == yva).float().mean().item()


if __name__ == "__main__":
    X, y = load_breast_cancer(return_X_y=True)
    res = []
    for k, (tr, va) in enumerate(StratifiedKFold(5, shuffle=True, random_state=8).split(X, y)):
        res.append(fit_fold(X[tr], y[tr], X[va], y[va], k))
    m, s = np.mean(res, 0), np.std(res, 0)
    print(f"CV loss {m[0]:.4f}+-{s[0]:.4f}  AUC {m[1]:.4f}+-{s[1]:.4f}  accuracy {m[2]:.4f}+-{s[2]:.4f}")
