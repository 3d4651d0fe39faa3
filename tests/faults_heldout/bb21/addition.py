"""Seq2seq GRU that adds two numbers, e.g. 47 + 86 -> 133.

Curriculum: two-digit sums first, then three-digit sums join. Every batch holds sums of one length, so nothing is
padded; the batches of an epoch come in random order.
"""
import random

import torch
from torch import nn

CHARS = "0123456789^$"
IDX = {c: i for i, c in enumerate(CHARS)}
SOS, EOS = IDX["^"], IDX["$"]
random.seed(2)
torch.manual_seed(2)


def encode(pairs, digits):
    """Both numbers are written least significant digit first with leading zeros, so is the answer."""
    src, tgt = [], []
    for a, b in pairs:
        s = "".join(x + y for x, y in zip(f"{a:0{digits}d}"[::-1], f"{b:0{digits}d}"[::-1]))
        t = f"{a + b:0{digits + 1}d}"[::-1]
        src.append([IDX[c] for c in s])
        tgt.append([SOS] + [IDX[c] for c in t] + [EOS])
    return torch.tensor(src), torch.tensor(tgt)


class Adder(nn.Module):
    def __init__(self, dim=24, hidden=64):
        super().__init__()
        self.embed = nn.Embedding(len(CHARS), dim)
        self.encoder = nn.GRU(dim, hidden, batch_first=True)
        self.decoder = nn.GRU(dim + hidden, hidden, batch_first=True)
        self.query = nn.Linear(hidden, hidden, bias=False)
        self.out = nn.Linear(2 * hidden, len(CHARS))

    def step(self, tokens, state, memory):
        x = self.embed(tokens)
        context = memory.mean(1, keepdim=True).expand(-1, x.size(1), -1)
        h, state = self.decoder(torch.cat([x, context], dim=-1), state)
        att = (self.query(h) @ memory.transpose(1, 2) / memory.size(-1) ** 0.5).softmax(-1)
        return self.out(torch.cat([h, att @ memory], dim=-1)), state

    def forward(self, src, tgt_in):
        memory, state = self.encoder(self.embed(src))
        return self.step(tgt_in, state, memory)[0]

    @torch.no_grad()
    def translate(self, src, max_len):
        memory, state = self.encoder(self.embed(src))
        tok = torch.full((len(src), 1), SOS)
        out = []
        for _ in range(max_len):
            logits, state = self.step(tok, state, memory)
            tok = logits.argmax(-1)
            out.append(tok)
        return torch.cat(out, dim=1)


# three-digit sums are sampled, the shorter ones are enumerated; 15 % of every length is held out
pairs3 = sorted({(random.randrange(1000), random.randrange(1000)) for _ in range(9000)})
pools = {2: [(a, b) for a in range(100) for b in range(100)][::2], 3: pairs3}
train, test = {}, {}
for digits, pairs in pools.items():
    random.shuffle(pairs)
    cut = int(0.15 * len(pairs))
    test[digits], train[digits] = encode(pairs[:cut][:600], digits), encode(pairs[cut:], digits)

model = Adder()
optimizer = torch.optim.Adam(model.parameters(), lr=8e-3)
STAGES = [((2,), 6), ((2, 3), 5)]
BATCH = 80
scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda e: 1.0 if e < 9 else 0.3 ** (e - 8))


def exact_match(digits):
    src, tgt = test[digits]
    model.eval()
    return (model.translate(src, tgt.size(1) - 1) == tgt[:, 1:]).all(1).float().mean().item()


for lengths, epochs in STAGES:
    for epoch in range(epochs):
        model.train()
        total = count = 0
        batches = [(d, idx) for d in lengths for idx in torch.randperm(len(train[d][0])).split(BATCH)]
        random.shuffle(batches)
        for digits, idx in batches:
            src, tgt = train[digits]
            logits = model(src[idx], tgt[idx, :-1])
            loss = nn.functional.cross_entropy(logits.flatten(0, 1), tgt[idx, 1:].flatten())
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            total, count = total + loss.item() * len(idx), count + len(idx)
        scheduler.step()
        print(f"lengths {lengths}  epoch {epoch + 1}  loss {total / count:.4f}  exact match "
              + "  ".join(f"{d} digits {exact_match(d):.3f}" for d in lengths))
