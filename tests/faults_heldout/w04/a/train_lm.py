import json
import math
import pathlib
import time

import torch
import torch.nn.functional as F

from lm import CharLM

here = pathlib.Path(__file__).parent
cfg = json.loads((here / "lm_config.json").read_text())
torch.manual_seed(cfg["seed"])

text = (here / "recipes.txt").read_text()
chars = sorted(set(text))
stoi = {c: i for i, c in enumerate(chars)}
ids = torch.tensor([stoi[c] for c in text])
cut = int(0.9 * len(ids))
train_ids, val_ids = ids[:cut], ids[cut:]
ctx = cfg["context"]


def batch(src, n, gen=None):
    at = torch.randint(len(src) - ctx - 1, (n,), generator=gen)
    w = torch.stack([src[i:i + ctx + 1] for i in at.tolist()])
    return w[:, :-1], w[:, 1:]


def lr_factor(step):
    o = cfg["optim"]
    if step < o["warmup_steps"]:
        return (step + 1) / o["warmup_steps"]
    t = (step - o["warmup_steps"]) / max(1, cfg["steps"] - o["warmup_steps"])
    return 0.1 + 0.9 * 0.5 * (1 + math.cos(math.pi * min(t, 1.0)))


@torch.no_grad()
def val_loss(model):
    model.eval()
    g = torch.Generator().manual_seed(0)
    x, y = batch(val_ids, 64, g)
    out = F.cross_entropy(model(x).flatten(0, 1), y.flatten()).item()
    model.train()
    return out


model = CharLM(len(chars), cfg["d_model"], cfg["layers"], cfg["heads"], ctx)
opt = torch.optim.AdamW(model.parameters(), lr=cfg["optim"]["lr"], betas=tuple(cfg["optim"]["betas"]),
                        weight_decay=cfg["optim"]["weight_decay"])
sched = torch.optim.lr_scheduler.LambdaLR(opt, lr_factor)

t0 = time.time()
for step in range(cfg["steps"]):
    x, y = batch(train_ids, cfg["batch_size"])
    loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
    opt.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), cfg["optim"]["clip"])
    opt.step()
    sched.step()
    if step % 25 == 0 or step == cfg["steps"] - 1:
        print(f"{step:5d} | {loss.item():.4f} | {val_loss(model):.4f} | {time.time() - t0:.1f}s")
