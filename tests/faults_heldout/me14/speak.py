"""Spoken times to hh:mm, an encoder-decoder with attention."""
import random

import torch
import torch.nn.functional as F
from torch import nn

from clock import corpus

PAD, BOS, EOS = 0, 1, 2
random.seed(8)
torch.manual_seed(8)
train, held = corpus(seed=3)
words = {w: i + 1 for i, w in enumerate(sorted({w for p, _ in train for w in p}))}
chars = {c: i + 3 for i, c in enumerate("0123456789:")}
back = {i: c for c, i in chars.items()}


def encode(pairs):
    src = nn.utils.rnn.pad_sequence([torch.tensor([words[w] for w in p]) for p, _ in pairs], batch_first=True, padding_value=PAD)
    tgt = torch.tensor([[BOS] + [chars[c] for c in t] + [EOS] for _, t in pairs])
    return src, tgt


class Speaker(nn.Module):
    def __init__(self, dim=48):
        super().__init__()
        self.src = nn.Embedding(len(words) + 1, dim, padding_idx=PAD)
        self.tgt = nn.Embedding(len(chars) + 3, dim)
        self.enc = nn.GRU(dim, dim // 2, bidirectional=True, batch_first=True)
        self.dec = nn.GRU(dim, dim, batch_first=True)
        self.query = nn.Linear(dim, dim)
        self.out = nn.Sequential(nn.Linear(2 * dim, dim), nn.Tanh(), nn.Linear(dim, len(chars) + 3))
        self.drop = nn.Dropout(0.1)

    def encode(self, src):
        length = (src != PAD).sum(1)
        packed = nn.utils.rnn.pack_padded_sequence(self.drop(self.src(src)), length, batch_first=True, enforce_sorted=False)
        mem, h = self.enc(packed)
        mem, _ = nn.utils.rnn.pad_packed_sequence(mem, batch_first=True, total_length=src.shape[1])
        return mem, torch.cat([h[0], h[1]], 1)[None], src == PAD

    def decode(self, tokens, h, mem, hide):
        y, h = self.dec(self.drop(self.tgt(tokens)), h)
        score = (self.query(y) @ mem.transpose(1, 2)) / mem.shape[2] ** 0.5
        att = score.masked_fill(hide[:, None], float("-inf")).softmax(2) @ mem
        return self.out(torch.cat([y, att], 2)), h

    def forward(self, src, tgt_in):
        mem, h, hide = self.encode(src)
        return self.decode(tgt_in, h, mem, hide)[0]

    @torch.no_grad()
    def say(self, src, limit=7):
        mem, h, hide = self.encode(src)
        tok, out = torch.full((len(src), 1), BOS), []
        for _ in range(limit):
            z, h = self.decode(tok, h, mem, hide)
            tok = z.argmax(2)
            out.append(tok)
        return torch.cat(out, 1)


def exact(net, src, tgt):
    net.eval()
    got = net.say(src)[:, :tgt.shape[1] - 1]
    return (got == tgt[:, 1:]).all(1).float().mean().item()


net = Speaker()
opt = torch.optim.Adam(net.parameters(), lr=4e-3)
src, tgt = encode(train)
hs, ht = encode(held)
STEPS = 450
sched = torch.optim.lr_scheduler.OneCycleLR(opt, 4e-3, total_steps=STEPS, pct_start=0.15)
for step in range(1, STEPS + 1):
    net.train()
    idx = torch.randint(len(src), (64,))
    z = net(src[idx], tgt[idx, :-1])
    loss = F.cross_entropy(z.flatten(0, 1), tgt[idx, 1:].flatten())
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    opt.step()
    sched.step()
    if step % 70 == 0:
        print(f"{step:4d}  loss {loss.item():.4f}  exact: heard times {exact(net, src[:300], tgt[:300]):.3f}  new times {exact(net, hs, ht):.3f}")
for i in range(3):
    t = "".join(back.get(int(k), "") for k in net.say(hs[i:i + 1])[0] if int(k) in back)
    print("  ", " ".join(held[i][0]), "->", t[:5])
