from types import SimpleNamespace

import numpy as np
import torch
from torch import nn


def load_graph(path):
    z = np.load(path)
    n = len(z["field"])
    adj = torch.eye(n)
    a, b = torch.from_numpy(z["links"].astype(np.int64))
    adj[a, b] = adj[b, a] = 1.0
    d = adj.sum(1).rsqrt()
    words = torch.zeros(n, int(z["n_words"]))
    paper, word = torch.from_numpy(z["words"].astype(np.int64))
    words[paper, word] = 1.0
    words = words / words.sum(1, keepdim=True).clamp(min=1.0)
    part = torch.from_numpy(z["part"])
    return SimpleNamespace(
        adj=d[:, None] * adj * d[None, :],
        feat=words * 10.0,
        field=torch.from_numpy(z["field"].astype(np.int64)),
        fit=(part == 0).nonzero().squeeze(1),
        dev=(part == 1).nonzero().squeeze(1),
    )


class CitationNet(nn.Module):
    def __init__(self, n_words, n_fields, hidden, drop):
        super().__init__()
        self.first = nn.Linear(n_words, hidden)
        self.second = nn.Linear(hidden, n_fields)
        self.drop = nn.Dropout(drop)

    def forward(self, feat, adj):
        h = torch.relu(adj @ self.first(self.drop(feat)))
        return adj @ self.second(self.drop(h))
