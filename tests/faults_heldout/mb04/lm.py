import torch
from torch import nn


class LogModel(nn.Module):
    """Character LSTM; the decoder shares its matrix with the embedding."""

    def __init__(self, n_chars, width, dropout):
        super().__init__()
        self.embed = nn.Embedding(n_chars, width)
        self.rnn = nn.LSTM(width, width, batch_first=True)
        self.drop = nn.Dropout(dropout)
        self.decode = nn.Linear(width, n_chars)
        nn.init.normal_(self.embed.weight, std=width ** -0.5)
        self.decode.weight = self.embed.weight

    def forward(self, chars, state=None):
        h, state = self.rnn(self.drop(self.embed(chars)), state)
        return self.decode(self.drop(h)), state


class Lanes:
    """The text cut into `lanes` long strips read side by side, `bptt` characters at a time, in order."""

    def __init__(self, ids, lanes, bptt):
        n = len(ids) // lanes
        self.strips = ids[: n * lanes].view(lanes, n)
        self.bptt = bptt

    def __iter__(self):
        n = self.strips.shape[1]
        for i in range(0, n - 1, self.bptt):
            j = min(i + self.bptt, n - 1)
            yield self.strips[:, i:j], self.strips[:, i + 1:j + 1]


def carry(state):
    return tuple(s.detach() for s in state)
