"""Online logistic factorisation machine over hashed features: predict first, then learn from the event."""
import math
import zlib

import torch
from torch import nn
import torch.nn.functional as F

from click_log import stream

BUCKETS = 2 ** 11


def hashed(event):
    keys = [f"{k}={v}" for k, v in event.items()]
    return torch.tensor([zlib.crc32(k.encode()) % BUCKETS for k in keys])


class HashedFM(nn.Module):
    def __init__(self, factors=4):
        super().__init__()
        self.bias = nn.Parameter(torch.zeros(()))
        self.linear = nn.Embedding(BUCKETS, 1)
        self.factor = nn.Embedding(BUCKETS, factors)
        nn.init.zeros_(self.linear.weight)
        nn.init.normal_(self.factor.weight, std=0.05)

    def forward(self, ids):
        v = self.factor(ids)
        pair = 0.5 * (v.sum(0).pow(2) - v.pow(2).sum(0)).sum()
        return self.bias + self.linear(ids).sum() + pair


class Progressive:
    """Running log-loss of the model and of the running click rate, over the last window."""

    def __init__(self):
        self.clicks, self.seen = 0.0, 0
        self.reset()

    def reset(self):
        self.model = self.base = 0.0
        self.n = 0

    def add(self, loss, y):
        p = (self.clicks + 1) / (self.seen + 2)
        self.model += loss
        self.base += -math.log(p if y else 1 - p)
        self.n += 1
        self.clicks += y
        self.seen += 1


def main(n=12_000, window=2000):
    torch.manual_seed(0)
    net = HashedFM()
    opt = torch.optim.Adagrad(net.parameters(), lr=0.1)
    meter = Progressive()
    for t, (event, y) in enumerate(stream(n), 1):
        target = torch.tensor(float(y))
        loss = F.binary_cross_entropy_with_logits(net(hashed(event)), target)
        meter.add(loss.item(), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if t % window == 0:
            print(f"{t:6d} events | progressive log-loss {meter.model / meter.n:.4f} | click-rate baseline {meter.base / meter.n:.4f}")
            meter.reset()


if __name__ == "__main__":
    main()
