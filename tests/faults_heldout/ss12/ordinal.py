import torch
from torch import nn
from torch.nn import functional as F


class Ladder(nn.Module):
    """Score from embeddings + numbers, compared with increasing thresholds: P(y > k) = sigmoid(score - b_k)."""

    def __init__(self, sizes, n_num, levels, width=32):
        super().__init__()
        self.emb = nn.ModuleList(nn.Embedding(s + 1, min(8, 2 + s // 4), padding_idx=0) for s in sizes)
        d = sum(e.embedding_dim for e in self.emb) + n_num
        self.net = nn.Sequential(nn.Dropout(0.1), nn.Linear(d, width), nn.ReLU(), nn.Linear(width, 1, bias=False))
        self.first = nn.Parameter(torch.tensor(-1.5))
        self.gap = nn.Parameter(torch.zeros(levels - 2))

    def thresholds(self):
        return torch.cat([self.first[None], self.first + F.softplus(self.gap).cumsum(0)])

    def forward(self, cat, num):
        h = torch.cat([e(c) for e, c in zip(self.emb, cat.t())] + [num], 1)
        return self.net(h) - self.thresholds()

    @staticmethod
    def loss(logits, y):
        above = (y[:, None] > torch.arange(logits.shape[1])).float()
        return F.binary_cross_entropy_with_logits(logits, above, reduction="none").sum(1).mean()

    @staticmethod
    def predict(logits):
        return (logits > 0).sum(1)
