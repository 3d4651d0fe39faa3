import argparse
import pathlib

import numpy as np
import torch
from torch.utils.data import DataLoader

from blocks import ResidualDenoiser

p = argparse.ArgumentParser()
p.add_argument("--tiles", default=str(pathlib.Path(__file__).with_name("tiles.npz")))
p.add_argument("--sigma", type=float, default=0.5)
p.add_argument("--epochs", type=int, default=10)
p.add_argument("--lr", type=float, default=3e-3)
p.add_argument("--batch", type=int, default=16)
p.add_argument("--seed", type=int, default=0)


def main(o):
    torch.manual_seed(o.seed)
    tiles = torch.from_numpy(np.load(o.tiles)["height"].astype(np.float32)).unsqueeze(1)
    perm = torch.randperm(len(tiles))
    train, test = tiles[perm[:520]], tiles[perm[520:]]
    mean, std = train.mean(), train.std()
    train, test = (train - mean) / std, (test - mean) / std
    test_noise = o.sigma * torch.randn(test.shape, generator=torch.Generator().manual_seed(77))

    model = ResidualDenoiser()
    opt = torch.optim.Adam(model.parameters(), lr=o.lr)
    loader = DataLoader(train, batch_size=o.batch, shuffle=True, drop_last=True)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=o.lr, total_steps=o.epochs * len(loader))
    for epoch in range(o.epochs):
        model.train()
        total = 0.0
        for clean in loader:
            noise = o.sigma * torch.randn_like(clean)
            loss = (model(clean + noise) - noise).square().mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            total += loss.item()
        model.eval()
        with torch.no_grad():
            err = (model(test + test_noise) - test_noise).square().mean().item()
        psnr = 10 * np.log10(16.0 / err)
        print(f"epoch {epoch:2d}  mse {total / len(loader):.4f}  test mse {err:.4f}  psnr {psnr:.2f} dB")


if __name__ == "__main__":
    main(p.parse_args())
