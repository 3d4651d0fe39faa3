#!/usr/bin/env python
"""Denoising autoencoder on 8x8 digit images."""
import argparse
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split


def parse_args():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=25)
    ap.add_argument("--batch-size", type=int, default=64)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--noise", type=float, default=0.35)
    ap.add_argument("--code", type=int, default=32)
    ap.add_argument("--log-every", type=int, default=5)
    ap.add_argument("--seed", type=int, default=0)
    return ap.parse_args()


class DenoisingAE(nn.Module):
    def __init__(self, code):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.GELU(),
            nn.Conv2d(16, 32, 3, stride=2, padding=1), nn.GELU(),
            nn.Flatten(),
            nn.Linear(32 * 4 * 4, code),
        )
        self.decoder = nn.Sequential(
            nn.Linear(code, 32 * 4 * 4), nn.GELU(),
            nn.Unflatten(1, (32, 4, 4)),
            nn.ConvTranspose2d(32, 16, 2, stride=2), nn.GELU(),
            nn.Conv2d(16, 1, 3, padding=1),
        )

    def forward(self, x):
        return self.decoder(self.encoder(x))


class Trainer:
    def __init__(self, model, args):
        self.model = model
        self.args = args
        self.opt = torch.optim.Adam(model.parameters(), lr=args.lr)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, args.epochs)
        self.last_grad_norm = 0.0

    def corrupt(self, x):
        return x + self.args.noise * torch.randn_like(x)

    def grad_norm(self):
        sq = [p.grad.pow(2).sum() for p in self.model.parameters() if p.grad is not None]
        return torch.stack(sq).sum().sqrt().item()

    def update(self, loss):
        loss.backward()
        self.last_grad_norm = self.grad_norm()
        self.opt.zero_grad()
        self.opt.step()

    def train_epoch(self, x):
        self.model.train()
        order = torch.randperm(len(x))
        running = 0.0
        for idx in order.split(self.args.batch_size):
            clean = x[idx]
            recon = self.model(self.corrupt(clean))
            loss = F.mse_loss(recon, clean)
            self.update(loss)
            running += loss.item() * len(idx)
        self.sched.step()
        return running / len(x)

    @torch.no_grad()
    def evaluate(self, x):
        self.model.eval()
        gen = torch.Generator().manual_seed(123)
        noisy = x + self.args.noise * torch.randn(x.shape, generator=gen)
        mse = F.mse_loss(self.model(noisy), x).item()
        return mse, 10 * np.log10(1.0 / mse)


def main():
    args = parse_args()
    torch.manual_seed(args.seed)

    images = load_digits().images.astype(np.float32) / 16.0
    train, test = train_test_split(images, test_size=0.2, random_state=args.seed)
    train = torch.from_numpy(train).unsqueeze(1)
    test = torch.from_numpy(test).unsqueeze(1)

    model = DenoisingAE(args.code)
    n_params = sum(p.numel() for p in model.parameters())
    print(f"train {tuple(train.shape)}  test {tuple(test.shape)}  params {n_params:,}")

    trainer = Trainer(model, args)
    t0 = time.time()
    for epoch in range(1, args.epochs + 1):
        tr = trainer.train_epoch(train)
        if epoch % args.log_every == 0 or epoch == 1:
            mse, psnr = trainer.evaluate(test)
            print(
                f"ep {epoch:3d} | train mse {tr:.5f} | test mse {mse:.5f} psnr {psnr:5.2f} dB "
                f"| |g| {trainer.last_grad_norm:.4f} | {time.time() - t0:.1f}s"
            )


if __name__ == "__main__":
    main()
