"""Torque estimation for a bank of drives from a continuous log (truncated BPTT over the log)."""
import argparse
from pathlib import Path

import numpy as np
import torch
from torch import nn


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--log", default="drives.npz")
    p.add_argument("--chunk", type=int, default=16, help="steps per training window")
    p.add_argument("--hidden", type=int, default=24)
    p.add_argument("--epochs", type=int, default=25)
    p.add_argument("--lr", type=float, default=1e-2)
    p.add_argument("--state", choices=["zero", "carry"], default="carry",
                   help="what a window starts from")
    p.add_argument("--seed", type=int, default=3)
    return p.parse_args()


class TorqueNet(nn.Module):
    def __init__(self, n_in, hidden):
        super().__init__()
        self.rnn = nn.GRU(n_in, hidden, batch_first=True)
        self.head = nn.Sequential(nn.Linear(hidden + n_in, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, x, state=None):
        h, state = self.rnn(x, state)
        return self.head(torch.cat([h, x], -1)).squeeze(-1), state


def windows(x, y, size):
    for s in range(0, x.shape[1] - size + 1, size):
        yield x[:, s:s + size], y[:, s:s + size]


def next_state(state, mode):
    if mode == "carry":
        return state.detach()
    return None


@torch.no_grad()
def r2(model, x, y, first, args):
    """Replays the whole log and scores the part from step `first` on."""
    model.eval()
    state, outs, refs = None, [], []
    for xb, yb in windows(x, y, args.chunk):
        pred, state = model(xb, state)
        state = next_state(state, args.state)
        outs.append(pred)
        refs.append(yb)
    p, t = torch.cat(outs, 1)[:, first:], torch.cat(refs, 1)[:, first:]
    return 1 - ((p - t) ** 2).mean().item() / t.var().item()


def main():
    args = parse()
    torch.manual_seed(args.seed)
    d = np.load(Path(__file__).parent / args.log)
    x = torch.from_numpy(d["signals"]).float()      # drives x time x (current, 3 mode keys)
    y = torch.from_numpy(d["torque"]).float()       # drives x time
    cut = int(x.shape[1] * 0.75) // args.chunk * args.chunk
    x_tr, y_tr = x[:, :cut], y[:, :cut]

    model = TorqueNet(x.shape[2], args.hidden)
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.epochs, eta_min=args.lr * 0.05)
    for epoch in range(args.epochs):
        model.train()
        state, total, n = None, 0.0, 0
        for xb, yb in windows(x_tr, y_tr, args.chunk):
            pred, state = model(xb, state)
            loss = nn.functional.mse_loss(pred, yb)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            state = next_state(state, args.state)
            total += loss.item()
            n += 1
        sched.step()
        if epoch % 4 == 0 or epoch == args.epochs - 1:
            print(f"epoch {epoch:2d}  mse {total / n:.4f}  held-out R2 {r2(model, x, y, cut, args):.3f}")


if __name__ == "__main__":
    main()
