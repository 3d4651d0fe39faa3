"""Maximum nesting depth of a token stream, learnt on growing lengths."""
import math
import sys

import numpy as np
import torch
from torch import nn

seed = int(sys.argv[1]) if len(sys.argv) > 1 else 4
torch.manual_seed(seed)
rng = np.random.default_rng(seed)
STAGES = [(6, 150), (12, 200), (20, 250), (28, 400)]   # (length, updates)
BATCH, PEAK, CLASSES, TOKENS = 48, 4e-3, 6, 5           # tokens: ( ) and three fillers


def stream(length, count, rng):
    tok = np.empty((count, length), np.int64)
    depth = np.zeros(count, np.int64)
    top = np.zeros(count, np.int64)
    for i in range(length):
        u = rng.random(count)
        up = (u < 0.38) & (depth < CLASSES - 1)
        down = (u >= 0.38) & (u < 0.70) & (depth > 0)
        tok[:, i] = np.where(up, 0, np.where(down, 1, rng.integers(2, TOKENS, count)))
        depth = depth + up - down
        top = np.maximum(top, depth)
    return torch.from_numpy(tok), torch.from_numpy(top)


class Reader(nn.Module):
    def __init__(self, width=40):
        super().__init__()
        self.emb = nn.Embedding(TOKENS, 12)
        self.rnn = nn.GRU(12, width, batch_first=True)
        self.out = nn.Linear(width, CLASSES)

    def forward(self, tok):
        _, h = self.rnn(self.emb(tok))
        return self.out(h[-1])


net = Reader()
opt = torch.optim.Adam(net.parameters(), lr=PEAK)
ce = nn.CrossEntropyLoss()
val = stream(STAGES[-1][0], 1000, np.random.default_rng(999))

for length, updates in STAGES:
    recent = []
    for i in range(updates):
        for group in opt.param_groups:                   # restart of the rate in each stage
            group["lr"] = PEAK * (0.05 + 0.95 * 0.5 * (1 + math.cos(math.pi * i / updates)))
        net.train()
        tok, top = stream(length, BATCH, rng)
        loss = ce(net(tok), top)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        recent.append(loss.item())
        if (i + 1) % 50 == 0:
            net.eval()
            with torch.no_grad():
                out = net(val[0])
                vl, va = ce(out, val[1]).item(), (out.argmax(1) == val[1]).float().mean().item()
            print(f"length {length:2d} update {i + 1:3d}  first {recent[-50]:.3f}  mean {sum(recent[-50:]) / 50:.3f}  full-length loss {vl:.3f} acc {va:.3f}")
