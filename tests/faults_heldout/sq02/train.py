"""Pairwise ranking of search results (RankNet). One step = one query with all its documents."""
import argparse
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=25)
    p.add_argument("--lr", type=float, default=0.005)
    p.add_argument("--momentum", type=float, default=0.9)
    p.add_argument("--hidden", type=int, default=48)
    p.add_argument("--seed", type=int, default=0)
    return p.parse_args()


def load_queries():
    z = np.load(Path(__file__).parent / "queries.npz")
    x, y, q = z["features"].astype(np.float32), z["grade"].astype(np.int64), z["qid"]
    groups = [(torch.from_numpy(x[q == k]), torch.from_numpy(y[q == k])) for k in np.unique(q)]
    return groups[:120], groups[120:]


class Scorer(nn.Module):
    def __init__(self, n_in, hidden):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_in, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh())
        self.out = nn.Linear(hidden, 1)

    def forward(self, docs):
        return self.out(self.body(docs)).squeeze(-1)


def pair_loss(score, grade):
    """softplus(-(s_i - s_j)) for every pair in which i has the higher grade"""
    better = grade[:, None] > grade[None, :]
    margin = score[:, None] - score[None, :]
    return F.softplus(-margin[better]).sum()


def ndcg(score, grade, k=10):
    discount = 1.0 / torch.log2(torch.arange(2, k + 2).float())
    gain = (2.0 ** grade.float()) - 1
    top = gain[score.argsort(descending=True)][:k]
    ideal = gain.sort(descending=True).values[:k]
    best = (ideal * discount[:len(ideal)]).sum()
    return None if best == 0 else ((top * discount[:len(top)]).sum() / best).item()


@torch.no_grad()
def evaluate(model, queries):
    model.eval()
    vals = [ndcg(model(x), y) for x, y in queries]
    return float(np.mean([v for v in vals if v is not None]))


def main():
    args = parse()
    torch.manual_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    train, held_out = load_queries()
    model = Scorer(train[0][0].shape[1], args.hidden)
    opt = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=args.momentum)
    for epoch in range(args.epochs):
        model.train()
        losses = []
        for i in rng.permutation(len(train)):
            x, y = train[i]
            if y.unique().numel() < 2:      # nothing to order
                continue
            loss = pair_loss(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
        print(f"epoch {epoch + 1:2d}  loss {np.mean(losses):.4f}  NDCG@10 train {evaluate(model, train):.4f}"
              f"  held out {evaluate(model, held_out):.4f}")


if __name__ == "__main__":
    main()
