import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class Reader(nn.Module):
    def __init__(self, bands, hidden, symbols):
        super().__init__()
        self.inp = nn.Linear(bands, hidden)
        self.rnn = nn.GRU(hidden, hidden, bidirectional=True, batch_first=True)
        self.out = nn.Linear(2 * hidden, symbols + 1)

    def forward(self, x, xlen):
        h = torch.relu(self.inp(x))
        h, _ = self.rnn(pack_padded_sequence(h, xlen, batch_first=True))
        h, _ = pad_packed_sequence(h, batch_first=True)
        return self.out(h).log_softmax(-1)


def best_path(logp, xlen):
    ids = logp.argmax(-1)
    res = []
    for row, n in zip(ids, xlen):
        row = torch.unique_consecutive(row[:n])
        res.append(row[row != 0].tolist())
    return res


def edit_distance(a, b):
    prev = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        cur = [i]
        for j, y in enumerate(b, 1):
            cur.append(min(prev[j] + 1, cur[-1] + 1, prev[j - 1] + (x != y)))
        prev = cur
    return prev[-1]
