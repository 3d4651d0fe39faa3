import torch
from torch import nn
import torch.nn.functional as F


class NoteTagger(nn.Module):
    def __init__(self, vocab_size, n_tags, pad, dim=48, hidden=40):
        super().__init__()
        self.pad = pad
        self.embed = nn.Embedding(vocab_size, dim)
        self.rnn = nn.LSTM(dim, hidden, batch_first=True, bidirectional=True)
        self.context = nn.Linear(2 * hidden, 2 * hidden)
        self.out = nn.Linear(4 * hidden, n_tags)

    def forward(self, tokens):
        real = tokens != self.pad
        h, _ = self.rnn(self.embed(tokens) * real.unsqueeze(-1))
        att = self.context(h) @ h.transpose(1, 2) / h.shape[-1] ** 0.5
        att = att.masked_fill(~real.unsqueeze(1), -1e4).softmax(-1)
        return self.out(torch.cat([h, att @ h], dim=-1))

    def loss(self, tokens, tags):
        logits = self(tokens)
        real = tokens != self.pad
        return F.cross_entropy(logits[real], tags[real])
