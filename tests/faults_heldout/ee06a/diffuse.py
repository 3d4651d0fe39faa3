import json
import math
import pathlib

import numpy as np
import torch
from torch import nn

here = pathlib.Path(__file__).parent
cfg = json.loads((here / "settings.json").read_text())
torch.manual_seed(cfg["seed"])


def time_features(t, dim):
    freq = torch.exp(torch.linspace(0, math.log(200.0), dim // 2))
    ang = t[:, None] * freq[None]
    return torch.cat([ang.sin(), ang.cos()], 1)


def make_act(name):
    return getattr(nn, name, nn.Identity)()


class Denoiser(nn.Module):
    def __init__(self, width, depth, act, t_dim=32):
        super().__init__()
        self.t_dim = t_dim
        dims = [2 + t_dim] + [width] * depth
        layers = []
        for i, o in zip(dims[:-1], dims[1:]):
            layers += [nn.Linear(i, o), make_act(act)]
        self.trunk = nn.Sequential(*layers)
        self.head = nn.Linear(width, 2)

    def forward(self, x, t):
        return self.head(self.trunk(torch.cat([x, time_features(t, self.t_dim)], 1)))


class Diffusion:
    def __init__(self, steps):
        s = torch.arange(steps + 1) / steps
        f = torch.cos((s + 0.008) / 1.008 * math.pi / 2) ** 2
        self.beta = (1 - f[1:] / f[:-1]).clamp(max=0.999)
        self.alpha = 1 - self.beta
        self.bar = self.alpha.cumprod(0)
        self.steps = steps

    def noise(self, x, k, eps):
        b = self.bar[k][:, None]
        return b.sqrt() * x + (1 - b).sqrt() * eps

    def loss(self, net, x):
        k = torch.randint(self.steps, (len(x),))
        eps = torch.randn_like(x)
        return (net(self.noise(x, k, eps), k / self.steps) - eps).pow(2).mean()

    @torch.no_grad()
    def sample(self, net, n):
        x = torch.randn(n, 2)
        for k in reversed(range(self.steps)):
            t = torch.full((n,), k / self.steps)
            x = (x - self.beta[k] / (1 - self.bar[k]).sqrt() * net(x, t)) / self.alpha[k].sqrt()
            if k:
                x = x + self.beta[k].sqrt() * torch.randn_like(x)
        return x


def sliced_w1(a, b, n_proj=64):
    g = torch.Generator().manual_seed(0)
    d = torch.randn(2, n_proj, generator=g)
    d = d / d.norm(dim=0)
    return ((a @ d).sort(0).values - (b @ d).sort(0).values).abs().mean().item()


def nn_dist(a, b):
    return torch.cdist(a, b).min(1).values.mean().item()


points = torch.from_numpy(np.loadtxt(here / "pickups.csv", delimiter=",", skiprows=1)).float()
points = (points - points.mean(0)) / points.std(0)
points = points[torch.randperm(len(points))]
train, test = points[:4000], points[4000:]

net = Denoiser(cfg["net"]["width"], cfg["net"]["depth"], cfg["net"]["act"])
diff = Diffusion(cfg["diffusion_steps"])
opt = torch.optim.Adam(net.parameters(), lr=cfg["lr"])
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg["iters"])
ref = torch.randn(len(test), 2)
print(f"gaussian reference: sliced W1 {sliced_w1(ref, test):.3f}  distance to data {nn_dist(ref, test):.3f}")
hist = []
for it in range(1, cfg["iters"] + 1):
    x = train[torch.randint(len(train), (cfg["batch"],))]
    loss = diff.loss(net, x)
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
    hist.append(loss.item())
    if it % cfg["report"] == 0:
        net.eval()
        fake = diff.sample(net, len(test))
        print(f"iter {it:5d}  eps-mse {np.mean(hist[-cfg['report']:]):.4f}  "
              f"sliced W1 {sliced_w1(fake, test):.3f}  distance to data {nn_dist(fake, test):.3f}")
        net.train()
