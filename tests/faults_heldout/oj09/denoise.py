"""Denoiser for chromatogram strips. Weights are averaged; the average is what gets shipped."""
import copy
import json

import numpy as np
import torch
from torch import nn

cfg = json.load(open("settings.json"))
torch.manual_seed(cfg["seed"])

clean = torch.tensor(np.load(cfg["data"])["clean"], dtype=torch.float32) / 100
clean = (clean - clean[:1120].mean()) / clean[:1120].std()
train, val = clean[:1120], clean[1120:]
g = torch.Generator().manual_seed(99)
val_noisy = val + cfg["noise"] * torch.randn(val.shape, generator=g)


def net(c):
    return nn.Sequential(
        nn.Conv1d(1, c, 7, padding=3), nn.GELU(),
        nn.Conv1d(c, c, 5, padding=2), nn.GELU(),
        nn.Conv1d(c, c, 5, padding=2), nn.GELU(),
        nn.Conv1d(c, 1, 5, padding=2))


class WeightAverage:
    def __init__(self, model, decay):
        self.decay = decay
        self.model = copy.deepcopy(model).requires_grad_(False)

    @torch.no_grad()
    def update(self, live):
        for avg, p in zip(self.model.parameters(), live.parameters()):
            avg.mul_(self.decay).add_(p, alpha=1 - self.decay)


model = net(cfg["channels"])
average = WeightAverage(model, cfg["ema_decay"])
optimizer = torch.optim.Adam(model.parameters(), lr=cfg["lr"])

for epoch in range(1, cfg["epochs"] + 1):
    model.train()
    total = 0.0
    for idx in torch.randperm(len(train)).split(cfg["batch_size"]):
        target = train[idx]
        noisy = target + cfg["noise"] * torch.randn_like(target)
        loss = (model(noisy[:, None]).squeeze(1) - target).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        average.update(model)
        total += loss.item() * len(idx)
    average.model.eval()
    with torch.no_grad():
        err = (average.model(val_noisy[:, None]).squeeze(1) - val).pow(2).mean().item()
    print(f"epoch {epoch:2d}  train mse {total / len(train):.4f}  val mse {err:.4f}")

print(f"shipped model: val mse {err:.4f}, noisy input mse {(val_noisy - val).pow(2).mean().item():.4f}")
