import torch
from torch import nn


class CharLSTM(nn.Module):
    def __init__(self, vocab, dim=112, layers=1, dropout=0.1):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.drop = nn.Dropout(dropout)
        self.rnn = nn.LSTM(dim, dim, layers)
        self.out = nn.Linear(dim, vocab)
        nn.init.uniform_(self.embed.weight, -0.1, 0.1)
        nn.init.zeros_(self.out.bias)
        self.out.weight = self.embed.weight

    def start(self, streams):
        z = torch.zeros(self.rnn.num_layers, streams, self.rnn.hidden_size)
        return z, z.clone()

    def forward(self, x, state):
        h, state = self.rnn(self.drop(self.embed(x)), state)
        return self.out(self.drop(h)), state
