import os

import numpy as np
import torch
import torch.nn as nn
from sklearn.metrics import average_precision_score, roc_auc_score
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, Dataset


class Claims(Dataset):
    def __init__(self, numeric, region, kind, y):
        self.numeric = torch.tensor(numeric, dtype=torch.float32)
        self.cat = torch.tensor(np.stack([region, kind], 1), dtype=torch.long)
        self.y = torch.tensor(y, dtype=torch.float32)

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.numeric[i], self.cat[i], self.y[i]


class TabularNet(nn.Module):
    def __init__(self, n_numeric, cardinalities=(12, 5), emb=4, hidden=64, p=0.3):
        super().__init__()
        self.embs = nn.ModuleList([nn.Embedding(c, emb) for c in cardinalities])
        self.body = nn.Sequential(
            nn.Linear(n_numeric + emb * len(cardinalities), hidden), nn.ReLU(), nn.Dropout(p),
            nn.Linear(hidden, hidden), nn.ReLU(), nn.Dropout(p),
            nn.Linear(hidden, 1))

    def forward(self, numeric, cat):
        parts = [e(cat[:, i]) for i, e in enumerate(self.embs)]
        return self.body(torch.cat([numeric] + parts, dim=1)).squeeze(1)


def prepare(path):
    d = np.load(path)
    idx = np.arange(len(d["flagged"]))
    tr, va = train_test_split(idx, test_size=0.25, stratify=d["flagged"], random_state=1)
    num = d["numeric"].copy()
    num[:, 0] = np.log(num[:, 0])
    num[:, 1] = np.log1p(num[:, 1])
    mean, std = num[tr].mean(0), num[tr].std(0)
    num = (num - mean) / std
    return [Claims(num[i], d["region"][i], d["kind"][i], d["flagged"][i]) for i in (tr, va)]


def evaluate(net, loader):
    net.eval()
    scores, labels = [], []
    with torch.no_grad():
        for numeric, cat, y in loader:
            scores.append(net(numeric, cat))
            labels.append(y)
    s, y = torch.cat(scores).numpy(), torch.cat(labels).numpy()
    pred = s > 0
    recall = (pred & (y == 1)).sum() / (y == 1).sum()
    return average_precision_score(y, s), roc_auc_score(y, s), recall


def main():
    torch.manual_seed(2024)
    train, val = prepare(os.path.join(os.path.dirname(os.path.abspath(__file__)), "claims.npz"))
    tl = DataLoader(train, batch_size=128, shuffle=True)
    vl = DataLoader(val, batch_size=1000)
    pos = train.y.sum()
    weight = (len(train) - pos) / pos
    print(f"train {len(train)}, positive rate {pos / len(train):.3f}, pos_weight {weight:.1f}")
    net = TabularNet(train.numeric.shape[1])
    loss_fn = nn.BCEWithLogitsLoss(pos_weight=weight)
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-2)
    for epoch in range(12):
        net.train()
        total = 0.0
        for numeric, cat, y in tl:
            opt.zero_grad()
            loss = loss_fn(net(numeric, cat), y)
            loss.backward()
            opt.step()
            total += loss.item() * len(y)
        ap, auc, rec = evaluate(net, vl)
        print(f"epoch {epoch + 1:2d} | loss {total / len(train):.4f} | val AP {ap:.3f} AUC {auc:.3f} recall@0 {rec:.3f}")


if __name__ == "__main__":
    main()
