"""Learn the vector field of a swing from noisy recordings, integrating it with a hand-written RK4."""
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import nn


@dataclass
class Settings:
    steps: int = 700
    batch: int = 64
    horizons: tuple = (5, 10, 20)
    switch: tuple = (0.25, 0.55)
    lr: float = 4e-3
    hidden: int = 64
    clip: float = 0.25
    n_train: int = 90
    seed: int = 20


class Field(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh(), nn.Linear(hidden, 2))

    def forward(self, s):
        return self.net(s)


def rk4(f, s, dt):
    k1 = f(s)
    k2 = f(s + 0.5 * dt * k1)
    k3 = f(s + 0.5 * dt * k2)
    k4 = f(s + dt * k3)
    return s + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def rollout(f, s0, n, dt):
    states = [s0]
    for _ in range(n):
        states.append(rk4(f, states[-1], dt))
    return torch.stack(states, dim=1)


def horizon_at(step, cfg):
    frac = step / cfg.steps
    return cfg.horizons[sum(frac >= s for s in cfg.switch)]


def main(cfg=Settings()):
    torch.manual_seed(cfg.seed)
    pack = np.load(Path(__file__).parent / "swings.npz")
    noisy, clean, dt = torch.from_numpy(pack["noisy"]), torch.from_numpy(pack["clean"]), float(pack["dt"])
    train, val = noisy[: cfg.n_train], noisy[cfg.n_train: 120]
    scale = train.std(dim=(0, 1))
    windows = val.unfold(1, 21, 10).transpose(2, 3).flatten(0, 1)      # every second of the held-out swings
    field = Field(cfg.hidden)
    opt = torch.optim.Adam(field.parameters(), lr=cfg.lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg.steps, eta_min=1e-5)
    running, clips = [], 0
    for step in range(cfg.steps):
        h = horizon_at(step, cfg)
        who = torch.randint(len(train), (cfg.batch,))
        when = torch.randint(train.size(1) - h, (cfg.batch,))
        seg = train[who[:, None], when[:, None] + torch.arange(h + 1)]
        pred = rollout(field, seg[:, 0], h, dt)[:, 1:]
        loss = ((pred - seg[:, 1:]) / scale).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        clips += int(nn.utils.clip_grad_norm_(field.parameters(), cfg.clip) > cfg.clip)
        opt.step()
        sched.step()
        running.append(loss.item())
        if (step + 1) % 100 == 0:
            with torch.no_grad():
                v = ((rollout(field, windows[:, 0], 20, dt)[:, 1:] - windows[:, 1:]) / scale).pow(2).mean().item()
            print(f"{step + 1:5d}  horizon {h:2d}  loss {np.mean(running[-100:]):.5f}  val(20 steps) {v:.5f}  clipped {clips}", flush=True)

    with torch.no_grad():
        full = rollout(field, clean[:, 0], clean.size(1) - 1, dt)
    err = ((full - clean) / scale).pow(2).mean(dim=(0, 2)).sqrt()
    print("test swings, normalised RMSE after 1/2/4/8 s:", [round(err[i].item(), 4) for i in (10, 20, 40, 80)])
    print("persistence after 1/2/4/8 s:",
          [round(((clean[:, 0] - clean[:, i]) / scale).pow(2).mean().sqrt().item(), 3) for i in (10, 20, 40, 80)])


if __name__ == "__main__":
    main()
