"""Small denoising diffusion model for planar drill-hole patterns."""
import copy
import json
import math
from pathlib import Path

import numpy as np
import torch
from torch import nn

HERE = Path(__file__).resolve().parent


class Denoiser(nn.Module):
    def __init__(self, width, freqs=8):
        super().__init__()
        self.register_buffer("freqs", 2.0 ** torch.arange(freqs) * math.pi / 4)
        self.net = nn.Sequential(
            nn.Linear(2 + 2 * freqs, width), nn.SiLU(),
            nn.Linear(width, width), nn.SiLU(),
            nn.Linear(width, width), nn.SiLU(),
            nn.Linear(width, 2),
        )

    def forward(self, x, t):
        ang = t[:, None] * self.freqs
        return self.net(torch.cat([x, ang.sin(), ang.cos()], dim=1))


class Average:
    """Running average of the weights; this copy is what gets sampled and shipped."""

    def __init__(self, model, decay):
        self.decay = decay
        self.shadow = copy.deepcopy(model).requires_grad_(False).eval()

    @torch.no_grad()
    def update(self, model):
        for s, p in zip(self.shadow.parameters(), model.parameters()):
            s.lerp_(p, 1.0 - self.decay)


def noise(x, t, eps):
    a = torch.cos(t * math.pi / 2)[:, None]
    s = torch.sin(t * math.pi / 2)[:, None]
    return a * x + s * eps


@torch.no_grad()
def score(net, x, gen_seed=99):
    g = torch.Generator().manual_seed(gen_seed)
    x = x.repeat(2, 1)
    t = torch.rand(len(x), generator=g)
    eps = torch.randn(x.shape, generator=g)
    return ((net(noise(x, t, eps), t) - eps) ** 2).mean().item()


def main():
    cfg = json.loads((HERE / "config.json").read_text())
    torch.manual_seed(cfg["seed"])
    pts = torch.from_numpy(np.load(HERE / "holes.npy"))
    pts = pts[torch.randperm(len(pts))]
    n_val = len(pts) // 5
    val, train = pts[:n_val], pts[n_val:]

    model = Denoiser(cfg["model"]["width"])
    avg = Average(model, cfg["ema"]["decay"])
    opt = torch.optim.AdamW(model.parameters(), lr=cfg["optim"]["lr"], weight_decay=1e-4)
    steps = cfg["optim"]["steps"]
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, steps, eta_min=cfg["optim"]["lr"] / 20)

    for step in range(1, steps + 1):
        x = train[torch.randint(len(train), (cfg["optim"]["batch"],))]
        t = torch.rand(len(x))
        eps = torch.randn_like(x)
        loss = ((model(noise(x, t, eps), t) - eps) ** 2).mean()
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        sched.step()
        avg.update(model)
        if step % 200 == 0:
            print(f"step {step:5d}  train {loss.item():.4f}  held-out {score(avg.shadow, val):.4f}")

    torch.manual_seed(0)
    print(f"final held-out denoising error {score(avg.shadow, val):.4f}")


if __name__ == "__main__":
    main()
