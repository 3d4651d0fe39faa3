"""Implicit neural representation: fits an RGB image as a function of the pixel coordinates."""
import json
import math
import os

import torch
import torch.nn.functional as F
from torch import nn


def render(side):
    """A synthetic landscape: sky gradient, sun, hills, water ripples."""
    v, u = torch.meshgrid(torch.linspace(0, 1, side), torch.linspace(0, 1, side), indexing="ij")
    soft = lambda z, k=40.0: torch.sigmoid(k * z)
    sky = torch.stack([0.3 + 0.4 * v, 0.5 + 0.3 * v, 0.9 - 0.1 * v], -1)
    sun = soft(0.12 - ((u - 0.72) ** 2 + (v - 0.2) ** 2).sqrt())[..., None]
    img = sky * (1 - sun) + sun * torch.tensor([1.0, 0.9, 0.3])
    hill = soft(v - 0.5 - 0.1 * (2 * math.pi * u).sin() - 0.05 * (10 * u).cos())[..., None]
    img = img * (1 - hill) + hill * torch.stack([0.1 + 0.2 * u, 0.5 - 0.2 * v, 0.15 + 0 * u], -1)
    lake = soft(v - 0.78 - 0.02 * (8 * u).sin())[..., None]
    ripple = 0.08 * (40 * v + 6 * u).sin()
    img = img * (1 - lake) + lake * torch.stack([0.1 + ripple, 0.3 + ripple, 0.6 + ripple], -1)
    return img


class FourierFeatures(nn.Module):
    def __init__(self, n_freq):
        super().__init__()
        self.register_buffer("f", math.pi * 2.0 ** torch.arange(n_freq))

    @property
    def out_dim(self):
        return 2 + 4 * len(self.f)

    def forward(self, xy):
        a = (xy[..., None] * self.f).flatten(1)
        return torch.cat([xy, a.sin(), a.cos()], 1)


def build(n_freq, hidden, layers):
    enc = FourierFeatures(n_freq)
    dims = [enc.out_dim] + [hidden] * layers
    mods = [enc]
    for a, b in zip(dims, dims[1:]):
        mods += [nn.Linear(a, b), nn.GELU()]
    mods += [nn.Linear(dims[-1], 3), nn.Sigmoid()]
    return nn.Sequential(*mods)


def psnr(a, b):
    return -10 * math.log10(F.mse_loss(a, b).item())


def main():
    cfg = json.load(open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "config.json")))
    torch.manual_seed(0)
    side = cfg["image"]["side"]
    img = render(side).reshape(-1, 3)
    g = torch.linspace(-1, 1, side)
    xy = torch.stack(torch.meshgrid(g, g, indexing="ij"), -1).reshape(-1, 2)
    perm = torch.randperm(len(xy))
    n_ho = int(cfg["train"]["holdout"] * len(xy))
    ho, tr = perm[:n_ho], perm[n_ho:]

    net = build(cfg["encoding"]["n_freq"], **cfg["net"])
    opt = torch.optim.Adam(net.parameters(), lr=cfg["train"]["lr"])
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg["train"]["steps"], eta_min=1e-4)
    for step in range(1, cfg["train"]["steps"] + 1):
        idx = tr[torch.randint(len(tr), (cfg["train"]["batch"],))]
        loss = F.mse_loss(net(xy[idx]), img[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        if step % 150 == 0:
            net.eval()
            with torch.no_grad():
                print(f"{step:5d}  mse {loss.item():.5f}  PSNR seen {psnr(net(xy[tr]), img[tr]):.2f} dB  "
                      f"held-out pixels {psnr(net(xy[ho]), img[ho]):.2f} dB")
            net.train()


if __name__ == "__main__":
    main()
