import math

import torch
from torch.nn import functional as F

from charlm.lm import CharGRU
from charlm.text import Corpus, WindowSampler, contiguous
from configs import cfg

torch.manual_seed(cfg.seed)
corpus = Corpus(cfg.corpus)
sampler = WindowSampler(corpus.train, cfg.block, cfg.batch, cfg.batches_per_epoch, cfg.seed)
vx, vy = contiguous(corpus.valid, cfg.block)
model = CharGRU(len(corpus.chars), cfg.emb, cfg.hidden, cfg.dropout)
opt = torch.optim.AdamW(model.parameters(), lr=cfg.lr, weight_decay=0.01)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg.epochs * len(sampler), eta_min=cfg.lr * 0.05)
print(f"{sum(p.numel() for p in model.parameters())} parameters, {len(corpus.train)} training characters")

for epoch in range(cfg.epochs):
    model.train()
    nll = 0.0
    for x, y in sampler:
        loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
        opt.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), cfg.clip)
        opt.step()
        sched.step()
        nll += loss.item()
    model.eval()
    with torch.no_grad():
        val = F.cross_entropy(model(vx).flatten(0, 1), vy.flatten()).item()
    print(f"epoch {epoch:2d}: train {nll / len(sampler):.3f}  valid {val:.3f}  ({val / math.log(2):.3f} bits/char)")
