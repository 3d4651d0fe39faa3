import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim, padding_idx=0)
        self.gru = nn.GRU(dim, dim, batch_first=True, bidirectional=True)
        self.bridge = nn.Linear(2 * dim, dim)

    def forward(self, src):
        states, last = self.gru(self.emb(src))
        return self.bridge(states), torch.tanh(self.bridge(torch.cat([last[0], last[1]], -1)))


class AttnDecoder(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.cell = nn.GRU(dim, dim, batch_first=True)
        self.query = nn.Linear(dim, dim, bias=False)
        self.out = nn.Sequential(nn.Linear(2 * dim, dim), nn.Tanh(), nn.Linear(dim, vocab))

    def forward(self, tokens, state, memory, mask):
        h, state = self.cell(self.emb(tokens), state)
        score = self.query(h) @ memory.transpose(1, 2)
        score = score.masked_fill(mask[:, None], -1e9)
        ctx = score.softmax(-1) @ memory
        return self.out(torch.cat([h, ctx], -1)), state
