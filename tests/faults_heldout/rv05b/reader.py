import torch
from torch import nn


class TicketReader(nn.Module):
    def __init__(self, n_tokens, pad_id, emb=32, hidden=40, dropout=0.3):
        super().__init__()
        self.pad_id = pad_id
        self.embed = nn.Embedding(n_tokens, emb, padding_idx=pad_id)
        self.gru = nn.GRU(emb, hidden, batch_first=True)
        self.drop = nn.Dropout(dropout)
        self.score = nn.Linear(hidden, 1)

    def forward(self, ids):
        length = (ids != self.pad_id).sum(dim=1)
        states, _ = self.gru(self.drop(self.embed(ids)))
        last = states[torch.arange(len(ids)), length - 1]
        return self.score(self.drop(last)).squeeze(1)
