"""Convolutional denoiser for sensor traces."""
import argparse

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset

ap = argparse.ArgumentParser()
ap.add_argument("--epochs", type=int, default=10)
ap.add_argument("--bs", type=int, default=40)
ap.add_argument("--lr", type=float, default=2e-3)
opt = ap.parse_args()
torch.manual_seed(2)


def clean_traces(n, seed):
    r = np.random.default_rng(seed)
    t = np.linspace(0, 1, 128)
    freq, phase, amp = r.uniform(2, 7, (n, 2)), r.uniform(0, 6.28, (n, 2)), r.uniform(0.4, 1.0, (n, 2))
    return sum(amp[:, k : k + 1] * np.sin(2 * np.pi * freq[:, k : k + 1] * t + phase[:, k : k + 1]) for k in range(2))


class Traces(Dataset):
    """Training traces get a random noise level (up to severe), validation traces the field level."""

    def __init__(self, n, seed, augment):
        self.clean = torch.tensor(clean_traces(n, seed), dtype=torch.float32)
        self.fixed = None if augment else 0.3 * torch.randn(self.clean.shape, generator=torch.Generator().manual_seed(seed))

    def __len__(self):
        return len(self.clean)

    def __getitem__(self, i):
        c = self.clean[i]
        if self.fixed is None:
            noise = torch.randn_like(c) * (0.3 + 1.7 * torch.rand(1))
        else:
            noise = self.fixed[i]
        return (c + noise).unsqueeze(0), c.unsqueeze(0)


class Denoiser(nn.Module):
    def __init__(self, ch=24):
        super().__init__()
        conv = lambda i, o, d: nn.Conv1d(i, o, 7, padding=3 * d, dilation=d)
        self.net = nn.Sequential(
            conv(1, ch, 1), nn.ReLU(), conv(ch, ch, 2), nn.ReLU(), conv(ch, ch, 4), nn.ReLU(), conv(ch, 1, 1)
        )

    def forward(self, x):
        return self.net(x)


train_dl = DataLoader(Traces(800, 1, True), batch_size=opt.bs, shuffle=True)
val_dl = DataLoader(Traces(240, 2, False), batch_size=opt.bs)
net = Denoiser()
optim = torch.optim.Adam(net.parameters(), lr=opt.lr)
criterion = nn.MSELoss()

for epoch in range(1, opt.epochs + 1):
    net.train()
    train_loss = 0.0
    for noisy, clean in train_dl:
        optim.zero_grad()
        loss = criterion(net(noisy), clean)
        loss.backward()
        optim.step()
        train_loss += loss.item()

    net.eval()
    val_loss = 0.0
    with torch.no_grad():
        for noisy, clean in val_dl:
            batch_loss = criterion(net(noisy), clean)
            val_loss += loss.item()
    print(f"epoch {epoch:2d}  train {train_loss / len(train_dl):.4f}  val {val_loss / len(val_dl):.4f}")
