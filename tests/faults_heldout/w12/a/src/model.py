from torch import nn


class Tagger(nn.Module):
    def __init__(self, n_words, n_tags, d=40, hidden=40, pad=0):
        super().__init__()
        self.words = nn.Embedding(n_words, d, padding_idx=pad)
        self.drop = nn.Dropout(0.1)
        self.rnn = nn.GRU(d, hidden, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * hidden, n_tags)

    def forward(self, tokens):
        h, _ = self.rnn(self.drop(self.words(tokens)))
        return self.out(self.drop(h))
