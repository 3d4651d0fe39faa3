"""Hourly heart-rate charts of short admissions; the stay length differs per patient."""
import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import Dataset

MAX_HOURS = 36


class Admissions(Dataset):
    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        self.charts = []
        for _ in range(n):
            hours = 3 + int(torch.empty(1).exponential_(1 / 4.0, generator=g).item())
            hours = min(hours, MAX_HOURS)
            base = 82 + 11 * torch.randn(1, generator=g)
            phase = torch.rand(1, generator=g) * 24
            t = torch.arange(hours + 1)
            hr = base + 5 * torch.sin((t + phase) * 2 * torch.pi / 24)
            drift, level = torch.randn(1, generator=g) * 0.6, torch.zeros(1)
            series = []
            for k in range(hours + 1):
                level = 0.8 * level + 1.5 * torch.randn(1, generator=g)
                series.append(hr[k] + drift * k + level)
            self.charts.append(torch.cat(series))

    def __len__(self):
        return len(self.charts)

    def __getitem__(self, i):
        return self.charts[i] / 100.0


def collate(batch):
    chart = pad_sequence(batch, batch_first=True)
    lengths = torch.tensor([len(c) - 1 for c in batch])
    return chart[:, :-1], chart[:, 1:], lengths
