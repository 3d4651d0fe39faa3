"""Valve state tracking: the state set by rare open/close pulses must be known at every time step."""
import argparse

import numpy as np
import torch
from torch import nn


def simulate(n_streams, length, seed):
    rng = np.random.default_rng(seed)
    pulses = np.zeros((n_streams, length, 2), dtype=np.float32)
    state = np.zeros((n_streams, length), dtype=np.float32)
    cur = rng.integers(0, 2, n_streams).astype(np.float32)
    for t in range(length):
        ev = rng.random(n_streams)
        op, cl = ev < 0.02, ev > 0.98
        cur = np.where(op, 1.0, np.where(cl, 0.0, cur)).astype(np.float32)
        pulses[:, t, 0], pulses[:, t, 1] = op, cl
        state[:, t] = cur
    noise = rng.normal(scale=0.15, size=(n_streams, length, 3)).astype(np.float32)
    flow = np.sin(np.arange(length) / 9.0)[None, :, None].repeat(n_streams, 0).astype(np.float32)
    feats = np.concatenate([pulses, flow], axis=2) + noise
    return torch.from_numpy(feats), torch.from_numpy(state)


class StateTracker(nn.Module):
    def __init__(self, n_in=3, hidden=24):
        super().__init__()
        self.rnn = nn.GRU(n_in, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x, h=None):
        y, h = self.rnn(x, h)
        return self.out(y).squeeze(-1), h


def run_stream(model, feats, state, chunk, opt=None):
    """One pass over all streams in consecutive chunks of `chunk` steps."""
    loss_fn = nn.BCEWithLogitsLoss()
    losses, correct, seen = [], 0, 0
    for lo in range(0, feats.shape[1], chunk):
        x, y = feats[:, lo:lo + chunk], state[:, lo:lo + chunk]
        h = torch.zeros(1, x.shape[0], model.rnn.hidden_size)
        logits, h = model(x, h)
        loss = loss_fn(logits, y)
        if opt is not None:
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
        losses.append(loss.item())
        correct += ((logits > 0) == (y > 0.5)).sum().item()
        seen += y.numel()
    return float(np.mean(losses)), correct / seen


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=14)
    parser.add_argument("--chunk", type=int, default=20)
    parser.add_argument("--streams", type=int, default=48)
    parser.add_argument("--lr", type=float, default=0.005)
    opts = parser.parse_args()

    torch.manual_seed(99)
    train = simulate(opts.streams, 800, seed=1)
    test = simulate(32, 800, seed=2)
    model = StateTracker()
    optimizer = torch.optim.Adam(model.parameters(), lr=opts.lr)
    for epoch in range(opts.epochs):
        model.train()
        tr_loss, tr_acc = run_stream(model, *train, opts.chunk, optimizer)
        model.eval()
        with torch.no_grad():
            te_loss, te_acc = run_stream(model, *test, opts.chunk)
        print("%2d | train loss %.4f acc %.3f | test loss %.4f acc %.3f" % (epoch, tr_loss, tr_acc, te_loss, te_acc))
