import math

import torch
from torch import nn


class FraudNet(nn.Module):
    def __init__(self, n_num, cardinalities, hidden, prior):
        super().__init__()
        self.embeddings = nn.ModuleList(nn.Embedding(c, 4) for c in cardinalities)
        d = n_num + 4 * len(cardinalities)
        self.trunk = nn.Sequential(
            nn.Linear(d, hidden), nn.ReLU(),
            nn.Linear(hidden, hidden), nn.ReLU())
        self.logit = nn.Linear(hidden, 1)
        self.prior = prior
        self.apply(self._init)

    def _init(self, m):
        if isinstance(m, nn.Linear):
            nn.init.kaiming_uniform_(m.weight, a=math.sqrt(5))
            # start from the base rate, see the focal loss paper
            nn.init.constant_(m.bias, -math.log((1 - self.prior) / self.prior))
        elif isinstance(m, nn.Embedding):
            nn.init.normal_(m.weight, std=0.1)

    def forward(self, num, cat):
        e = [emb(cat[:, j]) for j, emb in enumerate(self.embeddings)]
        return self.logit(self.trunk(torch.cat([num, *e], 1))).squeeze(1)
