import torch
from torch import nn


class TransE(nn.Module):
    """-||h + r - t||, entities re-centred by the running mean of what has been seen."""

    def __init__(self, n_entities, n_relations, dim=16, momentum=0.98):
        super().__init__()
        self.ent = nn.Embedding(n_entities, dim)
        self.rel = nn.Embedding(n_relations, dim)
        nn.init.uniform_(self.ent.weight, -0.5, 0.5)
        nn.init.uniform_(self.rel.weight, -0.5, 0.5)
        self.momentum = momentum
        self.center = torch.zeros(dim)

    def entity(self, ids):
        e = self.ent(ids)
        if self.training:
            self.center = self.momentum * self.center + (1 - self.momentum) * e.mean(0)
        return e - self.center

    def score(self, triples):
        h, r, t = triples.unbind(1)
        e = self.entity(torch.cat([h, t]))
        h, t = e.chunk(2)
        t = t + self.center
        return -(h + self.rel(r) - t).norm(dim=1)
