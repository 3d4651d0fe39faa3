import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence


class ReviewLSTM(nn.Module):
    def __init__(self, vocab, dim=24, hidden=32):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim, padding_idx=0)
        self.rnn = nn.LSTM(dim, hidden, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * hidden, 1)
        self.aspect_head = nn.Linear(2 * hidden, 4)  # used by the second project stage only

    def forward(self, x, lens, with_aspects=False):
        packed = pack_padded_sequence(self.emb(x), lens, batch_first=True, enforce_sorted=False)
        _, (h, _) = self.rnn(packed)
        h = torch.cat([h[0], h[1]], 1)
        z = self.out(h).squeeze(1)
        return (z, self.aspect_head(h)) if with_aspects else z
