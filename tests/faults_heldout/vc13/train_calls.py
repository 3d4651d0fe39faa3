"""Recognise bird-call shapes from short spectrogram clips."""
import argparse

import numpy as np
import torch
from torch import nn

CALLS = ["rising whistle", "falling whistle", "early trill", "late trill"]


def clip(kind, rng, n_mel=20, n_frames=32):
    """Synthetic mel spectrogram (frequency x time)."""
    mel, frame = np.mgrid[0:n_mel, 0:n_frames]
    spec = 0.35 * np.abs(rng.normal(size=(n_mel, n_frames)))
    if kind < 2:
        start, span = rng.uniform(3, 7), rng.uniform(7, 10)
        pitch = start + span * frame / n_frames
        if kind == 1:
            pitch = start + span * (1 - frame / n_frames)
        spec += rng.uniform(0.7, 1.2) * np.exp(-((mel - pitch) / 1.2) ** 2)
    else:
        centre = rng.uniform(5, 11) if kind == 2 else rng.uniform(21, 27)
        pitch = rng.uniform(6, 14)
        envelope = np.exp(-((frame - centre) / 5.0) ** 2) * (1 + np.sin(1.9 * frame)) / 2
        spec += rng.uniform(0.9, 1.4) * envelope * np.exp(-((mel - pitch) / 2.0) ** 2)
    return spec.astype(np.float32)


def make_set(n, seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, len(CALLS), n)
    return torch.from_numpy(np.stack([clip(k, rng) for k in y])).unsqueeze(1), torch.from_numpy(y)


def augment(x):
    """Random gain, a masked frequency band, and mirrored clips."""
    x = x * (0.8 + 0.4 * torch.rand(len(x), 1, 1, 1))
    low = torch.randint(0, 17, (len(x),))
    band = torch.arange(x.shape[2])[None]
    mask = (band >= low[:, None]) & (band < low[:, None] + 3)
    x = x.masked_fill(mask[:, None, :, None], 0.0)
    flip = torch.rand(len(x)) < 0.5
    x[flip] = x[flip].flip(-1)
    return x


def network():
    return nn.Sequential(
        nn.Conv2d(1, 12, 3, padding=1), nn.BatchNorm2d(12), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(12, 24, 3, padding=1), nn.BatchNorm2d(24), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(24 * 5 * 8, 32), nn.ReLU(), nn.Linear(32, len(CALLS)),
    )


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=8)
    ap.add_argument("--batch-size", type=int, default=50)
    ap.add_argument("--lr", type=float, default=0.02)
    args = ap.parse_args()

    torch.manual_seed(0)
    x, y = make_set(1500, seed=1)
    x_val, y_val = make_set(400, seed=2)
    net = network()
    opt = torch.optim.SGD(net.parameters(), lr=args.lr, momentum=0.9, weight_decay=5e-4)
    for epoch in range(args.epochs):
        net.train()
        total = 0.0
        for idx in torch.randperm(len(x)).split(args.batch_size):
            loss = nn.functional.cross_entropy(net(augment(x[idx])), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(idx)
        net.eval()
        with torch.no_grad():
            guess = net(x_val).argmax(1)
        per_call = [f"{(guess[y_val == k] == k).float().mean():.2f}" for k in range(len(CALLS))]
        print(f"epoch {epoch} loss {total / len(x):.4f} val acc {(guess == y_val).float().mean():.3f} by call {per_call}")


if __name__ == "__main__":
    main()
