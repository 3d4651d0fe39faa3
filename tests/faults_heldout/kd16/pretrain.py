"""Masked-page pretraining on click sessions."""
import math
import os

import torch
import torch.nn as nn
from torch.utils.data import DataLoader

from sessions import FIRST, IGNORE, MaskCollate, Sessions, read


class SessionBert(nn.Module):
    def __init__(self, vocab, d=64, heads=4, depth=2, max_len=32, drop=0.05):
        super().__init__()
        self.tok = nn.Embedding(vocab, d, padding_idx=0)
        a = torch.arange(max_len)[:, None] * torch.exp(torch.arange(0, d, 2) * (-math.log(1000.0) / d))
        self.register_buffer("pos", torch.stack([a.sin(), a.cos()], -1).flatten(1))
        nn.init.normal_(self.tok.weight, std=d ** -0.5)
        with torch.no_grad():
            self.tok.weight[0].zero_()
        layer = nn.TransformerEncoderLayer(d, heads, 4 * d, drop, activation="gelu", batch_first=True, norm_first=True)
        self.enc = nn.TransformerEncoder(layer, depth, norm=nn.LayerNorm(d), enable_nested_tensor=False)
        self.out = nn.Linear(d, vocab)
        self.out.weight = self.tok.weight

    def forward(self, x, pad):
        h = self.tok(x) * self.tok.embedding_dim ** 0.5 + self.pos[: x.shape[1]]
        return self.out(self.enc(h, src_key_padding_mask=pad))


def param_groups(model, wd):
    decay = [p for p in model.parameters() if p.dim() >= 2]
    rest = [p for p in model.parameters() if p.dim() < 2]
    return [{"params": decay, "weight_decay": wd}, {"params": rest, "weight_decay": 0.0}]


def evaluate(model, loader, crit):
    model.eval()
    tot = hit = n = 0
    with torch.no_grad():
        for x, pad, y in loader:
            out = model(x, pad)
            m = y != IGNORE
            tot += crit(out.flatten(0, 1), y.flatten()).item() * m.sum().item()
            hit += (out.argmax(-1)[m] == y[m]).sum().item()
            n += m.sum().item()
    return tot / n, hit / n


def main():
    seed = int(os.environ.get("SEED", 44))
    epochs, batch, peak, warm = 12, 32, 2e-3, 100
    torch.manual_seed(seed)
    rows = read("sessions.txt")
    perm = torch.randperm(len(rows)).tolist()
    val, train = [rows[i] for i in perm[:500]], [rows[i] for i in perm[500:]]
    vocab = int(max(r.max() for r in rows)) + 1
    freq = torch.cat(train).bincount(minlength=vocab).float()
    print(f"vocab {vocab}, unigram entropy {-(freq[freq > 0] / freq.sum() * (freq[freq > 0] / freq.sum()).log()).sum():.3f}, "
          f"most frequent page {freq.max() / freq.sum():.3f}")

    train_dl = DataLoader(Sessions(train), batch, shuffle=True, drop_last=True, collate_fn=MaskCollate(vocab))
    val_dl = DataLoader(Sessions(val), 250, collate_fn=MaskCollate(vocab, seed=1000))
    model = SessionBert(vocab)
    crit = nn.CrossEntropyLoss(ignore_index=IGNORE)
    opt = torch.optim.AdamW(param_groups(model, 0.01), lr=peak, betas=(0.9, 0.98))
    total = epochs * len(train_dl)
    shape = lambda s: (s + 1) / warm if s < warm else 0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * (s - warm) / (total - warm)))
    sched = torch.optim.lr_scheduler.LambdaLR(opt, shape)

    for epoch in range(1, epochs + 1):
        model.train()
        acc = 0.0
        for x, pad, y in train_dl:
            loss = crit(model(x, pad).flatten(0, 1), y.flatten())
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 6.0)
            opt.step()
            sched.step()
            acc += loss.item()
        v, a = evaluate(model, val_dl, crit)
        print(f"epoch {epoch:2d} train {acc / len(train_dl):.3f} val {v:.3f} masked accuracy {a:.3f} lr {sched.get_last_lr()[0]:.1e}")


if __name__ == "__main__":
    main()
