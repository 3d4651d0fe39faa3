"""Adapt the general character model (base.pt) to recipe steps with low-rank adapters."""
import argparse

import torch
import torch.nn.functional as F

import lora
from charlm import CharLM, VOCAB, encode

ap = argparse.ArgumentParser()
ap.add_argument("--base", default="base.pt")
ap.add_argument("--text", default="recipes.txt")
ap.add_argument("--rank", type=int, default=12)
ap.add_argument("--alpha", type=float, default=24.0)
ap.add_argument("--lr", type=float, default=1e-2)
ap.add_argument("--steps", type=int, default=420)
ap.add_argument("--batch", type=int, default=24)
ap.add_argument("--ctx", type=int, default=64)
args = ap.parse_args()
torch.manual_seed(42)

lines = open(args.text).read().splitlines(keepends=True)
cut = int(0.9 * len(lines))
train, val = encode("".join(lines[:cut])), encode("".join(lines[cut:]))


def windows(data, starts):
    w = torch.stack([data[s:s + args.ctx + 1] for s in starts])
    return w[:, :-1], w[:, 1:]


@torch.no_grad()
def val_loss(model):
    model.eval()
    x, y = windows(val, range(0, len(val) - args.ctx - 1, args.ctx))
    out = F.cross_entropy(model(x).flatten(0, 1), y.flatten()).item()
    model.train()
    return out


model = CharLM(ctx=args.ctx)
print(model.load_state_dict({k: v.float() for k, v in torch.load(args.base, weights_only=True).items()}))
print(f"base model on recipes: val loss {val_loss(model):.4f}")

params = lora.inject(model, {"qkv", "proj", "fc", "out"}, args.rank, args.alpha)
n_all = sum(p.numel() for p in model.parameters())
print(f"adapters {sum(p.numel() for p in params)} of {n_all} parameters")
opt = torch.optim.AdamW(params, lr=args.lr, weight_decay=0.0)
sched = torch.optim.lr_scheduler.OneCycleLR(opt, args.lr, total_steps=args.steps, pct_start=0.1)

for step in range(1, args.steps + 1):
    x, y = windows(train, torch.randint(0, len(train) - args.ctx - 1, (args.batch,)).tolist())
    loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
    loss.backward()
    torch.nn.utils.clip_grad_norm_(params, 1.0)
    opt.step()
    sched.step()
    opt.zero_grad()
    if step % 50 == 0:
        print(f"step {step:4d} loss {loss.item():.4f} val {val_loss(model):.4f}")

model = lora.merge(model).eval()
print(f"after merging: val {val_loss(model):.4f}")
with torch.no_grad():
    ctx = encode("\n")[None]
    for _ in range(120):
        nxt = (model(ctx[:, -args.ctx:])[:, -1] / 0.8).softmax(-1).multinomial(1)
        ctx = torch.cat([ctx, nxt], 1)
print("".join(VOCAB[i] for i in ctx[0].tolist()))
