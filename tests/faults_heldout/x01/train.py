"""One-step-ahead forecasting of sensor streams with an LSTM.

Sixteen sensors run in parallel.  The series are long, so they are cut into consecutive windows and
the recurrent state is handed from each window to the next one (truncated BPTT).
"""
import argparse

import numpy as np
import torch
from torch import nn


def make_streams(n_streams, length, rng):
    """A square-ish carrier whose amplitude depends on a switch that flips every few dozen steps."""
    out = np.zeros((n_streams, length), dtype=np.float32)
    for s in range(n_streams):
        period = rng.integers(18, 30)
        t = np.arange(length) + rng.integers(0, 100)
        switch = np.ones(length)
        pos, state = 0, 1.0
        while pos < length:
            run = int(rng.integers(40, 90))
            switch[pos:pos + run] = state
            state = 1.6 - state
            pos += run
        out[s] = switch * np.sin(2 * np.pi * t / period) + 0.3 * np.sin(2 * np.pi * t / 7.0)
        out[s] += 0.05 * rng.standard_normal(length)
    return out


class Forecaster(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.rnn = nn.LSTM(1, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x, state=None):
        h, state = self.rnn(x.unsqueeze(-1), state)
        return self.out(h).squeeze(-1), state


def windows(series, width):
    last = series.shape[1] - 1
    for start in range(0, last - width + 1, width):
        yield series[:, start:start + width], series[:, start + 1:start + width + 1]


@torch.no_grad()
def evaluate(model, warm, series, width):
    model.eval()
    _, state = model(warm)                 # let the state settle on the end of the training part
    total, count = 0.0, 0
    for x, y in windows(series, width):
        pred, state = model(x, state)
        total += ((pred - y) ** 2).sum().item()
        count += y.numel()
    return total / count


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--hidden", type=int, default=48)
    ap.add_argument("--width", type=int, default=32)
    ap.add_argument("--epochs", type=int, default=12)
    ap.add_argument("--lr", type=float, default=5e-3)
    ap.add_argument("--seed", type=int, default=11)
    args = ap.parse_args()

    torch.manual_seed(args.seed)
    data = make_streams(16, 1400, np.random.default_rng(args.seed))
    split = 1100
    mean, std = data[:, :split].mean(), data[:, :split].std()
    data = torch.from_numpy((data - mean) / std)
    train, test = data[:, :split], data[:, split:]
    persistence = ((test[:, 1:] - test[:, :-1]) ** 2).mean().item()

    model = Forecaster(args.hidden)
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=args.epochs, eta_min=2e-4)
    for epoch in range(args.epochs):
        model.train()
        state, losses = None, []           # every epoch starts again at the head of the streams
        for x, y in windows(train, args.width):
            if state is not None:
                state = tuple(s.detach() for s in state)
            pred, state = model(x, state)
            loss = nn.functional.mse_loss(pred, y)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            losses.append(loss.item())
        sched.step()
        mse = evaluate(model, train[:, -128:], test, args.width)
        print(f"epoch {epoch:2d}  train {np.mean(losses):.4f}  test {mse:.4f}  (persistence {persistence:.4f})")


if __name__ == "__main__":
    main()
