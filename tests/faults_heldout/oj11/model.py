import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence


class Router(nn.Module):
    def __init__(self, vocab, classes, emb=24, hidden=32):
        super().__init__()
        self.emb = nn.Embedding(vocab, emb, padding_idx=0)
        self.rnn = nn.LSTM(emb, hidden, batch_first=True, bidirectional=True)
        self.drop = nn.Dropout(0.2)
        self.out = nn.Linear(2 * hidden, classes)

    def forward(self, x, lengths):
        packed = pack_padded_sequence(self.emb(x), lengths, batch_first=True)
        _, (h, _) = self.rnn(packed)
        return self.out(self.drop(torch.cat([h[0], h[1]], 1)))
