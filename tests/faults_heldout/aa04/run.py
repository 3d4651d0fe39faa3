"""Valve state (open / closed) from machine telemetry, streamed in windows."""
import argparse
import random

import numpy as np
import torch
import torch.nn.functional as F

from labellers import GatedLabeller, Labeller

MODELS = {"plain": Labeller, "gated": GatedLabeller}


def windows(x, y, size):
    for start in range(0, x.size(1), size):
        yield x[:, start : start + size], y[:, start : start + size]


def run_streams(model, x, y, size, opt=None):
    """Go through a group of parallel streams from their start to their end."""
    state, losses, hits = None, [], []
    for xb, yb in windows(x, y, size):
        logits, state = model(xb, state)
        state = state.detach()
        loss = F.binary_cross_entropy_with_logits(logits, yb)
        if opt is not None:
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
        losses.append(loss.item())
        hits.append(((logits > 0) == (yb > 0.5)).float().mean().item())
    return np.mean(losses), np.mean(hits)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--model", choices=MODELS, default="gated")
    ap.add_argument("--window", type=int, default=16)
    ap.add_argument("--streams", type=int, default=24)
    ap.add_argument("--epochs", type=int, default=12)
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--seed", type=int, default=0)
    a = ap.parse_args()
    torch.manual_seed(a.seed)
    random.seed(a.seed)

    raw = np.load("valves.npz")
    x = torch.from_numpy(raw["signals"].astype(np.float32))
    y = torch.from_numpy(raw["is_open"].astype(np.float32))
    x_train, y_train, x_val, y_val = x[:72], y[:72], x[72:], y[72:]
    mean, std = x_train.mean((0, 1)), x_train.std((0, 1))
    mean[:2], std[:2] = 0.0, 0.5  # command channels are 0/1 pulses
    x_train, x_val = (x_train - mean) / std, (x_val - mean) / std

    model = MODELS[a.model](x.size(-1))
    opt = torch.optim.Adam(model.parameters(), lr=a.lr)
    for epoch in range(1, a.epochs + 1):
        model.train()
        stats = [run_streams(model, x_train[i], y_train[i], a.window, opt) for i in torch.randperm(72).split(a.streams)]
        if epoch % 3 == 0:
            model.eval()
            with torch.no_grad():
                vl, va = run_streams(model, x_val, y_val, a.window)
            print(f"epoch {epoch:2d} train loss {np.mean([s[0] for s in stats]):.3f} val loss {vl:.3f} val acc {va:.3f}")


if __name__ == "__main__":
    main()
