import torch
from torch import nn


class GruTagger(nn.Module):
    def __init__(self, n_words, n_tags, dim, width, drop):
        super().__init__()
        self.word = nn.Embedding(n_words, dim, padding_idx=0)
        self.shape = nn.Embedding(8, 8)
        self.rnn = nn.GRU(dim + 8, width, batch_first=True, bidirectional=True)
        self.drop = nn.Dropout(drop)
        self.out = nn.Linear(2 * width, n_tags)

    def forward(self, words, shapes):
        x = torch.cat([self.word(words), self.shape(shapes)], -1)
        h, _ = self.rnn(self.drop(x))
        return self.out(self.drop(h))
