import torch
import torch.nn as nn


class CharLM(nn.Module):
    def __init__(self, n_chars, emb=32, hidden=96):
        super().__init__()
        self.emb = nn.Embedding(n_chars, emb)
        self.rnn = nn.GRU(emb, hidden, batch_first=True)
        self.out = nn.Linear(hidden, n_chars)

    def forward(self, idx):
        h, _ = self.rnn(self.emb(idx))
        return self.out(h)

    @torch.no_grad()
    def sample(self, idx, n, temperature=0.7):
        for _ in range(n):
            logits = self(idx[:, -64:])[:, -1] / temperature
            nxt = torch.multinomial(logits.softmax(-1), 1)
            idx = torch.cat([idx, nxt], 1)
        return idx
