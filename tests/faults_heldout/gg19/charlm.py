import argparse
import collections
import math
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional as F

from stream import Stream, alphabet

ap = argparse.ArgumentParser()
ap.add_argument("--text", default=str(Path(__file__).resolve().parent / "manual.txt"))
ap.add_argument("--dim", type=int, default=96)
ap.add_argument("--rows", type=int, default=12)
ap.add_argument("--window", type=int, default=48)
ap.add_argument("--epochs", type=int, default=6)
ap.add_argument("--lr", type=float, default=8e-3)
ap.add_argument("--smooth", type=float, default=0.02)
opt_ = ap.parse_args()

torch.manual_seed(64)
torch.set_num_threads(1)
text = Path(opt_.text).read_text()
cut = int(0.92 * len(text))
chars, ids = alphabet(text)
train, held = Stream(ids[:cut], opt_.rows, opt_.window), Stream(ids[cut:], 4, 128)


class CharGRU(nn.Module):
    def __init__(self, n, d, p=0.1):
        super().__init__()
        self.emb = nn.Embedding(n, d)
        self.rnn = nn.GRU(d, d, batch_first=True)
        self.post = nn.Linear(d, d)
        self.drop = nn.Dropout(p)
        self.out = nn.Linear(d, n)
        nn.init.uniform_(self.emb.weight, -0.15, 0.15)
        self.out.weight = self.emb.weight
        nn.init.zeros_(self.out.bias)

    def forward(self, x, h=None):
        y, h = self.rnn(self.drop(self.emb(x)), h)
        return self.out(self.post(self.drop(y))), h


def bigram_bits():
    c = collections.Counter(zip(text[:cut], text[1:cut]))
    u = collections.Counter(text[:cut - 1])
    t = text[cut:]
    return -sum(math.log2((c[a, b] + 0.1) / (u[a] + 0.1 * len(chars))) for a, b in zip(t, t[1:])) / (len(t) - 1)


def bits(model):
    model.eval()
    h, s, n = None, 0.0, 0
    with torch.no_grad():
        for x, y in held:
            out, h = model(x, h)
            s += F.cross_entropy(out.flatten(0, 1), y.flatten(), reduction="sum").item()
            n += y.numel()
    return s / n / math.log(2)


@torch.no_grad()
def babble(model, start="The ", n=160, temp=0.6):
    model.eval()
    ix = torch.tensor([[chars.index(c) for c in start]])
    out, h = model(ix)
    s = start
    for _ in range(n):
        k = torch.multinomial((out[0, -1] / temp).softmax(0), 1)
        s += chars[k.item()]
        out, h = model(k[None], h)
    return s.replace("\n", " ")


model = CharGRU(len(chars), opt_.dim)
optim = torch.optim.Adam(model.parameters(), lr=opt_.lr)
sched = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(optim, T_0=2 * len(train), T_mult=2, eta_min=opt_.lr / 50)
print(f"{len(text)} characters, alphabet {len(chars)}, {len(train)} windows per pass, bigram {bigram_bits():.3f} bits/char")

for ep in range(1, opt_.epochs + 1):
    model.train()
    state, tot = None, 0.0
    for x, y in train:
        out, state = model(x, state)
        state = state.detach()
        loss = F.cross_entropy(out.flatten(0, 1), y.flatten(), label_smoothing=opt_.smooth)
        optim.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optim.step()
        sched.step()
        tot += loss.item()
    print(f"pass {ep}  loss {tot / len(train):.4f}  held-out {bits(model):.3f} bits/char  lr {sched.get_last_lr()[0]:.1e}")
print(babble(model))
