import torch.nn as nn


class LineModel(nn.Module):
    def __init__(self, vocab, embed, hidden, pad):
        super().__init__()
        self.embed = nn.Embedding(vocab, embed, padding_idx=pad)
        self.rnn = nn.LSTM(embed, hidden, batch_first=True)
        self.out = nn.Linear(hidden, vocab)

    def forward(self, ids):
        h, _ = self.rnn(self.embed(ids))
        return self.out(h)
