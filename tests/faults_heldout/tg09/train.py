"""Normalise free-form dates to ISO with a small attention seq2seq."""
import argparse
import random

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence

parser = argparse.ArgumentParser()
parser.add_argument("--seed", type=int, default=3)
parser.add_argument("--epochs", type=int, default=8)
parser.add_argument("--final-teacher", type=float, default=0.4)
parser.add_argument("--lr", type=float, default=4e-3)
opt = parser.parse_args()
random.seed(opt.seed)
torch.manual_seed(opt.seed)

pairs = [l.rstrip("\n").split("\t") for l in open("dates.tsv")]
random.shuffle(pairs)
valid, train = pairs[:400], pairs[400:]
src_vocab = {c: i + 1 for i, c in enumerate(sorted({c for s, _ in train for c in s}))}
OUT = "0123456789-"
BOS = len(OUT)
T = 10


def batchify(chunk):
    src = [torch.tensor([src_vocab[c] for c in s]) for s, _ in chunk]
    lens = torch.tensor([len(s) for s in src])
    tgt = torch.tensor([[OUT.index(c) for c in t] for _, t in chunk])
    return pad_sequence(src, batch_first=True), lens, tgt


class DateNet(nn.Module):
    def __init__(self, emb=24, hid=64):
        super().__init__()
        self.src = nn.Embedding(len(src_vocab) + 1, emb, padding_idx=0)
        self.enc = nn.GRU(emb, hid // 2, batch_first=True, bidirectional=True)
        self.tgt = nn.Embedding(len(OUT) + 1, emb)
        self.cell = nn.GRUCell(emb + hid, hid)
        self.query = nn.Linear(hid, hid)
        self.out = nn.Linear(2 * hid, len(OUT))

    def forward(self, x, lens, target=None, teacher=0.0):
        packed = pack_padded_sequence(self.src(x), lens, batch_first=True, enforce_sorted=False)
        mem, h = self.enc(packed)
        mem, _ = pad_packed_sequence(mem, batch_first=True)
        pad = torch.arange(mem.shape[1])[None] >= lens[:, None]
        h = torch.cat([h[0], h[1]], dim=1)
        ctx = torch.zeros_like(h)
        tok = torch.full((len(x),), BOS)
        logits = []
        for t in range(T):
            h = self.cell(torch.cat([self.tgt(tok), ctx], 1), h)
            score = torch.einsum("bh,bth->bt", self.query(h), mem).masked_fill(pad, -1e9)
            ctx = torch.einsum("bt,bth->bh", score.softmax(1), mem)
            step = self.out(torch.cat([h, ctx], 1))
            logits.append(step)
            tok = step.argmax(1).detach()
            if target is not None:
                forced = torch.rand(len(x)) < teacher
                tok = torch.where(forced, target[:, t], tok)
        return torch.stack(logits, 1)


net = DateNet()
optim = torch.optim.Adam(net.parameters(), lr=opt.lr)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(optim, opt.epochs, eta_min=1e-4)
for epoch in range(opt.epochs):
    ratio = 1.0 - (1.0 - opt.final_teacher) * epoch / (opt.epochs - 1)
    net.train()
    random.shuffle(train)
    losses = []
    for i in range(0, len(train), 50):
        x, lens, y = batchify(train[i:i + 50])
        loss = F.cross_entropy(net(x, lens, y, ratio).flatten(0, 1), y.flatten())
        optim.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optim.step()
        losses.append(loss.item())
    sched.step()
    net.eval()
    with torch.no_grad():
        x, lens, y = batchify(valid)
        free = net(x, lens)
        vl = F.cross_entropy(free.flatten(0, 1), y.flatten()).item()
        pred = free.argmax(-1)
    print(f"epoch {epoch + 1:2d} teacher {ratio:.2f} loss {sum(losses) / len(losses):.4f} "
          f"free-running val {vl:.4f} chars {(pred == y).float().mean():.4f} exact {(pred == y).all(1).float().mean():.3f}")
