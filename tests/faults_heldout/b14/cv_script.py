# Breast cancer diagnosis, 5-fold CV with a small network, out-of-fold AUC.
# Standardisation is fitted inside each fold.
import numpy as np
import torch
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold

torch.manual_seed(100)
X, y = load_breast_cancer(return_X_y=True)
X, y = X.astype("float32"), y.astype("float32")
params = dict(hidden=16, lr=3e-3, epochs=30, batch=32, wd=1e-3, drop=0.2)


def make_net(d):
    h = params["hidden"]
    return torch.nn.Sequential(
        torch.nn.Linear(d, h), torch.nn.ReLU(), torch.nn.Dropout(params["drop"]),
        torch.nn.Linear(h, 1))


def bce(logit, t):
    # numerically stable binary cross-entropy on logits
    return (logit.clamp(min=0) - logit * t + torch.log1p(torch.exp(-logit.abs()))).mean()


def predict(net, x):
    net.eval()
    with torch.no_grad():
        return torch.sigmoid(net(x).squeeze(1)).numpy()


oof = np.zeros(len(y))
for fold, (tr, va) in enumerate(StratifiedKFold(5, shuffle=True, random_state=42).split(X, y)):
    mu, sd = X[tr].mean(0), X[tr].std(0)
    xtr, xva = (torch.from_numpy((X[i] - mu) / sd) for i in (tr, va))
    ytr, yva = torch.from_numpy(y[tr]), torch.from_numpy(y[va])
    net = make_net(X.shape[1])
    opt = torch.optim.AdamW(net.parameters(), lr=params["lr"], weight_decay=params["wd"])
    for ep in range(params["epochs"]):
        net.train()
        running = 0.0
        order = np.random.default_rng(fold * 1000 + ep).permutation(len(tr))
        for s in range(0, len(order), params["batch"]):
            b = torch.from_numpy(order[s:s + params["batch"]])
            loss = bce(net(xtr[b]).squeeze(1), ytr[b])
            opt.zero_grad()
            loss.backward()
            opt.step()
            running += loss.item() * len(b)
    oof[va] = predict(net, xva)
    print(f"fold {fold}: train loss {running/len(tr):.4f}  val auc {roc_auc_score(y[va], oof[va]):.4f}  "
          f"val acc {((oof[va] > 0.5) == y[va]).mean():.4f}")
print(f"OOF auc {roc_auc_score(y, oof):.4f}  acc {((oof > 0.5) == y).mean():.4f}  majority {max(y.mean(), 1-y.mean()):.4f}")
