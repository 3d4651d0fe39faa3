import torch
from torch import nn


class Reader(nn.Module):
    def __init__(self, vocab, queues, dim=32, maps=48):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim, padding_idx=0)
        self.conv = nn.Conv1d(dim, maps, 5, padding=2)
        self.drop = nn.Dropout(0.3)
        self.out = nn.Linear(maps, queues)

    def forward(self, ids):
        h = torch.relu(self.conv(self.emb(ids).transpose(1, 2)))
        h = h.masked_fill((ids == 0)[:, None], 0.0)
        return self.out(self.drop(h.amax(-1)))
