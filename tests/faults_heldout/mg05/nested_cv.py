# Nested cross validation of a penalised logistic model; the inner folds choose the penalty.
import numpy as np
import torch
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold

torch.set_default_dtype(torch.float64)
GRID = [1e-4, 1e-3, 1e-2, 1e-1, 1.0]


def standardise(train, *others):
    mu, sd = train.mean(0), train.std(0)
    return [(a - mu) / sd for a in (train, *others)]


def fit(x, y, lam, iters=60):
    w = torch.zeros(x.shape[1], requires_grad=True)
    b = torch.zeros((), requires_grad=True)
    opt = torch.optim.LBFGS([w, b], lr=1.0, max_iter=iters, tolerance_grad=1e-6, line_search_fn="strong_wolfe")

    def closure():
        opt.zero_grad()
        loss = torch.nn.functional.binary_cross_entropy_with_logits(x @ w + b, y) + 0.5 * lam * (w @ w)
        loss.backward()
        return loss

    opt.step(closure)
    with torch.no_grad():
        loss = torch.nn.functional.binary_cross_entropy_with_logits(x @ w + b, y)
    return w.detach(), b.detach(), loss.item()


def logloss(x, y, w, b):
    return torch.nn.functional.binary_cross_entropy_with_logits(x @ w + b, y).item()


def main():
    X, Y = load_breast_cancer(return_X_y=True)
    outer = StratifiedKFold(10, shuffle=True, random_state=0)
    losses, aucs = [], []
    for k, (tr, te) in enumerate(outer.split(X, Y)):
        inner = StratifiedKFold(5, shuffle=True, random_state=100 + k)
        table = np.zeros(len(GRID))
        for a, b in inner.split(X[tr], Y[tr]):
            xa, xb = (torch.tensor(v) for v in standardise(X[tr][a], X[tr][b]))
            ya, yb = torch.tensor(Y[tr][a] * 1.0), torch.tensor(Y[tr][b] * 1.0)
            for j, lam in enumerate(GRID):
                w, c, _ = fit(xa, ya, lam)
                table[j] += logloss(xb, yb, w, c) / 5
        lam = GRID[int(table.argmin())]
        xa, xb = (torch.tensor(v) for v in standardise(X[tr], X[te]))
        w, c, tl = fit(xa, torch.tensor(Y[tr] * 1.0), lam)
        vl = logloss(xb, torch.tensor(Y[te] * 1.0), w, c)
        auc = roc_auc_score(Y[te], (xb @ w + c).numpy())
        losses.append(vl)
        aucs.append(auc)
        print(f"fold {k}: penalty {lam:g}  train loss {tl:.4f}  held-out loss {vl:.4f}  auc {auc:.4f}")
    print(f"held-out loss {np.mean(losses):.4f} +- {np.std(losses) / len(losses) ** .5:.4f}   auc {np.mean(aucs):.4f}")


if __name__ == "__main__":
    main()
