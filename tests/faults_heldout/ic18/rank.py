"""Pairwise learning to rank, scores by a small net, NDCG@10 on held-out queries."""
import sys
from collections import defaultdict

import numpy as np
import torch
from torch import nn


def read_svm(path):
    queries = defaultdict(lambda: ([], []))
    for line in open(path):
        rel, qid, *feats = line.split()
        x, r = queries[int(qid[4:])]
        x.append([float(f.split(":")[1]) for f in feats])
        r.append(int(rel))
    return {q: (torch.tensor(x), torch.tensor(r)) for q, (x, r) in queries.items()}


class Scorer(nn.Module):
    def __init__(self, n_in):
        super().__init__()
        self.norm = nn.BatchNorm1d(n_in, affine=False)
        self.f = nn.Sequential(nn.Linear(n_in, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, x):
        return self.f(self.norm(x)).squeeze(-1)


def ndcg(score, rel, k=10):
    gain = 2.0 ** rel.float() - 1
    disc = 1 / torch.log2(torch.arange(2, k + 2).float())
    ideal = (gain.sort(descending=True).values[:k] * disc).sum()
    got = (gain[score.argsort(descending=True)][:k] * disc).sum()
    return (got / ideal).item() if ideal > 0 else 1.0


def pairs(rel, rng, n=60):
    """n pairs (a, b) of documents of one query with different grades."""
    a, b = torch.from_numpy(rng.integers(0, len(rel), (2, 3 * n)))
    keep = rel[a] != rel[b]
    return a[keep][:n], b[keep][:n]


def evaluate(model, queries):
    model.eval()
    with torch.no_grad():
        return float(np.mean([ndcg(model(x), rel) for x, rel in queries]))


def main(path="clicks.svm", epochs=24):
    torch.manual_seed(9)
    rng = np.random.default_rng(9)
    data = read_svm(path)
    ids = rng.permutation(sorted(data))
    test = [data[q] for q in ids[:36]]
    train = [data[q] for q in ids[36:]]
    model = Scorer(train[0][0].shape[1])
    criterion = nn.MarginRankingLoss(margin=0.5)
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    print(f"untrained ndcg@10 {evaluate(model, test):.3f}")
    for epoch in range(epochs):
        model.train()
        total = 0.0
        for q in rng.permutation(len(train)):
            x, rel = train[q]
            a, b = pairs(rel, rng)
            score = model(x)
            order = torch.sign((rel[b] - rel[a]).float())
            loss = criterion(score[a], score[b], order)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
        print(f"epoch {epoch:2d} loss {total / len(train):.4f} "
              f"ndcg@10 train {evaluate(model, train):.3f} test {evaluate(model, test):.3f}")


if __name__ == "__main__":
    main(*sys.argv[1:2])
