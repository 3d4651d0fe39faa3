import random

import torch
from torch.nn.functional import binary_cross_entropy_with_logits as bce

from nlp.corpus import VOCAB, buckets, build
from nlp.tagger import ReviewLSTM

random.seed(0)
torch.manual_seed(0)
train, val = build(2500, 1), build(500, 2)
net = ReviewLSTM(len(VOCAB) + 1)
opt = torch.optim.Adam(net.parameters(), lr=4e-3)

for epoch in range(8):
    net.train()
    s = 0.0
    for x, lens, y in buckets(train, 40):
        loss = bce(net(x, lens), y)
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        opt.step()
        s += loss.item() * len(y)
    net.eval()
    vl = hit = 0
    with torch.no_grad():
        for x, lens, y in buckets(val, 100, shuffle=False):
            z = net(x, lens)
            vl += bce(z, y).item() * len(y)
            hit += ((z > 0) == (y > .5)).sum().item()
    print(f"epoch {epoch} train {s / len(train):.4f} val {vl / len(val):.4f} acc {hit / len(val):.3f}")
