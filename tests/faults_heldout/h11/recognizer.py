import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class Recognizer(nn.Module):
    """Convolutions halve the width once; a bidirectional GRU reads the columns."""

    def __init__(self, classes=11, hidden=40):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d((2, 1)),
            nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d((2, 2)))
        self.gru = nn.GRU(32 * 2, hidden, bidirectional=True, batch_first=True)
        self.out = nn.Linear(2 * hidden, classes)

    def forward(self, x, widths):
        h = self.conv(x)                                   # (batch, 32, 2, width // 2)
        h = h.permute(0, 3, 1, 2).flatten(2)               # (batch, time, 64)
        steps = widths // 2
        packed = pack_padded_sequence(h, steps, batch_first=True, enforce_sorted=False)
        h, _ = pad_packed_sequence(self.gru(packed)[0], batch_first=True)
        return self.out(h).log_softmax(-1), steps


def greedy(log_probs, steps, blank=0):
    texts = []
    for row, n in zip(log_probs.argmax(-1), steps):
        row = torch.unique_consecutive(row[:n])
        texts.append(row[row != blank].tolist())
    return texts
