"""Denoising convolutional autoencoder on 8x8 digit scans."""
import argparse

import numpy as np
import torch
from sklearn.datasets import load_digits
from torch import nn


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=30)
    p.add_argument("--batch-size", type=int, default=64)
    p.add_argument("--lr", type=float, default=4e-3)
    p.add_argument("--noise", type=float, default=0.25)
    p.add_argument("--latent", type=int, default=32)
    p.add_argument("--seed", type=int, default=0)
    return p.parse_args()


class DenoisingAE(nn.Module):
    def __init__(self, latent):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.GELU(),
            nn.Conv2d(16, 32, 3, stride=2, padding=1), nn.GELU(),
            nn.Flatten(),
            nn.Linear(32 * 4 * 4, latent),
        )
        self.decoder = nn.Sequential(
            nn.Linear(latent, 32 * 4 * 4), nn.GELU(),
            nn.Unflatten(1, (32, 4, 4)),
            nn.ConvTranspose2d(32, 16, 4, stride=2, padding=1), nn.GELU(),
            nn.Conv2d(16, 1, 3, padding=1), nn.Sigmoid(),
        )

    def forward(self, x):
        return self.decoder(self.encoder(x))


def corrupt(x, sigma, generator=None):
    noise = torch.randn(x.shape, generator=generator)
    return (x + sigma * noise).clamp(0, 1)


def psnr(mse):
    return -10 * np.log10(mse)


def main():
    args = parse()
    torch.manual_seed(args.seed)
    rng = np.random.default_rng(args.seed)

    images = load_digits().images.astype(np.float32)[:, None] / 16.0
    order = rng.permutation(len(images))
    train = torch.from_numpy(images[order[:1437]])
    val = torch.from_numpy(images[order[1437:]])
    val_noisy = corrupt(val, args.noise, torch.Generator().manual_seed(99))

    model = DenoisingAE(args.latent)
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, args.epochs, eta_min=1e-4)
    criterion = nn.MSELoss()

    print(f"noisy input: mse {criterion(val_noisy, val).item():.4f}")
    print(f"mean image : mse {criterion(train.mean(0, keepdim=True).expand_as(val), val).item():.4f}")
    for epoch in range(1, args.epochs + 1):
        model.train()
        losses = []
        for idx in torch.randperm(len(train)).split(args.batch_size):
            clean = train[idx]
            loss = criterion(model(corrupt(clean, args.noise)), clean)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        scheduler.step()

        model.eval()
        with torch.no_grad():
            val_mse = criterion(model(val_noisy), val).item()
        if epoch == 1 or epoch % 5 == 0:
            print(f"epoch {epoch:3d} | train {np.mean(losses):.4f} | val {val_mse:.4f} | psnr {psnr(val_mse):.2f} dB")


if __name__ == "__main__":
    main()
