"""4-fold search over a small grid on the diabetes data, then one refit and one look at the test part."""
import itertools

import numpy as np
import torch
from sklearn.datasets import load_diabetes
from sklearn.model_selection import KFold, train_test_split

from model import Hetero, gaussian_nll
from optim import Lion

GRID = {"hidden": [8, 24], "drop": [0.2], "wd": [0.1, 1.0]}
EPOCHS, LR = 25, 6e-3


def fit(X, t, hp, seed, report=None):
    torch.manual_seed(seed)
    mx, sx, mt, st = X.mean(0), X.std(0), t.mean(), t.std()
    Xs = torch.tensor((X - mx) / sx, dtype=torch.float32)
    ts = torch.tensor((t - mt) / st, dtype=torch.float32)
    net = Hetero(X.shape[1], hp["hidden"], hp["drop"])
    opt = Lion(net.parameters(), lr=LR, weight_decay=hp["wd"])
    sched = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.05, EPOCHS)
    for ep in range(1, EPOCHS + 1):
        net.train()
        s = 0.0
        for b in torch.randperm(len(ts)).split(32):
            loss = gaussian_nll(*net(Xs[b]), ts[b])
            opt.zero_grad()
            loss.backward()
            opt.step()
            s += loss.item() * len(b)
        sched.step()
        if report and ep % 5 == 0:
            print(f"  {report} epoch {ep:3d} train nll {s/len(ts):+.4f}")

    def predict(Z):
        net.eval()
        with torch.no_grad():
            mu, lv = net(torch.tensor((Z - mx) / sx, dtype=torch.float32))
        return mu.numpy() * st + mt, np.exp(0.5 * lv.numpy()) * st
    return predict


def scores(pred, t):
    mu, sd = pred
    nll = np.mean(0.5 * np.log(2 * np.pi * sd ** 2) + 0.5 * ((t - mu) / sd) ** 2)
    return nll, np.sqrt(np.mean((t - mu) ** 2)), np.mean(np.abs(t - mu) < 1.645 * sd)


X, t = load_diabetes(return_X_y=True, scaled=False)
X, Xtest, t, ttest = train_test_split(X, t, test_size=0.2, random_state=6)
folds = list(KFold(4, shuffle=True, random_state=0).split(X))
table = []
for values in itertools.product(*GRID.values()):
    hp = dict(zip(GRID, values))
    res = np.array([scores(fit(X[a], t[a], hp, seed=k)(X[b]), t[b]) for k, (a, b) in enumerate(folds)])
    table.append((res[:, 0].mean(), hp))
    print(f"{hp} cv nll {res[:, 0].mean():.4f} +- {res[:, 0].std():.4f} rmse {res[:, 1].mean():.2f} cover90 {res[:, 2].mean():.3f}")

best = min(table, key=lambda r: r[0])[1]
print("chosen", best)
nll, rmse, cover = scores(fit(X, t, best, seed=100, report="refit")(Xtest), ttest)
const = scores((np.full(len(ttest), t.mean()), np.full(len(ttest), t.std())), ttest)
print(f"test nll {nll:.4f} rmse {rmse:.2f} 90% interval covers {cover:.3f}   (constant: nll {const[0]:.4f} rmse {const[1]:.2f})")
