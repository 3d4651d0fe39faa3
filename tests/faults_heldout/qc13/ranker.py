from dataclasses import dataclass

import numpy as np
import torch
from torch import nn


@dataclass
class Settings:
    margin: float = 1.0
    lr: float = 2e-3
    epochs: int = 15
    queries_per_batch: int = 8
    l2: float = 1e-4


class Scorer(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(d, 32), nn.ReLU(), nn.Linear(32, 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, docs):
        return self.f(docs).squeeze(-1)


def pairs(rel):
    """All (query, better, worse) index triples of a batch of judged lists."""
    diff = rel.unsqueeze(2) - rel.unsqueeze(1)
    return (diff > 0).nonzero(as_tuple=True)


def ndcg(scores, rel, k=5):
    disc = 1 / torch.log2(torch.arange(2, k + 2).float())
    gain = (2.0 ** rel - 1)
    got = (gain.gather(1, scores.topk(k, 1).indices) * disc).sum(1)
    best = (gain.topk(k, 1).values * disc).sum(1)
    keep = best > 0
    return (got[keep] / best[keep]).mean().item()


class PairwiseTrainer:
    def __init__(self, feats, rel, s: Settings):
        self.s = s
        self.x, self.rel = feats, rel
        self.model = Scorer(feats.shape[-1])
        self.rank_loss = nn.MarginRankingLoss(margin=s.margin)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=s.lr, weight_decay=s.l2)

    def step(self, q):
        scores = self.model(self.x[q])
        b, hi, lo = pairs(self.rel[q])
        s_hi, s_lo = scores[b, hi], scores[b, lo]
        loss = self.rank_loss(s_lo, s_hi, torch.ones_like(s_hi))
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()

    def fit(self, x_va, rel_va):
        for e in range(1, self.s.epochs + 1):
            self.model.train()
            ls = [self.step(q) for q in torch.randperm(len(self.x)).split(self.s.queries_per_batch)]
            self.model.eval()
            with torch.no_grad():
                print(f"{e:3d}  hinge {np.mean(ls):.4f}  ndcg@5 {ndcg(self.model(x_va), rel_va):.4f}")


if __name__ == "__main__":
    torch.manual_seed(9)
    z = np.load("queries.npz")
    feats = torch.from_numpy(z["feats"].astype(np.float32))
    rel = torch.from_numpy(z["rel"].astype(np.int64))
    print("random order  ndcg@5 %.4f" % ndcg(torch.rand(60, rel.shape[1]), rel[200:].float()))
    PairwiseTrainer(feats[:200], rel[:200], Settings()).fit(feats[200:], rel[200:].float())
