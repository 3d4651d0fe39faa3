import torch
from torch import nn

from .text import BUCKETS


class Taxonomy:
    def __init__(self, labels):
        self.leaves = sorted(set(labels))
        self.groups = sorted({l.split("/")[0] for l in self.leaves})
        self.parent = torch.tensor([self.groups.index(l.split("/")[0]) for l in self.leaves])

    def siblings(self):
        return [torch.nonzero(self.parent == g).squeeze(1) for g in range(len(self.groups))]


class TreeClassifier(nn.Module):
    """log p(leaf) = log p(group) + log p(leaf | group); returns log-probabilities of the leaves."""

    def __init__(self, taxonomy, dim=32):
        super().__init__()
        self.taxonomy = taxonomy
        self.bag = nn.EmbeddingBag(BUCKETS, dim, mode="mean")
        nn.init.normal_(self.bag.weight, std=0.1)
        self.drop = nn.Dropout(0.3)
        self.group = nn.Linear(dim, len(taxonomy.groups))
        self.leaf = nn.Linear(dim, len(taxonomy.leaves))

    def forward(self, flat, offsets):
        h = self.drop(self.bag(flat, offsets))
        logp = torch.log_softmax(self.group(h), 1)[:, self.taxonomy.parent]
        z = self.leaf(h)
        inner = torch.empty_like(z)
        for members in self.taxonomy.siblings():
            inner[:, members] = torch.log_softmax(z[:, members], 1)
        return logp + inner
