#!/usr/bin/env python
import os

import torch
import torch.nn.functional as F

from promoter.encoder import PromoterNet
from promoter.io import load_sequences, load_yaml

here = os.path.dirname(os.path.realpath(__file__))
hp = load_yaml(os.path.join(here, "hparams.yaml"))
torch.manual_seed(hp["seed"])

x, y = load_sequences(os.path.join(here, "promoters.txt"))
perm = torch.randperm(len(x))
test, train = perm[:500], perm[500:]

net = PromoterNet(x.shape[1], hp["dim"], hp["depth"], hp["heads"], int(y.max()) + 1, hp["init_std"])
opt = torch.optim.AdamW(net.parameters(), lr=hp["lr"], weight_decay=0.01)
steps = hp["epochs"] * -(-len(train) // hp["batch"])
warm = hp["warmup"]
sched = torch.optim.lr_scheduler.LambdaLR(
    opt, lambda s: min((s + 1) / warm, max(0.05, (steps - s) / (steps - warm))))

for epoch in range(hp["epochs"]):
    net.train()
    tot = 0.0
    for idx in train[torch.randperm(len(train))].split(hp["batch"]):
        loss = F.cross_entropy(net(x[idx]), y[idx])
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        sched.step()
        tot += loss.item() * len(idx)
    net.eval()
    with torch.no_grad():
        out = net(x[test])
    print(f"epoch {epoch + 1:2d}: train {tot / len(train):.4f}, test {F.cross_entropy(out, y[test]):.4f}, "
          f"test acc {(out.argmax(1) == y[test]).float().mean():.3f}")
