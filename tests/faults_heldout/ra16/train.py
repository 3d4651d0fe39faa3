"""Stateful GRU on parallel streams, truncated backprop through time."""
import math

import torch
from torch import nn

torch.manual_seed(14)
STREAMS, CHUNK, LENGTH, EPOCHS = 20, 25, 1500, 4
SYMBOLS = 8


def streams(n, g):
    """A symbol stream whose next symbol depends on the last two (noisy second-order rule)."""
    rule = torch.randint(0, SYMBOLS, (SYMBOLS, SYMBOLS), generator=torch.Generator().manual_seed(99))
    s = torch.randint(0, SYMBOLS, (n, LENGTH + 1), generator=g)
    flip = torch.rand(n, LENGTH + 1, generator=g) < 0.15
    for t in range(2, LENGTH + 1):
        nxt = rule[s[:, t - 1], s[:, t - 2]]
        s[:, t] = torch.where(flip[:, t], s[:, t], nxt)
    return s


class StatefulGRU(nn.Module):
    def __init__(self, dim=64):
        super().__init__()
        self.emb = nn.Embedding(SYMBOLS, 24)
        self.gru = nn.GRU(24, dim, batch_first=True)
        self.out = nn.Linear(dim, SYMBOLS)

    def forward(self, x, h):
        y, h = self.gru(self.emb(x), h)
        return self.out(y), h


def sweep(model, data, opt=None):
    h, tot, hit, n = None, 0.0, 0, 0
    model.train(opt is not None)
    for t in range(0, LENGTH, CHUNK):
        x, y = data[:, t:t + CHUNK], data[:, t + 1:t + CHUNK + 1]
        with torch.set_grad_enabled(opt is not None):
            if h is not None:
                h = h.detach()
            logits, h = model(x, h)
            loss = nn.functional.cross_entropy(logits.flatten(0, 1), y.flatten())
        if opt is not None:
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
        tot += loss.item() * y.numel()
        hit += (logits.argmax(-1) == y).sum().item()
        n += y.numel()
    return tot / n, hit / n


g = torch.Generator().manual_seed(50)
train, valid = streams(STREAMS, g), streams(10, g)
net = StatefulGRU()
optim = torch.optim.RMSprop(net.parameters(), lr=2e-3)
for epoch in range(EPOCHS):
    tl, ta = sweep(net, train, optim)
    vl, va = sweep(net, valid)
    print(f"epoch {epoch} train ppl {math.exp(tl):.3f} valid ppl {math.exp(vl):.3f} next-symbol acc {va:.3f}")
