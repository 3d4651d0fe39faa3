"""Fits a sum of Gaussian peaks on a sloping background to a measured spectrum (LBFGS, strong Wolfe)."""
import json
from pathlib import Path

import numpy as np
import torch
from torch import nn

torch.set_default_dtype(torch.float64)
torch.manual_seed(0)


class PeakModel(nn.Module):
    def __init__(self, centers, height, width):
        super().__init__()
        n = len(centers)
        self.center = nn.Parameter(torch.tensor(centers))
        self.log_height = nn.Parameter(torch.full((n,), float(np.log(height))))
        self.log_width = nn.Parameter(torch.full((n,), float(np.log(width))))
        self.background = nn.Parameter(torch.zeros(2))

    def forward(self, x):
        z = (x[:, None] - self.center) / self.log_width.exp()
        peaks = self.log_height.exp() * torch.exp(-0.5 * z ** 2)
        return peaks.sum(1) + self.background[0] + self.background[1] * x


spectrum = json.loads((Path(__file__).parent / "spectrum.json").read_text())
x = torch.tensor(spectrum["energy_kev"])
counts = torch.tensor(spectrum["counts"])
x = (x - x.mean()) / x.std()
scale = counts.max()
y = counts / scale

held_out = torch.arange(len(x)) % 5 == 2
x_fit, y_fit, x_val, y_val = x[~held_out], y[~held_out], x[held_out], y[held_out]

model = PeakModel(centers=[-1.1, -0.2, 0.5, 1.2], height=0.5, width=0.15)
optimizer = torch.optim.LBFGS(model.parameters(), lr=1.0, max_iter=10, history_size=20, line_search_fn="strong_wolfe")


def closure():
    optimizer.zero_grad()
    loss = torch.mean((model(x_fit) - y_fit) ** 2)
    loss.backward()
    return loss


previous = float("inf")
for outer in range(60):
    loss = optimizer.step(closure).item()
    with torch.no_grad():
        val = torch.mean((model(x_val) - y_val) ** 2).item()
    print(f"iter {10 * (outer + 1):3d}  fit mse {loss:.3e}  held-out mse {val:.3e}")
    if abs(previous - loss) < 1e-12:
        break
    previous = loss

with torch.no_grad():
    resid = (model(x) - y) * scale
    r2 = 1 - (resid ** 2).sum() / ((counts - counts.mean()) ** 2).sum()
    print(f"R2 {r2:.4f}, residual rms {resid.pow(2).mean().sqrt():.2f} counts")
    for c, h, w in sorted(zip(model.center.tolist(), model.log_height.exp().tolist(), model.log_width.exp().tolist())):
        print(f"  peak at {c:+.3f}  height {h * scale:.1f}  width {w:.3f}")
