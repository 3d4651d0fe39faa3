import configparser
import sys

import torch
from torch import nn

from telemetry import simulate


class StateTracker(nn.Module):
    def __init__(self, n_in, hidden, n_states=3):
        super().__init__()
        self.rnn = nn.GRU(n_in, hidden)
        self.out = nn.Linear(hidden, n_states)

    def forward(self, x, h=None):
        y, h = self.rnn(x, h)
        return self.out(y), h


def chunks(x, y, size):
    for start in range(0, len(x) - size + 1, size):
        yield x[start:start + size], y[start:start + size]


def run_stream(model, x, y, size, loss_fn, opt=None):
    """One pass over the recording, in time order, a chunk at a time."""
    model.train(opt is not None)
    total, hits, n = 0.0, 0, 0
    for xc, yc in chunks(x, y, size):
        h = None
        logits, h = model(xc, h)
        loss = loss_fn(logits.flatten(0, 1), yc.flatten())
        if opt is not None:
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
        h = h.detach()
        total += loss.item() * yc.numel()
        hits += (logits.argmax(-1) == yc).sum().item()
        n += yc.numel()
    return total / n, hits / n


def main():
    cfg = configparser.ConfigParser()
    cfg.read("line.ini")
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else cfg.getint("data", "seed")
    torch.manual_seed(seed)
    x, y = simulate(cfg.getint("data", "machines"), cfg.getint("data", "minutes"), seed)
    x_val, y_val = simulate(24, 800, seed + 1)

    model = StateTracker(x.shape[-1], cfg.getint("model", "hidden"))
    opt = torch.optim.Adam(model.parameters(), lr=cfg.getfloat("train", "lr"))
    loss_fn = nn.CrossEntropyLoss()
    size = cfg.getint("train", "chunk")
    for epoch in range(1, cfg.getint("train", "epochs") + 1):
        tl, ta = run_stream(model, x, y, size, loss_fn, opt)
        with torch.no_grad():
            vl, va = run_stream(model, x_val, y_val, size, loss_fn)
        print(f"pass {epoch:2d}: train {tl:.3f} / {ta:.3f}   new machines {vl:.3f} / {va:.3f}")


if __name__ == "__main__":
    main()
