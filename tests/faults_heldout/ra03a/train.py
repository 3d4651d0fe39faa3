import json
import math
import tomllib
from pathlib import Path

import torch
from torch import nn

ROOT = Path(__file__).parent
cfg = tomllib.loads((ROOT / "config.toml").read_text())
torch.manual_seed(cfg["seed"])


class Block(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.att = nn.MultiheadAttention(d, h, batch_first=True)
        self.ff = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))

    def forward(self, x):
        y = self.n1(x)
        x = x + self.att(y, y, y, need_weights=False)[0]
        return x + self.ff(self.n2(x))


class BracketNet(nn.Module):
    def __init__(self, vocab, length, d, h, depth):
        super().__init__()
        self.tok = nn.Embedding(vocab, d)
        self.pos = nn.Parameter(torch.randn(length, d) * 0.02)
        self.blocks = nn.Sequential(*[Block(d, h) for _ in range(depth)])
        self.norm = nn.LayerNorm(d)
        self.out = nn.Linear(d, 6)

    def forward(self, ids):
        return self.out(self.norm(self.blocks(self.tok(ids) + self.pos)).mean(1))


def make(n, g):
    ids = torch.randint(0, 12, (n, 16), generator=g)
    return ids, (ids == 3).sum(1).clamp(max=2) * 2 + (ids[:, 0] > 5).long()


def lr_at(step):
    o = cfg["optim"]
    if step < o["warmup_steps"]:
        return (step + 1) / o["warmup_steps"]
    frac = (step - o["warmup_steps"]) / max(1, total_steps - o["warmup_steps"])
    return 0.5 * (1 + math.cos(math.pi * min(1.0, frac)))


g = torch.Generator().manual_seed(1)
xtr, ytr = make(6000, g)
xva, yva = make(1000, g)
m = cfg["model"]
net = BracketNet(12, 16, m["dim"], m["heads"], m["depth"])
bs = cfg["optim"]["batch_size"]
total_steps = cfg["optim"]["epochs"] * math.ceil(len(xtr) / bs)
opt = torch.optim.AdamW(net.parameters(), lr=cfg["optim"]["lr"], weight_decay=0.01)
sched = torch.optim.lr_scheduler.LambdaLR(opt, lr_at)

for epoch in range(cfg["optim"]["epochs"]):
    net.train()
    tot = 0.0
    for idx in torch.randperm(len(xtr)).split(bs):
        loss = nn.functional.cross_entropy(net(xtr[idx]), ytr[idx])
        opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        sched.step()
        tot += loss.item() * len(idx)
    net.eval()
    with torch.no_grad():
        acc = (net(xva).argmax(1) == yva).float().mean().item()
    print(json.dumps({"epoch": epoch, "loss": round(tot / len(xtr), 4), "val_acc": round(acc, 4),
                      "lr": sched.get_last_lr()[0]}))
