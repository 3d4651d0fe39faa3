import json
from pathlib import Path

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader

from vocab import BOS, DIGIT0, EOS, N_TGT, PAD, SRC, WORDS, numbers, spell

cfg = json.loads((Path(__file__).parent / "config.json").read_text())


def encode(n):
    src = [SRC[w] for w in spell(n)]
    tgt = [BOS] + [DIGIT0 + int(c) for c in str(n)] + [EOS]
    return src, tgt


def collate(batch):
    xs = torch.full((len(batch), cfg["src_len"]), PAD)
    ys = torch.full((len(batch), cfg["tgt_len"]), PAD)
    for i, (s, t) in enumerate(batch):
        xs[i, :len(s)] = torch.tensor(s)
        ys[i, :len(t)] = torch.tensor(t)
    return xs, ys


class Seq2Seq(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.src_emb = nn.Embedding(len(WORDS), d, padding_idx=PAD)
        self.tgt_emb = nn.Embedding(N_TGT, d, padding_idx=PAD)
        self.enc = nn.GRU(d, d, batch_first=True, bidirectional=True)
        self.bridge = nn.Linear(2 * d, d)
        self.dec = nn.GRU(d, d, batch_first=True)
        self.key = nn.Linear(2 * d, d)
        self.out = nn.Sequential(nn.Linear(3 * d, d), nn.Tanh(), nn.Linear(d, N_TGT))

    def encode(self, x):
        n = (x != PAD).sum(1)
        packed = nn.utils.rnn.pack_padded_sequence(self.src_emb(x), n, batch_first=True, enforce_sorted=False)
        h, last = self.enc(packed)
        h, _ = nn.utils.rnn.pad_packed_sequence(h, batch_first=True, total_length=x.shape[1])
        return h, torch.tanh(self.bridge(torch.cat([last[0], last[1]], 1)))[None], x == PAD

    def decode(self, y, mem, state, mask):
        q, state = self.dec(self.tgt_emb(y), state)
        att = (q @ self.key(mem).transpose(1, 2)).masked_fill(mask[:, None], -1e9)
        return self.out(torch.cat([q, att.softmax(-1) @ mem], -1)), state

    def forward(self, x, y):
        mem, state, mask = self.encode(x)
        return self.decode(y, mem, state, mask)[0]

    @torch.no_grad()
    def generate(self, x, steps=8):
        mem, state, mask = self.encode(x)
        tok = torch.full((len(x), 1), BOS)
        res = []
        for _ in range(steps):
            logits, state = self.decode(tok, mem, state, mask)
            tok = logits.argmax(-1)
            res.append(tok)
        return torch.cat(res, 1)


def exact_match(model, loader):
    model.eval()
    ok = n = 0
    for x, y in loader:
        for hyp, ref in zip(model.generate(x).tolist(), y[:, 1:].tolist()):
            hyp = hyp[:hyp.index(EOS)] if EOS in hyp else hyp
            ok += hyp == ref[:ref.index(EOS)]
            n += 1
    model.train()
    return ok / n


def main():
    torch.manual_seed(cfg["seed"])
    tr, va = numbers(cfg["n_train"], 400, 3)
    train = DataLoader([encode(n) for n in tr], batch_size=cfg["batch_size"], shuffle=True, collate_fn=collate)
    val = DataLoader([encode(n) for n in va], batch_size=200, collate_fn=collate)
    model = Seq2Seq(cfg["dim"])
    criterion = nn.CrossEntropyLoss(ignore_index=cfg["ignore_index"])
    opt = torch.optim.SGD(model.parameters(), lr=cfg["lr"], momentum=0.9, nesterov=True)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg["epochs"] * len(train))
    for epoch in range(cfg["epochs"]):
        tot = 0.0
        for x, y in train:
            logits = model(x, y[:, :-1])
            loss = criterion(logits.flatten(0, 1), y[:, 1:].flatten())
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            sched.step()
            tot += loss.item()
        print(f"epoch {epoch + 1:2d}  loss {tot / len(train):.4f}  exact match {exact_match(model, val):.3f}")


if __name__ == "__main__":
    main()
