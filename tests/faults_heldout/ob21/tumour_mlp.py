import argparse

import numpy as np
import torch
import torch.nn as nn
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler


def make_net(n_in, hidden, dropout):
    return nn.Sequential(
        nn.Linear(n_in, hidden),
        nn.ReLU(),
        nn.Dropout(dropout),
        nn.Linear(hidden, hidden // 2),
        nn.ReLU(),
        nn.Linear(hidden // 2, 1),
    )


def fit_fold(x_tr, y_tr, x_va, y_va, args, verbose):
    net = make_net(x_tr.shape[1], args.hidden, args.dropout)
    optimizer = torch.optim.AdamW(net.parameters(), lr=args.lr, weight_decay=args.weight_decay)
    criterion = nn.BCEWithLogitsLoss()
    for epoch in range(1, args.epochs + 1):
        net.train()
        order = np.random.permutation(len(x_tr))
        epoch_loss = 0.0
        for k in range(0, len(order), args.batch_size):
            idx = order[k : k + args.batch_size]
            loss = criterion(net(x_tr[idx]).squeeze(1), y_tr[idx])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            epoch_loss += loss.item() * len(idx)
        if verbose and epoch % 5 == 0:
            net.eval()
            with torch.no_grad():
                val_loss = criterion(net(x_va).squeeze(1), y_va).item()
            print(f"    epoch {epoch:3d} train {epoch_loss / len(order):.4f} val {val_loss:.4f}")
    net.eval()
    with torch.no_grad():
        score = net(x_va).squeeze(1)
    acc = ((score > 0).float() == y_va).float().mean().item()
    return acc, roc_auc_score(y_va.numpy(), score.numpy())


def main():
    ap = argparse.ArgumentParser(description="5-fold cross-validation of an MLP on the breast cancer data")
    ap.add_argument("--folds", type=int, default=5)
    ap.add_argument("--epochs", type=int, default=25)
    ap.add_argument("--batch-size", type=int, default=16)
    ap.add_argument("--hidden", type=int, default=32)
    ap.add_argument("--dropout", type=float, default=0.2)
    ap.add_argument("--lr", type=float, default=1e-3)
    ap.add_argument("--weight-decay", type=float, default=1e-2)
    ap.add_argument("--seed", type=int, default=0)
    args = ap.parse_args()

    torch.manual_seed(args.seed)
    np.random.seed(args.seed)
    x, y = load_breast_cancer(return_X_y=True)
    results = []
    splitter = StratifiedKFold(args.folds, shuffle=True, random_state=args.seed)
    for fold, (tr, va) in enumerate(splitter.split(x, y)):
        scaler = StandardScaler().fit(x[tr])
        x_tr, x_va = (torch.tensor(scaler.transform(x[i]), dtype=torch.float32) for i in (tr, va))
        y_tr, y_va = (torch.tensor(y[i], dtype=torch.float32) for i in (tr, va))
        print(f"fold {fold}")
        acc, auc = fit_fold(x_tr, y_tr, x_va, y_va, args, verbose=True)
        results.append((acc, auc))
        print(f"  accuracy {acc:.4f}  auc {auc:.4f}")
    acc, auc = np.mean(results, axis=0)
    print(f"mean accuracy {acc:.4f}  mean auc {auc:.4f}")


if __name__ == "__main__":
    main()
