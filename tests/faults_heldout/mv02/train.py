import argparse
import itertools

import numpy as np
import torch

from data import Scaler, folds, load
from fit import fit, score

ap = argparse.ArgumentParser()
ap.add_argument("--seed", type=int, default=5)
ap.add_argument("--folds", type=int, default=5)
ap.add_argument("--epochs", type=int, default=25)
args = ap.parse_args()

torch.manual_seed(args.seed)
(X, y), (Xt, yt) = load(args.seed)

# cross validation over the grid
table = {}
for width, wd in itertools.product((8, 32), (1e-3, 1e-1)):
    res = []
    for tr, va in folds(len(y), args.folds, args.seed):
        sc = Scaler().fit(X[tr])
        net, hist = fit(sc(X[tr]), y[tr], width, wd, args.epochs)
        res.append(score(net, sc(X[va]), y[va]))
    table[width, wd] = np.mean(res, 0)
    print(f"width {width:3d} wd {wd:g}: cv loss {table[width, wd][0]:.4f} acc {table[width, wd][1]:.4f}")

# refit with the best setting on all development rows
width, wd = min(table, key=lambda k: table[k][0])
sc = Scaler().fit(X)
net, hist = fit(sc(X), y, width, wd, args.epochs)
print(f"refit width {width} wd {wd:g}: loss {hist[0]:.3f} -> {hist[-1]:.3f}")
loss, acc = score(net, sc(Xt), yt)
print(f"test: loss {loss:.4f} acc {acc:.4f}")
