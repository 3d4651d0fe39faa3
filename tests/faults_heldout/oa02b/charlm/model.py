import torch.nn as nn


class CharGRU(nn.Module):
    def __init__(self, n_symbols, emb=24, hidden=96):
        super().__init__()
        self.embed = nn.Embedding(n_symbols, emb, padding_idx=0)
        self.rnn = nn.GRU(emb, hidden, batch_first=True)
        self.out = nn.Linear(hidden, n_symbols)

    def forward(self, ids):
        h, _ = self.rnn(self.embed(ids))
        return self.out(h)
