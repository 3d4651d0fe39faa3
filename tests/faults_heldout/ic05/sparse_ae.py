"""Sparse autoencoder on 8x8 digits (KL penalty on the mean activation, after Ng's lecture notes)."""
from dataclasses import dataclass
import time

import torch
from sklearn.datasets import load_digits
from torch import nn


@dataclass
class Config:
    hidden: int = 96
    target_rho: float = 0.08
    beta: float = 0.02
    decay: float = 0.9
    batch: int = 256
    epochs: int = 64
    lr: float = 1e-2
    seed: int = 5


class SparseAutoencoder(nn.Module):
    def __init__(self, n_in, hidden, target_rho, decay):
        super().__init__()
        self.encoder = nn.Linear(n_in, hidden)
        self.decoder = nn.Linear(hidden, n_in)
        self.target_rho, self.decay = target_rho, decay
        self.rho = torch.full((hidden,), target_rho)

    def forward(self, x):
        code = torch.sigmoid(self.encoder(x))
        return torch.sigmoid(self.decoder(code)), code

    def sparsity(self, code):
        # one batch is too small for a steady estimate, so we average over the last ones
        self.rho = self.decay * self.rho + (1 - self.decay) * code.mean(0)
        r, p = self.target_rho, self.rho.clamp(1e-4, 1 - 1e-4)
        return (r * torch.log(r / p) + (1 - r) * torch.log((1 - r) / (1 - p))).sum()


def run(cfg):
    torch.manual_seed(cfg.seed)
    x = torch.tensor(load_digits().data, dtype=torch.float32) / 16
    x = x[torch.randperm(len(x))]
    held, train = x[:297], x[297:]
    model = SparseAutoencoder(x.shape[1], cfg.hidden, cfg.target_rho, cfg.decay)
    opt = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    mse = nn.MSELoss()
    for epoch in range(cfg.epochs):
        model.train()
        t0, rec_sum = time.perf_counter(), 0.0
        for idx in torch.randperm(len(train)).split(cfg.batch):
            rec, code = model(train[idx])
            rec_loss = mse(rec, train[idx])
            loss = rec_loss + cfg.beta * model.sparsity(code)
            opt.zero_grad()
            loss.backward(retain_graph=True)
            opt.step()
            rec_sum += rec_loss.item() * len(idx)
        took = time.perf_counter() - t0
        if epoch % 4 == 0 or epoch == cfg.epochs - 1:
            model.eval()
            with torch.no_grad():
                rec, code = model(held)
                print(f"[{epoch:3d}] rec {rec_sum / len(train):.4f} held-out {mse(rec, held).item():.4f} "
                      f"mean act {code.mean().item():.3f} ({took:.2f} s)")


if __name__ == "__main__":
    run(Config())
