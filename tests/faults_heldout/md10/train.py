import math

import torch
import torch.nn as nn
from torch.nn.utils.rnn import pad_sequence

from dates import BOS, CHARS, EOS, PAD, corpus, encode

VOCAB = 3 + len(CHARS)
D, HEADS, STEPS, BATCH, PEAK, WARM = 48, 4, 450, 48, 3e-3, 50


class Translator(nn.Module):
    def __init__(self):
        super().__init__()
        self.tok = nn.Embedding(VOCAB, D, padding_idx=PAD)
        nn.init.normal_(self.tok.weight, std=0.3)
        self.pos = nn.Parameter(0.3 * torch.randn(24, D))
        kw = dict(d_model=D, nhead=HEADS, dim_feedforward=128, dropout=0.05, batch_first=True, norm_first=True)
        self.enc = nn.TransformerEncoder(nn.TransformerEncoderLayer(**kw), 1, enable_nested_tensor=False)
        self.dec = nn.TransformerDecoder(nn.TransformerDecoderLayer(**kw), 1, norm=nn.LayerNorm(D))
        self.out = nn.Linear(D, VOCAB)

    def encode(self, src):
        pad = src == PAD
        return self.enc(self.tok(src) + self.pos[:src.size(1)], src_key_padding_mask=pad), pad

    def decode(self, tgt, mem, pad):
        L = tgt.size(1)
        causal = torch.triu(torch.ones(L, L, dtype=torch.bool), 1)
        h = self.dec(self.tok(tgt) + self.pos[:L], mem, tgt_mask=causal, memory_key_padding_mask=pad)
        return self.out(h)

    def forward(self, src, tgt):
        return self.decode(tgt, *self.encode(src))


def collate(rows):
    src = pad_sequence([torch.tensor(encode(s)) for s, _ in rows], True, PAD)
    tgt = pad_sequence([torch.tensor([BOS] + encode(t) + [EOS]) for _, t in rows], True, PAD)
    return src, tgt


@torch.no_grad()
def exact_match(net, rows):
    net.eval()
    src, tgt = collate(rows)
    loss = nn.functional.cross_entropy(net(src, tgt[:, :-1]).flatten(0, 1), tgt[:, 1:].flatten(), ignore_index=PAD)
    mem, pad = net.encode(src)
    out = torch.full((len(rows), 1), BOS)
    for _ in range(6):
        nxt = net.decode(out, mem, pad)[:, -1].argmax(-1, keepdim=True)
        out = torch.cat([out, nxt], 1)
    net.train()
    return loss.item(), (out[:, 1:] == tgt[:, 1:7]).all(1).float().mean().item()


def main():
    torch.manual_seed(10)
    rows = corpus(6300, seed=2)
    train, held = rows[:6000], rows[6000:]
    net = Translator()
    opt = torch.optim.AdamW(net.parameters(), lr=PEAK, betas=(0.9, 0.98), weight_decay=0.01)
    lam = lambda s: min((s + 1) / WARM, 0.5 * (1 + math.cos(math.pi * min(1.0, max(0, s - WARM) / (STEPS - WARM)))))
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lam)
    step, smooth = 0, None
    while step < STEPS:
        for ids in torch.randperm(len(train)).split(BATCH):
            src, tgt = collate([train[i] for i in ids.tolist()])
            logit = net(src, tgt[:, :-1])
            loss = nn.functional.cross_entropy(logit.flatten(0, 1), tgt[:, 1:].flatten(), ignore_index=PAD)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
            sched.step()
            step += 1
            smooth = loss.item() if smooth is None else 0.95 * smooth + 0.05 * loss.item()
            if step % 75 == 0:
                l, em = exact_match(net, held)
                print(f"step {step} train {smooth:.4f} held-out {l:.4f} exact {em:.3f}")
            if step == STEPS:
                break


main()
