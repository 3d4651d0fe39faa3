"""Spoken-vowel classifier.

Clips are rendered with a small source-filter synthesiser (glottal pulse train + three formant
resonators), turned into log-mel-like band energies and classified with a 1d conv net.

    python train.py --epochs 8
"""
import argparse
import math

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

SR = 8000
VOWELS = {
    "i": (270, 2290, 3010),
    "e": (530, 1840, 2480),
    "ae": (660, 1720, 2410),
    "a": (730, 1090, 2440),
    "o": (570, 840, 2410),
    "u": (300, 870, 2240),
}


def resonator(signal, freq, bandwidth):
    r = math.exp(-math.pi * bandwidth / SR)
    theta = 2 * math.pi * freq / SR
    from scipy.signal import lfilter
    return lfilter([1 - r], [1, -2 * r * math.cos(theta), r * r], signal)


def render(formants, rng, n=2400):
    f0 = rng.uniform(85, 240)
    tract = rng.uniform(0.88, 1.14)
    phase = np.cumsum(f0 * (1 + 0.02 * np.sin(2 * np.pi * 5 * np.arange(n) / SR)) / SR)
    pulses = np.diff(np.floor(phase), prepend=0.0)
    out = pulses + 0.02 * rng.standard_normal(n)
    for k, f in enumerate(formants):
        out = resonator(out, f * tract * rng.uniform(0.95, 1.05), 70 + 40 * k)
    out = out / (np.abs(out).max() + 1e-9)
    gain = 10 ** rng.uniform(-1.2, 0.2)
    return gain * (out + 10 ** rng.uniform(-2.3, -1.1) * rng.standard_normal(n))


def filterbank(n_fft=256, bands=32):
    freqs = np.linspace(0, SR / 2, n_fft // 2 + 1)
    mel = lambda f: 2595 * np.log10(1 + f / 700)
    edges = np.interp(np.linspace(mel(60), mel(SR / 2), bands + 2), mel(freqs), freqs)
    bank = np.zeros((bands, len(freqs)))
    for b in range(bands):
        lo, mid, hi = edges[b:b + 3]
        bank[b] = np.clip(np.minimum((freqs - lo) / (mid - lo + 1e-6), (hi - freqs) / (hi - mid + 1e-6)), 0, None)
    return bank


def features(wave, bank, n_fft=256, hop=100):
    frames = np.lib.stride_tricks.sliding_window_view(wave, n_fft)[::hop] * np.hanning(n_fft)
    power = np.abs(np.fft.rfft(frames, axis=1)) ** 2
    return np.log(power @ bank.T + 1e-4).T.astype(np.float32)


def build(count, seed):
    rng = np.random.default_rng(seed)
    bank = filterbank()
    labels = rng.integers(0, len(VOWELS), count)
    table = list(VOWELS.values())
    feats = np.stack([features(render(table[y], rng), bank) for y in labels])
    return torch.from_numpy(feats), torch.from_numpy(labels)


class VowelNet(nn.Module):
    def __init__(self, bands=32, width=48, classes=len(VOWELS)):
        super().__init__()
        self.conv1 = nn.Conv1d(bands, width, 5, padding=2)
        self.conv2 = nn.Conv1d(width, width, 5, stride=2, padding=2)
        self.proj = nn.Linear(width, 64)
        self.bn1 = nn.BatchNorm1d(64)
        self.mid = nn.Linear(64, 64)
        self.bn2 = nn.BatchNorm1d(64)
        self.head = nn.Linear(64, classes)

    def forward(self, x):
        x = F.relu(self.conv1(x))
        x = F.relu(self.conv2(x)).mean(dim=2)
        x = F.relu(self.bn1(self.proj(x)))
        x = F.relu(self.bn2(self.mid(x)))
        return self.head(x)


@torch.no_grad()
def score(model, x, y):
    model.eval()
    logits = model(x)
    return F.cross_entropy(logits, y).item(), (logits.argmax(1) == y).float().mean().item()


def parse():
    ap = argparse.ArgumentParser()
    ap.add_argument("--batch-size", type=int, default=32)
    ap.add_argument("--epochs", type=int, default=8)
    ap.add_argument("--lr", type=float, default=5e-4)
    ap.add_argument("--train-clips", type=int, default=720)
    ap.add_argument("--seed", type=int, default=77)
    return ap.parse_args()


def main():
    args = parse()
    torch.manual_seed(args.seed)
    x_tr, y_tr = build(args.train_clips, args.seed)
    x_va, y_va = build(240, args.seed + 1000)
    mean, std = x_tr.mean(dim=(0, 2), keepdim=True), x_tr.std(dim=(0, 2), keepdim=True)
    x_tr, x_va = (x_tr - mean) / std, (x_va - mean) / std
    print("train", tuple(x_tr.shape), "val", tuple(x_va.shape))

    model = VowelNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    gen = torch.Generator().manual_seed(args.seed)
    for epoch in range(args.epochs):
        model.train()
        running, hits = 0.0, 0
        order = torch.randperm(len(x_tr), generator=gen)
        usable = len(order) - len(order) % args.batch_size
        for idx in order[:usable].split(args.batch_size):
            logits = model(x_tr[idx])
            loss = F.cross_entropy(logits, y_tr[idx])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            running += loss.item() * len(idx)
            hits += (logits.argmax(1) == y_tr[idx]).sum().item()
        val_loss, val_acc = score(model, x_va, y_va)
        print(f"epoch {epoch + 1:2d}  loss {running / usable:.4f}  train acc {hits / usable:.3f}  "
              f"val loss {val_loss:.4f}  val acc {val_acc:.3f}")


if __name__ == "__main__":
    main()
