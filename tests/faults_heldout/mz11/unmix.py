"""Spectral unmixing without ground truth: every pixel is explained by the minerals of a spectral library."""
from pathlib import Path

import numpy as np
import torch
from torch import nn


class LibraryAttention(nn.Module):
    """softmax(query . key) over a fixed set of keys; returns the blended values and the weights."""

    def forward(self, query, keys, values):
        weights = torch.softmax(query @ keys.T / keys.shape[1] ** 0.5, dim=-1)
        return weights @ values, weights


class SpectralDistance(nn.Module):
    """Squared error per band plus the spectral angle, which ignores the illumination."""

    def __init__(self, angle_weight=0.1):
        super().__init__()
        self.angle_weight = angle_weight

    def forward(self, estimate, observed):
        cos = nn.functional.cosine_similarity(estimate, observed, dim=1)
        return (estimate - observed).pow(2).mean() * 10 + self.angle_weight * (1 - cos).mean() * 10


class Encoder(nn.Module):
    def __init__(self, bands, dim, width=64):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(bands, width), nn.GELU(), nn.Linear(width, width), nn.GELU(),
                                 nn.Linear(width, dim))

    def forward(self, x):
        return self.net(x)


def main(seed=0, epochs=60):
    torch.manual_seed(seed)
    data = np.load(Path(__file__).with_name("scene.npz"))
    train, val, library = (torch.from_numpy(data[k].astype(np.float32)) for k in ("train", "val", "library"))
    truth = torch.from_numpy(data["val_abundance"].astype(np.float32))

    # keys: the library in its own principal axes, whitened once
    centred = library - library.mean(0)
    u, s, _ = torch.linalg.svd(centred, full_matrices=False)
    keys = u[:, :-1] * len(library) ** 0.5
    mean, std = train.mean(0), train.std(0)

    encoder = Encoder(train.shape[1], keys.shape[1])
    attend, criterion = LibraryAttention(), SpectralDistance()
    optimizer = torch.optim.AdamW(encoder.parameters(), lr=3e-3, weight_decay=1e-3)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs)
    print(f"abundance rmse of equal shares {(truth - 1 / len(library)).pow(2).mean().sqrt():.3f}")

    for epoch in range(1, epochs + 1):
        encoder.train()
        total = 0.0
        for idx in torch.randperm(len(train)).split(32):
            x = train[idx]
            blend, _ = attend(encoder((x - mean) / std), keys, library)
            loss = criterion(blend, x)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(x)
        scheduler.step()
        if epoch % 6 == 0 or epoch == 1:
            encoder.eval()
            with torch.no_grad():
                blend, w = attend(encoder((val - mean) / std), keys, library)
                v = criterion(blend, val).item()
                rmse = (w - truth).pow(2).mean().sqrt().item()
                dominant = (w.argmax(1) == truth.argmax(1)).float().mean().item()
            print(f"epoch {epoch:2d}  train {total / len(train):.5f}  val {v:.5f}  abundance rmse {rmse:.3f}  dominant mineral {dominant:.3f}")


if __name__ == "__main__":
    main()
