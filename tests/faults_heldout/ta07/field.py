"""Coordinate network for the terrain height map (x, y) -> z."""
import configparser
import logging
from pathlib import Path

import numpy as np
import torch
from torch import nn

logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
log = logging.getLogger("field")
BASE = Path(__file__).resolve().parent


def terrain(xy):
    x, y = xy[:, 0], xy[:, 1]
    hills = np.exp(-8 * ((x - 0.3) ** 2 + (y + 0.2) ** 2)) + 0.7 * np.exp(-12 * ((x + 0.5) ** 2 + (y - 0.4) ** 2))
    ridges = 0.3 * np.sin(5 * x + 2 * y) + 0.2 * np.cos(4 * y - 3 * x)
    return hills + ridges


def sample(n, rng):
    xy = rng.uniform(-1, 1, (n, 2))
    z = terrain(xy) + 0.02 * rng.standard_normal(n)
    return torch.tensor(xy, dtype=torch.float32), torch.tensor(z, dtype=torch.float32)[:, None]


class FourierFeatures(nn.Module):
    def __init__(self, n, scale):
        super().__init__()
        self.register_buffer("freq", torch.randn(2, n) * scale)

    def forward(self, xy):
        p = xy @ self.freq
        return torch.cat([p.sin(), p.cos()], -1)


def build(cfg):
    n, h = cfg.getint("features"), cfg.getint("hidden")
    return nn.Sequential(
        FourierFeatures(n, cfg.getfloat("scale")),
        nn.Linear(2 * n, h), nn.SiLU(),
        nn.Linear(h, h), nn.SiLU(),
        nn.Linear(h, 1),
    )


def make_optimizer(params, cfg):
    return torch.optim.Adam(
        params,
        lr=cfg.getfloat("lr"),
        betas=(cfg.getfloat("beta1"), cfg.getfloat("beta2")),
        eps=cfg.getfloat("eps"),
    )


def main():
    ini = configparser.ConfigParser()
    ini.read(BASE / "field.ini")
    run = ini["run"]
    torch.manual_seed(run.getint("seed"))
    rng = np.random.default_rng(run.getint("seed"))
    x, z = sample(run.getint("points"), rng)
    xv, zv = sample(2000, rng)
    model = build(ini["model"])
    opt = make_optimizer(model.parameters(), ini["optimizer"])
    loss_fn = nn.MSELoss()

    bs, log_every = run.getint("batch_size"), run.getint("log_every")
    acc = 0.0
    for it in range(1, run.getint("iterations") + 1):
        pick = torch.from_numpy(rng.integers(0, len(x), bs))
        loss = loss_fn(model(x[pick]), z[pick])
        opt.zero_grad()
        loss.backward()
        opt.step()
        acc += loss.item()
        if it % log_every == 0:
            with torch.no_grad():
                val = loss_fn(model(xv), zv).item()
            log.info("it %d  train mse %.5f  val mse %.5f  val R2 %.4f", it, acc / log_every, val, 1 - val / zv.var().item())
            acc = 0.0


if __name__ == "__main__":
    main()
