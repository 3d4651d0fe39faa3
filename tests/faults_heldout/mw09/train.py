"""Soft sensor: tank level from pump and outlet readings, for stations without a level gauge."""
import argparse

import torch
from torch import nn

from tanks import plant


class LevelSensor(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.gru = nn.GRU(2, hidden)
        self.read = nn.Linear(hidden, 1)

    def forward(self, x, state):
        y, state = self.gru(x, state)
        return self.read(y), state


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--stations", type=int, default=64)
    ap.add_argument("--minutes", type=int, default=1600)
    ap.add_argument("--window", type=int, default=40)
    ap.add_argument("--epochs", type=int, default=16)
    ap.add_argument("--lr", type=float, default=6e-3)
    ap.add_argument("--seed", type=int, default=2)
    args = ap.parse_args()
    torch.manual_seed(args.seed)

    x, level = plant(args.stations, args.minutes, args.seed)
    x_new, level_new = plant(32, 800, args.seed + 500)
    model = LevelSensor()
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    steps = args.epochs * (args.minutes // args.window)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=args.lr, total_steps=steps)
    spread = level_new[100:].std().item()

    for epoch in range(args.epochs):
        model.train()
        state, total = None, 0.0
        for s in range(0, args.minutes, args.window):
            out, state = model(x[s:s + args.window], state)
            loss = nn.functional.mse_loss(out, level[s:s + args.window])
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            sched.step()
            state = state.detach()
            total += loss.item()
        model.eval()
        with torch.no_grad():
            out, _ = model(x_new, None)
        # the first 100 minutes serve to find the unknown starting level
        rmse = (out - level_new)[100:].pow(2).mean().sqrt().item()
        print(f"epoch {epoch + 1:2d}  train mse {total / (args.minutes // args.window):.5f}  "
              f"unseen stations rmse {rmse:.4f} (level std {spread:.3f})")


if __name__ == "__main__":
    main()
