import numpy as np
import torch
from torch import nn


def load(path="plant.npz", n_fit=1500):
    z = np.load(path)
    x = np.stack([z["feed"] / 100.0, z["valve"]], -1).astype(np.float32)
    y = (z["flow"] / 100.0).astype(np.float32)
    return torch.from_numpy(x), torch.from_numpy(y), n_fit


class FlowGRU(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.rnn = nn.GRU(2, hidden, batch_first=True)
        self.gain_bias = nn.Linear(hidden, 2)

    def forward(self, x, h=None):
        o, h = self.rnn(x, h)
        gain, bias = self.gain_bias(o).unbind(-1)
        return gain * x[..., 0] + bias, h


def windows(x, y, lo, hi, size):
    for t in range(lo, hi, size):
        e = min(t + size, hi)
        yield x[:, t:e], y[:, t:e]


def run_through(model, x, y, lo, hi, size, opt=None):
    """All units side by side, from lo to hi in order; the state goes on from window to window."""
    h, sq, n = None, 0.0, 0
    for xb, yb in windows(x, y, lo, hi, size):
        pred, h = model(xb, h)
        h = h.detach()
        loss = (pred - yb).square().mean()
        if opt is not None:
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
        sq, n = sq + loss.item() * yb.numel(), n + yb.numel()
    return sq / n


def main():
    torch.manual_seed(64)
    x, y, cut = load()
    model = FlowGRU()
    opt = torch.optim.Adam(model.parameters(), lr=1e-2)
    epochs = 10
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs, eta_min=2e-4)
    print("variance of the later part: %.3f" % y[:, cut:].var())
    for ep in range(epochs):
        model.train()
        tr = run_through(model, x, y, 0, cut, 30, opt)
        sched.step()
        model.eval()
        with torch.no_grad():
            # warm the state on the last 400 readings of the fitted part
            _, h = model(x[:, cut - 400: cut])
            pred, _ = model(x[:, cut:], h)
            va = (pred - y[:, cut:]).square().mean().item()
        print(f"pass {ep:2d}  mse {tr:.4f}  later part {va:.4f}")


if __name__ == "__main__":
    main()
