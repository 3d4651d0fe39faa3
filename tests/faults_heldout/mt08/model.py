import torch
from torch import nn

from streams import N_CMD, VOCAB


class Controller(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, 24)
        self.rnn = nn.GRU(24, width, batch_first=True)
        self.head = nn.Sequential(nn.Linear(width + 24, 64), nn.ReLU(), nn.Linear(64, N_CMD + 1))
        self.state = None

    def reset(self):
        self.state = None

    def forward(self, tok):
        e = self.emb(tok)
        h, state = self.rnn(e, self.state)
        self.state = state.detach()
        return self.head(torch.cat([h, e], dim=-1))
