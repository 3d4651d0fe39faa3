from dataclasses import dataclass

import numpy as np
import torch
from torch import nn


@dataclass
class SAEConfig:
    dict_size: int = 128
    l1: float = 2e-3
    lr: float = 3e-3
    batch: int = 128
    epochs: int = 25
    gate_bias: float = -2.0
    seed: int = 17


class SparseAutoencoder(nn.Module):
    def __init__(self, d, cfg, center):
        super().__init__()
        self.pre_bias = nn.Parameter(center.clone())
        self.encoder = nn.Linear(d, cfg.dict_size)
        self.decoder = nn.Linear(cfg.dict_size, d, bias=False)
        with torch.no_grad():
            w = torch.randn(d, cfg.dict_size)
            w /= w.norm(dim=0, keepdim=True)
            self.decoder.weight.copy_(w)
            self.encoder.weight.copy_(0.3 * w.t())
            self.encoder.bias.fill_(cfg.gate_bias)

    def forward(self, x):
        f = torch.relu(self.encoder(x - self.pre_bias))
        return self.decoder(f) + self.pre_bias, f

    @torch.no_grad()
    def renorm(self):
        self.decoder.weight /= self.decoder.weight.norm(dim=0, keepdim=True).clamp_min(1e-8)


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        torch.manual_seed(cfg.seed)
        acts = torch.from_numpy(np.load("acts.npy").astype(np.float32))
        acts = acts[torch.randperm(len(acts))]
        self.train, self.test = acts[500:], acts[:500]
        center, scale = self.train.mean(0), (self.train - self.train.mean(0)).pow(2).sum(1).mean().sqrt()
        self.train, self.test = self.train / scale, self.test / scale
        self.model = SparseAutoencoder(acts.shape[1], cfg, center / scale)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=cfg.lr)

    def step(self, x):
        rec, f = self.model(x)
        mse = (rec - x).pow(2).sum(1).mean()
        loss = mse + self.cfg.l1 * f.sum(1).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.model.renorm()
        return loss.item()

    @torch.no_grad()
    def explained(self):
        rec, _ = self.model(self.test)
        base = (self.test - self.train.mean(0)).pow(2).sum()
        return (1 - (rec - self.test).pow(2).sum() / base).item()

    def fit(self):
        for epoch in range(self.cfg.epochs):
            order = torch.randperm(len(self.train))
            losses = [self.step(self.train[i]) for i in order.split(self.cfg.batch)]
            if (epoch + 1) % 5 == 0:
                print(f"epoch {epoch + 1} loss {np.mean(losses):.4f} explained variance {self.explained():.3f}")


if __name__ == "__main__":
    Trainer(SAEConfig()).fit()
