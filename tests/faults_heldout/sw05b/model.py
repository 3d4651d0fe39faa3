import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence


class NameClassifier(nn.Module):
    def __init__(self, n_chars, n_regions, emb=24, hidden=48):
        super().__init__()
        self.emb = nn.Embedding(n_chars + 1, emb, padding_idx=0)
        self.rnn = nn.GRU(emb, hidden, batch_first=True, bidirectional=True)
        self.head = nn.Linear(2 * hidden, n_regions)

    def forward(self, tokens, lengths):
        packed = pack_padded_sequence(self.emb(tokens), lengths, batch_first=True, enforce_sorted=False)
        _, h = self.rnn(packed)
        return self.head(torch.cat([h[0], h[1]], dim=1))
