"""Command spotting from synthetic audio: random crops -> log spectrogram -> small CNN."""
import argparse
import math
import random

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset

RATE, CLIP, CROP = 8000, 8000, 6000


def synth(label, rng):
    """One second of a two-tone 'command' in noise; the class is the order and spacing of the tones."""
    t = torch.arange(CLIP) / RATE
    base = rng.uniform(350, 600)
    f1, f2 = [(1.0, 1.5), (1.5, 1.0), (1.0, 2.0), (2.0, 1.0), (1.0, 1.0), (1.5, 2.0)][label]
    mid = 0.5 + rng.uniform(-0.08, 0.08)
    wave = torch.where(t < mid, torch.sin(2 * math.pi * base * f1 * t), torch.sin(2 * math.pi * base * f2 * t))
    return wave + 0.6 * torch.randn(CLIP)


class CommandClips(Dataset):
    def __init__(self, n, seed, train):
        rng = random.Random(seed)
        self.labels = [rng.randrange(6) for _ in range(n)]
        self.waves = [synth(y, rng) for y in self.labels]
        self.train = train
        self.window = torch.hann_window(256)
        self.spectra = {}

    def __len__(self):
        return len(self.labels)

    def spectrogram(self, i, start):
        key = (i, start)
        if key not in self.spectra:
            crop = self.waves[i][start:start + CROP]
            s = torch.stft(crop, 256, hop_length=96, window=self.window, return_complex=True).abs()
            self.spectra[key] = torch.log1p(s)
        return self.spectra[key]

    def __getitem__(self, i):
        start = random.randrange(CLIP - CROP) if self.train else (CLIP - CROP) // 2
        return self.spectrogram(i, start).unsqueeze(0), self.labels[i]


class Spotter(nn.Module):
    def __init__(self, ch=12, classes=6):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, ch, 5, stride=(3, 3), padding=2), nn.BatchNorm2d(ch), nn.ReLU(),
            nn.Conv2d(ch, 2 * ch, 3, stride=2, padding=1), nn.BatchNorm2d(2 * ch), nn.ReLU(),
            nn.AdaptiveAvgPool2d((8, 5)),
        )
        self.head = nn.Linear(2 * ch * 40, classes)

    def forward(self, x):
        return self.head(self.features(x).flatten(1))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=24)
    p.add_argument("--clips", type=int, default=1000)
    p.add_argument("--batch", type=int, default=40)
    args = p.parse_args()
    random.seed(2)
    torch.manual_seed(2)
    train, test = CommandClips(args.clips, 1, True), CommandClips(200, 2, False)
    train_dl = DataLoader(train, args.batch, shuffle=True)
    test_dl = DataLoader(test, 100)
    net = Spotter()
    opt = torch.optim.SGD(net.parameters(), lr=0.03, momentum=0.9, weight_decay=1e-4)
    for epoch in range(1, args.epochs + 1):
        net.train()
        total = 0.0
        for x, y in train_dl:
            loss = nn.functional.cross_entropy(net(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
        net.eval()
        with torch.no_grad():
            hits = sum((net(x).argmax(1) == y).sum().item() for x, y in test_dl)
        print(f"epoch {epoch}/{args.epochs} loss {total / len(train_dl):.4f} test acc {hits / len(test):.3f}")


if __name__ == "__main__":
    main()
