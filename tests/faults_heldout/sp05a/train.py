# Continuous depth chart of a bay: depth as a smooth function of position,
# fitted to single-beam echo soundings.
from pathlib import Path

import numpy as np
import torch
from torch import nn

seed = 4
n_epochs = 200
batch_size = 64
here = Path(__file__).resolve().parent

torch.manual_seed(seed)
rng = np.random.default_rng(seed)

positions = np.genfromtxt(here / "positions.csv", delimiter=",", names=True)
soundings = np.genfromtxt(here / "soundings.csv", delimiter=",", names=True)
assert (positions["ping"] == soundings["ping"]).all()

xy = torch.tensor(np.stack([positions["east"], positions["north"]], axis=1), dtype=torch.float32)
depth = torch.tensor(soundings["depth"], dtype=torch.float32)[:, None]

order = torch.from_numpy(rng.permutation(len(xy)))
n_check = len(xy) // 5
check, fit = order[:n_check], order[n_check:]
level, spread = depth[fit].mean(), depth[fit].std()
target = (depth - level) / spread
print(f"{len(fit)} soundings to fit, {n_check} to check, mean depth {level:.1f} m, sd {spread:.1f} m")


class DepthField(nn.Module):
    """Coordinate network: smooth activations, so that slopes can be read off it."""

    def __init__(self, width=64, depth=3):
        super().__init__()
        dims = [2] + [width] * depth
        self.hidden = nn.ModuleList(nn.Linear(a, b) for a, b in zip(dims[:-1], dims[1:]))
        self.out = nn.Linear(width, 1)

    def forward(self, xy):
        h = xy
        for layer in self.hidden:
            h = torch.tanh(layer(h))
        return self.out(h)


field = DepthField()
optimizer = torch.optim.Adam(field.parameters(), lr=5e-3)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, n_epochs)
mse = nn.MSELoss()

for epoch in range(1, n_epochs + 1):
    field.train()
    shuffled = fit[torch.randperm(len(fit))]
    total = 0.0
    for idx in shuffled.split(batch_size):
        optimizer.zero_grad()
        loss = mse(field(xy[idx]), target[idx])
        loss.backward()
        optimizer.step()
        total += loss.item() * len(idx)
    scheduler.step()

    if epoch % 10 == 0 or epoch == 1:
        field.eval()
        with torch.no_grad():
            residual = (field(xy[check]) - target[check]) * spread
        rms = residual.pow(2).mean().sqrt().item()
        r2 = 1 - residual.pow(2).mean().item() / depth[check].var(unbiased=False).item()
        print(f"epoch {epoch:3d}  loss {total / len(fit):.5f}  check rms {rms:.2f} m  r2 {r2:.3f}")
