import itertools

import torch
import torch.nn.functional as F
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from torch import nn
from torch.optim.swa_utils import SWALR, AveragedModel
from torch.utils.data import DataLoader, TensorDataset


def load():
    d = load_breast_cancer()
    x, y = d.data, 1 - d.target                    # 1 = malignant
    xtv, xte, ytv, yte = train_test_split(x, y, test_size=0.25, random_state=1, stratify=y)
    xtr, xva, ytr, yva = train_test_split(xtv, ytv, test_size=0.25, random_state=1, stratify=ytv)
    sc = StandardScaler().fit(xtr)
    f = lambda a, b: (torch.tensor(sc.transform(a), dtype=torch.float32), torch.tensor(b, dtype=torch.float32))
    return f(xtr, ytr), f(xva, yva), f(xte, yte)


def mlp(width, drop):
    return nn.Sequential(nn.Linear(30, width), nn.ReLU(), nn.Dropout(drop), nn.Linear(width, 1))


def fit(train, val, width, drop, epochs, swa_from=None):
    torch.manual_seed(0)
    model = mlp(width, drop)
    opt = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9, weight_decay=4e-2)
    weight = (train[1] == 0).sum() / (train[1] == 1).sum()
    swa = AveragedModel(model) if swa_from else None
    swa_lr = SWALR(opt, swa_lr=0.01, anneal_epochs=3) if swa_from else None
    loader = DataLoader(TensorDataset(*train), batch_size=32, shuffle=True)
    for epoch in range(epochs):
        model.train()
        tot = 0.0
        for xb, yb in loader:
            loss = F.binary_cross_entropy_with_logits(model(xb).squeeze(1), yb, pos_weight=weight)
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item() * len(xb)
        if swa and epoch >= swa_from:
            swa.update_parameters(model)
            swa_lr.step()
        if swa and (epoch + 1) % 5 == 0:
            model.eval()
            print(f"  epoch {epoch + 1} train {tot / len(train[0]):.4f} val {score(model, val, weight)[0]:.4f}")
    final = swa or model
    final.eval()
    return final, score(final, val, weight)


@torch.no_grad()
def score(model, data, weight):
    z = model(data[0]).squeeze(1)
    return F.binary_cross_entropy_with_logits(z, data[1], pos_weight=weight).item(), roc_auc_score(data[1], z)


train, val, test = load()
results = {}
for width, drop in itertools.product([8, 16, 32, 64], [0.2, 0.4]):
    _, (loss, auc) = fit(train, val, width, drop, epochs=15)
    results[(width, drop)] = loss
    print(f"width {width:3d} drop {drop} val loss {loss:.4f} auc {auc:.4f}")
best = min(results, key=results.get)
print("best", best)
model, (vl, va) = fit(train, val, *best, epochs=30, swa_from=12)
with torch.no_grad():
    pred = (model(test[0]).squeeze(1) > 0).float()
print(f"swa: val loss {vl:.4f} auc {va:.4f}; test auc {roc_auc_score(test[1], model(test[0]).detach().squeeze(1)):.4f} acc {(pred == test[1]).float().mean():.4f}")
