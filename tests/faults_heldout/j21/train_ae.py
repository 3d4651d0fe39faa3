"""Denoising autoencoder on the digits, with a per-layer gradient report at the end of each epoch."""
import logging
import time

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from monitor import GradMonitor

logging.basicConfig(level=logging.INFO, format="%(levelname).1s %(message)s")
log = logging.getLogger("ae")


class DAE(nn.Module):
    def __init__(self, d=64, h=96, z=16):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(d, h), nn.GELU(), nn.Linear(h, z))
        self.dec = nn.Sequential(nn.Linear(z, h), nn.GELU(), nn.Linear(h, d))

    def forward(self, x):
        return torch.sigmoid(self.dec(self.enc(x)))


def main(epochs=4, noise=0.2):
    torch.manual_seed(0)
    x = torch.tensor(load_digits().data / 16.0, dtype=torch.float32)
    x = x[torch.randperm(len(x))]
    train, val = x[:1440], x[1440:]
    noisy_val = val + noise * torch.randn(val.shape)
    loader = DataLoader(TensorDataset(train), batch_size=32, shuffle=True)
    model = DAE()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    monitor = GradMonitor(model)
    for epoch in range(epochs):
        t0, seen, total = time.time(), 0, 0.0
        model.train()
        for (clean,) in loader:
            out = model(clean + noise * torch.randn_like(clean))
            loss = nn.functional.mse_loss(out, clean)
            opt.zero_grad()
            loss.backward()
            monitor.update()
            opt.step()
            total += loss.item() * len(clean)
            seen += len(clean)
        dt = time.time() - t0
        model.eval()
        with torch.no_grad():
            v = nn.functional.mse_loss(model(noisy_val), val).item()
        log.info("epoch %d  train %.5f  val %.5f  (%.0f samples/s)", epoch, total / seen, v, seen / dt)
        for name, (norm, dead) in monitor.summary().items():
            log.info("    %-14s |g| %.2e  zeros %4.1f%%", name, norm, 100 * dead)


if __name__ == "__main__":
    main()
