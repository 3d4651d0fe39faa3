import torch
from torch import nn
import torch.nn.functional as F


class FactorModel(nn.Module):
    def __init__(self, n_users, n_items, dim):
        super().__init__()
        self.user = nn.Embedding(n_users, dim, sparse=True)
        self.item = nn.Embedding(n_items, dim, sparse=True)
        self.bias = nn.Embedding(n_items, 1, sparse=True)
        nn.init.normal_(self.user.weight, std=0.1)
        nn.init.normal_(self.item.weight, std=0.1)
        nn.init.zeros_(self.bias.weight)

    def forward(self, u, i):
        return (self.user(u) * self.item(i)).sum(1) + self.bias(i).squeeze(1)

    def penalty(self, u, pos, neg):
        return (self.user(u).pow(2).sum() + self.item(pos).pow(2).sum() + self.item(neg).pow(2).sum()) / len(u)

    @torch.no_grad()
    def all_scores(self):
        return self.user.weight @ self.item.weight.t() + self.bias.weight.squeeze(1)


def bpr(pos_score, neg_score):
    return -F.logsigmoid(pos_score - neg_score).mean()


def rank_metrics(scores, known, wanted, k=10):
    """Hit rate and NDCG at k among all items that were not in the history."""
    scores = scores.masked_fill(known, float("-inf"))
    target = scores.gather(1, wanted[:, None])
    rank = (scores > target).sum(1)
    hit = (rank < k).float()
    return hit.mean().item(), (hit / torch.log2(rank.float() + 2)).mean().item()
