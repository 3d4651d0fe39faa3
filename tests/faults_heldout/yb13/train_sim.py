"""Learn the acceleration field of coupled oscillators from recorded trajectories.

The network is used inside a semi-implicit Euler step, and the training signal is the error of
the next recorded state.  Matrix products run in half precision to match the deployment target.
"""
import argparse
import time
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn


@dataclass
class SimConfig:
    n_masses: int = 6
    dt: float = 0.002
    trajectories: int = 1000
    steps: int = 12
    hidden: int = 128
    batch_size: int = 256
    epochs: int = 25
    lr: float = 2e-3
    half: bool = True
    seed: int = 23


def spring_forces(q, k, k3):
    """Chain of masses with nonlinear springs, fixed at both ends."""
    pad = np.pad(q, ((0, 0), (1, 1)))
    ext = np.diff(pad, axis=1)
    tension = k * ext + k3 * ext ** 3
    return tension[:, 1:] - tension[:, :-1]


def record_trajectories(cfg, rng):
    q = rng.normal(0, 0.6, (cfg.trajectories, cfg.n_masses))
    v = rng.normal(0, 0.6, (cfg.trajectories, cfg.n_masses))
    states = [np.concatenate([q, v], 1)]
    for _ in range(cfg.steps):
        a = spring_forces(q, 4.0, 1.5) - 0.1 * v
        v = v + cfg.dt * a
        q = q + cfg.dt * v
        states.append(np.concatenate([q, v], 1))
    return np.stack(states, 1).astype(np.float32)


class AccelNet(nn.Module):
    def __init__(self, n, hidden):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(2 * n, hidden), nn.Tanh(),
            nn.Linear(hidden, hidden), nn.Tanh(),
            nn.Linear(hidden, n),
        )

    def forward(self, state):
        return self.net(state)


class Simulator(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.n, self.dt = cfg.n_masses, cfg.dt
        self.accel = AccelNet(cfg.n_masses, cfg.hidden)

    def forward(self, state):
        q, v = state[:, :self.n], state[:, self.n:]
        v = v + self.dt * self.accel(state).float()
        return torch.cat([q + self.dt * v, v], 1)

    @torch.no_grad()
    def rollout(self, state, steps):
        out = [state]
        for _ in range(steps):
            out.append(self(out[-1]))
        return torch.stack(out, 1)


def pairs(traj):
    now = torch.from_numpy(traj[:, :-1].reshape(-1, traj.shape[-1]))
    nxt = torch.from_numpy(traj[:, 1:].reshape(-1, traj.shape[-1]))
    return now, nxt


class Runner:
    def __init__(self, cfg):
        self.cfg = cfg
        self.sim = Simulator(cfg)
        self.opt = torch.optim.Adam(self.sim.parameters(), lr=cfg.lr, eps=1e-12)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, cfg.epochs)

    def autocast(self):
        return torch.autocast("cpu", dtype=torch.float16, enabled=self.cfg.half)

    def train_epoch(self, now, nxt):
        self.sim.train()
        total = 0.0
        for idx in torch.randperm(len(now)).split(self.cfg.batch_size):
            with self.autocast():
                pred = self.sim(now[idx])
            loss = nn.functional.mse_loss(pred, nxt[idx])
            self.opt.zero_grad(set_to_none=True)
            loss.backward()
            self.opt.step()
            total += loss.item() * len(idx)
        self.sched.step()
        return total / len(now)

    @torch.no_grad()
    def accel_error(self, traj):
        """Relative error of the predicted acceleration along held-out trajectories."""
        self.sim.eval()
        now, nxt = pairs(traj)
        n = self.cfg.n_masses
        true = (nxt[:, n:] - now[:, n:]) / self.cfg.dt
        with self.autocast():
            pred = self.sim.accel(now).float()
        return (torch.linalg.vector_norm(pred - true) / torch.linalg.vector_norm(true)).item()

    def rollout_error(self, traj, steps=12):
        with self.autocast():
            path = self.sim.rollout(torch.from_numpy(traj[:, 0]), steps)
        return (path - torch.from_numpy(traj[:, :steps + 1])).pow(2).mean().sqrt().item()


def main():
    cfg = SimConfig()
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ap.add_argument("--epochs", type=int, default=cfg.epochs)
    ap.add_argument("--full", action="store_true", help="run everything in float32")
    args = ap.parse_args()
    cfg.epochs = args.epochs
    cfg.half = not args.full

    torch.manual_seed(cfg.seed)
    traj = record_trajectories(cfg, np.random.default_rng(cfg.seed))
    held_out, train = traj[:150], traj[150:]
    now, nxt = pairs(train)
    runner = Runner(cfg)
    print(f"{len(now)} transitions, half precision: {cfg.half}")

    t0 = time.time()
    for epoch in range(1, cfg.epochs + 1):
        loss = runner.train_epoch(now, nxt)
        if epoch == 1 or epoch % 5 == 0:
            print(f"epoch {epoch:3d}  one-step mse {loss:.3e}  accel rel. error {runner.accel_error(held_out):.3f}")
    print(f"rollout rmse {runner.rollout_error(held_out):.4f}   ({time.time() - t0:.1f}s)")


if __name__ == "__main__":
    main()
