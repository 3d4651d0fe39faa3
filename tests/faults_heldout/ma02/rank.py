"""Pairwise learning-to-rank on query/document features (RankNet style scorer, hinge on score differences)."""
import json
import random

import numpy as np
import torch
from torch import nn

conf = json.load(open("ranker.json"))
random.seed(conf["seed"])
np.random.seed(conf["seed"])
torch.manual_seed(conf["seed"])

raw = np.loadtxt("clicks.csv", delimiter=",", skiprows=1, dtype=np.float32)
qid, rel, feats = raw[:, 0].astype(int), raw[:, 1].astype(int), raw[:, 2:]
queries = np.unique(qid)
np.random.shuffle(queries)
test_q = set(queries[: len(queries) // 5].tolist())
is_test = np.array([q in test_q for q in qid])

mean, std = feats[~is_test].mean(0), feats[~is_test].std(0)
feats = torch.tensor((feats - mean) / std)

groups = {int(q): np.flatnonzero(qid == q) for q in np.unique(qid)}


def pairs_of(rows):
    """(better, worse) document pairs inside one query"""
    return [(i, j) for i in rows for j in rows if rel[i] > rel[j]]


train_pairs = np.array([p for q, rows in groups.items() if q not in test_q for p in pairs_of(rows)])
print(f"{len(queries)} queries, {len(train_pairs)} training pairs")


class Scorer(nn.Module):
    def __init__(self, n_features, hidden, dropout):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(n_features, hidden), nn.ReLU(), nn.Dropout(dropout),
            nn.Linear(hidden, hidden // 2), nn.ReLU(), nn.Linear(hidden // 2, 1))

    def forward(self, x):
        return self.body(x).squeeze(-1)


def ndcg(scores, gains, k):
    order = np.argsort(-scores)[:k]
    disc = 1.0 / np.log2(np.arange(2, len(order) + 2))
    best = np.sort(gains)[::-1][:k]
    return float(((2.0 ** gains[order] - 1) * disc).sum() / ((2.0 ** best - 1) * disc[: len(best)]).sum())


def evaluate(model, which):
    model.eval()
    values = []
    with torch.no_grad():
        for q in which:
            rows = groups[int(q)]
            if rel[rows].max() == 0:
                continue
            values.append(ndcg(model(feats[rows]).numpy(), rel[rows], conf["ndcg_at"]))
    return np.mean(values)


model = Scorer(feats.shape[1], conf["hidden"], conf["dropout"])
criterion = nn.MarginRankingLoss(margin=conf["margin"])
opt = torch.optim.Adam(model.parameters(), lr=conf["lr"])
print(f"before training: ndcg@{conf['ndcg_at']} {evaluate(model, sorted(test_q)):.3f}")

bs = conf["batch_size"]
for epoch in range(conf["epochs"]):
    model.train()
    perm = np.random.permutation(len(train_pairs))
    running = 0.0
    for k in range(0, len(perm) - bs + 1, bs):
        better, worse = train_pairs[perm[k:k + bs]].T
        s_better, s_worse = model(feats[better]), model(feats[worse])
        loss = criterion(s_worse, s_better, torch.ones(bs))
        opt.zero_grad()
        loss.backward()
        opt.step()
        running += loss.item()
    print(f"epoch {epoch + 1}: hinge {running / (len(perm) // bs):.4f}  "
          f"ndcg@{conf['ndcg_at']} {evaluate(model, sorted(test_q)):.3f}")
