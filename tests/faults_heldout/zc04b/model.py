import torch.nn as nn


class CharGRU(nn.Module):
    def __init__(self, n_chars, emb=24, hidden=56):
        super().__init__()
        self.emb = nn.Embedding(n_chars, emb)
        self.gru = nn.GRU(emb, hidden, batch_first=True)
        self.proj = nn.Linear(hidden, n_chars)

    def forward(self, ids):
        out, _ = self.gru(self.emb(ids))
        return self.proj(out)
