"""5-fold cross-validation of an MLP on the breast-cancer table."""
import argparse

import numpy as np
import torch
import torch.nn.functional as F
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold
from torch import nn, optim


def build_net(d_in, hidden):
    return nn.Sequential(
        nn.Linear(d_in, hidden), nn.ReLU(), nn.Dropout(0.2),
        nn.Linear(hidden, hidden), nn.ReLU(),
        nn.Linear(hidden, 1),
    )


def standardise(train, other):
    m, s = train.mean(0), train.std(0) + 1e-8
    return (train - m) / s, (other - m) / s


def fit_fold(net, opt, x, y, epochs, bs):
    net.train()
    for _ in range(epochs):
        perm = torch.randperm(len(x))
        for k in range(0, len(x), bs):
            idx = perm[k:k + bs]
            loss = F.binary_cross_entropy_with_logits(net(x[idx]).squeeze(-1), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
    return loss.item()


def score(net, x, y):
    net.eval()
    with torch.no_grad():
        logit = net(x).squeeze(-1)
    nll = F.binary_cross_entropy_with_logits(logit, y).item()
    return nll, roc_auc_score(y.numpy(), logit.numpy()), ((logit > 0) == (y > 0.5)).float().mean().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--folds", type=int, default=5)
    ap.add_argument("--epochs", type=int, default=12)
    ap.add_argument("--hidden", type=int, default=32)
    ap.add_argument("--batch-size", type=int, default=32)
    ap.add_argument("--lr", type=float, default=1e-3)
    args = ap.parse_args()

    torch.manual_seed(0)
    X, Y = load_breast_cancer(return_X_y=True)
    splitter = StratifiedKFold(args.folds, shuffle=True, random_state=0)

    net = build_net(X.shape[1], args.hidden)
    opt = optim.Adam(net.parameters(), lr=args.lr)
    rows = []
    for fold, (tr, va) in enumerate(splitter.split(X, Y)):
        net = build_net(X.shape[1], args.hidden)        # every fold starts from fresh weights
        xtr, xva = standardise(X[tr], X[va])
        xtr, xva = torch.tensor(xtr).float(), torch.tensor(xva).float()
        ytr, yva = torch.tensor(Y[tr]).float(), torch.tensor(Y[va]).float()
        last = fit_fold(net, opt, xtr, ytr, args.epochs, args.batch_size)
        nll, auc, acc = score(net, xva, yva)
        rows.append((nll, auc, acc))
        print(f"fold {fold}  last batch {last:.4f} | val nll {nll:.4f}  auc {auc:.4f}  acc {acc:.4f}")
    print("mean nll %.4f  auc %.4f  acc %.4f" % tuple(np.mean(rows, axis=0)))


if __name__ == "__main__":
    main()
