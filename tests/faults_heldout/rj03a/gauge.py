"""Charge gauge for handheld scanners.

The loggers write to 24 channels without a pause; a channel holds one
discharge after another, and `begin` marks the first sample of each.
A small recurrent cell reads current and temperature and estimates the charge
used since the discharge began. Training walks along the channels in windows
and hands the cell's state on from window to window.
"""
import math

import numpy as np
import torch

WINDOW = 30
HIDDEN = 20
PASSES = 10


def load(path):
    with np.load(path) as z:
        return (torch.tensor(z["signal"], dtype=torch.float32),
                torch.tensor(z["begin"], dtype=torch.float32),
                torch.tensor(z["used"], dtype=torch.float32))


def make_cell(n_in, n_hid):
    def u(*shape, fan):
        return ((torch.rand(*shape) * 2 - 1) / math.sqrt(fan)).requires_grad_()

    cell = {
        "wx": u(n_in, 3 * n_hid, fan=n_hid),
        "wh": u(n_hid, 3 * n_hid, fan=n_hid),
        "bx": torch.zeros(3 * n_hid).requires_grad_(),
        "bh": torch.zeros(n_hid).requires_grad_(),
        "wo": u(n_hid, 1, fan=n_hid),
        "bo": torch.zeros(1).requires_grad_(),
    }
    with torch.no_grad():
        cell["bx"][n_hid:2 * n_hid] += 1.0
    return cell


def unroll(cell, h, signal, begin):
    n = HIDDEN
    gx = signal @ cell["wx"] + cell["bx"]
    outs = []
    for t in range(signal.shape[0]):
        h = h * (1.0 - begin[t])[:, None]
        gh = h @ cell["wh"]
        r = torch.sigmoid(gx[t, :, :n] + gh[:, :n])
        z = torch.sigmoid(gx[t, :, n:2 * n] + gh[:, n:2 * n])
        c = torch.tanh(gx[t, :, 2 * n:] + r * (gh[:, 2 * n:] + cell["bh"]))
        h = z * h + (1.0 - z) * c
        outs.append(h)
    out = torch.stack(outs) @ cell["wo"] + cell["bo"]
    return out.squeeze(-1), h


def walk(signal, begin, used):
    for s in range(0, signal.shape[0], WINDOW):
        yield signal[s:s + WINDOW], begin[s:s + WINDOW], used[s:s + WINDOW]


def check(cell, data):
    h = torch.zeros(data[0].shape[1], HIDDEN)
    with torch.no_grad():
        out, _ = unroll(cell, h, data[0], data[1])
    return (out - data[2]).pow(2).mean().item()


def main():
    torch.manual_seed(31)
    train, held = load("log_train.npz"), load("log_check.npz")
    cell = make_cell(train[0].shape[-1], HIDDEN)
    opt = torch.optim.Adam(cell.values(), lr=6e-3)
    n_steps = PASSES * math.ceil(train[0].shape[0] / WINDOW)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, n_steps)
    for p in range(PASSES):
        h = torch.zeros(train[0].shape[1], HIDDEN)
        total = count = 0
        for signal, begin, used in walk(*train):
            out, h = unroll(cell, h.detach(), signal, begin)
            loss = (out - used).pow(2).mean()
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(cell.values(), 1.0)
            opt.step()
            sched.step()
            total += loss.item()
            count += 1
        print(f"pass {p + 1:2d}: mse {total / count:.4f}, held-out channels {check(cell, held):.4f}"
              f" (variance {held[2].var().item():.4f})")


main()
