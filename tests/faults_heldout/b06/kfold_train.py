"""Pump condition monitoring: 4 states from 12 sensor channels, stratified k-fold.

status 0 = normal, 1 = cavitation, 2 = bearing wear, 3 = seal leak
"""
import os

import numpy as np
import torch
import torch.nn as nn
from sklearn.metrics import classification_report, f1_score
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler

SEED, N_FOLDS, EPOCHS, BATCH, LR = 2023, 4, 12, 128, 2e-3
NAMES = ["normal", "cavitation", "bearing", "seal"]


def read():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "pumps.csv")
    table = np.loadtxt(path, delimiter=",", skiprows=1)
    return table[:, :-1].astype(np.float32), table[:, -1].astype(np.int64)


def class_weights(y, n_classes):
    counts = np.bincount(y, minlength=n_classes).astype(np.float32)
    weights = counts * n_classes / counts.sum()
    return torch.from_numpy(weights)


def build(n_in, n_out):
    return nn.Sequential(nn.Linear(n_in, 64), nn.BatchNorm1d(64), nn.SiLU(), nn.Dropout(0.1),
                         nn.Linear(64, 32), nn.SiLU(), nn.Linear(32, n_out))


def fit_fold(xtr, ytr, xva, yva):
    sc = StandardScaler().fit(xtr)
    xtr, xva = (torch.from_numpy(sc.transform(a).astype(np.float32)) for a in (xtr, xva))
    criterion = nn.CrossEntropyLoss(weight=class_weights(ytr, len(NAMES)))
    ytr = torch.from_numpy(ytr)
    net = build(xtr.shape[1], len(NAMES))
    opt = torch.optim.AdamW(net.parameters(), lr=LR, weight_decay=1e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=EPOCHS)
    for ep in range(EPOCHS):
        net.train()
        tot = 0.0
        for idx in torch.randperm(len(xtr)).split(BATCH):
            if len(idx) < 2:
                continue
            opt.zero_grad()
            loss = criterion(net(xtr[idx]), ytr[idx])
            loss.backward()
            opt.step()
            tot += loss.item() * len(idx)
        sched.step()
        if ep % 4 == 3:
            net.eval()
            with torch.no_grad():
                pred = net(xva).argmax(1).numpy()
            print(f"   epoch {ep+1:2d} loss {tot/len(xtr):.4f} acc {(pred == yva).mean():.4f} "
                  f"macro-f1 {f1_score(yva, pred, average='macro'):.4f}")
    return pred


def main():
    torch.manual_seed(SEED)
    x, y = read()
    print("class counts", np.bincount(y))
    oof = np.zeros_like(y)
    for k, (tr, va) in enumerate(StratifiedKFold(N_FOLDS, shuffle=True, random_state=SEED).split(x, y)):
        print(f"fold {k + 1}/{N_FOLDS}")
        oof[va] = fit_fold(x[tr], y[tr], x[va], y[va])
    print(classification_report(y, oof, target_names=NAMES, digits=3, zero_division=0))


if __name__ == "__main__":
    main()
