"""Roman numeral transliteration: decimal digits in, roman letters out. GRU encoder, attentive GRU decoder."""
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

random.seed(16)
torch.manual_seed(16)
PAD, BOS, EOS = 0, 1, 2
SRC = {c: i + 1 for i, c in enumerate("0123456789")}
TGT = {c: i + 3 for i, c in enumerate("IVXLCDM")}


def roman(n):
    table = [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"),
             (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]
    out = ""
    for v, s in table:
        while n >= v:
            out, n = out + s, n - v
    return out


def encode(n):
    return [SRC[c] for c in str(n)], [BOS] + [TGT[c] for c in roman(n)] + [EOS]


def pad(rows):
    w = max(map(len, rows))
    return torch.tensor([r + [PAD] * (w - len(r)) for r in rows])


class Seq2Seq(nn.Module):
    def __init__(self, dim=32, hid=64):
        super().__init__()
        self.src = nn.Embedding(11, dim, padding_idx=PAD)
        self.tgt = nn.Embedding(10, dim, padding_idx=PAD)
        self.enc = nn.GRU(dim, hid, batch_first=True)
        self.dec = nn.GRU(dim, hid, batch_first=True)
        self.out = nn.Linear(2 * hid, 10)

    def encode(self, s):
        lens = (s != PAD).sum(1)
        packed = nn.utils.rnn.pack_padded_sequence(self.src(s), lens, batch_first=True, enforce_sorted=False)
        mem, h = self.enc(packed)
        mem, _ = nn.utils.rnn.pad_packed_sequence(mem, batch_first=True)
        return mem, h, (s != PAD)

    def decode(self, t, h, mem, keep):
        q, h = self.dec(self.tgt(t), h)
        score = (q @ mem.transpose(1, 2)) / q.shape[-1] ** 0.5
        att = score.masked_fill(~keep[:, None], float("-inf")).softmax(-1)
        return self.out(torch.cat([q, att @ mem], -1)), h

    def forward(self, s, t_in):
        mem, h, keep = self.encode(s)
        return self.decode(t_in, h, mem, keep)[0]

    @torch.no_grad()
    def greedy(self, s, steps=18):
        mem, h, keep = self.encode(s)
        tok = torch.full((len(s), 1), BOS)
        out = []
        for _ in range(steps):
            z, h = self.decode(tok, h, mem, keep)
            tok = z.argmax(-1)
            out.append(tok)
        return torch.cat(out, 1).tolist()


def exact(model, numbers):
    model.eval()
    hyp = model.greedy(pad([encode(n)[0] for n in numbers]))
    good = 0
    for n, h in zip(numbers, hyp):
        ref = encode(n)[1][1:]
        good += h[: len(ref)] == ref
    return good / len(numbers)


numbers = list(range(1, 3000))
random.shuffle(numbers)
valid, train = numbers[:300], numbers[300:]
model = Seq2Seq()
opt = torch.optim.Adam(model.parameters(), lr=3e-3)
EPOCHS = 12
sched = torch.optim.lr_scheduler.StepLR(opt, step_size=5, gamma=0.3)
for epoch in range(1, EPOCHS + 1):
    model.train()
    random.shuffle(train)
    tot, cnt = 0.0, 0
    for k in range(0, len(train), 36):
        pairs = [encode(n) for n in train[k:k + 36]]
        s, t = pad([p[0] for p in pairs]), pad([p[1] for p in pairs])
        z = model(s, t[:, :-1])
        loss = F.cross_entropy(z.flatten(0, 1), t[:, 1:].flatten(), ignore_index=PAD)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 2.0)
        opt.step()
        tot, cnt = tot + loss.item(), cnt + 1
    sched.step()
    print(f"epoch {epoch}  loss {tot / cnt:.4f}  exact match {exact(model, valid):.3f}")
