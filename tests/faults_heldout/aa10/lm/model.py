import torch.nn as nn


class CharLSTM(nn.Module):
    def __init__(self, vocab, emb=32, hidden=96, dropout=0.0):
        super().__init__()
        self.emb = nn.Embedding(vocab, emb)
        self.lstm = nn.LSTM(emb, hidden, batch_first=True)
        self.drop = nn.Dropout(dropout)
        self.out = nn.Linear(hidden, vocab)

    def forward(self, x):
        h, _ = self.lstm(self.emb(x))
        return self.out(self.drop(h))
