"""Soft sensor for the flow of a hydraulic actuator.

The rig logs a pump signal, a drive signal and a command word. A command is written once,
when the operator turns the selector, and stays in force until the next one. The network
reads the log as a stream and estimates the flow at every tick.
"""
import argparse
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import nn

HERE = Path(__file__).resolve().parent


@dataclass
class Streams:
    x: torch.Tensor  # (streams, ticks, channels)
    y: torch.Tensor  # (streams, ticks)

    def __len__(self):
        return self.x.shape[0]

    def windows(self, rows, span):
        """Consecutive windows of the chosen streams, oldest first."""
        x, y = self.x[rows], self.y[rows]
        for start in range(0, x.shape[1], span):
            yield x[:, start:start + span], y[:, start:start + span]


def load_streams(path):
    raw = np.load(path)
    u = raw["u"].astype(np.float32) / 100
    drive = raw["drive"].astype(np.float32) / 40
    cmd = np.eye(5, dtype=np.float32)[raw["cmd"]][..., 1:]
    x = np.concatenate([u[..., None], drive[..., None], cmd], axis=-1)
    y = raw["flow"].astype(np.float32) / 40
    return Streams(torch.from_numpy(x), torch.from_numpy(y))


def split(streams, n_held_out):
    n = len(streams) - n_held_out
    return Streams(streams.x[:n], streams.y[:n]), Streams(streams.x[n:], streams.y[n:])


class FlowNet(nn.Module):
    def __init__(self, channels, width=32):
        super().__init__()
        self.width = width
        self.inp = nn.Linear(channels, width)
        self.rnn = nn.GRU(width, width, batch_first=True)
        self.out = nn.Sequential(nn.Linear(width + channels, width), nn.SiLU(), nn.Linear(width, 1))

    def initial_state(self, batch):
        return torch.zeros(1, batch, self.width)

    def forward(self, x, state):
        h, state = self.rnn(torch.tanh(self.inp(x)), state)
        return self.out(torch.cat([h, x], dim=-1)).squeeze(-1), state


class Fitter:
    def __init__(self, model, args):
        self.model = model
        self.args = args
        self.optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
        self.rng = torch.Generator().manual_seed(args.seed)

    def sweep(self, streams):
        """One pass over all training streams, truncated back-propagation inside each window."""
        self.model.train()
        order = torch.randperm(len(streams), generator=self.rng)
        total, count = 0.0, 0
        for rows in order.split(self.args.rows):
            state = self.model.initial_state(len(rows))
            for x, y in streams.windows(rows, self.args.span):
                pred, new_state = self.model(x, state)
                loss = (pred - y).square().mean()
                self.optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                self.optimizer.step()
                state = state.detach()
                total += loss.item() * y.numel()
                count += y.numel()
        return total / count

    @torch.no_grad()
    def score(self, streams):
        self.model.eval()
        pred, _ = self.model(streams.x, self.model.initial_state(len(streams)))
        err = pred - streams.y
        return err.square().mean().item(), err.abs().mean().item()


def parse():
    ap = argparse.ArgumentParser()
    ap.add_argument("--log", default=str(HERE / "hydraulics.npz"))
    ap.add_argument("--sweeps", type=int, default=14)
    ap.add_argument("--rows", type=int, default=8)
    ap.add_argument("--span", type=int, default=16)
    ap.add_argument("--lr", type=float, default=6e-3)
    ap.add_argument("--seed", type=int, default=17)
    return ap.parse_args()


def main():
    args = parse()
    torch.manual_seed(args.seed)
    train, held = split(load_streams(args.log), n_held_out=4)
    model = FlowNet(train.x.shape[-1])
    fitter = Fitter(model, args)
    t0 = time.perf_counter()
    for sweep in range(1, args.sweeps + 1):
        if sweep == int(args.sweeps * 0.7):
            for group in fitter.optimizer.param_groups:
                group["lr"] *= 0.3
        mse = fitter.sweep(train)
        if sweep % 3 == 0 or sweep == 1:
            held_mse, held_mae = fitter.score(held)
            print(f"sweep {sweep:3d} | fit mse {mse:.4f} | held-out mse {held_mse:.4f} mae {held_mae:.4f} "
                  f"| {time.perf_counter() - t0:.1f}s")


if __name__ == "__main__":
    main()
