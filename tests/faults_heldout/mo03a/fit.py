import argparse

import torch
import torch.nn.functional as F

from dates import VOCAB, make
from model import Normaliser

ap = argparse.ArgumentParser(description="normalise free-form dates to ISO")
ap.add_argument("--updates", type=int, required=True)
ap.add_argument("--batch", type=int, default=64)
ap.add_argument("--lr", type=float, default=2e-3)
ap.add_argument("--report", type=int, default=10)
ap.add_argument("--seed", type=int, default=1)
a = ap.parse_args()

torch.manual_seed(a.seed)
src, tgt = (torch.tensor(v) for v in make(12000, seed=100 + a.seed))
seen = {tuple(r) for r in src.tolist()}
vs, vt = make(600, seed=900 + a.seed)
fresh = [i for i, r in enumerate(vs) if tuple(r) not in seen]
vs, vt = torch.tensor(vs)[fresh][:300], torch.tensor(vt)[fresh][:300]

net = Normaliser()
opt = torch.optim.Adam(net.parameters(), lr=a.lr)
order, pos, acc = torch.randperm(len(src)), 0, []
for step in range(1, a.updates + 1):
    if pos + a.batch > len(src):
        order, pos = torch.randperm(len(src)), 0
    b = order[pos:pos + a.batch]
    pos += a.batch
    net.train()
    loss = F.cross_entropy(net(src[b], tgt[b]).reshape(-1, VOCAB), tgt[b].reshape(-1))
    opt.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    opt.step()
    acc.append(loss.item())
    if step % a.report == 0 or step == a.updates:
        net.eval()
        with torch.no_grad():
            vl = F.cross_entropy(net(vs, vt).reshape(-1, VOCAB), vt.reshape(-1)).item()
        print(f"update {step:4d} loss {sum(acc) / len(acc):.4f} held-out {vl:.4f}", flush=True)
        acc = []
net.eval()
hit = (net.generate(vs) == vt).all(1).float().mean().item()
print(f"exact match on {len(vs)} unseen strings: {hit:.3f}")
