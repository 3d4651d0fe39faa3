"""Small CNN on spectrograms of synthetic bird-like calls."""
import argparse
import time

import numpy as np
import torch
from scipy import signal
from torch import nn
from torch.utils.data import DataLoader, Dataset

RATE = 8000
SPECIES = 4


def synth_call(species, rng, seconds=1.0):
    t = np.arange(int(RATE * seconds)) / RATE
    base = (1100, 1500, 1900, 2300)[species] + rng.normal(0, 90)
    sweep = (600, -500, 200, 900)[species] * (1 + 0.2 * rng.normal())
    trill = (6, 14, 22, 9)[species]
    phase = 2 * np.pi * (base * t + 0.5 * sweep * t ** 2)
    env = np.clip(np.sin(2 * np.pi * trill * t + rng.uniform(0, 6.28)), 0, 1)
    onset = rng.uniform(0, 0.4)
    env *= (t > onset) & (t < onset + 0.5)
    return (env * np.sin(phase) + 0.3 * rng.normal(size=t.size)).astype(np.float32)


class CallDataset(Dataset):
    def __init__(self, n, seed):
        rng = np.random.default_rng(seed)
        self.labels = rng.integers(0, SPECIES, n)
        self.waves = [synth_call(s, rng) for s in self.labels]

    def __len__(self):
        return len(self.waves)

    def __getitem__(self, i):
        taps = signal.firwin(301, [700, 3600], pass_zero=False, fs=RATE)
        wave = signal.filtfilt(taps, [1.0], self.waves[i])
        _, _, spec = signal.spectrogram(wave, RATE, nperseg=256, noverlap=128)
        spec = np.log(spec[16:112:2] + 1e-9)
        spec = (spec - spec.mean()) / spec.std()
        return torch.from_numpy(spec.astype(np.float32))[None], int(self.labels[i])


class CallNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv2d(1, 8, 5, stride=2, padding=2), nn.BatchNorm2d(8), nn.ReLU(),
            nn.Conv2d(8, 16, 3, stride=2, padding=1), nn.BatchNorm2d(16), nn.ReLU(),
            nn.AdaptiveAvgPool2d((6, 1)),
        )
        self.fc = nn.Linear(96, SPECIES)

    def forward(self, x):
        return self.fc(self.conv(x).flatten(1))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=6)
    p.add_argument("--n-train", type=int, default=640)
    p.add_argument("--batch-size", type=int, default=32)
    a = p.parse_args()
    torch.manual_seed(10)
    train = DataLoader(CallDataset(a.n_train, 1), a.batch_size, shuffle=True, num_workers=0)
    test = DataLoader(CallDataset(160, 2), 80, num_workers=0)
    model = CallNet()
    opt = torch.optim.Adam(model.parameters(), lr=6e-3)
    ce = nn.CrossEntropyLoss()
    for epoch in range(a.epochs):
        start = time.perf_counter()
        model.train()
        losses = []
        for x, y in train:
            opt.zero_grad()
            loss = ce(model(x), y)
            loss.backward()
            opt.step()
            losses.append(loss.item())
        took = time.perf_counter() - start
        model.eval()
        with torch.no_grad():
            good = sum((model(x).argmax(1) == y).sum().item() for x, y in test)
        print(f"epoch {epoch}: loss {np.mean(losses):.3f} test acc {good / 160:.3f} ({took:.1f}s, {a.n_train / took:.0f} clips/s)")


if __name__ == "__main__":
    main()
