import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence


class CharGRU(nn.Module):
    def __init__(self, symbols, regions, dim=24, hidden=48, dropout=0.2):
        super().__init__()
        self.embed = nn.Embedding(symbols + 1, dim, padding_idx=0)
        self.gru = nn.GRU(dim, hidden, batch_first=True, bidirectional=True)
        self.drop = nn.Dropout(dropout)
        self.out = nn.Linear(2 * hidden, regions)

    def forward(self, tokens, lengths):
        packed = pack_padded_sequence(self.embed(tokens), lengths, batch_first=True, enforce_sorted=False)
        _, h = self.gru(packed)
        return self.out(self.drop(torch.cat([h[0], h[1]], dim=1)))
