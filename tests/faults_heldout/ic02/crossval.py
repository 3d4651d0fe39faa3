import argparse

import numpy as np
import torch
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler

from classifier import TorchClassifier


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--folds", type=int, default=5)
    ap.add_argument("--epochs", type=int, default=30)
    ap.add_argument("--lr", type=float, default=1e-3)
    ap.add_argument("--seed", type=int, default=11)
    args = ap.parse_args()
    torch.manual_seed(args.seed)

    x, y = load_breast_cancer(return_X_y=True)
    clf = TorchClassifier(x.shape[1], 2, lr=args.lr, epochs=args.epochs, seed=args.seed)
    accs, aucs = [], []
    folds = StratifiedKFold(args.folds, shuffle=True, random_state=args.seed)
    for k, (tr, te) in enumerate(folds.split(x, y)):
        scaler = StandardScaler().fit(x[tr])
        xtr = torch.tensor(scaler.transform(x[tr]), dtype=torch.float32)
        xte = torch.tensor(scaler.transform(x[te]), dtype=torch.float32)
        ytr, yte = torch.tensor(y[tr]), torch.tensor(y[te])
        print(f"fold {k}")
        clf.fit(xtr, ytr, verbose=True)
        accs.append(clf.score(xte, yte))
        aucs.append(roc_auc_score(y[te], clf.predict_proba(xte)[:, 1].numpy()))
        print(f"  train loss {clf.curve[-1]:.4f}  test acc {accs[-1]:.3f}  auc {aucs[-1]:.3f}")
    print(f"acc {np.mean(accs):.3f} +- {np.std(accs):.3f}   auc {np.mean(aucs):.3f}")


if __name__ == "__main__":
    main()
