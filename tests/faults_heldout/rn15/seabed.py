"""Depth map from scattered soundings: fixed random Fourier features, trainable read-out, LBFGS."""
import math

import numpy as np
import torch


class FourierField(torch.nn.Module):
    def __init__(self, n_feat=150, length=1.6):
        super().__init__()
        self.freq = torch.nn.Parameter(torch.randn(2, n_feat) / length, requires_grad=False)
        self.phase = torch.nn.Parameter(2 * math.pi * torch.rand(n_feat), requires_grad=False)
        self.w = torch.nn.Parameter(torch.zeros(n_feat))
        self.b = torch.nn.Parameter(torch.zeros(()))

    def forward(self, xy):
        phi = torch.cos(xy @ self.freq + self.phase) * math.sqrt(2 / self.w.numel())
        return phi @ self.w + self.b


torch.manual_seed(77)
torch.set_default_dtype(torch.float64)
d = torch.from_numpy(np.loadtxt("soundings.txt"))
d = d[torch.randperm(len(d))]
xy, depth = d[:, :2], d[:, 2]
fit, hold = slice(0, 700), slice(700, None)
m, s = depth[fit].mean(), depth[fit].std()
target = (depth - m) / s

field = FourierField()
ridge = 1e-4
opt = torch.optim.LBFGS([p for p in field.parameters() if p.requires_grad], lr=1.0, max_iter=10, history_size=20, line_search_fn="strong_wolfe")


def closure():
    opt.zero_grad()
    loss = (field(xy[fit]) - target[fit]).pow(2).mean() + ridge * field.w.pow(2).sum()
    loss.backward()
    return loss


for it in range(12):
    loss = opt.step(closure)
    with torch.no_grad():
        rm = s * (field(xy[hold]) - target[hold]).pow(2).mean().sqrt()
    if it % 3 == 0 or it == 11:
        print(f"iter {it:2d} objective {loss.item():.5f} held-out rmse {rm.item():.3f} m")
