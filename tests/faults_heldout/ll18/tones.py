"""Sequences of dialling tones: every key is two sine tones of random length; log-spectrogram frames are the features."""
import numpy as np
import torch
from torch.utils.data import Dataset

ROW, COL = (697, 770, 852, 941), (1209, 1336, 1477)
KEYS = "123456789*0#"
RATE, FRAME, HOP = 4000, 128, 100
BLANK = 0


def dial(keys, rng):
    parts = [np.zeros(rng.integers(60, 300))]
    for k in keys:
        i = KEYS.index(k)
        n = rng.integers(240, 560)
        t = np.arange(n) / RATE
        tone = np.sin(2 * np.pi * ROW[i // 3] * rng.normal(1, 0.005) * t + rng.uniform(0, 6.28))
        tone += rng.uniform(0.6, 1.2) * np.sin(2 * np.pi * COL[i % 3] * rng.normal(1, 0.005) * t + rng.uniform(0, 6.28))
        parts += [tone * rng.uniform(0.5, 1.0), np.zeros(rng.integers(110, 320))]
    wave = np.concatenate(parts)
    return wave + 0.9 * rng.normal(size=len(wave))


def log_spectrum(wave):
    n = 1 + (len(wave) - FRAME) // HOP
    idx = np.arange(FRAME)[None] + HOP * np.arange(n)[:, None]
    spec = np.abs(np.fft.rfft(wave[idx] * np.hanning(FRAME), axis=1))[:, 18:52]
    return np.log(spec + 0.1).astype(np.float32)


class DialSet(Dataset):
    def __init__(self, n, seed, stats=None):
        rng = np.random.default_rng(seed)
        self.items = []
        for _ in range(n):
            keys = "".join(KEYS[i] for i in rng.integers(0, len(KEYS), rng.integers(2, 6)))
            self.items.append((log_spectrum(dial(keys, rng)), keys))
        frames = np.concatenate([f for f, _ in self.items])
        self.stats = stats or (frames.mean(0), frames.std(0))

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        f, keys = self.items[i]
        f = (f - self.stats[0]) / self.stats[1]
        return torch.from_numpy(f), torch.tensor([KEYS.index(k) + 1 for k in keys])


def collate(batch):
    feats, labels = zip(*batch)
    return (torch.nn.utils.rnn.pad_sequence(feats, batch_first=True), torch.tensor([len(f) for f in feats]),
            torch.cat(labels), torch.tensor([len(k) for k in labels]))
